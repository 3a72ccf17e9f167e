"""How far a study can be trusted: how many games, how sure, and whether they repeat one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from .rows import highest
from .statistics import REPEATING
from .verdict_words import TARGET
from .verdicts import OPEN
from .words import count, points, span

if TYPE_CHECKING:
    from .tables import Results

Said = list[tuple[str, tuple[tuple[str, int], ...]]]
"""Sentences with the rows they rest on."""


def repetition(results: Results) -> Said:
    """Warnings when games repeat one another, one for each of the ways in which they may."""
    cells = results.cells
    blocks_repeat = cells.effective_blocks < REPEATING * cells.blocks
    said = (
        (
            cells.fixed,
            "The sample is smaller than it looks: {}. Blocks with the same line-up always went the same way, so "
            "nothing but the line-up seems left to chance, and blocks that are alike count as one in the intervals.",
        ),
        (
            cells.repeating & ~cells.fixed & blocks_repeat,
            "Games repeat one another: {}. Blocks with the same line-up do go different ways, so these are repeats by "
            "chance, as games with few possible courses have them; every block counts.",
        ),
        (
            cells.repeating & ~blocks_repeat,
            "Games repeat one another: {}. They do so within blocks; whole blocks do not repeat, so intervals hold.",
        ),
    )
    return [(text.format(_different(cells[rows])), _rows(cells[rows])) for rows, text in said if rows.any()]


def _different(rows: pd.DataFrame) -> str:
    games, different = int(rows.looked_at.sum()), int(rows.distinct_games.sum())
    return (
        f"among {count(games, 'game')} in {count(len(rows), 'case')} there "
        f"{'is' if different == 1 else 'are'} only {count(different, 'different one')}"
    )


def _rows(cells: pd.DataFrame) -> tuple[tuple[str, int], ...]:
    return tuple(("cells", int(place)) for place in cells.index)


def precision(results: Results) -> Said:
    """How many games there are, how sure shares are, and what pairing saved."""
    cells = results.cells
    total, cases = int(cells.games.sum()), len(cells)
    text = f"This rests on {count(total, 'game')}"
    if cases > 1:
        least, most = int(cells.games.min()), int(cells.games.max())
        each = f"about {least:,}" if least < most <= 1.01 * least else f"{least:,} to {most:,}"
        text += f" in {cases} cases, {f'{least:,}' if least == most else each} each"
    rows = _rows(cells)
    known = results.seats[results.seats.low.notna()]
    if not known.empty:
        widest = highest(known, known.high - known.low)
        half = float(widest.high - widest.low) / 2
        text += f"; a seat's win share is known to ±{points(half, half)} points or better (95 % intervals)"
        rows += (("seats", int(widest.name)),)
    return [(f"{text}.", rows)]


def stopping(results: Results) -> str:
    """How to read the intervals of a run that stopped when sure, or nothing."""
    stop = results.manifest.get("stop")
    if not stop:
        return ""
    return (
        f"This study looks at its targets after every batch, {count(stop['batches'], 'batch', 'batches')} so far, and "
        f"stops when all are decided, or at {count(stop['at_most'], 'game')} a case. Its intervals are confidence "
        "sequences: wider than fixed ones, and good however often one looks and whenever one stops."
    )


def limit_reached(results: Results) -> str:
    """That a run that stops when sure came to its limit with targets open, or nothing."""
    stop, table = results.manifest.get("stop"), results.verdicts
    if not stop or not results.manifest["complete"] or table.empty:
        return ""
    open_ = len(table[table.verdict == OPEN][TARGET].drop_duplicates())
    if not open_ or int(results.cells.games.min()) < stop["at_most"]:
        return ""
    verb = "was" if open_ == 1 else "were"
    return (
        f"Play ended at the study's limit of {count(stop['at_most'], 'game')} a case (stop: at_most) before every "
        f"target was decided: {count(open_, 'target')} {verb} still open."
    )


def pairing(results: Results) -> str:
    """One line on what comparing deal by deal saved, or nothing."""
    rows = results.variant_measures[results.variant_measures.measure == "turns"]
    saved = rows.variance_reduction.dropna()
    if saved.empty:
        return ""
    return (
        "Variants are compared deal by deal (the same shuffles and line-ups in each). For the length of games this "
        f"saved {span(saved * 100, [10.0])} % of the variance of comparing games dealt independently."
    )
