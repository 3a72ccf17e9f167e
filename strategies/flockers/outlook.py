"""What a sketched turn is worth: how far the token is, and what the flock can do next."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.flockers.state import (
    DECOY,
    FLY,
    GRAZE,
    LEAD,
    LEAD_BIRD,
    NO_ACTION,
    NO_CARD,
    ROW,
    STOP_AT_MISMATCH,
    STOP_FLIGHT,
)

from .sketches import (
    action_of,
    bird_at,
    bird_in_use,
    birds_of,
    extended,
    flock_of,
    geese_in,
    identifies,
    parts_of,
    path_ahead,
    row_length,
)
from .weights import (
    ARRIVAL,
    BONUSES_READY,
    DISTANCE,
    FLIGHT_AHEAD,
    FLIGHT_LATER,
    GRAZE_ICONS,
    GRAZE_READY,
    KIN,
    LEAD_READY,
    MET_DECOY,
    NAVIGATING,
    RIVAL_FLIGHT,
    ROOM,
    RUNWAY,
    SWAPPING,
    TIE_BREAK,
)


@kernel
def value(s, rules, weights, k):
    """What a sketch is worth if the turn's other flights are flown and its other grazes make room."""
    geese = geese_in(rules, k.flock)
    birds, distance, ahead = birds_of(geese), k.distance, k.ahead
    flights, grazes = parts_left(rules, k, geese) if k.open else (0, 0)
    birds -= grazes > 0 and birds > 1
    steps, longer = 0, 0
    for _ in range(flights + 1):
        distance += steps
        ahead >>= 4 * steps
        steps, longer = furthest(rules, k.flock, geese, ahead, k.icons)
    score = weights[DISTANCE] * distance + deeds_worth(s, rules, weights, k)
    if distance >= rules.final_card:
        score += weights[ARRIVAL]
    elif not s.ending and birds < rules.flock_size:
        score += weights[RUNWAY] * min(3, k.path - distance - longer)
        flight = weights[FLIGHT_AHEAD] * longer if k.flies else weights[FLIGHT_LATER] * steps
        score += 0.5 * flight if k.met == DECOY else flight
        return score + flock_worth(rules, weights, k, geese, rules.flock_size - birds)
    return score + weights[TIE_BREAK] * (birds + 0.1 * most_kin(geese))


@kernel
def parts_left(rules, k, geese):
    """Flights and grazes that the turn still allows."""
    flights, grazes = 0, 0
    for bird in range(2):
        card = bird_in_use(rules, k, bird)
        if card >= 0:
            for part in range(parts_of(rules, geese, card)):
                if not k.used >> (8 * bird + part) & 1:
                    action = action_of(rules, card, part)
                    flights += action == FLY
                    grazes += action == GRAZE
    return flights, grazes


@kernel
def deeds_worth(s, rules, weights, k):
    """What has been done and met on the way."""
    score = weights[SWAPPING] * k.swaps
    if k.met:
        score += weights[MET_DECOY + k.met - DECOY]
    if k.added != NO_CARD:
        score += weights[NAVIGATING]
        if weights[RIVAL_FLIGHT] != 0.0:
            score += weights[RIVAL_FLIGHT] * rival_gain(s, rules, k.added)
    return score


@kernel
def flock_worth(rules, weights, k, geese, free):
    """What a flock with so many free places is good for in turns to come."""
    full = 1.0 / (1 + free)
    score = weights[ROOM] * (1.0 - full) + weights[KIN] * most_kin(geese)
    if k.grazes:
        score += weights[GRAZE_READY] * full
    if k.leads and k.flock:
        score += weights[LEAD_READY] * lead_worth(rules, geese, bird_at(k.flock, LEAD_BIRD))
    score += weights[GRAZE_ICONS] * (geese >> 40)
    return (
        score + weights[BONUSES_READY] * bonuses_in(rules, geese, k.flock) if weights[BONUSES_READY] != 0.0 else score
    )


@kernel
def most_kin(geese):
    """Geese of the most frequent type."""
    return max(geese & 255, geese >> 8 & 255, geese >> 16 & 255, geese >> 24 & 255)


@kernel
def lead_worth(rules, geese, card):
    """Actions of a lead bird that a Lead would activate."""
    action = rules.main[card]
    actions = np.int64(action not in (NO_ACTION, LEAD))
    return actions + rules.bonuses[card] * np.int64(identifies(rules, geese, card))


@kernel
def bonuses_in(rules, geese, flock):
    """Bonus terrain and bonus actions that the flock identifies."""
    bonuses = 0
    while flock:
        card = (flock & 255) - 1
        if card >= 0 and rules.identify[card] and identifies(rules, geese, card):
            bonuses += np.int64(rules.all_icons[card]) - rules.top_icons[card] + rules.bonuses[card]
        flock >>= 8
    return bonuses


# --- flights ---


@kernel
def furthest(rules, flock, geese, ahead, icons):
    """Cards that the better row covers, and that with a bird more at its end, of the terrain given as bits."""
    most, longer = 0, 0
    if ahead:
        for row in range(2):
            steps, _, rest = flight(rules, flock, geese, row, ahead)
            most = max(most, steps)
            longer = max(longer, steps + (rest & icons > 0 and row_length(flock, row) < ROW))
    return most, longer


@kernel
def flight(rules, flock, geese, row, ahead):
    """Cards covered along a row, and the terrain on each, two bits a card (Fly; K3 to K7); what is then ahead.

    Nothing is ahead of a flight that a bird has ended.
    """
    birds = flock & 255 | (flock >> (8 + 8 * ROW * row) & 0xFFFFFF) << 8
    steps, spaces, begun = 0, 0, False
    while birds:
        card = (birds & 255) - 1
        icons = np.int64(rules.all_icons[card] if identifies(rules, geese, card) else rules.top_icons[card])
        if icons == 0 and begun and rules.iconless == STOP_FLIGHT:
            return steps, spaces, 0
        for number in range(icons):
            icon = np.int64(rules.icons[card, number])
            if ahead >> icon & 1:
                spaces |= icon << 2 * steps
                steps += 1
                ahead >>= 4
            elif rules.mismatch == STOP_AT_MISMATCH:
                return steps, spaces, 0
            begun = True
        birds >>= 8
    return steps, spaces, ahead


@kernel
def rival_gain(s, rules, card):
    """Cards by which a terrain card at the path's end lengthens the others' flights, each on average."""
    gain = 0
    for seat in range(s.players):
        if seat != s.seat and not s.out >> seat & 1:
            flock, ahead = flock_of(s, seat), path_ahead(s, rules, seat)
            geese, left = geese_in(rules, flock), s.path_length - np.int64(s.distance[seat])
            longer = furthest(rules, flock, geese, extended(rules, ahead, left, card), np.int64(0))[0]
            gain += max(0, longer - left)
    return gain / max(1, s.players - 1)
