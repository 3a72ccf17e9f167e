"""What a run says about the quantities that targets bound: estimates, intervals, and p values against any bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .estimates import HALF, WIN, Order, blocks_of, ratio_of, repeats_of, shares_of, wins_of
from .populations import baselines
from .run_folder import Run
from .seat_gap import seat_gap
from .statistics import LEVEL, Estimate, paired, share
from .targets import COURSE, Target

UNFINISHED = "unfinished"
_MEASURE = {"ties": "tied"}
_MEANS_OF = {"margin": "margins", "spread": "spreads", "lead_changes": "lead_changes"}
"""Averages that have a query of their own."""
_NORMAL = stats.norm.ppf((1 + LEVEL) / 2)


@dataclass(frozen=True)
class Evidence:
    """What is known of one quantity, of each of the seats or strategies that it is about.

    who: their names, '' for the game itself. against: two-sided p values against a bound. exact: nothing is left to
    chance, because both variants' games are the same, move for move.
    """

    who: list[str]
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    units: np.ndarray
    against: Callable[[float], np.ndarray]
    exact: bool = False

    @property
    def errors(self) -> np.ndarray:
        """Standard errors as the intervals have them."""
        return (self.high - self.low) / (2 * _NORMAL)

    def inside(self, target: Target) -> np.ndarray:
        """p values of lying within a target's bounds: small when that is sure."""
        if self.exact:
            return np.where((self.value >= target.least) & (self.value <= target.most), 0.0, 1.0)
        return np.maximum(self._beyond(target.least, 1), self._beyond(target.most, -1))

    def outside(self, target: Target) -> np.ndarray:
        """p values of lying outside the bounds."""
        if self.exact:
            return 1 - self.inside(target)
        return np.minimum(self._beyond(target.least, -1), self._beyond(target.most, 1))

    def _beyond(self, bound: float, way: int) -> np.ndarray:
        """p values of lying above (way 1) or below (way -1) a bound."""
        if np.isinf(bound):
            return np.full(len(self.value), 0.0 if way * bound < 0 else 1.0)
        return np.where(way * (self.value - bound) > 0, self.against(bound), 1.0)


@dataclass(frozen=True)
class _Column:
    """One quantity in all cases of a run: a query's rows, their estimates, and p values of them all against a bound."""

    rows: pd.DataFrame
    who: list[str]
    found: Estimate
    against: Callable[[float], np.ndarray]
    exact: np.ndarray
    places: dict[Any, np.ndarray]

    @classmethod
    def of(
        cls, rows: pd.DataFrame, who: list[str], found: Estimate, against: Callable[[float], np.ndarray],
        exact: np.ndarray | None = None,
    ) -> _Column:  # fmt: skip
        cases = rows.groupby(["variant", "players"]).indices.items()
        places = {case: np.asarray(at) for case, at in cases}
        return cls(rows, who, found, cache(against), np.zeros(len(rows), bool) if exact is None else exact, places)

    def case(self, variant: str, players: int) -> Evidence | None:
        """The evidence of one case; None when it has no such quantity."""
        at = self.places.get((variant, players), np.array([], int))
        if not len(at):
            return None
        found = self.found
        return Evidence([self.who[place] for place in at], found.value[at], found.low[at], found.high[at],
                        found.units[at], lambda bound: self.against(bound)[at], bool(self.exact[at].all()))  # fmt: skip


class Measured:
    """The quantities of a run; each is estimated once, for all of its cases (variant and player count)."""

    def __init__(self, run: Run, order: Order, cells: pd.DataFrame) -> None:
        self._run, self._order, self._cells = run, order, cells
        self._baselines = baselines(run.manifest)
        self._chance = {entry["name"] for entry in run.manifest["strategies"] if float(entry.get("noise") or 0) >= 1}
        self._columns: dict[str, _Column] = {}
        self._gaps: dict[Any, pd.DataFrame] = {}

    def evidence(self, key: str, variant: str, players: int) -> Evidence | None:
        """What is known of the quantity that a target's key names; None where the case has no such quantity."""
        if key == "changes.seats":
            return self._gap(variant, players)
        if key not in self._columns:
            self._columns[key] = self._column(key)
        found = self._columns[key].case(variant, players)
        return None if found is None or (len(found.who) == 1 and found.who[0]) else found  # nobody to compare with

    def recorded(self, variant: str, players: int) -> int:
        """Of how many games of a case the course is recorded."""
        table = self._run.frame("lead_changes")
        return int(table[(table.variant == variant) & (table.players == players)].games.sum())

    def _column(self, key: str) -> _Column:
        kind, _, name = key.rpartition(".")
        if kind == "changes":
            return self._change(_MEASURE.get(name, name))
        if key == "seats" or kind == "strategies":
            return self._wins(key)
        if key in ("turns", "rounds", "decisions"):
            return self._mean(self._rows("game_length", key))
        if key in _MEANS_OF:
            return self._mean(self._rows(_MEANS_OF[key]))
        if key == "runaway":
            return self._runaway()
        return self._share(self._ended(_MEASURE.get(key, key)))

    def _rows(self, query: str, measure: str = "") -> pd.DataFrame:
        table = self._run.frame(query)
        return self._order(table[table.measure == measure] if measure else table)

    # --- one variant ---

    def _wins(self, key: str) -> _Column:
        who = "seat" if key == "seats" else "strategy"
        table = self._run.frame(f"{who}_wins")
        table = table[table.players > 1]
        if key in ("strategies.below", "strategies.viable"):  # playing at random is not meant to win
            table = table[~table.strategy.isin(self._chance)]
        table = self._order(table)
        wins = wins_of(table, self._cells)
        trials = np.minimum(blocks_of(table, self._cells), table.decided / WIN)
        fair, part = 1 / table.players, np.asarray(table.decided / WIN / table.games, float)

        def against(bound: float) -> np.ndarray:
            """Of the share among games that somebody won that comes to so much of all games."""
            with np.errstate(all="ignore"):
                expected = np.clip(fair + bound / part, 0, 1)
            found = share(ratio_of(table, "won", self._cells, "decided"), trials, expected)
            return np.where(clear_of(wins.edge_low, wins.edge_high, bound), found.p, 1.0)

        names = [f"seat {name}" if who == "seat" else str(name) for name in table[who]]
        edge, low, high = (wins[name].to_numpy(float) for name in ("edge", "edge_low", "edge_high"))
        unknown = np.full(len(edge), np.nan)
        return _Column.of(table, names, Estimate(edge, low, high, unknown, np.asarray(trials, float), unknown), against)

    def _mean(self, table: pd.DataFrame) -> _Column:
        def estimate(bound: float) -> Estimate:
            y, n, yn = table.total, table.games, table.total_games
            moved = {"total": y - bound * n, "total_total": table.total_total - 2 * bound * yn
                     + bound**2 * table.games_games, "total_games": yn - bound * table.games_games}  # fmt: skip
            return ratio_of(table.assign(**moved), "total", self._cells)

        return _Column.of(table, [""] * len(table), estimate(0.0), lambda bound: estimate(bound).p)

    def _ended(self, measure: str) -> pd.DataFrame:
        """The rows of endings.sql of a measure; unfinished games are those that did not end as a win."""
        if measure != UNFINISHED:
            return self._rows("endings", measure)
        table = self._rows("endings", "win")
        y, n, yn, nn = table.total, table.games, table.total_games, table.games_games
        return table.assign(total=n - y, total_games=nn - yn, total_total=nn - 2 * yn + table.total_total)

    def _share(self, table: pd.DataFrame) -> _Column:
        blocks, plain = blocks_of(table, self._cells), ratio_of(table, "total", self._cells)
        return _Column.of(table, [""] * len(table), share(plain, blocks),
                          lambda bound: share(plain, blocks, np.clip(bound, 0, 1)).p)  # fmt: skip

    def _runaway(self) -> _Column:
        """The win share of who leads alone at half-time."""
        table = self._run.frame("arc_curve", tenths=[HALF])
        table = self._order(table[table.measure == "runaway"])

        def estimate(bound: float = np.nan) -> Estimate:
            return shares_of(table, self._cells, WIN, np.clip(bound, 0, 1))

        return _Column.of(table, [""] * len(table), estimate(), lambda bound: estimate(bound).p)

    # --- a variant against the baseline ---

    def _change(self, measure: str) -> _Column:
        table = self._rows("variant_course" if measure in COURSE else "variant_games", measure)
        most = WIN if measure == "runaway" else 1
        repeats = repeats_of(table, self._cells)
        alike = np.array([self._alike(variant, players)
                          for variant, players in zip(table.variant, table.players, strict=True)], bool)  # fmt: skip

        def estimate(bound: float) -> Estimate:
            bound *= most
            moved = {"x": table.x - bound * table.m, "x_m": table.x_m - bound * table.m_m,
                     "x_x": table.x_x - 2 * bound * table.x_m + bound**2 * table.m_m,
                     "x_y": table.x_y - bound * table.m_y, "x_n": table.x_n - bound * table.m_n}  # fmt: skip
            return paired(table.assign(**moved), repeats, most=most)

        found = paired(table, repeats, alike, most)
        exact = alike & (found.low == found.high)
        return _Column.of(table, [""] * len(table), found, lambda bound: estimate(bound).p, exact)

    def _alike(self, variant: str, players: int) -> bool:
        """Whether every game of a case is the baseline's, move for move."""
        same = self._run.frame("same_games")
        same = same[(same.variant == variant) & (same.players == players)]
        return bool((same.games == same.alike).all()) and not same.empty

    def _gap(self, variant: str, players: int) -> Evidence | None:
        if variant == self._baselines[variant]:
            return None
        if not self._gaps:
            self._gaps = dict(iter(self._run.frame("seat_units").groupby(["variant", "players"])))
        table = self._gaps.get((variant, players))
        if table is None:
            return None
        cell = self._cells[(self._cells.variant == variant) & (self._cells.players == players)]
        gap = seat_gap(table, float(cell.repeats.iloc[0]))
        if gap is None:
            return None
        alike = self._alike(variant, players)
        low, high = (0.0, 0.0) if alike else gap.limits
        return Evidence([""], np.array([gap.value]), np.array([low]), np.array([high]), np.array([gap.units]),
                        lambda bound: np.array([gap.against(bound)]), alike)  # fmt: skip


def clear_of(low: pd.Series | np.ndarray, high: pd.Series | np.ndarray, bound: float) -> np.ndarray:
    """Whether an interval excludes a bound."""
    return np.asarray((low > bound) | (high < bound))
