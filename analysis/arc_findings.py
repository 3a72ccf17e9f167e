"""Sentences on the course of games: what recorded games tell, over all cases that have enough of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from .finding import Finding, cases, rows_of
from .statistics import MIN_UNITS
from .words import exact, span

if TYPE_CHECKING:
    from .tables import Results

_SAID = {
    "lead_changes": ("The lead changes hands {} times a game", 1.0),
    "runaway": ("Who leads alone at half-time goes on to win {} % of games", 100.0),
    "decided": ("By standings alone, a game is decided after {} % of its turns on average", 100.0),
    "options": ("A decision has {} legal actions on average", 1.0),
    "forced": ("{} % of decisions leave no choice", 100.0),
}


def arc_findings(results: Results) -> list[Finding]:
    """A sentence a measure, from a smallest to a largest value where there are several cases."""
    found = []
    for measure, (sentence, scale) in _SAID.items():
        rows = results.arc[(results.arc.measure == measure) & (results.arc.units >= MIN_UNITS)]
        rows = rows[rows.low.notna()]
        if rows.empty:
            continue
        told = span(rows["mean"] * scale, (rows.high - rows.low) / 2 * scale)
        text = f"{sentence.format(told)}{cases(results)}{_beside(measure, results)}."
        if measure == "forced" and not rows["mean"].any():
            text = "Every recorded decision left a choice."
        found.append(Finding("arc", text, rows_of("arc", rows)))
    return found


def _beside(measure: str, results: Results) -> str:
    """What a sentence needs beside its number."""
    if measure == "runaway":
        return f"; somebody leads alone then in {_shares(results.arc[results.arc.measure == 'alone']['mean'])} of them"
    if measure == "decided":
        return f"; {_shares(results.decided.never)} are open until their last turn"
    return ""


def _shares(some: pd.Series) -> str:
    """'40 %', or '40 % to 60 %'."""
    return " to ".join(dict.fromkeys(exact(share) for share in (some.min(), some.max())))
