"""Writes a run's report: report.html, report.md, tables/*.csv and figures/*.svg."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from flocksim.analysis.run_folder import Run
from flocksim.analysis.tables import Results, summarise
from flocksim.analysis.verdict_words import answer
from flocksim.simulate.errors import FlocksimError
from markupsafe import Markup

from .figures import INK, MUTED, PAPER
from .parts import Section
from .provenance import caveats, partial, rerun
from .sections import sections

__all__ = ["render", "summary", "write_report"]

FORMATS = ("html", "md")
TOPICS = {
    "length": "Length",
    "variants": "What the variants change",
    "seats": "Seats",
    "strategies": "Strategies",
    "solo": "Alone",
    "endings": "Unfinished games",
    "sample": "How sure",
}
ROWS = 400
"""A table of the HTML report shows at most so many rows; its CSV has all."""
MARKDOWN_ROWS = 400
_GRID = "#d8dee4"


def write_report(
    run: Run,
    results: Results | None = None,
    out: str | Path | None = None,
    formats: Sequence[str] = FORMATS,
    title: str = "",
) -> dict[str, Path]:
    """Write the report into the run's folder or `out`; gives the paths: 'html', 'md', 'tables/seats.csv', ...

    `results` spares computing the tables again. Raises FlocksimError when a file cannot be written.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise FlocksimError(f"report format '{unknown[0]}' is not known; allowed: {', '.join(FORMATS)}")
    results = results or summarise(run)
    folder = Path(out) if out is not None else run.path
    return write_files(folder, _files(results, formats, title))


def render(results: Results, form: str = "html", title: str = "") -> str:
    """The report as one text, 'html' or 'md'."""
    return _render(_context(results, title), form)


def _files(results: Results, formats: Sequence[str], title: str) -> dict[str, str]:
    context = _context(results, title)
    files = {f"report.{form}": _render(context, form) for form in FORMATS if form in formats}
    for name, table in results.tables().items():
        files[f"tables/{name}.csv"] = table.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    for section in context["sections"]:
        files |= {f"figures/{picture.name}.svg": picture.svg for picture in section.pictures}
    return files


def _context(results: Results, title: str) -> dict[str, Any]:
    made: list[Section] = sections(results)
    return {
        "title": title or results.manifest["name"],
        "manifest": results.manifest,
        "summary": summary(results),
        "partial": partial(results),
        "sections": made,
        "caveats": caveats(results),
        "rerun": rerun(results),
    }


def summary(results: Results) -> list[tuple[str, list[str]]]:
    """The answer in a few sentences: (what it is about, sentences) pairs."""
    said = [] if results.verdicts.empty else [("Targets", [answer(results.verdicts)])]
    for topic, label in TOPICS.items():
        texts = [entry.text for entry in results.findings if entry.topic == topic and entry.summary]
        if texts:
            said.append((label, texts))
    return said


def _render(context: dict[str, Any], form: str) -> str:
    text = _templates().get_template(f"report.{form}.j2").render(context)
    return "\n".join(line.rstrip() for line in text.splitlines()).strip() + "\n"


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flocksim.reports"),
        autoescape=jinja2.select_autoescape(enabled_extensions=("html.j2",), default=False),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"inline": inline, "md": markdown_text, "cell": markdown_cell}
    environment.globals |= {"ROWS": ROWS, "MARKDOWN_ROWS": MARKDOWN_ROWS}
    return environment


def inline(picture: Any) -> Markup:
    """A figure's SVG for the page: scales with it, takes its colours, keeps its ids to itself."""
    text = picture.svg[picture.svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\n?", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1))
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    text = re.sub(r' id="([^"]+)"', lambda match: _scoped(match, picture.name, used), text)
    text = re.sub(r'(url\(#|href="#)', rf"\1{picture.name}-", text)
    for colour, name in ((INK, "ink"), (MUTED, "muted"), (PAPER, "paper"), (_GRID, "line")):
        text = re.sub(rf"(fill|stroke): {colour}", rf"\1: var(--{name})", text)
    label = Markup('<svg role="img" aria-label="{}"').format(picture.alt)
    return Markup(text.replace("<svg", label, 1))


def _scoped(match: re.Match[str], name: str, used: Iterable[str]) -> str:
    return f' id="{name}-{match[1]}"' if match[1] in used else ""


def markdown_text(text: object) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(str(text).split()))


def markdown_cell(text: object) -> str:
    """The same for a table's cell; an empty one stays visible to the table."""
    return markdown_text(text) or " "


def write_files(folder: Path, files: dict[str, str]) -> dict[str, Path]:
    """Write texts into a folder, each whole or not at all; gives the paths by name."""
    paths = {}
    for name, text in files.items():
        path = folder / name
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, encoding="utf-8", newline="\n")
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise FlocksimError(f"{path}: cannot be written: {error.strerror or error}") from None
        paths[name.removeprefix("report.")] = path
    return paths
