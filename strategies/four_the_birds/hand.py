"""What playing a card is worth: the best that it can do."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.state import (
    CROW,
    FLOCK,
    HAWK,
    MOCK,
    MOVE,
    NOWHERE,
    OTHERWISE,
    PECK,
    ROLL,
    SHOO,
)

from .moves import best_flight
from .sketch import flood, is_in, is_near
from .turns import best_crow, best_hawk, hawk_now
from .weights import BIRD_OUT, DISPLACED, FLOWN_OFF, KEEP_ROLL, NEW_ROLL


@kernel
def card_value(s, rules, sketch, weights, card, floor):
    """The best that the card can do, less what it is worth in hand. Exact if that is more than `floor`."""
    kept, value = weights[KEEP_ROLL + card], 0.0
    if card == ROLL:
        value = new_roll(s, rules, sketch, weights)
    elif card == SHOO:
        value = shoo_value(s, rules, sketch, weights, floor + kept)
    elif card == MOCK:
        value = mock_value(s, rules, sketch, weights, floor + kept)
    elif card == PECK:
        value = peck_value(s, rules, sketch)
    elif card == FLOCK and sketch.flock_wins:
        value = sketch.own[0, 4]
    else:
        value = flight_value(s, rules, sketch, weights, card, floor + kept)
    return value - kept


@kernel
def new_roll(s, rules, sketch, weights):
    """What an average spot would bring."""
    total = 0.0
    for index in range(rules.n_spots):
        spot = rules.spots[index]
        if sketch.seen[spot] == 0:
            total += sketch.mine[spot] + sketch.block[spot]
    total /= rules.n_spots
    if s.reserve[s.seat]:
        total += weights[BIRD_OUT]
    return weights[NEW_ROLL] * total


@kernel
def shoo_value(s, rules, sketch, weights, floor):
    """The hawk that is least use goes, to a better dot or away (B21)."""
    least = np.inf
    for index in range(s.on_board[HAWK - 1]):
        least = min(least, hawk_now(s, sketch, np.int64(s.spots[HAWK - 1, index])))
    best = 0.0 if rules.shoo[OTHERWISE] else -np.inf
    if rules.shoo[MOVE]:
        best = max(best, best_hawk(s, rules, sketch, weights, floor + least))
    return best - least


@kernel
def mock_value(s, rules, sketch, weights, floor):
    """A crow comes, or the one that is least use goes elsewhere (B22)."""
    if sketch.mock_spot and rules.mock[MOVE]:
        return sketch.own[0, 4]
    least = 0.0
    if rules.mock[OTHERWISE] == 0 or s.reserve[CROW - 1] == 0:
        least = np.inf
        for index in range(s.on_board[CROW - 1]):
            least = min(least, sketch.wall[s.spots[CROW - 1, index]])
    return best_crow(s, rules, sketch, weights, True, floor + least) - least


@kernel
def peck_value(s, rules, sketch):
    """The bird goes whose flock would hurt most, or the one that drives an own bird into a flock."""
    best = 0.0
    for seat in range(s.players):
        if seat != s.seat:
            for index in range(s.on_board[seat]):
                best = max(best, peck_gain(s, rules, sketch, np.int64(s.spots[seat, index])))
    return best


@kernel
def peck_gain(s, rules, sketch, spot):
    """What it brings that the bird on the spot goes elsewhere."""
    if sketch.own_hot and drives_into(s, rules, sketch, spot):
        return sketch.own[0, 4]
    return sketch.theirs[spot]


@kernel
def drives_into(s, rules, sketch, spot):
    """Whether the bird on the spot can displace an own bird that can slide to where an own shape lacks one."""
    right = np.int64(s.seat) if s.seat else s.players
    if s.on[spot] != right:
        return False
    for index in range(sketch.n_hot):
        if sketch.hot_seat[index] == s.seat and drives_to(s, rules, sketch, spot, index):
            return True
    return False


@kernel
def drives_to(s, rules, sketch, spot, index):
    """The same for one shape of the list. Where it lacks a bird, there may be that very one."""
    first, shape, goal = sketch.hot_first[index], sketch.hot_shape[index], sketch.hot_spot[index]
    if spot != goal and s.on[goal] == s.on[spot]:
        return False
    for at in range(1, flood(rules, sketch, np.int64(s.seat), goal, NOWHERE)):
        bird = sketch.queue[at]
        if not is_in(first, shape, bird) and is_near(s, rules, spot, bird, PECK):
            return True
    return False


@kernel
def flight_value(s, rules, sketch, weights, card, floor):
    """SWOOP's best flight, or FLOCK's two best ones. Exact if that is more than `floor`."""
    first, second = 0.0, 0.0
    most = sketch.most_hope + weights[DISPLACED] + weights[FLOWN_OFF]
    if not sketch.own_hot and (2.0 * most if card == FLOCK else most) <= floor:
        return floor
    for index in range(s.on_board[s.seat]):
        spot = np.int64(s.spots[s.seat, index])
        least = second if card == FLOCK else max(first, floor)
        value = best_flight(s, rules, sketch, weights, spot, card, least)
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
    return first + second if card == FLOCK else first
