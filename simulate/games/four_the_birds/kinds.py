"""Kinds of action that a strategy can be kept from (Game.action_kinds)."""

from __future__ import annotations

from ...compiled import kernel
from .state import (
    CARDS,
    CROW_TO,
    HAWK_TO,
    LIFT,
    LIFT_CROW,
    LIFT_HAWK,
    PLACE,
    PLAY,
    REMOVE_HAWK,
    TOKEN_ON,
    TURN,
)

ACTION_KINDS = {
    **{f"play-{card}": f"plays {card.upper()}" for card in CARDS},
    "play-card": "plays an action card, whichever it is",
    "place-bird": "places a bird from the reserve by the roll",
    "relocate-bird": "relocates a bird on the board by the roll",
    "use-crow": "places or moves a crow by the roll",
    "use-hawk": "places, moves or removes a hawk by the roll",
    "remove-hawk": "removes a hawk from the board",
    "token": "places a token",
}
_PLAY_CARD, _PLACE_BIRD, _RELOCATE_BIRD, _USE_CROW, _USE_HAWK, _REMOVE_HAWK, _TOKEN = range(len(CARDS), len(CARDS) + 7)


@kernel
def kinds(s, rules, action):
    verb, by_roll = action & ~127, s.kind == TURN
    bits = 0
    if verb == PLAY:
        bits = 1 << (action & 127) | 1 << _PLAY_CARD
    elif verb == TOKEN_ON:
        bits = 1 << _TOKEN
    elif verb == REMOVE_HAWK:
        bits = 1 << _REMOVE_HAWK | by_roll << _USE_HAWK
    elif by_roll and verb == PLACE:
        bits = 1 << _PLACE_BIRD
    elif by_roll and verb == LIFT:
        bits = 1 << _RELOCATE_BIRD
    elif by_roll and verb in (CROW_TO, LIFT_CROW):
        bits = 1 << _USE_CROW
    elif by_roll and verb in (HAWK_TO, LIFT_HAWK):
        bits = 1 << _USE_HAWK
    return bits
