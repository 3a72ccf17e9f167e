"""How the shipped bots of 4 the Birds choose: the best weighted sum of features.

A bot is its weights, one for each of the FEATURES (weights.py); bots.yaml holds the shipped bots. Everything in 4 the
Birds is public but the dice to come, so a bot sees it all. Spots, branches, shapes, birds and cards are those of the
rules.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.state import (
    CROW_TO,
    DISPLACE,
    DONE,
    FLY,
    FLY_TO,
    HAWK_TO,
    LIFT,
    LIFT_CROW,
    LIFT_HAWK,
    MOCKING,
    PECK,
    PLACE,
    PLAY,
    REMOVE_HAWK,
    SCATTER,
    SCATTERED,
    SLIDE,
    TOKEN_ON,
    TURN,
)
from flocksim.simulate.streams import unit

from ..choosing import better
from .hand import card_value, peck_gain
from .moves import best_flight, best_way, land_value, settle_value
from .scan import scan
from .sketch import Sketch, draw
from .turns import best_crow, best_hawk, crow_value, hawk_now, hawk_value, relocation_value
from .weights import BIRD_OUT, CROW_OUT, FEATURES, HAWK_OUT, TOKEN_OUT, WHIM

__all__ = ["FEATURES", "choose"]


@kernel
def choose(s, rules, choices, weights):
    """The index of the choice that scores best. Of k equal ones, the bot's own stream picks one."""
    return pick(s, rules, choices, weights, np.empty(1, Sketch))


@kernel
def pick(s, rules, choices, weights, sketches):
    """`sketches`: room for one; whoever calls keeps it alive."""
    sketch = sketches[0]
    draw(s, rules, sketch, weights)
    if s.kind not in (SLIDE, DISPLACE, FLY, SCATTER):
        scan(s, rules, sketch)
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        action = np.int64(choices.actions[index])
        value = score(s, rules, sketch, weights, action, best - weights[WHIM])
        if weights[WHIM] != 0.0:
            value += weights[WHIM] * unit(s.streams, s.bot_stream[s.seat])
        chosen, best, ties = better(s, index, value, chosen, best, ties)
    return chosen


@kernel
def score(s, rules, sketch, weights, action, floor):
    """What a choice scores. Where that is no more than `floor` it may be anything from there down."""
    place = action & 127
    verb = action - place
    if verb == PLAY:
        return card_value(s, rules, sketch, weights, place, floor)
    if verb in (CROW_TO, LIFT_CROW):
        return crow_score(s, rules, sketch, weights, verb, place, floor)
    if verb in (HAWK_TO, LIFT_HAWK, REMOVE_HAWK):
        return hawk_score(s, rules, sketch, weights, verb, place, floor)
    if verb in (TOKEN_ON, DONE):
        return weights[TOKEN_OUT] + sketch.wall[place] if verb == TOKEN_ON else 0.0
    return bird_score(s, rules, sketch, weights, verb, place, floor)


@kernel
def crow_score(s, rules, sketch, weights, verb, spot, floor):
    value = weights[CROW_OUT] if s.kind == TURN else 0.0
    if verb == CROW_TO:
        return value + crow_value(s, rules, sketch, weights, spot, floor - value)
    value -= sketch.wall[spot]
    if s.kind == MOCKING and spot == sketch.mock_spot:
        return sketch.own[0, 4]
    return value + best_crow(s, rules, sketch, weights, s.kind == MOCKING, floor - value)


@kernel
def hawk_score(s, rules, sketch, weights, verb, dot, floor):
    value = weights[HAWK_OUT] if s.kind == TURN else 0.0
    if verb == HAWK_TO:
        return value + hawk_value(s, rules, sketch, weights, dot)
    value -= hawk_now(s, sketch, dot)
    return value + best_hawk(s, rules, sketch, weights, floor - value) if verb == LIFT_HAWK else value


@kernel
def scattered_piece(s, spot):
    """What a hawk lifted from the spot."""
    index = 0
    while s.scattered[index] != spot:
        index += 1
    return np.int64(s.scattered_piece[index])


@kernel
def bird_score(s, rules, sketch, weights, verb, spot, floor):
    """Birds placed, lifted, flown, sliding and scattering."""
    if verb in (PLACE, FLY_TO):
        piece = s.lifted_piece if verb == FLY_TO else np.int64(s.seat + 1)
        value = weights[BIRD_OUT] if s.kind == TURN else 0.0
        return value + land_value(s, rules, sketch, weights, piece, spot)
    if verb == SCATTERED:
        return best_way(s, rules, sketch, scattered_piece(s, spot), spot)
    if verb != LIFT:
        return settle_value(s, rules, sketch, weights, s.moving, spot)
    if s.kind == TURN:
        return relocation_value(s, rules, sketch, weights, spot)
    pecks = s.card == PECK
    return peck_gain(s, rules, sketch, spot) if pecks else best_flight(s, rules, sketch, weights, spot, s.card, floor)
