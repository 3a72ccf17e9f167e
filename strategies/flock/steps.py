"""What the choices score that an activated card asks for: performing, Dominance, upkeep and relocation."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flock.parameters import MOST_BIRDS
from flocksim.simulate.games.flock.state import (
    COMPETITION,
    DO,
    DOMINANCE,
    FEEDING,
    MOVE_ALL,
    NESTS,
    NOBODY,
    POOL,
    RETURN,
    SECOND_SPACE,
    STOCK,
    WORMS,
)

from .acts import move_in, work_in
from .positions import card_worth, held_after, held_now, pool_worth, worth_now
from .weights import (
    COMPETITION_BIRD,
    INITIATIVE,
    KEEP_BIRDS,
    NEST,
    SEND_LEADER_HOME,
    WORM,
)

# --- resource cards ---


@kernel
def perform_score(s, rules, action, weights):
    singles, doubles = (action - DO) // 16, (action - DO) % 16
    return held_after(s, rules, weights, s.activated, singles, doubles) - held_now(s, rules, weights)


# --- Dominance ---


@kernel
def defer_score(s, rules, action, weights):
    """Space 2 and the birds home, or all of them to a card."""
    number = np.int64(s.birds[s.flock, DOMINANCE])
    if action == SECOND_SPACE:
        spaces = s.space[s.flock] - 1
        return weights[INITIATIVE] * spaces + number * pool_worth(rules, weights)
    card = action - MOVE_ALL
    if card == COMPETITION:
        return weights[COMPETITION_BIRD] * number
    best = -np.inf
    for flock in range(s.flocks):
        if flock >> (rules.flocks_per_player - 1) != s.seat:
            victim = flock if s.birds[flock, card] else NOBODY
            best = max(best, move_in(s, rules, card, number, victim, weights))
    return best + work_in(s, rules, card, number, weights)


@kernel
def return_score(s, rules, action, weights):
    """A flock's bird on the card is sent home."""
    flock, score = action - RETURN, 0.0
    if s.at < COMPETITION:
        here = np.int64(s.birds[s.flock, s.at])
        score = card_worth(s, rules, weights, s.at, here, flock) - worth_now(s, rules, weights, s.at)
    owner, leads = flock >> (rules.flocks_per_player - 1), 1
    for seat in range(s.players):
        if seat != s.seat and s.vp[seat] > s.vp[owner]:
            leads = 0
    return score + weights[SEND_LEADER_HOME] * leads


# --- upkeep ---


@kernel
def pay_score(s, rules, birds, weights):
    """Birds kept against resources spent, which are worth nothing once the last round ends."""
    score = weights[KEEP_BIRDS] * birds
    if s.rounds < rules.rounds:
        score -= weights[NEST] * birds * rules.upkeep_costs[NESTS, s.rounds - 1]
        score -= weights[WORM] * birds * rules.upkeep_costs[WORMS, s.rounds - 1]
    return score


@kernel
def loss_score(s, rules, birds, weights):
    """So many birds given up here, and the others where the first one hurts least."""
    rest, least = s.to_return - birds, 0.0
    if rest > 0:
        least = -np.inf
        for place in range(s.at + 1, STOCK):
            if s.birds[s.flock, place]:
                least = max(least, given_up(s, rules, place, 1, weights))
    return given_up(s, rules, s.at, birds, weights) + rest * least


@kernel
def given_up(s, rules, place, number, weights):
    """What so many birds fewer in a place are worth: 0 or less, unless an opponent gains."""
    if place == POOL:
        return -number * pool_worth(rules, weights)
    if place < COMPETITION:
        points = move_in(s, rules, place, -number, NOBODY, weights)
        return points + work_in(s, rules, place, -number, weights)
    best = pool_worth(rules, weights)
    for card in range(FEEDING, COMPETITION):
        best = max(best, move_in(s, rules, card, 1, NOBODY, weights))
    return -number * best


# --- relocation ---

Spread = np.dtype(
    (
        np.record,
        [
            ("gain", "f8", (MOST_BIRDS + 1,)),  # by birds put on a card
            ("best", "f8", (MOST_BIRDS + 1, DOMINANCE + 1)),  # by birds and by cards that may still be used
        ],
    )
)
"""Scratch paper of one relocation."""


@kernel
def plan_spread(s, rules, weights, plan):
    """`best`: what birds are worth spread over the cards after this one and the pool. `gain`: on this card."""
    birds, limit = np.int64(s.birds[s.flock, COMPETITION]), rules.relocate_limit
    for number in range(birds + 1):
        for cards in range(limit + 1):
            plan.best[number, cards] = number * pool_worth(rules, weights)
    for card in range(DOMINANCE, s.at, -1):
        weigh_card(s, rules, weights, plan, card)
        for number in range(birds, 0, -1):
            for cards in range(limit, 0, -1):
                for here in range(1, number + 1):
                    value = plan.gain[here] + plan.best[number - here, cards - 1]
                    plan.best[number, cards] = max(plan.best[number, cards], value)
    weigh_card(s, rules, weights, plan, s.at)


@kernel
def weigh_card(s, rules, weights, plan, card):
    for number in range(np.int64(s.birds[s.flock, COMPETITION]) + 1):
        plan.gain[number] = move_in(s, rules, card, number, NOBODY, weights)
        if s.rounds < rules.rounds:
            plan.gain[number] += work_in(s, rules, card, number, weights)


@kernel
def spread_score(s, rules, plan, number):
    """So many birds to the card at hand, and the best for the rest."""
    rest = np.int64(s.birds[s.flock, COMPETITION]) - number
    return plan.gain[number] + plan.best[rest, rules.relocate_limit - s.cards_used - (number > 0)]
