"""4 the Birds in the rulebook's order: set-up, turns, dice, the end. Sections are cited by name, rulings as B1..B28.

state.py holds the record and its codes, pecking.py how birds land and displace, crows.py, hawks.py and cards.py what
those do, flocks.py who wins.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import DEADLOCK, RUNNING, TURN_CAP, WIN
from ...streams import DECK, DICE, MAX_SEATS, REDEAL, below, next_word
from .cards import fly, is_useful, legal_by_card, legal_flights, note_flown, play
from .crows import a_crow_can, list_crows, list_for_crow
from .flocks import SQUARE, find_flock
from .hawks import (
    a_dot_is_free,
    ask_to_scatter,
    land_hawk,
    legal_hawks,
    legal_scatter,
    list_dots,
    scatter,
)
from .pecking import can_land, land, legal_ways, slide
from .state import (
    ACTIVE,
    ACTIVE_FIRST,
    BIRDS_PLACED,
    CARDS,
    CARDS_REGAINED,
    CELLS,
    CHOOSE,
    COUNTERS,
    CROW,
    CROW_AT,
    CROW_TO,
    CROWS_PLACED,
    DISPLACE,
    DISPLACE_TO,
    DONE,
    DONE_WITH,
    DOUBLES,
    EMPTY,
    FLOCK,
    FLOCK_AT,
    FLOCKING,
    FLY,
    FLY_TO,
    HAWK,
    HAWK_AT,
    HAWK_TO,
    HAWKS_PLACED,
    HAWKS_REMOVED,
    LAND,
    LIFT,
    LIFT_CROW,
    LIFT_HAWK,
    LISTED,
    MOCK,
    MORE_ROLLS,
    NO_CARD,
    NOBODY,
    NOWHERE,
    PIECES,
    PLACE,
    PLACE_CROW,
    PLACE_HAWK,
    PLAY,
    RE_ROLLED,
    RE_ROLLS,
    REGAINED,
    REMOVE_HAWK,
    ROLL,
    ROLLED,
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
    put,
    set_down,
    take,
)

# --- Set Up ---


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


# --- On Your Turn ---


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


# --- what chance did, for traces ---


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
