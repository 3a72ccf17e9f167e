"""Finds weights by self-play: CMA-ES (Hansen and Ostermeier 2001) over the weights of a game's features.

A candidate is a vector of weights. Its worth is how often it wins at tables with a population of opponents, to which
the search's own mean belongs, from every seat, times the number of players; the mean over player counts is what the
search raises, so 1 is a player like the others. All candidates of a generation face the same deals, the same line-ups
and the same chance (common random numbers). Weights are data: nothing is compiled for a candidate.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from queue import SimpleQueue

import numpy as np
from flocksim.simulate import driver
from flocksim.simulate.bots import Strategy, line_ups
from flocksim.simulate.game import Game
from flocksim.simulate.parameters import Parameters
from flocksim.simulate.plan import Part, Study, Variant
from flocksim.simulate.player import BlockPlayer, in_chunks
from flocksim.simulate.runner import Progress

STEP = 0.3
"""The search's first standard deviation of a weight, in spans (see `spans`)."""
MUST = 50
"""A weight so many times the median one is no matter of degree: it stays as it is."""
DIGITS = 4
"""Weights are rounded to so many significant digits."""
FRESH = 2**40
"""The first block of the final estimate; no generation gets that far."""
CANDIDATE, MEAN, OTHERS = 0, 1, 2  # rows of the team


@dataclass(frozen=True)
class Task:
    """What is tuned, against whom, and how hard.

    rules: by player count. base: where the search starts; its kernel and noise are the candidates'. against: the
    population. free: indices of the weights that are tuned; span: one for each of them, how much of it is much.
    games: of one candidate in one generation, all player counts together, each rounded up to whole blocks.
    """

    game: Game
    rules: Mapping[int, Parameters]
    base: Strategy
    against: tuple[Strategy, ...]
    free: tuple[int, ...]
    span: tuple[float, ...]
    games: int
    candidates: int
    generations: int
    seed: int

    def blocks(self, players: int, games: int) -> int:
        """So many blocks of one player count when `games` are split over all of them."""
        return -(-games // (len(self.rules) * players))

    def rounded(self, games: int) -> int:
        """`games` as they are played."""
        return sum(self.blocks(players, games) * players for players in self.rules)


@dataclass(frozen=True)
class Found:
    """Where the search stands after a generation: the rounded mean of its distribution, and how the average of the
    generation's candidates did against the mean before it and the population (1: like any other player).
    """

    generation: int
    weights: tuple[float, ...]
    worth: float


def spans(base: Strategy, known: Sequence[Strategy]) -> np.ndarray:
    """How much of each weight is much: the most that the base or a known strategy gives it; the median of these where
    none gives it any, 1 where nobody weighs anything.
    """
    rows = [strategy.weights for strategy in (base, *known) if len(strategy.weights) == len(base.weights)]
    most = np.abs(np.array(rows)).max(axis=0)
    middle = np.median(most[most > 0]) if most.any() else 1.0
    return np.where(most > 0, most, middle)


def musts(base: Strategy) -> np.ndarray:
    """Which of its weights are no matter of degree, as a mask."""
    size = np.abs(np.array(base.weights))
    return size > MUST * (np.median(size[size > 0]) if size.any() else 1.0)


def rounded(weights: np.ndarray) -> tuple[float, ...]:
    return tuple(float(f"{weight:.{DIGITS}g}") for weight in weights)


class Tables:
    """Where candidates play: for each worker a compiled driver a player count, with room for a candidate's weights."""

    def __init__(self, task: Task, jobs: int, stop: threading.Event, progress: Progress) -> None:
        from joblib import effective_n_jobs

        self.task, self.stop, self.progress = task, stop, progress
        self.jobs = effective_n_jobs(jobs)
        progress.compiling(task.game.title)
        self.free: SimpleQueue[dict[int, BlockPlayer]] = SimpleQueue()
        for _ in range(self.jobs):
            self.free.put({players: self._player(players) for players in task.rules})

    def _player(self, players: int) -> BlockPlayer:
        task = self.task
        variant = Variant("tuned", task.rules[players])
        team = (replace(task.base, name="candidate"), replace(task.base, name="mean"), *task.against)
        return BlockPlayer(
            Study("tune", task.game, (players,), (variant,), team, task.games, task.seed), Part(0, players, 0, 0, 0)
        )

    def wins(
        self, candidates: Sequence[np.ndarray], mean: np.ndarray | None, firsts: Mapping[int, int], games: int
    ) -> dict[int, np.ndarray] | None:
        """By player count, how each candidate does in the blocks from `firsts` on; see `measure`."""
        from joblib import Parallel, delayed

        found: dict[int, list[np.ndarray]] = {players: [] for players in self.task.rules}
        parallel = Parallel(n_jobs=self.jobs, backend="threading", return_as="generator")
        try:
            for shares in parallel(delayed(self._one)(weights, mean, firsts, games) for weights in candidates):
                for players, share in shares.items():
                    found[players].append(share)
                self.progress.played(sum(len(share) * players for players, share in shares.items()))
        except BaseException:
            self.stop.set()
            raise
        return None if self.stop.is_set() else {players: np.array(shares) for players, shares in found.items()}

    def _one(
        self, weights: np.ndarray, mean: np.ndarray | None, firsts: Mapping[int, int], games: int
    ) -> dict[int, np.ndarray]:
        players = self.free.get()
        try:
            return {
                count: self._shares(player, count, weights, mean, firsts[count], self.task.blocks(count, games))
                for count, player in players.items()
            }
        finally:
            self.free.put(players)

    def _shares(
        self, player: BlockPlayer, players: int, weights: np.ndarray, mean: np.ndarray | None, first: int, blocks: int
    ) -> np.ndarray:
        """The candidate's share of the wins of each block."""
        table = player.team.weights
        table[CANDIDATE, : len(weights)] = weights
        if mean is not None:
            table[MEAN, : len(mean)] = mean
        who = self._line_ups(players, first, blocks, MEAN if mean is not None else OTHERS)
        games = np.zeros(blocks * players, driver.GameRow)
        seats = np.zeros((blocks * players, players), driver.seat_dtype(len(self.task.game.counters)))

        def some(block: int, size: int) -> None:
            rows = slice(block * players, (block + size) * players)
            player.play(first + block, who[block : block + size], games[rows], seats[rows])

        in_chunks(blocks, some, self.stop)
        mine = seats["win_share"] * (seats["strategy"] == CANDIDATE)
        return np.asarray(mine.reshape(blocks, players * players).sum(axis=1) / players)

    def _line_ups(self, players: int, first: int, blocks: int, lowest: int) -> np.ndarray:
        """The candidate, and opponents at random from row `lowest` of the team on, nobody twice while others wait."""
        opponents = OTHERS + len(self.task.against) - lowest
        who = line_ups(self.task.seed, players, first, blocks, opponents) + lowest
        who[:, 0] = CANDIDATE
        return who


def tune(tables: Tables) -> Iterator[Found]:
    """Search, generation by generation; ends early when stopped. What is found does not depend on the workers."""
    from cmaes import CMA

    task = tables.task
    base, free, span = np.array(task.base.weights), list(task.free), np.array(task.span)
    search = CMA(np.zeros(len(free)), STEP, seed=task.seed % 2**32, population_size=task.candidates)

    def weights_at(point: np.ndarray) -> np.ndarray:
        weights = base.copy()
        weights[free] += point * span
        return weights

    for generation in range(task.generations):
        points = [search.ask() for _ in range(task.candidates)]
        firsts = {players: generation * task.blocks(players, task.games) for players in task.rules}
        wins = tables.wins([weights_at(point) for point in points], weights_at(search.mean), firsts, task.games)
        if wins is None:
            return
        worth = np.mean([players * shares.mean(axis=1) for players, shares in wins.items()], axis=0)
        search.tell(list(zip(points, -worth, strict=True)))
        yield Found(generation + 1, rounded(weights_at(search.mean)), float(worth.mean()))


def measure(tables: Tables, weights: Sequence[Sequence[float]], games: int) -> dict[int, np.ndarray] | None:
    """How vectors of weights do against the population alone, in games that the search never saw.

    Returns by player count an array (vectors, blocks) of shares of the block's games that each won, a shared win
    counting its share and a game that nobody won nothing; None when stopped.
    """
    return tables.wins([np.array(vector) for vector in weights], None, dict.fromkeys(tables.task.rules, FRESH), games)
