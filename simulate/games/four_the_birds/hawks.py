"""Hawks, whom they threaten, and how birds scatter (Hawks). Rulings are cited as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .pecking import displace
from .state import (
    BIRDS_SCATTERED,
    CORNERS,
    CROW,
    DONE_WITH,
    EMPTY,
    HAWK,
    HAWK_TO,
    LIFT_HAWK,
    NOWHERE,
    SCATTER,
    SCATTERED,
    ask,
    put,
    take,
)


@kernel
def list_dots(s, rules, choices, number, left):
    """The free dots but the one that the hawk left. Returns how many actions there are now."""
    for index in range(rules.n_dots):
        dot = np.int64(rules.dots[index])
        is_free = dot != left
        for hawk in range(s.on_board[HAWK - 1]):
            is_free &= s.spots[HAWK - 1, hawk] != dot
        choices.actions[number] = HAWK_TO + dot
        number += is_free
    return number


@kernel
def list_hawks(s, choices, number, code):
    """An action for every hawk in the tree. Returns how many actions there are now."""
    for index in range(s.on_board[HAWK - 1]):
        choices.actions[number] = code + s.spots[HAWK - 1, index]
        number += 1
    return number


@kernel
def a_dot_is_free(s, rules):
    return rules.n_dots > s.on_board[HAWK - 1]


@kernel
def legal_hawks(s, rules, choices, number):
    """On a roll: a hawk from the supply to a free dot, or without one, a hawk in the tree to another (Hawks; B6)."""
    if s.reserve[HAWK - 1]:
        return list_dots(s, rules, choices, number, NOWHERE)
    return list_hawks(s, choices, number, LIFT_HAWK) if a_dot_is_free(s, rules) else number


@kernel
def land_hawk(s, dot):
    """All birds on the corners are lifted before the first of them moves (Hawks; B12)."""
    put(s, HAWK, dot)
    for corner in CORNERS:
        spot = dot + corner
        piece = np.int64(s.on[spot])
        if EMPTY < piece <= CROW:
            take(s, piece, spot)
            s.scattered[s.scattering] = spot
            s.scattered_piece[s.scattering] = piece
            s.scattering += 1
            if piece != CROW:
                s.counters[piece - 1, BIRDS_SCATTERED] += 1
    s.kind = DONE_WITH


@kernel
def next_to_scatter(s):
    """Whose lifted birds go next: those of the player to the left and on clockwise, crows last (Hawks; B12)."""
    seat = s.active
    for _ in range(s.players):
        seat = seat + 1 if seat + 1 < s.players else 0
        for index in range(s.scattering):
            if s.scattered_piece[index] == seat + 1:
                return seat + 1
    return CROW


@kernel
def ask_to_scatter(s):
    piece = next_to_scatter(s)
    ask(s, s.active if piece == CROW else piece - 1, SCATTER)


@kernel
def legal_scatter(s, choices):
    piece, number = next_to_scatter(s), 0
    for index in range(s.scattering):
        if s.scattered_piece[index] == piece:
            choices.actions[number] = SCATTERED + s.scattered[index]
            number += 1
    choices.count = number


@kernel
def scatter(s, rules, spot):
    """The bird that was lifted from the spot looks for a place: a chain of its own (B10, B12)."""
    piece = EMPTY
    s.scattering -= 1
    for index in range(s.scattering + 1):
        if piece != EMPTY:
            s.scattered[index - 1] = s.scattered[index]
            s.scattered_piece[index - 1] = s.scattered_piece[index]
        elif s.scattered[index] == spot:
            piece = np.int64(s.scattered_piece[index])
    displace(s, rules, piece, spot)
