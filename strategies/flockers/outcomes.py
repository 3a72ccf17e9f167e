"""All that may come of a choice within the turn, each outcome a sketch: flights with what is met, grazes and so on."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flockers.state import (
    ACT,
    ACTIVATED,
    ADD,
    BALD_EAGLE,
    DRAW,
    END,
    EXCHANGE,
    FLIGHT,
    FLY,
    FLY_TO,
    FOX,
    GRAZE,
    GRAZING,
    JUVENILE_WHITE,
    LEAD,
    LEAD_BIRD,
    MAP,
    NAVIGATE,
    NO_CARD,
    NORTH_WIND,
    PLACES,
    PLAY,
    PREY,
    REMOVE,
    REPLENISH,
    ROW,
    STOP,
    SWAP,
    SWAPPING,
    TAKE,
    WIND,
)

from .outlook import flight
from .sketches import (
    ADDED,
    FIRST,
    MET,
    NOW,
    USED,
    action_of,
    bird_at,
    bird_in_use,
    copy,
    extended,
    geese_in,
    look_at_hand,
    parts_of,
    row_length,
    slid,
    swapped,
    with_bird,
    without,
)


@kernel
def list_outcomes(s, rules, desk, action):
    """Put what an action may lead to on the desk; returns where the list ends."""
    end = np.int64(FIRST)  # a plain constant would make numba compile all that takes it once more
    if s.kind == PLAY:
        add_bird(s, rules, desk, action // 3, action % 3)
        return list_uses(s, rules, desk, end)
    if s.kind == REPLENISH and action != DRAW:
        return list_next_uses(s, rules, desk, end, action - TAKE)
    copy(desk, USED, NOW)
    copy(desk, end, NOW)
    if s.kind == REPLENISH or action == END:
        desk[end].open = 0
        return end + 1
    if s.kind == ACT:
        return list_act(s, rules, desk, end, action)
    return list_answers(s, rules, desk, end, action)


@kernel
def list_answers(s, rules, desk, end, action):
    """What an action, an encounter or a vacant lead asks."""
    if s.kind == GRAZING:
        place = np.int64(PLACES if action == STOP else action - REMOVE + 1)
        chosen = s.chosen if action == STOP else s.chosen | 1 << (action - REMOVE)
        return list_grazes(rules, desk, end, chosen, place)
    if s.kind in (FLIGHT, WIND):
        return list_landing(s, rules, desk, end, (action - FLY_TO) >> 2, action & 3)
    if s.kind == MAP:
        return list_map(rules, desk, end, action - ADD)
    if s.kind == SWAPPING:
        return list_swap(desk, end, (action - EXCHANGE) >> 3, action & 7)
    if s.kind == PREY:
        return list_leaving(desk, end, 1 << (action - REMOVE))
    desk[end].flock = slid(desk[end].flock, action & 1)
    return end + 1


# --- playing a card, this turn or next ---


@kernel
def add_bird(s, rules, desk, card, to):
    copy(desk, ADDED, NOW)
    k = desk[ADDED]
    k.flock = with_bird(k.flock, card, to)
    k.played, k.activated, k.used, k.open = card, NO_CARD, 0, 1
    look_at_hand(s, rules, k, card)


@kernel
def list_next_uses(s, rules, desk, end, card):
    """What a card could do next turn, as the flock stands."""
    flock = desk[NOW].flock
    for to in range(3):
        if (to == LEAD_BIRD) == (flock == 0) and (to == LEAD_BIRD or row_length(flock, to - 1) < ROW):
            add_bird(s, rules, desk, card, to)
            end = list_uses(s, rules, desk, end)
    return end


@kernel
def list_uses(s, rules, desk, end):
    """The turn ends with the bird added, or a part of it comes next."""
    copy(desk, end, ADDED)
    desk[end].open = 0
    end += 1
    k = desk[ADDED]
    geese = geese_in(rules, k.flock)
    for bird in range(2):
        card = bird_in_use(rules, k, bird)
        if card >= 0:
            listed = 0
            for part in range(parts_of(rules, geese, card)):
                action = action_of(rules, card, part)
                if not listed >> action & 1 and not k.used >> (8 * bird + part) & 1:
                    end = list_use(s, rules, desk, end, bird * 8 + part)
                    listed |= 1 << action
    return end


@kernel
def list_act(s, rules, desk, end, action):
    """A part is used."""
    copy(desk, ADDED, NOW)
    k = desk[ADDED]
    bird, part = action >> 4 & 1, action >> 3 & 1
    if part:
        card = bird_in_use(rules, k, bird)
        while k.used >> (8 * bird + part) & 1 or action_of(rules, card, part) != action & 7:
            part += 1
    return list_use(s, rules, desk, end, bird * 8 + part)


@kernel
def list_use(s, rules, desk, end, number):
    """What comes of a part of a bird, numbered as the bits of `used`; the first of a lead bird fixes it (K15)."""
    copy(desk, USED, ADDED)
    k = desk[USED]
    card = bird_in_use(rules, k, number >> 3)
    action = action_of(rules, card, number & 7)
    if number >> 3 == ACTIVATED:
        k.activated = card
        k.used |= 1
    k.used |= 1 << number
    k.open = rules.bonuses[k.played] > 0 or rules.main[k.played] == LEAD
    if action == FLY:
        return list_flights(s, rules, desk, end)
    if action == NAVIGATE:
        for slot in range(s.terrain_shown_count):
            end = list_map(rules, desk, end, np.int64(s.terrain_shown[slot]))
    elif action == GRAZE:
        end = list_grazes(rules, desk, end, np.int64(0), np.int64(0))
    elif action == SWAP:
        end = list_swaps(desk, end)
    return end


# --- the actions ---


@kernel
def list_flights(s, rules, desk, end):
    """Every space that a row reaches."""
    k = desk[USED]
    geese = geese_in(rules, k.flock)
    other_steps, other_spaces = 0, 0
    for row in range(2):
        steps, spaces, _ = flight(rules, k.flock, geese, row, k.ahead)
        for step in range(steps):
            terrain = spaces >> 2 * step & 3
            if step >= other_steps or other_spaces >> 2 * step & 3 != terrain:
                end = list_landing(s, rules, desk, end, k.distance + step + 1, terrain)
        other_steps, other_spaces = steps, spaces
    return end


@kernel
def list_map(rules, desk, end, card):
    """A terrain card at the end of the path."""
    copy(desk, end, USED)
    k = desk[end]
    k.ahead = extended(rules, k.ahead, k.path - k.distance, card)
    k.path += 1
    k.added = card
    return end + 1


@kernel
def list_grazes(rules, desk, end, chosen, after):
    """Those chosen, and any from that place on that may leave with them (K13)."""
    flock, plain, graze = desk[USED].flock, 0, 0
    for place in range(PLACES):
        card = bird_at(flock, place)
        if card >= 0:
            graze |= np.int64(rules.grazes[card]) << place
            plain |= np.int64(1 - rules.grazes[card]) << place
    others, more = (graze | plain) >> after << after, 0
    while True:
        dull = (chosen | more) & plain
        if chosen | more and dull & (dull - 1) == 0:
            copy(desk, end, USED)
            end = list_leaving(desk, end, chosen | more)
        more = more - others & others  # the next of all sets of the others
        if more == 0:
            return end


@kernel
def list_leaving(desk, end, places):
    """Birds leave the flock of the sketch at the end; a row slides, if one has to (K12)."""
    flock = without(desk[end].flock, places)
    if flock & 255 or flock == 0:
        desk[end].flock = flock
        return end + 1
    first = end
    for row in range(2):
        if row_length(flock, row):
            copy(desk, end, first)
            desk[end].flock = slid(flock, row)
            end += 1
    return end


@kernel
def list_swaps(desk, end):
    flock = desk[USED].flock
    for place in range(PLACES):
        if bird_at(flock, place) >= 0:
            for other in range(place + 1, PLACES):
                if bird_at(flock, other) >= 0:
                    end = list_swap(desk, end, place, other)
    return end


@kernel
def list_swap(desk, end, place, other):
    copy(desk, end, USED)
    k = desk[end]
    k.flock = swapped(k.flock, place, other)
    k.swaps = 1
    return end + 1


# --- encounters ---


@kernel
def list_landing(s, rules, desk, end, distance, terrain):
    """The token moves to a space, and meets what is there."""
    copy(desk, end, USED)
    k = desk[end]
    k.ahead >>= 4 * (distance - k.distance)
    k.distance = distance
    card = np.int64(s.path[distance - 1])
    k.met = rules.encounter[card, terrain]
    if k.met == FOX:
        return list_prey(desk, end)
    if k.met == BALD_EAGLE:
        return list_leaving(desk, end, young_in(rules, k.flock))
    if k.met == NORTH_WIND and distance < k.path:
        k.ahead >>= 4
        k.distance += 1
    return end + 1


@kernel
def list_prey(desk, end):
    """The fox takes any one bird."""
    copy(desk, MET, end)
    for place in range(PLACES):
        if bird_at(desk[MET].flock, place) >= 0:
            copy(desk, end, MET)
            end = list_leaving(desk, end, 1 << place)
    return end


@kernel
def young_in(rules, flock):
    """The places of the juvenile birds, as bits."""
    young = 0
    for place in range(PLACES):
        card = bird_at(flock, place)
        if card >= 0 and rules.goose[card] >= JUVENILE_WHITE:
            young |= 1 << place
    return young
