"""How the shipped bots of Flockers choose: the best weighted sum of features.

A bot is its weights, one for each of the FEATURES (weights.py); bots.yaml holds the shipped bots. Each sees what the
seat may see: its own hand, the displays, the path and all flocks. It sketches what each choice may lead to within its
turn, by the rules in play (outcomes.py), weighs where that leaves it (outlook.py), and takes each choice for the best
that may come of it.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flockers.state import DRAW, PLAY, REPLENISH, SHAPE, TAKE

from ..choosing import better
from .hands import keep_worth, take_worth
from .outcomes import list_outcomes
from .outlook import value
from .sketches import FIRST, NOW, sketch_now
from .weights import BLIND_DRAW, EVEN_ROWS, FEATURES, NEXT_USE

__all__ = ["FEATURES", "choose"]


@kernel
def choose(s, rules, choices, weights):
    """The index of the choice that scores best. Of k equal ones, the bot's own stream picks one."""
    if choices.count == 1:
        return 0
    desk = sketch_now(s, rules)
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        action = np.int64(choices.actions[index])
        score = by_itself(s, rules, weights, desk, action)
        if s.kind != SHAPE and (s.kind != REPLENISH or weights[NEXT_USE] != 0.0):
            most = -np.inf
            for outcome in range(FIRST, list_outcomes(s, rules, desk, action)):
                most = max(most, value(s, rules, weights, desk[outcome]))
            score += weights[NEXT_USE] * most if s.kind == REPLENISH else most
        chosen, best, ties = better(s, index, score, chosen, best, ties)
    return chosen


@kernel
def by_itself(s, rules, weights, desk, action):
    """What a choice scores apart from its outcomes."""
    if s.kind == PLAY:
        return -keep_worth(s, rules, weights, action // 3)
    if s.kind == REPLENISH:
        return weights[BLIND_DRAW] if action == DRAW else take_worth(s, rules, weights, action - TAKE, desk[NOW])
    if s.kind == SHAPE:
        top, bottom = action >> 2 & 3, action & 3
        return weights[EVEN_ROWS] * (1.0 - abs(top - bottom) / max(1, top + bottom))
    return 0.0
