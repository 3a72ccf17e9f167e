"""Flocks: squares and straight lines of four (How To Win). Rulings are cited as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .state import CELLS, NOWHERE

SQUARE, ACROSS, DOWN_LEFT, DOWN, DOWN_RIGHT = range(5)
SHAPES = ("square", "line across", "line down left", "line down", "line down right")
OFFSETS = np.array([[1, 11, 12], [1, 2, 3], [10, 20, 30], [11, 22, 33], [12, 24, 36]])
"""From the first spot of a shape, in board order, to its others. Bit k of a spot's `shapes` is the shape along
OFFSETS[k] that begins there, if it is one that wins: four spots in play, those of a line joined by branches (B2)."""


@kernel
def stands(s, piece, spot, shape):
    """Whether birds like the one on the shape's first spot hold the others, too."""
    held = 0
    for other in range(3):
        held += s.on[spot + OFFSETS[shape, other]] == piece
    return held == 3


@kernel
def find_flock(s, rules, seat):
    """A seat's flock as (first spot, shape), or (NOWHERE, 0): squares before lines, each in board order."""
    birds = np.int64(s.on_board[seat])
    if birds < 4:
        return NOWHERE, SQUARE
    for index in range(birds - 3):
        spot = np.int64(s.spots[seat, index])
        if rules.shapes[spot] & 1 and stands(s, seat + 1, spot, SQUARE):
            return spot, SQUARE
    for index in range(birds - 3):
        spot = np.int64(s.spots[seat, index])
        shapes, shape = np.int64(rules.shapes[spot]) >> ACROSS, ACROSS
        while shapes:
            if shapes & 1 and stands(s, seat + 1, spot, shape):
                return spot, shape
            shapes >>= 1
            shape += 1
    return NOWHERE, SQUARE


@kernel
def standings(s, rules, now):
    """Most birds of each seat on the four spots of one square or line."""
    now[:] = 0
    for spot in range(CELLS):
        shapes, shape = np.int64(rules.shapes[spot]), SQUARE
        while shapes:
            if shapes & 1:
                for seat in range(s.players):
                    now[seat] = max(now[seat], birds_on(s, seat + 1, spot, shape))
            shapes >>= 1
            shape += 1


@kernel
def birds_on(s, piece, spot, shape):
    """How many of a shape's four spots birds like this one hold."""
    held = np.int64(s.on[spot] == piece)
    for other in range(3):
        held += s.on[spot + OFFSETS[shape, other]] == piece
    return held
