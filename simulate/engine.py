"""Compiles a game: its functions to function values, and the generic driver to one entry for that game."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import types

from . import driver
from .compiled import compile_function
from .layout import Choices

if TYPE_CHECKING:
    from .game import Game

KERNEL_SLOTS = 4
"""Drivers take their bots as a tuple padded to a multiple of this, so that few lengths are ever compiled."""


class Engine:
    """The compiled functions of one game. Each is compiled, or loaded from the cache, when first asked for.

    `compile_seconds` adds up what that took.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.compile_seconds = 0.0
        self._bots: dict[Callable[..., Any], Any] = {}
        state, rules = numba.from_dtype(game.state), numba.from_dtype(game.rules)
        choices = numba.from_dtype(Choices)
        self._state, self._rules, self._choices = state[::1], rules[::1], choices[::1]
        self._setup = types.void(state, rules)
        self._legal = types.void(state, rules, choices)
        self._apply = types.void(state, rules, types.int64)
        self._redeal = types.void(state, rules, types.int64)
        self._bot = types.int64(state, rules, choices, types.float64[::1])

    def _compile(self, function: Callable[..., Any], signature: Any) -> Any:
        start = time.perf_counter()
        compiled = compile_function(getattr(function, "py_func", function), signature)
        self.compile_seconds += time.perf_counter() - start
        return compiled

    @cached_property
    def setup(self) -> Any:
        return self._compile(self.game.setup, self._setup)

    @cached_property
    def legal(self) -> Any:
        return self._compile(self.game.legal, self._legal)

    @cached_property
    def apply(self) -> Any:
        return self._compile(self.game.apply, self._apply)

    @cached_property
    def score(self) -> Any:
        return self._compile(self.game.score, self._setup)

    @cached_property
    def redeal(self) -> Any:
        return self._compile(self.game.redeal, self._redeal)

    def bot(self, function: Callable[..., Any]) -> Any:
        """The function value of a bot: (state, rules, choices, weights) -> index into the choices."""
        if function not in self._bots:
            self._bots[function] = self._compile(function, self._bot)
        return self._bots[function]

    def kernels(self, functions: Sequence[Callable[..., Any]]) -> tuple[Any, ...]:
        """The function values of several bots, padded by repeating the first."""
        compiled = [self.bot(function) for function in functions]
        return tuple(compiled + [compiled[0]] * (-len(compiled) % KERNEL_SLOTS))

    @cache  # noqa: B019 - engines live as long as the process
    def play_blocks(self, slots: int = KERNEL_SLOTS) -> Any:
        """`driver.play_blocks` for this game and a padded number of bot kernels."""
        value = types.FunctionType
        functions = types.Tuple(
            [value(self._setup), value(self._legal), value(self._apply), value(self._setup)]
        )
        bots = numba.from_dtype(driver.Bot)[::1]
        seats = types.Array(numba.from_dtype(driver.seat_dtype(len(self.game.counters))), 2, "C")
        games = numba.from_dtype(driver.GameRow)[::1]
        whole = types.int64
        signature = types.void(
            functions,
            types.UniTuple(value(self._bot), slots),
            self._state,
            self._rules,
            self._choices,
            bots,
            types.float64[:, ::1],
            types.uint64,
            whole,
            whole,
            games,
            seats,
        )
        return self._compile(driver.play_blocks, signature)

    @property
    def functions(self) -> tuple[Any, Any, Any, Any]:
        return self.setup, self.legal, self.apply, self.score

    # --- single steps, for tables and traces ---

    @cached_property
    def begin(self) -> Any:
        whole = types.int64
        return self._compile(
            driver.one_begin, types.void(self._state, types.uint64, whole, whole, whole)
        )

    @cached_property
    def finish(self) -> Any:
        seats = numba.from_dtype(driver.seat_dtype(len(self.game.counters)))[::1]
        return self._compile(driver.one_finish, types.void(self._state, seats))

    @cached_property
    def one_setup(self) -> Any:
        function = types.FunctionType(self._setup)
        return self._compile(driver.one_setup, types.void(function, self._state, self._rules))

    @cached_property
    def one_legal(self) -> Any:
        function = types.FunctionType(self._legal)
        return self._compile(
            driver.one_legal, types.void(function, self._state, self._rules, self._choices)
        )

    @cached_property
    def one_apply(self) -> Any:
        function = types.FunctionType(self._apply)
        return self._compile(
            driver.one_apply, types.void(function, self._state, self._rules, types.int64)
        )

    @cached_property
    def one_redeal(self) -> Any:
        function = types.FunctionType(self._redeal)
        return self._compile(
            driver.one_apply, types.void(function, self._state, self._rules, types.int64)
        )

    @cache  # noqa: B019 - engines live as long as the process
    def one_choice(self, slots: int = KERNEL_SLOTS) -> Any:
        signature = types.int64(
            self._state,
            self._rules,
            self._choices,
            numba.from_dtype(driver.Bot)[::1],
            types.float64[:, ::1],
            types.UniTuple(types.FunctionType(self._bot), slots),
            types.int64,
        )
        return self._compile(driver.one_choice, signature)


@cache
def engine_of(game: Game) -> Engine:
    """The one engine of a game in this process."""
    return Engine(game)
