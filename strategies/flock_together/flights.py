"""What drawing, flying and emptying the hand score."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.counts import one, total
from flocksim.simulate.games.flock_together.rules import DRAW_NO, has_won

from .weights import (
    DRAW_WHEN_LOW,
    DRAWING,
    ENDS_ROUND,
    ENDS_ROUND_ON_FULL_HANDS,
    FLY_BEFORE_ROUND_ENDS,
    FLY_BIG,
    FLY_CARDS_GIVEN_UP,
    FLY_FULL_SET,
    FLY_NEARLY_BIG,
    FLY_NEW_SPECIES,
    FLY_SET_CARDS,
    FLY_WIN,
    FLYING,
)


@kernel
def draw_score(s, rules, action, weights):
    hand = total(s.hand_word[s.seat])
    if action == DRAW_NO:
        return ending_score(s, rules, weights) if hand == 0 else 0.0
    return weights[DRAWING] + weights[DRAW_WHEN_LOW] * max(0.0, 1.0 - hand / rules.hand_size)


@kernel
def ending_score(s, rules, weights):
    """An empty hand: the round ends, and the others lose their cards."""
    others = 0
    for seat in range(s.players):
        if seat != s.seat:
            others += total(s.hand_word[seat])
    full = others / ((s.players - 1) * rules.hand_size)
    return weights[ENDS_ROUND] + weights[ENDS_ROUND_ON_FULL_HANDS] * full


@kernel
def fly_score(s, rules, species, weights):
    """Flying a species: what the flock is worth, and what it does to the hand and the round."""
    shown = np.int64(s.hand[s.seat, species])
    smallest = 255
    for seat in range(s.players):
        if seat != s.seat:
            smallest = min(smallest, total(s.hand_word[seat]))
    score = flock_score(s, rules, species, shown, weights)
    score += weights[FLY_BEFORE_ROUND_ENDS] / max(1, smallest)
    if shown == total(s.hand_word[s.seat]):
        score += ending_score(s, rules, weights)
    return score


@kernel
def flock_score(s, rules, species, shown, weights):
    """What flying so many cards of a species is worth to the own collection."""
    small, big = np.int64(rules.small_flock[species]), np.int64(rules.big_flock[species])
    if shown >= big:
        gain, score = rules.big_gain, weights[FLYING] + weights[FLY_BIG]
    else:
        gain = rules.small_gain
        score = weights[FLYING] + weights[FLY_NEARLY_BIG] * (shown - small + 1) / (big - small)
    score += weights[FLY_CARDS_GIVEN_UP] * (shown - gain)
    owned, size = np.int64(s.collection[s.seat, species]), rules.win_set_size
    if owned == 0:
        score += weights[FLY_NEW_SPECIES]
    if owned < size:
        filled = min(owned + gain, size)
        score += weights[FLY_SET_CARDS] * (filled * filled - owned * owned) / (size * size)
        if filled == size:
            score += weights[FLY_FULL_SET]
    if has_won(s.collection_word[s.seat] + one(species) * np.uint64(gain), rules):
        score += weights[FLY_WIN]
    return score
