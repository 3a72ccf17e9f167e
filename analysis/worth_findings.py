"""Findings on what an action is worth: what a strategy loses that is kept from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from .finding import Finding, rows_of
from .words import some_of, span, with_players

if TYPE_CHECKING:
    from .tables import Results


MOST_NAMED = 4


def worth_findings(results: Results) -> list[Finding]:
    """A sentence for each strategy that others are kept from some actions of, the largest losses first."""
    if results.worth.empty:
        return []
    found = []
    for base, rows in results.worth.groupby("base", sort=False):
        least = rows.groupby("strategy").difference.min().sort_values(kind="stable")
        each = [rows[rows.strategy == strategy] for strategy in least.index]
        sides = [[_clear(results, mine, sign) for mine in each] for sign in (-1, 1)]
        parts = [
            f"{way} {some_of(clear, MOST_NAMED)}"
            for way, side in zip(("less:", "more:"), sides, strict=True)
            if (clear := [text for text in side if text])
        ]
        unclear = [str(mine.strategy.iloc[0]) for mine in each if not mine.claim.any()]
        if unclear:
            parts.append(f"no clear change for {some_of(unclear, MOST_NAMED)}")
        text = f"Kept from some actions, {base} wins {'; '.join(parts)}."
        if len(unclear) == len(each):
            text = f"Kept from some actions, {base} loses nothing clear: {some_of(unclear, MOST_NAMED)}."
        found.append(Finding("worth", text, rows_of("worth", rows), True))
    return found


def _clear(results: Results, mine: pd.DataFrame, sign: int) -> str:
    """'without-peck 2.1 to 3.4 points with 2 and 4 players': what is clear of one strategy in one direction."""
    clear = mine[mine.claim & (sign * mine.difference > 0)]
    if clear.empty:
        return ""
    size = span(clear.difference.abs() * 100, (clear.high - clear.low) * 50)
    if len(clear) == len(mine):
        place = ""
    elif len(results.variants) > 1:
        place = f" in {len(clear)} of {len(mine)} cases"
    else:
        place = f" {with_players(clear.players)}"
    return f"{clear.strategy.iloc[0]} {size} points{place}"
