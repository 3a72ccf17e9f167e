"""The record of a game of Flock, its codes, and what every part of the rules needs: birds, turns, pecking order.

A flock is a set of birds of one colour: one a player, or two in Advanced 2-player. Flocks are numbered in the order
in which they act (F3): seat 1, seat 2, ... or 1-right, 1-left, 2-right, 2-left. A flock's birds are counts per place,
and `birds_word` reads its eight places as one word (see layout.Field). Nothing is random and nothing hidden.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...counts import one
from ...layout import TURN_CAP, Field, state_dtype

FLOCKS, ROUNDS = 5, 6  # room for

POOL, FEEDING, NESTING, LAYING, HATCHING, DOMINANCE, COMPETITION, STOCK = range(8)
"""Where a bird can be; the cards in the rulebook's order."""
NO_CARD, NOBODY = 0, -1

ACT, PERFORM, DEFER, SEND_HOME, UPKEEP, GIVE_UP, RELOCATE = range(7)
"""Kinds of decision. DEFER is that of the flocks behind the first on Dominance."""
PASS, PLACE, ACTIVATE = 7, 0, 8
SECOND_SPACE, MOVE_ALL = 16, 24
RETURN, PAY_FOR, LET_GO, SPREAD, DO = 32, 48, 64, 192, 512
"""Action codes. PLACE, ACTIVATE and MOVE_ALL + card; RETURN + flock; PAY_FOR + birds; LET_GO and SPREAD +
place * 16 + birds; DO + singles * 16 + doubles."""

END, FORCE_COMPETITION = 0, 1  # rules.deadlock
BY_PLAYERS, SIDE_23, SIDE_45 = 0, 1, 2  # rules.dominance_side
NEST_COST, EGG_COST, WORM_COST = 0, 1, 2  # rules.cost_single and cost_double: Laying's nests, Hatching's eggs and worms
NESTS, WORMS = 0, 1  # rules.upkeep_costs

CARDS = ("feeding", "nesting", "laying", "hatching", "dominance", "competition")
COUNTERS = (
    *(f"vp_{card}_{place}" for card in CARDS[:-1] for place in ("first", "second")),
    "vp_pool",
    *(f"birds_round_{number}" for number in (1, 2, 3)),
    "nests",
    "eggs",
    "worms",
    *(f"activated_{card}" for card in CARDS),
    "resources_gained",
    "birds_hatched",
    "birds_returned",
    "initiative",
    "passes",
)
VP, VP_POOL, BIRDS_ROUND = 0, 10, 11
NESTS_LEFT, EGGS_LEFT, WORMS_LEFT, ACTIVATED = 14, 15, 16, 17
RESOURCES_GAINED, BIRDS_HATCHED, BIRDS_RETURNED, BEST_SPACE, PASSES = range(23, 28)

State = state_dtype(
    [
        Field("birds", "u1", (FLOCKS, 8), word="birds_word"),
        Field("nests", "i8", (FLOCKS,)),
        Field("eggs", "i8", (FLOCKS,)),
        Field("worms", "i8", (FLOCKS,)),
        Field("space", "i8", (FLOCKS,)),  # on the initiative track, from 0 at its left end
        Field("vp", "i8", (FLOCKS,)),  # per seat
        Field("flocks", "i8"),  # in play
        Field("flock", "i8"),  # whose decision it is
        Field("acting", "i8"),  # whose action it is
        Field("barred", "i8"),  # card that the left flock may not use this turn (F31), or NO_CARD
        Field("passes", "i8"),  # in a row, those that count for F19
        # the activation at hand:
        Field("activated", "i8"),  # card, or NO_CARD
        Field("by", "i8"),  # flock, or NOBODY when Competition is forced (F19)
        Field("order", "i8", (FLOCKS + 1,)),  # who goes through it, in order; on Competition those without birds last
        Field("ordered", "i8"),  # how many of them have birds on the card
        Field("position", "i8"),  # in that order, of the flock that decides
        Field("at", "i8"),  # the place that a chain of decisions has come to
        Field("to_return", "i8"),  # birds still to be given up
        Field("cards_used", "i8"),  # in this flock's relocation
    ],
    counters=len(COUNTERS),
    events=1,
)


# --- birds ---


@kernel
def move(s, flock, place, to, number):
    """So many birds of a flock from one place to another."""
    s.birds_word[flock] += (one(to) - one(place)) * np.uint64(number)


@kernel
def move_all(s, flock, place, to):
    move(s, flock, place, to, s.birds[flock, place])


@kernel
def in_play(s, rules, flock):
    """A flock's birds on cards and in its pool."""
    return rules.bird_supply - s.birds[flock, STOCK]


# --- turns ---


@kernel
def begin_action(s, rules, flock):
    s.acting = flock
    s.activated = NO_CARD
    ask(s, rules, flock, ACT)


@kernel
def ask(s, rules, flock, kind):
    """The next decision is this flock's."""
    s.flock = flock
    s.seat = flock >> (rules.flocks_per_player - 1)
    s.kind = kind


@kernel
def same_turn(s, rules):
    """Whether the acting player's other flock still acts this turn: the right one goes first (Advanced 2-player)."""
    return rules.flocks_per_player == 2 and s.acting & 1 == 0


@kernel
def end_action(s, rules):
    """The left flock or the next player; a turn's end lifts the bar (F31), the cap comes last (F20)."""
    if not same_turn(s, rules):
        s.barred = NO_CARD
        if s.turns >= rules.turn_cap * s.players:
            s.activated = NO_CARD
            s.end_reason = TURN_CAP
            return
        s.turns += 1
    begin_action(s, rules, s.acting + 1 if s.acting + 1 < s.flocks else 0)


# --- Pecking Order ---


@kernel
def order_by_turn(s, card):
    """The flocks with birds on the card, the activating one first, then as they act (F3)."""
    flock, count = s.acting, 0
    for _ in range(s.flocks):
        s.order[count] = flock
        count += s.birds[flock, card] > 0
        flock = flock + 1 if flock + 1 < s.flocks else 0
    s.ordered = count


@kernel
def order_by_birds(s, card, from_right):
    """Pecking order of all flocks, those with birds first; ties from one end of the track (Pecking Order; F8, F9)."""
    s.ordered = 0
    for flock in range(s.flocks):
        mine = rank_key(s, flock, card, from_right)
        ahead = 0
        for other in range(s.flocks):
            ahead += rank_key(s, other, card, from_right) > mine
        s.order[ahead] = flock
        s.ordered += s.birds[flock, card] > 0


@kernel
def rank_key(s, flock, card, from_right):
    """Higher is earlier. No two flocks have the same: spaces differ."""
    tie = s.space[flock] if from_right else FLOCKS - s.space[flock]
    return np.int64(s.birds[flock, card]) * 8 + tie
