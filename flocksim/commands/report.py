"""`flocksim report`: write the report of a run again."""

from __future__ import annotations

from pathlib import Path

import click

from .options import read_targets, targets_option
from .output import say


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@targets_option
def report(folder: Path, config: Path | None) -> None:
    """Write report.html and report.md of a run folder again, with their tables and figures.

    Example: flocksim report results/flock-together-variants
    """
    write_and_show(folder, quiet=False, config=config)


def write_and_show(folder: Path, quiet: bool, config: Path | None = None) -> None:
    """Write the report, print the summary table and where the report lies. config: of which to take the targets."""
    from flocksim.analysis.run_folder import load
    from flocksim.analysis.tables import summarise
    from flocksim.reports.render import write_report

    with load(folder) as run:
        results = summarise(run, read_targets(run, config))
        paths = write_report(run, results)
    if quiet:
        return
    from flocksim.reports.terminal import summary_table, verdict_lines

    say(summary_table(results))
    say("\n".join(verdict_lines(results.verdicts)))
    say(f"Report: {paths['html']}")
