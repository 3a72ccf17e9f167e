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
    put,
    take,
)

STEPS = np.array([-12, -11, -10, -1, 1, 10, 11, 12])
"""From a cell to its eight neighbours, in board order; bit d of a spot's `branches` is the branch along STEPS[d]."""


# --- who may stand where ---


@kernel
def can_take(s, piece, spot):
    """Whether a spot is empty, or its bird one that the piece may displace (Pecking Order; B7, B8, B15).

    Crows displace all birds, a bird those of the player to its left and its own.
    """
    other = np.int64(s.on[spot])
    if piece == CROW:
        return other < CROW
    return other in (EMPTY, piece, piece + 1 if piece < s.players else 1)


@kernel
def is_way(s, piece, spot, left):
    """Whether a piece that left `left` may slide to this neighbour (Hawks; B8, B10).

    No hawk may threaten it, and the chain at hand may not have entered it already.
    """
    is_open = s.threat[spot] == 0 and (spot == left or can_take(s, piece, spot))
    for index in range(s.n_closed):
        is_open &= s.closed[index] != spot
    return is_open


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
def can_land(s, rules, piece, spot, left, by_card):
    """Whether a piece that left `left` (NOWHERE if it comes from the reserve) can land on a spot.

    By a roll it may land on a threatened spot that it can slide on from (Hawks, Note; B13), by a card only if the
    rules allow it (B14).
    """
    if spot == left or not can_take(s, piece, spot):
        return False
    if s.threat[spot] == 0:
        return True
    return (not by_card or rules.cards_onto_threat == 1) and has_way(s, rules, piece, spot, left)


# --- moving there ---


@kernel
def land(s, rules, piece, spot):
    """A piece lands where it may: to stay, or on a threatened spot to slide on (Hawks, Note; B13)."""
    if s.threat[spot] == 0:
        enter(s, rules, piece, spot)
        return
    s.closed[0] = spot
    s.n_closed = 1
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
    s.closed[s.n_closed] = spot
    s.n_closed += 1
    if other != EMPTY:
        s.counters[other - 1, BIRDS_DISPLACED] += 1
        displace(s, rules, other, spot)
    else:
        s.n_closed = 0
        s.kind = DONE_WITH


@kernel
def displace(s, rules, piece, spot):
    """A piece must leave a spot: its owner chooses where to, or it flies away (Bird Movement; B9, B11)."""
    if has_way(s, rules, piece, spot, NOWHERE):
        s.moving = piece
        s.moving_from = spot
        ask(s, s.active if piece == CROW else piece - 1, DISPLACE)
    else:
        fly_off(s, piece)
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
