"""The report's sections that a game offers of its own (simulate.game.Chart): counters side by side."""

from __future__ import annotations

from typing import Any

import pandas as pd
from flocksim.analysis.rows import leaders, records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import interval, listed, number, span, with_players

from . import figures
from .parts import IN_TABLES, LONG, Grid, Section, at_most_six, half, picture

MOST_NAMED = 3


def charts_sections(results: Results) -> list[Section]:
    """A section for each chart that the game offers and whose counters are not all zero."""
    made = []
    for chart in results.manifest.get("charts") or []:
        table = results.all_counters[results.all_counters.counter.isin(chart["counters"])]
        if table["mean"].any():
            made.append(_section(results, chart, table))
    return made


def _section(results: Results, chart: dict[str, Any], table: pd.DataFrame) -> Section:
    order = list(chart["counters"])
    table = table.sort_values("counter", key=lambda names: names.map(order.index), kind="stable")
    table = table.assign(counter=table.counter.map(chart["counters"]))
    shown, note = at_most_six(table, results, "all_counters")
    label = f"{chart['unit']} a player and game"
    caption = f"{chart['unit'][0].upper()}{label[1:]}; lines are 95 % intervals.{note}"
    drawn = picture(chart["key"], lambda: figures.counters(shown, label), _alt(shown, chart), caption, ("counters",))
    sentences = [text for text in (_most(results, chart, table), *_changes(results, chart)) if text]
    return Section(chart["key"], chart["title"], sentences, [drawn], [_grid(results, chart, table, label)], [_NOTE])


_NOTE = (
    "Means of all seats together. Of variants a sentence names what clearly changes at one player count or more "
    "(corrected for all counters, Holm), and never the other way at another."
)


def _alt(table: pd.DataFrame, chart: dict[str, Any]) -> str:
    row = records(table.sort_values("mean", ascending=False, kind="stable"))[0]
    most = f"{row['counter']} in {row['variant']} {with_players([row['players']])}"
    return (
        f"{chart['title']} {chart['unit'][0].upper()}{chart['unit'][1:]} a player and game, "
        f"{with_players(sorted(set(table.players)))}. Highest: {most}, {number(row['mean'], half(row))} "
        f"({interval(row['low'], row['high'])}). The table below has every value."
    )


def _most(results: Results, chart: dict[str, Any], table: pd.DataFrame) -> str:
    """What there is clearly most of in the baseline, by player count."""
    mine = table[table.variant == results.baseline]
    first: list[dict[str, Any]] = []
    for _, rows in mine.groupby("players"):
        found = leaders(rows, "mean")
        first += records(found) if len(found) == 1 else []
    if not first:
        return ""
    names = dict.fromkeys(row["counter"] for row in first)
    parts = []
    for name in names:
        here = [row for row in first if row["counter"] == name]
        size = span([row["mean"] for row in here], [half(row) for row in here])
        parts.append(f"{name} {with_players([row['players'] for row in here], set(mine.players))} ({size})")
    return f"Most {chart['unit']} in {results.baseline}: {listed(parts)}."


def _changes(results: Results, chart: dict[str, Any]) -> list[str]:
    """What each variant clearly has more and less of than the baseline, the largest differences first."""
    table = results.variant_counters
    table = table[table.claim & table.counter.isin(chart["counters"])] if len(table) else table
    said = []
    for variant in results.others():
        mine = table[table.variant == variant]
        size = mine.difference.abs().groupby(mine.counter).max().sort_values(ascending=False, kind="stable")
        ways = {str(name): {bool(sign) for sign in mine.difference[mine.counter == name] > 0} for name in size.index}
        parts = []
        for word, way in (("more", True), ("less", False)):
            names = [chart["counters"][name] for name in ways if ways[name] == {way}]
            parts += [f"{word} of {_named(names, len(chart['counters']))}"] if names else []
        if parts:
            said.append(f"{variant} against {results.compared_with([variant])}: clearly {', and '.join(parts)}.")
    return said


def _named(names: list[str], of: int) -> str:
    """Some of many, and how many more; 'all 11, above all a, b and c' of everything."""
    if len(names) <= MOST_NAMED:
        return listed(names)
    if len(names) == of:
        return f"all {of}, above all {listed(names[:MOST_NAMED])}"
    rest = len(names) - MOST_NAMED
    return listed([*names[:MOST_NAMED], f"{rest} other{'s' if rest > 1 else ''}"])


def _grid(results: Results, chart: dict[str, Any], table: pd.DataFrame, label: str) -> Grid:
    """A row a player count and counter, a column a variant."""
    table, left = at_most_six(table, results, "all_counters", IN_TABLES)
    variants = list(dict.fromkeys(table.variant))
    means = {(row["variant"], row["players"], row["counter"]): row for row in records(table)}
    rows = []
    for players in sorted(set(table.players)):
        for name in chart["counters"].values():
            cells = [means.get((variant, players, name)) for variant in variants]
            rows.append([str(players), name, *(_mean(row) if row else "–" for row in cells)])
    caption = f"{label[0].upper()}{label[1:]}{left}"
    return Grid("all_counters", caption, ["players", "", *variants], rows, 2, len(rows) > LONG)


def _mean(row: dict[str, Any]) -> str:
    return f"{number(row['mean'], half(row))} ±{number(half(row), half(row))}"
