"""Compiles a game: its functions to function values, and the generic driver to one entry for that game."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from . import driver
from .choosing import Bot
from .compiled import compile_function, numba, types
from .layout import Choices
from .own_bots import Kernel, OwnBot, compiled
from .search import AIDED, PLAIN, SEARCHING, Node, tools_for

if TYPE_CHECKING:
    from .game import Game

KERNEL_SLOTS = 4
"""Drivers take their bots as a tuple padded to a multiple of this, so that few lengths are ever compiled."""


def kernel_slots(kernels: int) -> int:
    """How many bots the tuple for so many has room for."""
    return -(-kernels // KERNEL_SLOTS) * KERNEL_SLOTS


class Engine:
    """The compiled functions of one game. Each is compiled, or loaded from the cache, when first asked for.

    `compile_seconds` adds up what that took. `states`, `rules` and `choices` are the types of the record arrays that
    kernels take; `setup_type` (also of score), `legal_type`, `apply_type` (also of redeal), `kinds_type`,
    `standings_type` and `bot_type` those of the functions.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.compile_seconds = 0.0
        self._bots: dict[Kernel, Any] = {}
        state, rules = numba.from_dtype(game.state), numba.from_dtype(game.rules)
        choices = numba.from_dtype(Choices)
        self.states, self.rules, self.choices = state[::1], rules[::1], choices[::1]
        self.setup_type = types.void(state, rules)
        self.legal_type = types.void(state, rules, choices)
        self.apply_type = types.void(state, rules, types.int64)
        self.kinds_type = types.int64(state, rules, types.int64)
        self.standings_type = types.void(state, rules, types.int64[::1])
        self.bot_type = types.int64(state, rules, choices, types.float64[::1])

    def compile(self, function: Callable[..., Any], signature: Any) -> Any:
        """Compile a function for one signature, and count the time."""
        start = time.perf_counter()
        made = compile_function(function, signature)
        self.compile_seconds += time.perf_counter() - start
        return made

    @cached_property
    def setup(self) -> Any:
        return self.compile(self.game.setup, self.setup_type)

    @cached_property
    def legal(self) -> Any:
        return self.compile(self.game.legal, self.legal_type)

    @cached_property
    def apply(self) -> Any:
        return self.compile(self.game.apply, self.apply_type)

    @cached_property
    def score(self) -> Any:
        return self.compile(self.game.score, self.setup_type)

    @cached_property
    def redeal(self) -> Any:
        return self.compile(self.game.redeal, self.apply_type)

    @cached_property
    def kinds(self) -> Any:
        return self.compile(self.game.kinds, self.kinds_type)

    @cached_property
    def standings(self) -> Any:
        return self.compile(self.game.standings, self.standings_type)

    def bot(self, function: Kernel) -> Any:
        """The function value of a bot: (state, rules, choices, weights) -> index into the choices."""
        if function not in self._bots:
            if isinstance(function, OwnBot):
                self._bots[function] = compiled(function, self)
            else:
                self._bots[function] = self.compile(function, self.bot_type)
        return self._bots[function]

    def kernels(self, functions: Sequence[Kernel]) -> tuple[Any, ...]:
        """The function values of several bots, padded by repeating the first."""
        values = [self.bot(function) for function in functions]
        return tuple(values + [values[0]] * (kernel_slots(len(values)) - len(values)))

    def tools(self, aid: int, iterations: int) -> tuple[Any, ...]:
        """What bots need to decide: PLAIN, AIDED, or SEARCHING up to so many iterations."""
        if aid == PLAIN:
            return ()
        searching = (self.legal, self.apply, self.score) if aid == SEARCHING else ()
        return tools_for(self.game.state, aid, self.kinds, self.redeal, searching, iterations)

    def tools_type(self, aid: int) -> Any:
        """The type of `tools`."""
        value = types.FunctionType
        if aid == PLAIN:
            return types.Tuple([])
        always = [value(self.kinds_type), value(self.apply_type), self.states, self.choices]
        if aid == AIDED:
            return types.Tuple(always)
        functions = [value(kind) for kind in (self.legal_type, self.apply_type, self.setup_type)]
        nodes, marks = numba.from_dtype(Node)[::1], types.int64[:, ::1]
        return types.Tuple([*always, *functions, self.states, self.choices, nodes, marks, types.int64[::1]])

    @cache  # noqa: B019 - engines live as long as the process
    def play_blocks(self, slots: int = KERNEL_SLOTS, aid: int = PLAIN) -> Any:
        """`driver.play_blocks` for this game, a padded number of bot kernels, and what bots decide with."""
        value = types.FunctionType
        always = (self.setup_type, self.legal_type, self.apply_type, self.setup_type, self.standings_type)
        functions = types.Tuple([value(kind) for kind in always])
        bots = numba.from_dtype(Bot)[::1]
        seats = types.Array(numba.from_dtype(driver.seat_dtype(len(self.game.counters))), 2, "C")
        games = numba.from_dtype(driver.GameRow)[::1]
        whole = types.int64
        signature = types.int64(
            functions,
            self.tools_type(aid),
            types.UniTuple(value(self.bot_type), slots),
            self.states,
            self.rules,
            self.choices,
            bots,
            types.float64[:, ::1],
            types.uint64[::1],
            whole,
            whole[:, ::1],
            games,
            seats,
            numba.from_dtype(driver.ArcRow)[::1],
            whole[::1],
        )
        return self.compile(driver.play_blocks, signature)

    @property
    def functions(self) -> tuple[Any, ...]:
        """What the driver calls of the game."""
        return self.setup, self.legal, self.apply, self.score, self.standings


@cache
def engine_of(game: Game) -> Engine:
    """The one engine of a game in this process."""
    return Engine(game)
