"""What landing, sliding, displacing and flying bring."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.cards import reach
from flocksim.simulate.games.four_the_birds.pecking import STEPS, can_land, can_take
from flocksim.simulate.games.four_the_birds.state import CROW, EMPTY, WIDTH

from .sketch import enqueue, put, second_to_come, sight, worth
from .weights import DISPLACED, FLOWN_OFF


@kernel
def land_value(s, rules, sketch, weights, piece, spot):
    """A piece lands on a spot; on a threatened one it slides on to the best (Hawks, Note)."""
    if s.threat[spot] == 0:
        return settle_value(s, rules, sketch, weights, piece, spot)
    best, ways, step = -np.inf, np.int64(rules.branches[spot]), 0
    while ways:
        near = spot + STEPS[step]
        if ways & 1 and is_open(s, sketch, piece, near):
            best = max(best, settle_value(s, rules, sketch, weights, piece, near))
        ways >>= 1
        step += 1
    return best


@kernel
def is_open(s, sketch, piece, spot):
    """Whether a piece could slide there (B8, B10). What left another spot is off the sketch already."""
    found = s.threat[spot] == 0 and (sketch.seen[spot] == 0 or can_take(s, piece, spot))
    for index in range(s.n_closed):
        found &= s.closed[index] != spot
    return found


@kernel
def settle_value(s, rules, sketch, weights, piece, spot):
    """A piece comes to stand on a spot, and the bird there is displaced or flies off."""
    value = worth(s, rules, sketch, piece, spot)
    other, here = np.int64(s.on[spot]), np.int64(sketch.seen[spot])
    if here == 0 or other >= CROW:
        return value
    put(sketch, spot, sight(piece))
    moved = best_way(s, rules, sketch, other, spot)
    put(sketch, spot, here)
    sign = -1.0 if other == s.seat + 1 else 1.0
    if moved == -np.inf:
        moved = sign * weights[FLOWN_OFF]
    if sign > 0.0:
        moved += weights[DISPLACED]
    return value + moved - worth(s, rules, sketch, other, spot)


@kernel
def best_way(s, rules, sketch, piece, spot):
    """What a displaced piece is worth where its owner slides it to, or minus infinity if it has no way.

    Birds of the same owner may pass the push on: all of them move up one, and the last one slides to where it is best.
    """
    best, sign, chain = -np.inf, 1.0 if piece == s.seat + 1 else -1.0, sketch.chain
    chain[0], length, at = spot, 1, 0
    while at < length:
        ways, step = np.int64(rules.branches[chain[at]]), 0
        while ways:
            near = chain[at] + STEPS[step]
            if ways & 1 and is_open(s, sketch, piece, near):
                if piece != CROW and sketch.seen[near] == sight(piece):
                    length = enqueue(chain, length, near)
                else:
                    best = max(best, sign * worth(s, rules, sketch, piece, near))
            ways >>= 1
            step += 1
        at += 1
    return best if best == -np.inf else sign * best


@kernel
def best_flight(s, rules, sketch, weights, spot, card, floor):
    """The best that the card could do with the bird on the spot.

    Exact if that is more than `floor`, as far as `hope` can tell.
    """
    piece, here = np.int64(s.on[spot]), np.int64(sketch.seen[spot])
    cells, bit, best, left = reach(s, rules, spot, card), 0, -np.inf, worth(s, rules, sketch, piece, spot)
    put(sketch, spot, 0)
    while cells:
        goal = spot + WIDTH * (bit // 5 - 2) + bit % 5 - 2
        promising = cells & 1 and hope(s, sketch, weights, goal) - left > max(best, floor)
        if promising and can_land(s, rules, piece, goal, spot, True):
            best = max(best, land_value(s, rules, sketch, weights, piece, goal) - left)
        cells >>= 1
        bit += 1
    put(sketch, spot, here)
    return best


@kernel
def hope(s, sketch, weights, spot):
    """About the most that an own bird's landing on a spot could bring."""
    piece = np.int64(s.on[spot])
    if piece == EMPTY:
        return sketch.mine[spot] + sketch.hope[spot] + sketch.block[spot]
    if piece == s.seat + 1:
        return sketch.own[0, 4] if sketch.own_hot or second_to_come(s) else -np.inf
    return sketch.mine[spot] + sketch.theirs[spot] + weights[DISPLACED] + weights[FLOWN_OFF]
