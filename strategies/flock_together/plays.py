"""What every play scores: all of a species, at either end of any row.

Most of a play's score depends on its species alone and is worked out once (`weigh_species`, `weigh_laying`).
Then one walk along each row from each end finds the catch of every species there.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.counts import one, total
from flocksim.simulate.games.flock_together.rules import ROW_RING, SPECIES

from .flights import ending_score, flock_score
from .weights import (
    BIG_FLOCK_PROGRESS,
    CARDS_CAUGHT,
    CARDS_LAID,
    CARDS_OFFERED,
    CAUGHT_FROM_NEXT,
    FLIGHT_AHEAD,
    FLOCK_PROGRESS,
    NEW_SPECIES_PROGRESS,
    SET_PROGRESS,
    SPECIES_LEFT,
)

Plan = np.dtype(
    (
        np.record,
        [
            ("score", "f8", (128,)),  # of every legal play, by its action code
            ("lay", "f8", (SPECIES,)),  # laying the species, apart from what it catches and offers
            ("flight", "f8", (SPECIES,)),  # the best flight that the rest of the hand allows
            (
                "missed",
                "f8",
                (SPECIES,),
            ),  # laying the species and catching nothing, apart from what it offers
            ("caught", "f8", (SPECIES,)),  # catching one card, apart from what it does for flocks
            ("small", "f8", (SPECIES,)),  # a small flock in hand
            ("big", "f8", (SPECIES,)),  # each card in hand between a small and a big flock
            (
                "fly",
                "f8",
                (SPECIES, 2),
            ),  # flying the smallest small and the smallest big flock, 0 if worse than not
            ("chance", "f8", (SPECIES,)),  # the chance that the next player holds the species
        ],
    )
)
"""Scratch paper of one decision. Everything but the chance is in units of the bot's score."""

EIGHT = np.uint64(SPECIES)  # unsigned loop counts spare numba the handling of negative indices
_EMPTY, _BYTE, _8, _16 = np.uint64(0), np.uint64(255), np.uint64(8), np.uint64(16)
_RING = np.int64(ROW_RING - 1)


@kernel
def weigh_plays(s, rules, weights, plan):
    """Fill the plan, whose `score` then holds every legal play, by action code."""
    weigh_species(s, rules, weights, plan)
    if weights[FLIGHT_AHEAD] != 0.0:
        weigh_flights(s, rules, weights, plan)
    if weights[CARDS_OFFERED] != 0.0:
        guess_next_hand(s, rules, plan)
    weigh_laying(s, rules, weights, plan)
    for row in range(np.uint64(rules.rows)):
        weigh_row(s, rules, weights, plan, row)


# --- what a species is worth ---


@kernel
def next_seat(s):
    return np.int64(s.seat) + 1 if s.seat + 1 < s.players else 0


@kernel
def need(owned, size):
    """How much one more card of a species does for its set in a collection: 1 fills it, 0 is no use."""
    return (owned + 1) / size if owned < size else 0.0


@kernel
def weigh_species(s, rules, weights, plan):
    after = next_seat(s)
    for species in range(EIGHT):
        small, big = np.int64(rules.small_flock[species]), np.int64(rules.big_flock[species])
        owned = np.int64(s.collection[s.seat, species])
        worth = weights[FLOCK_PROGRESS] + weights[SET_PROGRESS] * need(owned, rules.win_set_size)
        if owned == 0:
            worth += weights[NEW_SPECIES_PROGRESS]
        plan.small[species] = worth
        plan.big[species] = weights[BIG_FLOCK_PROGRESS] / max(1, big - small)
        theirs = np.int64(s.collection[after, species])
        wanted = 1.0 if theirs == 0 else need(theirs, rules.win_set_size)
        plan.caught[species] = weights[CARDS_CAUGHT] + weights[CAUGHT_FROM_NEXT] * wanted / small


@kernel
def weigh_flights(s, rules, weights, plan):
    for species in range(EIGHT):
        for big in range(2):
            size = rules.big_flock[species] if big else rules.small_flock[species]
            plan.fly[species, big] = max(0.0, flock_score(s, rules, species, np.int64(size), weights))


@kernel
def in_hand(rules, plan, species, held):
    """What so many cards of a species in hand are worth on their way to a flock."""
    small, big = np.int64(rules.small_flock[species]), np.int64(rules.big_flock[species])
    part = min(held, small)
    value = plan.small[species] * (part * part) / (small * small)
    if held > small:
        value += plan.big[species] * (min(held, big) - small)
    return value


@kernel
def one_more(rules, plan, species, held):
    """What one card more than those adds to `in_hand`."""
    small = np.int64(rules.small_flock[species])
    if held < small:
        return plan.small[species] * (2 * held + 1) / (small * small)
    return plan.big[species] if held < rules.big_flock[species] else 0.0


@kernel
def flight_of(rules, plan, species, held):
    """What flying so many cards of a species scores; 0 if there are too few."""
    if held < rules.small_flock[species]:
        return 0.0
    return plan.fly[species, 1] if held >= rules.big_flock[species] else plan.fly[species, 0]


# --- what laying a species does to the hand ---


@kernel
def weigh_laying(s, rules, weights, plan):
    best, second, holder, kinds = best_flights(s, rules, weights, plan)
    ending = ending_score(s, rules, weights) if kinds <= 2 else 0.0
    for species in range(SPECIES):
        held = np.int64(s.hand[s.seat, species])
        if held:
            score = weights[CARDS_LAID] * held - in_hand(rules, plan, species, held)
            score += weights[SPECIES_LEFT] * (kinds - 1)
            score += (weights[CARDS_CAUGHT] - plan.caught[species]) * held
            flight = second if species == holder else best
            missed = score + weights[FLIGHT_AHEAD] * flight
            if kinds == 1:
                missed += ending
            elif kinds == 2 and flight > 0.0:  # flying what is left would empty the hand
                missed += weights[FLIGHT_AHEAD] * ending
            plan.lay[species] = score
            plan.flight[species] = flight
            plan.missed[species] = missed


@kernel
def best_flights(s, rules, weights, plan):
    """The best flight in hand, the best of another species; the first's species; how many are held."""
    best, second, holder, kinds = 0.0, 0.0, -1, 0
    for species in range(SPECIES):
        held = np.int64(s.hand[s.seat, species])
        if held:
            kinds += 1
            value = flight_of(rules, plan, species, held) if weights[FLIGHT_AHEAD] != 0.0 else 0.0
            if value > best:
                best, second, holder = value, best, species
            else:
                second = max(second, value)
    return best, second, holder, kinds


# --- what a row gives ---


@kernel
def weigh_row(s, rules, weights, plan, row):
    offered = 0.0
    if weights[CARDS_OFFERED] != 0.0:
        offered = offers(s, plan, row, 0, 0, 0, _EMPTY)
    to_meet = _EMPTY
    for species in range(EIGHT):
        if s.hand[s.seat, species]:
            if s.row_count[row, species]:
                to_meet |= one(species)
            else:
                weigh_strangers(s, weights, plan, species, row, offered)
    if to_meet != _EMPTY:
        for end in range(2):
            weigh_catches(s, rules, weights, plan, row, end, to_meet, offered)


@kernel
def weigh_strangers(s, weights, plan, species, row, offered):
    """Laying a species that the row does not hold, at either end: nothing is caught."""
    action = species * _16 + row + row
    laid = np.int64(s.hand[s.seat, species])
    for end in range(2):
        score = plan.missed[species]
        if weights[CARDS_OFFERED] != 0.0:
            more = offers(s, plan, row, end, 0, laid, _EMPTY) + plan.chance[species] * s.row_length[row]
            score += weights[CARDS_OFFERED] * (more - offered)
        plan.score[action + np.uint64(end)] = score


@kernel
def weigh_catches(s, rules, weights, plan, row, end, to_meet, offered):
    """Walk a row from an end; a species met is scored with the cards passed on the way as its catch."""
    hand = s.hand_word[s.seat]
    at, step = np.int64(s.row_start[row]), 1
    if end:
        at, step = at + s.row_length[row] - 1, -1
    passed, value, flight = 0, 0.0, 0.0
    while True:
        card = np.uint64(s.row[row, np.uint64(at & _RING)])
        if to_meet & one(card) != _EMPTY:
            to_meet ^= one(card)
            score = plan.missed[card]
            if passed:
                score = plan.lay[card] + value + weights[FLIGHT_AHEAD] * max(plan.flight[card], flight)
            if weights[CARDS_OFFERED] != 0.0:
                more = offers(s, plan, row, end, passed, np.int64(s.hand[s.seat, card]), one(card))
                score += weights[CARDS_OFFERED] * (more - offered)
            plan.score[card * _16 + row + row + np.uint64(end)] = score
            if to_meet == _EMPTY:
                return
        held = np.int64((hand >> (card * _8)) & _BYTE)
        hand += one(card)
        value += plan.caught[card] + one_more(rules, plan, card, held)
        if weights[FLIGHT_AHEAD] != 0.0:
            flight = max(flight, flight_of(rules, plan, card, held + 1))
        passed += 1
        at += step


# --- what a play leaves to the next player ---


@kernel
def guess_next_hand(s, rules, plan):
    """The chance that the next player holds each species, from the cards that nobody has seen yet.

    Hidden cards in that hand x share of the species among the unseen = expected cards e; the chance of one or
    more is about 1 - exp(-e), here by the first terms of exp's series.
    """
    after = next_seat(s)
    unseen = rules.cards_word - s.discard_word - s.hand_word[s.seat]
    for row in range(rules.rows):
        unseen -= s.row_word[row]
    for seat in range(s.players):
        unseen -= s.collection_word[seat]
        if seat != s.seat:
            unseen -= s.known_word[seat]
    hidden = total(s.hand_word[after]) - total(s.known_word[after])
    share = hidden / max(1, total(unseen))
    for species in range(EIGHT):
        e = share * np.int64((unseen >> (species * _8)) & _BYTE)
        plan.chance[species] = 1.0 - 1.0 / (1.0 + e * (1.0 + e * (0.5 + e / 6.0)))
        if s.known[after, species]:
            plan.chance[species] = 1.0


@kernel
def offers(s, plan, row, end, passed, laid, met):
    """Cards the next player can expect to catch from both sides of a row after a play at one end of it.

    passed: the cards at that end that the play catches; laid: how many it lays there; met: the word of
    the species that they come to lie next to, which then catches nothing at that end. Left out: what the laid
    species catches from the other end if it is new to the row, and cards that may refill the row.
    """
    near, left = np.int64(s.row_start[row]), np.int64(s.row_length[row])
    far, step = near + left - 1, 1
    if end:
        near, far, step = far, near, -1
    left -= passed
    beyond = exposed(s, plan, row, far, -step, left, 0, _EMPTY)
    return beyond + exposed(s, plan, row, near + step * passed, step, left, laid, met)


@kernel
def exposed(s, plan, row, at, step, length, before, seen):
    """Expected catches from one side of a part of a row: each species' chance x the cards before its first.

    before: cards that lie before the part; seen: a species that lies there and so catches none of it.
    """
    expected = 0.0
    for depth in range(before, before + length):
        card = np.uint64(s.row[row, np.uint64(at & _RING)])
        if seen & one(card) == _EMPTY:
            seen |= one(card)
            expected += plan.chance[card] * depth
        at += step
    return expected
