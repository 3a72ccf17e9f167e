"""Intervals and tests that respect blocks.

Games of a block share their deal and their line-up, so only blocks (or sums over several blocks) count as
independent. The queries in `queries/` therefore add each quantity up over such *units* and hand over sums,
sums of squares and sums of products; what is here turns these into estimates. All functions are vectorised:
they take columns of one row a cell and give columns of the same length. What cannot be known (one unit,
nothing counted) is NaN, never an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

LEVEL = 0.95
"""Every interval is a 95 % interval."""
MIN_UNITS = 30
"""Fewer independent units than this support no claim, whatever their interval says."""
MIN_EVENTS = 10
"""Fewer events than this (say, games that got stuck, in both variants together) support no claim."""

_TINY = 1e-11


@dataclass(frozen=True)
class Estimate:
    """Columns of one row a cell: the estimate, its 95 % interval, standard error and degrees of freedom."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    error: np.ndarray
    freedom: np.ndarray


@dataclass(frozen=True)
class Difference(Estimate):
    """An Estimate of variant less baseline, with 1 - Var(d) / (Var(x) + Var(y)), what pairing saved."""

    variance_reduction: np.ndarray


def ratio(
    units: pd.Series,
    total: pd.Series,
    count: pd.Series,
    squares: pd.Series,
    products: pd.Series,
    count_squares: pd.Series,
    repeats: pd.Series | float = 1.0,
) -> Estimate:
    """The ratio sum(y) / sum(n) over units, with the linearised variance of a ratio estimator.

    var = U / (U - 1) * sum((y - r n)^2) / sum(n)^2 over U units, t with U - 1 degrees of freedom (Cochran
    1977, Sampling Techniques, 3rd ed., eq. 6.13; the same as the cluster-robust variance of a mean). With
    equal n it is the t interval of the units' means. `repeats` >= 1 is how often an average unit repeats
    another one: it widens the interval to that of the units that differ (Kish 1965).
    """
    u, y, n = _float(units), _float(total), _float(count)
    yy, yn, nn = _float(squares), _float(products), _float(count_squares)
    with np.errstate(all="ignore"):
        value = np.where(n > 0, y / n, np.nan)
        spread = yy - 2 * value * yn + value**2 * nn
        spread = np.where(spread <= _TINY * yy, 0.0, spread)
        variance = u / (u - 1) * spread / n**2
    return _interval(value, variance, u, _float(repeats))


def paired(sums: pd.DataFrame, repeats: pd.Series | float = 1.0) -> Difference:
    """The difference of two ratios, sum(x) / sum(m) - sum(y) / sum(n), over units measured in both variants.

    `sums` has the columns of the paired queries: units, x, m, y, n and x_x, x_m, ... Each unit's contribution
    is linearised, e = (x - a m) / M - (y - b n) / N, and var = U / (U - 1) * sum(e^2) (Cochran
    1977, sec. 6.17).
    The variance reduction compares it with the two variances that independent samples would have added
    (common random numbers: Glasserman 2003, sec. 4.2).
    """
    s = {
        column: _float(sums[column])
        for column in sums.columns
        if column not in ("variant", "players", "measure") and column not in ("seat", "strategy")
    }
    units = s["units"]
    with np.errstate(all="ignore"):
        a, b = s["x"] / s["m"], s["y"] / s["n"]
        x = (s["x_x"] - 2 * a * s["x_m"] + a**2 * s["m_m"]) / s["m"] ** 2
        y = (s["y_y"] - 2 * b * s["y_n"] + b**2 * s["n_n"]) / s["n"] ** 2
        xy = (s["x_y"] - a * s["m_y"] - b * s["x_n"] + a * b * s["m_n"]) / (s["m"] * s["n"])
        x = np.where(x <= _TINY * s["x_x"] / s["m"] ** 2, 0.0, x)
        y = np.where(y <= _TINY * s["y_y"] / s["n"] ** 2, 0.0, y)
        spread = x + y - 2 * xy
        spread = np.where(spread <= _TINY * (x + y), 0.0, spread)
        variance = units / (units - 1) * spread
        reduction = np.where(x + y > 0, 1 - spread / (x + y), np.nan)
    plain = _interval(a - b, variance, units, _float(repeats))
    return Difference(
        plain.value, plain.low, plain.high, plain.error, plain.freedom,
        np.where(units > 1, reduction, np.nan),
    )  # fmt: skip


def share(estimate: Estimate, units: pd.Series) -> Estimate:
    """The same estimate of a share of games, with an interval fit for rare and for certain events.

    Korn and Graubard (1998): the exact binomial interval (Clopper and Pearson 1934) of as many independent
    games as would have the same variance; when no unit saw the event (or all did), of as many as there are
    units.
    """
    counted = _float(units)
    with np.errstate(all="ignore"):
        p, variance = estimate.value, estimate.error**2
        normal, t = stats.norm.ppf(0.5 + LEVEL / 2), stats.t.ppf(0.5 + LEVEL / 2, estimate.freedom)
        size = np.where(variance > 0, p * (1 - p) / variance * (normal / t) ** 2, counted)
        tail = (1 - LEVEL) / 2
        hits = p * size
        low = np.where(hits > 0, stats.beta.ppf(tail, hits, size - hits + 1), 0.0)
        high = np.where(hits < size, stats.beta.ppf(1 - tail, hits + 1, size - hits), 1.0)
    certain = (variance == 0) & (p > 0) & (p < 1)
    low, high = np.where(certain, p, low), np.where(certain, p, high)
    known = np.isfinite(estimate.error)
    return Estimate(p, np.where(known, low, np.nan), np.where(known, high, np.nan), estimate.error, estimate.freedom)


def p_values(estimate: Estimate) -> np.ndarray:
    """Two-sided p value of each estimate against zero, by t; an estimate without any spread is certain."""
    with np.errstate(all="ignore"):
        p = 2 * stats.t.sf(np.abs(estimate.value) / estimate.error, estimate.freedom)
    p = np.where(estimate.error == 0, np.where(estimate.value == 0, 1.0, 0.0), p)
    return np.where(np.isfinite(estimate.error), p, np.nan)


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """p values corrected for the number of questions asked at once (Holm 1979); NaN stays NaN, uncounted.

    The k-th smallest of m is multiplied by m - k + 1, and none is smaller than one before it. (Written out: what
    statsmodels offers collects garbage at every call, which takes longer than all else here.)
    """
    values = np.asarray(p, float)
    adjusted = np.full(values.shape, np.nan)
    order = np.argsort(values, kind="stable")[: np.isfinite(values).sum()]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted


def claims(estimate: Estimate, enough: pd.Series | np.ndarray | bool = True) -> tuple[np.ndarray, np.ndarray]:
    """(corrected p values, which rows may be claimed): the interval excludes zero and p < 0.05 after Holm's
    correction over all rows, from at least MIN_UNITS independent units, where `enough` says events suffice.
    """
    adjusted = holm(p_values(estimate))
    with np.errstate(all="ignore"):
        clear = (estimate.low > 0) | (estimate.high < 0)
        yes = clear & (adjusted < 1 - LEVEL) & (estimate.freedom >= MIN_UNITS - 1)
    return adjusted, yes & np.asarray(enough, bool)


def quantiles(values: np.ndarray, counts: np.ndarray, at: Sequence[float]) -> list[float]:
    """Quantiles of whole numbers with their counts: the smallest value that a share q does not exceed."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(counts[order])
    if not len(reached) or reached[-1] == 0:
        return [float("nan")] * len(at)
    places = np.searchsorted(reached, np.asarray(at) * reached[-1] - 1e-9)
    return [float(values[order][place]) for place in places]


def _interval(value: np.ndarray, variance: np.ndarray, units: np.ndarray, repeats: np.ndarray) -> Estimate:
    differing = units / np.maximum(repeats, 1.0)
    known = (units > 1) & (differing > 1.5) & np.isfinite(value)
    with np.errstate(all="ignore"):
        error = np.where(known, np.sqrt(np.maximum(variance, 0) * np.maximum(repeats, 1.0)), np.nan)
        freedom = np.where(known, np.maximum(differing - 1, 1.0), np.nan)
        half = stats.t.ppf(0.5 + LEVEL / 2, freedom) * error
    half = np.where(error == 0, 0.0, half)
    return Estimate(value, value - half, value + half, error, freedom)


def _float(values: pd.Series | np.ndarray | float) -> np.ndarray:
    return np.asarray(values, dtype=float)
