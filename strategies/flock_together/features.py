"""How the shipped bots of Flock Together choose: the best weighted sum of features.

A bot is its weights, one for each of the FEATURES (weights.py); bots.yaml holds the shipped bots. Each sees
what the seat may see: its own hand, all that lies open, how many cards each hand holds, and which cards
everybody saw enter a hand. Every number they compare with comes from the rules.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock_together.rules import DRAW, FLY_NONE, FLY_SPECIES, PLAY

from ..choosing import better
from .flights import draw_score, fly_score
from .plays import Plan, weigh_plays
from .weights import FEATURES

__all__ = ["FEATURES", "choose"]


@kernel
def choose(s, rules, choices, weights):
    """The index of the choice that scores best. Of k equal ones, the bot's own stream picks one."""
    if s.kind == PLAY:
        return choose_play(s, rules, choices, weights, np.empty(1, Plan))
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        action = np.int64(choices.actions[index])
        if s.kind == DRAW:
            score = draw_score(s, rules, action, weights)
        elif action == FLY_NONE:
            score = 0.0
        else:
            score = fly_score(s, rules, action - FLY_SPECIES, weights)
        chosen, best, ties = better(s, index, score, chosen, best, ties)
    return chosen


@kernel
def choose_play(s, rules, choices, weights, room):
    """room: scratch paper that the caller keeps alive, which a record alone does not."""
    plan = room[0]
    weigh_plays(s, rules, weights, plan)
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        score = plan.score[np.uint64(choices.actions[index])]
        chosen, best, ties = better(s, index, score, chosen, best, ties)
    return chosen
