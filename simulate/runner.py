"""Plays a study out: parts in parallel through joblib, each stored whole, a run resumed where it stopped."""

from __future__ import annotations

import contextlib
import os
import shlex
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import driver
from .backends import CLUSTERS, Workers, check_backend, workers
from .bots import Team, line_ups
from .engine import engine_of
from .errors import FlocksimError
from .layout import Choices, as_records, new_records
from .luck import luck_cells, play_luck
from .own_bots import is_slow, speak
from .plan import Part, Study
from .precompile import compile_team
from .receipts import PartName
from .store import RunFolder
from .streams import MAX_SEATS
from .watchdog import give_up, watching

ARC_BLOCKS, ARC_TURNS = 16, 4096
"""So many recorded blocks are played at a time, with room for so many turns at first."""
MOST_LOSSES = 3
"""How often workers may be lost in a row before anything gets done."""
CHUNK_SECONDS = 0.1  # how long a kernel runs before it looks whether it should stop


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
        if self._workers is None and there < total:
            self._compile_seconds = _compile(study, self._progress)
        if self._reused < 0 or (self._workers is None and there < total):
            self._reused = there
            self._progress.started(study.after(study.looks).total_games, there)
        if there < total:
            start = time.perf_counter()
            self._workers = self._workers or self.gather()
            played = _play(study, folder, done, self._workers, self._owner, self._progress, self._stop)
            self._play_seconds += time.perf_counter() - start
            if self._stop.is_set():
                raise FlocksimError(
                    f"{folder.path}: stopped; what is finished is kept, and the same run again goes on from there"
                )
            if played != total:
                raise FlocksimError(
                    f"{folder.path}: a worker stopped before its games were stored; give the same command again"
                )
        return {folder.name(part): part.games for part in study.parts()}

    def tell_luck(self) -> None:
        """Play the games that tell luck from skill, of a study that asks for them."""
        from joblib import delayed

        study, path = self._folder.study, self._folder.path
        cells = luck_cells(study, path)
        if not cells:
            return
        if self._workers is None:
            self._compile_seconds = _compile(study, self._progress)
            self._workers = self.gather()
        event = self._stop if self._workers.threads else None
        try:
            for _ in self._workers.play(delayed(play_luck)(study, path, cell, event, self._owner) for cell in cells):
                pass
        except BaseException:
            self._stop.set()
            raise
        if luck_cells(study, path):
            raise FlocksimError(f"{path}: stopped; what is finished is kept, and the same run again goes on from there")

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


def _play(
    study: Study,
    folder: RunFolder,
    done: Mapping[PartName, int],
    playing: Workers,
    owner: int | None,
    progress: Progress,
    stop: threading.Event,
) -> int:
    """Play every part that is not `done`; returns how many games are stored then.

    What a lost worker was at is played again, unless workers are lost again and again and nothing gets done.
    """
    from joblib import delayed

    event = stop if playing.threads else None
    told, losses = sum(done.values()), 0
    while True:
        todo = (part for part in study.parts() if folder.name(part) not in done)
        tasks = (delayed(play_part)(study, folder.path, part, event, owner) for part in todo)
        try:
            for games in playing.play(tasks):
                told += games
                progress.played(games)
            return told
        except playing.lost as error:
            if note := folder.take_note():
                raise FlocksimError(note) from None
            before, done = len(done), folder.finished()
            losses = losses + 1 if len(done) == before else 1
            if losses > MOST_LOSSES:
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                raise FlocksimError(
                    f"{folder.path}: workers were lost {losses} times in a row ({reason[:200]}); what is finished is "
                    "kept, and the same run again goes on from there"
                ) from None
            found = sum(done.values())
            progress.played(found - told)
            told = found
        except BaseException:
            stop.set()  # workers end within a chunk
            folder.take_note()
            raise


class Stop:
    """Whether a worker should stop: it was told to, or it outlived the process that started it.

    A worker process whose parent was killed must store nothing: another run may hold the folder by then.
    owner: that parent; None for workers of a cluster, who have none.
    """

    def __init__(self, event: threading.Event | None, owner: int | None) -> None:
        self._event, self._owner = event, owner

    def is_set(self) -> bool:
        if self._event is not None and self._event.is_set():
            return True
        return self._owner is not None and self._owner not in (os.getpid(), os.getppid())


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
    with _watched(player, study, folder, part):
        try:
            if not _play_chunks(player, part, games, seats, stop):
                return 0
        except Unchosen as fault:
            raise FlocksimError(f"{fault}; {_moment(study, path, part, fault.game)}") from None
    if stop.is_set() or (owner is None and not folder.is_still_this_study()):
        return 0
    folder.write_part(part, games, seats, player.take_arcs())
    return part.games


def _watched(
    player: BlockPlayer, study: Study, folder: RunFolder, part: Part
) -> contextlib.AbstractContextManager[None]:
    """Meanwhile, end the process when a bot of the user's own never chooses: what is stored stays."""
    if not player.team.has_guests:
        return contextlib.nullcontext()

    def end() -> None:
        told, game = player.slow()
        told = f"{told}; {_moment(study, folder.path, part, game)}"
        if folder.is_held_here():
            give_up(told)
        folder.leave_note(told)
        os._exit(2)

    return watching(player.look, end)


def _moment(study: Study, path: Path, part: Part, game: int) -> str:
    variant = study.variants[part.variant].name
    return (
        f"seed {study.seed}, {variant} with {part.players} players, game {game}. Finished parts are kept. The moment: "
        f"flocksim trace {shlex.quote(str(path))} --variant {variant} --players {part.players} --game {game} --pretty"
    )


def _play_chunks(play: BlockPlayer, part: Part, games: np.ndarray, seats: np.ndarray, stop: Stop) -> bool:
    """Play a part, unless it is stopped in between."""

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


class Unchosen(Exception):
    """A bot of the user's own did not choose; `game` is that of the row."""

    def __init__(self, told: str, game: int) -> None:
        super().__init__(told)
        self.game = game


class _Playing(NamedTuple):
    """Blocks in play: the first one, their line-ups, and the rows of their games."""

    first: int
    who: np.ndarray
    games: np.ndarray


NO_ARCS = np.zeros(0, driver.ArcRow)


class BlockPlayer:
    """The compiled driver with everything it needs for one cell."""

    def __init__(self, study: Study, part: Part) -> None:
        engine = engine_of(study.game)
        self.team = team = Team(study.game, study.strategies)
        self._play: Callable[..., int] = engine.play_blocks(len(team.kernels), team.aid)
        variant = study.variants[part.variant]
        self._words = study.game.words_under(variant.rules)
        self._states, self._rules = new_records(study.game.state), variant.rules.record(part.players)
        self._playing: _Playing | None = None
        self.seeds = np.full(3, study.seed, np.uint64)  # driver.SET_UP, PLAY and CHOOSE
        self._front = (
            engine.functions,
            team.tools,
            team.kernels,
            self._states,
            self._rules,
            new_records(Choices),
            team.bots,
            team.weights,
            self.seeds,
        )
        self._recorded = partial(study.recorded, part.players)
        self._room, self._noted = new_records(driver.ArcRow, ARC_TURNS), [NO_ARCS]
        self._now = np.zeros(MAX_SEATS, np.int64)
        self._members = np.array(variant.strategies or range(len(study.strategies)))
        self._players, self._seed = part.players, study.seed

    def __call__(self, first: int, games: np.ndarray, seats: np.ndarray) -> None:
        """Play blocks from `first` on into the rows of `games` and `seats`, and note the turns of recorded ones."""
        players = seats.shape[1]
        who = self.line_ups(self._seed, first, len(games) // players)
        recorded = self._recorded(first, len(who))
        start = 0
        while start < len(who):
            same = np.flatnonzero(recorded[start:] != recorded[start])
            end = start + int(same[0]) if len(same) else len(who)
            end = min(end, start + ARC_BLOCKS) if recorded[start] else end
            rows = slice(start * players, end * players)
            play = self._play_recorded if recorded[start] else self.play
            play(first + start, who[start:end], games[rows], seats[rows])
            start = end

    def line_ups(self, seed: int, first: int, blocks: int) -> np.ndarray:
        """Who plays in the blocks from `first` on under a seed: (blocks, players) indices of strategies."""
        return np.asarray(self._members[line_ups(seed, self._players, first, blocks, len(self._members))])

    def take_arcs(self) -> np.ndarray:
        """The turns that were noted since this was last asked, an array of ArcRow."""
        noted, self._noted = self._noted, [NO_ARCS]
        return np.concatenate(noted)

    def _play_recorded(self, first: int, who: np.ndarray, games: np.ndarray, seats: np.ndarray) -> None:
        """Play, and note every turn; once more from the start, the same, where there was too little room."""
        self._room.fill(0)
        while not self.play(first, who, games, seats, self._room):
            self._room = new_records(driver.ArcRow, 2 * len(self._room))
            games["decisions"] = 0  # to the watchdog, games that are over
        self._noted.append(self._room[self._room["turn"] > 0])

    def play(
        self, first: int, who: np.ndarray, games: np.ndarray, seats: np.ndarray, arcs: np.ndarray = NO_ARCS
    ) -> bool:
        """Play line-ups of one's own: (blocks, players) indices of strategies.

        arcs: an array of ArcRow, zeros, for their turns if these are to be noted. False when it has too little room.
        """
        speak(self._words)
        self._playing = playing = _Playing(first, who, games)
        played = self._play(*self._front, first, who, as_records(games), as_records(seats), as_records(arcs), self._now)
        if played == driver.NO_ROOM:
            return False
        if played < len(games):
            strategy, game = self._deciding(playing, played)
            raise Unchosen(self.team.trouble(strategy, self._rules), game)
        self._playing = None
        return True

    # --- for the watchdog, from another thread ---

    def look(self) -> tuple[Any, float] | None:
        """What stays as it is for as long as a bot that needs to be watched decides, and how long it may."""
        playing = self._playing
        if playing is None:
            return None
        moment = self._deciding(playing, self._played(playing))
        seconds = self.team.seconds(moment[0])
        return None if seconds is None else ((moment, self._states.tobytes()), seconds)

    def slow(self) -> tuple[str, int]:
        """Who has not chosen for how long, and in which game."""
        assert self._playing is not None
        strategy, game = self._deciding(self._playing, self._played(self._playing))
        return f"{self.team.strategies[strategy].name} has not chosen after {self.team.seconds(strategy):g} s", game

    def _played(self, playing: _Playing) -> int:
        """How many of the games are over."""
        return min(int(np.count_nonzero(playing.games["decisions"])), len(playing.games) - 1)

    def _deciding(self, playing: _Playing, index: int) -> tuple[int, int]:
        """The strategy that decides in the game of a row, and that game's number."""
        players = playing.who.shape[1]
        block, rotation = divmod(index, players)
        strategy = playing.who[block, (int(self._states["seat"][0]) + rotation) % players]
        return int(strategy), playing.first * players + index
