"""One game at a time, step by step, from Python: for traces, tests, notebooks and bots in the making."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from . import driver
from .errors import FlocksimError, unknown
from .game import Game
from .layout import END_REASONS, RUNNING, Choices, new_records
from .own_bots import speak
from .parameters import Parameters
from .steps import steps_of
from .streams import DECK
from .watchdog import give_up, watching

if TYPE_CHECKING:
    from .bots import Team


STRETCH = 64
"""Decisions that are made in one go when a game is played through."""


class Decision(NamedTuple):
    """A decision that a strategy made, in words: what it could choose, what it chose, and what came of it."""

    number: int
    turn: int
    round: int
    seat: int
    kind: str
    legal: list[dict[str, Any]]
    chosen: dict[str, Any]
    chance: list[dict[str, Any]]
    state: dict[str, Any]


class Table:
    """A game in progress, in the rulebook's words. It runs the same compiled functions as a study.

    `states`, `rules` and `choices` are arrays of one record, for who wants to look inside.
    """

    def __init__(self, game: Game, rules: Parameters, players: int) -> None:
        game.check_players(players)
        rules.check(players)
        self.game, self.players = game, players
        self.words = game.words_under(rules)
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
        return self._events(self.states[0])

    def legal_codes(self) -> list[int]:
        codes: list[int] = [] if self.over else self.choices["actions"][0, : self._count].tolist()
        return codes

    def legal(self) -> list[dict[str, Any]]:
        """The legal actions in words; empty when the game is over."""
        action, state = self.words.action, self.states[0]
        return [action(code, state) for code in self.legal_codes()]

    def apply(self, action: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Play one legal action. Returns what chance did."""
        code = self.words.code(action)
        if code not in self.legal_codes():
            raise FlocksimError(f"{dict(action)} is not legal here")
        return self.apply_code(code)

    def apply_code(self, code: int) -> list[dict[str, Any]]:
        """Play the legal action with that code."""
        self._start_log()
        self._note(code)
        self.steps.apply(self.states, self.rules, code)
        self._list()
        return self._events(self.states[0])

    def decide(self, index: int) -> Decision:
        """Make the decision at hand: the index of a legal action."""
        before, codes = self.states.copy(), self.legal_codes()
        self.apply_code(codes[index])
        return self._decision(before[0], self.states[0], codes, index)

    def play(self, team: Team, seated: Sequence[int]) -> Iterator[Decision]:
        """Play the game to its end with the strategy `seated[seat]` of the team in each seat, decision by decision.

        The table itself may be some decisions ahead of what has been yielded.
        """
        states = new_records(self.game.state, STRETCH + 1)
        choices, chosen = new_records(Choices, STRETCH), np.zeros(STRETCH, np.int64)
        stretch = slice(1 if team.has_guests else STRETCH)  # what led to a guest's fault is told before it
        while not self.over:
            states[0] = self.states[0]
            with self._watched(team, lambda: seated[self.states["seat"][0]]):
                count = self.steps.play(states, self.rules, choices[stretch], chosen[stretch], team, list(seated))
            self.states[0] = states[count]
            self._list()
            for index in range(count):
                codes = choices["actions"][index, : choices["count"][index]].tolist()
                pick = int(chosen[index])
                self._note(codes[pick])
                yield self._decision(states[index], states[index + 1], codes, pick)
            if count == 0:
                raise self._fault(team, seated[self.states["seat"][0]])

    def _decision(self, before: Any, after: Any, codes: list[int], pick: int) -> Decision:
        legal = [self.words.action(code, before) for code in codes]
        return Decision(
            number=self.decisions,
            turn=int(before["turns"]),
            round=int(before["rounds"]),
            seat=int(before["seat"]) + 1,
            kind=self.game.decisions[before["kind"]],
            legal=legal,
            chosen=legal[pick],
            chance=self._events(after),
            state=self._told(after),
        )

    def choose(self, team: Team, strategy: int) -> int:
        """The index into `legal()` that a strategy of the team picks for the seat to move.

        Raises FlocksimError when a bot of the user's own does not choose.
        """
        with self._watched(team, lambda: strategy):
            choice = self.steps.choose(self.states, self.rules, self.choices, team, strategy)
        if choice < 0:
            raise self._fault(team, strategy)
        return choice

    def _watched(self, team: Team, deciding: Callable[[], int]) -> AbstractContextManager[None]:
        """Tell plain Python bots what to speak, and end the process when a bot never chooses."""
        speak(self.words)
        if not team.has_guests:
            return nullcontext()
        strategy = deciding()
        seconds = team.seconds(strategy)
        told = f"{team.strategies[strategy].name} has not chosen after {seconds:g} s{self._here()}" if seconds else ""
        return watching(lambda: ("", seconds) if seconds else None, lambda: give_up(told))

    def _fault(self, team: Team, strategy: int) -> FlocksimError:
        return FlocksimError(f"{team.trouble(strategy, self.rules)}{self._here()}")

    def _here(self) -> str:
        return f"; at decision {self.decisions + 1} of the game ({self.decision}, seat {self.to_move})"

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
        return self._told(self.states[0])

    def seen(self, seat: int) -> dict[str, Any]:
        """`state` as the player in `seat` (from 1) sees it, with '?' for what is hidden."""
        return self._told(self.states[0], seat)

    def standings(self) -> list[int]:
        """How far each seat is at the moment, seat 1 first, in what the game's `standing_word` says."""
        return [int(far) for far in self.steps.standings(self.states, self.rules)[: self.players]]

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
        self.words.place(state[0], self.rules[0], words)
        self._list()

    def stack(self, cards: Sequence[str], tries: int = 200_000) -> None:
        """Make the draw pile begin with these cards, by trying shuffles until one does."""
        for attempt in range(tries):
            self.states["streams"][0][DECK] = attempt
            pile = self.words.state(self.states[0], self.rules[0])["draw_pile"]
            if pile[: len(cards)] == list(cards):
                return
        raise FlocksimError(f"no shuffle in {tries} puts {list(cards)} on top; are they in the draw pile?")

    # --- inside ---

    @property
    def _count(self) -> int:
        return int(self.choices["count"][0])

    def _told(self, state: Any, seat: int | None = None) -> dict[str, Any]:
        """A state in words, all of it or what a seat (from 1) sees."""
        words = self.words
        over = state["end_reason"] != RUNNING
        return {
            "to_move": None if over else int(state["seat"]) + 1,
            "decision": None if over else self.game.decisions[state["kind"]],
            "turn": int(state["turns"]),
            "round": int(state["rounds"]),
            **(words.seen(state, self.rules[0], seat - 1) if seat else words.state(state, self.rules[0])),
            "end_reason": END_REASONS[state["end_reason"]] if over else None,
        }

    def _list(self) -> None:
        if not self.over:
            self.steps.legal(self.states, self.rules, self.choices)

    def _start_log(self) -> None:
        self.states["n_events"][0] = 0

    def _events(self, state: Any) -> list[dict[str, Any]]:
        """What chance did last, in words."""
        count, room = int(state["n_events"]), len(state["events"])
        if count > room:
            raise FlocksimError(f"chance did {count} things at once; a trace holds {room}")
        return [self.words.event(code) for code in state["events"][:count].tolist()]

    def _note(self, code: int) -> None:
        """Count a decision, and what it was into the digest."""
        with np.errstate(over="ignore"):
            self.digest = np.uint64(driver.digest_step(self.digest, np.int64(code)))
        self.decisions += 1
