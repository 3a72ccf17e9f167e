"""Where crows can go: by a roll (Crows) or by MOCK. Rulings are cited as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .pecking import can_land
from .state import CROW, CROW_TO, LIFT_CROW, NOWHERE, SPECIAL


@kernel
def next_for_crow(s, rules, index, left, by_card):
    """The first of the board's spots from `index` on where a crow that left `left` can go, or `n_spots`.

    By a roll those with the digit beside the crow, in either place; any beside a hawk (B16, B18).
    """
    for at in range(index, rules.n_spots):
        spot = np.int64(rules.spots[at])
        is_meant = by_card or s.brown == SPECIAL or (rules.digits[spot] >> s.brown) & 1
        if is_meant and can_land(s, rules, CROW, spot, left, by_card):
            return at
    return np.int64(rules.n_spots)


@kernel
def list_for_crow(s, rules, choices, number, left, by_card):
    """Where a crow can go. Returns how many actions there are now."""
    index = next_for_crow(s, rules, 0, left, by_card)
    while index < rules.n_spots:
        choices.actions[number] = CROW_TO + rules.spots[index]
        number += 1
        index = next_for_crow(s, rules, index + 1, left, by_card)
    return number


@kernel
def next_crow(s, rules, index, by_card):
    """The first crow in the tree from `index` on that can go elsewhere, or how many there are."""
    crows = np.int64(s.on_board[CROW - 1])
    for at in range(index, crows):
        if next_for_crow(s, rules, 0, np.int64(s.spots[CROW - 1, at]), by_card) < rules.n_spots:
            return at
    return crows


@kernel
def list_crows(s, rules, choices, number, by_card):
    """The crows that can go elsewhere. Returns how many actions there are now."""
    index = next_crow(s, rules, 0, by_card)
    while index < s.on_board[CROW - 1]:
        choices.actions[number] = LIFT_CROW + s.spots[CROW - 1, index]
        number += 1
        index = next_crow(s, rules, index + 1, by_card)
    return number


@kernel
def a_crow_can(s, rules, come, move, by_card):
    """Whether a crow can come from the supply, or one in the tree go elsewhere, if this is asked for."""
    if come and s.reserve[CROW - 1] > 0 and next_for_crow(s, rules, 0, NOWHERE, by_card) < rules.n_spots:
        return True
    return move and next_crow(s, rules, 0, by_card) < s.on_board[CROW - 1]
