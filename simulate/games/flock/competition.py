"""Activating the Competition card in its three steps. Sections are cited by name, rulings as F1..F31."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import WIN
from .state import (
    BIRDS_RETURNED,
    BIRDS_ROUND,
    COMPETITION,
    DOMINANCE,
    FEEDING,
    GIVE_UP,
    LET_GO,
    NESTS,
    NO_CARD,
    PAY_FOR,
    POOL,
    RELOCATE,
    SPREAD,
    STOCK,
    UPKEEP,
    VP,
    VP_POOL,
    WORMS,
    ask,
    end_action,
    in_play,
    move,
    move_all,
    rank_key,
)

# --- Step 1: Upkeep ---


@kernel
def next_upkeep(s, rules):
    """Every flock with more birds in play than are free, in order (F9); then the relocations."""
    while s.position < s.flocks:
        flock = s.order[s.position]
        if in_play(s, rules, flock) > rules.free_birds:
            ask(s, rules, flock, UPKEEP)
            return
        s.position += 1
    s.position = 0
    next_relocation(s, rules)


@kernel
def legal_payments(s, rules, choices):
    list_numbers(choices, PAY_FOR, 0, most_to_pay_for(s, rules))


@kernel
def most_to_pay_for(s, rules):
    """Birds over the free ones, as far as nests and worms go (F10, F23)."""
    most = in_play(s, rules, s.flock) - rules.free_birds
    nests, worms = rules.upkeep_costs[NESTS, s.rounds - 1], rules.upkeep_costs[WORMS, s.rounds - 1]
    if nests:
        most = min(most, s.nests[s.flock] // nests)
    if worms:
        most = min(most, s.worms[s.flock] // worms)
    return most


@kernel
def pay(s, rules, birds):
    """Spend for so many birds; the others over the free ones must go back to the stock."""
    s.nests[s.flock] -= birds * rules.upkeep_costs[NESTS, s.rounds - 1]
    s.worms[s.flock] -= birds * rules.upkeep_costs[WORMS, s.rounds - 1]
    s.to_return = in_play(s, rules, s.flock) - rules.free_birds - birds
    s.counters[s.seat, BIRDS_RETURNED] += s.to_return
    s.at = POOL
    next_to_give_up(s, rules)


@kernel
def next_to_give_up(s, rules):
    """The next place with birds, pool first, until none is left to return (F10)."""
    if s.to_return == 0:
        s.position += 1
        next_upkeep(s, rules)
        return
    while s.birds[s.flock, s.at] == 0:
        s.at += 1
    s.kind = GIVE_UP


@kernel
def legal_losses(s, choices):
    """Any number from a place from which the later places can still give the rest (F10)."""
    here = np.int64(s.birds[s.flock, s.at])
    least = max(s.to_return - birds_after(s, s.at), 0)
    list_numbers(choices, LET_GO + s.at * 16, least, min(s.to_return, here))


@kernel
def birds_after(s, place):
    """A flock's birds at the places that come later in F10's order."""
    birds = 0
    for later in range(place + 1, STOCK):
        birds += s.birds[s.flock, later]
    return birds


@kernel
def give_up(s, rules, birds):
    move(s, s.flock, s.at, STOCK, birds)
    s.to_return -= birds
    s.at += 1
    next_to_give_up(s, rules)


@kernel
def list_numbers(choices, code, least, most):
    for number in range(least, most + 1):
        choices.actions[number - least] = code + number
    choices.count = most - least + 1


# --- Step 2: Relocate ---


@kernel
def next_relocation(s, rules):
    """Every flock that still has birds on Competition, in the same order (F11); then the scoring."""
    while s.position < s.ordered:
        flock = s.order[s.position]
        if s.birds[flock, COMPETITION]:
            s.at = FEEDING
            s.cards_used = 0
            ask(s, rules, flock, RELOCATE)
            return
        s.position += 1
    score_round(s, rules)


@kernel
def legal_relocations(s, choices):
    list_numbers(choices, SPREAD + s.at * 16, 0, np.int64(s.birds[s.flock, COMPETITION]))


@kernel
def spread(s, rules, birds):
    """So many to the card at hand; after the last card, or as many as may be used, the rest goes to the pool."""
    move(s, s.flock, COMPETITION, s.at, birds)
    s.cards_used += birds > 0
    s.at += 1
    if s.birds[s.flock, COMPETITION] and s.cards_used < rules.relocate_limit and s.at <= DOMINANCE:
        return
    move_all(s, s.flock, COMPETITION, POOL)
    s.cards_used = 0
    s.position += 1
    next_relocation(s, rules)


# --- Step 3: Scoring ---


@kernel
def score_round(s, rules):
    """Cards, then pools, then the sun: a new round, or the end after the last (F16, F17)."""
    for card in range(FEEDING, COMPETITION):
        score_card(s, rules, card)
    for flock in range(s.flocks):
        score_pool(s, rules, flock)
    if s.rounds >= rules.rounds:
        s.activated = NO_CARD
        s.end_reason = WIN
        return
    s.rounds += 1
    end_action(s, rules)


@kernel
def score_card(s, rules, card):
    """The most and second most birds, ties from the left of the track; a card needs a bird to score."""
    first, second = 0, 0
    for flock in range(s.flocks):
        key = rank_key(s, flock, card, False) * 8 + flock
        second = max(second, min(first, key))
        first = max(first, key)
    if first >= 64:
        score_place(s, rules, first & 7, rules.vp_first[card - FEEDING], 2 * (card - FEEDING))
    if second >= 64:
        score_place(s, rules, second & 7, rules.vp_second[card - FEEDING], 2 * (card - FEEDING) + 1)


@kernel
def score_place(s, rules, flock, points, counter):
    seat = flock >> (rules.flocks_per_player - 1)
    s.vp[seat] += points
    s.counters[seat, VP + counter] += points


@kernel
def score_pool(s, rules, flock):
    seat = flock >> (rules.flocks_per_player - 1)
    points = rules.vp_pool * np.int64(s.birds[flock, POOL])
    s.vp[seat] += points
    s.counters[seat, VP_POOL] += points
    if s.rounds <= 3:
        s.counters[seat, BIRDS_ROUND + s.rounds - 1] += in_play(s, rules, flock)
