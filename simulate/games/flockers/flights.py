"""Flying along the flock, and what is met at its end. Sections are cited by name, rulings as K1..K28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...streams import DICE
from .state import (
    ACT,
    BALD_EAGLE,
    BONUS_ICONS,
    BOTTOM,
    CHOOSE_SHAPE,
    DECOY,
    FELL,
    FLIGHTS,
    FLY_TO,
    FORM,
    FOX,
    JUVENILE_WHITE,
    LOST_TO_EAGLE,
    MET,
    NO_CARD,
    NO_ENCOUNTER,
    NORTH_WIND,
    PLACES,
    PREY,
    REMOVE,
    ROW,
    SHAPE,
    SPACES_FLOWN,
    STOP_AT_MISMATCH,
    STOP_FLIGHT,
    TOP,
    WIND,
    identified,
    note,
    remove_birds,
    shuffle,
    size,
)

# --- Fly ---


@kernel
def flight(s, rules, row):
    """The whole flight along the lead bird and a row of the seat to move (Fly; K3 to K7).

    Returns how many cards it covers, and for each, in three bits from the lowest on, the terrain that it flies to
    and whether the icon is a bonus.
    """
    me = s.seat
    ahead, left = np.int64(s.distance[me]), s.path_length - s.distance[me]
    steps, spaces, begun = 0, 0, False
    for bird in range(s.row[me, row] + 1):
        card = s.flock[me, row * ROW + bird if bird else 0]
        icons = active_icons(s, rules, me, card)
        if icons == 0 and begun and rules.iconless == STOP_FLIGHT:
            return steps, spaces
        for number in range(icons):
            if steps == left:
                return steps, spaces
            icon = np.int64(rules.icons[card, number])
            if rules.spaces[s.path[ahead + steps]] >> icon & 1:
                bonus = np.int64(number >= rules.top_icons[card])
                spaces |= (icon + 4 * bonus) << (3 * steps)
                steps += 1
            elif rules.mismatch == STOP_AT_MISMATCH:
                return steps, spaces
            begun = True
    return steps, spaces


@kernel
def active_icons(s, rules, seat, card):
    """How many icons of a bird count: its top icon, and those that it identifies (Bonus Terrain; K6, K7)."""
    return np.int64(rules.all_icons[card] if identified(s, rules, seat, card) else rules.top_icons[card])


@kernel
def can_fly(s, rules):
    return flight(s, rules, TOP)[0] > 0 or flight(s, rules, BOTTOM)[0] > 0


@kernel
def legal_flights(s, rules, choices):
    """Every space that some row reaches: a flight may stop short anywhere (K5)."""
    top_steps, top = flight(s, rules, TOP)
    bottom_steps, bottom = flight(s, rules, BOTTOM)
    count = 0
    for step in range(max(top_steps, bottom_steps)):
        reached = 0
        if step < top_steps:
            reached |= 1 << (top >> (3 * step) & 3)
        if step < bottom_steps:
            reached |= 1 << (bottom >> (3 * step) & 3)
        count = list_spaces(choices, count, s.distance[s.seat] + step + 1, reached)
    choices.count = count


@kernel
def list_spaces(choices, count, distance, terrains):
    """Append a flight to each of the terrains of a card, given as bits."""
    for terrain in range(4):
        choices.actions[count] = FLY_TO + np.int64(distance) * 4 + terrain
        count += terrains >> terrain & 1
    return count


@kernel
def fly(s, rules, distance, terrain):
    """To a space that is reached; along the top row if both rows reach it."""
    steps = distance - s.distance[s.seat]
    top_steps, top = flight(s, rules, TOP)
    along_top = steps <= top_steps and top >> (3 * (steps - 1)) & 3 == terrain
    spaces = top if along_top else flight(s, rules, BOTTOM)[1]
    for step in range(steps):
        s.counters[s.seat, BONUS_ICONS] += spaces >> (3 * step + 2) & 1
    s.counters[s.seat, FLIGHTS] += 1
    s.counters[s.seat, SPACES_FLOWN] += steps
    land(s, rules, distance, terrain)


# --- Encounters ---


@kernel
def land(s, rules, distance, terrain):
    """A move's last space, and at once its encounter (Encounters; K8)."""
    me = s.seat
    s.distance[me], s.terrain[me] = distance, terrain
    s.kind = ACT
    encounter = rules.encounter[s.path[distance - 1], terrain]
    if encounter == NO_ENCOUNTER:
        return
    s.counters[me, MET + encounter - DECOY] += 1
    if encounter == DECOY:
        take_cover(s, rules)
    elif encounter == FOX:
        s.kind = PREY
    elif encounter == BALD_EAGLE:
        lose_the_young(s, rules)
    elif encounter == NORTH_WIND and distance < s.path_length:
        s.kind = WIND


@kernel
def take_cover(s, rules):
    """A decoy: the player forms the flock unseen, or it keeps its shape (K10)."""
    if size(s, s.seat) > 1:
        if rules.decoy_shape == CHOOSE_SHAPE:
            s.kind = SHAPE
        else:
            scatter(s, np.int64(s.row[s.seat, TOP]), np.int64(s.row[s.seat, BOTTOM]))


@kernel
def legal_shapes(s, choices):
    """Any proper formation: birds behind the lead, split over two rows."""
    behind, count = size(s, s.seat) - 1, 0
    for top in range(max(behind - ROW, 0), min(behind, ROW) + 1):
        choices.actions[count] = FORM + top * 4 + behind - top
        count += 1
    choices.count = count


@kernel
def scatter(s, top, bottom):
    """The flock, shuffled, in a formation with so many birds in its rows (Decoy; K10)."""
    me, birds = s.seat, size(s, s.seat)
    cards = s.flock[me]
    for i in range(1, s.row[me, BOTTOM] + 1):  # all side by side
        cards[s.row[me, TOP] + i] = cards[ROW + i]
    shuffle(cards[:birds], s.streams, np.int64(DICE))
    for i in range(bottom, 0, -1):
        cards[ROW + i] = cards[top + i]
    cards[top + 1 : ROW + 1] = NO_CARD
    cards[ROW + bottom + 1 :] = NO_CARD
    s.row[me, TOP], s.row[me, BOTTOM] = top, bottom
    s.kind = ACT
    for place in range(PLACES):
        if cards[place] != NO_CARD:
            note(s, FELL, place, cards[place])


@kernel
def legal_prey(s, choices):
    count = 0
    for place in range(PLACES):
        choices.actions[count] = REMOVE + place
        count += s.flock[s.seat, place] != NO_CARD
    choices.count = count


@kernel
def lose_the_young(s, rules):
    """The eagle takes every juvenile at once (Bald Eagle; K11)."""
    young = np.int64(0)
    for place in range(PLACES):
        card = s.flock[s.seat, place]
        if card != NO_CARD and rules.goose[card] >= JUVENILE_WHITE:
            young |= 1 << place
            s.counters[s.seat, LOST_TO_EAGLE] += 1
    remove_birds(s, rules, young)
