"""What the choices of a turn score: birds, crows, hawks and tokens."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.dice import rolled_spots
from flocksim.simulate.games.four_the_birds.pecking import can_land
from flocksim.simulate.games.four_the_birds.state import CORNERS, CROW, EMPTY, FLOCK, HAWK, NOWHERE, SPECIAL, WIDTH

from .moves import land_value
from .sketch import WALL, is_in, is_near, put, worth
from .weights import DISPLACED, FLOWN_OFF

ONE_OF_FOUR = 0.6
"""How much each corner of a hawk counts: shapes reach over several of them."""
LIKELY = 0.5
"""How sure it is that scattered birds find where they complete a flock."""


# --- birds ---


@kernel
def relocation_value(s, rules, sketch, weights, spot):
    """An own bird moves to the better one of the rolled spots."""
    bird = s.seat + 1
    left, best = worth(s, rules, sketch, bird, spot), -np.inf
    here = np.int64(sketch.seen[spot])
    put(sketch, spot, 0)
    first, second = rolled_spots(s)
    if spot != first and can_land(s, rules, bird, first, NOWHERE, False):
        best = land_value(s, rules, sketch, weights, bird, first)
    if second not in (spot, first) and can_land(s, rules, bird, second, NOWHERE, False):
        best = max(best, land_value(s, rules, sketch, weights, bird, second))
    put(sketch, spot, here)
    return best - left


# --- crows ---


@kernel
def crow_value(s, rules, sketch, weights, spot, floor):
    """A crow lands on a spot. Exact where it may be more than `floor`."""
    piece = np.int64(s.on[spot])
    if s.threat[spot] == 0:
        if piece == EMPTY:
            return sketch.wall[spot]
        own = piece == s.seat + 1
        most = sketch.wall[spot] + (0.0 if own else weights[DISPLACED] + weights[FLOWN_OFF])
        if most <= floor and not (own and sketch.own_hot):
            return most
    return land_value(s, rules, sketch, weights, CROW, spot)


@kernel
def best_crow(s, rules, sketch, weights, by_card, floor):
    """The best that a crow could do, from the supply. Exact if that is more than `floor`."""
    best = -np.inf
    if by_card and not sketch.own_hot and sketch.most_wall + weights[DISPLACED] + weights[FLOWN_OFF] <= floor:
        return floor
    for index in range(rules.n_spots):
        spot = np.int64(rules.spots[index])
        is_meant = by_card or s.brown in (SPECIAL, spot // WIDTH, spot % WIDTH)
        if is_meant and s.threat[spot] == 0 and s.on[spot] < CROW:
            best = max(best, crow_value(s, rules, sketch, weights, spot, max(best, floor)))
    return best


# --- hawks ---


@kernel
def hawk_value(s, rules, sketch, weights, dot):
    """A hawk comes to a dot: whose shapes it spoils, whom it scatters, and what they may find."""
    value = 0.0
    for corner in range(4):
        spot = dot + CORNERS[corner]
        if sketch.seen[spot] < WALL:
            value += ONE_OF_FOUR * sketch.wall[spot]
            if sketch.seen[spot] and s.on[spot] != s.seat + 1:
                value += weights[DISPLACED]
    for index in range(sketch.n_hot):
        if scatters_into(s, rules, sketch, dot, index):
            own = sketch.hot_seat[index] == s.seat
            value += LIKELY * (sketch.own[0, 4] if own else -sketch.rival[4])
    return value


@kernel
def scatters_into(s, rules, sketch, dot, index):
    """Whether a hawk on the dot would send the bird that a shape lacks next door to where it lacks."""
    seat, spot = sketch.hot_seat[index], sketch.hot_spot[index]
    first, shape = sketch.hot_first[index], sketch.hot_shape[index]
    found = False
    for corner in range(4):
        bird = dot + CORNERS[corner]
        if is_in(first, shape, bird):
            return False
        found |= sketch.seen[spot] == 0 and s.on[bird] == seat + 1 and is_near(s, rules, bird, spot, FLOCK)
    return found


@kernel
def hawk_now(s, sketch, dot):
    """What a hawk in the tree spoils."""
    value = 0.0
    for corner in range(4):
        spot = dot + CORNERS[corner]
        if s.threat[spot] == 1 and s.on[spot] == EMPTY:
            value += ONE_OF_FOUR * sketch.wall[spot]
    return value


@kernel
def best_hawk(s, rules, sketch, weights, floor):
    """The best that a hawk could do on a free dot. Exact if that is more than `floor`."""
    best = -np.inf
    if sketch.own_hot == 0 and 4.0 * (ONE_OF_FOUR * sketch.most_wall + weights[DISPLACED]) <= floor:
        return floor
    for index in range(rules.n_dots):
        dot = np.int64(rules.dots[index])
        is_free = True
        for hawk in range(s.on_board[HAWK - 1]):
            is_free &= s.spots[HAWK - 1, hawk] != dot
        if is_free:
            best = max(best, hawk_value(s, rules, sketch, weights, dot))
    return best
