"""Findings on who wins: seats and strategies, and what variants change for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from .finding import Finding, cases, comparable, half, name_of, rows_of, where
from .rows import highest
from .words import count, fair, listed, percent, points, span, with_players

if TYPE_CHECKING:
    from .tables import Results

DOMINANT = 1.5
"""A strategy that wins at least so many times its fair share is called dominant ..."""
HOPELESS = 0.5
"""... and at most so many times, hopeless."""


FEW = 3
"""So many variants are each told in the summary; of more, only the largest shift."""


def win_findings(results: Results) -> list[Finding]:
    """Whether a seat is favoured and which strategies win or lose."""
    return [*_wins(results, "seats"), *_wins(results, "strategies"), *_extremes(results)]


# --- seats and strategies against their fair share ---


def _wins(results: Results, table_name: str) -> list[Finding]:
    table = getattr(results, table_name)
    who = "seat" if table_name == "seats" else "strategy"
    if not comparable(results, table_name):
        return []
    if not table.share.any():
        return [Finding(table_name, f"No game was won, so no {who} can be called favoured.", (), True)]
    claimed = table[table.claim]
    cells = table.groupby(["variant", "players"], sort=False)
    if claimed.empty:
        return [_nothing_clear(results, table_name, who)]
    each = [_cell(results, table_name, cell[cell.claim]) for _, cell in cells if cell.claim.any()]
    return [_overall(results, table_name, claimed, cells.ngroups), *each]


def _nothing_clear(results: Results, table_name: str, who: str) -> Finding:
    table = getattr(results, table_name)
    known = table[table.edge_low.notna()]
    if known.empty:
        return Finding(table_name, f"Too few games to say whether a {who} is favoured.", (), True)
    row = highest(known, known.edge.abs())
    wide = half(row, "edge")
    text = (
        f"No {who} clearly wins more or less than its fair share (largest difference seen: "
        f"{points(row['edge'], wide)} points, ±{points(wide, wide)}, "
        f"{name_of(row)} {where(results, row)})."
    )
    return Finding(table_name, text, ((table_name, int(row.name)),), True)


def _against_fair(row: Any) -> str:
    wide = half(row, "edge")
    way = "more" if row["edge"] > 0 else "less"
    return f"{name_of(row)} wins {points(row['edge'], wide)} points {way} than its fair share"


def _overall(results: Results, table_name: str, claimed: pd.DataFrame, of: int) -> Finding:
    seats = table_name == "seats"
    row = highest(claimed, claimed.edge.abs())
    clear = claimed.groupby(["variant", "players"]).ngroups
    subject = "the order of play matters" if seats else "some strategies clearly win more or less than others"
    if of == 1:
        start = f"{subject[0].upper()}{subject[1:]}:"
    else:
        every = "both cases" if of == 2 else f"all {of} cases"
        start = f"In {every if clear == of else f'{clear} of {of} cases'}{cases(results)} {subject}"
        start += f"{_first_and_last(claimed) if seats else ''}, most of all {where(results, row)}, where"
    wide = half(row, "edge")
    text = f"{start} {_against_fair(row)} of {fair(row['fair'])} (±{points(wide, wide)}){_unsure(row)}."
    return Finding(table_name, text, ((table_name, int(row.name)), *rows_of(table_name, claimed)), True)


def _first_and_last(claimed: pd.DataFrame) -> str:
    """' (seat 1 is ahead in 3 of them, the last seat behind in 2)', or less of it."""
    first = int(((claimed.seat == 1) & (claimed.edge > 0)).sum())
    last = int(((claimed.seat == claimed.players) & (claimed.edge < 0)).sum())
    said = [
        f"{who} in {times}" for who, times in (("seat 1 is ahead", first), ("the last seat is behind", last)) if times
    ]
    return f" ({listed(said)})" if said else ""


def _unsure(row: Any) -> str:
    if row["sure"]:
        return ""
    return (
        f", though this could be undone if the unfinished games had gone the other way "
        f"({percent(row['worst'], 0.001)} to {percent(row['best'], 0.001)})"
    )


def _cell(results: Results, table_name: str, claimed: pd.DataFrame) -> Finding:
    ordered = claimed.sort_values("edge", ascending=False, kind="stable")
    first = ordered.iloc[0]
    place = where(results, first)
    shares = [
        f"{name_of(row)} wins {percent(row['share'], half(row))}{_seat_edge(row) if table_name == 'seats' else ''}"
        f"{'' if row['sure'] else ' (not sure: see worst and best)'}"
        for _, row in ordered.iterrows()
    ]
    more, less = shares[: int((ordered.edge > 0).sum())], shares[int((ordered.edge > 0).sum()) :]
    parts = [listed([part[0], *(text.replace(" wins ", " ", 1) for text in part[1:])]) for part in (more, less) if part]
    text = f"{place[0].upper()}{place[1:]}, where {fair(first['fair'])} is fair, {', while '.join(parts)}."
    return Finding(table_name, text, rows_of(table_name, ordered))


def _seat_edge(row: Any) -> str:
    return f" ({points(row['edge'], half(row, 'edge'))} points {'more' if row['edge'] > 0 else 'less'} than fair)"


def _extremes(results: Results) -> list[Finding]:
    if not comparable(results, "strategies"):
        return []
    table = results.strategies
    chance = {entry["name"] for entry in results.manifest["strategies"] if float(entry.get("noise") or 0) >= 1}
    clear = table[table.claim & table.sure & ~table.strategy.isin(chance)]
    found = []
    for word, rows in (
        ("dominant", clear[(clear.low >= DOMINANT * clear.fair)]),
        ("hopeless", clear[(clear.high <= HOPELESS * clear.fair)]),
    ):
        if rows.empty:
            continue
        cases = rows.groupby("strategy", sort=False)
        each = [
            f"{name} in {len(part)} of {count(int((table.strategy == name).sum()), 'case')}" for name, part in cases
        ]
        rule = (
            f"wins at least {DOMINANT:g} times its fair share"
            if word == "dominant"
            else f"wins at most {HOPELESS:g} times its fair share"
        )
        text = f"Looks {word} ({rule}, against these opponents): {listed(each)}."
        found.append(Finding("strategies", text, rows_of("strategies", rows), word == "dominant"))
    return found


# --- what a variant changes for seats and strategies ---


def variant_win_findings(results: Results) -> list[Finding]:
    """What each variant changes for seats and strategies."""
    names = {"variant_seats": "seat"} | (
        {"variant_strategies": "strategy"} if comparable(results, "strategies") else {}
    )
    tables = {name: getattr(results, name) for name in names}
    tables = {name: table[table.players > 1] for name, table in tables.items() if (table.players > 1).any()}
    quiet = [name for name, table in tables.items() if not table.claim.any()]
    found = [_no_shift(results, quiet, names)] if quiet else []
    for name, table in tables.items():
        if name not in quiet:
            clear = [variant for variant in results.variants if table[table.variant == variant].claim.any()]
            told = [[variant] for variant in clear] if len(clear) <= FEW else [clear]
            found.extend(_largest_shift(results, name, names[name], variants) for variants in told)
            found.extend(_one_variant(results, name, variant) for variant in clear)
    return found


def _no_shift(results: Results, quiet: Sequence[str], names: dict[str, str]) -> Finding:
    whose = listed([f"{names[name]}'s" for name in quiet], "or")
    biggest, sources, unknown = [], [], True
    for name in quiet:
        known = getattr(results, name)
        known = known[known.low.notna() & (known.players > 1)]
        if known.empty:
            continue
        unknown = False
        row = highest(known, known.difference.abs())
        sources.append((name, int(row.name)))
        wide = half(row)
        if row["difference"] != 0 or wide > 0:
            biggest.append(f"{points(row['difference'], wide)} points, ±{points(wide, wide)}")
    if unknown:
        return Finding(
            "variants", f"Too few games to say whether a variant changes any {whose} share of wins.", (), True
        )
    if not biggest:
        return Finding(
            "variants", f"No {whose} share of wins differs between the variants in these games.", tuple(sources), True
        )
    text = f"No variant clearly changes any {whose} share of wins (largest seen: {listed(biggest)})."
    return Finding("variants", text, tuple(sources), True)


def _largest_shift(results: Results, table_name: str, who: str, variants: Sequence[str]) -> Finding:
    claimed = getattr(results, table_name)
    claimed = claimed[claimed.claim & claimed.variant.isin(variants)]
    row = highest(claimed, claimed.difference.abs())
    verb, wide = ("gains" if row["difference"] > 0 else "loses"), half(row)
    text = (
        f"The largest clear shift between {'seats' if who == 'seat' else 'strategies'} in {row['variant']} is "
        f"{with_players([row['players']])}: {name_of(row)} {verb} {points(row['difference'], wide)} points "
        f"(±{points(wide, wide)}) against {results.baseline}."
    )
    return Finding("variants", text, ((table_name, int(row.name)),), True)


def _one_variant(results: Results, table_name: str, variant: str) -> Finding:
    table = getattr(results, table_name)
    mine = table[(table.variant == variant) & table.claim]
    key, every = ("seat" if table_name == "variant_seats" else "strategy"), table[table.variant == variant].players
    clauses = []
    for verb, part in (("gains", mine[mine.difference > 0]), ("loses", mine[mine.difference < 0])):
        for _, rows in part.groupby(key, sort=False):
            by = span(rows.difference.abs() * 100, (rows.high - rows.low) * 50)
            clauses.append(f"{name_of(rows.iloc[0])} {verb} {by} points {with_players(rows.players, every)}")
    return Finding(
        "variants", f"{variant} against {results.baseline}: {'; '.join(clauses)}.", rows_of(table_name, mine)
    )
