"""What cards are worth in the hand, kept or taken."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flockers.automa import automa_reach
from flocksim.simulate.games.flockers.state import FLY, GRAZE, NO_ACTION

from .outlook import most_kin
from .sketches import birds_of, geese_in
from .weights import GRAZE_READY, KEEP_FLY, KIN, SLOW_AUTOMA


@kernel
def keep_worth(s, rules, weights, card):
    """What a card is worth in the hand, kept or taken: half as much for each other one of its action."""
    action = rules.main[card]
    if action == NO_ACTION:
        return 0.0
    worth = weights[KEEP_FLY + action - FLY]
    for at in range(s.held[s.seat]):
        other = s.hand[s.seat, at]
        if other != card and rules.main[other] == action:
            worth *= 0.5
    return worth


@kernel
def take_worth(s, rules, weights, card, k):
    """What a card adds to the hand, apart from its use next turn."""
    worth, geese = keep_worth(s, rules, weights, card), geese_in(rules, k.flock)
    alike = geese >> 8 * np.int64(rules.goose[card]) & 255
    if alike and alike == most_kin(geese):
        worth += weights[KIN]
    if rules.main[card] == GRAZE and k.grazes == 0:
        worth += weights[GRAZE_READY] / (1 + rules.flock_size - birds_of(geese))
    if s.players == 1 and weights[SLOW_AUTOMA] != 0.0:
        worth += weights[SLOW_AUTOMA] * automa_slowed(s, rules, card)
    return worth


@kernel
def automa_slowed(s, rules, card):
    """Cards by which the automa's next flight is shorter without that card on display."""
    most, rest = 0, 0
    for slot in range(s.shown_count):
        reach = automa_reach(s, rules, s.shown[slot])
        most = max(most, reach)
        if s.shown[slot] != card:
            rest = max(rest, reach)
    return most - rest
