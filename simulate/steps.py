"""A game one step at a time: the driver's pieces and a game's functions, callable from Python on record arrays."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import driver
from .choosing import Bot
from .compiled import entry, function_value, numba, types
from .engine import Engine, engine_of
from .layout import RUNNING
from .search import SEARCHING, decide, play_outs
from .streams import MAX_SEATS

if TYPE_CHECKING:
    from .bots import Team
    from .game import Game


def _begin(states, seed, players, block, rotation):
    driver.begin(states[0], seed, players, block, rotation)


def _finish(states, seats):
    driver.finish(states[0], seats)


def _two(function, states, rules):
    function(states[0], rules[0])


def _legal(function, states, rules, choices):
    function(states[0], rules[0], choices[0])


def _with_more(function, states, rules, more):
    function(states[0], rules[0], more)


def _kinds(function, states, rules, number):
    return function(states[0], rules[0], number)


def _choose(tools, states, rules, choices, bots, weights, kernel, strategy):
    return decide(tools, states[0], rules[0], choices[0], bots[strategy], weights[strategy], kernel)


def _play_outs(tools, states, rules, bots, weights, kernel, strategy):
    play_outs(tools, states[0], rules[0], bots[strategy], weights[strategy], kernel)


def _play(functions, tools, kernels, states, rules, choices, chosen, bots, weights, seated):
    """Play on from states[0]: states[n + 1] is what chosen[n] of choices[n] made of states[n]. Returns how many.

    It stops before a decision in which a bot does not choose.
    """
    legal, apply = functions
    decisions = 0
    while decisions < len(chosen) and states[decisions].end_reason == RUNNING:
        s, c = states[decisions], choices[decisions]
        legal(s, rules[0], c)
        bot = seated[s.seat]
        chosen[decisions] = decide(tools, s, rules[0], c, bots[bot], weights[bot], kernels[bots[bot].kernel])
        if chosen[decisions] < 0:
            return decisions
        decisions += 1
        states[decisions] = s
        states[decisions].n_events = 0
        apply(states[decisions], rules[0], np.int64(c.actions[chosen[decisions - 1]]))
    return decisions


class Steps:
    """The steps of one game. states, rules and choices are arrays of one record; they are changed in place."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, states: np.ndarray, seed: int, players: int, block: int, rotation: int) -> None:
        """Seed the streams of a game."""
        self._kernels["begin"](states, seed, players, block, rotation)

    def setup(self, states: np.ndarray, rules: np.ndarray) -> None:
        self._kernels["two"](self._values["setup"], states, rules)

    def score(self, states: np.ndarray, rules: np.ndarray) -> None:
        self._kernels["two"](self._values["score"], states, rules)

    def legal(self, states: np.ndarray, rules: np.ndarray, choices: np.ndarray) -> None:
        self._kernels["legal"](self._values["legal"], states, rules, choices)

    def apply(self, states: np.ndarray, rules: np.ndarray, action: int) -> None:
        self._kernels["with_number"](self._values["apply"], states, rules, action)

    def redeal(self, states: np.ndarray, rules: np.ndarray, seat: int) -> None:
        """Deal anew what `seat` (from 0) cannot see."""
        self._kernels["with_number"](self._values["redeal"], states, rules, seat)

    def kinds(self, states: np.ndarray, rules: np.ndarray, action: int) -> int:
        """Which of the game's kinds of action an action is, as bits."""
        return int(self._kinds_kernel(self._value_of(self._engine.kinds), states, rules, action))

    def standings(self, states: np.ndarray, rules: np.ndarray) -> np.ndarray:
        """How far each seat is, in as many places as a table may have seats."""
        now = np.zeros(MAX_SEATS, np.int64)
        self._standings_kernel(self._value_of(self._engine.standings), states, rules, now)
        return now

    def finish(self, states: np.ndarray, seats: np.ndarray) -> None:
        """Rank the seats into an array of `driver.seat_dtype`."""
        self._kernels["finish"](states, seats)

    def choose(self, states: np.ndarray, rules: np.ndarray, choices: np.ndarray, team: Team, strategy: int) -> int:
        """The index into the choices that a strategy of the team picks for the seat to move; less than 0 for none."""
        choose = self._choose_kernel(team.aid)
        tools, value = self._tools_of(team), self._value_of(team.kernels[team.bots["kernel"][strategy]])
        return int(choose(tools, states, rules, choices, team.bots, team.weights, value, strategy))

    def play_outs(self, states: np.ndarray, rules: np.ndarray, team: Team, strategy: int) -> None:
        """Play out as many games from here as a searching strategy has iterations, without searching."""
        tools, value = self._tools_of(team), self._value_of(team.kernels[team.bots["kernel"][strategy]])
        self._play_outs_kernel(tools, states, rules, team.bots, team.weights, value, strategy)

    def play(
        self,
        states: np.ndarray,
        rules: np.ndarray,
        choices: np.ndarray,
        chosen: np.ndarray,
        team: Team,
        seated: list[int],
    ) -> int:
        """Play on from states[0] with the strategy `seated[seat]` of the team in each seat.

        Fills `states` (one more than the others), `choices` and `chosen`, indices into the choices. Returns how many
        decisions were made: as many as there is room for, fewer when the game is over or a bot does not choose.
        """
        play = self._play_kernel(len(team.kernels), team.aid)
        values, tools = (self._values["legal"], self._values["apply"]), self._tools_of(team)
        kernels = tuple(self._value_of(kernel) for kernel in team.kernels)
        seats = np.array(seated)
        return int(play(values, tools, kernels, states, rules, choices, chosen, team.bots, team.weights, seats))

    def _tools_of(self, team: Team) -> tuple[Any, ...]:
        """A team's tools for search, its functions as values."""
        return tuple(part if isinstance(part, np.ndarray) else self._value_of(part) for part in team.tools)

    @cache  # noqa: B019 - steps live as long as the process
    def _play_kernel(self, slots: int, aid: int) -> Any:
        engine, whole, value = self._engine, types.int64, types.FunctionType
        signature = whole(
            types.Tuple([value(engine.legal_type), value(engine.apply_type)]),
            engine.tools_type(aid),
            types.UniTuple(value(engine.bot_type), slots),
            engine.states,
            engine.rules,
            engine.choices,
            whole[::1],
            numba.from_dtype(Bot)[::1],
            types.float64[:, ::1],
            whole[::1],
        )
        return entry(engine.compile(_play, signature))

    @cache  # noqa: B019
    def _choose_kernel(self, aid: int) -> Any:
        engine, whole = self._engine, types.int64
        signature = whole(
            engine.tools_type(aid),
            engine.states,
            engine.rules,
            engine.choices,
            numba.from_dtype(Bot)[::1],
            types.float64[:, ::1],
            types.FunctionType(engine.bot_type),
            whole,
        )
        return entry(engine.compile(_choose, signature))

    @cached_property
    def _play_outs_kernel(self) -> Any:
        engine, whole = self._engine, types.int64
        signature = types.void(
            engine.tools_type(SEARCHING),
            engine.states,
            engine.rules,
            numba.from_dtype(Bot)[::1],
            types.float64[:, ::1],
            types.FunctionType(engine.bot_type),
            whole,
        )
        return entry(engine.compile(_play_outs, signature))

    @cached_property
    def _kinds_kernel(self) -> Any:
        engine, whole = self._engine, types.int64
        signature = whole(types.FunctionType(engine.kinds_type), engine.states, engine.rules, whole)
        return engine.compile(_kinds, signature)

    @cached_property
    def _standings_kernel(self) -> Any:
        engine, now = self._engine, types.int64[::1]
        return engine.compile(
            _with_more, types.void(types.FunctionType(engine.standings_type), engine.states, engine.rules, now)
        )

    @cached_property
    def _values(self) -> dict[str, Any]:
        engine = self._engine
        functions = {
            "setup": engine.setup,
            "legal": engine.legal,
            "apply": engine.apply,
            "score": engine.score,
            "redeal": engine.redeal,
        }
        return {name: function_value(function) for name, function in functions.items()}

    @cached_property
    def _kernels(self) -> dict[str, Any]:
        engine, whole, value = self._engine, types.int64, types.FunctionType
        seats = numba.from_dtype(driver.seat_dtype(len(engine.game.counters)))[::1]
        table = (engine.states, engine.rules)
        return {
            "begin": engine.compile(_begin, types.void(engine.states, types.uint64, whole, whole, whole)),
            "finish": engine.compile(_finish, types.void(engine.states, seats)),
            "two": engine.compile(_two, types.void(value(engine.setup_type), *table)),
            "legal": engine.compile(_legal, types.void(value(engine.legal_type), *table, engine.choices)),
            "with_number": engine.compile(_with_more, types.void(value(engine.apply_type), *table, whole)),
        }

    @cache  # noqa: B019 - steps live as long as the process
    def _value_of(self, kernel: Any) -> Any:
        return function_value(kernel)


@cache
def steps_of(game: Game) -> Steps:
    """The one set of steps of a game in this process."""
    return Steps(engine_of(game))
