"""Whether a run meets its targets: *holds*, *violated*, or *not enough games* and about how many more.

A quantity lies within its bounds when two one-sided tests say so (Schuirmann 1987, equivalence), and outside when a
one-sided test against an end does. p values are two-sided ones, so that a verdict on one quantity goes with its 95 %
interval: all of it inside, or all of it outside. Where k of n seats or strategies have to lie within, they do when the
partial conjunction of their tests says so (Benjamini and Heller 2008): for all of them an intersection-union test
(Berger 1982), and for any of them outside Bonferroni's. Every row either holds or does not, so it has one p value; Holm
(1979) corrects those over all rows, so that at most one of 20 runs has a wrong verdict in it (directions included:
Shaffer 1980). Player counts and variants are rows of their own and are never pooled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .estimates import Order, cells_of
from .evidence import Evidence, Measured
from .populations import rules_name
from .rows import records
from .run_folder import Run, load
from .sequences import sequential
from .statistics import LEVEL, MIN_UNITS, holm, reach
from .targets import Target, Targets, read_targets

HOLDS, VIOLATED, OPEN = "holds", "violated", "not enough games"
COLUMNS = (
    *("target", "variant", "players", "who", "effect", "low", "high", "least", "most", "need", "by_chance", "p"),
    *("verdict", "games", "more", "undecided"),
)
POWER = 0.8
"""How likely so many more games decide a target, if the effect is what it seems to be."""
MOST_MORE = 10**9
"""More games than this are as good as endless: the quantity sits on its bound."""


def verdicts(run: Run, targets: Targets | None = None) -> pd.DataFrame:
    """The verdict table of a run, a row a target, variant and player count, in that order of variants and counts.

    target, variant, players; who: the seat or strategy that decides; effect, low, high: its 95 % interval taken alone;
    least, most: the bounds; need: how many have to lie within, 0: all; by_chance: what the effect would be expected to
    be if all seats (or strategies) were alike, where it is the largest of several; p (Holm over all rows); verdict;
    games: of the case, recorded ones of targets on the course of games; more: how many more of them would decide, about
    (inf: endless); undecided: the share of games that nobody won, which count as shared evenly.
    targets: those in the manifest's config if not given.
    """
    with sequential(run.sequential):
        return _verdicts(run, targets or targets_of(run.manifest))


def all_decided(folder: Path) -> bool:
    """Whether every target of a run folder is decided."""
    with load(folder) as run:
        return not (verdicts(run).verdict == OPEN).any()


def _verdicts(run: Run, targets: Targets) -> pd.DataFrame:
    return table_of(rows_of(run, targets))


def rows_of(run: Run, targets: Targets) -> list[Row]:
    """A row a target and case, each by itself."""
    order = Order(run.manifest)
    cells = cells_of(run, order)
    measured = Measured(run, order, cells)
    rows = []
    for cell in records(cells):
        for target in targets.of(cell["variant"], int(cell["players"])):
            evidence = measured.evidence(target.key, cell["variant"], int(cell["players"]))
            if evidence is not None:
                rows.append(_judged(target, _counted(target, cell, measured), evidence))
    return rows


def _counted(target: Target, cell: dict[str, Any], measured: Measured) -> dict[str, Any]:
    """A case with the number of games that the target is judged by."""
    if not target.is_of_course:
        return cell
    return cell | {"games": measured.recorded(cell["variant"], int(cell["players"]))}


def table_of(rows: list[Row]) -> pd.DataFrame:
    """The verdict table of rows that are asked about at once."""
    adjusted = holm(np.array([row.p for row in rows]))
    rows_open = int((~(adjusted < 1 - LEVEL)).sum())
    told = [row.columns(p, rows_open) for row, p in zip(rows, adjusted, strict=True)]
    return pd.DataFrame(told, columns=list(COLUMNS))


def targets_of(manifest: dict[str, Any]) -> Targets:
    """The targets that the config in a manifest states."""
    rules = {entry["name"]: rules_name(entry) for entry in manifest["variants"]}
    targets = manifest["config"].get("targets")
    return read_targets(targets, list(rules), manifest["players"], len(manifest["strategies"]), rules)


def status(table: pd.DataFrame) -> str:
    """The verdict on a whole run: one violated target violates it, one open one leaves it open."""
    return next((word for word in (VIOLATED, OPEN) if (table.verdict == word).any()), HOLDS)


def partial_conjunction(inside: np.ndarray, outside: np.ndarray, need: int) -> tuple[float, float]:
    """p values of at least `need` of n lying inside, and of fewer, from the n's own (Benjamini and Heller 2008)."""
    n = len(inside)
    holds = (n - need + 1) * np.sort(inside)[need - 1]
    broken = need * np.sort(outside)[n - need]
    return min(1.0, float(holds)), min(1.0, float(broken))


@dataclass(frozen=True)
class Row:
    """A target in one case: the evidence, and p values of its holding and of its not holding."""

    target: Target
    cell: dict[str, Any]
    evidence: Evidence
    holds: float
    broken: float

    @property
    def p(self) -> float:
        known = np.isfinite(self.evidence.value).all() and self.evidence.units.min() >= MIN_UNITS
        return min(self.holds, self.broken) if known else np.nan

    @property
    def need(self) -> int:
        return self.target.need or len(self.evidence.who)

    def columns(self, p: float, rows_open: int) -> list[Any]:
        known, target = self.evidence, self.target
        verdict = OPEN if not p < 1 - LEVEL else HOLDS if self.holds <= self.broken else VIOLATED
        at = int(np.argsort(self._excess(), kind="stable")[min(self.need, len(known.who)) - 1])
        return [
            target.key, self.cell["variant"], int(self.cell["players"]), known.who[at],
            known.value[at], known.low[at], known.high[at], target.least, target.most, target.need,
            self._by_chance(), p, verdict, int(self.cell["games"]),
            self._more(at, rows_open) if verdict == OPEN else 0.0, self.cell["undecided"],
        ]  # fmt: skip

    def _excess(self) -> np.ndarray:
        """By how much each lies beyond the nearer bound; below 0 inside."""
        value = np.nan_to_num(self.evidence.value)
        return np.maximum(value - self.target.most, self.target.least - value)

    def _by_chance(self) -> float:
        """What the largest of several would be expected to be if all of them were at their fair share."""
        n = len(self.evidence.who)
        if n < 2 or self.need < n:
            return np.nan
        both = np.isfinite(self.target.least) and np.isfinite(self.target.most)
        way = -1 if np.isinf(self.target.most) else 1
        return float(way * _largest_by_chance(n, both) * self.evidence.errors.mean())

    def _more(self, at: int, rows_open: int) -> float:
        """How many more games would decide with POWER, if the estimates are right: errors shrink with their root."""
        units, excess = self.evidence.units, self._excess()
        level = 1 - (1 - LEVEL) / max(rows_open, 1)
        if not np.isfinite(self.evidence.value).all():
            return np.nan
        steps = reach(level, np.inf, units) + stats.norm.ppf(POWER)
        with np.errstate(all="ignore"):
            times = np.where(excess == 0, np.inf, (self.evidence.errors * steps / np.abs(excess)) ** 2)
        inside = excess[at] <= 0
        some = np.sort(times[(excess <= 0) == inside])
        factor = some[min(self.need if inside else len(excess) - self.need + 1, len(some)) - 1]
        factor = max(factor, 1.1, 1.1 * MIN_UNITS / max(units.min(), 1.0))
        more = self.cell["games"] * (factor - 1)
        return float(more) if more <= MOST_MORE else np.inf


def _judged(target: Target, cell: dict[str, Any], evidence: Evidence) -> Row:
    inside, outside = evidence.inside(target), evidence.outside(target)
    need = target.need or len(evidence.who)
    if target.key == "seats" and len(inside) == 2:  # one question: what one of two wins, the other loses
        return Row(target, cell, evidence, float(inside.max()), float(outside.max()))
    p = partial_conjunction(inside, outside, need) if need <= len(evidence.who) else (1.0, 1.0)
    return Row(target, cell, evidence, *p)


@cache
def _largest_by_chance(n: int, both: bool) -> float:
    """The expected largest of n estimates that add up to zero, in standard errors; with `both`, of their sizes."""
    draws = np.random.default_rng(0).standard_normal((40_000, n))
    draws = (draws - draws.mean(axis=1, keepdims=True)) * np.sqrt(n / (n - 1))
    return float((np.abs(draws) if both else draws).max(axis=1).mean())
