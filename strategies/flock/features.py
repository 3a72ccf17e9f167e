"""How the shipped bots of Flock choose: the best weighted sum of features.

A bot is its weights, one for each of the FEATURES (weights.py); bots.yaml holds the shipped bots. Everything in
Flock is public, so a bot sees it all. Every number that it compares with comes from the rules.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock.state import (
    ACT,
    DEFER,
    GIVE_UP,
    LET_GO,
    PAY_FOR,
    PERFORM,
    RELOCATE,
    SEND_HOME,
    SPREAD,
)
from flocksim.simulate.streams import unit

from ..choosing import better
from .acts import act_score
from .steps import (
    Spread,
    defer_score,
    loss_score,
    pay_score,
    perform_score,
    plan_spread,
    return_score,
    spread_score,
)
from .weights import FEATURES, WHIM

__all__ = ["FEATURES", "choose"]


@kernel
def choose(s, rules, choices, weights):
    """The index of the choice that scores best. Of k equal ones, the bot's own stream picks one."""
    if s.kind == RELOCATE:
        return choose_spread(s, rules, choices, weights, np.empty(1, Spread))
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        value = score(s, rules, np.int64(choices.actions[index]), weights)
        chosen, best, ties = better(s, index, value + whim(s, weights), chosen, best, ties)
    return chosen


@kernel
def score(s, rules, action, weights):
    """What a choice scores in any decision but a relocation."""
    if s.kind == ACT:
        return act_score(s, rules, action, weights)
    if s.kind == PERFORM:
        return perform_score(s, rules, action, weights)
    if s.kind == DEFER:
        return defer_score(s, rules, action, weights)
    if s.kind == SEND_HOME:
        return return_score(s, rules, action, weights)
    if s.kind == GIVE_UP:
        return loss_score(s, rules, (action - LET_GO) % 16, weights)
    return pay_score(s, rules, action - PAY_FOR, weights)


@kernel
def choose_spread(s, rules, choices, weights, room):
    """room: scratch paper that the caller keeps alive, which a record alone does not."""
    plan = room[0]
    plan_spread(s, rules, weights, plan)
    chosen, best, ties = 0, -np.inf, 0
    for index in range(choices.count):
        number = (np.int64(choices.actions[index]) - SPREAD) % 16
        value = spread_score(s, rules, plan, number)
        chosen, best, ties = better(s, index, value + whim(s, weights), chosen, best, ties)
    return chosen


@kernel
def whim(s, weights):
    """A random amount; nothing is drawn where the weight is 0."""
    return weights[WHIM] * unit(s.streams, s.bot_stream[s.seat]) if weights[WHIM] != 0.0 else 0.0
