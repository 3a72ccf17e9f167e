"""Measures the engine alone: games a second, in memory, nothing stored; and what searching adds to playing out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from . import driver
from .bots import Strategy, Team
from .game import Game
from .plan import Part, Study, Variant
from .player import BlockPlayer
from .precompile import compile_team
from .table import Table

CHUNK_GAMES = 2_000
POSITIONS, ROUNDS = 12, 5
"""Of a search's cost: positions that it is measured in, and how often in each, of which the quickest counts."""


def measure(game: Game, players: int, strategies: Sequence[Strategy], games: int, jobs: int = 1) -> dict[str, Any]:
    """Play about `games` games of the standard rules and time them.

    Returns games_per_second, decisions_per_second, microseconds_per_game (of one worker), compile_seconds,
    first_game_seconds (the first game after compiling), what was played, and searches:
    `search_cost` by strategy. Each of `jobs` threads plays its
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
        "searches": {s.name: search_cost(game, players, s) for s in strategies if s.iterations > 1},
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


def search_cost(game: Game, players: int, strategy: Strategy, seed: int = 1) -> dict[str, float]:
    """What an iteration of a searching strategy costs, and a game played out from the same positions by the same kind.

    Returns microseconds_per_iteration, microseconds_per_play_out and their ratio, over positions at even distances
    through a game of such players. Processor time, so that other work on the machine counts little; what a call costs
    whatever it does is measured on one iteration and left out.
    """
    team = Team(game, [strategy, replace(strategy, iterations=1)])
    spent = np.zeros((2, 2))  # by what is done, and by whom
    for table in _positions(game, players, strategy, seed):
        states = table.states.copy()
        calls = ((table.choose, (team,)), (table.steps.play_outs, (states, table.rules, team)))
        rounds = [[[_seconds(call, *front, who) for who in (0, 1)] for call, front in calls] for _ in range(ROUNDS)]
        spent += np.min(rounds, axis=0)
    searching, play_out = (spent[:, 0] - spent[:, 1]) / (strategy.iterations - 1) / POSITIONS * 1e6
    return {
        "microseconds_per_iteration": searching,
        "microseconds_per_play_out": play_out,
        "iteration_per_play_out": searching / play_out,
    }


def _positions(game: Game, players: int, strategy: Strategy, seed: int) -> list[Table]:
    """Tables of one game at which there is something to choose."""
    team = Team(game, [replace(strategy, iterations=0)])
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed)
    passed = []
    while not table.over:
        if len(table.legal_codes()) > 1:
            passed.append(table.copy())
        table.apply_code(table.legal_codes()[table.choose(team, 0)])
    return [passed[len(passed) * index // POSITIONS] for index in range(POSITIONS)]


def _seconds(call: Callable[..., Any], *arguments: Any) -> float:
    start = time.thread_time()
    call(*arguments)
    return time.thread_time() - start
