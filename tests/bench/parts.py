"""Where the time goes: the parts of a decision of each game, and every archetype's time to decide (docs/profile.md).

python tests/bench/parts.py [GAME ...]

Games of four archetypes are recorded; then each part alone is run through them, and every choice is timed on its way.
The quickest of some rounds counts, processor time where that can be told. Needs a libc with clock_gettime.
"""

from __future__ import annotations

import ctypes
import io
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from flocksim.simulate import driver
from flocksim.simulate.bots import Team
from flocksim.simulate.choosing import Bot, choose
from flocksim.simulate.compiled import entry, function_value, numba, types
from flocksim.simulate.engine import Engine, engine_of
from flocksim.simulate.frames import games_table, seats_table, write_parquet
from flocksim.simulate.game import Game
from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.layout import Choices, new_records
from flocksim.simulate.plan import Part, Study, Variant
from flocksim.simulate.player import BlockPlayer
from flocksim.simulate.precompile import compile_team
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue

PLAYERS, DECISIONS, ROUNDS = 4, 1_500, 9
ROOM = 4_000  # decisions in the longest game


class Recorded(NamedTuple):
    """Decisions: the positions, what was legal in them, the code chosen, the strategy that chose; and the first of each
    game.
    """

    states: np.ndarray
    choices: np.ndarray
    codes: np.ndarray
    who: np.ndarray
    starts: np.ndarray


def _lists(legal, states, rules, listed):
    for index in range(len(states)):
        legal(states[index], rules[0], listed[0])


def _applies(apply, states, rules, codes, starts, scratch):
    s = scratch[0]
    for game in range(len(starts) - 1):
        scratch[0] = states[starts[game]]
        for index in range(starts[game], starts[game + 1]):
            apply(s, rules[0], codes[index])


_clock = ctypes.CDLL(None).clock_gettime
_clock.argtypes, _clock.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_int
MONOTONIC = 1


def _decides(kernel, states, rules, choices, bots, weights, who, asked, taken, now):
    for index in range(len(states)):
        _clock(MONOTONIC, now.ctypes)
        start = now[0] * 10**9 + now[1]
        if asked:
            which = who[index]
            choose(states[index], rules[0], choices[index], bots[which], weights[which], kernel)
        _clock(MONOTONIC, now.ctypes)
        taken[index] = now[0] * 10**9 + now[1] - start


class Parts:
    """The loops above, compiled for a game."""

    def __init__(self, engine: Engine) -> None:
        whole, value, states, rules = types.int64, types.FunctionType, engine.states, engine.rules
        self.lists = self._compile(_lists, value(engine.legal_type), states, rules, engine.choices)
        codes = numbers = whole[::1]
        self.applies = self._compile(_applies, value(engine.apply_type), states, rules, codes, codes, states)
        bots = (numba.from_dtype(Bot)[::1], types.float64[:, ::1])
        self.decides = self._compile(
            _decides, value(engine.bot_type), states, rules, engine.choices, *bots, numbers, whole, numbers, numbers
        )

    @staticmethod
    def _compile(function: Callable[..., None], *arguments: Any) -> Callable[..., None]:
        return entry(numba.njit(types.void(*arguments), error_model="numpy")(function))


def seconds(call: Callable[[], None]) -> float:
    """Of processor time, of the quickest round."""
    taken = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        call()
        taken.append(time.thread_time() - start)
    return min(taken)


def record(game: Game, team: Team) -> Recorded:
    """Games of the team's strategies in turn, until there are enough decisions."""
    found: list[tuple[np.ndarray, ...]] = []
    lengths = [0]
    while sum(lengths) < DECISIONS:
        table, number = Table(game, game.parameters.build(PLAYERS), PLAYERS), len(found)
        table.deal(1, number)
        table.states["traced"] = 0
        states, choices = new_records(game.state, ROOM + 1), new_records(Choices, ROOM)
        chosen = np.zeros(ROOM, np.int64)
        states[0] = table.states[0]
        seated = [(number * PLAYERS + seat) % len(team.strategies) for seat in range(PLAYERS)]
        count = table.steps.play(states, table.rules, choices, chosen, team, seated)
        codes = choices["actions"][np.arange(count), chosen[:count]].astype(np.int64)
        found.append((states[:count], choices[:count], codes, np.array(seated)[states["seat"][:count]]))
        lengths.append(count)
    states, choices, codes, who = zip(*found, strict=True)
    return Recorded(_joined(states), _joined(choices), np.concatenate(codes), np.concatenate(who), np.cumsum(lengths))


def _joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Records one after the other; numpy's concatenate would lay them out anew."""
    joined = new_records(arrays[0].dtype, sum(map(len, arrays)))
    np.concatenate([array.view(f"V{array.itemsize}") for array in arrays], out=joined.view(f"V{joined.itemsize}"))
    return joined


def parts_of(game: Game, team: Team) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Microseconds a decision of each part; and every strategy's mean and median, of decisions that are not forced."""
    engine = engine_of(game)
    parts, recorded = Parts(engine), record(game, team)
    count, rules = len(recorded.codes), game.parameters.build(PLAYERS).record(PLAYERS)
    scratch, listed = new_records(game.state), new_records(Choices)
    legal, apply = function_value(engine.legal), function_value(engine.apply)
    listing = seconds(lambda: parts.lists(legal, recorded.states, rules, listed))
    playing = seconds(lambda: parts.applies(apply, recorded.states, rules, recorded.codes, recorded.starts, scratch))
    told = {"legal actions": listing / count * 1e6, "rules": playing / count * 1e6}
    free = recorded.choices["count"] > 1
    taken = _deciding(parts, engine, team, recorded, rules)
    bots = {
        strategy.name: (float(mine.mean()), float(np.median(mine)))
        for which, strategy in enumerate(team.strategies)
        for mine in (taken[free & (recorded.who == which)],)
    }
    return told | {"bots": float(taken.mean())}, bots


def _deciding(parts: Parts, engine: Engine, team: Team, recorded: Recorded, rules: Any) -> np.ndarray:
    """Microseconds that each decision took. The archetypes of a game are one kernel with other weights."""
    kernel = function_value(engine.bot(team.strategies[0].kernel))
    taken, now = np.zeros(len(recorded.codes), np.int64), np.zeros(2, np.int64)
    front = (kernel, recorded.states, rules, recorded.choices, team.bots, team.weights, recorded.who)
    rounds = []
    for asked in [0, 1] * ROUNDS:
        parts.decides(*front, asked, taken, now)
        rounds.append(taken.copy())
    return (np.min(rounds[1::2], axis=0) - np.median(rounds[::2])) / 1e3


def whole(game: Game, team: Team, games: int) -> dict[str, float]:
    """Microseconds a decision of the driver with all that it calls, and of storing what it noted."""
    variant = Variant("standard", game.parameters.build(PLAYERS))
    study = Study("profile", game, (PLAYERS,), (variant,), team.strategies, games, seed=1)
    part = Part(0, PLAYERS, 0, 0, study.blocks(PLAYERS))
    rows = np.zeros(part.games, driver.GameRow)
    seats = np.zeros((part.games, PLAYERS), driver.seat_dtype(len(game.counters)))
    player = BlockPlayer(study, part)

    def store() -> None:
        write_parquet(games_table(study, part, rows), io.BytesIO())
        write_parquet(seats_table(study, part, rows, seats), io.BytesIO())

    playing = seconds(lambda: player(0, rows, seats))
    start = time.process_time()  # polars stores on threads of its own
    store()
    storing = time.process_time() - start
    unit = rows["decisions"].sum() / 1e6
    return {"all, played": playing / unit, "storing": storing / unit, "decisions a game": rows["decisions"].mean()}


def main() -> None:
    for name in sys.argv[1:] or list(GAMES):
        game = load_game(name)
        compile_team(game, catalogue.archetypes(name))
        team = Team(game, catalogue.archetypes(name))
        told, bots = parts_of(game, team)
        for part, value in (told | whole(game, team, 400 if name == "4-the-birds" else 4_000)).items():
            print(f"{name:<16}{part:<20}{value:8.3f}")
        for bot, (mean, median) in bots.items():
            print(f"{name:<16}{bot:<20}{mean:8.3f} mean {median:8.3f} median", flush=True)


if __name__ == "__main__":
    main()
