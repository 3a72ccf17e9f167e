"""The report's beginning: the answer in three sentences, the strip of verdicts, and what else is worth knowing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from flocksim.analysis.robust_words import flips
from flocksim.analysis.rows import highest
from flocksim.analysis.tables import Results
from flocksim.analysis.verdict_words import TARGET, case, measured, still_needed, wanted
from flocksim.analysis.verdict_words import answer as targets_met
from flocksim.analysis.verdicts import HOLDS, OPEN, VIOLATED
from flocksim.analysis.words import count

MARKS = {HOLDS: "✓", VIOLATED: "✗", OPEN: "?"}
"""Said beside the word, so that no colour is needed to tell verdicts apart."""
TOPICS = {
    "worth": "What actions are worth",
    "variants": "What the variants change",
    "seats": "Seats",
    "strategies": "Strategies",
    "solo": "Alone",
    "length": "Length",
    "endings": "Unfinished games",
    "sample": "How sure",
}
MOST_TILES = 12


@dataclass(frozen=True)
class Tile:
    """One target over all its cases, told by the case that decides."""

    verdict: str
    wanted: str
    cases: str
    """'in 2 of 8 cases', and which is shown; before it, where the verdict flips."""
    measured: str
    """Effect and interval of that case."""
    games: str
    scale: Scale | None
    """Where they lie; nothing when nothing was measured."""

    @property
    def mark(self) -> str:
        return MARKS[self.verdict]


@dataclass(frozen=True)
class Scale:
    """Places on a line from 0 to 100: the band of the target, the interval and the effect."""

    least: float
    most: float
    low: float
    high: float
    effect: float


def answer(results: Results) -> list[str]:
    """The answer in at most three sentences: targets, the main finding, and how sure it is."""
    return [text for _, text in _answer(results)]


def brief(results: Results) -> list[tuple[str, list[str]]]:
    """What else is worth knowing: (what it is about, sentences) pairs."""
    told = set(answer(results))
    each = ((label, [text for text in _of(results, topic) if text not in told]) for topic, label in TOPICS.items())
    return [(label, texts) for label, texts in each if texts]


def _answer(results: Results) -> list[tuple[str, str]]:
    said = [] if results.verdicts.empty else [("targets", targets_met(results.verdicts, results.robustness))]
    sample = _of(results, "sample")[-1:]
    for topic in (topic for topic in TOPICS if topic != "sample"):
        said += [(topic, text) for text in _of(results, topic)[:1] if len(said) < 3 - len(sample)]
    return said + [("sample", text) for text in sample]


def _of(results: Results, topic: str) -> list[str]:
    return [entry.text for entry in results.findings if entry.topic == topic and entry.summary]


def tiles(results: Results) -> tuple[list[Tile], int]:
    """A tile a target, violated ones first, and how many more hold or are open that have none."""
    again = {key: flips(rows) for key, rows in results.robustness.groupby(TARGET, sort=False)}
    made = [_tile(rows, again.get(key, "")) for key, rows in results.verdicts.groupby(TARGET, sort=False)]
    order = (VIOLATED, OPEN, HOLDS)
    made.sort(key=lambda tile: order.index(tile.verdict))
    return made[:MOST_TILES], len(made[MOST_TILES:])


def _tile(rows: pd.DataFrame, flipped: str) -> Tile:
    verdict = next(word for word in (VIOLATED, OPEN, HOLDS) if (rows.verdict == word).any())
    mine = rows[rows.verdict == verdict]
    beyond = pd.concat([mine.effect - mine.most, mine.least - mine.effect], axis=1).max(axis=1, skipna=False)
    row = {str(key): value for key, value in highest(mine, beyond.fillna(-np.inf)).items()}
    where = f"in {len(mine)} of {count(len(rows), 'case')}" if len(rows) > len(mine) else f"in {_all(len(rows))}"
    which = "" if len(mine) == 1 else "nearest to a bound: " if verdict == HOLDS else "farthest out: "
    shown = f"in {case(row)}" if len(rows) == 1 else f"{where}; {which}{case(row)}"
    shown = f"{flipped}; {shown}" if flipped else shown
    games = count(int(row["games"]), "game")
    more = f"; {still_needed(mine)}" if verdict == OPEN else ""
    return Tile(verdict, wanted(row), shown, measured(row), games + more, _scale(row))


def _all(cases: int) -> str:
    return "both cases" if cases == 2 else f"all {cases} cases"


def _scale(row: dict[str, Any]) -> Scale | None:
    effect, low, high = (float(row[name]) for name in ("effect", "low", "high"))
    if not np.isfinite([effect, low, high]).all():
        return None
    ends = [end for end in (row["least"], row["most"]) if np.isfinite(end)]
    left, right = min(low, *ends, effect), max(high, *ends, effect)
    room = (right - left) * 0.12 or 1.0
    left, right = left - room, right + room

    def at(value: float) -> float:
        return round(float(np.clip((value - left) / (right - left), 0, 1)) * 100, 2)

    return Scale(*(at(float(row[name])) for name in ("least", "most", "low", "high", "effect")))
