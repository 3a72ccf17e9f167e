"""The record of a game of Flockers, its codes, and what every part of the rules needs: birds, cards, displays.

A card is its number in the deck file, from 0. A flock has seven places: the lead bird, then three in the top row and
three in the bottom row, each from the lead outwards. A token's distance is the number of the path's card that it
stands on, 0 at the start. Chance: the flock deck draws from DECK; the terrain deck and then decoys from DICE, so
that two flock decks meet the same terrain.

Codes that kernels hand to kernels are numpy's whole numbers: numba compiles a kernel anew for each literal one.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import Field, state_dtype
from ...streams import DECK, below

SEATS, CARDS, TERRAIN_CARDS, HAND, DISPLAY = 4, 120, 80, 10, 6  # room for
AUTOMA = 4  # the index of its token
EVENTS = 300  # an automa that plays on alone does four things a turn, at most 40 turns; failed set-ups have no bound

LEAD_BIRD, (TOP, BOTTOM) = 0, np.arange(2)
ROW, PLACES = 3, 7  # places: the lead is 0, the i-th bird of a row is row * ROW + i
NO_CARD = 255

ADULT_WHITE, ADULT_BLUE, JUVENILE_WHITE, JUVENILE_BLUE = range(4)
NO_ACTION, FLY, NAVIGATE, GRAZE, SWAP, LEAD = range(6)
MOUNTAIN, FOREST, FIELD, LAKE = range(4)
NO_ENCOUNTER, DECOY, NORTH_WIND, FOX, BALD_EAGLE = range(5)

PLAY, ACT, FLIGHT, MAP, GRAZING, SWAPPING, SLIDE, WIND, SHAPE, PREY, REPLENISH = range(11)
"""Kinds of decision: which bird, which part of a card, where to fly, which terrain card, who grazes, which two swap,
which row slides, where the north wind blows to, the flock's shape after a decoy, whom the fox takes, which card."""

PLAYED, ACTIVATED = np.arange(
    2
)  # the bird whose parts are used: the one just played, or the lead bird that a Lead activates
MAIN, BONUS = np.arange(2)  # its parts

USE, END = 512, 544
REMOVE, STOP, SLIDE_ROW = 560, 567, 568
FORM, EXCHANGE, ADD, TAKE, DRAW, FLY_TO = 576, 592, 656, 736, 863, 1024
"""Action codes: card * 3 + 0 (lead), 1 (top), 2 (bottom) to play; USE + bird * 16 + part * 8 + action; REMOVE + place;
SLIDE_ROW + row; FORM + top * 4 + bottom; EXCHANGE + place * 8 + place; ADD + terrain card; TAKE + card;
FLY_TO + distance * 4 + terrain."""

SKIP_ICON, STOP_FLIGHT = 0, 1  # rules.iconless
RIGHTMOST = 1  # rules.automa_tie
STOP_AT_MISMATCH = 0  # rules.mismatch
CHOOSE_SHAPE = 0  # rules.decoy_shape

(
    FLOCK_SHUFFLED,
    TERRAIN_SHUFFLED,
    DEALT,
    STARTS,
    TERRAIN_SHOWN,
    SHOWN,
    DRAWN,
    FELL,
    AUTOMA_TAKES,
    AUTOMA_WAITS,
    ADDED,
) = np.arange(11)
"""What chance did, for traces: (kind * 8 + seat, place or cards flown) * 128 + card."""

COUNTERS = (
    "distance",
    "flock_size",
    "adult_white",
    "adult_blue",
    "juvenile_white",
    "juvenile_blue",
    "turns",
    "flights",
    "spaces_flown",
    "bonus_icons",
    "bonus_actions",
    "met_decoy",
    "met_north_wind",
    "met_fox",
    "met_bald_eagle",
    "navigates",
    "swaps",
    "leads",
    "grazed",
    "lost_to_fox",
    "lost_to_eagle",
    "path_length",
    "triggered_end",
    "margin",
    "band_good",
    "band_great",
    "band_gifted",
    "band_golden",
)
DISTANCE, FLOCK_SIZE, GEESE = 0, 1, 2
TURNS, FLIGHTS, SPACES_FLOWN, BONUS_ICONS, BONUS_ACTIONS, MET = range(6, 12)
NAVIGATES, SWAPS, LEADS, GRAZED, LOST_TO_FOX, LOST_TO_EAGLE = range(15, 21)
PATH_LENGTH, TRIGGERED_END, MARGIN, BANDS = range(21, 25)

State = state_dtype(
    [
        Field("hand", "u1", (SEATS, HAND)),  # in the order of the deck file
        Field("seen", "u1", (SEATS, HAND)),  # whether all saw that card arrive
        Field("held", "u1", (SEATS,)),  # cards in hand
        Field("flock", "u1", (SEATS, PLACES)),
        Field("row", "u1", (SEATS, 2)),  # birds in it
        Field("geese", "u1", (SEATS, 4)),  # of each type in the flock
        Field("distance", "u1", (AUTOMA + 1,)),
        Field("terrain", "u1", (AUTOMA + 1,)),  # that the token stands on
        Field("path", "u1", (TERRAIN_CARDS,)),
        Field("terrain_deck", "u1", (TERRAIN_CARDS,)),  # the last one is next
        Field("pile", "u1", (CARDS,)),  # the last one is next
        Field("discard", "u1", (CARDS,)),
        Field("terrain_shown", "u1", (DISPLAY,)),
        Field("shown", "u1", (DISPLAY,)),
        Field("path_length", "i8"),
        Field("terrain_deck_count", "i8"),
        Field("pile_count", "i8"),
        Field("discard_count", "i8"),
        Field("terrain_shown_count", "i8"),
        Field("shown_count", "i8"),
        # this turn:
        Field("bird", "u1", (2,)),  # card played, and the one that its Lead activated (K15), or NO_CARD
        Field("used", "u1", (2, 2)),  # of each of them the main action, and which bonus actions, as bits
        Field("chosen", "i8"),  # places that will graze, as bits
        # the end of the game:
        Field("out", "i8"),  # seats that are out for good, as bits
        Field("ending", "i8"),  # whether a token has reached the final card
        Field("last", "i8"),  # then: who has a final turn, as bits, the automa's too
    ],
    counters=len(COUNTERS),
    events=EVENTS,
)


# --- birds ---


@kernel
def size(s, seat):
    """Birds in a flock; only an empty one has no lead bird outside a chain of decisions."""
    return np.int64(s.flock[seat, LEAD_BIRD] != NO_CARD) + s.row[seat, TOP] + s.row[seat, BOTTOM]


@kernel
def in_flock(s, card):
    """Whether the bird is still in the flock of the seat to move."""
    for place in range(PLACES):
        if s.flock[s.seat, place] == card:
            return card != NO_CARD
    return False


@kernel
def identified(s, rules, seat, card):
    """Enough geese of the card's type in the flock, itself included, for its bonuses (Identify)."""
    return s.geese[seat, rules.goose[card]] >= rules.identify[card]


@kernel
def add_bird(s, rules, seat, card, place):
    s.flock[seat, place] = card
    s.geese[seat, rules.goose[card]] += 1
    if place != LEAD_BIRD:
        s.row[seat, np.int64(place > ROW)] += 1


@kernel
def remove_birds(s, rules, places):
    """Those at the places that are set, to the discard; rows close up, then a row may have to slide (K12)."""
    me = s.seat
    for place in range(PLACES):
        if places >> place & 1:
            card = s.flock[me, place]
            s.flock[me, place] = NO_CARD
            s.geese[me, rules.goose[card]] -= 1
            discard(s, card)
    close_row(s, me, TOP)
    close_row(s, me, BOTTOM)
    no_lead = s.flock[me, LEAD_BIRD] == NO_CARD
    s.kind = SLIDE if no_lead and s.row[me, TOP] + s.row[me, BOTTOM] > 0 else ACT


@kernel
def close_row(s, seat, row):
    """Move a row's birds towards the lead until no place between is empty."""
    birds = 0
    for place in range(row * ROW + 1, row * ROW + ROW + 1):
        card = s.flock[seat, place]
        if card != NO_CARD:
            birds += 1
            s.flock[seat, place] = NO_CARD
            s.flock[seat, row * ROW + birds] = card
    s.row[seat, row] = birds


# --- cards ---


@kernel
def shuffle(cards, streams, purpose):
    """Fisher and Yates."""
    for last in range(len(cards) - 1, 0, -1):
        other = below(streams, purpose, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@kernel
def sort(cards):
    """Cards, all unlike, into the order of the deck file: as bits of two words, then out of these one by one."""
    low, high = np.int64(0), np.int64(0)
    for at in range(len(cards)):
        card = np.int64(cards[at])
        if card < 64:
            low |= 1 << card
        else:
            high |= 1 << (card - 64)
    take_out(cards, low, high)


@kernel
def take_out(cards, low, high):
    at = card = 0
    while at < len(cards):
        cards[at] = card  # to be replaced by the next one unless it is there
        at += (low >> card if card < 64 else high >> (card - 64)) & 1
        card += 1


@kernel
def discard(s, card):
    s.discard[s.discard_count] = card
    s.discard_count += 1


@kernel
def draw(s):
    """The next card of the flock deck, or NO_CARD; an empty deck is made anew from the discard (K18)."""
    if s.pile_count == 0:
        if s.discard_count == 0:
            return NO_CARD
        s.pile_count = s.discard_count
        s.discard_count = 0
        for at in range(s.pile_count):
            s.pile[at] = s.discard[at]
        shuffle(s.pile[: s.pile_count], s.streams, np.int64(DECK))
        note(s, FLOCK_SHUFFLED, 0, 0)
    s.pile_count -= 1
    return np.int64(s.pile[s.pile_count])


@kernel
def refill(s, slot):
    """A new card to a vacant slot of the flock display; without one the display closes up (K17)."""
    card = draw(s)
    if card != NO_CARD:
        s.shown[slot] = card
        note(s, SHOWN, 0, card)
        return
    s.shown_count -= 1
    close_up(s.shown[:], slot, s.shown_count)


@kernel
def close_up(cards, slot, count):
    """Fill a gap from the right; `count` cards are left."""
    for later in range(slot, count):
        cards[later] = cards[later + 1]


@kernel
def slot_of(cards, card):
    """Where a card that is on a display lies."""
    slot = 0
    while cards[slot] != card:
        slot += 1
    return slot


@kernel
def extend_path(s, card):
    s.path[s.path_length] = card
    s.path_length += 1


@kernel
def draw_terrain(s):
    """The next card of a terrain deck that is not empty."""
    s.terrain_deck_count -= 1
    return np.int64(s.terrain_deck[s.terrain_deck_count])


@kernel
def to_hand(s, seat, card, seen):
    """Put a card into its place in a hand, which is kept in the order of the deck file."""
    at = np.int64(s.held[seat])
    while at > 0 and s.hand[seat, at - 1] > card:
        s.hand[seat, at], s.seen[seat, at] = s.hand[seat, at - 1], s.seen[seat, at - 1]
        at -= 1
    s.hand[seat, at], s.seen[seat, at] = card, seen
    s.held[seat] += 1


@kernel
def from_hand(s, seat, card):
    """Take a card that it holds out of a hand."""
    at = slot_of(s.hand[seat], card)
    left = np.int64(s.held[seat]) - 1
    s.held[seat] = left
    close_up(s.hand[seat], at, left)
    close_up(s.seen[seat], at, left)


@kernel
def note(s, kind, detail, card):
    """Write down what chance did, in traced games only."""
    if s.traced:
        if s.n_events < EVENTS:
            s.events[s.n_events] = (kind * 8 + np.int64(detail)) * 128 + np.int64(card)
        s.n_events += 1
