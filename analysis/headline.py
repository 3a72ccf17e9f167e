"""What a few variants change, in one sentence: the length of games in each, and the largest shift of wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from .finding import Finding, half, name_of, rows_of, undecided, where
from .rows import leaders
from .words import count, listed, points, span, with_players

if TYPE_CHECKING:
    from .tables import Results

Rows = tuple[tuple[str, int], ...]


def headline(results: Results, most: int) -> list[Finding]:
    """A finding on two variants or more beside the baseline, up to `most`; of one, its own sentence says it all."""
    others = results.others()
    if not 2 <= len(others) <= most:
        return []
    parts = [part for part in (_length(results), _shift(results), _alone(results)) if part[0]]
    text = f"Against {results.compared_with(others)}, {'; '.join(text for text, _ in parts)}."
    return [Finding("variants", text, tuple(row for _, rows in parts for row in rows), True)]


def _length(results: Results) -> tuple[str, Rows]:
    """'games are longer by 2.1 to 3.4 turns (8 to 11 %) in a, and shorter by ... in b; their length ... in c'."""
    turns = results.variant_measures[results.variant_measures.measure == "turns"]
    parts = []
    for way, rows in (("longer", turns[turns.difference > 0]), ("shorter", turns[turns.difference < 0])):
        each = [_by(turns, part) for _, part in rows[rows.claim].groupby("variant", sort=False)]
        if each:
            parts.append(f"{way} by {listed(each)}")
    unclear = [variant for variant in results.others() if not turns[turns.variant == variant].claim.any()]
    if not parts:
        return "no clear change in the length of games", rows_of("variant_measures", turns)
    rest = f", with no clear change in {listed(unclear, 'or')}" if unclear else ""
    return f"games are {', and '.join(parts)}{rest}", rows_of("variant_measures", turns)


def _by(turns: pd.DataFrame, rows: pd.DataFrame) -> str:
    variant = rows.variant.iloc[0]
    relative = span(rows.relative.abs() * 100, (rows.relative_high - rows.relative_low) * 50)
    size = f"{span(rows.difference.abs(), (rows.high - rows.low) / 2)} turns ({relative} %)"
    part = len(rows) < (turns.variant == variant).sum()
    return f"{size} in {variant}{f' {with_players(rows.players)}' if part else ''}"


def _shift(results: Results) -> tuple[str, Rows]:
    """The largest clear shift of wins, of any seat or strategy in any variant."""
    tables = {name: getattr(results, name) for name in ("variant_seats", "variant_strategies")}
    tables = {name: table[table.claim] for name, table in tables.items() if not table.empty}
    if not tables:
        return "", ()
    found = {name: leaders(table, "difference") for name, table in tables.items() if not table.empty}
    if not found:
        return "no clear shift of wins between seats or strategies", ()
    name = max(found, key=lambda name: abs(found[name].difference.iloc[0]))
    row, rivals = found[name].iloc[0], len(found[name]) - 1
    verb = "gains" if row["difference"] > 0 else "loses"
    seen = f" seen ({count(rivals, 'other is', 'others are')} not clearly smaller)" if rivals else ""
    text = f"{name_of(row)} {verb} {points(row['difference'], half(row))} points {where(results, row)}"
    text += undecided(results, found[name].iloc[:1], True)
    return f"the largest clear shift of wins{seen}: {text}", rows_of(name, found[name])


def _alone(results: Results) -> tuple[str, Rows]:
    """What changes for a lone player."""
    rows = results.variant_solo[results.variant_solo.claim] if len(results.variant_solo) else results.variant_solo
    each = [
        f"{points(row['difference'], half(row))} points {'more' if row['difference'] > 0 else 'less'} in {row.variant}"
        for _, row in rows.iterrows()
    ]
    return (f"a lone player wins {listed(each)}", rows_of("variant_solo", rows)) if each else ("", ())
