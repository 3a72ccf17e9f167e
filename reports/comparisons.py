"""The report's section on variants: the rules that each changes, and what that does, deal by deal."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
from flocksim.analysis.estimates import SHARES
from flocksim.analysis.rows import records
from flocksim.analysis.statistics import MIN_PAIRS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import interval, listed, number, signed, whole_percent

from . import figures
from .parts import LONG, STAR, Grid, Section, alternative, at_most_six, half, picture, said

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


def variants_section(results: Results) -> Section:
    """The rules that are played, and what each variant changes against the baseline."""
    title = "What does each variant change?" if len(results.variants) > 1 else "Which rules are played?"
    section = Section("variants", title, [*_standard(results), *said(results, "variants", 16)], before=_rules(results))
    if results.variant_measures.empty:
        return section
    section.notes.extend([STAR, _SAVED])
    _measures(results, section)
    _wins(results, section, "variant_seats", "seat")
    if len(results.manifest["strategies"]) > 1:
        _wins(results, section, "variant_strategies", "strategy")
    if not results.variant_solo.empty:
        table = results.variant_solo.rename(columns={"seat": "solo"}).assign(solo="alone")
        caption = f"Games won alone in %: each variant less {results.compared_with(results.others())}"
        section.grids.append(_grid(table, "variant_solo", "solo", caption))
    return section


def _standard(results: Results) -> list[str]:
    plain = [entry["name"] for entry in results.manifest["variants"] if not entry.get("differs")]
    verb = "is played by" if len(plain) == 1 else "are played by"
    return [f"{listed(plain)} {verb} the standard rules."] if plain else []


def _rules(results: Results) -> list[Grid]:
    """The rules in which variants differ from the standard ones."""
    rows = []
    for variant in results.manifest["variants"]:
        for rule, (standard, here) in (variant.get("differs") or {}).items():
            rows.append([variant["name"], rule, *_changed(standard, here)])
    columns = ["variant", "rule", "standard", "here"]
    return [Grid("rules", "Rules that differ from the standard ones", columns, rows, words=True)] if rows else []


def _changed(standard: Any, here: Any) -> list[str]:
    """Two values as text; of maps only the entries that differ."""
    if isinstance(standard, dict) and isinstance(here, dict):
        keys = [key for key in here if standard.get(key) != here[key]]
        return [", ".join(f"{key}: {_plain(side.get(key))}" for key in keys) for side in (standard, here)]
    return [_plain(standard), _plain(here)]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


def _measures(results: Results, section: Section) -> None:
    table, base = results.variant_measures, results.compared_with(results.others())
    turns = table[table.measure == "turns"]
    alt = alternative(turns, "difference", "", f"Difference from {base} in the length of games", " turns")
    caption = f"Each variant less {base}, deal by deal; lines: 95 % intervals, dashed: no change."
    section.pictures.append(
        picture("variant_measures", lambda: figures.variant_measures(table), alt, caption, ("variant_games",))
    )
    seen = ~table.measure.isin(SHARES) | (table.baseline + table.value > 0)
    section.grids.append(_grid(table[seen], "variant_measures", "measure", f"Games: each variant less {base}"))


def _wins(results: Results, section: Section, name: str, who: str) -> None:
    table, base = getattr(results, name), results.compared_with(results.others())
    if table.empty:
        return
    shown, note = at_most_six(table, results, name) if who == "strategy" else (table, "")
    draw = figures.variant_strategies if who == "strategy" else figures.variant_seats
    alt = alternative(shown, "difference", who, f"Change in win share by {who} against {base}")
    caption = f"Change in each {who}'s win share against {base}; lines are 95 % intervals.{note}"
    section.pictures.append(picture(name, lambda: draw(shown), alt, caption, (name,)))
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
                whole_percent(saved) if pd.notna(saved) else "–",
            ]
        )
    return Grid(name, caption, columns, rows, 3, len(table) > LONG)
