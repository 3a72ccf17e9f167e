"""What landing, sliding, displacing and flying bring."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.cards import cell, reach
from flocksim.simulate.games.four_the_birds.pecking import can_fly_to, can_take, is_closed
from flocksim.simulate.games.four_the_birds.state import EMPTY, bird_of, is_bird

from .sketch import sight, way, worth
from .weights import DISPLACED, FLOWN_OFF


@kernel
def land_value(s, rules, sketch, weights, piece, spot):
    """A piece lands on a spot; on a threatened one it slides on to the best (Hawks, Note)."""
    if s.threat[spot] == 0:
        return settle_value(s, rules, sketch, weights, piece, spot)
    best = -np.inf
    for step in range(8):
        if (rules.branches[spot] >> step) & 1:
            near = spot + way(step)
            if s.threat[near] == 0 and (sketch.seen[near] == 0 or can_take(s, piece, near)):
                best = max(best, settle_value(s, rules, sketch, weights, piece, near))
    return best


@kernel
def settle_value(s, rules, sketch, weights, piece, spot):
    """A piece comes to stand on a spot, and the bird there is displaced or flies off.

    What left another spot is off the sketch already.
    """
    value = worth(s, rules, sketch, piece, spot)
    other, here = np.int64(s.on[spot]), sketch.seen[spot]
    if here == 0 or not is_bird(other):
        return value
    sketch.seen[spot] = sight(piece)
    moved = best_way(s, rules, sketch, other, spot)
    sketch.seen[spot] = here
    sign = -1.0 if other == bird_of(s.seat) else 1.0
    if moved == -np.inf:
        moved = sign * weights[FLOWN_OFF]
    if sign > 0.0:
        moved += weights[DISPLACED]
    return value + moved - worth(s, rules, sketch, other, spot)


@kernel
def best_way(s, rules, sketch, piece, spot):
    """What a displaced bird is worth where its owner slides it to, or minus infinity if it has no way."""
    best, sign = -np.inf, 1.0 if piece == bird_of(s.seat) else -1.0
    for step in range(8):
        if (rules.branches[spot] >> step) & 1:
            near = spot + way(step)
            if s.threat[near] == 0 and (sketch.seen[near] == 0 or can_take(s, piece, near)) and not is_closed(s, near):
                best = max(best, sign * worth(s, rules, sketch, piece, near))
    return best if best == -np.inf else sign * best


@kernel
def best_flight(s, rules, sketch, weights, spot, steps, floor):
    """The best that moving the bird on the spot brings, exact if that is more than
    `floor`, as far as `hope` can tell."""
    piece = np.int64(s.on[spot])
    here = sketch.seen[spot]
    left = worth(s, rules, sketch, piece, spot)
    cells = reach(s, rules, spot, steps)
    best = -np.inf
    sketch.seen[spot] = 0
    for bit in range(25):
        if (cells >> bit) & 1:
            goal = cell(spot, bit)
            if hope(s, sketch, weights, goal) - left > max(best, floor) and can_fly_to(s, rules, piece, goal, spot):
                best = max(best, land_value(s, rules, sketch, weights, piece, goal) - left)
    sketch.seen[spot] = here
    return best


@kernel
def hope(s, sketch, weights, spot):
    """About the most that an own bird's landing on a spot could bring."""
    piece = np.int64(s.on[spot])
    if piece == EMPTY:
        return sketch.mine[spot] + sketch.hope[spot] + sketch.block[spot]
    if piece == bird_of(s.seat):
        return sketch.own[0, 4] if sketch.own_hot else -np.inf
    return sketch.mine[spot] + sketch.theirs[spot] + weights[DISPLACED] + weights[FLOWN_OFF]
