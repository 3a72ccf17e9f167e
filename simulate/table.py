"""One game at a time, step by step, from Python: for traces, tests, notebooks and bots in the making."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from . import driver
from .errors import FlocksimError, unknown
from .game import Game
from .layout import END_REASONS, RUNNING, Choices, new_records
from .parameters import Parameters
from .steps import steps_of
from .streams import DECK

if TYPE_CHECKING:
    from .bots import Team


class Table:
    """A game in progress, in the rulebook's words. It runs the same compiled functions as a study.

    `states`, `rules` and `choices` are arrays of one record, for who wants to look inside.
    """

    def __init__(self, game: Game, rules: Parameters, players: int) -> None:
        game.check_players(players)
        rules.check(players)
        self.game, self.players = game, players
        self.steps = steps_of(game)
        self.rules = rules.record(players)
        self.states = new_records(game.state)
        self.states["players"][0] = players
        self.states["traced"][0] = 1
        self.choices = new_records(Choices)
        self.decisions = 0
        self.digest = np.uint64(0)

    def copy(self) -> Self:
        """An independent table with the same position and the same chance to come."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.states = self.states.copy()
        twin.choices = self.choices.copy()
        return twin

    # --- playing ---

    def deal(self, seed: int, block: int = 0, rotation: int = 0) -> list[dict[str, Any]]:
        """Set the game up as game (block, rotation) of that seed. Returns what chance did."""
        self.steps.begin(self.states, seed, self.players, block, rotation)
        self._start_log()
        self.steps.setup(self.states, self.rules)
        self._list()
        return self._events()

    def legal_codes(self) -> list[int]:
        return [] if self.over else [int(code) for code in self.choices["actions"][0][: self._count]]

    def legal(self) -> list[dict[str, Any]]:
        """The legal actions in words; empty when the game is over."""
        return [self.game.words.action(code, self.states[0]) for code in self.legal_codes()]

    def apply(self, action: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Play one legal action. Returns what chance did."""
        code = self.game.words.code(action)
        if code not in self.legal_codes():
            raise FlocksimError(f"{dict(action)} is not legal here")
        return self.apply_code(code)

    def apply_code(self, code: int) -> list[dict[str, Any]]:
        """Play the legal action with that code."""
        self._start_log()
        with np.errstate(over="ignore"):
            self.digest = np.uint64(driver.digest_step(self.digest, np.int64(code)))
        self.decisions += 1
        self.steps.apply(self.states, self.rules, code)
        self._list()
        return self._events()

    def choose(self, team: Team, strategy: int) -> int:
        """The index into `legal()` that a strategy of the team picks for the seat to move."""
        return self.steps.choose(self.states, self.rules, self.choices, team, strategy)

    def redeal(self, seat: int) -> None:
        """Deal anew what the player in `seat` (from 1) cannot see."""
        self.steps.redeal(self.states, self.rules, seat - 1)

    # --- looking ---

    @property
    def over(self) -> bool:
        return bool(self.states["end_reason"][0] != RUNNING)

    @property
    def to_move(self) -> int | None:
        """The seat (from 1) that decides, None when the game is over."""
        return None if self.over else int(self.states["seat"][0]) + 1

    @property
    def decision(self) -> str | None:
        """The kind of decision at hand."""
        return None if self.over else self.game.decisions[int(self.states["kind"][0])]

    @property
    def turn(self) -> int:
        return int(self.states["turns"][0])

    @property
    def round(self) -> int:
        return int(self.states["rounds"][0])

    def state(self) -> dict[str, Any]:
        """Everything on the table, hidden things included, in words."""
        end_reason = END_REASONS[self.states["end_reason"][0]] if self.over else None
        return {
            "to_move": self.to_move,
            "decision": self.decision,
            "turn": self.turn,
            "round": self.round,
            **self.game.words.state(self.states[0], self.rules[0]),
            "end_reason": end_reason,
        }

    def end(self) -> dict[str, Any] | None:
        """How the game ended and who ranks where; None while it runs."""
        if not self.over:
            return None
        self.steps.score(self.states, self.rules)
        seats = new_records(driver.seat_dtype(len(self.game.counters)), self.players)
        self.steps.finish(self.states, seats)
        order = sorted(range(self.players), key=lambda seat: (int(seats["rank"][seat]), seat))
        return {
            "end_reason": END_REASONS[self.states["end_reason"][0]],
            "turns": self.turn,
            "rounds": self.round,
            "decisions": self.decisions,
            "ranking": [
                {
                    "seat": seat + 1,
                    "rank": int(seats["rank"][seat]),
                    "score": int(seats["score"][seat]),
                    "win_share": float(seats["win_share"][seat]),
                }
                for seat in order
            ],
        }

    # --- arranging, for tests and puzzles ---

    def place(self, words: Mapping[str, Any]) -> None:
        """Put this position, in the words of `state()`, on the table. Its seed is that of game 0."""
        if words["to_move"] not in range(1, self.players + 1):
            raise FlocksimError(
                f"to_move: {words['to_move']!r} is not allowed; allowed: a seat from 1 to {self.players}"
            )
        if words["decision"] not in self.game.decisions:
            raise FlocksimError(unknown("decision", str(words["decision"]), self.game.decisions))
        self.steps.begin(self.states, 0, self.players, 0, 0)
        state = self.states
        state["seat"][0] = words["to_move"] - 1
        state["kind"][0] = self.game.decisions.index(words["decision"])
        state["turns"][0], state["rounds"][0] = words.get("turn", 1), words.get("round", 1)
        state["end_reason"][0] = RUNNING
        state["counters"][0] = 0
        self.game.words.place(state[0], self.rules[0], words)
        self._list()

    def stack(self, cards: Sequence[str], tries: int = 200_000) -> None:
        """Make the draw pile begin with these cards, by trying shuffles until one does."""
        for attempt in range(tries):
            self.states["streams"][0][DECK] = attempt
            pile = self.game.words.state(self.states[0], self.rules[0])["draw_pile"]
            if pile[: len(cards)] == list(cards):
                return
        raise FlocksimError(f"no shuffle in {tries} puts {list(cards)} on top; are they in the draw pile?")

    # --- inside ---

    @property
    def _count(self) -> int:
        return int(self.choices["count"][0])

    def _list(self) -> None:
        if not self.over:
            self.steps.legal(self.states, self.rules, self.choices)

    def _start_log(self) -> None:
        self.states["n_events"][0] = 0

    def _events(self) -> list[dict[str, Any]]:
        count, room = int(self.states["n_events"][0]), self.states["events"].shape[1]
        if count > room:
            raise FlocksimError(f"chance did {count} things at once; a trace holds {room}")
        return [self.game.words.event(int(code)) for code in self.states["events"][0][:count]]
