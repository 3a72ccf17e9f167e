"""Writes a run's report: report.html, report.md, tables/*.csv and figures/*.svg."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from flocksim.analysis.run_folder import Run, query_text
from flocksim.analysis.tables import Results, summarise
from flocksim.simulate.errors import FlocksimError
from markupsafe import Markup, escape

from .album import album
from .answer import answer, brief, tiles
from .figures import BAND, GRID, INK, MUTED, PAPER
from .glossary import glossary
from .parts import Picture, Section
from .provenance import caveats, partial, rerun
from .replays import replays
from .sections import sections

__all__ = ["render", "write_report"]

FORMATS = ("html", "md", "png")
LARGEST = 2_000_000
"""Bytes of report.html, at most."""
FITS = ((400, True), (400, False), (120, False), (40, False))
"""How many rows of a table are shown, and whether figures for narrow screens are in it, too: the first that fits."""
MARKDOWN_ROWS = 400
ROOMY = 9
"""Columns of tables that have more stand closer together."""
LONG_HEAD = 24
"""A row's name of more letters goes over several lines on narrow screens."""


def write_report(
    run: Run,
    results: Results | None = None,
    out: str | Path | None = None,
    formats: Sequence[str] = FORMATS,
    title: str = "",
    told: Mapping[str, str] | None = None,
) -> dict[str, Path]:
    """Write the report into the run's folder or `out`; gives the paths: 'html', 'md', 'tables/seats.csv', ...

    `results` spares computing the tables again; formats: 'html', 'md' and 'png' (figures, beside SVG); told: the
    notable games as prose, by kind. Raises FlocksimError when a file cannot be written.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise FlocksimError(f"report format '{unknown[0]}' is not known; allowed: {', '.join(FORMATS)}")
    results = results or summarise(run)
    folder = Path(out) if out is not None else run.path
    with album(run, results):
        return write_files(folder, _files(results, formats, title, told or {}))


def render(results: Results, form: str = "html", title: str = "", told: Mapping[str, str] | None = None) -> str:
    """The report as one text, 'html' or 'md'."""
    return _render(_context(results, title, told or {}), form)


def _files(results: Results, formats: Sequence[str], title: str, told: Mapping[str, str]) -> dict[str, str | bytes]:
    context = _context(results, title, told)
    made: dict[str, str | bytes] = {
        f"report.{form}": _render(context, form) for form in ("html", "md") if form in formats
    }
    for name, table in results.tables().items():
        made[f"tables/{name}.csv"] = table.to_csv(index=False, float_format="%.10g", lineterminator="\n")
    for picture in (picture for section in context["sections"] for picture in section.pictures):
        made[f"figures/{picture.name}.svg"] = picture.svg
        if "png" in formats and picture.png:
            made[f"figures/{picture.name}.png"] = picture.png()
    return made


def _context(results: Results, title: str, told: Mapping[str, str]) -> dict[str, Any]:
    made: list[Section] = sections(results)
    shown, left = tiles(results)
    return {
        "title": title or results.manifest["name"],
        "manifest": results.manifest,
        "answer": answer(results),
        "tiles": shown,
        "more_tiles": left,
        "brief": brief(results),
        "partial": partial(results),
        "sections": made,
        "caveats": caveats(results),
        "glossary": glossary(),
        "rerun": rerun(results),
        "replays": replays(results, told),
        "sources": _sources(made),
    }


def _sources(made: Sequence[Section]) -> dict[str, str]:
    """The SQL of every query behind a figure, by the query's name."""
    names = dict.fromkeys(name for section in made for picture in section.pictures for name in picture.queries)
    return {name: query_text(name) for name in names}


def _render(context: Mapping[str, Any], form: str) -> str:
    if form == "md":
        return _filled(context, form)
    for rows, narrow in FITS:
        text = _filled({**context, "ROWS": rows, "narrow": narrow}, form)
        text = _with_classes(re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", text))  # a number and its unit: one line
        if len(text.encode()) <= LARGEST:
            break
    return text


def _filled(context: Mapping[str, Any], form: str) -> str:
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
    environment.filters |= {"inline": inline, "figures": figures_cell, "md": markdown_text, "cell": markdown_cell}
    style = Markup((files("flocksim.reports") / "templates" / "report.css").read_text("utf-8").strip())
    script = Markup((files("flocksim.reports") / "templates" / "report.js").read_text("utf-8").strip())
    environment.globals |= {
        "MARKDOWN_ROWS": MARKDOWN_ROWS,
        "LONG_HEAD": LONG_HEAD,
        "ROOMY": ROOMY,
        "style": style,
        "script": script,
    }
    return environment


def inline(picture: Picture, narrow: bool = False) -> Markup:
    """A figure's SVG for the page: scales with it, takes its colours, keeps its ids to itself."""
    name = f"{picture.name}-narrow" if narrow else picture.name
    text = picture.narrow if narrow else picture.svg
    text = text[text.index("<svg") :]
    text = _lean(text)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1))
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    text = _flat(re.sub(r' id="([^"]+)"', lambda match: _scoped(match, name, used), text))
    text = re.sub(r'(url\(#|href="#)', rf"\1{name}-", text)
    for colour, ink in ((INK, "ink"), (MUTED, "muted"), (PAPER, "paper"), (GRID, "line"), (BAND, "soft")):
        text = re.sub(rf"(fill|stroke): {colour}", rf"\1: var(--{ink})", text)
    label = Markup('<svg role="img" aria-label="{}"').format(picture.alt)
    return Markup(text.replace("<svg", label, 1))


def _lean(text: str) -> str:
    """An SVG of matplotlib's without what a page does not need: metadata, comments, fonts, a hundredth of a point."""
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"font-family: [^;\"]*;? ?| transform=\"rotate\(-0 [^)]*\)\"", "", text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d)\d+|\.0+(?!\d)", r"\1", tag[0]), text)  # not what it says
    return re.sub(r"\s*\n\s*", "\n", text)


def _flat(text: str) -> str:
    """An SVG without groups that say nothing."""
    kept: list[bool] = []

    def tag(match: re.Match[str]) -> str:
        if match[0] != "</g>":
            kept.append(match[0] != "<g>")
            return match[0] if kept[-1] else ""
        return match[0] if kept.pop() else ""

    return re.sub(r"\n+", "\n", re.sub(r"<g\b[^>]*(?<!/)>|</g>", tag, text))


def _with_classes(text: str) -> str:
    """The page with a class in place of each style that is said again and again in its figures."""
    found = re.findall(r'(?<=<)(?:path|use|text|g|line)\b[^>]*? style="([^"]*)"', text)
    often = [style for style, times in Counter(found).most_common() if times > 2]
    names = {style: f"s{place}" for place, style in enumerate(often)}

    def tag(match: re.Match[str]) -> str:
        name = names.get(match[2])
        return f'{match[1]} class="{name}"' if name else match[0]

    text = re.sub(r'(<(?:path|use|text|g|line)\b[^>]*?) style="([^"]*)"', tag, text)
    rules = "\n".join(f".{name}{{{style}}}" for style, name in names.items())
    return text.replace("</style>", f"{rules}\n</style>", 1)


def _scoped(match: re.Match[str], name: str, used: Iterable[str]) -> str:
    return f' id="{name}-{match[1]}"' if match[1] in used else ""


def figures_cell(text: str) -> Markup:
    """A cell of figures: on a screen it may be broken before a bracket or after a comma, and nowhere else."""
    return Markup(re.sub(r"(?<=[,;]) (?=\S)| (?=\()", " <wbr>", str(escape(text))))


def markdown_text(text: object) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(str(text).split()))


def markdown_cell(text: object) -> str:
    """The same for a table's cell; an empty one stays visible to the table."""
    return markdown_text(text) or " "


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> dict[str, Path]:
    """Write texts and pictures into a folder, each whole or not at all; gives the paths by name."""
    paths = {}
    for name, content in files.items():
        path = folder / name
        temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(content.encode() if isinstance(content, str) else content)
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise FlocksimError(f"{path}: cannot be written: {error.strerror or error}") from None
        paths[name.removeprefix("report.")] = path
    return paths
