"""What a study will cost, from a second of each of its cells."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass, replace

import numpy as np
import psutil

from . import driver
from .errors import FlocksimError
from .frames import tables, write_parquet
from .luck import luck_games
from .plan import SAMPLED, Cell, Part, Study
from .player import BlockPlayer, Unchosen, watched
from .precompile import compile_team
from .watchdog import give_up

SECONDS = 1.0
COPIES = 3
"""Columns, and the compressed file, beside the rows of a part that is being stored."""


@dataclass(frozen=True)
class CellForecast:
    """A cell: how many games it has, how fast one core plays and stores them, and how many bytes one takes on disk.

    luck: how many games tell luck from skill, beside the others; their few bytes do not count.
    """

    variant: str
    players: int
    games: int
    games_per_second: float
    bytes_per_game: float
    luck: int = 0

    @property
    def core_seconds(self) -> float:
        return (self.games + self.luck) / self.games_per_second

    @property
    def bytes(self) -> float:
        return self.games * self.bytes_per_game


@dataclass(frozen=True)
class Forecast:
    """Every cell, and the memory in bytes: `base` of the process, `worker` for each that plays at once."""

    cells: list[CellForecast]
    base: int
    worker: int


def forecast(study: Study, seconds: float = SECONDS) -> Forecast:
    """Play each cell of a study for about so long on one core, and store nothing."""
    compile_team(study.game, study.strategies)
    cells, worker = [], 0
    for cell in study.cells():
        found = _forecast(study, cell, seconds)
        cells.append(replace(found, luck=luck_games(study, cell)) if study.luck else found)
        worker = max(worker, COPIES * sum(rows.nbytes for rows in _rows(study, cell.part(0))))
    return Forecast(cells, psutil.Process().memory_info().rss, worker)


def _forecast(study: Study, cell: Cell, seconds: float) -> CellForecast:
    """Of the cell's first and of its last parts, whose games may not be kept."""
    first = _measure(study, cell.part(0), seconds)
    late = next((part for part in map(cell.part, range(cell.parts - 1, 0, -1)) if not study.keeps_games(part)), None)
    if late is None:
        return replace(first, games=cell.games)
    last = _measure(study, late, seconds)
    kept = min(1.0, study.first_games / cell.games)
    kept += (1 - kept) * (SAMPLED if study.keep == "sample" else 0.0)
    mixed = kept * first.bytes_per_game + (1 - kept) * last.bytes_per_game
    return replace(last, games=cell.games, bytes_per_game=mixed)


def _measure(study: Study, part: Part, seconds: float) -> CellForecast:
    """A part as a cell of its own."""
    play = BlockPlayer(study, part)
    games, seats = _rows(study, part)

    def store(blocks: int) -> tuple[int, float, int]:
        """Play and write so many blocks: games, seconds, bytes."""
        rows, file, start = blocks * part.players, io.BytesIO(), time.perf_counter()
        with watched(play, lambda told, _: give_up(told)):
            try:
                play(part.first, games[:rows], seats[:rows])
            except Unchosen as fault:
                raise FlocksimError(str(fault)) from None
        for table in tables(study, part, games[:rows], seats[:rows], play.take_arcs()).values():
            write_parquet(table, file)
        return rows, time.perf_counter() - start, file.tell()

    store(1)  # what a process does once does not count
    blocks = 1
    while (stored := store(blocks))[1] < seconds / 2 and blocks < part.blocks:
        blocks = min(2 * blocks, part.blocks)
    rows, spent, size = stored
    return CellForecast(study.variants[part.variant].name, part.players, part.games, rows / spent, size / rows)


def _rows(study: Study, part: Part) -> tuple[np.ndarray, np.ndarray]:
    seat = driver.seat_dtype(len(study.game.counters))
    return np.zeros(part.games, driver.GameRow), np.zeros((part.games, part.players), seat)
