"""Flock Together in the rulebook's order. Sections are cited by name, rulings as T1..T15.

A card is its species, 0..7 (ranks within a species never matter, T14). Hands, collections and piles are counts
per species; `x_word` reads the same eight bytes as one word (see layout.Field). The draw pile's order is drawn
lazily: its stream serves nothing else, so the order is fixed from the moment of the shuffle on.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...counts import EMPTY, ONE, ONES, at_least, how_many, one, only, pick, total
from ...layout import RUNNING, STUCK, TURN_CAP, WIN, Field, state_dtype
from ...streams import DECK, REDEAL, below, next_word

SEATS, SPECIES, ROWS = 5, 8, 8  # room for; how many rows are in play is a rule parameter
ROW_RING = 128  # a row is a ring, so that laying at its left end moves nothing; no deck has more cards
MOST_CARDS = 127
EVENTS = 600  # rejected cards at set-up have no bound; eight rows of all eight species need some 300

PLAY, DRAW, FLY = 0, 1, 2  # kinds of decision
LEFT, RIGHT = 0, 1
DRAW_NO, DRAW_YES, FLY_NONE = 128, 129, 135
FLY_SPECIES = 136
"""Action codes. Playing is species * 16 + row * 2 + end, flying FLY_SPECIES + species."""

COUNTERS = (
    "laid",
    "caught",
    "drawn",
    "small_flights",
    "big_flights",
    "rounds_ended",
    *(f"collected_{species}" for species in ("a2", "34", "56", "78", "910", "j", "q", "k")),
)
LAID, CAUGHT, DRAWN, SMALL_FLIGHTS, BIG_FLIGHTS, ROUNDS_ENDED, COLLECTED = range(7)

TO_HAND, TO_ROW, TO_COLLECTION, TO_DISCARD, RESHUFFLE = range(5)
"""What chance did, for traces: (kind * 8 + seat or row) * 256 + species or number of cards."""

State = state_dtype(
    [
        Field("hand", "u1", (SEATS, SPECIES), word="hand_word"),
        Field("known", "u1", (SEATS, SPECIES), word="known_word"),  # the part of a hand that all saw arrive
        Field("collection", "u1", (SEATS, SPECIES), word="collection_word"),
        Field("pile", "u1", (SPECIES,), word="pile_word"),
        Field("discard", "u1", (SPECIES,), word="discard_word"),
        Field("row_count", "u1", (ROWS, SPECIES), word="row_word"),
        Field("row_start", "u1", (ROWS,)),
        Field("row_length", "u1", (ROWS,)),
        Field("row", "u1", (ROWS, ROW_RING)),
    ],
    counters=len(COUNTERS),
    events=EVENTS,
)

_16 = np.uint64(16)


# --- Setup ---


@kernel
def setup(s, rules):
    """Rows one after the other, then hands, then collections, the dealer first (Setup; T1)."""
    clear(s)
    s.pile_word = rules.cards_word
    for row in range(rules.rows):
        deal_row(s, row, rules.row_cards)
    for seat in range(s.players):
        deal_hand(s, seat, rules.hand_size)
    for seat in range(s.players):
        for _ in range(rules.first_birds):
            species = draw(s)
            s.collection[seat, species] += 1
            note(s, TO_COLLECTION, seat, species)
    s.kind = PLAY
    s.turns = 1
    s.rounds = 1


@kernel
def clear(s):
    s.seat = 0
    s.end_reason = RUNNING
    s.discard_word = EMPTY
    s.counters[:] = 0
    s.row_start[:] = 0
    s.row_length[:] = 0
    s.row_word[:] = EMPTY
    s.hand_word[:] = EMPTY
    s.known_word[:] = EMPTY
    s.collection_word[:] = EMPTY


@kernel
def deal_row(s, row, cards):
    """Cards of different species; one that is in the row already starts or joins the discard pile."""
    while s.row_length[row] < cards:
        species = draw(s)
        if s.row_count[row, species]:
            s.discard_word += one(species)
            note(s, TO_DISCARD, 0, species)
        else:
            add_to_row(s, row, species)


@kernel
def add_to_row(s, row, species):
    """One card from the draw pile to the right end of a row (T6)."""
    s.row[row, (s.row_start[row] + s.row_length[row]) & (ROW_RING - 1)] = species
    s.row_length[row] += 1
    s.row_word[row] += one(species)
    note(s, TO_ROW, row, species)


@kernel
def deal_hand(s, seat, cards):
    """All of a hand at once (T1)."""
    for _ in range(cards):
        species = draw(s)
        s.hand_word[seat] += one(species)
        note(s, TO_HAND, seat, species)


# --- what the player to move may do ---


@kernel
def legal(s, rules, choices):
    if s.kind == PLAY:
        legal_plays(s, rules, choices)
    elif s.kind == DRAW:
        choices.actions[0] = DRAW_NO
        choices.actions[1] = DRAW_YES
        choices.count = 2
    else:
        legal_flights(s, rules, choices)


@kernel
def legal_plays(s, rules, choices):
    """All of one species, at either end of any row (Play cards; T14: the ends are always two actions).

    Every species' actions are written and kept only if the hand holds it: cheaper than a branch per species.
    """
    count, held = np.uint64(0), np.uint64(2 * rules.rows)
    for species in range(np.uint64(SPECIES)):
        for place in range(np.uint64(2 * ROWS)):
            choices.actions[count + place] = species * _16 + place
        if s.hand[s.seat, species]:
            count += held
    choices.count = np.int64(count)


@kernel
def legal_flights(s, rules, choices):
    """None, or any species of which the hand holds a small flock (Fly a flock)."""
    flyable = at_least(s.hand_word[s.seat], rules.small_flock_word)
    choices.actions[0] = FLY_NONE
    count = 1
    for species in range(SPECIES):
        choices.actions[count] = FLY_SPECIES + species
        count += np.int64((flyable >> np.uint64(species * 8 + 7)) & ONE)
    choices.count = count


@kernel
def apply(s, rules, action):
    if s.kind == PLAY:
        play(s, rules, (action >> 4) & 7, (action >> 1) & 7, action & 1)
    elif s.kind == DRAW:
        if action == DRAW_YES:
            draw_cards(s, rules)
        if s.end_reason == RUNNING:
            after_playing(s, rules)
    else:
        if action != FLY_NONE:
            fly(s, rules, (action - FLY_SPECIES) & 7)
        end_turn(s, rules)


# --- Step 1: play cards ---


@kernel
def play(s, rules, species, row, end):
    caught = lay(s, species, row, end)
    if caught > 0:
        if only(s.row_word[row], species):
            refill(s, rules, row, species)
        if s.end_reason == RUNNING:
            after_playing(s, rules)
    elif may_draw(s, rules):
        s.kind = DRAW
    else:
        after_playing(s, rules)


@kernel
def lay(s, species, row, end):
    """Lay all cards of a species at an end of a row and catch back to the nearest of its kind (T2).

    Returns how many cards were caught.
    """
    me = s.seat
    laid = np.int64(s.hand[me, species])
    s.hand[me, species] = 0
    s.known[me, species] = 0
    s.counters[me, LAID] += laid
    start, length = np.int64(s.row_start[row]), np.int64(s.row_length[row])
    caught, caught_word = 0, EMPTY
    if s.row_count[row, species]:
        at, step = (start, 1) if end == LEFT else (start + length - 1, -1)
        card = s.row[row, at & (ROW_RING - 1)]
        while card != species:
            caught_word += one(card)
            caught += 1
            at += step
            card = s.row[row, at & (ROW_RING - 1)]
        s.hand_word[me] += caught_word
        s.known_word[me] += caught_word
        s.counters[me, CAUGHT] += caught
    if end == LEFT:
        start += caught - laid
        at = start
    else:
        at = start + length - caught
    for i in range(laid):
        s.row[row, (at + i) & (ROW_RING - 1)] = species
    s.row_start[row] = start & (ROW_RING - 1)
    s.row_length[row] = length - caught + laid
    s.row_word[row] += one(species) * np.uint64(laid) - caught_word
    return caught


@kernel
def refill(s, rules, row, species):
    """Turn up cards at the right end until the row holds two species or there is no card left (T6, T7)."""
    while True:
        card = draw(s)
        if card < 0:
            if rules.exhaustion_ends_game:
                s.end_reason = STUCK
            return
        add_to_row(s, row, card)
        if card != species:
            return


@kernel
def may_draw(s, rules):
    """After catching nothing, if there is a card to draw; T3 says whether an emptied hand still may."""
    if rules.draw_cards == 0 or s.pile_word | s.discard_word == EMPTY:
        return False
    return rules.draw_before_empty_check or s.hand_word[s.seat] != EMPTY


@kernel
def draw_cards(s, rules):
    """Both, or as many as there are (T7, T14)."""
    for _ in range(rules.draw_cards):
        species = draw(s)
        if species < 0:
            if rules.exhaustion_ends_game:
                s.end_reason = STUCK
            return
        s.hand_word[s.seat] += one(species)
        s.counters[s.seat, DRAWN] += 1
        note(s, TO_HAND, s.seat, species)


@kernel
def after_playing(s, rules):
    """An empty hand skips step 2 (T4); the flight is asked only when a species can fly (T14)."""
    hand = s.hand_word[s.seat]
    if hand != EMPTY and at_least(hand, rules.small_flock_word) != EMPTY:
        s.kind = FLY
    else:
        end_turn(s, rules)


# --- Step 2: fly a flock ---


@kernel
def fly(s, rules, species):
    """All cards of the species leave the hand; a big flock must take the bigger gain (T10)."""
    me = s.seat
    shown = s.hand[me, species]
    if shown >= rules.big_flock[species]:
        gain = rules.big_gain
        s.counters[me, BIG_FLIGHTS] += 1
    else:
        gain = rules.small_gain
        s.counters[me, SMALL_FLIGHTS] += 1
    s.hand[me, species] = 0
    s.known[me, species] = 0
    s.collection[me, species] += gain
    s.discard[species] += shown - gain


# --- End of a turn, end of a round, end of the game ---


@kernel
def end_turn(s, rules):
    """The win of the current player comes first (T5, T12), then the end of the round, then the cap (T15)."""
    if has_won(s.collection_word[s.seat], rules):
        s.end_reason = WIN
        return
    if s.hand_word[s.seat] == EMPTY:
        end_round(s, rules)
        if s.end_reason != RUNNING:
            return
    else:
        s.seat = s.seat + 1 if s.seat + 1 < s.players else 0
    if s.turns >= rules.turn_cap:
        s.end_reason = TURN_CAP
        return
    s.turns += 1
    s.kind = PLAY


@kernel
def has_won(collection, rules):
    """Enough different species, or enough species with enough cards each (Winning the game)."""
    if how_many(at_least(collection, ONES)) >= rules.win_species:
        return True
    return how_many(at_least(collection, ONES * np.uint64(rules.win_set_size))) >= rules.win_sets


@kernel
def standings(s, rules, now):
    """Cards that count towards the nearer win, all it takes less those that are missing (Winning the game)."""
    nearest = min(rules.win_species, rules.win_sets * rules.win_set_size)
    for seat in range(s.players):
        species = how_many(at_least(s.collection_word[seat], ONES))
        missing = 0
        for size in range(rules.win_set_size):
            large = how_many(at_least(s.collection_word[seat], ONES * np.uint64(size + 1)))
            missing += max(0, rules.win_sets - large)
        now[seat] = nearest - min(missing, rules.win_species - species)


@kernel
def end_round(s, rules):
    """All hands to the discard; the one who emptied theirs deals and leads, if there are cards (T8, T13)."""
    s.counters[s.seat, ROUNDS_ENDED] += 1
    for seat in range(s.players):
        s.discard_word += s.hand_word[seat]
        s.hand_word[seat] = EMPTY
        s.known_word[seat] = EMPTY
    if total(s.pile_word) + total(s.discard_word) < rules.hand_size * s.players:
        s.end_reason = STUCK
        return
    s.rounds += 1
    seat = np.int64(s.seat)
    for _ in range(s.players):
        deal_hand(s, seat, rules.hand_size)
        seat = seat + 1 if seat + 1 < s.players else 0


@kernel
def score(s, rules):
    """The size of the collection (T9); a winner ranks above everybody."""
    for seat in range(s.players):
        cards = total(s.collection_word[seat])
        s.score[seat] = cards
        s.standing[seat] = cards
        for species in range(SPECIES):
            s.counters[seat, COLLECTED + species] = s.collection[seat, species]
    if s.end_reason == WIN:
        s.standing[s.seat] += MOST_CARDS


# --- the draw pile ---


@kernel
def draw(s):
    """The top card of the draw pile, or -1. An empty pile is replaced by the shuffled discard (T7)."""
    if s.pile_word == EMPTY:
        if s.discard_word == EMPTY:
            return -1
        note(s, RESHUFFLE, 0, total(s.discard_word))
        s.pile_word = s.discard_word
        s.discard_word = EMPTY
    species = pick(s.pile_word, below(s.streams, DECK, total(s.pile_word)))
    s.pile_word -= one(species)
    return species


@kernel
def note(s, kind, place, value):
    """Write down what chance did, in traced games only."""
    if s.traced:
        if s.n_events < EVENTS:
            s.events[s.n_events] = (kind * 8 + np.int64(place)) * 256 + value
        s.n_events += 1


@kernel
def pile_order(pile, streams, order):
    """The draw pile from the top, as drawing until it is empty would give it. Returns the number of cards."""
    count = 0
    while pile != EMPTY:
        order[count] = pick(pile, below(streams, DECK, total(pile)))
        pile -= one(order[count])
        count += 1
    return count


# --- hidden information ---


@kernel
def redeal(s, rules, seat):
    """Deal anew what `seat` cannot see: the draw pile and the unseen part of the other hands (Public)."""
    unseen = s.pile_word
    for other in range(s.players):
        if other != seat:
            unseen += s.hand_word[other] - s.known_word[other]
    for other in range(s.players):
        if other != seat:
            cards = total(s.hand_word[other]) - total(s.known_word[other])
            s.hand_word[other] = s.known_word[other]
            for _ in range(cards):
                species = pick(unseen, below(s.streams, REDEAL, total(unseen)))
                unseen -= one(species)
                s.hand_word[other] += one(species)
    s.pile_word = unseen
    s.streams[DECK] = next_word(s.streams, REDEAL)
