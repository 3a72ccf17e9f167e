"""A turn as it might go on: a flock in one word, and the few numbers that a bot looks ahead with.

A flock is seven bytes, one a place in the order of the rules: 0 is empty, any other is one more than the bird's card.
The path ahead of the token is a word, too: four bits a card, one for each terrain, for the next fifteen cards.
"""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flockers.state import (
    ACTIVATED,
    BONUS,
    FLY,
    GRAZE,
    LEAD,
    LEAD_BIRD,
    MAIN,
    NO_CARD,
    PLACES,
    PLAYED,
    ROW,
)

FIELDS = (
    "flock",
    "distance",
    "path",  # cards on it
    "ahead",
    "added",  # the terrain card at its end that is not there yet, or NO_CARD
    "played",
    "activated",  # the bird that its Lead has activated, or NO_CARD
    "used",  # of each of these two the main action and the bonus actions, as bits, eight a bird
    "open",  # whether more parts may be used this turn
    "met",  # encounter
    "swaps",
    "flies",  # fly cards in the hand that is left
    "icons",  # the terrain on these, as bits
    "grazes",  # graze cards in it
    "leads",  # lead cards
)
SIZE = len(FIELDS)
Sketch = np.dtype(
    (
        np.record,
        {
            "names": [*FIELDS, "numbers"],
            "formats": ["i8"] * SIZE + [("i8", (SIZE,))],
            "offsets": [*range(0, 8 * SIZE, 8), 0],
            "itemsize": 8 * SIZE,
        },
    )
)
NOW, ADDED, USED, MET, FIRST = range(5)
"""Scratch paper of one decision: the position, a bird added, a part used, an encounter met; then every outcome."""

OUTCOMES = FIRST + 1024
"""Room: two birds may each fly to 30 spaces with 8 outcomes, graze in 191 ways, swap in 21, add 6 terrain cards."""

AHEAD = 15
_ROW_BITS = (1 << 8 * ROW) - 1


@kernel
def sketch_now(s, rules):
    """A desk of sketches, with the position of the seat to move on the first."""
    desk = np.empty(OUTCOMES, Sketch)
    k, me = desk[NOW], np.int64(s.seat)
    k.flock = flock_of(s, me)
    k.distance, k.path = s.distance[me], s.path_length
    k.ahead, k.added = path_ahead(s, rules, me), NO_CARD
    k.used, k.open, k.met, k.swaps = 0, 1, 0, 0
    k.played, k.activated = s.bird[PLAYED], s.bird[ACTIVATED]
    for bird in range(2):
        k.used |= (np.int64(s.used[bird, MAIN]) | np.int64(s.used[bird, BONUS]) << 1) << 8 * bird
    look_at_hand(s, rules, k, np.int64(NO_CARD))
    return desk


@kernel
def copy(desk, to, sketch):
    """Field by field: numba copies a whole record byte by byte."""
    for field in range(SIZE):
        desk[to].numbers[field] = desk[sketch].numbers[field]


@kernel
def look_at_hand(s, rules, k, played):
    """Note what the hand is ready for without the card played."""
    k.flies, k.icons, k.grazes, k.leads = 0, 0, 0, 0
    for at in range(s.held[s.seat]):
        card = np.int64(s.hand[s.seat, at])
        if card != played:
            action = rules.main[card]
            k.grazes += action == GRAZE
            k.leads += action == LEAD
            if action == FLY:
                k.flies += 1
                k.icons |= np.int64(rules.top_icons[card]) << np.int64(rules.icons[card, 0])


@kernel
def path_ahead(s, rules, seat):
    """The terrain on the cards before a token."""
    ahead, distance = 0, np.int64(s.distance[seat])
    for step in range(min(AHEAD, s.path_length - distance)):
        ahead |= np.int64(rules.spaces[s.path[distance + step]]) << 4 * step
    return ahead


@kernel
def extended(rules, ahead, left, card):
    """The path ahead, `left` cards, and a terrain card at its end."""
    return ahead | np.int64(rules.spaces[card]) << 4 * left if left < AHEAD else ahead


# --- flocks ---


@kernel
def flock_of(s, seat):
    """A flock on the table."""
    flock = 0
    for place in range(PLACES):
        flock |= (np.int64(s.flock[seat, place]) + 1 & NO_CARD) << 8 * place
    return flock


@kernel
def bird_at(flock, place):
    """The card at a place; -1 if it is empty."""
    return (flock >> 8 * place & 255) - 1


@kernel
def row_length(flock, row):
    birds = flock >> (8 + 8 * ROW * row)
    return np.int64(birds & 255 > 0) + np.int64(birds >> 8 & 255 > 0) + np.int64(birds >> 16 & 255 > 0)


@kernel
def holds(flock, card):
    """Whether a bird is in the flock."""
    while flock:
        if flock & 255 == card + 1:
            return True
        flock >>= 8
    return False


@kernel
def geese_in(rules, flock):
    """How many of each type, eight bits a type, and above these how many birds, and how many with a graze icon."""
    geese = 0
    while flock:
        if flock & 255:
            card = (flock & 255) - 1
            geese += 1 << 8 * np.int64(rules.goose[card]) | 1 << 32 | np.int64(rules.grazes[card]) << 40
        flock >>= 8
    return geese


@kernel
def birds_of(geese):
    return geese >> 32 & 255


@kernel
def identifies(rules, geese, card):
    return geese >> 8 * np.int64(rules.goose[card]) & 255 >= rules.identify[card]


@kernel
def with_bird(flock, card, to):
    """A bird added as lead bird (0), or to the end of the top (1) or bottom (2) row."""
    place = (to - 1) * ROW + 1 + row_length(flock, to - 1) if to else LEAD_BIRD
    return flock | (card + 1) << 8 * place


@kernel
def without(flock, places):
    """The flock after birds have left and rows have closed up; perhaps without a lead bird."""
    kept = 0 if places & 1 else flock & 255
    for row in range(2):
        last = row * ROW + 1
        for place in range(row * ROW + 1, row * ROW + ROW + 1):
            bird = flock >> 8 * place & 255
            if bird and not places >> place & 1:
                kept |= bird << 8 * last
                last += 1
    return kept


@kernel
def slid(flock, row):
    """A row moved up to a vacant lead."""
    shift = 8 + 8 * ROW * row
    birds = flock >> shift & _ROW_BITS
    return flock & ~(_ROW_BITS << shift) | birds & 255 | birds >> 8 << shift


@kernel
def swapped(flock, place, other):
    change = (flock >> 8 * place ^ flock >> 8 * other) & 255
    return flock ^ change << 8 * place ^ change << 8 * other


# --- parts of cards ---


@kernel
def bird_in_use(rules, k, bird):
    """The bird whose parts the sketched turn may use, or -1 (K14, K15)."""
    card = k.activated if bird == ACTIVATED else k.played
    if bird == ACTIVATED and card == NO_CARD:
        if k.played == NO_CARD or rules.main[k.played] != LEAD or not holds(k.flock, k.played):
            return -1
        return bird_at(k.flock, LEAD_BIRD)
    return card if holds(k.flock, card) else -1


@kernel
def action_of(rules, card, part):
    """Part 0 is the main action, the others are the bonus actions."""
    return np.int64(rules.bonus_actions[card, part - 1] if part else rules.main[card])


@kernel
def parts_of(rules, geese, card):
    """How many parts of a card may be used."""
    return 1 + np.int64(rules.bonuses[card]) * identifies(rules, geese, card)
