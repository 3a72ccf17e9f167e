"""Flockers in the rulebook's order: set-up, turns, the end. Sections are cited by name, rulings as K1..K28.

state.py holds the record and its codes, flights.py flying and encounters, acts.py the other actions, automa.py the
opponent of solo play.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import RUNNING, STUCK, TURN_CAP, WIN
from ...streams import DECK, DICE, REDEAL, next_word
from .acts import (
    act,
    graze,
    legal_acts,
    legal_grazers,
    legal_slides,
    legal_swaps,
    legal_terrain,
    navigate,
    slide,
    swap,
)
from .automa import automa_turn, score_solo
from .flights import (
    fly,
    land,
    legal_flights,
    legal_prey,
    legal_shapes,
    list_spaces,
    scatter,
)
from .state import (
    ACT,
    ADD,
    AUTOMA,
    DEALT,
    DISTANCE,
    DRAW,
    DRAWN,
    END,
    EXCHANGE,
    FLIGHT,
    FLOCK_SHUFFLED,
    FLOCK_SIZE,
    FLY_TO,
    GEESE,
    GRAZING,
    LEAD_BIRD,
    LOST_TO_FOX,
    MAP,
    NO_CARD,
    PATH_LENGTH,
    PLAY,
    PLAYED,
    PREY,
    REMOVE,
    REPLENISH,
    ROW,
    SHAPE,
    SHOWN,
    SLIDE,
    STARTS,
    SWAPPING,
    TAKE,
    TERRAIN_SHOWN,
    TERRAIN_SHUFFLED,
    TRIGGERED_END,
    TURNS,
    add_bird,
    draw,
    draw_terrain,
    extend_path,
    from_hand,
    note,
    refill,
    remove_birds,
    shuffle,
    size,
    slot_of,
    sort,
    to_hand,
)

# --- Setup ---


@kernel
def setup(s, rules):
    """Terrain, then hands, then the flock display (Setup)."""
    clear(s)
    for card in range(rules.flock_deck):
        s.pile[card] = card
    s.pile_count = rules.flock_deck
    shuffle(s.pile[: s.pile_count], s.streams, np.int64(DECK))
    note(s, FLOCK_SHUFFLED, 0, 0)
    flip_terrain(s, rules)
    for seat in range(s.players):
        for _ in range(rules.hand_size):
            card = draw(s)
            to_hand(s, seat, card, np.int64(0))
            note(s, DEALT, seat, card)
    for slot in range(rules.flock_display):
        s.shown[slot] = draw(s)
        note(s, SHOWN, 0, s.shown[slot])
    s.shown_count = rules.flock_display
    s.turns = 1
    s.rounds = 1
    begin_turn(s, np.int64(0))


@kernel
def clear(s):
    s.end_reason = RUNNING
    s.held[:] = 0
    s.flock[:] = NO_CARD
    s.row[:] = 0
    s.geese[:] = 0
    s.distance[:] = 0
    s.discard_count = 0
    s.path_length = 0
    s.chosen = 0
    s.out = 0
    s.ending = 0
    s.last = 0
    s.rival = 0
    s.counters[:] = 0


@kernel
def flip_terrain(s, rules):
    """The first card flipped with two terrains begins the path, the others are the display; else again (K20)."""
    for card in range(rules.terrain_deck):
        s.terrain_deck[card] = card
    start = NO_CARD
    while start == NO_CARD:
        shuffle(s.terrain_deck[: rules.terrain_deck], s.streams, np.int64(DICE))
        note(s, TERRAIN_SHUFFLED, 0, 0)
        start = first_start(s, rules)
    s.terrain_deck_count = rules.terrain_deck
    s.terrain_shown_count = 0
    for _ in range(rules.terrain_display + 1):
        card = draw_terrain(s)
        if card == start:
            extend_path(s, card)
            note(s, STARTS, 0, card)
        else:
            s.terrain_shown[s.terrain_shown_count] = card
            s.terrain_shown_count += 1
            note(s, TERRAIN_SHOWN, 0, card)


@kernel
def first_start(s, rules):
    """The first of the cards to be flipped that shows two terrains, or NO_CARD."""
    for flipped in range(1, rules.terrain_display + 2):
        card = s.terrain_deck[rules.terrain_deck - flipped]
        terrains = np.int64(rules.spaces[card])
        if terrains & (terrains - 1):
            return np.int64(card)
    return NO_CARD


# --- what the player to move may do ---


@kernel
def legal(s, rules, choices):
    if s.kind == PLAY:
        legal_plays(s, choices)
    elif s.kind == ACT:
        legal_acts(s, rules, choices)
    elif s.kind == REPLENISH:
        legal_replenishments(s, rules, choices)
    elif s.kind == FLIGHT:
        legal_flights(s, rules, choices)
    elif s.kind == MAP:
        legal_terrain(s, choices)
    elif s.kind == GRAZING:
        legal_grazers(s, rules, choices)
    elif s.kind == SWAPPING:
        legal_swaps(s, choices)
    else:
        legal_answers(s, rules, choices)


@kernel
def legal_answers(s, rules, choices):
    """What a vacant lead or an encounter asks."""
    if s.kind == SLIDE:
        legal_slides(s, choices)
    elif s.kind == SHAPE:
        legal_shapes(s, choices)
    elif s.kind == PREY:
        legal_prey(s, choices)
    else:  # WIND (K9)
        ahead = s.distance[s.seat]
        choices.count = list_spaces(choices, np.int64(0), ahead + 1, np.int64(rules.spaces[s.path[ahead]]))


@kernel
def apply(s, rules, action):
    if s.kind == PLAY:
        play(s, rules, action // 3, action % 3)
    elif s.kind == ACT:
        if action == END:
            end_actions(s, rules)
        else:
            act(s, rules, action)
    elif s.kind == REPLENISH:
        replenish(s, rules, action)
    elif s.kind == FLIGHT:
        fly(s, rules, (action - FLY_TO) >> 2, action & 3)
    elif s.kind == MAP:
        navigate(s, action - ADD)
    elif s.kind == GRAZING:
        graze(s, rules, action)
    elif s.kind == SWAPPING:
        swap(s, (action - EXCHANGE) >> 3, action & 7)
    else:
        answer(s, rules, action)


@kernel
def answer(s, rules, action):
    if s.kind == SLIDE:
        slide(s, action & 1)
    elif s.kind == SHAPE:
        scatter(s, action >> 2 & 3, action & 3)
    elif s.kind == PREY:
        s.counters[s.seat, LOST_TO_FOX] += 1
        remove_birds(s, rules, 1 << (action - REMOVE))
    else:
        land(s, rules, (action - FLY_TO) >> 2, action & 3)


# --- Playing a Turn: 1. Add a bird to your flock ---


@kernel
def begin_turn(s, seat):
    s.seat = seat
    s.kind = PLAY
    s.bird[:] = NO_CARD
    s.used[:] = 0


@kernel
def legal_plays(s, choices):
    """Any card: as the lead bird, or to the end of a row with room (K1)."""
    me, count = s.seat, 0
    leads = s.flock[me, LEAD_BIRD] == NO_CARD
    for at in range(s.held[me]):
        code = np.int64(s.hand[me, at]) * 3
        choices.actions[count] = code
        count += leads
        for row in range(2):
            choices.actions[count] = code + 1 + row
            count += not leads and s.row[me, row] < ROW
    choices.count = count


@kernel
def play(s, rules, card, to):
    me = s.seat
    from_hand(s, me, card)
    place = (to - 1) * ROW + s.row[me, to - 1] + 1 if to else LEAD_BIRD
    add_bird(s, rules, me, card, place)
    s.bird[PLAYED] = card
    s.counters[me, TURNS] += 1
    s.kind = ACT


@kernel
def end_actions(s, rules):
    """A full flock or a token at the final card is out and draws no card (1. Add a bird to your flock; K21, K22)."""
    me = s.seat
    arrived = s.distance[me] >= rules.final_card
    if not arrived and size(s, me) < rules.flock_size:
        begin_replenishing(s, rules)
        return
    s.out |= 1 << np.int64(me)
    if arrived and not s.ending:
        s.counters[me, TRIGGERED_END] = 1
        s.ending = 1
        s.last = still_in(s) if s.players > 1 else 1 << AUTOMA
    end_turn(s, rules)


@kernel
def still_in(s):
    """The seats that are not out, as bits."""
    return (1 << s.players) - 1 & ~s.out


# --- 2. Replenish your hand ---


@kernel
def begin_replenishing(s, rules):
    if s.shown_count or may_draw(s, rules):
        s.kind = REPLENISH
    else:
        end_turn(s, rules)


@kernel
def may_draw(s, rules):
    return rules.draw_from_deck and s.pile_count + s.discard_count > 0


@kernel
def legal_replenishments(s, rules, choices):
    for slot in range(s.shown_count):
        choices.actions[slot] = TAKE + np.int64(s.shown[slot])
    choices.actions[s.shown_count] = DRAW
    choices.count = s.shown_count + may_draw(s, rules)


@kernel
def replenish(s, rules, action):
    """One card from the display, or unseen from the deck where that is allowed (K17)."""
    if action == DRAW:
        card = draw(s)
        note(s, DRAWN, 0, card)
        to_hand(s, np.int64(s.seat), card, np.int64(0))
    else:
        slot = slot_of(s.shown[:], action - TAKE)
        to_hand(s, np.int64(s.seat), action - TAKE, np.int64(1))
        refill(s, slot)
    end_turn(s, rules)


# --- End of Game ---


@kernel
def end_turn(s, rules):
    if s.ending:
        s.last &= ~(1 << np.int64(s.seat))
    if s.players == 1:
        automa_plays(s, rules)
    pass_turn(s, rules)


@kernel
def automa_plays(s, rules):
    """Its turn, and if its opponent is out, more until no card matches (End of Solo Game; K22, K27)."""
    if s.ending:
        if s.last:
            automa_turn(s, rules)
            s.last = 0
        return
    while True:
        flown = automa_turn(s, rules)
        if s.distance[AUTOMA] >= rules.final_card:
            s.ending = 1
            s.last = still_in(s)
            return
        if flown == 0 or still_in(s):
            return


@kernel
def pass_turn(s, rules):
    """To the next seat that is in, or still has a final turn; a round ends when that passes seat 1 (K21, K22, K25)."""
    waiting = s.last if s.ending else still_in(s)
    if waiting == 0:
        s.end_reason = WIN if s.ending else STUCK
        return
    seat = (s.seat + 1) % s.players
    while not waiting >> seat & 1:
        seat = (seat + 1) % s.players
    if seat <= s.seat:
        if s.rounds >= rules.turn_cap and not s.ending:
            s.end_reason = TURN_CAP
            return
        s.rounds += 1
    s.turns += 1
    begin_turn(s, seat)


@kernel
def score(s, rules):
    """The furthest card, then the largest flock, then the most of one type (The Winner; K24); K28 in solo play."""
    for seat in range(s.players):
        birds, distance = size(s, seat), np.int64(s.distance[seat])
        most = 0
        for goose in range(4):
            s.counters[seat, GEESE + goose] = s.geese[seat, goose]
            most = max(most, np.int64(s.geese[seat, goose]))
        s.counters[seat, DISTANCE] = distance
        s.counters[seat, FLOCK_SIZE] = birds
        s.counters[seat, PATH_LENGTH] = s.path_length
        s.score[seat] = distance
        s.standing[seat] = (distance * 8 + birds) * 8 + most
    if s.players == 1:
        score_solo(s, rules)


@kernel
def standings(s, rules, now):
    """The card of the path that each token stands on."""
    for seat in range(s.players):
        now[seat] = s.distance[seat]


# --- hidden information ---


@kernel
def redeal(s, rules, seat):
    """Deal anew what `seat` cannot see: both decks, and the cards of other hands that nobody saw arrive.

    How these lay before makes no difference to how they lie then.
    """
    for other in range(s.players):
        if other != seat:
            for at in range(s.held[other]):
                if not s.seen[other, at]:
                    s.pile[s.pile_count] = s.hand[other, at]
                    s.pile_count += 1
    sort(s.pile[: s.pile_count])
    shuffle(s.pile[: s.pile_count], s.streams, np.int64(REDEAL))
    for other in range(s.players):
        if other != seat:
            new_hand(s, other)
    sort(s.terrain_deck[: s.terrain_deck_count])
    shuffle(s.terrain_deck[: s.terrain_deck_count], s.streams, np.int64(REDEAL))
    s.streams[DECK] = next_word(s.streams, REDEAL)
    s.streams[DICE] = next_word(s.streams, REDEAL)
    s.pile[s.pile_count :] = NO_CARD  # what once lay there is no more to be seen than what does


@kernel
def new_hand(s, seat):
    """Cards from the pile for those of a hand that nobody saw arrive."""
    cards = np.int64(s.held[seat])
    s.held[seat] = 0
    for at in range(cards):
        card, seen = np.int64(s.hand[seat, at]), np.int64(s.seen[seat, at])
        if not seen:
            s.pile_count -= 1
            card = np.int64(s.pile[s.pile_count])
        to_hand(s, seat, card, seen)
