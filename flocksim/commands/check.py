"""`flocksim check`: whether a run meets its targets, for people and for a build that depends on it."""

from __future__ import annotations

from pathlib import Path

import click

from .options import read_targets, targets_option
from .output import say

CODES = {"holds": 0, "violated": 1, "not enough games": 3}


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@targets_option
def check(folder: Path, config: Path | None) -> None:
    """Say whether a run meets its targets: exit code 0 if all hold, 1 if one is violated, else 3.

    3 stands for too few games to decide. docs/config.md tells which targets a study may have.

    Example: flocksim check results/flock-together-variants
    """
    from flocksim.analysis.robustness import robustness
    from flocksim.analysis.run_folder import load
    from flocksim.analysis.verdicts import status, verdicts
    from flocksim.reports.terminal import verdict_lines

    with load(folder) as run:
        targets = read_targets(run, config)
        table = verdicts(run, targets)
        again = robustness(run, table, targets)
        if not run.complete:
            click.echo("flocksim: this run is not finished; the answer is about the games that are there", err=True)
    say("\n".join(verdict_lines(table, again)), go_on=True)
    raise click.exceptions.Exit(CODES[status(table)])
