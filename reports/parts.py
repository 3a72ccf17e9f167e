"""What a report is made of: sections of sentences, figures and tables of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from flocksim.analysis.rows import highest, lowest
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, interval, number, signed, with_players
from matplotlib.figure import Figure

from .album import drawn
from .figures import HUES, NARROW, Band, layout, png, svg

MOST_TWICE = 250_000
"""Of larger figures, in bytes, a page holds only the wide one."""
IN_FIGURES = " Drawn: {} of {} variants, those of the summary first; tables/{}.csv has all."
IN_TABLES = " ({} of {} variants, those of the summary first; tables/{}.csv has all)"
LONG = 24
"""Tables of more rows are folded."""
STAR = "* clear of chance: interval clear of zero, corrected for all rows asked about in this report (Holm)."


@dataclass(frozen=True)
class Grid:
    """A table of text: its CSV's name, caption, columns and rows; the first `heads` columns name the row.

    folded: shown when it is asked for; words: of sentences rather than numbers.
    """

    name: str
    caption: str
    columns: list[str]
    rows: list[list[str]]
    heads: int = 2
    folded: bool = False
    words: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, what it shows for those who do not see it, and its caption.

    narrow: the same for narrow screens; queries: the shipped queries behind it; png: makes the same as PNG.
    """

    name: str
    svg: str
    alt: str
    caption: str
    narrow: str = ""
    queries: tuple[str, ...] = ()
    png: Callable[[], bytes] | None = None


@dataclass(frozen=True)
class Section:
    """One question: its sentences, tables that come before the figures, figures, tables and notes."""

    key: str
    title: str
    sentences: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    before: list[Grid] = field(default_factory=list)


def picture(name: str, draw: Callable[[], Figure], alt: str, caption: str, queries: tuple[str, ...] = ()) -> Picture:
    """A figure for wide pages and for narrow screens; `draw` makes it either way."""
    wide, narrow = drawn(name, "wide", lambda: svg(draw())), ""
    if len(wide) <= MOST_TWICE:
        with layout(NARROW):
            narrow = drawn(name, "narrow", lambda: svg(draw()))
    return Picture(name, wide, alt, caption, narrow, queries, lambda: drawn(name, "png", lambda: png(draw())))


def said(results: Results, topic: str, most: int, only: Collection[str] = ()) -> list[str]:
    """What the findings say of a topic, at most so many sentences; beside general ones only those on `only`."""
    tables = results.tables()
    texts = [
        entry.text
        for entry in results.findings
        if entry.topic == topic
        and (entry.summary or not only or all(tables[name].variant.iloc[place] in only for name, place in entry.rows))
    ]
    left = len(texts) - most
    return texts if left <= 0 else [*texts[:most], f"… and {left} more; see the tables."]


def half(row: Mapping[str, Any]) -> float:
    """Half the width of a row's interval."""
    return float(row["high"] - row["low"]) / 2


def band(results: Results, *keys: str) -> Band | None:
    """What targets of these keys allow together, where they ask the same of every case; nothing else."""
    found = [results.verdicts[results.verdicts.target == key][["least", "most"]].drop_duplicates() for key in keys]
    found = [rows for rows in found if not rows.empty]
    if not found or any(len(rows) > 1 for rows in found):
        return None
    return max(float(rows.least.iloc[0]) for rows in found), min(float(rows.most.iloc[0]) for rows in found)


def label(results: Results, counter: str) -> str:
    """A counter as a reader calls it."""
    return str((results.manifest.get("counter_words") or {}).get(counter, counter.replace("_", " ")))


def at_most_six(table: pd.DataFrame, results: Results, csv: str, left: str = IN_FIGURES) -> tuple[pd.DataFrame, str]:
    """The rows of as many variants as there are hues, in the table's order, and a note where others are left out.

    The baselines come first, then what the summary tells of, then the rest. csv: the table that has all; left: the
    note, IN_FIGURES or IN_TABLES.
    """
    present = set(table.variant)
    shown = [variant for variant in _weightiest(results) if variant in present][: len(HUES)]
    note = left.format(len(shown), len(present), csv) if len(shown) < len(present) else ""
    return table[table.variant.isin(shown)], note


def _weightiest(results: Results) -> list[str]:
    """All variants: baselines, then those that the summary names, then those that it rests on, then the rest."""
    tables = results.tables()
    named, used = [], []
    for finding in (finding for finding in results.findings if finding.summary):
        rows = [(tables[name], place) for name, place in finding.rows if "variant" in tables[name]]
        mine = list(dict.fromkeys(str(table.variant.iloc[place]) for table, place in rows))
        used += mine
        named += [name for name in mine if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", finding.text)]
    return list(dict.fromkeys([*results.baselines, *named, *used, *results.variants]))


def alternative(table: pd.DataFrame, value: str, key: str, title: str, unit: str = " points", edge: str = "") -> str:
    """What a chart shows, from its data: title, what it covers, and its highest and lowest value.

    `key` is the column that names a mark beside variant and players, if any; `edge` prefixes low and high.
    """
    known = table[table[value].notna()]
    players, variants = sorted(set(table.players)), table.variant.nunique()
    text = f"{title}, {with_players(players)}, for {count(variants, 'variant')}."
    if known.empty:
        return f"{text} Too few games."
    scale = 1.0 if unit == " turns" else 100.0
    for word, pick in (("Highest", highest), ("Lowest", lowest)):
        row = pick(known, known[value])
        low, high = row[f"{edge}low"] * scale, row[f"{edge}high"] * scale
        show = signed if value in ("edge", "difference") else number
        named = {"seat": "seat {}", "strategy": "{}", "ending": "{}"}.get(key, "")
        who = f"{named.format(row[key])} in " if named else ""
        text += f" {word}: {who}{row['variant']} {with_players([row['players']])}, "
        text += f"{show(row[value] * scale, (high - low) / 2)}{unit} ({interval(low, high)})."
    return f"{text} The table below has every value."
