"""The report's section that compares variants."""

from __future__ import annotations

import pandas as pd
from flocksim.analysis.estimates import SHARES
from flocksim.analysis.rows import records
from flocksim.analysis.statistics import MIN_PAIRS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import interval, number, signed

from . import figures
from .parts import STAR, Grid, Picture, Section, alternative, at_most_six, half, said

MEASURE_WORDS = {
    "margin": "winner's lead",
    "spread": "best less worst score",
    "tied": "tied games, %",
    "stuck": "stuck games, %",
    "deadlock": "deadlocks, %",
    "turn_cap": "turn cap, %",
}
_SAVED = (
    "Variance saved: how much less the difference varies than between games dealt independently, where at least "
    f"{MIN_PAIRS} blocks are compared."
)


def variants_section(results: Results) -> Section | None:
    """What each variant changes against the baseline; nothing when there is only one variant."""
    if results.variant_measures.empty:
        return None
    title = "What does each variant change?"
    base, sentences = results.baseline, said(results, "variants", 16)
    section = Section("variants", title, sentences, notes=[STAR, _SAVED])
    _measures(results, section)
    _wins(results, section, "variant_seats", "seat")
    if len(results.manifest["strategies"]) > 1:
        _wins(results, section, "variant_strategies", "strategy")
    if not results.variant_solo.empty:
        table = results.variant_solo.rename(columns={"seat": "solo"}).assign(solo="alone")
        section.grids.append(_grid(table, "variant_solo", "solo", f"Games won alone in %: each variant less {base}"))
    return section


def _measures(results: Results, section: Section) -> None:
    table, base = results.variant_measures, results.baseline
    turns = table[table.measure == "turns"]
    alt = alternative(turns, "difference", "", f"Difference from {base} in the length of games", " turns")
    caption = f"Each variant less {base}, deal by deal; lines: 95 % intervals, dashed: no change."
    section.pictures.append(Picture("variant_measures", figures.svg(figures.variant_measures(table)), alt, caption))
    seen = ~table.measure.isin(SHARES) | (table.baseline + table.value > 0)
    section.grids.append(_grid(table[seen], "variant_measures", "measure", f"Games: each variant less {base}"))


def _wins(results: Results, section: Section, name: str, who: str) -> None:
    table, base = getattr(results, name), results.baseline
    if table.empty:
        return
    shown, note = at_most_six(table, results) if who == "strategy" else (table, "")
    draw = figures.variant_strategies if who == "strategy" else figures.variant_seats
    alt = alternative(table, "difference", who, f"Change in win share by {who} against {base}")
    caption = f"Change in each {who}'s win share against {base}; lines are 95 % intervals.{note}"
    section.pictures.append(Picture(name, figures.svg(draw(shown)), alt, caption))
    section.grids.append(_grid(table, name, who, f"Win share in % by {who}: each variant less {base}"))


def _grid(table: pd.DataFrame, name: str, key: str, caption: str) -> Grid:
    columns = ["variant", "players", key, "baseline", "here", "difference", "95 % interval", "variance saved"]
    rows = []
    for row in records(table):
        scale = 100.0 if key != "measure" or row["measure"] in SHARES else 1.0
        wide, saved = half(row) * scale, row["variance_reduction"]
        rows.append(
            [
                *(str(row["variant"]), str(row["players"]), str(MEASURE_WORDS.get(row[key], row[key]))),
                *(number(row["baseline"] * scale, wide), number(row["value"] * scale, wide)),
                signed(row["difference"] * scale, wide) + (" *" if row["claim"] else ""),
                interval(row["low"] * scale, row["high"] * scale),
                f"{saved * 100:.0f} %".replace("-", "\N{MINUS SIGN}") if pd.notna(saved) else "–",
            ]
        )
    return Grid(name, caption, columns, rows, 3, len(table) > 30)
