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

EXPLORATION = 0.7


@dataclass(frozen=True)
class Strategy:
    """A named way to play.

    kernel: (state, rules, choices, weights) -> index into the choices, a function at the top of a module.
    weights: what the kernel is handed, one number a feature. noise: how often a uniformly random choice
    replaces the kernel's, from 0 to 1 (1 never asks the kernel). iterations: how many it searches before it decides,
    0 for none; the kernel and the noise then play the searched games out. exploration: UCB1's constant.
    line: one line that a designer understands.
    """

    name: str
    kernel: Callable[..., Any]
    weights: tuple[float, ...] = ()
    noise: float = 0.0
    iterations: int = 0
    exploration: float = EXPLORATION
    line: str = ""
    entry: Any = None  # how a study's config names or describes it; its name if None


def kernels_of(strategies: Sequence[Strategy]) -> list[Callable[..., Any]]:
    """The functions that these strategies play by, each once."""
    return list(dict.fromkeys(strategy.kernel for strategy in strategies))


class Team:
    """The strategies of a study as the driver takes them.

    bots: record array, one a strategy; weights: (strategies, most weights); kernels: tuple of function values;
    tools: what searches need, or nothing; `searching` says which.
    """

    def __init__(self, game: Game, strategies: Sequence[Strategy]) -> None:
        for strategy in strategies:
            if not 0 <= strategy.noise <= 1:
                raise FlocksimError(f"{strategy.name}: noise: {strategy.noise!r} is not allowed; allowed: from 0 to 1")
            if not np.isfinite(strategy.weights).all():
                raise FlocksimError(f"{strategy.name}: weights: {strategy.weights!r} is not allowed; allowed: numbers")
        functions = kernels_of(strategies)
        self.kernels = engine_of(game).kernels(functions)
        self.searching = any(strategy.iterations for strategy in strategies)
        self.tools = engine_of(game).tools(max(strategy.iterations for strategy in strategies))
        self.bots = _bots(strategies, functions)
        self.weights = np.zeros((len(strategies), max(1, *(len(s.weights) for s in strategies))))
        for row, strategy in zip(self.weights, strategies, strict=True):
            row[: len(strategy.weights)] = strategy.weights


def _bots(strategies: Sequence[Strategy], functions: list[Callable[..., Any]]) -> np.ndarray:
    from .layout import new_records

    bots = new_records(Bot, len(strategies))
    bots["kernel"] = [functions.index(strategy.kernel) for strategy in strategies]
    for name in ("noise", "iterations", "exploration"):
        bots[name] = [getattr(strategy, name) for strategy in strategies]
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
