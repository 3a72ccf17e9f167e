"""4 the Birds in the rulebook's order: turns, placing, the end. Sections are cited by name, rulings as B1..B28.

set_up.py lays the tree out, dice.py rolls, state.py holds the record and its codes, pecking.py how birds land and
displace, crows.py, hawks.py and cards.py what those do, flocks.py who wins.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import TURN_CAP, WIN
from ...streams import DICE, REDEAL, next_word
from .cards import fly, is_useful, legal_by_card, legal_flights, note_flown, play
from .crows import list_crows, list_for_crow
from .dice import begin_turn, birds_are_rolled, can_token, roll_again, rolled_spots
from .flocks import SQUARE, find_flock
from .hawks import ask_to_scatter, land_hawk, legal_hawks, legal_scatter, list_dots, scatter
from .pecking import can_land, land, legal_ways, slide
from .set_up import ask_for_set_up, forget_cards, legal_calm_spots, set_up
from .state import (
    ACTIVE,
    ACTIVE_FIRST,
    BIRDS_PLACED,
    CARDS,
    CROW,
    CROW_TO,
    CROWS_PLACED,
    DISPLACE,
    DISPLACE_TO,
    DONE,
    DONE_WITH,
    FLOCK,
    FLOCK_AT,
    FLOCKING,
    FLY,
    FLY_TO,
    HAWK,
    HAWK_TO,
    HAWKS_PLACED,
    HAWKS_REMOVED,
    LAND,
    LIFT,
    LIFT_CROW,
    LIFT_HAWK,
    MOCK,
    NO_CARD,
    NOBODY,
    NOWHERE,
    PLACE,
    PLACE_CROW,
    PLACE_HAWK,
    PLAY,
    REMOVE_HAWK,
    ROLL,
    SCATTER,
    SCATTERED,
    SLIDE,
    SLIDE_TO,
    SPECIAL,
    TOKEN,
    TOKEN_ON,
    TOKENS_PLACED,
    TURN,
    WIDTH,
    WON_OTHER_TURN,
    WON_OWN_TURN,
    WON_SHAPE,
    WON_WITH,
    ask,
    lift,
    set_down,
    take,
)

# --- what the seat to move may do ---


@kernel
def legal(s, rules, choices):
    if s.kind == TURN:
        legal_turn(s, rules, choices)
    elif s.kind == LAND:
        legal_landings(s, rules, choices)
    elif s.kind in (SLIDE, DISPLACE):
        legal_ways(s, rules, choices)
    elif s.kind == SCATTER:
        legal_scatter(s, choices)
    elif s.kind == FLY:
        legal_flights(s, rules, choices)
    elif s.kind == PLACE_HAWK:
        choices.count = list_dots(s, rules, choices, 0, NOWHERE)
    elif s.kind == PLACE_CROW:
        legal_calm_spots(s, rules, choices)
    else:
        legal_by_card(s, rules, choices)


@kernel
def apply(s, rules, action):
    if s.kind in (PLACE_HAWK, PLACE_CROW):
        set_up(s, HAWK if s.kind == PLACE_HAWK else CROW, action & 127)
        ask_for_set_up(s, rules)
        return
    place = action & 127
    verb = action - place
    if verb in (SLIDE_TO, DISPLACE_TO):
        slide(s, rules, place)
        if verb == SLIDE_TO:
            note_flown(s, place)
    elif verb == SCATTERED:
        scatter(s, rules, place)
    elif verb == FLY_TO:
        fly(s, rules, place)
    elif verb == DONE:
        s.flock_moves += 1
        s.kind = DONE_WITH
    elif verb == PLAY and place == ROLL:
        play(s, place)
        roll_again(s, rules)
    elif verb == PLAY:
        play(s, place)
    else:
        handle(s, rules, verb, place)
    if s.kind == DONE_WITH:
        go_on(s, rules)


@kernel
def handle(s, rules, verb, place):
    """Pieces placed, lifted and removed."""
    if verb == PLACE:
        place_piece(s, rules, s.active + 1, place)
    elif verb == CROW_TO:
        place_piece(s, rules, CROW, place)
    elif verb == HAWK_TO:
        place_piece(s, rules, HAWK, place)
    elif verb == TOKEN_ON:
        s.on[place] = TOKEN
        s.token_supply -= 1
        s.counters[s.active, TOKENS_PLACED] += 1
        s.kind = DONE_WITH
    elif verb == REMOVE_HAWK:
        take(s, HAWK, place)
        s.reserve[HAWK - 1] += 1
        s.counters[s.active, HAWKS_REMOVED] += 1
        s.kind = DONE_WITH
    else:
        lift(s, CROW if verb == LIFT_CROW else HAWK if verb == LIFT_HAWK else np.int64(s.on[place]), place)
        s.kind = FLY if verb == LIFT and s.card != NO_CARD else LAND


@kernel
def go_on(s, rules):
    """After a chain: the next lifted bird, FLOCK's second bird, or the end of the turn."""
    if s.scattering:
        ask_to_scatter(s)
    elif s.card == FLOCK and s.flock_moves == 1:
        ask(s, s.active, FLOCKING)
    else:
        end_turn(s, rules)


@kernel
def legal_turn(s, rules, choices):
    """Place or move a bird by the roll, play a card, or a token (On Your Turn; B17, B27)."""
    number = 0
    if birds_are_rolled(s):
        number = legal_birds(s, rules, choices)
    if s.black == SPECIAL and s.reserve[CROW - 1]:
        number = list_for_crow(s, rules, choices, number, NOWHERE, False)
    elif s.black == SPECIAL:
        number = list_crows(s, rules, choices, number, False)
    if s.brown == SPECIAL:
        number = legal_hawks(s, rules, choices, number)
    for card in range(len(CARDS)):
        if s.hand[s.active, card] and is_useful(s, rules, card):
            choices.actions[number] = PLAY + card
            number += 1
    first, second = rolled_spots(s)
    if can_token(s, first):
        choices.actions[number] = TOKEN_ON + first
        number += 1
    if first != second and can_token(s, second):
        choices.actions[number] = TOKEN_ON + second
        number += 1
    choices.count = number


# --- Placing Birds ---


@kernel
def legal_birds(s, rules, choices):
    """A bird from the reserve on a rolled spot; without one, any own bird that can land on another (B6).

    Where a bird comes from does not matter to where it can land: what an own bird leaves, its like could enter.
    """
    seat, number = s.active, 0
    first, second = rolled_spots(s)
    can_first = can_land(s, rules, seat + 1, first, NOWHERE, False)
    can_second = first != second and can_land(s, rules, seat + 1, second, NOWHERE, False)
    if s.reserve[seat]:
        return list_landings(choices, PLACE, first, can_first, second, can_second)
    for index in range(s.on_board[seat]):
        spot = np.int64(s.spots[seat, index])
        if (can_first and spot != first) or (can_second and spot != second):
            choices.actions[number] = LIFT + spot
            number += 1
    return number


@kernel
def list_landings(choices, code, first, can_first, second, can_second):
    number = 0
    if can_first:
        choices.actions[0] = code + first
        number = 1
    if can_second:
        choices.actions[number] = code + second
        number += 1
    return number


@kernel
def legal_landings(s, rules, choices):
    """Where the lifted piece can land: elsewhere (B6)."""
    piece, left = s.lifted_piece, s.lifted
    if piece == HAWK:
        choices.count = list_dots(s, rules, choices, 0, left)
    elif piece == CROW:
        choices.count = list_for_crow(s, rules, choices, 0, left, s.card == MOCK)
    else:
        first, second = rolled_spots(s)
        can_first = can_land(s, rules, piece, first, left, False)
        can_second = first != second and can_land(s, rules, piece, second, left, False)
        choices.count = list_landings(choices, PLACE, first, can_first, second, can_second)


@kernel
def place_piece(s, rules, piece, place):
    """A lifted piece, or else one from the reserve or supply, lands (Placing Birds, Crows, Hawks; B6)."""
    counter = BIRDS_PLACED if piece < CROW else CROWS_PLACED if piece == CROW else HAWKS_PLACED
    if s.lifted_piece == NOBODY:
        s.reserve[piece - 1] -= 1
    else:
        piece = set_down(s)
        counter += 1
    s.counters[s.active, counter] += 1
    if piece == HAWK:
        land_hawk(s, place)
    else:
        land(s, rules, piece, place)


# --- How To Win ---


@kernel
def end_turn(s, rules):
    """Flocks first (B3), then the cap (B28), then the next player clockwise."""
    forget_cards(s)
    look_for_flocks(s, rules)
    if s.winners:
        s.end_reason = WIN
    elif s.turns >= rules.turn_cap:
        s.end_reason = TURN_CAP
    else:
        seat = s.active + 1 if s.active + 1 < s.players else 0
        s.turns += 1
        s.rounds += seat == 0
        begin_turn(s, rules, seat)


@kernel
def look_for_flocks(s, rules):
    """The active player's, then those of the others clockwise; only of whose birds have moved (B3, B4)."""
    seat = s.active
    for _ in range(s.players):
        if (s.changed >> seat) & 1:
            s.changed ^= 1 << seat
            spot, shape = find_flock(s, rules, seat)
            if spot != NOWHERE:
                win(s, seat, spot, shape)
                if rules.several_flocks == ACTIVE_FIRST:
                    return
        if rules.win_check == ACTIVE:
            return
        seat = seat + 1 if seat + 1 < s.players else 0


@kernel
def win(s, seat, spot, shape):
    if s.winners == 0:
        s.flock_seat, s.flock_spot, s.flock_shape = seat, spot, shape
    s.winners |= 1 << seat
    s.counters[seat, WON_SHAPE + (shape != SQUARE)] = 1
    s.counters[seat, WON_OWN_TURN if seat == s.active else WON_OTHER_TURN] = 1
    s.counters[seat, FLOCK_AT] = 100 * digit(spot // WIDTH) + 10 * digit(spot % WIDTH) + shape + 1
    if seat == s.active and s.last_card != NO_CARD:
        s.counters[seat, WON_WITH + s.last_card] = 1


@kernel
def digit(line):
    """The digit of a row or column: 8, 1 to 7, 9 (B1)."""
    return 8 if line == 1 else 9 if line == 9 else line - 1


@kernel
def score(s, rules):
    """1 for who has a flock, else nothing."""
    for seat in range(s.players):
        s.score[seat] = (s.winners >> seat) & 1
        s.standing[seat] = s.score[seat]


@kernel
def redeal(s, rules, seat):
    """Every seat sees everything but the dice to come."""
    s.streams[DICE] = next_word(s.streams, REDEAL)
