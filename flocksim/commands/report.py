"""`flocksim report`: write the report of a run again."""

from __future__ import annotations

from pathlib import Path

import click

from .options import read_targets, targets_option
from .output import say

FORMATS = {"html": ("html",), "md": ("md", "png"), "all": ("html", "md", "png")}


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@targets_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="all",
    show_default=True,
    help="report.html, which holds its figures; report.md, which names those in figures/; or both. Of the last two, "
    "figures are written as PNG, too.",
)
@click.option("--title", default="", metavar="TEXT", help="Its title; the study's name if not given.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(folder: Path, config: Path | None, form: str, title: str, show: bool) -> None:
    """Write report.html and report.md of a run folder again, with their tables and figures.

    Example: flocksim report results/flock-together-variants --open
    """
    page = write_and_show(folder, quiet=False, config=config, formats=FORMATS[form], title=title)
    if show:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def write_and_show(
    folder: Path,
    quiet: bool,
    config: Path | None = None,
    formats: tuple[str, ...] = ("html", "md"),
    title: str = "",
) -> Path:
    """Write the report, print the summary table and where the report lies; gives the latter.

    config: of which to take the targets; formats: see reports.render.write_report.
    """
    from flocksim.analysis.run_folder import load
    from flocksim.analysis.tables import summarise
    from flocksim.reports.render import write_report

    from ..replay import playthroughs

    with load(folder) as run, run.remembering():
        results = summarise(run, read_targets(run, config))
        paths = write_report(run, results, None, formats, title, playthroughs(folder, results))
    page = paths[formats[0]]
    if quiet:
        return page
    from flocksim.reports.terminal import summary_table, verdict_lines

    say(summary_table(results))
    say("\n".join(verdict_lines(results.verdicts, results.robustness)))
    say(f"Report: {page}")
    return page
