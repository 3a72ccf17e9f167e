"""Playing cards (Playing Cards, Action Card Reference). Sections are cited by name, rulings as B1..B28.

What ROLL does is a turn's business: rules.py.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .crows import a_crow_can, list_crows, list_for_crow
from .hawks import a_dot_is_free, list_hawks
from .pecking import STEPS, can_land, land
from .state import (
    CROW,
    DONE,
    EMPTY,
    FLOCK,
    FLY_TO,
    HAWK,
    LIFT,
    LIFT_HAWK,
    MOCK,
    MOVE,
    NOWHERE,
    OTHERWISE,
    PECK,
    PLAYED,
    REMOVE_HAWK,
    ROLL,
    SHOO,
    SHOOING,
    TOKEN,
    WIDTH,
    set_down,
)

_CENTRE = 12
_CELLS = np.array([WIDTH * row + column for row in range(-2, 3) for column in range(-2, 3)])
"""From a spot to the cells up to two steps away, in board order; bit b of a set of cells is that along _CELLS[b]."""
_SHIFTS = np.array([0, 1, 2, 5, 7, 10, 11, 12])
"""For each of STEPS, by how much the cells around shift with it, and six more."""


# --- how far a card reaches (B23, B24) ---


@kernel
def reach(s, rules, spot, card):
    """The cells that the card's branch steps lead to, one by FLOCK, else up to two, as bits around the spot.

    They lead over birds and crows but not over a token's spot.
    """
    cells = np.int64(rules.near[spot])
    if card == FLOCK:
        return cells
    found, ways, step = cells, np.int64(rules.branches[spot]), 0
    while ways:
        middle = spot + STEPS[step]
        if ways & 1 and s.on[middle] != TOKEN:
            found |= (np.int64(rules.near[middle]) << _SHIFTS[step]) >> 6
        ways >>= 1
        step += 1
    return found & ~(1 << _CENTRE)


@kernel
def can_move(s, rules, spot, card):
    """Whether the card could bring the bird on the spot elsewhere."""
    piece = np.int64(s.on[spot])
    cells, bit = reach(s, rules, spot, card), 0
    while cells:
        if cells & 1 and can_land(s, rules, piece, spot + _CELLS[bit], spot, True):
            return True
        cells >>= 1
        bit += 1
    return False


@kernel
def legal_flights(s, rules, choices):
    """Where the lifted bird can go, by destination (B23)."""
    cells, bit, number = reach(s, rules, s.lifted, s.card), 0, 0
    while cells:
        spot = s.lifted + _CELLS[bit]
        if cells & 1 and can_land(s, rules, s.lifted_piece, spot, s.lifted, True):
            choices.actions[number] = FLY_TO + spot
            number += 1
        cells >>= 1
        bit += 1
    choices.count = number


@kernel
def fly(s, rules, spot):
    """The lifted bird lands by its own rank (B23)."""
    s.flock_moves += s.card == FLOCK
    land(s, rules, set_down(s), spot)
    if s.threat[spot] == 0:
        note_flown(s, spot)


@kernel
def note_flown(s, spot):
    """FLOCK's first bird stands here and is not its second one (B24)."""
    if s.card == FLOCK and s.flock_moves == 1:
        s.flown = spot


# --- which cards do something, and what they offer ---


@kernel
def is_useful(s, rules, card):
    """Whether playing the card would do something (B27)."""
    if card == ROLL:
        return True
    if card == SHOO:
        can_go = rules.shoo[OTHERWISE] == 1 or (rules.shoo[MOVE] == 1 and a_dot_is_free(s, rules))
        return s.on_board[HAWK - 1] > 0 and can_go
    if card == MOCK:
        return a_crow_can(s, rules, rules.mock[OTHERWISE] == 1, rules.mock[MOVE] == 1, True)
    return next_mover(s, rules, card, 0) < rules.n_spots


@kernel
def play(s, card):
    """From the hand to the top of the discard pile, then its own decision (Playing Cards; B19)."""
    seat = s.active
    s.hand[seat, card] -= 1
    s.held[seat] -= 1
    s.discard[seat, s.discarded[seat]] = card
    s.discarded[seat] += 1
    s.last_card = card
    s.counters[seat, PLAYED + card] += 1
    if card != ROLL:
        s.card = card
        s.kind = SHOOING + card - SHOO


@kernel
def legal_by_card(s, rules, choices):
    """What the card that was just played lets its player pick up or do (Action Card Reference)."""
    number = 0
    if s.card == SHOO:
        if rules.shoo[MOVE] and a_dot_is_free(s, rules):
            number = list_hawks(s, choices, number, LIFT_HAWK)
        if rules.shoo[OTHERWISE]:
            number = list_hawks(s, choices, number, REMOVE_HAWK)
    elif s.card == MOCK:
        if rules.mock[OTHERWISE] and s.reserve[CROW - 1]:
            number = list_for_crow(s, rules, choices, number, NOWHERE, True)
        if rules.mock[MOVE]:
            number = list_crows(s, rules, choices, number, True)
    else:
        number = legal_movers(s, rules, choices)
    choices.count = number


@kernel
def legal_movers(s, rules, choices):
    """The birds that PECK, SWOOP or FLOCK can move; FLOCK's second is another one, or none (B23, B24)."""
    number, index = 0, next_mover(s, rules, s.card, 0)
    while index < rules.n_spots:
        choices.actions[number] = LIFT + rules.spots[index]
        number += 1
        index = next_mover(s, rules, s.card, index + 1)
    if s.flock_moves:
        choices.actions[number] = DONE
        number += 1
    return number


@kernel
def next_mover(s, rules, card, index):
    """The first of the board's spots from `index` on whose bird the card can move, or `n_spots`."""
    for at in range(index, rules.n_spots):
        spot = np.int64(rules.spots[at])
        piece = np.int64(s.on[spot])
        whose = EMPTY < piece < CROW and (piece == s.active + 1) != (card == PECK) and spot != s.flown
        if whose and can_move(s, rules, spot, card):
            return at
    return np.int64(rules.n_spots)
