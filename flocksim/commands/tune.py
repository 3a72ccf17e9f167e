"""`flocksim tune`: weights for a strategy, found by self-play."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flocksim.simulate.errors import FlocksimError, unknown

from .. import interrupts
from . import options
from .output import say

if TYPE_CHECKING:
    import numpy as np

    from flocksim.analysis.statistics import Estimate
    from flocksim.simulate.bots import Strategy
    from flocksim.simulate.game import Game
    from flocksim.simulate.runner import Progress
    from flocksim.strategies.tuning import Found, Task


@click.command()
@click.argument("game")
@click.option(
    "--players",
    type=options.Whole(1, 99),
    default=None,
    metavar="N",
    help="Number of players; every number that the game takes if not given.",
)
@options.rule_options
@click.option(
    "--base", default=None, metavar="STRATEGY", help="Where the search starts; the game's first archetype if not given."
)
@click.option(
    "--against",
    default=None,
    metavar="A,B,...",
    help="The opponents, beside itself; every archetype of the game if not given.",
)
@click.option(
    "--keep", default=None, metavar="F,G,...", help="Features whose weights stay as they are, beside those far above "
    "all others."
)  # fmt: skip
@click.option(
    "--games",
    type=options.Whole(1, 10**9),
    default=1_000,
    show_default=True,
    metavar="N",
    help="Games of one candidate, all player counts together.",
)
@click.option(
    "--candidates",
    type=options.Whole(4, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Candidates in a generation.",
)
@click.option(
    "--generations",
    type=options.Whole(1, 10**6),
    default=60,
    show_default=True,
    metavar="N",
    help="How long it searches.",
)
@click.option(
    "--final",
    type=options.Whole(1, 10**9),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Games of the final estimate, with fresh deals.",
)
@options.seed_option
@options.jobs_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="The file of weights; tuned-GAME.yaml if not given.",
)
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--quiet", is_flag=True, help="No progress, no result: errors only.")
def tune(
    game: str,
    players: int | None,
    presets: tuple[str, ...],
    settings: tuple[str, ...],
    base: str | None,
    against: str | None,
    keep: str | None,
    games: int,
    candidates: int,
    generations: int,
    final: int,
    seed: int,
    jobs: int | None,
    out: Path | None,
    force: bool,
    quiet: bool,
) -> None:
    """Find weights with which a strategy wins more, by playing against others and itself.

    A search (CMA-ES) changes all weights of the base at once, generation by generation, and moves to where candidates
    win more, over all numbers of players. The file holds the best so far from the first generation on; a config can
    name it. Ctrl-C ends the search and keeps that.

    Example: flocksim tune flock-together --base rusher --generations 20 --out my-rusher.yaml
    """
    from flocksim.strategies import catalogue
    from flocksim.strategies.tuning import Task, musts, spans

    from .progress import progress_for

    loaded = options.load_game(game)
    counts = [players] if players else list(range(loaded.seats[0], loaded.seats[1] + 1))
    start, known = _base(loaded, base), catalogue.archetypes(loaded.name)
    kept = musts(start) | _kept(loaded, keep)
    if kept.all():
        raise FlocksimError("--keep: no weight is left that could change")
    free = [index for index, fixed in enumerate(kept) if not fixed]
    task = Task(
        game=loaded,
        rules={count: options.read_rules(loaded, _checked(loaded, count), presets, settings) for count in counts},
        base=start,
        against=tuple(known if against is None else options.read_strategies(loaded, against)),
        free=tuple(free),
        span=tuple(spans(start, known)[free].tolist()),
        games=games,
        candidates=candidates,
        generations=generations,
        seed=seed,
    )
    path = out or Path(f"tuned-{loaded.name}.yaml")
    _check_out(path, force)
    given = {
        "players": players, "variant": presets, "set": settings, "base": start.name,
        "against": ",".join(strategy.name for strategy in task.against) if against else None, "keep": keep,
        "games": games, "candidates": candidates, "final": final, "seed": seed,
    }  # fmt: skip
    file = _File(path, task, given)
    with progress_for(quiet) as progress:
        table = _search(task, file, jobs or -1, final, progress)
    if not quiet:
        say(table)
        say(f"Weights: {path}")


def _checked(game: Game, players: int) -> int:
    game.check_players(players)
    return players


def _base(game: Game, name: str | None) -> Strategy:
    from flocksim.strategies import catalogue

    weighing = [entry.name for entry in catalogue.shipped(game.name).values() if entry.weights]
    if name is not None and name not in weighing:
        raise FlocksimError(f"--base: {unknown('strategy with weights', name, weighing)}")
    return catalogue.find(game.name, name or weighing[0])


def _kept(game: Game, names: str | None) -> np.ndarray:
    import numpy as np

    from flocksim.strategies import catalogue

    known = list(catalogue.features(game.name))
    kept = np.zeros(len(known), bool)
    for name in (names or "").split(","):
        if name.strip():
            if name.strip() not in known:
                raise FlocksimError(f"--keep: {unknown('feature', name.strip(), known)}")
            kept[known.index(name.strip())] = True
    return kept


def _check_out(path: Path, force: bool) -> None:
    if path.is_dir():
        raise FlocksimError(f"--out: '{path}' is a folder; a file is wanted")
    if path.exists() and not force:
        raise FlocksimError(f"{path}: is there already; --force replaces it, --out writes elsewhere")
    if not path.absolute().parent.is_dir():
        raise FlocksimError(f"--out: there is no folder '{path.parent}'")


def _command(game: str, given: dict[str, Any]) -> str:
    """The command that finds the same weights again."""
    words = ["flocksim", "tune", game]
    for name, value in given.items():
        for one in value if isinstance(value, tuple) else [value]:
            words += [] if one is None else [f"--{name}", str(one)]
    return shlex.join(words)


class _File:
    """The file of weights, written anew after every generation."""

    def __init__(self, path: Path, task: Task, given: dict[str, Any]) -> None:
        self.path, self.task, self.given = path, task, given
        self.made: dict[str, Any] = {
            "players": list(task.rules),
            "base": task.base.name,
            "against": [strategy.name for strategy in task.against],
            "seed": task.seed,
        }

    def write(self, found: Found, estimate: dict[int, dict[str, float]] | None = None) -> None:
        from flocksim.simulate.store import write_atomically
        from flocksim.strategies import catalogue

        from ..weights_file import text

        name = self.task.game.name
        weights = dict(zip(catalogue.features(name), found.weights, strict=True))
        made = {**self.made, "command": _command(name, {**self.given, "generations": found.generation})}
        made |= {"estimate": estimate} if estimate else {}
        write_atomically(self.path, text(name, weights, made))


def _search(task: Task, file: _File, jobs: int, final: int, progress: Progress) -> str:
    """Search, keeping the file up to date, and measure what was found; returns what to print."""
    from flocksim.strategies.tuning import Tables, measure, tune

    stop = threading.Event()
    with interrupts.telling("interrupted; nothing was found yet, and nothing is written", stop.set):
        tables = Tables(task, jobs, stop, progress)
        progress.started(task.generations * task.candidates * task.rounded(task.games) + 2 * task.rounded(final), 0)
        search: Iterator[Found] = tune(tables)
        found = next(search)
        file.write(found)
    with interrupts.telling(f"interrupted; {file.path} holds the best so far, not measured", stop.set):
        for found in search:
            file.write(found)
        shares = measure(tables, [found.weights, task.base.weights], final)
    assert shares is not None
    estimate = {players: _estimate(*each) for players, each in shares.items()}
    file.write(found, estimate)
    return _table(task, estimate)


def _estimate(tuned: np.ndarray, base: np.ndarray) -> dict[str, float]:
    """What is told of one player count, in % of games, from the shares of the blocks' wins; intervals are 95 %."""
    import numpy as np

    from flocksim.analysis.statistics import share

    wins, gain = share(_mean(tuned), np.array([len(tuned)])), _mean(tuned - base)
    figures = {"wins": wins.value, "low": wins.low, "high": wins.high, "base_wins": np.mean(base, keepdims=True),
               "gain": gain.value, "gain_low": gain.low, "gain_high": gain.high}  # fmt: skip
    return {name: round(100 * float(value[0]), 2) for name, value in figures.items()}


def _mean(blocks: np.ndarray) -> Estimate:
    """The mean of a value a block, as an estimate of one row."""
    import pandas as pd

    from flocksim.analysis.statistics import ratio

    count = len(blocks)
    sums = (count, blocks.sum(), count, (blocks**2).sum(), blocks.sum(), count)
    return ratio(*(pd.Series([float(value)]) for value in sums))


def _table(task: Task, estimate: Mapping[int, Mapping[str, float]]) -> str:
    """Games won by the tuned weights and by the base, of the same deals against the same opponents."""
    rows = [["players", "fair, %", "wins, %", "95 %", f"{task.base.name}, %", "gain", "95 %"]]
    for players, row in estimate.items():
        fair = f"{100 / players:.1f}" if players > 1 else ""
        rows.append([
            str(players), fair, f"{row['wins']:.1f}", f"{row['low']:.1f} to {row['high']:.1f}",
            f"{row['base_wins']:.1f}", f"{row['gain']:+.1f}", f"{row['gain_low']:+.1f} to {row['gain_high']:+.1f}",
        ])  # fmt: skip
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
