"""On Your Turn: the dice, what they allow, doubles, and what a trace is told of them. Rulings as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import DEADLOCK
from ...streams import DICE, below
from .cards import is_useful
from .crows import a_crow_can
from .hawks import a_dot_is_free
from .pecking import can_land
from .state import (
    CARDS,
    CARDS_REGAINED,
    CROW,
    DOUBLES,
    EMPTY,
    HAWK,
    LISTED,
    MORE_ROLLS,
    NO_CARD,
    NOWHERE,
    RE_ROLLED,
    RE_ROLLS,
    REGAINED,
    ROLLED,
    SPECIAL,
    TURN,
    WIDTH,
    ask,
)


@kernel
def begin_turn(s, rules, seat):
    s.active = seat
    s.last_card = NO_CARD
    s.rolled_again = 0
    roll(s, rules)


@kernel
def roll_again(s, rules):
    """ROLL; doubles can bring it back again and again where nothing else is ever legal (B20, B26)."""
    s.rolled_again += 1
    if s.rolled_again > RE_ROLLS:
        s.end_reason = DEADLOCK
    else:
        roll(s, rules)


@kernel
def roll(s, rules):
    """Both dice, again and again while nothing is legal (On Your Turn, Tokens; B20, B26)."""
    ask(s, s.active, TURN)
    start, left_out = 0, 0
    for tries in range(RE_ROLLS + 1):
        s.counters[s.active, RE_ROLLED] += tries > 0
        start, left_out = make_room(s, start, left_out)
        throw(s, rules)
        if anything_is_legal(s, rules):
            return
    s.end_reason = DEADLOCK


@kernel
def throw(s, rules):
    """Doubles, a crow with a hawk among them, bring back the last card played (Rolling Doubles; B18, B19)."""
    s.black = face(s, rules)
    s.brown = face(s, rules)
    note(s, ROLLED + s.black * 16 + s.brown)
    if s.black != s.brown:
        return
    seat = s.active
    s.counters[seat, DOUBLES] += 1
    if s.discarded[seat]:
        s.discarded[seat] -= 1
        card = np.int64(s.discard[seat, s.discarded[seat]])
        s.hand[seat, card] += 1
        s.held[seat] += 1
        s.counters[seat, CARDS_REGAINED] += 1
        note(s, REGAINED + card)


@kernel
def face(s, rules):
    """A row or column of the tree, or SPECIAL: every face with equal chance."""
    number = below(s.streams, DICE, rules.side + 1)
    return rules.first + number if number < rules.side else SPECIAL


@kernel
def rolled_spots(s):
    """The spots of a roll of two digits, in board order; the same one twice for doubles."""
    one, other = WIDTH * s.black + s.brown, WIDTH * s.brown + s.black
    return min(one, other), max(one, other)


@kernel
def birds_are_rolled(s):
    return SPECIAL not in (s.black, s.brown)


@kernel
def anything_is_legal(s, rules):
    if can_place(s, rules):
        return True
    for card in range(len(CARDS)):
        if s.hand[s.active, card] and is_useful(s, rules, card):
            return True
    first, second = rolled_spots(s)
    return can_token(s, first) or can_token(s, second)


@kernel
def can_place(s, rules):
    """Whether the roll lets a bird, crow or hawk be placed or moved.

    Some bird can always go: without one in reserve all four or more stand in the tree, and not all on the spot rolled.
    """
    if birds_are_rolled(s):
        first, second = rolled_spots(s)
        piece = s.active + 1
        return can_land(s, rules, piece, first, NOWHERE, False) or can_land(s, rules, piece, second, NOWHERE, False)
    if s.black == SPECIAL and a_crow_can(s, rules, True, s.reserve[CROW - 1] == 0, False):
        return True
    return s.brown == SPECIAL and s.reserve[HAWK - 1] + s.on_board[HAWK - 1] > 0 and a_dot_is_free(s, rules)


@kernel
def can_token(s, spot):
    """A player without cards may play a token on an empty rolled spot (Tokens; B25)."""
    return birds_are_rolled(s) and s.held[s.active] == 0 and s.token_supply > 0 and s.on[spot] == EMPTY


@kernel
def note(s, event):
    if s.traced:
        if s.n_events < len(s.events):
            s.events[s.n_events] = event
        s.n_events += 1


@kernel
def make_room(s, start, left_out):
    """Before a roll: of rolls that would be listed beyond LISTED only the last one stays, from `start` on, behind how
    many are left out and what they regained. Returns both numbers as they are now."""
    if s.n_events < LISTED:
        return start, left_out
    end = np.int64(s.n_events)
    if start == 0:
        return end, left_out
    last = end - 1 if s.events[end - 1] < REGAINED else end - 2  # of the rolls
    if left_out:
        for event in range(last, end - 1):
            s.events[event] = s.events[event + 1]
        s.n_events = end - 1
    s.events[start] = MORE_ROLLS + left_out + 1
    return start, left_out + 1
