"""Kinds of action that a strategy can be kept from (Game.action_kinds)."""

from __future__ import annotations

from ...compiled import kernel
from .decks import ACTIONS
from .state import DRAW, END, USE

ACTION_KINDS = {
    **{f"use-{action}": f"uses {action}, as a main or a bonus action" for action in ACTIONS},
    **{f"main-{action}": f"uses {action} as a main action" for action in ACTIONS},
    **{f"bonus-{action}": f"uses {action} as a bonus action" for action in ACTIONS},
    "bonus": "uses a bonus action, whichever it is",
    "play-lead": "plays a card as the lead bird",
    "play-top": "plays a card at the end of the top row",
    "play-bottom": "plays a card at the end of the bottom row",
    "draw": "draws from the flock deck unseen",
}
_USE, _MAIN, _BONUS = (len(ACTIONS) * part for part in range(3))
_ANY_BONUS = 3 * len(ACTIONS)
_PLAY_LEAD, _DRAW = _ANY_BONUS + 1, _ANY_BONUS + 4


@kernel
def kinds(s, rules, action):
    if action < USE:
        return 1 << (_PLAY_LEAD + action % 3)
    if action < END:
        used = (action & 7) - 1
        if action & 8:
            return 1 << (_USE + used) | 1 << (_BONUS + used) | 1 << _ANY_BONUS
        return 1 << (_USE + used) | 1 << (_MAIN + used)
    return 1 << _DRAW if action == DRAW else 0
