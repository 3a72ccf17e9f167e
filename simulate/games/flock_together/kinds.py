"""Kinds of action that a strategy can be kept from (Game.action_kinds)."""

from __future__ import annotations

from ...compiled import kernel
from .parameters import SPECIES_WORDS
from .rules import DRAW_NO, DRAW_YES, FLY_NONE, FLY_SPECIES, RIGHT, SPECIES

ACTION_KINDS = {
    "lay-left": "lays cards at the left end of a row",
    "lay-right": "lays cards at the right end of a row",
    "draw": "draws after catching nothing",
    "fly": "flies a flock",
    "fly-small": "flies a small flock",
    "fly-big": "flies a big flock",
    **{f"lay-{species}": f"lays {species}" for species in SPECIES_WORDS},
    **{f"fly-{species}": f"flies a flock of {species}" for species in SPECIES_WORDS},
}
_LAY_LEFT, _LAY_RIGHT, _DRAW, _FLY, _FLY_SMALL, _FLY_BIG, _LAY_SPECIES = range(7)
_FLY_KIND = _LAY_SPECIES + SPECIES


@kernel
def kinds(s, rules, action):
    if action < DRAW_NO:
        end = _LAY_RIGHT if action & 1 == RIGHT else _LAY_LEFT
        return 1 << end | 1 << (_LAY_SPECIES + (action >> 4))
    if action == DRAW_YES:
        return 1 << _DRAW
    if action > FLY_NONE:
        species = action - FLY_SPECIES
        big = s.hand[s.seat, species] >= rules.big_flock[species]
        return 1 << _FLY | 1 << (_FLY_BIG if big else _FLY_SMALL) | 1 << (_FLY_KIND + species)
    return 0
