"""Plays blocks of one cell with the compiled driver, in chunks that may be stopped in between."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from . import driver
from .bots import Team, line_ups
from .engine import engine_of
from .errors import FlocksimError
from .layout import Choices, as_records, new_records
from .own_bots import speak
from .plan import Part, Study
from .store import RunFolder
from .streams import MAX_SEATS
from .watchdog import give_up, watching

ARC_BLOCKS, ARC_TURNS = 16, 4096
"""So many recorded blocks are played at a time, with room for so many turns at first."""
CHUNK_SECONDS = 0.1  # how long a kernel runs before it looks whether it should stop


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


def played_out(
    player: BlockPlayer,
    folder: RunFolder,
    blocks: int,
    play: Callable[[int, int], None],
    stop: Stop,
    moment: Callable[[int], str],
) -> bool:
    """Call play(first, count) until all blocks are played; False when stopped.

    A bot of the user's own that never chooses ends the process; what is stored stays. moment: says which game it was.
    Raises FlocksimError for a bot that does not choose what is allowed.
    """

    def end(told: str, game: int) -> None:
        told = f"{told}; {moment(game)}"
        if folder.is_held_here():
            give_up(told)
        folder.leave_note(told)
        os._exit(2)

    with watched(player, end):
        try:
            return in_chunks(blocks, play, stop)
        except Unchosen as fault:
            raise FlocksimError(f"{fault}; {moment(fault.game)}") from None


def watched(player: BlockPlayer, end: Callable[[str, int], None]) -> contextlib.AbstractContextManager[None]:
    """Meanwhile, call `end` with what is to be said and the game when a bot of the user's own never chooses."""
    if not player.team.has_guests:
        return contextlib.nullcontext()
    return watching(player.look, lambda: end(*player.slow()))


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
