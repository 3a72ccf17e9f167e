"""Plays a study out: parts in parallel through joblib, each stored whole, a run resumed where it stopped."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import driver
from .bots import Team, line_ups
from .engine import engine_of
from .errors import FlocksimError
from .layout import Choices, as_records, new_records
from .owner import end_with_owner
from .plan import Part, Study
from .precompile import compile_team
from .store import RunFolder

BACKENDS = ("threading", "loky")
CHUNK_SECONDS = 0.1  # how long a kernel runs before it looks whether it should stop


class Progress:
    """What a run tells its caller as it goes; this one keeps silent."""

    def compiling(self, what: str) -> None:
        """Compilation starts."""

    def started(self, total: int, reused: int) -> None:
        """`reused` of `total` games are there already; playing starts."""

    def played(self, games: int) -> None:
        """So many more games are stored."""


@dataclass(frozen=True)
class RunSummary:
    """How a run went; seconds are wall-clock."""

    path: Path
    games: int
    reused: int
    compile_seconds: float
    play_seconds: float

    @property
    def games_per_second(self) -> float:
        return (self.games - self.reused) / self.play_seconds if self.play_seconds else 0.0


def run_study(
    study: Study,
    out: Path,
    jobs: int = -1,
    backend: str = "threading",
    fresh: bool = False,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> RunSummary:
    """Play every part of the study that `out` does not hold yet.

    jobs: workers, -1 for one a core. stop: set it to end a run on threads early; what is stored stays.
    Raises FlocksimError when the folder is not this study's or cannot be written.
    """
    if backend not in BACKENDS:
        raise FlocksimError(f"unknown backend '{backend}'; known: {', '.join(BACKENDS)}")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or (jobs < 1 and jobs != -1):
        raise FlocksimError(f"jobs: {jobs!r} is not allowed; allowed: a whole number from 1, or -1 for one a core")
    progress = progress or Progress()
    stop = stop or threading.Event()
    folder = RunFolder(out, study)
    with folder.opened(fresh):
        done = folder.finished()
        total = study.total_games
        reused = sum(done.values())
        timings: dict[str, Any] = {"jobs": jobs, "backend": backend}
        folder.write_manifest(complete=reused == total, timings=timings)
        compile_seconds = _compile(study, progress) if reused < total else 0.0
        progress.started(total, reused)
        start = time.perf_counter()
        if reused < total:
            todo = (part for part in study.parts() if folder.name(part) not in done)
            played = _play(study, folder, todo, jobs, backend, progress, stop)
            if stop.is_set():
                raise FlocksimError(
                    f"{out}: stopped; what is finished is kept, and the same run again goes on from there"
                )
            if played != total - reused:
                raise FlocksimError(
                    f"{out}: a worker stopped before its games were stored; give the same command again"
                )
        seconds = time.perf_counter() - start if reused < total else 0.0
        summary = RunSummary(out, total, reused, compile_seconds, seconds)
        timings |= {
            "compile_seconds": round(compile_seconds, 3),
            "play_seconds": round(summary.play_seconds, 3),
            "games_per_second": round(summary.games_per_second, 1),
        }
        folder.write_manifest(complete=True, timings=timings)
        return summary


def _compile(study: Study, progress: Progress) -> float:
    """Compile, or load from the cache, once and before any worker starts."""
    progress.compiling(study.game.title)
    start = time.perf_counter()
    compile_team(study.game, study.strategies)
    return time.perf_counter() - start


def _play(
    study: Study,
    folder: RunFolder,
    todo: Iterable[Part],
    jobs: int,
    backend: str,
    progress: Progress,
    stop: threading.Event,
) -> int:
    """Play these parts; returns how many games are stored."""
    from joblib import Parallel, delayed

    threads = backend == "threading"
    own = {} if threads else {"initializer": _belong_to_the_run, "initargs": (os.getpid(),)}
    parallel = Parallel(n_jobs=jobs, backend=backend, return_as="generator_unordered", **own)
    tasks = (delayed(play_part)(study, folder.path, part, stop if threads else None, os.getpid()) for part in todo)
    played = 0
    try:
        with contextlib.nullcontext() if threads else _interrupts_kept_from_children():
            stored = parallel(tasks)
        for games in stored:
            played += games
            progress.played(games)
    except BaseException:
        stop.set()  # workers end within a chunk
        raise
    return played


def _belong_to_the_run(owner: int) -> None:
    """A worker process leaves interrupts to the run that started it, and ends when that run is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_owner(owner)


@contextlib.contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Processes started meanwhile never see Ctrl-C, not even while Python starts in them. No-op on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it with the first worker would lift the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Stop:
    """Whether a worker should stop: it was told to, or it outlived the process that started it.

    A worker process whose parent was killed must store nothing: another run may hold the folder by then.
    """

    def __init__(self, event: threading.Event | None, owner: int) -> None:
        self._event, self._owner = event, owner

    def is_set(self) -> bool:
        if self._event is not None and self._event.is_set():
            return True
        return self._owner not in (os.getpid(), os.getppid())


def play_part(study: Study, path: Path, part: Part, event: threading.Event | None, owner: int) -> int:
    """Play one part and store it in the run folder. Returns its games, 0 when it was stopped.

    owner: process id of the run that the worker belongs to.
    """
    stop = Stop(event, owner)
    folder = RunFolder(path, study)
    games = np.zeros(part.games, driver.GameRow)
    seats = np.zeros((part.games, part.players), driver.seat_dtype(len(study.game.counters)))
    if not _play_chunks(study, part, games, seats, stop):
        return 0
    if stop.is_set():
        return 0
    folder.write_part(part, games, seats)
    return part.games


def _play_chunks(study: Study, part: Part, games: np.ndarray, seats: np.ndarray, stop: Stop) -> bool:
    """Play a part, unless it is stopped in between."""
    play = BlockPlayer(study, part)

    def some(block: int, size: int) -> None:
        rows = slice(block * part.players, (block + size) * part.players)
        play(part.first + block, games[rows], seats[rows])

    return in_chunks(part.blocks, some, stop)


def in_chunks(blocks: int, play: Callable[[int, int], None], stop: Stop | threading.Event) -> bool:
    """Call play(first, count) until all blocks are played, in chunks of about CHUNK_SECONDS; False when stopped."""
    block, size = 0, 1
    while block < blocks:
        if stop.is_set():
            return False
        size = min(size, blocks - block)
        start = time.perf_counter()
        play(block, size)
        seconds = time.perf_counter() - start
        block += size
        size = max(1, min(2 * size, int(size * CHUNK_SECONDS / max(seconds, 1e-9))))
    return True


class BlockPlayer:
    """The compiled driver with everything it needs for one cell."""

    def __init__(self, study: Study, part: Part) -> None:
        engine = engine_of(study.game)
        self.team = team = Team(study.game, study.strategies)
        self._play: Callable[..., None] = engine.play_blocks(len(team.kernels), team.searching)
        variant = study.variants[part.variant]
        self._front = (
            engine.functions,
            team.tools,
            team.kernels,
            new_records(study.game.state),
            variant.rules.record(part.players),
            new_records(Choices),
            team.bots,
            team.weights,
            study.seed,
        )
        self._members = np.array(variant.strategies or range(len(study.strategies)))
        self._line_ups = partial(line_ups, study.seed, part.players, strategies=len(self._members))

    def __call__(self, first: int, games: np.ndarray, seats: np.ndarray) -> None:
        """Play blocks from `first` on into the rows of `games` and `seats`."""
        who = self._members[self._line_ups(first=first, blocks=len(games) // seats.shape[1])]
        self.play(first, who, games, seats)

    def play(self, first: int, who: np.ndarray, games: np.ndarray, seats: np.ndarray) -> None:
        """The same with line-ups of one's own: (blocks, players) indices of strategies."""
        self._play(*self._front, first, who, as_records(games), as_records(seats))
