"""What ending the round now would score: upkeep as far as it can be paid, greedy relocation, then the cards.

An approximation in two places: birds that cannot be kept come from the pool, from Competition and from the cards in
this order, and every flock relocates for its own VP alone, the best card first.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock.state import (
    COMPETITION,
    FEEDING,
    FLOCKS,
    POOL,
    STOCK,
    in_play,
)

from .positions import most_kept

Sketch = np.dtype(
    (
        np.record,
        [
            ("birds", "i8", (FLOCKS, STOCK)),  # per flock and place, as the round goes on to end
            ("vp", "i8", (FLOCKS,)),  # per seat
            ("tie", "i8", (FLOCKS,)),  # per flock: higher is further left on the track
        ],
    )
)
"""Scratch paper of one forecast."""


@kernel
def margin(s, rules, committed):
    """VP by which the seat would be ahead of the best opponent: of this round, in the last round of the game.

    `committed` birds of the flock's pool go to Competition first.
    """
    return forecast(s, rules, committed, np.empty(1, Sketch))


@kernel
def forecast(s, rules, committed, room):
    """`margin` on scratch paper that its caller keeps alive: a record alone does not."""
    sketch = room[0]
    last = s.rounds >= rules.rounds
    for seat in range(s.players):
        sketch.vp[seat] = s.vp[seat] if last else 0
    for flock in range(s.flocks):
        copy_kept(s, rules, sketch, flock, committed if flock == s.flock else 0)
    relocate_all(s, rules, sketch)
    for card in range(FEEDING, COMPETITION):
        score_card(s, rules, sketch, card)
    best = -1
    for seat in range(s.players):
        if seat != s.seat:
            best = max(best, sketch.vp[seat])
    return sketch.vp[s.seat] - best


@kernel
def copy_kept(s, rules, sketch, flock, committed):
    """The birds that a flock can keep."""
    birds = in_play(s, rules, flock)
    lost = max(0, birds - most_kept(s, rules, flock))
    sketch.tie[flock] = FLOCKS - s.space[flock]
    for place in range(STOCK):
        sketch.birds[flock, place] = s.birds[flock, place]
    sketch.birds[flock, POOL] -= committed
    sketch.birds[flock, COMPETITION] += committed
    lost = drop(sketch, flock, POOL, lost)
    lost = drop(sketch, flock, COMPETITION, lost)
    for card in range(FEEDING, COMPETITION):
        lost = drop(sketch, flock, card, lost)


@kernel
def drop(sketch, flock, place, lost):
    """Takes up to so many birds away; how many are left to take."""
    here = min(lost, sketch.birds[flock, place])
    sketch.birds[flock, place] -= here
    return lost - here


@kernel
def relocate_all(s, rules, sketch):
    """Every flock with birds on Competition, in pecking order."""
    for _ in range(s.flocks):
        first, best = -1, 0
        for flock in range(s.flocks):
            key = sketch.birds[flock, COMPETITION] * 8 + sketch.tie[flock]
            if key >= 8 and key > best:
                first, best = flock, key
        if first < 0:
            return
        for _ in range(rules.relocate_limit):
            if not settle(s, rules, sketch, first):
                break
        sketch.birds[first, POOL] += sketch.birds[first, COMPETITION]
        sketch.birds[first, COMPETITION] = 0


@kernel
def settle(s, rules, sketch, flock):
    """Birds from Competition to the card where they win most over the pool; whether there was one."""
    most, chosen, number = 0, FEEDING, 0
    for card in range(FEEDING, COMPETITION):
        first, second = best_others(s, sketch, flock, card)
        now = points_with(rules, sketch, flock, card, 0, first, second)
        for target in (second, first):
            birds = needed(sketch, flock, card, target)
            if 0 < birds <= sketch.birds[flock, COMPETITION]:
                won = points_with(rules, sketch, flock, card, birds, first, second) - now - rules.vp_pool * birds
                if won > most:
                    most, chosen, number = won, card, birds
    sketch.birds[flock, chosen] += number
    sketch.birds[flock, COMPETITION] -= number
    return number > 0


@kernel
def best_others(s, sketch, flock, card):
    """The two highest ranks of other flocks on a card; 0 where no bird is."""
    first, second = 0, 0
    for other in range(s.flocks):
        if other != flock and sketch.birds[other, card] > 0:
            key = sketch.birds[other, card] * 8 + sketch.tie[other]
            second = max(second, min(first, key))
            first = max(first, key)
    return first, second


@kernel
def needed(sketch, flock, card, target):
    """Birds more that outrank the target."""
    return max(1, (target - sketch.tie[flock]) // 8 + 1) - sketch.birds[flock, card]


@kernel
def points_with(rules, sketch, flock, card, more, first, second):
    """VP of a flock on a card with so many birds more, against the two best others."""
    birds = sketch.birds[flock, card] + more
    key = birds * 8 + sketch.tie[flock]
    if birds == 0 or key < second:
        return 0
    return rules.vp_first[card - FEEDING] if key > first else rules.vp_second[card - FEEDING]


@kernel
def score_card(s, rules, sketch, card):
    """Its two places; with the first card, the pools as well."""
    first, second = 0, 0
    for flock in range(s.flocks):
        key = (sketch.birds[flock, card] * 8 + sketch.tie[flock]) * 8 + flock
        second = max(second, min(first, key))
        first = max(first, key)
        if card == FEEDING:
            sketch.vp[flock >> (rules.flocks_per_player - 1)] += rules.vp_pool * sketch.birds[flock, POOL]
    if first >= 64:
        sketch.vp[(first & 7) >> (rules.flocks_per_player - 1)] += rules.vp_first[card - FEEDING]
    if second >= 64:
        sketch.vp[(second & 7) >> (rules.flocks_per_player - 1)] += rules.vp_second[card - FEEDING]
