"""Who plays, as the engine needs it: a strategy is a kernel, its weights and its noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import driver
from .engine import engine_of
from .game import Game


@dataclass(frozen=True)
class Strategy:
    """A named way to play.

    kernel: (state, rules, choices, weights) -> index into the choices, a function at the top of a module.
    weights: what the kernel is handed, one number a feature. noise: how often a uniformly random choice
    replaces the kernel's, from 0 to 1 (1 never asks the kernel). line: one line that a designer understands.
    """

    name: str
    kernel: Callable[..., Any]
    weights: tuple[float, ...] = ()
    noise: float = 0.0
    line: str = ""


class Team:
    """The strategies of a study as the driver takes them.

    bots: record array, one a strategy; weights: (strategies, most weights); kernels: tuple of function values.
    """

    def __init__(self, game: Game, strategies: Sequence[Strategy]) -> None:
        functions = list(dict.fromkeys(strategy.kernel for strategy in strategies))
        self.kernels = engine_of(game).kernels(functions)
        self.bots = _bots(strategies, functions)
        self.weights = np.zeros((len(strategies), max(1, *(len(s.weights) for s in strategies))))
        for row, strategy in zip(self.weights, strategies, strict=True):
            row[: len(strategy.weights)] = strategy.weights


def _bots(strategies: Sequence[Strategy], functions: list[Callable[..., Any]]) -> np.ndarray:
    from .layout import new_records

    bots = new_records(driver.Bot, len(strategies))
    bots["kernel"] = [functions.index(strategy.kernel) for strategy in strategies]
    bots["noise"] = [strategy.noise for strategy in strategies]
    return bots


def line_up(seed: int, players: int, block: int, strategies: int) -> list[int]:
    """The indices of the strategies that play in a block, member by member."""
    from .streams import LINE_UP, MAX_SEATS, N_STREAMS, stream_seed

    streams = np.zeros(N_STREAMS, np.uint64)
    with np.errstate(over="ignore"):
        streams[LINE_UP] = stream_seed(np.uint64(seed), players, block, LINE_UP)
        members = np.zeros(MAX_SEATS, np.int64)
        driver.draw_line_up(streams, strategies, players, members)
    return [int(member) for member in members[:players]]
