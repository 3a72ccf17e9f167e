"""The games that ship, loaded when first asked for: a game brings numba with it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import FlocksimError, unknown

if TYPE_CHECKING:
    from ..game import Game

GAMES = {"4-the-birds": "four_the_birds", "flock": "flock", "flock-together": "flock_together"}
"""Name -> folder. Adding a game adds a line here."""


@cache
def load_game(name: str) -> Game:
    """The game of that name; raises FlocksimError with the nearest match for an unknown one."""
    if name not in GAMES:
        raise FlocksimError(unknown("game", name, GAMES))
    return import_module(f"{__name__}.{GAMES[name]}").GAME
