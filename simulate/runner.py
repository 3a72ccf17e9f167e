"""Plays a study out: parts in parallel through joblib, each stored whole, a run resumed where it stopped."""

from __future__ import annotations

import contextlib
import os
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import driver
from .backends import CLUSTERS, Workers, check_backend, workers
from .errors import FlocksimError
from .luck import finished_luck, luck_games, play_luck
from .own_bots import is_slow
from .plan import Part, Study
from .player import BlockPlayer, Stop, played_out
from .plurals import counted
from .precompile import compile_team
from .receipts import PartName
from .store import RunFolder

GOES_ON = "what is finished is kept, and the same run again goes on from there"
MOST_LOSSES = 3
"""How often workers may be lost in a row before anything gets done."""


class Progress:
    """What a run tells its caller as it goes; this one keeps silent."""

    def compiling(self, what: str) -> None:
        """Compilation starts."""

    def warned(self, what: str) -> None:
        """Something that the user may want to change."""

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


def run_study(  # noqa: PLR0913, PLR0917 - the options of a run
    study: Study,
    out: Path,
    jobs: int = -1,
    backend: str = "threading",
    fresh: bool = False,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    scheduler: str | None = None,
    decided: Callable[[Path], bool] = lambda _: False,
) -> RunSummary:
    """Play every part of the study that `out` does not hold yet.

    jobs: workers, -1 for one a core. stop: set it to end a run on threads early; what is stored stays. scheduler: the
    address of a Dask or Ray cluster, which reads and writes the folder under the same path. decided: asked after each
    batch of a study that stops when sure, with every part of the batch and of those before it in the folder, whether
    that is enough; so neither workers nor interruptions matter to where it stops.
    Raises FlocksimError when the folder is not this study's or cannot be written, and for a backend that is not there.
    """
    check_backend(backend, scheduler)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or (jobs < 1 and jobs != -1):
        raise FlocksimError(f"jobs: {jobs!r} is not allowed; allowed: a whole number from 1, or -1 for one a core")
    folder = RunFolder(out.absolute() if backend in CLUSTERS else out, study.after(study.looks))
    with folder.opened(fresh), contextlib.ExitStack() as stack:
        done = folder.finished()
        playing = _RunUnderWay(
            folder, progress or Progress(), stop or threading.Event(), {"jobs": jobs, "backend": backend}
        )
        playing.gather = lambda: stack.enter_context(workers(backend, jobs, scheduler))
        begun = max((name.number // study.batch_parts + 1 for name in done), default=1) if study.at_most else 1
        for batches in range(begun, study.looks + 1):
            folder.study = study.after(batches)
            done = playing.play(done)
            if batches == study.looks or decided(out):
                break
        playing.tell_luck()
        return playing.finish(out)


class _RunUnderWay:
    """A run under way, in an opened folder. `gather` brings the workers, when there is something for them to do."""

    gather: Callable[[], Workers]

    def __init__(self, folder: RunFolder, progress: Progress, stop: threading.Event, timings: dict[str, Any]) -> None:
        self._folder, self._progress, self._stop, self._timings = folder, progress, stop, timings
        self._owner = None if timings["backend"] in CLUSTERS else os.getpid()
        self._workers: Workers | None = None
        self._reused = -1
        self._compile_seconds = self._play_seconds = 0.0

    def play(self, done: dict[PartName, int]) -> dict[PartName, int]:
        """Play what `done` is lacking of the folder's study; gives all of it."""
        study, folder = self._folder.study, self._folder
        total, there = study.total_games, sum(done.values())
        folder.write_manifest(complete=there == total and not study.at_most, timings=self._timings)
        if self._reused < 0 or (self._workers is None and there < total):
            self._reused = there
            self._start(study, there, enough=there == total)
        if there < total:
            start = time.perf_counter()
            self._play_all(
                lambda done: (part for part in study.parts() if folder.name(part) not in done),
                play_part, folder.finished, done, total,
            )  # fmt: skip
            self._play_seconds += time.perf_counter() - start
        return {folder.name(part): part.games for part in study.parts()}

    def tell_luck(self) -> None:
        """Play the games that tell luck from skill, of a study that asks for them."""
        study, path = self._folder.study, self._folder.path
        cells = list(study.cells()) if study.luck else []
        total, done = sum(luck_games(study, cell) for cell in cells), finished_luck(study, path)
        if sum(done.values()) < total:
            self._play_all(
                lambda done: (cell for cell in cells if cell not in done),
                play_luck, lambda: finished_luck(study, path), done, total,
            )  # fmt: skip

    def _start(self, study: Study, there: int, enough: bool) -> None:
        """Compile what is needed and tell the caller how many games there are to come; those of luck are some of them.

        enough: `there` is all of the study's games but those.
        """
        luck = sum(luck_games(study, cell) for cell in study.cells()) if study.luck else 0
        luck_there = sum(finished_luck(study, self._folder.path).values())
        if not enough or luck_there < luck:
            self._compile_seconds = _compile(study, self._progress)
        self._progress.started(study.after(study.looks).total_games + luck, there + luck_there)

    def _play_all(
        self,
        todo: Callable[[Mapping[Any, int]], Iterable[Any]],
        play: Callable[..., int],
        finished: Callable[[], Mapping[Any, int]],
        done: Mapping[Any, int],
        total: int,
    ) -> None:
        """Play everything that is not `done`, the games of each thing that is; `finished` looks again.

        play: plays and stores one thing of `todo`, which the next run finds, and gives its games.
        What a lost worker was at is played again, unless workers are lost again and again and nothing gets done.
        """
        from joblib import delayed

        study, folder, progress = self._folder.study, self._folder, self._progress
        self._workers = playing = self._workers or self.gather()
        event = self._stop if playing.threads else None
        told, losses = sum(done.values()), 0
        while True:
            tasks = (delayed(play)(study, folder.path, thing, event, self._owner) for thing in todo(done))
            try:
                for games in playing.play(tasks):
                    told += games
                    progress.played(games)
                break
            except playing.lost as error:
                if note := folder.take_note():
                    raise FlocksimError(note) from None
                before, done = len(done), finished()
                losses = losses + 1 if len(done) == before else 1
                if losses > MOST_LOSSES:
                    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                    raise FlocksimError(
                        f"{folder.path}: workers were lost {losses} times in a row ({reason[:200]}); {GOES_ON}"
                    ) from None
                found = sum(done.values())
                progress.played(found - told)
                told = found
            except BaseException:
                self._stop.set()  # workers end within a chunk
                folder.take_note()
                raise
        if self._stop.is_set():
            raise FlocksimError(f"{folder.path}: stopped; {GOES_ON}")
        if told != total:
            raise FlocksimError(
                f"{folder.path}: a worker stopped before its games were stored; give the same command again"
            )

    def finish(self, out: Path) -> RunSummary:
        """Mark the folder as complete."""
        games = self._folder.study.total_games
        summary = RunSummary(out, games, self._reused, self._compile_seconds, self._play_seconds)
        timings = self._timings | {
            "compile_seconds": round(summary.compile_seconds, 3),
            "play_seconds": round(summary.play_seconds, 3),
            "games_per_second": round(summary.games_per_second, 1),
        }
        self._folder.tidy()
        self._folder.write_manifest(complete=True, timings=timings)
        return summary


def _compile(study: Study, progress: Progress) -> float:
    """Compile, or load from the cache, once and before any worker starts."""
    progress.compiling(study.game.title)
    for strategy in study.strategies:
        if is_slow(strategy.kernel):
            progress.warned(f"{strategy.name} is plain Python, some hundred times slower than a compiled bot (@bot)")
    start = time.perf_counter()
    compile_team(study.game, study.strategies)
    return time.perf_counter() - start


def play_part(study: Study, path: Path, part: Part, event: threading.Event | None, owner: int | None) -> int:
    """Play one part and store it in the run folder. Returns its games, 0 when it was stopped.

    owner: process id of the run that the worker belongs to; None on a cluster, where the folder is asked whether it
    is still this study's.
    """
    stop = Stop(event, owner)
    folder = RunFolder(path, study)
    if note := folder.note():  # Dask tries again what ended a worker
        raise FlocksimError(note)
    games = np.zeros(part.games, driver.GameRow)
    seats = np.zeros((part.games, part.players), driver.seat_dtype(len(study.game.counters)))
    player = BlockPlayer(study, part)

    def some(block: int, size: int) -> None:
        rows = slice(block * part.players, (block + size) * part.players)
        player(part.first + block, games[rows], seats[rows])

    if not played_out(player, folder, part.blocks, some, stop, partial(_moment, study, path, part)):
        return 0
    if stop.is_set() or (owner is None and not folder.is_still_this_study()):
        return 0
    folder.write_part(part, games, seats, player.take_arcs())
    return part.games


def _moment(study: Study, path: Path, part: Part, game: int) -> str:
    variant = study.variants[part.variant].name
    return (
        f"seed {study.seed}, {variant} with {counted(part.players, 'players')}, game {game}. "
        "Finished parts are kept. The moment: "
        f"flocksim trace {shlex.quote(str(path))} --variant {variant} --players {part.players} --game {game} --pretty"
    )
