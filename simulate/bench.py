"""Measures the engine alone: games a second, in memory, nothing stored."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import driver
from .bots import Strategy
from .game import Game
from .plan import Part, Study, Variant
from .precompile import compile_team
from .runner import BlockPlayer

CHUNK_GAMES = 2_000


def measure(game: Game, players: int, strategies: Sequence[Strategy], games: int, jobs: int = 1) -> dict[str, Any]:
    """Play about `games` games of the standard rules and time them.

    Returns games_per_second, decisions_per_second, microseconds_per_game (of one worker), compile_seconds,
    first_game_seconds (the first game after compiling), and what was played. Each of `jobs` threads plays its
    share; seconds are wall-clock.
    """
    variant = Variant("standard", game.parameters.build(players))
    study = Study("bench", game, (players,), (variant,), tuple(strategies), games, seed=1)
    start = time.perf_counter()
    compile_team(game, strategies)
    workers = [_Worker(study, worker, jobs) for worker in range(jobs)]
    compiled = time.perf_counter()
    workers[0].player(0, workers[0].games[:players], workers[0].seats[:players])
    first = time.perf_counter()
    threads = [threading.Thread(target=worker.work) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - first
    played = sum(worker.played for worker in workers)
    return {
        "game": game.name,
        "players": players,
        "strategies": [strategy.name for strategy in strategies],
        "jobs": jobs,
        "games": played,
        "games_per_second": played / seconds,
        "decisions_per_second": sum(worker.decisions for worker in workers) / seconds,
        "microseconds_per_game": seconds * jobs / played * 1e6,
        "compile_seconds": compiled - start,
        "first_game_seconds": first - compiled,
    }


class _Worker:
    """One thread's share of the blocks, played over and over the same rows."""

    def __init__(self, study: Study, worker: int, jobs: int) -> None:
        players = study.players[0]
        self.chunk = max(1, CHUNK_GAMES // players)
        self.total = study.blocks(players)
        self.first = worker * self.chunk
        self.step = jobs * self.chunk
        self.players = players
        self.games = np.zeros(self.chunk * players, driver.GameRow)
        self.seats = np.zeros((self.chunk * players, players), driver.seat_dtype(len(study.game.counters)))
        self.player = BlockPlayer(study, Part(0, players, 0, 0, self.total))
        self.played = self.decisions = 0

    def work(self) -> None:
        for block in range(self.first, self.total, self.step):
            rows = min(self.chunk, self.total - block) * self.players
            self.player(block, self.games[:rows], self.seats[:rows])
            self.played += rows
            self.decisions += int(self.games["decisions"][:rows].sum())
