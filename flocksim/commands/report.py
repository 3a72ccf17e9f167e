"""`flocksim report`: write the report of a run again."""

from __future__ import annotations

from pathlib import Path

import click

from .options import read_targets, targets_option
from .output import say

TITLE = "title.txt"
"""In a run folder: the title of its report, where one was given."""
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
    "figures are written as PNG, too. A report of the other format that is there already is written again, so that "
    "the two agree.",
)
@click.option(
    "--title",
    default=None,
    metavar="TEXT",
    help="Its title, here and whenever the report is written again, until another is given; the study's name if none "
    "ever was, or if TEXT is empty.",
)
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(folder: Path, config: Path | None, form: str, title: str | None, show: bool) -> None:
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
    title: str | None = None,
) -> Path:
    """Write the report, print the summary table and where the report lies; gives the latter.

    config: of which to take the targets; formats: see reports.render.write_report, and what is there already; title: to
    be remembered, '' to forget the one that was.
    """
    from flocksim.analysis.run_folder import load
    from flocksim.analysis.tables import summarise
    from flocksim.reports.render import write_report

    from ..replay import playthroughs

    with load(folder) as run, run.remembering():
        results = summarise(run, read_targets(run, config))
        every = (*formats, *_there(folder, formats))
        paths = write_report(run, results, None, every, _title(folder, title), playthroughs(folder, results))
    page = paths[formats[0]]
    if quiet:
        return page
    from flocksim.reports.terminal import summary_table, verdict_lines

    say(summary_table(results))
    say("\n".join(verdict_lines(results.verdicts, results.robustness)))
    say(f"Report: {page}")
    return page


def _there(folder: Path, formats: tuple[str, ...]) -> tuple[str, ...]:
    """The formats beside these of which the folder has a report: it must not come to contradict the new one."""
    found = [name for name in ("html", "md") if (folder / f"report.{name}").exists()]
    if any((folder / "figures").glob("*.png")):
        found.append("png")
    return tuple(name for name in found if name not in formats)


def _title(folder: Path, title: str | None) -> str:
    """The title to write: the one given, which is remembered, or else the one that was given last."""
    from flocksim.reports.render import write_files
    from flocksim.simulate.text_file import read_text

    if title is None:
        return read_text(folder / TITLE, "a title").strip() if (folder / TITLE).exists() else ""
    title = " ".join(title.split())
    if title:
        write_files(folder, {TITLE: f"{title}\n"})
    else:
        (folder / TITLE).unlink(missing_ok=True)
    return title
