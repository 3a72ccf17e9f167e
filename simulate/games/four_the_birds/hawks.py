"""Hawks, whom they threaten, and how birds scatter (Hawks). Rulings are cited as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .pecking import displace
from .state import (
    BIRDS_SCATTERED,
    CROW,
    DONE_WITH,
    EMPTY,
    HAWK_TO,
    LIFT_HAWK,
    SCATTER,
    SCATTERED,
    WIDTH,
    ask,
    bird_of,
    insert,
    is_bird,
    remove,
    take,
)

CORNERS = np.array([0, 1, WIDTH, WIDTH + 1])
"""From a dot to its adjacent spots, in board order."""


@kernel
def threaten(s, dot, change):
    for corner in CORNERS:
        s.threat[dot + corner] += change


@kernel
def is_free(s, rules, dot):
    """Whether a dot is in play and without a hawk."""
    free = rules.dot[dot] == 1
    for index in range(s.hawks_out):
        free &= s.hawks[index] != dot
    return free


@kernel
def a_dot_is_free(s, rules):
    return rules.n_dots > s.hawks_out


@kernel
def list_dots(s, rules, choices, number, left):
    """The free dots but the one that the hawk left. Returns how many actions there are now."""
    for index in range(rules.n_dots):
        dot = np.int64(rules.dots[index])
        if dot != left and is_free(s, rules, dot):
            choices.actions[number] = HAWK_TO + dot
            number += 1
    return number


@kernel
def list_hawks(s, choices, number, code):
    """An action for every hawk in the tree. Returns how many actions there are now."""
    for index in range(s.hawks_out):
        choices.actions[number] = code + s.hawks[index]
        number += 1
    return number


@kernel
def legal_hawks(s, rules, choices, number):
    """On a roll: a hawk from the supply to a free dot, or without one, a hawk in the tree to another (Hawks; B6)."""
    if s.hawk_supply:
        return list_dots(s, rules, choices, number, 0)
    return list_hawks(s, choices, number, LIFT_HAWK) if a_dot_is_free(s, rules) else number


@kernel
def put_hawk(s, dot):
    insert(s.hawks, np.int64(s.hawks_out), dot)
    s.hawks_out += 1
    threaten(s, dot, 1)


@kernel
def take_hawk(s, dot):
    """A hawk leaves its dot, and its threat with it (B6)."""
    remove(s.hawks, np.int64(s.hawks_out), dot)
    s.hawks_out -= 1
    threaten(s, dot, -1)


@kernel
def land_hawk(s, dot):
    """All birds on the corners are lifted before the first of them moves (Hawks; B12)."""
    put_hawk(s, dot)
    for corner in CORNERS:
        spot = dot + corner
        piece = np.int64(s.on[spot])
        if is_bird(piece) or piece == CROW:
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
            if s.scattered_piece[index] == bird_of(seat):
                return bird_of(seat)
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
