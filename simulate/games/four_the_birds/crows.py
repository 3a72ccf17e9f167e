"""Where crows can go: by a roll (Crows) or by MOCK. Rulings are cited as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .pecking import can_fly_to, can_land
from .state import CROW, CROW_TO, LIFT_CROW, NOWHERE, SPECIAL, WIDTH


@kernel
def is_rolled(s, spot):
    """Whether the spot has the digit rolled beside the crow, in either place; any has beside a hawk (B16, B18)."""
    return s.brown in (SPECIAL, spot // WIDTH, spot % WIDTH)


@kernel
def next_for_crow(s, rules, index, left, by_card):
    """The first of the board's spots from `index` on where a crow that left `left` can go, or `n_spots`."""
    for at in range(index, rules.n_spots):
        spot = np.int64(rules.spots[at])
        if by_card:
            if can_fly_to(s, rules, CROW, spot, left):
                return at
        elif is_rolled(s, spot) and can_land(s, rules, CROW, spot, left):
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
def list_crows(s, rules, choices, number, by_card):
    """The crows in the tree that can go elsewhere. Returns how many actions there are now."""
    for index in range(s.on_board[CROW - 1]):
        spot = np.int64(s.spots[CROW - 1, index])
        if next_for_crow(s, rules, 0, spot, by_card) < rules.n_spots:
            choices.actions[number] = LIFT_CROW + spot
            number += 1
    return number


@kernel
def legal_crows(s, rules, choices, number):
    """On a roll: a crow from the supply, or without one, a crow in the tree to be moved (Crows; B6)."""
    if s.reserve[CROW - 1]:
        return list_for_crow(s, rules, choices, number, NOWHERE, False)
    return list_crows(s, rules, choices, number, False)


@kernel
def a_crow_can_come(s, rules, by_card):
    return s.reserve[CROW - 1] > 0 and next_for_crow(s, rules, 0, NOWHERE, by_card) < rules.n_spots


@kernel
def a_crow_can_move(s, rules, by_card):
    for index in range(s.on_board[CROW - 1]):
        if next_for_crow(s, rules, 0, np.int64(s.spots[CROW - 1, index]), by_card) < rules.n_spots:
            return True
    return False
