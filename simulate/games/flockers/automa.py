"""The automa of solo play. Sections are cited by name, rulings as K1..K28."""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from .state import (
    ADDED,
    AUTOMA,
    AUTOMA_TAKES,
    AUTOMA_WAITS,
    BANDS,
    MARGIN,
    RIGHTMOST,
    discard,
    draw_terrain,
    extend_path,
    note,
    refill,
)

# --- Automa Player's Turn ---


@kernel
def automa_turn(s, rules):
    """The card that flies it furthest is discarded and the path grows (K26). Returns how far, 0 if none matches."""
    best, slot = np.int64(0), np.int64(0)
    for number in range(s.shown_count):
        flown = automa_reach(s, rules, np.int64(s.shown[number]))
        if flown > best or (flown == best and rules.automa_tie == RIGHTMOST):
            best, slot = flown, number
    if best == 0:
        note(s, AUTOMA_WAITS, 0, 0)
        return 0
    card = np.int64(s.shown[slot])
    note(s, AUTOMA_TAKES, best, card)
    s.terrain[AUTOMA] = landing(s, rules, card, best)
    s.distance[AUTOMA] += best
    discard(s, card)
    if s.terrain_deck_count:
        extend_path(s, draw_terrain(s))
        note(s, ADDED, 0, np.int64(s.path[s.path_length - 1]))
    refill(s, slot)
    return best


@kernel
def automa_reach(s, rules, card):
    """By the top icon or by the bottom ones, whichever leads further, never by both (K26)."""
    top = np.int64(rules.top_icons[card])
    flown = matches(s, rules, card, np.int64(0), top)
    if rules.automa_bottom_icons:
        flown = max(flown, matches(s, rules, card, top, np.int64(rules.all_icons[card])))
    return flown


@kernel
def matches(s, rules, card, first, end):
    """How many of a card's icons from `first` to before `end` match the cards ahead, one after the other."""
    ahead, count = np.int64(s.distance[AUTOMA]), 0
    while first + count < end and ahead + count < s.path_length:
        if not rules.spaces[s.path[ahead + count]] >> rules.icons[card, first + count] & 1:
            break
        count += 1
    return count


@kernel
def landing(s, rules, card, flown):
    """The terrain that it comes to stand on: the top icon's where that leads as far."""
    top = np.int64(rules.top_icons[card])
    if matches(s, rules, card, np.int64(0), top) == flown:
        return rules.icons[card, 0]
    return rules.icons[card, top + flown - 1]


# --- Solo Win & Final Score ---


@kernel
def score_solo(s, rules):
    """Ahead of the automa, the own position and the cards between count (K28)."""
    mine, theirs = np.int64(s.distance[0]), np.int64(s.distance[AUTOMA])
    s.standing[0] = 2 * mine + rules.solo_tie_wins
    s.rival = 2 * theirs + 1
    s.score[0] = mine + max(mine - theirs - 1, 0) if s.standing[0] >= s.rival else 0
    s.counters[0, MARGIN] = mine - theirs
    reached = 0
    for band in range(len(rules.solo_bands)):
        s.counters[0, BANDS + band] = 0
        reached += s.score[0] >= rules.solo_bands[band]
    if reached:
        s.counters[0, BANDS + reached - 1] = 1
