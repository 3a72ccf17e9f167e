"""A game one step at a time: the driver's pieces and a game's functions, callable from Python on record arrays."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import driver
from .compiled import function_value, numba, types
from .engine import Engine, engine_of
from .layout import RUNNING

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


def _with_number(function, states, rules, number):
    function(states[0], rules[0], number)


def _choose(states, rules, choices, bots, weights, decide, strategy):
    return driver.choose(states[0], rules[0], choices[0], bots[strategy], weights[strategy], decide)


def _play(functions, kernels, states, rules, choices, chosen, bots, weights, seated):
    """Play on from states[0]: states[n + 1] is what chosen[n] of choices[n] made of states[n]. Returns how many."""
    legal, apply = functions
    decisions = 0
    while decisions < len(chosen) and states[decisions].end_reason == RUNNING:
        s, c = states[decisions], choices[decisions]
        legal(s, rules[0], c)
        bot = seated[s.seat]
        chosen[decisions] = driver.choose(s, rules[0], c, bots[bot], weights[bot], kernels[bots[bot].kernel])
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

    def finish(self, states: np.ndarray, seats: np.ndarray) -> None:
        """Rank the seats into an array of `driver.seat_dtype`."""
        self._kernels["finish"](states, seats)

    def choose(self, states: np.ndarray, rules: np.ndarray, choices: np.ndarray, team: Team, strategy: int) -> int:
        """The index into the choices that a strategy of the team picks for the seat to move."""
        decide = self._value_of(team.kernels[team.bots["kernel"][strategy]])
        return int(self._kernels["choose"](states, rules, choices, team.bots, team.weights, decide, strategy))

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
        decisions were made: as many as there is room for, fewer when the game is over.
        """
        play = self._play_kernel(len(team.kernels))
        values = (self._values["legal"], self._values["apply"])
        kernels = tuple(self._value_of(kernel) for kernel in team.kernels)
        return int(play(values, kernels, states, rules, choices, chosen, team.bots, team.weights, np.array(seated)))

    @cache  # noqa: B019 - steps live as long as the process
    def _play_kernel(self, slots: int) -> Any:
        engine, whole, value = self._engine, types.int64, types.FunctionType
        signature = whole(
            types.Tuple([value(engine.legal_type), value(engine.apply_type)]),
            types.UniTuple(value(engine.bot_type), slots),
            engine.states,
            engine.rules,
            engine.choices,
            whole[::1],
            numba.from_dtype(driver.Bot)[::1],
            types.float64[:, ::1],
            whole[::1],
        )
        return engine.compile(_play, signature)

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
        bots, weights = numba.from_dtype(driver.Bot)[::1], types.float64[:, ::1]
        choose = whole(*table, engine.choices, bots, weights, value(engine.bot_type), whole)
        return {
            "begin": engine.compile(_begin, types.void(engine.states, types.uint64, whole, whole, whole)),
            "finish": engine.compile(_finish, types.void(engine.states, seats)),
            "two": engine.compile(_two, types.void(value(engine.setup_type), *table)),
            "legal": engine.compile(_legal, types.void(value(engine.legal_type), *table, engine.choices)),
            "choose": engine.compile(_choose, choose),
            "with_number": engine.compile(_with_number, types.void(value(engine.apply_type), *table, whole)),
        }

    @cache  # noqa: B019 - steps live as long as the process
    def _value_of(self, kernel: Any) -> Any:
        return function_value(kernel)


@cache
def steps_of(game: Game) -> Steps:
    """The one set of steps of a game in this process."""
    return Steps(engine_of(game))
