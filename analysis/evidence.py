"""What a run says about the quantities that targets bound: estimates, intervals, and p values against any bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from .estimates import WIN, Order, blocks_of, ratio_of, repeats_of, wins_of
from .run_folder import Run
from .seat_gap import seat_gap
from .statistics import LEVEL, Estimate, paired, share
from .targets import Target

UNFINISHED = "unfinished"
_MEASURE = {"ties": "tied"}
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


class Measured:
    """The quantities of a run, one case (variant and player count) at a time."""

    def __init__(self, run: Run, order: Order, cells: pd.DataFrame) -> None:
        self._run, self._order = run, order
        self._cases = dict(list(cells.groupby(["variant", "players"])))
        self._answers: dict[str, dict[Any, pd.DataFrame]] = {}
        self._baseline = str(run.manifest["variants"][0]["name"])
        self._chance = {entry["name"] for entry in run.manifest["strategies"] if float(entry.get("noise") or 0) >= 1}

    def evidence(self, key: str, variant: str, players: int) -> Evidence | None:
        """What is known of the quantity that a target's key names; None where the case has no such quantity."""
        if key.startswith("changes."):
            return self._change(key.removeprefix("changes."), variant, players)
        if key == "seats" or key.startswith("strategies"):
            return self._wins(key, variant, players)
        measure = _MEASURE.get(key, key)
        if key in ("turns", "rounds", "decisions"):
            return self._mean(self._rows("game_length", variant, players, measure))
        if key in ("margin", "spread"):
            return self._mean(self._rows(f"{key}s", variant, players))
        return self._share(self._ended(measure, variant, players))

    def _rows(self, query: str, variant: str, players: int, measure: str = "", **parameters: str) -> pd.DataFrame:
        """The rows of a shipped query that are about one case."""
        key = f"{query} {sorted(parameters.items())}"
        if key not in self._answers:
            table = self._order(self._run.frame(query, **parameters))
            self._answers[key] = {
                case: rows.reset_index(drop=True) for case, rows in table.groupby(["variant", "players"])
            }
            self._answers[key][None] = table[:0]
        table = self._answers[key].get((variant, players), self._answers[key][None])
        return table[table.measure == measure].reset_index(drop=True) if measure else table

    # --- one variant ---

    def _wins(self, key: str, variant: str, players: int) -> Evidence | None:
        who = "seat" if key == "seats" else "strategy"
        table = self._rows(f"{who}_wins", variant, players)
        if key in ("strategies.below", "strategies.viable"):  # playing at random is not meant to win
            table = table[~table.strategy.isin(self._chance)].reset_index(drop=True)
        if len(table) < 2:
            return None
        cells = self._cases[variant, players]
        wins = wins_of(table, cells)
        trials = np.minimum(blocks_of(table, cells), table.decided / WIN)
        part = np.asarray(table.decided / WIN / table.games, float)

        def against(bound: float) -> np.ndarray:
            """Of the share among games that somebody won that comes to so much of all games."""
            with np.errstate(all="ignore"):
                expected = np.clip(1 / players + bound / part, 0, 1)
            found = share(ratio_of(table, "won", cells, "decided"), trials, expected)
            return np.where(clear_of(wins.edge_low, wins.edge_high, bound), found.p, 1.0)

        names = [f"seat {name}" if who == "seat" else str(name) for name in table[who]]
        edge, low, high = (wins[name].to_numpy(float) for name in ("edge", "edge_low", "edge_high"))
        return Evidence(names, edge, low, high, np.asarray(trials, float), cache(against))

    def _mean(self, table: pd.DataFrame) -> Evidence | None:
        if table.empty:
            return None
        cells = self._cases[table.variant[0], table.players[0]]

        def estimate(bound: float) -> Estimate:
            y, n, yn = table.total, table.games, table.total_games
            moved = {"total": y - bound * n, "total_total": table.total_total - 2 * bound * yn
                     + bound**2 * table.games_games, "total_games": yn - bound * table.games_games}  # fmt: skip
            return ratio_of(table.assign(**moved), "total", cells)

        return _evidence(estimate(0.0), lambda bound: estimate(bound).p)

    def _ended(self, measure: str, variant: str, players: int) -> pd.DataFrame:
        """The row of endings.sql of a measure; unfinished games are those that did not end as a win."""
        if measure != UNFINISHED:
            return self._rows("endings", variant, players, measure)
        table = self._rows("endings", variant, players, "win")
        y, n, yn, nn = table.total, table.games, table.total_games, table.games_games
        return table.assign(total=n - y, total_games=nn - yn, total_total=nn - 2 * yn + table.total_total)

    def _share(self, table: pd.DataFrame) -> Evidence:
        cells = self._cases[table.variant[0], table.players[0]]
        blocks, plain = blocks_of(table, cells), ratio_of(table, "total", cells)
        return _evidence(share(plain, blocks), lambda bound: share(plain, blocks, np.clip(bound, 0, 1)).p)

    # --- a variant against the baseline ---

    def _change(self, key: str, variant: str, players: int) -> Evidence | None:
        if variant == self._baseline:
            return None
        same = self._rows("same_games", variant, players, baseline=self._baseline)
        alike = bool((same.games == same.alike).all()) and not same.empty
        if key == "seats":
            return self._gap(variant, players, alike)
        table = self._rows("variant_games", variant, players, _MEASURE.get(key, key), baseline=self._baseline)
        if table.empty:
            return None
        repeats = repeats_of(table, self._cases[variant, players])

        def estimate(bound: float) -> Estimate:
            moved = {"x": table.x - bound * table.m, "x_m": table.x_m - bound * table.m_m,
                     "x_x": table.x_x - 2 * bound * table.x_m + bound**2 * table.m_m,
                     "x_y": table.x_y - bound * table.m_y, "x_n": table.x_n - bound * table.m_n}  # fmt: skip
            return paired(table.assign(**moved), repeats)

        found = paired(table, repeats, alike)
        return _evidence(found, lambda bound: estimate(bound).p, alike and bool((found.low == found.high).all()))

    def _gap(self, variant: str, players: int, alike: bool) -> Evidence | None:
        table = self._run.frame("seat_units", variant=variant, baseline=self._baseline)
        gap = seat_gap(table[table.players == players], float(self._cases[variant, players].repeats.iloc[0]))
        if gap is None:
            return None
        low, high = (0.0, 0.0) if alike else gap.limits
        return Evidence([""], np.array([gap.value]), np.array([low]), np.array([high]), np.array([gap.units]),
                        lambda bound: np.array([gap.against(bound)]), alike)  # fmt: skip


def clear_of(low: pd.Series | np.ndarray, high: pd.Series | np.ndarray, bound: float) -> np.ndarray:
    """Whether an interval excludes a bound."""
    return np.asarray((low > bound) | (high < bound))


def _evidence(found: Estimate, against: Callable[[float], np.ndarray], exact: bool = False) -> Evidence:
    return Evidence([""], found.value, found.low, found.high, found.units, cache(against), exact)
