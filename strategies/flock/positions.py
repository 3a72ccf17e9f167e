"""What birds and resources are worth to the flock that decides: points on cards, holdings, and work to be done."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock.cards import cost, second_may_advance
from flocksim.simulate.games.flock.rules import birds_competing, birds_in_play, threshold
from flocksim.simulate.games.flock.state import (
    DOMINANCE,
    EGG_COST,
    FEEDING,
    FLOCKS,
    HATCHING,
    LAYING,
    NEST_COST,
    NESTING,
    NESTS,
    NOBODY,
    WORM_COST,
    WORMS,
    in_play,
)

from .weights import (
    BIRDS,
    BIRDS_MISSING,
    CARD_POINTS,
    EGG,
    INITIATIVE,
    NEST,
    POINTS_EARLY,
    POOL_POINTS,
    RIVAL_POINTS,
    UPKEEP_READY,
    WORM,
)

# --- points ---


@kernel
def card_worth(s, rules, weights, card, mine, victim):
    """The VP of a card, weighed, if the own flock had `mine` birds there and the flock `victim` one fewer."""
    first, second = 0, 0
    for flock in range(s.flocks):
        birds = mine if flock == s.flock else np.int64(s.birds[flock, card])
        birds -= flock == victim
        key = (birds * 8 + FLOCKS - s.space[flock]) * 8 + flock
        second = max(second, min(first, key))
        first = max(first, key)
    worth = 0.0
    if first >= 64:
        worth += share(s, rules, weights, first & 7) * rules.vp_first[card - FEEDING]
        if second >= 64:
            worth += share(s, rules, weights, second & 7) * rules.vp_second[card - FEEDING]
    return worth


@kernel
def share(s, rules, weights, flock):
    """The weight of a VP that a flock scores."""
    if flock >> (rules.flocks_per_player - 1) == s.seat:
        return weights[CARD_POINTS]
    return weights[RIVAL_POINTS] / (s.players - 1)


@kernel
def worth_now(s, rules, weights, card):
    return card_worth(s, rules, weights, card, np.int64(s.birds[s.flock, card]), NOBODY)


@kernel
def pool_worth(rules, weights):
    """A bird's in the pool."""
    return weights[POOL_POINTS] * rules.vp_pool


@kernel
def urgency(s, rules, weights):
    """How much points count: in full when Competition has enough birds and the flock can keep all of its own."""
    full = min(1.0, birds_competing(s) / threshold(s, rules))
    kept = min(1.0, most_kept(s, rules, s.flock) / max(1, in_play(s, rules, s.flock)))
    return (weights[POINTS_EARLY] + (1.0 - weights[POINTS_EARLY]) * full) * kept


@kernel
def most_kept(s, rules, flock):
    """The free birds and those for which nests and worms suffice."""
    nests, worms = rules.upkeep_costs[NESTS, s.rounds - 1], rules.upkeep_costs[WORMS, s.rounds - 1]
    paid = rules.bird_supply
    if nests:
        paid = min(paid, s.nests[flock] // nests)
    if worms:
        paid = min(paid, s.worms[flock] // worms)
    return rules.free_birds + paid


# --- holdings ---


@kernel
def holdings(s, rules, weights, hatched, nests, eggs, worms):
    """What a flock's resources and so many new birds are worth."""
    birds = in_play(s, rules, s.flock) + hatched
    over = max(0, birds - rules.free_birds)
    ready = covered(nests, rules.upkeep_costs[NESTS, s.rounds - 1], over)
    ready += covered(worms, rules.upkeep_costs[WORMS, s.rounds - 1], over)
    usable = min(eggs, (rules.bird_supply - birds) * rules.cost_single[EGG_COST])
    value = weights[NEST] * nests + weights[EGG] * usable + weights[WORM] * worms
    value += weights[UPKEEP_READY] * 0.5 * ready
    missing = max(0, threshold(s, rules) + s.flocks - birds_in_play(s, rules))
    value += weights[BIRDS_MISSING] * min(np.float64(missing), hatched + 0.5 * usable)
    return value + weights[BIRDS] * hatched


@kernel
def covered(held, price, birds):
    """For how many birds a resource suffices."""
    return min(np.float64(birds), held / price) if price else np.float64(birds)


@kernel
def held_now(s, rules, weights):
    return holdings(s, rules, weights, 0, s.nests[s.flock], s.eggs[s.flock], s.worms[s.flock])


@kernel
def held_after(s, rules, weights, card, singles, doubles):
    """What the flock holds is worth after performing so many singles and doubles."""
    me, limit = s.flock, rules.resource_cap
    nests, eggs, worms, hatched = s.nests[me], s.eggs[me], s.worms[me], 0
    number = singles * rules.gain_single[card - FEEDING] + doubles * rules.gain_double[card - FEEDING]
    if card == FEEDING:
        worms = min(limit, worms + number)
    elif card == NESTING:
        nests = min(limit, nests + number)
    elif card == LAYING:
        nests -= cost(rules, NEST_COST, singles, doubles)
        eggs = min(limit, eggs + number)
    else:
        eggs -= cost(rules, EGG_COST, singles, doubles)
        worms -= cost(rules, WORM_COST, singles, doubles)
        hatched = min(number, rules.bird_supply - in_play(s, rules, me))
    return holdings(s, rules, weights, hatched, nests, eggs, worms)


# --- work ---


@kernel
def work(s, rules, weights, card, birds):
    """The best that so many own birds on a card could do there, 0 if nothing."""
    if birds == 0:
        return 0.0
    if card == DOMINANCE:
        return weights[INITIATIVE] * spaces_won(s, rules, birds)
    best, before = 0.0, held_now(s, rules, weights)
    for doubles in range(birds // 2 + 1):
        singles = birds - 2 * doubles
        while singles > 0 and not payable(s, rules, card, singles, doubles):
            singles -= 1
        if payable(s, rules, card, singles, doubles):
            best = max(best, held_after(s, rules, weights, card, singles, doubles) - before)
    return best


@kernel
def payable(s, rules, card, singles, doubles):
    if card == LAYING:
        return cost(rules, NEST_COST, singles, doubles) <= s.nests[s.flock]
    if card == HATCHING:
        eggs = cost(rules, EGG_COST, singles, doubles) <= s.eggs[s.flock]
        return eggs and cost(rules, WORM_COST, singles, doubles) <= s.worms[s.flock]
    return True


@kernel
def spaces_won(s, rules, birds):
    """How far Dominance would move the own marker now, with so many own birds there."""
    mine, ahead = birds * 8 + s.space[s.flock], 0
    for flock in range(s.flocks):
        ahead += flock != s.flock and np.int64(s.birds[flock, DOMINANCE]) * 8 + s.space[flock] > mine
    if ahead == 0:
        return s.space[s.flock]
    if ahead == 1 and second_may_advance(s, rules):
        return max(0, s.space[s.flock] - 1)
    return 0
