"""Speed in one go, as ratios: machines differ and are noisy, so nothing here is a test.

python tests/bench/bench.py [--rounds 3]

The C program limit.c, where there is a C compiler, is run in turn with the engine; of each figure the best of the
rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ARCHETYPES_LIMIT = 8_000 / 85_000
FLOCK_LIMIT = 30_000 / 85_000
OTHERS = {"flock": 100_000, "flockers": 40_000, "4-the-birds": 10_000}
"""Games beside Flock Together, and how many of them are played at random."""
PLAY_OUTS = {"flock-together": "rusher", "flock": "hatcher", "flockers": "all-rounder", "4-the-birds": "card-saver"}
"""Who plays out the games of searches, when not random."""
STUDY = """\
name: bench
game: flock-together
players: [4]
variants: {standard: {}}
strategies: [all-rounder, collector-wide, collector-deep, rusher, hoarder, emptier, denier]
games: %d
seed: 1
"""


def flocksim(*words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "flocksim", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout


def bench(*words: str, game: str = "flock-together", **environment: str) -> dict[str, Any]:
    return json.loads(flocksim("bench", game, "--players", "4", "--json", *words, **environment))


def build_limit(folder: Path) -> Path | None:
    """The C program, compiled, or None without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = folder / "limit"
    subprocess.run([compiler, "-O3", "-march=native", str(HERE / "limit.c"), "-o", str(program)], check=True)
    return program


def limit_speed(program: Path | None) -> float:
    if program is None:
        return float("nan")
    out = subprocess.run([str(program), "200000"], capture_output=True, text=True, check=True).stdout
    return float(out.split()[1])


def seconds_of(*words: str) -> float:
    start = time.perf_counter()
    flocksim(*words)
    return time.perf_counter() - start


def warm_start(folder: Path) -> float:
    """Seconds of a whole `run` of one cell's twelve games."""
    study = folder / "small.yaml"
    study.write_text(STUDY % 12, "utf-8")
    return seconds_of("run", str(study), "--out", str(folder / "small"), "--no-report", "--quiet", "--fresh")


def both(game: str, games: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A game's speed at random and with its archetypes."""
    random = bench("--strategies", "random", "--games", str(games), game=game)
    return random, bench("--games", str(games // 4), game=game)


def search_costs(game: str) -> dict[str, float]:
    """What an iteration of a search costs, in games played out from the same positions by the same kind."""
    names = {"random": "ismcts:400", "archetype": f"ismcts:100:{PLAY_OUTS[game]}"}
    searches = bench("--strategies", ",".join(names.values()), "--games", "4", game=game)["searches"]
    return {
        f"{game}, {who} iteration / play-out": searches[name]["iteration_per_play_out"] for who, name in names.items()
    }


def harness(folder: Path, games: int) -> tuple[float, float]:
    """Games a second of `run` while it plays and stores, and of the engine alone, on one worker."""
    study = folder / "study.yaml"
    study.write_text(STUDY % games, "utf-8")
    flocksim("run", str(study), "--out", str(folder / "run"), "--jobs", "1", "--no-report", "--quiet", "--fresh")
    manifest = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))
    return manifest["timings"]["games_per_second"], bench("--games", str(games))["games_per_second"]


def measure(rounds: int) -> dict[str, float]:
    """Every figure, the best of the rounds; figures of one ratio are taken in turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build_limit(folder)
        first = {
            game: bench("--games", "100", game=game, FLOCKSIM_CACHE_DIR=str(folder / "cache"))["compile_seconds"]
            for game in ("flock-together", *OTHERS)
        }
        for game in first:
            bench("--games", "100", game=game)  # fills the usual cache
        taken: dict[str, list[float]] = {}
        for _ in range(rounds):
            limit = limit_speed(program)
            one = bench("--strategies", "random", "--games", "200_000")
            limit = max(limit, limit_speed(program))
            others = {game: both(game, games) for game, games in OTHERS.items()}
            limit = max(limit, limit_speed(program))
            two = bench("--strategies", "random", "--games", "200_000", "--jobs", "2")
            archetypes = bench("--games", "50_000")
            stored, played = harness(folder, 200_000)  # long enough for what is imported once not to count
            figures = {
                "random play, games/s": one["games_per_second"],
                "the C program, games/s": limit,
                "random play / C": one["games_per_second"] / limit,
                "flock, random play / C": others["flock"][0]["games_per_second"] / limit,
                "archetypes, games/s": archetypes["games_per_second"],
                "archetypes / C": archetypes["games_per_second"] / limit,
                "two jobs / one": two["games_per_second"] / one["games_per_second"],
                "run / engine alone": stored / played,
            }
            for game, speeds in {"flock-together": (one, archetypes), **others}.items():
                for who, speed in zip(("random", "archetypes"), speeds, strict=True):
                    figures[f"{game}, {who}, decisions/s"] = speed["decisions_per_second"]
            for figure, value in figures.items():
                taken.setdefault(figure, []).append(value)
        best = {figure: max(values) for figure, values in taken.items()}
        warm = [warm_start(folder) for _ in range(rounds + 1)]
        helps = [seconds_of("--help") for _ in range(rounds)]
        costs = [{key: cost for game in first for key, cost in search_costs(game).items()} for _ in range(rounds)]
        return best | {
            **{figure: min(cost[figure] for cost in costs) for figure in costs[0]},
            **{f"{game}, first compile ever, s": seconds for game, seconds in first.items()},
            "warm start to the first games, s": min(warm),
            "flocksim --help, s": min(helps),
        }


TARGETS = {
    "random play / C": "at least 0.70, goal 1.00",
    "flock, random play / C": f"at least {FLOCK_LIMIT:.3f}; the C program plays Flock Together",
    "archetypes / C": f"at least {ARCHETYPES_LIMIT:.3f}",
    "two jobs / one": "at least 1.8",
    "run / engine alone": "at least 0.85",
    **{
        f"{game}, {who} iteration / play-out": "at most 1.5"
        for game in ("flock-together", *OTHERS)
        for who in ("random", "archetype")
    },
    **{f"{game}, first compile ever, s": "under 20" for game in ("flock-together", *OTHERS)},
    "warm start to the first games, s": "under 2",
    "flocksim --help, s": "under 0.4",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    for figure, value in measure(parser.parse_args().rounds).items():
        shown = f"{value:,.0f}" if value > 1000 else f"{value:.3f}"
        print(f"{figure:<42}{shown:>12}   {TARGETS.get(figure, '')}")


if __name__ == "__main__":
    main()
