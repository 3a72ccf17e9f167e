"""Set Up: what the tree holds before the first roll. Rulings as B1..B28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import RUNNING
from ...streams import DECK, MAX_SEATS, below
from .dice import begin_turn, note
from .state import (
    CARDS,
    CELLS,
    CHOOSE,
    COUNTERS,
    CROW,
    CROW_AT,
    CROW_TO,
    EMPTY,
    HAWK,
    HAWK_AT,
    NO_CARD,
    NOBODY,
    NOWHERE,
    PIECES,
    PLACE_CROW,
    PLACE_HAWK,
    ask,
    put,
)


@kernel
def setup(s, rules):
    """Every player's birds and cards, then a hawk and crows by chance or by the first player's choice (B5)."""
    clear(s, rules)
    for seat in range(s.players):
        s.reserve[seat] = rules.birds
        for card in range(len(CARDS)):
            s.hand[seat, card] = rules.cards[card]
            s.held[seat] += rules.cards[card]
    s.reserve[CROW - 1] = rules.crows
    s.reserve[HAWK - 1] = rules.hawks
    s.token_supply = rules.tokens
    if rules.setup == CHOOSE:
        ask_for_set_up(s, rules)
        return
    for _ in range(rules.hawks_at_start):
        dot = np.int64(rules.dots[below(s.streams, DECK, rules.n_dots)])
        set_up(s, HAWK, dot)
        note(s, HAWK_AT + dot)
    for _ in range(rules.crows_at_start):
        draw_crow(s, rules)
    begin_turn(s, rules, 0)


@kernel
def clear(s, rules):
    s.end_reason = RUNNING
    s.turns = 1
    s.rounds = 1
    s.active = 0
    for cell in range(CELLS):
        s.on[cell] = rules.grid[cell]
        s.threat[cell] = 0
    s.changed = 0
    s.lifted = NOWHERE
    s.lifted_piece = NOBODY
    s.moving = NOBODY
    s.moving_from = NOWHERE
    s.scattering = 0
    s.n_closed = 0
    s.winners = 0
    s.flock_spot = NOWHERE
    for row in range(PIECES):
        s.on_board[row] = 0
        s.reserve[row] = 0
    for seat in range(MAX_SEATS):
        s.held[seat] = 0
        s.discarded[seat] = 0
        for counter in range(len(COUNTERS)):
            s.counters[seat, counter] = 0
    forget_cards(s)


@kernel
def forget_cards(s):
    """No card is being carried out."""
    s.card = NO_CARD
    s.flown = NOWHERE
    s.flock_moves = 0


@kernel
def set_up(s, piece, place):
    """A piece that starts in the tree."""
    s.reserve[piece - 1] -= 1
    put(s, piece, place)


@kernel
def draw_crow(s, rules):
    """Onto any free spot off the hawk's corners with equal chance (B5)."""
    free = 0
    for index in range(rules.n_spots):
        free += is_calm(s, np.int64(rules.spots[index]))
    left = below(s.streams, DECK, free)
    for index in range(rules.n_spots):
        spot = np.int64(rules.spots[index])
        if is_calm(s, spot):
            if left == 0:
                set_up(s, CROW, spot)
                note(s, CROW_AT + spot)
                return
            left -= 1


@kernel
def is_calm(s, spot):
    """Free and not adjacent to a hawk (Set Up)."""
    return s.on[spot] == EMPTY and s.threat[spot] == 0


@kernel
def ask_for_set_up(s, rules):
    """The first player places what the tree still lacks before the first roll (Set Up; B5)."""
    if s.on_board[HAWK - 1] < rules.hawks_at_start:
        ask(s, 0, PLACE_HAWK)
    elif s.on_board[CROW - 1] < rules.crows_at_start:
        ask(s, 0, PLACE_CROW)
    else:
        begin_turn(s, rules, 0)


@kernel
def legal_calm_spots(s, rules, choices):
    number = 0
    for index in range(rules.n_spots):
        if is_calm(s, np.int64(rules.spots[index])):
            choices.actions[number] = CROW_TO + rules.spots[index]
            number += 1
    choices.count = number
