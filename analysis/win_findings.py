"""Findings on who wins: seats and strategies, and what variants change for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from .finding import Finding, cases, comparable, half, name_of, rows_of, undecided, where
from .rows import highest, leaders
from .words import count, exact, listed, percent, points, span, with_players

if TYPE_CHECKING:
    from .tables import Results

DOMINANT = 1.5
"""A strategy that wins at least so many times its fair share is called dominant ..."""
HOPELESS = 0.5
"""... and at most so many times, hopeless."""


FEW = 3
"""So many variants are each told in the summary; of more, only the largest shift."""


def win_findings(results: Results) -> list[Finding]:
    """Whether a seat is favoured, which strategies win or lose, and how often a lone player wins."""
    return [*_wins(results, "seats"), *_wins(results, "strategies"), *_extremes(results), *_solo(results)]


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
        f"{points(row['edge'], wide)} points, ±{points(wide, wide)} taken alone, "
        f"{name_of(row)} {where(results, row)}{undecided(results, known)})."
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
        start += f"{_first_and_last(claimed) if seats else ''}, {_most(claimed)} {where(results, row)}, where"
    wide, shared = half(row, "edge"), undecided(results, claimed.loc[[row.name]])
    text = f"{start} {_against_fair(row)} of {exact(row['fair'])} (±{points(wide, wide)}){shared}{_unsure(row)}."
    return Finding(table_name, text, ((table_name, int(row.name)), *rows_of(table_name, claimed)), True)


def _most(claimed: pd.DataFrame) -> str:
    """How to introduce the largest of several differences, as far as it is known to be that."""
    if len(claimed) == 1:
        return "namely"
    rivals = len(leaders(claimed, "edge", "edge_low", "edge_high")) - 1
    if rivals == 0:
        return "most of all"
    return f"the largest difference seen ({count(rivals, 'other is', 'others are')} not clearly smaller)"


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
        f"({exact(row['worst'])} to {exact(row['best'])})"
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
    shared = undecided(results, ordered)
    text = f"{place[0].upper()}{place[1:]}, where {exact(first['fair'])} is fair, {', while '.join(parts)}{shared}."
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


# --- alone ---


def _solo(results: Results) -> list[Finding]:
    rows = results.solo[results.solo.strategy == ""]
    if rows.empty:
        return []
    several = len(results.variants) > 1
    each = [
        f"{percent(row['won'], half(row))} of games{f' in {row.variant}' if several else ''} (±{_by_points(row)})"
        for _, row in rows.iterrows()
    ]
    return [Finding("solo", f"A lone player wins {listed(each)}.", rows_of("solo", rows), True)]


def _by_points(row: Any) -> str:
    return f"{points(half(row), half(row))} points"


def _solo_shifts(results: Results) -> list[Finding]:
    claimed = results.variant_solo[results.variant_solo.claim]
    found = []
    for _, row in claimed.iterrows():
        way = "more" if row["difference"] > 0 else "less"
        text = (
            f"{row['variant']} against {results.compared_with([row['variant']])}: a lone player wins "
            f"{points(row['difference'], half(row))} points {way} (±{_by_points(row)})."
        )
        found.append(Finding("variants", text, rows_of("variant_solo", claimed.loc[[row.name]]), True))
    return found


# --- what a variant changes for seats and strategies ---


def variant_win_findings(results: Results) -> list[Finding]:
    """What each variant changes for seats and strategies, and for a lone player."""
    names = {"variant_seats": "seat"} | (
        {"variant_strategies": "strategy"} if comparable(results, "strategies") else {}
    )
    tables = {name: getattr(results, name) for name in names}
    tables = {name: table for name, table in tables.items() if not table.empty}
    quiet = [name for name, table in tables.items() if not table.claim.any()]
    found = [_no_shift(results, quiet, names)] if quiet else []
    for name, table in tables.items():
        if name not in quiet:
            clear = [variant for variant in results.variants if table[table.variant == variant].claim.any()]
            told = [[variant] for variant in clear] if len(clear) <= FEW else [clear]
            found.extend(_largest_shift(results, name, names[name], variants) for variants in told)
            found.extend(_one_variant(results, name, variant) for variant in clear)
    return [*found, *_solo_shifts(results)]


def _no_shift(results: Results, quiet: Sequence[str], names: dict[str, str]) -> Finding:
    whose = listed([f"{names[name]}'s" for name in quiet], "or")
    biggest, sources, unknown = [], [], True
    for name in quiet:
        known = getattr(results, name)
        known = known[known.low.notna()]
        if known.empty:
            continue
        unknown = False
        row = highest(known, known.difference.abs())
        sources.append((name, int(row.name)))
        wide = half(row)
        if row["difference"] != 0 or wide > 0:
            biggest.append(
                f"{name_of(row)} {where(results, row)}, {points(row['difference'], wide)} points, "
                f"±{points(wide, wide)} taken alone"
            )
    if unknown:
        return Finding(
            "variants", f"Too few games to say whether a variant changes any {whose} share of wins.", (), True
        )
    if not biggest:
        return Finding(
            "variants", f"No {whose} share of wins differs between the variants in these games.", tuple(sources), True
        )
    text = f"No variant clearly changes any {whose} share of wins (largest seen: {'; '.join(biggest)})"
    text += f"{undecided(results, results.cells[results.cells.players > 1])}."
    return Finding("variants", text, tuple(sources), True)


def _largest_shift(results: Results, table_name: str, who: str, variants: Sequence[str]) -> Finding:
    claimed = getattr(results, table_name)
    claimed = claimed[claimed.claim & claimed.variant.isin(variants)]
    first = leaders(claimed, "difference")
    row = first.iloc[0]
    verb, wide = ("gains" if row["difference"] > 0 else "loses"), half(row)
    others = len(first) - 1
    rivals = f" ({count(others, 'other is', 'others are')} not clearly smaller)" if others else ""
    text = (
        f"The largest clear shift {'seen ' if others else ''}between {'seats' if who == 'seat' else 'strategies'} in "
        f"{row['variant']}{rivals} is {with_players([row['players']])}: {name_of(row)} {verb} "
        f"{points(row['difference'], wide)} points (±{points(wide, wide)}) against "
        f"{results.compared_with([row['variant']])}"
        f"{undecided(results, first.iloc[:1], True)}."
    )
    return Finding("variants", text, rows_of(table_name, first), True)


def _one_variant(results: Results, table_name: str, variant: str) -> Finding:
    """What a variant changes for each seat (or strategy), and where that is not clear."""
    key = "seat" if table_name == "variant_seats" else "strategy"
    mine = getattr(results, table_name)
    mine = mine[mine.variant == variant]
    every = mine.players
    named = {name: rows for name, rows in mine.groupby(key, sort=False) if rows.claim.any()}
    clauses = [clause for rows in named.values() for clause in _shifts(rows, every)]
    if mine[key].nunique() > len(named):
        clauses.append(f"not clear for other {'seats' if key == 'seat' else 'strategies'}")
    claimed = mine[mine.claim]
    text = f"{variant} against {results.compared_with([variant])}: {'; '.join(clauses)}"
    text += f"{undecided(results, claimed, True)}."
    return Finding("variants", text, rows_of(table_name, claimed))


def _shifts(rows: pd.DataFrame, every: pd.Series) -> list[str]:
    """'cat gains 3.1 to 5.2 points with 2 and 3 players (not clear with 4 players)', of one seat or strategy."""
    claimed, clauses = rows[rows.claim], []
    for verb, part in (("gains", claimed[claimed.difference > 0]), ("loses", claimed[claimed.difference < 0])):
        if not part.empty:
            by = span(part.difference.abs() * 100, (part.high - part.low) * 50)
            clauses.append(f"{name_of(part.iloc[0])} {verb} {by} points {with_players(part.players, every)}")
    rest = rows[~rows.claim].players
    if len(rest):
        clauses[-1] += f" (not clear {with_players(rest)})"
    return clauses
