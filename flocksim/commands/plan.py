"""`flocksim plan`: what a study will cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flocksim.simulate.plurals import counted

from .options import jobs_option
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.forecast import Forecast


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--games", default=None, metavar="N", help="Games per variant and player count, instead of the config's.")
@jobs_option
def plan(config: Path, games: str | None, jobs: int | None) -> None:
    """Play each variant and player count for about a second, store nothing, and say what the whole study will cost.

    Of a study that stops when sure, what it costs at most.

    Example: flocksim plan configs/flock-variants.yaml --games 1e6
    """
    from joblib import cpu_count

    from flocksim.simulate.forecast import forecast
    from flocksim.study import load_study, read_games

    study = load_study(config, None if games is None else read_games(games, "--games"))
    for line in lines(forecast(study.after(study.looks)), jobs or cpu_count()):
        say(line)
    if study.at_most:
        batch = f"{study.looks:,} times {counted(study.total_games, 'games')}"
        say(f"This is the most it may cost, {batch}: it stops sooner if every target is decided sooner.")


def lines(found: Forecast, workers: int) -> list[str]:
    """A table of the cells, and the totals for so many workers."""
    width = max(len("variant"), *(len(cell.variant) for cell in found.cells))
    table = [f"{'variant':<{width}}  players          games  games/s a core  bytes a game"]
    table += [
        f"{cell.variant:<{width}}  {cell.players:>7}  {cell.games:>13,}  {cell.games_per_second:>14,.0f}  "
        f"{cell.bytes_per_game:>12,.0f}"
        for cell in found.cells
    ]
    seconds = sum(cell.core_seconds for cell in found.cells)
    size = sum(cell.bytes for cell in found.cells)
    count = counted(workers, "workers")
    luck = sum(cell.luck for cell in found.cells)
    return [
        *table,
        "",
        f"games        {sum(cell.games for cell in found.cells):,}"
        + (f", and {luck:,} that tell luck from skill" if luck else ""),
        f"core-hours   {seconds / 3600:,.2f}: about {_span(seconds / workers)} with {count}, if each has a core",
        f"disk         about {_size(size)}",
        f"memory       about {_size(found.base + workers * found.worker)} with {count}, whatever the number of games",
    ]


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def _size(count: float) -> str:
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 1000:
            return f"{count:.3g} {unit}"
    return f"{count / 1000:,.3g} TB"
