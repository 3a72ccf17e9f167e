"""The same code without the JIT: the same games, and the rule tests still hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.trace import trace_game
from flocksim.strategies.catalogue import shipped
from flocksim.strategies.uniform import RANDOM

ROOT = Path(__file__).resolve().parents[2]
WITHOUT_JIT = {**os.environ, "NUMBA_DISABLE_JIT": "1"}


def digests() -> list[str]:
    """The digests of a few games with every shipped strategy; of 4 the Birds, whose bots take minutes, at random."""
    return [
        list(trace_game(game, game.parameters.build(players), players, strategies, 17, index))[-1]["digest"]
        for game in map(load_game, GAMES)
        for strategies in [[RANDOM] if game.name == "4-the-birds" else list(shipped(game.name).values())]
        for players in (game.seats[:1] if game.name == "4-the-birds" else game.seats)
        for index in (0, 7)
    ]


def test_games_are_the_same_without_the_jit():
    script = "from tests.system.test_without_jit import digests; print(*digests())"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=WITHOUT_JIT,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert done.stdout.split() == digests()


def test_rules_and_contract_hold_without_the_jit():
    names = ("turns", "rounds_and_ends", "variants")
    rules = [f"tests/rules/test_{game}_{name}.py" for game in ("flock", "flock_together") for name in names]
    flockers = ("turns", "flights", "encounters", "ends", "solo")
    rules += [f"tests/rules/test_flockers_{name}.py" for name in flockers]
    tests = [*rules, "tests/unit/test_game_contract.py"]
    slow = "((flock or birds) and (batched or rotation or ranked)) or (birds and row)"
    slow += " or random_play or random_hungry or combine"
    chosen = f"not odds and not tie_as_often and not ({slow})"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *tests,
            "-k",
            chosen,
        ],
        env=WITHOUT_JIT,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
