"""What placing a bird and activating a card score."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock.rules import birds_competing, threshold
from flocksim.simulate.games.flock.state import ACTIVATE, COMPETITION, NOBODY, PASS, in_play

from .forecast import margin
from .positions import card_worth, most_kept, pool_worth, urgency, work, worth_now
from .weights import (
    ALL_LOST,
    BIRDS_LOST,
    COMPETITION_BIRD,
    COMPETITION_LATE,
    COMPETITION_WHEN_AHEAD,
    END_GAME_AHEAD,
    END_ROUND,
    END_ROUND_AHEAD,
    OPPONENTS_WORK,
    RELOCATION_AHEAD,
    TOO_FEW_LEFT,
    WORK_AHEAD,
)


@kernel
def act_score(s, rules, action, weights):
    if action == PASS:
        return 0.0
    if action == COMPETITION:
        return commit_score(s, rules, weights)
    if action == ACTIVATE + COMPETITION:
        return end_score(s, rules, weights)
    if action < ACTIVATE:
        return place_score(s, rules, action, weights)
    return activate_score(s, rules, action - ACTIVATE, weights)


@kernel
def place_score(s, rules, card, weights):
    """A bird from the pool on a card."""
    points = move_in(s, rules, card, 1, NOBODY, weights) - pool_worth(rules, weights)
    return urgency(s, rules, weights) * points + work_in(s, rules, card, 1, weights)


@kernel
def move_in(s, rules, card, number, victim, weights):
    """What so many birds more are worth in points on a card, a victim's bird sent home."""
    birds = np.int64(s.birds[s.flock, card]) + number
    return card_worth(s, rules, weights, card, birds, victim) - worth_now(s, rules, weights, card)


@kernel
def work_in(s, rules, card, number, weights):
    """What so many birds more (or fewer) mean for the work to be done on a card."""
    here = np.int64(s.birds[s.flock, card])
    more = work(s, rules, weights, card, here + number) - work(s, rules, weights, card, here)
    return weights[WORK_AHEAD] * more


@kernel
def activate_score(s, rules, card, weights):
    """Every bird on the card acts and comes home."""
    here = np.int64(s.birds[s.flock, card])
    points = here * pool_worth(rules, weights) - worth_now(s, rules, weights, card)
    score = urgency(s, rules, weights) * points
    score += (1.0 - weights[WORK_AHEAD]) * work(s, rules, weights, card, here)
    return score + weights[OPPONENTS_WORK] * opponents_on(s, rules, card) / (s.players - 1)


@kernel
def opponents_on(s, rules, card):
    birds = 0
    for flock in range(s.flocks):
        if flock >> (rules.flocks_per_player - 1) != s.seat:
            birds += s.birds[flock, card]
    return birds


# --- Competition ---


@kernel
def commit_score(s, rules, weights):
    """A bird from the pool on Competition."""
    full = min(1.0, (birds_competing(s) + 1) / threshold(s, rules))
    ahead = margin(s, rules, 1)
    points = -pool_worth(rules, weights)
    if weights[RELOCATION_AHEAD] != 0.0:
        points += weights[RELOCATION_AHEAD] * (ahead - margin(s, rules, 0))
    score = weights[COMPETITION_BIRD] + urgency(s, rules, weights) * points
    score += weights[COMPETITION_LATE] * lateness(s) + weights[BIRDS_LOST] * full * birds_lost(s, rules)
    score += weights[COMPETITION_WHEN_AHEAD] * full * ahead
    left = in_play(s, rules, s.flock) - np.int64(s.birds[s.flock, COMPETITION]) - 1
    if birds_competing(s) + 1 + left < threshold(s, rules):
        score += weights[TOO_FEW_LEFT] * max(0, 2 - left)
    if full == 1.0:
        score += weights[ALL_LOST] * all_lost(s, rules)
    return score


@kernel
def birds_lost(s, rules):
    """The own birds that upkeep would cost now."""
    return max(0, in_play(s, rules, s.flock) - most_kept(s, rules, s.flock))


@kernel
def end_score(s, rules, weights):
    """The round ends."""
    ahead = margin(s, rules, 0)
    score = weights[END_ROUND] + weights[END_ROUND_AHEAD] * ahead + weights[COMPETITION_LATE] * lateness(s)
    score += weights[BIRDS_LOST] * birds_lost(s, rules)
    if s.rounds >= rules.rounds:
        score += weights[END_GAME_AHEAD] * np.sign(ahead)
    return score + weights[ALL_LOST] * all_lost(s, rules)


@kernel
def all_lost(s, rules):
    """Whether the flock could not go on after this round."""
    return s.rounds < rules.rounds and most_kept(s, rules, s.flock) == 0


@kernel
def lateness(s):
    """The square of the turns a player and round so far, in tens."""
    tens = s.turns / (10.0 * s.players * s.rounds)
    return tens * tens
