"""Landing, sliding and displacing (Pecking Order, Bird Movement). Sections are cited by name, rulings as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .state import (
    BIRDS_DISPLACED,
    CROW,
    DISPLACE,
    DISPLACE_TO,
    DONE_WITH,
    EMPTY,
    NOBODY,
    NOWHERE,
    SLIDE,
    SLIDE_TO,
    ask,
    fly_off,
    is_bird,
    put,
    take,
)

STEPS = np.array([-12, -11, -10, -1, 1, 10, 11, 12])
"""From a cell to its eight neighbours, in board order; bit d of a spot's `branches` is the branch along STEPS[d]."""


# --- who may stand where ---


@kernel
def outranks(s, piece, other):
    """Crows all birds, a bird those of the player to its left and its own (Pecking Order; B7)."""
    if piece == CROW:
        return is_bird(other)
    left = piece + 1 if piece < s.players else 1
    return other in (piece, left)


@kernel
def can_take(s, piece, spot):
    """Whether a spot is empty or held by a bird that the piece may displace (B8, B15)."""
    other = np.int64(s.on[spot])
    return other == EMPTY or outranks(s, piece, other)


@kernel
def is_closed(s, spot):
    """Whether the chain at hand has entered the spot already (B10)."""
    found = False
    for index in range(s.n_closed):
        found |= s.closed[index] == spot
    return found


@kernel
def is_way(s, piece, spot, left):
    """Whether a piece that left `left` may slide to this neighbour: no hawk may threaten it either (Hawks; B8)."""
    return s.threat[spot] == 0 and (spot == left or can_take(s, piece, spot)) and not is_closed(s, spot)


@kernel
def has_way(s, rules, piece, spot, left):
    """Whether a piece can slide away from a spot. It stood on `left` before, which is empty now."""
    ways, step = np.int64(rules.branches[spot]), 0
    while ways:
        if ways & 1 and is_way(s, piece, spot + STEPS[step], left):
            return True
        ways >>= 1
        step += 1
    return False


@kernel
def can_land(s, rules, piece, spot, left):
    """Whether a piece that left `left` (NOWHERE if it comes from the reserve) can land on a spot by a roll.

    On a threatened spot it needs a way to slide on (Hawks, Note; B13).
    """
    if spot == left or not can_take(s, piece, spot):
        return False
    return s.threat[spot] == 0 or has_way(s, rules, piece, spot, left)


@kernel
def can_fly_to(s, rules, piece, spot, left):
    """Whether a card can bring a piece to a spot: not to a threatened one, unless the rules allow it (B14)."""
    return can_land(s, rules, piece, spot, left) and (s.threat[spot] == 0 or rules.cards_onto_threat == 1)


# --- moving there ---


@kernel
def close(s, spot):
    s.closed[s.n_closed] = spot
    s.n_closed += 1


@kernel
def land(s, rules, piece, spot):
    """A piece lands where it may: to stay, or on a threatened spot to slide on (Hawks, Note; B13)."""
    if s.threat[spot] == 0:
        enter(s, rules, piece, spot)
        return
    close(s, spot)
    s.moving = piece
    s.moving_from = spot
    ask(s, s.active, SLIDE)


@kernel
def enter(s, rules, piece, spot):
    """A piece comes to stand on a spot, whose bird must go on (Pecking Order)."""
    other = np.int64(s.on[spot])
    if other != EMPTY:
        take(s, other, spot)
    put(s, piece, spot)
    close(s, spot)
    if other == EMPTY:
        end_chain(s)
    else:
        s.counters[other - 1, BIRDS_DISPLACED] += 1
        displace(s, rules, other, spot)


@kernel
def displace(s, rules, piece, spot):
    """A piece must leave a spot: its owner chooses where to, or it flies away (Bird Movement; B9, B11)."""
    if has_way(s, rules, piece, spot, NOWHERE):
        s.moving = piece
        s.moving_from = spot
        ask(s, s.active if piece == CROW else piece - 1, DISPLACE)
    else:
        fly_off(s, piece)
        end_chain(s)


@kernel
def end_chain(s):
    s.n_closed = 0
    s.kind = DONE_WITH


@kernel
def legal_ways(s, rules, choices):
    """Where the moving piece can slide."""
    code = SLIDE_TO if s.kind == SLIDE else DISPLACE_TO
    ways, step, number = np.int64(rules.branches[s.moving_from]), 0, 0
    while ways:
        near = s.moving_from + STEPS[step]
        if ways & 1 and is_way(s, s.moving, near, NOWHERE):
            choices.actions[number] = code + near
            number += 1
        ways >>= 1
        step += 1
    choices.count = number


@kernel
def slide(s, rules, spot):
    """The moving piece slides to a spot."""
    piece = s.moving
    s.moving = NOBODY
    s.moving_from = NOWHERE
    enter(s, rules, piece, spot)
