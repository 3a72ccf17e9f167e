"""`flocksim report`: write the report of a run again."""

from __future__ import annotations

from pathlib import Path

import click

from .output import say


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write report.html and report.md of a run folder again, with their tables and figures.

    Example: flocksim report results/flock-together-variants
    """
    write_and_show(folder, quiet=False)


def write_and_show(folder: Path, quiet: bool) -> None:
    """Write the report, print the summary table and where the report lies."""
    from flocksim.analysis.run_folder import load
    from flocksim.analysis.tables import summarise
    from flocksim.reports.render import write_report

    with load(folder) as run:
        results = summarise(run)
        paths = write_report(run, results)
    if quiet:
        return
    from flocksim.reports.terminal import summary_table

    say(summary_table(results))
    say(f"Report: {paths['html']}")
