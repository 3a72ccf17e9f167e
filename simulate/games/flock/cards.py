"""Activating the four resource cards and Dominance. Sections are cited by name, rulings as F1..F31."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .state import (
    BIRDS_HATCHED,
    BY_PLAYERS,
    COMPETITION,
    DEFER,
    DO,
    DOMINANCE,
    EGG_COST,
    FEEDING,
    HATCHING,
    LAYING,
    MOVE_ALL,
    NEST_COST,
    NESTING,
    PERFORM,
    POOL,
    RESOURCES_GAINED,
    RETURN,
    SECOND_SPACE,
    SEND_HOME,
    SIDE_45,
    STOCK,
    WORM_COST,
    ask,
    end_action,
    move,
    move_all,
)

# --- Feeding, Nesting, Laying, Hatching (Activating an Action Card) ---


@kernel
def next_performer(s, rules):
    s.position += 1
    if s.position < s.ordered:
        ask(s, rules, s.order[s.position], PERFORM)
    else:
        end_action(s, rules)


@kernel
def legal_performances(s, rules, choices):
    """Any singles and doubles that its birds there allow and its resources pay for at once (F4, F6)."""
    birds = np.int64(s.birds[s.flock, s.activated])
    if s.activated == HATCHING and s.birds[s.flock, STOCK] == 0:
        birds = 0
    count = 0
    for singles in range(birds + 1):
        for doubles in range((birds - singles) // 2 + 1):
            choices.actions[count] = DO + singles * 16 + doubles
            count += affordable(s, rules, singles, doubles)
    choices.count = count


@kernel
def affordable(s, rules, singles, doubles):
    if s.activated == LAYING:
        return cost(rules, NEST_COST, singles, doubles) <= s.nests[s.flock]
    if s.activated == HATCHING:
        eggs = cost(rules, EGG_COST, singles, doubles) <= s.eggs[s.flock]
        return eggs and cost(rules, WORM_COST, singles, doubles) <= s.worms[s.flock]
    return True


@kernel
def cost(rules, kind, singles, doubles):
    return singles * rules.cost_single[kind] + doubles * rules.cost_double[kind]


@kernel
def perform(s, rules, singles, doubles):
    """Pay, gain, and take the birds back, whatever was chosen (Activating an Action Card)."""
    me, row = s.flock, s.activated - FEEDING
    number = singles * rules.gain_single[row] + doubles * rules.gain_double[row]
    if s.activated == FEEDING:
        s.worms[me] += gain(s, rules, s.worms[me], number)
    elif s.activated == NESTING:
        s.nests[me] += gain(s, rules, s.nests[me], number)
    elif s.activated == LAYING:
        s.nests[me] -= cost(rules, NEST_COST, singles, doubles)
        s.eggs[me] += gain(s, rules, s.eggs[me], number)
    else:
        s.eggs[me] -= cost(rules, EGG_COST, singles, doubles)
        s.worms[me] -= cost(rules, WORM_COST, singles, doubles)
        hatch(s, number)
    move_all(s, me, s.activated, POOL)
    next_performer(s, rules)


@kernel
def gain(s, rules, held, number):
    """What of a gain fits under the limit (Resource Limit; F5)."""
    fits = min(number, rules.resource_cap - held)
    s.counters[s.seat, RESOURCES_GAINED] += fits
    return fits


@kernel
def hatch(s, number):
    """As many birds as the flock's stock still has (Gaining Resources; F6)."""
    hatched = min(number, np.int64(s.birds[s.flock, STOCK]))
    move(s, s.flock, STOCK, POOL, hatched)
    s.counters[s.seat, BIRDS_HATCHED] += hatched


# --- Activating the Dominance Card ---


@kernel
def lead(s, rules):
    """The first in pecking order takes space 1 and its birds back (F12)."""
    take_space(s, s.order[0], 0)
    move_all(s, s.order[0], DOMINANCE, POOL)
    next_on_dominance(s, rules)


@kernel
def take_space(s, flock, space):
    """A marker moves left to a space; those in between make room to the right (F13)."""
    for other in range(s.flocks):
        if space <= s.space[other] < s.space[flock]:
            s.space[other] += 1
    s.space[flock] = space


@kernel
def next_on_dominance(s, rules):
    s.position += 1
    if s.position < s.ordered:
        ask(s, rules, s.order[s.position], DEFER)
    else:
        end_action(s, rules)


@kernel
def legal_deferrals(s, rules, choices):
    """All birds to one other card, Competition too (F14); with 4-5 players the second may take space 2 instead."""
    choices.actions[0] = SECOND_SPACE
    count = 1 if s.position == 1 and second_may_advance(s, rules) else 0
    for card in range(FEEDING, COMPETITION + 1):
        choices.actions[count] = MOVE_ALL + card
        count += card != DOMINANCE
    choices.count = count


@kernel
def second_may_advance(s, rules):
    return rules.dominance_side == SIDE_45 or (rules.dominance_side == BY_PLAYERS and s.players >= 4)


@kernel
def defer(s, rules, action):
    """Space 2 and the birds back, or relocation to a card, from where an opponent's bird goes home if one is there."""
    if action == SECOND_SPACE:
        take_space(s, s.flock, 1)
        move_all(s, s.flock, DOMINANCE, POOL)
        next_on_dominance(s, rules)
        return
    s.at = action - MOVE_ALL
    move_all(s, s.flock, DOMINANCE, s.at)
    for flock in range(s.flocks):
        if sendable(s, rules, flock):
            s.kind = SEND_HOME
            return
    next_on_dominance(s, rules)


@kernel
def sendable(s, rules, flock):
    """Whether a flock is an opponent's (F27) with a bird on the card just relocated to (F15)."""
    return flock >> (rules.flocks_per_player - 1) != s.seat and s.birds[flock, s.at] > 0


@kernel
def legal_returns(s, rules, choices):
    count = 0
    for flock in range(s.flocks):
        choices.actions[count] = RETURN + flock
        count += sendable(s, rules, flock)
    choices.count = count


@kernel
def send_home(s, rules, flock):
    move(s, flock, s.at, POOL, 1)
    next_on_dominance(s, rules)
