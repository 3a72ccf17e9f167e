"""Flock in the rulebook's order. Sections are cited by name, rulings as F1..F31.

A flock is a set of birds of one colour: one a player, or two in Advanced 2-player. Flocks are numbered in the order
in which they act (F3): seat 1, seat 2, ... or 1-right, 1-left, 2-right, 2-left. A flock's birds are counts per place,
and `birds_word` reads its eight places as one word (see layout.Field). Nothing is random and nothing hidden.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...counts import EMPTY, ONE, ONES, at_least, one
from ...layout import DEADLOCK, RUNNING, TURN_CAP, WIN, Field, state_dtype

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

_CARD_BITS = np.uint64(0x0080808080808000)  # top bits of the six cards' bytes
_7, _8 = np.uint64(7), np.uint64(8)
_FIRST_CARD, _AFTER_CARDS = np.uint64(FEEDING), np.uint64(STOCK)


# --- Setup ---


@kernel
def setup(s, rules):
    """The start player's (left) flock has space 1 and the worm; the others follow in order (Setup; F1, F28)."""
    clear(s)
    s.flocks = s.players * rules.flocks_per_player
    first = rules.flocks_per_player - 1
    for flock in range(s.flocks):
        s.birds[flock, POOL] = rules.starting_birds
        s.birds[flock, STOCK] = rules.bird_supply - rules.starting_birds
        s.space[flock] = (flock + s.flocks - first) % s.flocks
    s.worms[first] = rules.starting_worms
    s.turns = 1
    s.rounds = 1
    begin_action(s, rules, first)


@kernel
def clear(s):
    s.end_reason = RUNNING
    s.birds_word[:] = EMPTY
    s.nests[:] = 0
    s.eggs[:] = 0
    s.worms[:] = 0
    s.vp[:] = 0
    s.barred = NO_CARD
    s.passes = 0
    s.cards_used = 0
    s.to_return = 0
    s.counters[:] = 0


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


# --- what the flock to move may do ---


@kernel
def legal(s, rules, choices):
    if s.kind == ACT:
        legal_acts(s, rules, choices)
    elif s.kind == PERFORM:
        legal_performances(s, rules, choices)
    elif s.kind == DEFER:
        legal_deferrals(s, rules, choices)
    elif s.kind == SEND_HOME:
        legal_returns(s, rules, choices)
    elif s.kind == UPKEEP:
        list_numbers(choices, PAY_FOR, 0, most_to_pay_for(s, rules))
    elif s.kind == GIVE_UP:
        here = np.int64(s.birds[s.flock, s.at])
        least = max(s.to_return - birds_after(s, s.at), 0)
        list_numbers(choices, LET_GO + s.at * 16, least, min(s.to_return, here))
    else:
        list_numbers(choices, SPREAD + s.at * 16, 0, np.int64(s.birds[s.flock, COMPETITION]))


@kernel
def list_numbers(choices, code, least, most):
    for number in range(least, most + 1):
        choices.actions[number - least] = code + number
    choices.count = most - least + 1


@kernel
def apply(s, rules, action):
    if s.kind == ACT:
        act(s, rules, action)
    elif s.kind == PERFORM:
        perform(s, rules, (action - DO) >> 4, action & 15)
    elif s.kind == DEFER:
        defer(s, rules, action)
    elif s.kind == SEND_HOME:
        move(s, action - RETURN, s.at, POOL, 1)
        next_on_dominance(s, rules)
    elif s.kind == UPKEEP:
        pay(s, rules, action - PAY_FOR)
    elif s.kind == GIVE_UP:
        give_up(s, rules, action & 15)
    else:
        spread(s, rules, action & 15)


@kernel
def move(s, flock, place, to, number):
    """So many birds of a flock from one place to another."""
    s.birds_word[flock] += (one(to) - one(place)) * np.uint64(number)


@kernel
def move_all(s, flock, place, to):
    move(s, flock, place, to, s.birds[flock, place])


# --- Taking a turn ---


@kernel
def legal_acts(s, rules, choices):
    """A bird from the pool to any card, or a card with an own bird activated; else a pass (Taking a Turn; F18)."""
    unbarred = _CARD_BITS & ~bits_of(s.barred)
    placeable = EMPTY
    if s.birds[s.flock, POOL]:
        placeable = unbarred
        if same_turn(s, rules) and rules.protect_left_flock:
            placeable &= ~left_flocks_last_resort(s, rules)
    count = list_cards(choices, np.uint64(0), PLACE, placeable)
    count = list_cards(choices, count, ACTIVATE, activatable(s, rules, s.flock) & unbarred)
    if count == 0:
        choices.actions[0] = PASS
        count = np.uint64(1)
    choices.count = np.int64(count)


@kernel
def bits_of(card):
    """The top bit of a card's byte; of none for NO_CARD."""
    return one(card) << _7 if card != NO_CARD else EMPTY


@kernel
def list_cards(choices, count, code, bits):
    """Append the actions of the cards whose top bits are set: every one is written, only those are kept."""
    for card in range(_FIRST_CARD, _AFTER_CARDS):
        choices.actions[count] = np.uint64(code) + card
        count += (bits >> (card * _8 + _7)) & ONE
    return count


@kernel
def activatable(s, rules, flock):
    """The cards that hold a bird of the flock, Competition only with enough birds on it (Activating; F2)."""
    cards = at_least(s.birds_word[flock], ONES) & _CARD_BITS
    if s.birds[flock, COMPETITION] and birds_competing(s) < threshold(s, rules):
        cards &= ~bits_of(COMPETITION)
    return cards


@kernel
def birds_competing(s):
    birds = 0
    for flock in range(s.flocks):
        birds += s.birds[flock, COMPETITION]
    return birds


@kernel
def threshold(s, rules):
    return rules.competition_thresholds[s.players - 2, s.rounds - 1]


@kernel
def left_flocks_last_resort(s, rules):
    """The card that the right flock must leave to the left one, if it has nothing else to do (F29)."""
    left = s.acting + 1
    if s.birds[left, POOL]:
        return EMPTY
    cards = activatable(s, rules, left)
    return cards if cards & (cards - ONE) == EMPTY else EMPTY


@kernel
def act(s, rules, action):
    if action == PASS:
        decline(s, rules)
        return
    s.passes = 0
    card = action & 7
    if same_turn(s, rules):
        s.barred = card
    if action < ACTIVATE:
        move(s, s.flock, POOL, card, 1)
        end_action(s, rules)
    else:
        s.counters[s.seat, ACTIVATED + card - FEEDING] += 1
        activate(s, rules, card, s.flock)


@kernel
def decline(s, rules):
    """A pass counts if the flock could do nothing with the barred card either (F29); all in a row end it (F19)."""
    s.counters[s.seat, PASSES] += 1
    if s.barred == NO_CARD or activatable(s, rules, s.flock) == EMPTY:
        s.passes += 1
    if s.passes < s.flocks:
        end_action(s, rules)
    elif rules.deadlock == FORCE_COMPETITION and birds_in_play(s, rules) > 0:
        s.passes = 0
        activate(s, rules, COMPETITION, NOBODY)
    else:
        s.end_reason = DEADLOCK


@kernel
def birds_in_play(s, rules):
    """Those of all flocks."""
    birds = 0
    for flock in range(s.flocks):
        birds += in_play(s, rules, flock)
    return birds


@kernel
def in_play(s, rules, flock):
    """A flock's birds on cards and in its pool."""
    return rules.bird_supply - s.birds[flock, STOCK]


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


# --- Activating an Action Card ---


@kernel
def activate(s, rules, card, by):
    s.activated = card
    s.by = by
    s.position = 0
    if card <= HATCHING:
        order_by_turn(s, card)
        ask(s, rules, s.order[0], PERFORM)
    elif card == DOMINANCE:
        order_by_birds(s, card, True)
        lead(s, rules)
    else:
        order_by_birds(s, card, False)
        next_upkeep(s, rules)


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


# --- Activating the Competition Card, step 1: Upkeep ---


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


# --- step 2: Relocate ---


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


# --- step 3: Scoring ---


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


# --- End of the Game ---


@kernel
def score(s, rules):
    """VP, then resources, then the place on the initiative track (F21)."""
    for seat in range(s.players):
        sum_up(s, rules, seat)
        resources = s.counters[seat, NESTS_LEFT] + s.counters[seat, EGGS_LEFT] + s.counters[seat, WORMS_LEFT]
        s.score[seat] = s.vp[seat]
        s.standing[seat] = (s.vp[seat] << 20) + (np.int64(resources) << 4) + (15 - s.counters[seat, BEST_SPACE])


@kernel
def sum_up(s, rules, seat):
    """What a seat's flocks hold together, and the best of their places on the track, from 1."""
    first = seat * rules.flocks_per_player
    nests, eggs, worms, best = 0, 0, 0, FLOCKS
    for flock in range(first, first + rules.flocks_per_player):
        nests += s.nests[flock]
        eggs += s.eggs[flock]
        worms += s.worms[flock]
        best = min(best, s.space[flock] + 1)
    s.counters[seat, NESTS_LEFT] = nests
    s.counters[seat, EGGS_LEFT] = eggs
    s.counters[seat, WORMS_LEFT] = worms
    s.counters[seat, BEST_SPACE] = best


@kernel
def redeal(s, rules, seat):
    """Every seat sees everything."""
