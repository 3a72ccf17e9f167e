"""`flocksim run`: play studies and report on them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flocksim.simulate.errors import FlocksimError

from .. import interrupts
from .options import jobs_option
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.plan import Study
    from flocksim.simulate.runner import RunSummary


@click.command()
@click.argument("configs", nargs=-1, required=True, metavar="CONFIG...", type=click.Path(path_type=Path))
@click.option("--games", default=None, metavar="N", help="Games per variant and player count, instead of the config's.")
@jobs_option
@click.option(
    "--backend",
    type=click.Choice(["threading", "loky", "dask", "ray"]),
    default="threading",
    show_default=True,
    help="Threads of this process, processes of their own (loky), or the workers of a Dask or Ray cluster.",
)
@click.option(
    "--scheduler",
    default=None,
    metavar="ADDRESS",
    help="A cluster that runs already (tcp://HOST:8786 for dask, HOST:6379 for ray); one of this machine's own if not "
    "given.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="The run folder; results/NAME if not given. With several configs: the folder they are put in.",
)
@click.option("--fresh", is_flag=True, help="Start over instead of resuming what the folder holds.")
@click.option("--no-report", is_flag=True, help="Play only.")
@click.option("--quiet", is_flag=True, help="No progress, no summary: errors only.")
def run(
    configs: tuple[Path, ...],
    games: str | None,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    out: Path | None,
    fresh: bool,
    no_report: bool,
    quiet: bool,
) -> None:
    """Play every game of a study, then write its report.

    A run that was interrupted goes on when the same command is given again.

    Example: flocksim run configs/flock-together-variants.yaml --games 10_000 --out results/trial
    """
    from flocksim.study import load_study, read_games

    number = None if games is None else read_games(games, "--games")
    studies = [load_study(path, number) for path in configs]
    for study, folder in zip(studies, _folders(studies, out), strict=True):
        play(study, folder, jobs or -1, backend, fresh, quiet, scheduler)
        if not no_report:
            _report(folder, quiet)


def _folders(studies: list[Study], out: Path | None) -> list[Path]:
    if out is not None and len(studies) == 1:
        return [out]
    folders = [(out or Path("results")) / study.name for study in studies]
    for folder in folders:
        if folders.count(folder) > 1:
            raise FlocksimError(f"two of the configs are named '{folder.name}'; each needs a name of its own")
    return folders


def play(
    study: Study, folder: Path, jobs: int, backend: str, fresh: bool, quiet: bool, scheduler: str | None = None
) -> RunSummary:
    """Play what is missing of a study, with progress, and say how it went; Ctrl-C keeps what is finished."""
    from flocksim.simulate.runner import run_study
    from flocksim.study import advice

    from .progress import progress_for

    stop = threading.Event()
    told = f"interrupted; the finished games are kept in {folder}. The same command again goes on from there."
    with progress_for(quiet) as progress, interrupts.telling(told, stop.set):
        if note := advice(study):
            progress.warned(note)
        summary = run_study(study, folder, jobs, backend, fresh, progress, stop, scheduler, _all_decided)
    if not quiet:
        reused = f" ({summary.reused:,} of them were there already)" if summary.reused else ""
        say(
            f"{study.name}: {summary.games:,} games{reused}, {summary.play_seconds:.1f} s of play at "
            f"{summary.games_per_second:,.0f} games/s, {summary.compile_seconds:.1f} s to compile or load",
            go_on=True,
        )
    return summary


def _all_decided(folder: Path) -> bool:
    from flocksim.analysis.verdicts import all_decided  # only for a study that stops when sure: it takes a while

    return all_decided(folder)


def _report(folder: Path, quiet: bool) -> None:
    from .report import write_and_show

    write_and_show(folder, quiet)
