"""The parts of a bird's card and what they do, but for flying. Sections are cited by name, rulings as K1..K28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .flights import can_fly
from .state import (
    ACT,
    ACTIVATED,
    ADD,
    BONUS,
    BONUS_ACTIONS,
    BOTTOM,
    END,
    EXCHANGE,
    FLIGHT,
    FLY,
    GRAZE,
    GRAZED,
    GRAZING,
    LEAD,
    LEAD_BIRD,
    LEADS,
    MAIN,
    MAP,
    NAVIGATE,
    NAVIGATES,
    NO_CARD,
    PLACES,
    PLAYED,
    REMOVE,
    ROW,
    SLIDE_ROW,
    STOP,
    SWAP,
    SWAPPING,
    SWAPS,
    TERRAIN_SHOWN,
    TOP,
    USE,
    close_up,
    draw_terrain,
    extend_path,
    identified,
    in_flock,
    note,
    remove_birds,
    size,
    slot_of,
)

# --- Actions, Bonus Action & Bonus Terrain ---


@kernel
def legal_acts(s, rules, choices):
    """What the card just played and the lead bird that it activates may still do, or the end of it (K2, K14)."""
    count = list_parts(s, rules, choices, np.int64(0), PLAYED)
    count = list_parts(s, rules, choices, count, ACTIVATED)
    choices.actions[count] = END
    choices.count = count + 1


@kernel
def list_parts(s, rules, choices, count, bird):
    """A bird's main action and its bonus actions, equal ones once, while it is in the flock."""
    card = bird_in_use(s, rules, bird)
    if not in_flock(s, card):
        return count
    action = np.int64(rules.main[card])
    choices.actions[count] = part_code(bird, MAIN, action)
    count += s.used[bird, MAIN] == 0 and does_something(s, rules, action)
    if identified(s, rules, s.seat, card):
        listed = 0
        for number in range(rules.bonuses[card]):
            action = np.int64(rules.bonus_actions[card, number])
            if not s.used[bird, BONUS] >> number & 1 and not listed >> action & 1:
                choices.actions[count] = part_code(bird, BONUS, action)
                count += does_something(s, rules, action)
                listed |= 1 << action
    return count


@kernel
def bird_in_use(s, rules, bird):
    """The card just played; or the lead bird that its Lead has activated or, in the flock itself, would (K15)."""
    if bird == PLAYED or s.bird[ACTIVATED] != NO_CARD:
        return np.int64(s.bird[bird])
    played = np.int64(s.bird[PLAYED])
    if rules.main[played] == LEAD and in_flock(s, played):
        return np.int64(s.flock[s.seat, LEAD_BIRD])
    return NO_CARD


@kernel
def part_code(bird, part, action):
    return USE + bird * 16 + part * 8 + action


@kernel
def does_something(s, rules, action):
    """Whether an action would change anything (K2). A Lead begins with a part of the lead bird, never by itself."""
    if action == FLY:
        return can_fly(s, rules)
    if action == NAVIGATE:
        return s.terrain_shown_count > 0
    if action == SWAP:
        return size(s, s.seat) > 1
    return action == GRAZE


@kernel
def act(s, rules, action):
    """Use one part; the first of the lead bird's fixes which bird that is (K15)."""
    bird, part, kind = action >> 4 & 1, action >> 3 & 1, action & 7
    if bird == ACTIVATED and s.bird[ACTIVATED] == NO_CARD:
        s.bird[ACTIVATED] = s.flock[s.seat, LEAD_BIRD]
        s.used[PLAYED, MAIN] = 1
        s.counters[s.seat, LEADS] += 1
    if part == MAIN:
        s.used[bird, MAIN] = 1
    else:
        use_bonus(s, rules, bird, kind)
    if kind == FLY:
        s.kind = FLIGHT
    elif kind == NAVIGATE:
        s.kind = MAP
    elif kind == GRAZE:
        s.kind = GRAZING
    else:
        s.kind = SWAPPING


@kernel
def use_bonus(s, rules, bird, kind):
    """The first unused bonus action of that kind."""
    card, number = s.bird[bird], 0
    while rules.bonus_actions[card, number] != kind or s.used[bird, BONUS] >> number & 1:
        number += 1
    s.used[bird, BONUS] |= 1 << number
    s.counters[s.seat, BONUS_ACTIONS] += 1


# --- Navigate ---


@kernel
def legal_terrain(s, choices):
    for slot in range(s.terrain_shown_count):
        choices.actions[slot] = ADD + np.int64(s.terrain_shown[slot])
    choices.count = s.terrain_shown_count


@kernel
def navigate(s, card):
    """A terrain card to the path; a new one to its slot, or the display closes up (Navigate; K19)."""
    slot = slot_of(s.terrain_shown[:], card)
    extend_path(s, card)
    s.counters[s.seat, NAVIGATES] += 1
    if s.terrain_deck_count:
        s.terrain_shown[slot] = draw_terrain(s)
        note(s, TERRAIN_SHOWN, 0, s.terrain_shown[slot])
    else:
        s.terrain_shown_count -= 1
        close_up(s.terrain_shown[:], slot, s.terrain_shown_count)
    s.kind = ACT


# --- Graze ---


@kernel
def legal_grazers(s, rules, choices):
    """Birds behind those already chosen, or an end of it once there is one (K13)."""
    count, plain = 0, has_plain(s, rules, s.chosen)
    for place in range(PLACES):
        if s.chosen >> place == 0:
            choices.actions[count] = REMOVE + place
            count += may_graze(s, rules, place, plain)
    if s.chosen:
        choices.actions[count] = STOP
        count += 1
    choices.count = count


@kernel
def has_plain(s, rules, places):
    """Whether one of these birds has no graze icon, not even as a bonus."""
    plain = 0
    for place in range(PLACES):
        if places >> place & 1:
            plain |= 1 - rules.grazes[s.flock[s.seat, place]]
    return plain == 1


@kernel
def may_graze(s, rules, place, plain):
    """A bird with the graze icon, or any if no other of those chosen is without (Graze; K13)."""
    card = s.flock[s.seat, place]
    return card != NO_CARD and (rules.grazes[card] or not plain)


@kernel
def graze(s, rules, action):
    """Choose one more; all leave together when there is none to choose, or at the player's word."""
    if action != STOP:
        s.chosen |= 1 << (action - REMOVE)
        plain = has_plain(s, rules, s.chosen)
        for place in range(PLACES):
            if s.chosen >> place == 0 and may_graze(s, rules, place, plain):
                return
    for place in range(PLACES):
        s.counters[s.seat, GRAZED] += s.chosen >> place & 1
    chosen = s.chosen
    s.chosen = 0
    remove_birds(s, rules, chosen)


@kernel
def legal_slides(s, choices):
    """A row that is not empty, to make a new lead bird (Graze; K12)."""
    count = 0
    for row in (TOP, BOTTOM):
        choices.actions[count] = SLIDE_ROW + row
        count += s.row[s.seat, row] > 0
    choices.count = count


@kernel
def slide(s, row):
    me, first = s.seat, row * ROW + 1
    s.flock[me, LEAD_BIRD] = s.flock[me, first]
    left = np.int64(s.row[me, row]) - 1
    s.row[me, row] = left
    close_up(s.flock[me], first, first + left)
    s.flock[me, first + left] = NO_CARD
    s.kind = ACT


# --- Swap ---


@kernel
def legal_swaps(s, choices):
    """Any two birds (K16)."""
    count = 0
    for place in range(PLACES):
        for other in range(place + 1, PLACES):
            choices.actions[count] = EXCHANGE + place * 8 + other
            count += s.flock[s.seat, place] != NO_CARD and s.flock[s.seat, other] != NO_CARD
    choices.count = count


@kernel
def swap(s, place, other):
    cards = s.flock[s.seat]
    card = cards[place]
    cards[place] = cards[other]
    cards[other] = card
    s.counters[s.seat, SWAPS] += 1
    s.kind = ACT
