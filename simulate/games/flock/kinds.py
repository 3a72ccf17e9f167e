"""Kinds of action that a strategy can be kept from (Game.action_kinds)."""

from __future__ import annotations

from ...compiled import kernel
from .state import ACTIVATE, CARDS, DO, FEEDING, LET_GO, MOVE_ALL, PASS, PAY_FOR, RETURN, SECOND_SPACE, SPREAD

ACTION_KINDS = {
    **{f"use-{card}": f"places or moves a bird to {card.title()}, or activates it" for card in CARDS},
    **{f"place-{card}": f"places a bird from the pool on {card.title()}" for card in CARDS},
    **{f"activate-{card}": f"activates {card.title()}" for card in CARDS},
    **{f"move-{card}": f"moves birds to {card.title()}, after Dominance or Competition" for card in CARDS},
    "space-2": "takes space 2 of the initiative track rather than moving its birds, after Dominance",
    "singles": "performs singles of an activated card",
    "doubles": "performs doubles of an activated card",
    "pay-upkeep": "pays upkeep for a bird",
}
_USE, _PLACE, _ACTIVATE, _MOVE = range(0, 24, 6)
_SPACE_2, _SINGLES, _DOUBLES, _PAY_UPKEEP = range(24, 28)


@kernel
def kinds(s, rules, action):
    bits = 0
    if action < PASS:
        bits = on_card(_PLACE, action)
    elif ACTIVATE <= action < SECOND_SPACE:
        bits = on_card(_ACTIVATE, action - ACTIVATE)
    elif action == SECOND_SPACE:
        bits = 1 << _SPACE_2
    elif MOVE_ALL <= action < RETURN:
        bits = on_card(_MOVE, action - MOVE_ALL)
    elif PAY_FOR < action < LET_GO:
        bits = 1 << _PAY_UPKEEP
    elif SPREAD <= action < DO and action & 15:
        bits = on_card(_MOVE, (action - SPREAD) >> 4)
    elif action >= DO:
        bits = (action - DO >= 16) << _SINGLES | (action & 15 > 0) << _DOUBLES
    return bits


@kernel
def on_card(verb, card):
    """This verb on a card, and any verb on it; spreading may come to the pool, which is no card."""
    place = card - FEEDING
    if place < 0 or place >= len(CARDS):
        return 0
    return 1 << (verb + place) | 1 << (_USE + place)
