"""Flock in the rulebook's order: set-up, turns, the end. Sections are cited by name, rulings as F1..F31.

state.py holds the record and its codes, cards.py and competition.py what an activated card does.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...counts import EMPTY, ONE, ONES, at_least, one
from ...layout import DEADLOCK, RUNNING
from .cards import (
    defer,
    lead,
    legal_deferrals,
    legal_performances,
    legal_returns,
    perform,
    send_home,
)
from .competition import (
    give_up,
    legal_losses,
    legal_payments,
    legal_relocations,
    next_upkeep,
    pay,
    spread,
)
from .state import (
    ACT,
    ACTIVATE,
    ACTIVATED,
    BEST_SPACE,
    COMPETITION,
    DEFER,
    DO,
    DOMINANCE,
    EGGS_LEFT,
    FEEDING,
    FLOCKS,
    FORCE_COMPETITION,
    GIVE_UP,
    HATCHING,
    NESTS_LEFT,
    NO_CARD,
    NOBODY,
    PASS,
    PASSES,
    PAY_FOR,
    PERFORM,
    PLACE,
    POOL,
    RETURN,
    SEND_HOME,
    STOCK,
    UPKEEP,
    WORMS_LEFT,
    ask,
    begin_action,
    end_action,
    in_play,
    move,
    order_by_birds,
    order_by_turn,
    same_turn,
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
        legal_payments(s, rules, choices)
    elif s.kind == GIVE_UP:
        legal_losses(s, choices)
    else:
        legal_relocations(s, choices)


@kernel
def apply(s, rules, action):
    if s.kind == ACT:
        act(s, rules, action)
    elif s.kind == PERFORM:
        perform(s, rules, (action - DO) >> 4, action & 15)
    elif s.kind == DEFER:
        defer(s, rules, action)
    elif s.kind == SEND_HOME:
        send_home(s, rules, action - RETURN)
    elif s.kind == UPKEEP:
        pay(s, rules, action - PAY_FOR)
    elif s.kind == GIVE_UP:
        give_up(s, rules, action & 15)
    else:
        spread(s, rules, action & 15)


# --- Taking a Turn ---


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
def standings(s, rules, now):
    """VP so far."""
    for seat in range(s.players):
        now[seat] = s.vp[seat]


@kernel
def redeal(s, rules, seat):
    """Every seat sees everything."""
