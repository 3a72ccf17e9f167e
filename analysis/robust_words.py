"""In how many populations verdicts hold, in words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .populations import played_by
from .rows import records
from .verdicts import HOLDS, OPEN, VIOLATED
from .words import count, listed, with_players

FEW = 3
"""So many populations in which a verdict flips are named; of more, the first."""
_SAME = {HOLDS: "holds", VIOLATED: "violated"}
_PLURAL = {"holds": "hold"}


def flips(rows: pd.DataFrame) -> str:
    """'flips without rusher and at expert': where a target is decided the other way; '' for nowhere.

    rows: those of a robustness table that are about one target.
    """
    flipped = rows[rows.flips]
    if flipped.empty:
        return ""
    cases = len(rows[["rules", "players"]].drop_duplicates())
    groups = [part for _, part in flipped.groupby(["population", "without"], sort=False)]
    told = [f"{_who(part)}{_where(part) if cases > 1 else ''}" for part in groups[:FEW]]
    rest = [f"in {len(groups) - FEW} more"] if len(groups) > FEW else []
    return f"flips {listed([*told, *rest])}"


def held(rows: pd.DataFrame) -> str:
    """'holds in 6 of 8 populations, flips without rusher, not enough games in 1'; '' where nothing was decided.

    A population agrees where it decides every case as the first that decides did, as far as that was decided at all.
    """
    keys = ["rules", "players"]
    whole = rows[(rows.without == "") & (rows.verdict != OPEN)]
    decided = whole.drop_duplicates(keys)
    groups = rows.merge(decided[keys]).groupby(["population", "without"], sort=False)
    if decided.empty or len(groups) < 2:
        return ""
    flip = sum(part.flips.any() for _, part in groups)
    few = sum(not part.flips.any() and bool((part.verdict == OPEN).any()) for _, part in groups)
    same, of = len(groups) - flip - few, len(groups)
    first = played_by(str(decided.population.iloc[0])) if decided.population.nunique() == 1 else ""
    same_as = f"the same as {first}" if first else "the same"
    word = _SAME[decided.verdict.iloc[0]] if decided.verdict.nunique() == 1 else same_as
    if len(decided) < len(rows[keys].drop_duplicates()):
        word = f"its decided cases {_PLURAL.get(word, f'are {word}')}"
    agree = f"{word} in {f'{same} of {of}' if same < of else f'all {of}'} populations"
    return ", ".join(part for part in (agree, flips(rows), f"not enough games in {few}" if few else "") if part)


def flipping(table: pd.DataFrame) -> str:
    """How many targets flip somewhere, as a sentence; '' for none, and where there is only one population."""
    found = [rows for _, rows in table.groupby(["target", "least", "most", "need"], sort=False) if rows.flips.any()]
    if not found:
        return ""
    return f"{count(len(found), 'verdict')} {'flips' if len(found) == 1 else 'flip'} when others play."


def _who(rows: pd.DataFrame) -> str:
    row: dict[str, Any] = records(rows)[0]
    if row["without"]:
        return f"without {row['without']}"
    return played_by(str(row["population"]))


def _where(rows: pd.DataFrame) -> str:
    """' (quick with 2 players)'"""
    cases = [f"{row['rules']} {with_players([row['players']])}" for row in records(rows)]
    return f" ({listed(cases[:FEW])}{' and more' if len(cases) > FEW else ''})"
