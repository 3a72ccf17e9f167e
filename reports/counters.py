"""The report's section on what happens in a game: the score and the game's own counters."""

from __future__ import annotations

from typing import Any

import pandas as pd
from flocksim.analysis.populations import baselines, played_by, population_of
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import number, signed, with_players

from .parts import IN_TABLES, Grid, Section, at_most_six, half, label

_NOTE = (
    "In brackets: the difference from {}, deal by deal. * clear of chance: interval clear of zero, corrected for all "
    "rows of these tables (Holm), which are looked at apart from the rest of the report."
)


def counters_section(results: Results) -> Section | None:
    """Means per seat and game, by variant and by strategy, a table for each group of counters."""
    if results.counters.empty:
        return None
    by_variant = len(results.variants) > 1
    grids = []
    for players in results.players:
        where = with_players([players])
        if by_variant:
            grids += [grid for base in results.baselines for grid in _by_variant(results, base, players, where)]
        if players > 1 and (results.scored or results.manifest.get("seat_counters")):
            grids.append(_by_seat(results, players, where))
        grids.append(_by_strategy(results, players, where))
    score = results.manifest["game"].get("score_word") or "points"
    text = f"Means per player and game{f'; the score is {score}' if results.scored else ''}. "
    text += "Intervals are in tables/counters.csv"
    text += " and tables/variant_counters.csv." if by_variant else "."
    notes = [_NOTE.format(results.compared_with(results.others()))] if results.others() else []
    return Section("counters", "What happens in a game", [text], grids=grids, notes=notes)


def _groups(results: Results) -> dict[str, list[str]]:
    """Title -> counters: the game's groups and what is in none of them, the score, if it tells anything, first."""
    manifest = results.manifest
    groups = {title: list(names) for title, names in (manifest.get("counter_groups") or {}).items()}
    grouped = {name for names in groups.values() for name in names}
    grouped |= {(manifest.get("board_map") or {}).get("counter")}  # no mean tells anything of a place
    rest = [name for name in manifest.get("counters", []) if name not in grouped]
    groups |= {"Counters": rest} if rest or not groups else {}
    if results.scored:
        next(iter(groups.values())).insert(0, "score")
    return {title: names for title, names in groups.items() if names}


def _by_variant(results: Results, base: str, players: int, where: str) -> list[Grid]:
    """A column a variant that is compared with `base`."""
    known = baselines(results.manifest)
    table = results.variant_counters
    table, left = at_most_six(table[table.variant.map(known) == base], results, "variant_counters", IN_TABLES)
    table = table[table.players == players]
    variants = list(dict.fromkeys(table.variant))
    if not variants:
        return []
    changes = {(row["counter"], row["variant"]): row for row in records(table)}
    who = played_by(next(population_of(entry) for entry in results.manifest["variants"] if entry["name"] == base))
    grids = []
    for title, counters in _groups(results).items():
        rows = [
            [label(results, name), *_compared([changes[name, variant] for variant in variants])]
            for name in counters
            if (name, variants[0]) in changes
        ]
        caption = ", ".join(part for part in (title, where, who) if part) + left
        grids.append(Grid("variant_counters", caption, ["", base, *variants], rows, 1, True))
    return grids


def _compared(rows: list[dict[str, Any]]) -> list[str]:
    """The baseline's mean, then each variant's with its difference."""
    return [
        number(rows[0]["baseline"], half(rows[0])),
        *(
            f"{number(row['value'], half(row))} ({signed(row['difference'], half(row))}){' *' if row['claim'] else ''}"
            for row in rows
        ),
    ]


def _by_seat(results: Results, players: int, where: str) -> Grid:
    """Score and the counters that the game names for it: a row a seat, a column a variant."""
    table, left = at_most_six(results.seat_counters, results, "seat_counters", IN_TABLES)
    table = table[table.players == players]
    variants = list(dict.fromkeys(table.variant))
    means = {(row["counter"], row["seat"], row["variant"]): row for row in records(table)}
    rows = []
    for counter in (*(["score"] if results.scored else []), *results.manifest.get("seat_counters", [])):
        for seat in range(1, players + 1):
            mine = [means[counter, seat, variant] for variant in variants]
            shown = [f"{number(row['mean'], half(row))} ±{number(half(row), half(row))}" for row in mine]
            rows.append([f"{label(results, counter)}, seat {seat}", *shown])
    return Grid("seat_counters", f"By seat, {where}{left}", ["", *variants], rows, 1)


def _by_strategy(results: Results, players: int, where: str) -> Grid:
    """Of the baseline, or of the first variant that is played with so many."""
    table = results.counters[results.counters.players == players]
    variant = str(table.variant.iloc[0])
    means = table[table.variant == variant].pivot_table(index="counter", columns="strategy", values="mean", sort=False)
    place = f"{variant} {where}" if len(results.variants) > 1 else where
    names = [name for counters in _groups(results).values() for name in counters if name in means.index]
    means = means.loc[names]
    means.index = pd.Index([label(results, name) for name in names])
    return _crossed(means, f"By strategy, {place}")


def _crossed(means: pd.DataFrame, caption: str) -> Grid:
    if len(means.columns) > 8:
        means = means.T
    rows = [
        [str(name), *(f"{value:,.2f}" if pd.notna(value) else "–" for value in line)]
        for name, line in zip(means.index, means.to_numpy(), strict=True)
    ]
    return Grid("counters", caption, ["", *(str(name) for name in means.columns)], rows, 1, True)
