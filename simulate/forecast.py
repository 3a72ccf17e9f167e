"""What a study will cost, from a second of each of its cells."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass

import numpy as np
import psutil

from . import driver
from .frames import arcs_table, games_table, seats_table, write_parquet
from .plan import Cell, Part, Study
from .precompile import compile_team
from .runner import BlockPlayer

SECONDS = 1.0
COPIES = 3
"""Columns, and the compressed file, beside the rows of a part that is being stored."""


@dataclass(frozen=True)
class CellForecast:
    """A cell: how many games it has, how fast one core plays and stores them, and how many bytes one takes on disk."""

    variant: str
    players: int
    games: int
    games_per_second: float
    bytes_per_game: float

    @property
    def core_seconds(self) -> float:
        return self.games / self.games_per_second

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
        part = cell.part(0)
        cells.append(_measure(study, cell, part, seconds))
        worker = max(worker, COPIES * sum(rows.nbytes for rows in _rows(study, part)))
    return Forecast(cells, psutil.Process().memory_info().rss, worker)


def _measure(study: Study, cell: Cell, part: Part, seconds: float) -> CellForecast:
    play = BlockPlayer(study, part)
    games, seats = _rows(study, part)

    def store(blocks: int) -> tuple[int, float, int]:
        """Play and write so many blocks: games, seconds, bytes."""
        rows, file, start = blocks * part.players, io.BytesIO(), time.perf_counter()
        play(0, games[:rows], seats[:rows])
        write_parquet(games_table(study, part, games[:rows]), file)
        write_parquet(seats_table(study, part, games[:rows], seats[:rows]), file)
        write_parquet(arcs_table(study, part, play.take_arcs()), file)
        return rows, time.perf_counter() - start, file.tell()

    store(1)  # what a process does once does not count
    blocks = 1
    while (stored := store(blocks))[1] < seconds / 2 and blocks < part.blocks:
        blocks = min(2 * blocks, part.blocks)
    rows, spent, size = stored
    return CellForecast(study.variants[part.variant].name, part.players, cell.games, rows / spent, size / rows)


def _rows(study: Study, part: Part) -> tuple[np.ndarray, np.ndarray]:
    seat = driver.seat_dtype(len(study.game.counters))
    return np.zeros(part.games, driver.GameRow), np.zeros((part.games, part.players), seat)
