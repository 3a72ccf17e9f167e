"""Who plays, as the engine needs it: a strategy is a kernel, its weights and its noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from . import driver
from .choosing import Bot
from .compiled import compile_function, types
from .engine import engine_of
from .errors import FlocksimError
from .game import Game
from .own_bots import Kernel, OwnBot, trouble
from .search import AIDED, ALWAYS, PLAIN, SEARCHING

EXPLORATION = 0.7


@dataclass(frozen=True)
class Strategy:
    """A named way to play.

    kernel: (state, rules, choices, weights) -> index into the choices, a function at the top of a module, or an OwnBot.
    weights: what the kernel is handed, one number a feature. noise: how often a uniformly random choice
    replaces the kernel's, from 0 to 1 (1 never asks the kernel). iterations: how many it searches before it decides,
    0 for none; the kernel and the noise then play the searched games out. exploration: UCB1's constant. without:
    kinds of action (Game.action_kinds) that it never takes while anything else is legal.
    line: one line that a designer understands.
    """

    name: str
    kernel: Kernel
    weights: tuple[float, ...] = ()
    noise: float = 0.0
    iterations: int = 0
    without: tuple[str, ...] = ()
    exploration: float = EXPLORATION
    line: str = ""
    entry: Any = None  # how a study's config names or describes it; its name if None


def kernels_of(strategies: Sequence[Strategy]) -> list[Kernel]:
    """The functions that these strategies play by, each once."""
    return list(dict.fromkeys(strategy.kernel for strategy in strategies))


def aid_of(strategies: Sequence[Strategy]) -> int:
    """What these strategies decide with, together."""
    if any(strategy.iterations for strategy in strategies):
        return SEARCHING
    return AIDED if any(strategy.without or isinstance(strategy.kernel, OwnBot) for strategy in strategies) else PLAIN


class Team:
    """The strategies of a study as the driver takes them.

    bots: record array, one a strategy; weights: (strategies, most weights); kernels: tuple of function values;
    aid: what they decide with, PLAIN, AIDED or SEARCHING; tools: just that.
    """

    def __init__(self, game: Game, strategies: Sequence[Strategy]) -> None:
        for strategy in strategies:
            if not 0 <= strategy.noise <= 1:
                raise FlocksimError(f"{strategy.name}: noise: {strategy.noise!r} is not allowed; allowed: from 0 to 1")
            if not np.isfinite(strategy.weights).all():
                raise FlocksimError(f"{strategy.name}: weights: {strategy.weights!r} is not allowed; allowed: numbers")
        functions = kernels_of(strategies)
        self.kernels = engine_of(game).kernels(functions)
        self.aid = aid_of(strategies)
        self.tools = engine_of(game).tools(self.aid, max(strategy.iterations for strategy in strategies))
        self.bots = _bots(game, strategies, functions)
        self.weights = np.zeros((len(strategies), max(1, *(len(s.weights) for s in strategies))))
        for row, strategy in zip(self.weights, strategies, strict=True):
            row[: len(strategy.weights)] = strategy.weights
        self.strategies = tuple(strategies)
        self.has_guests = bool(self.bots["guest"].any())

    def seconds(self, strategy: int) -> float | None:
        """How long a strategy may take over a decision; None where it is trusted to come to an end."""
        kernel = self.strategies[strategy].kernel
        return kernel.loaded.seconds if isinstance(kernel, OwnBot) else None

    def trouble(self, strategy: int, rules: np.ndarray) -> str:
        """Who did not choose when last asked, and what it did instead."""
        asked = self.strategies[strategy]
        assert isinstance(asked.kernel, OwnBot)
        _, _, views, shown = self.tools[:ALWAYS]
        told = trouble(asked.kernel, views[:1], rules, shown[:1], self.weights[strategy])
        return f"{asked.name} {told}"


def _bots(game: Game, strategies: Sequence[Strategy], functions: list[Kernel]) -> np.ndarray:
    from .layout import new_records

    bots = new_records(Bot, len(strategies))
    bots["kernel"] = [functions.index(strategy.kernel) for strategy in strategies]
    for name in ("noise", "iterations", "exploration"):
        bots[name] = [getattr(strategy, name) for strategy in strategies]
    bots["guest"] = [isinstance(strategy.kernel, OwnBot) for strategy in strategies]
    bots["forbidden"] = [game.kind_bits(strategy.without) for strategy in strategies]
    return bots


@cache
def _draw_line_ups() -> Callable[..., None]:
    whole = types.int64
    return compile_function(driver.draw_line_ups, types.void(types.uint64, whole, whole, whole[:, ::1]))


def line_ups(seed: int, players: int, first: int, blocks: int, strategies: int) -> np.ndarray:
    """Who plays: an array (blocks, players) of indices of strategies, for the blocks from `first` on."""
    table = np.zeros((blocks, players), np.int64)
    _draw_line_ups()(seed, first, strategies, table)
    return table
