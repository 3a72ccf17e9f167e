"""Whether a variant widens the gap between seats: the largest distance of a seat's share of wins from a fair one.

The largest of several estimates is biased upwards, the more so the fewer games there are: a fair game shows a gap, too.
So limits of the gap's change never rest on the two largest estimates alone. With d(i, j) the variant's distance of seat
and direction i less the baseline's of j, the change is max over i of min over j of d(i, j); its limits are the same of
the limits of d, each corrected for as many seats and directions as may be the largest (Bonferroni).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from .statistics import LEVEL, chance, reach, unseen


@dataclass(frozen=True)
class SeatGap:
    """differences: (i, j) as above, as shares of games; errors: their standard errors; units: independent ones."""

    differences: np.ndarray
    errors: np.ndarray
    units: float

    @property
    def value(self) -> float:
        return float(self.differences.min(axis=1).max())

    @property
    def limits(self) -> tuple[float, float]:
        """The 95 % interval of the change."""
        half = reach(1 - (1 - LEVEL) / len(self.errors), self.units - 1, self.units) * self.errors
        low, high = (float(ends.min(axis=1).max()) for ends in (self.differences - half, self.differences + half))
        return low, high

    def against(self, bound: float) -> float:
        """The two-sided p value of a change of just `bound`: below 0.05 where the interval excludes it."""
        away = self.differences - bound
        with np.errstate(all="ignore"):
            z = np.nan_to_num(away / self.errors, nan=0.0)
        sided = np.where(z > 0, chance(np.abs(z), self.units - 1, self.units), 1.0)
        above = sided.max(axis=1).min()
        sided = np.where(z < 0, chance(np.abs(z), self.units - 1, self.units), 1.0)
        below = sided.min(axis=1).max()
        return float(min(1.0, len(self.errors) * (above if self.value > bound else below)))


def seat_gap(units: pd.DataFrame, repeats: float = 1.0) -> SeatGap | None:
    """The change of the gap from the rows of seat_units.sql of one player count; None for fewer than two units.

    Shares are ratio estimators, linearised (Cochran 1977, sec. 6.17); where no unit shows a difference, one may yet do
    so (as in statistics.paired). repeats: how often an average unit repeats another one.
    """
    won = {name: units.pivot(index="unit", columns="seat", values=name).to_numpy(float) for name in "xy"}
    games = units.pivot(index="unit", columns="seat", values="games").to_numpy(float)[:, :1] * 2520
    count, seats = won["x"].shape
    if count < 2:
        return None
    shares, residuals = [], []
    for name in "xy":
        share = won[name].sum(axis=0) / games.sum()
        shares.append(share - 1 / seats)
        residuals.append((won[name] - share * games) / games.sum())
    some = slice(0, 1) if seats == 2 else slice(None)  # what one of two wins, the other loses
    edges = [np.concatenate([share[some], -share[some]]) for share in shares]
    x, y = (np.concatenate([part[:, some], -part[:, some]], axis=1) for part in residuals)
    apart = (x**2).sum(axis=0)[:, None] + (y**2).sum(axis=0)[None, :]
    variance = np.maximum(apart - 2 * x.T @ y, 0) * count / (count - 1) * repeats
    unlike = unseen(np.array(count / repeats)) * np.minimum(2 * np.sqrt(count * apart), 1.0)
    errors = np.where(variance > 1e-12 * apart, np.sqrt(variance), unlike / stats.norm.ppf((1 + LEVEL) / 2))
    return SeatGap(edges[0][:, None] - edges[1][None, :], errors, count / repeats)
