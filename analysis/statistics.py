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

from . import sequences

LEVEL = 0.95
"""Every interval is a 95 % interval."""
MIN_UNITS = 30
"""Fewer independent units than this support no claim, whatever their interval says."""
MIN_EVENTS = 10
"""Fewer events than this (say, games that got stuck, in both variants together) support no claim."""
MIN_PAIRS = 100
"""From fewer units the variance that pairing saved is not known well enough to be shown."""
REPEATING = 0.95
"""Fewer effective games than this share of all games, and games are said to repeat one another."""

_TINY = 1e-11
_TAIL = (1 - LEVEL) / 2
_NORMAL = stats.norm.ppf(1 - _TAIL)


@dataclass(frozen=True)
class Estimate:
    """Columns of one row a cell: the estimate, its 95 % interval, standard error, the independent units it rests
    on (repeats left out) and the two-sided p value that belongs to the interval.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    error: np.ndarray
    units: np.ndarray
    p: np.ndarray


@dataclass(frozen=True)
class Difference(Estimate):
    """An Estimate of variant less baseline; `relative`, the same as a share of the baseline, with its interval; and
    1 - Var(d) / (Var(x) + Var(y)), what pairing saved.
    """

    relative: np.ndarray
    relative_low: np.ndarray
    relative_high: np.ndarray
    variance_reduction: np.ndarray


def ratio(
    units: pd.Series,
    total: pd.Series,
    count: pd.Series,
    squares: pd.Series,
    products: pd.Series,
    count_squares: pd.Series,
    repeats: pd.Series | float = 1.0,
    differing: pd.Series | float = np.inf,
) -> Estimate:
    """The ratio sum(y) / sum(n) over units, with the linearised variance of a ratio estimator.

    var = U / (U - 1) * sum((y - r n)^2) / sum(n)^2 over U units (Cochran 1977, Sampling Techniques, 3rd ed.,
    eq. 6.13; the same as the cluster-robust variance of a mean). With equal n it is the t interval of the units'
    means. `repeats` >= 1 is how often an average unit repeats another one: it widens the interval to that of the
    units that differ (Kish 1965). `differing` counts the units that do not show the commonest value (see _interval).
    """
    u, y, n = _float(units), _float(total), _float(count)
    yy, yn, nn = _float(squares), _float(products), _float(count_squares)
    with np.errstate(all="ignore"):
        value = np.where(n > 0, y / n, np.nan)
        spread = yy - 2 * value * yn + value**2 * nn
        spread = np.where(spread <= _TINY * yy, 0.0, spread)
        variance = u / (u - 1) * spread / n**2
    return _interval(value, variance, u, _float(repeats), _float(differing), np.abs(value))


def paired(
    sums: pd.DataFrame, repeats: pd.Series | float = 1.0, alike: np.ndarray | bool = False, most: float = 1.0
) -> Difference:
    """The difference of two ratios, sum(x) / sum(m) - sum(y) / sum(n), over units measured in both variants.

    `sums` has the columns of the paired queries: units, differing, x, m, y, n and x_x, x_m, ... Each unit's
    contribution is linearised, e = (x - a m) / M - (y - b n) / N, and var = U / (U - 1) * sum(e^2) (Cochran
    1977, sec. 6.17). The relative change a / b - 1 has the interval of the logarithm of a / b by the delta method.
    The variance reduction compares with the two variances that independent samples would have added (common
    random numbers: Glasserman 2003, sec. 4.2); it is NaN for fewer than MIN_PAIRS units.

    Rows that are `alike` compare games that are the same move for move: no difference there is none at all, and
    its interval has no width. `most` is one whole event of a game on the scale of x (2520 for wins).
    """
    s = {column: _float(sums[column]) for column in sums.columns if not _is_key(column)}
    units, repeated = s["units"], _float(repeats)
    with np.errstate(all="ignore"):
        a, b = s["x"] / s["m"], s["y"] / s["n"]
        x, y, xy = _variances(s, a, b)
        variance = units / (units - 1) * _less(x, y, xy)
        reduction = np.where((x + y > 0) & (units >= MIN_PAIRS), 1 - _less(x, y, xy) / (x + y), np.nan)
        deviation = 2 * np.sqrt(units * (x + y)) / most
        logs = (x / a**2, y / b**2, xy / (a * b))
    plain = _interval((a - b) / most, variance / most**2, units, repeated, s["differing"], deviation)
    flat = (plain.error == 0) & (plain.value == 0) & alike
    plain = Estimate(
        plain.value, np.where(flat, 0.0, plain.low), np.where(flat, 0.0, plain.high), plain.error, plain.units,
        np.where(flat, 1.0, plain.p),
    )  # fmt: skip
    relative = _relative(plain, b / most, logs, s["differing"], repeated)
    return Difference(
        plain.value, plain.low, plain.high, plain.error, plain.units, plain.p, *relative, variance_reduction=reduction
    )


def _is_key(column: str) -> bool:
    return column in ("variant", "players", "measure", "seat", "strategy", "counter")


def _variances(s: dict[str, np.ndarray], a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The linearised variances of two ratios and their covariance, U / (U - 1) left out."""
    x = (s["x_x"] - 2 * a * s["x_m"] + a**2 * s["m_m"]) / s["m"] ** 2
    y = (s["y_y"] - 2 * b * s["y_n"] + b**2 * s["n_n"]) / s["n"] ** 2
    xy = (s["x_y"] - a * s["m_y"] - b * s["x_n"] + a * b * s["m_n"]) / (s["m"] * s["n"])
    x = np.where(x <= _TINY * s["x_x"] / s["m"] ** 2, 0.0, x)
    y = np.where(y <= _TINY * s["y_y"] / s["n"] ** 2, 0.0, y)
    return x, y, xy


def _less(x: np.ndarray, y: np.ndarray, xy: np.ndarray) -> np.ndarray:
    """Var(X - Y), free of rounding's leftovers."""
    spread = x + y - 2 * xy
    return np.where(spread <= _TINY * (x + y), 0.0, spread)


def _relative(
    plain: Estimate, baseline: np.ndarray, logs: tuple[np.ndarray, np.ndarray, np.ndarray], differing: np.ndarray,
    repeats: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The relative change and its limits: of the logarithm, or, where that does not vary, of the difference."""
    with np.errstate(all="ignore"):
        units = plain.units * np.maximum(repeats, 1.0)
        error = np.sqrt(units / (units - 1) * np.maximum(_less(*logs), 0) * np.maximum(repeats, 1.0))
        half = reach(LEVEL, _freedom(plain.units, differing, repeats), plain.units) * error
        quotient = 1 + plain.value / baseline
        positive = (quotient > 0) & (baseline > 0)
        value = np.where(positive, quotient - 1, np.nan)
        low, high = (
            np.where((error > 0) & (plain.error > 0), quotient * np.exp(sign * half) - 1, limit / baseline)
            for sign, limit in ((-1, plain.low), (1, plain.high))
        )
    return value, np.where(positive, low, np.nan), np.where(positive, high, np.nan)


def share(
    estimate: Estimate, units: pd.Series | np.ndarray, expected: pd.Series | np.ndarray | float = np.nan
) -> Estimate:
    """The same estimate of a share of games, with an interval fit for rare and for certain events.

    Korn and Graubard (1998): the exact binomial interval (Clopper and Pearson 1934) of as many independent
    games as would have the same variance; when no unit saw the event (or all did), of as many as there are
    units. The p value is of the same exact test against `expected`. A share that is the same in every unit,
    without being 0 or 1, gets the interval of _interval.
    """
    p, counted = estimate.value, _float(units)
    flat = (estimate.error == 0) & (p > 0) & (p < 1)
    with np.errstate(all="ignore"):
        freedom = np.maximum(estimate.units - 1, 1.0)
        shrink = (stats.norm.ppf(1 - _TAIL) / stats.t.ppf(1 - _TAIL, freedom)) ** 2
        size = np.where(estimate.error > 0, p * (1 - p) / estimate.error**2 * shrink, counted)
        low, high = binomial(p * size, size)
        chance = binomial_p(p * size, size, _float(expected))
        low, high = (np.where(flat, np.clip(p + way * unseen(counted), 0, 1), limit)
                     for way, limit in ((-1, low), (1, high)))  # fmt: skip
        chance = np.where(flat, _flat_p(p - _float(expected), np.ones_like(p), counted), chance)
    known = np.isfinite(estimate.error)
    low, high, chance = (np.where(known, column, np.nan) for column in (low, high, chance))
    return Estimate(p, low, high, estimate.error, estimate.units, chance)


def binomial(hits: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The exact limits of a binomial share (Clopper and Pearson 1934), for whole numbers and others."""
    if sequences.is_sequential():
        return sequences.share_limits(hits, size, LEVEL)
    low = np.where(hits > 0, stats.beta.ppf(_TAIL, hits, size - hits + 1), 0.0)
    high = np.where(hits < size, stats.beta.ppf(1 - _TAIL, hits + 1, size - hits), 1.0)
    return low, high


def binomial_p(hits: np.ndarray, size: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Twice the smaller tail of the exact binomial test: below 0.05 just where the limits exclude `expected`."""
    if sequences.is_sequential():
        return sequences.share_chance(hits, size, expected)
    least = np.where(hits > 0, stats.beta.cdf(expected, hits, size - hits + 1), 1.0)
    most = np.where(hits < size, stats.beta.sf(expected, hits + 1, size - hits), 1.0)
    return np.where(np.isfinite(expected), np.minimum(2 * np.minimum(least, most), 1.0), np.nan)


def unseen(units: np.ndarray) -> np.ndarray:
    """How frequent something may be that none of so many units showed: the exact 97.5 % limit, about 3.7 / units
    (Clopper and Pearson 1934; as the rule of three, Hanley and Lippman-Hand 1983).
    """
    if sequences.is_sequential():
        return sequences.unseen_share(np.asarray(units, float), LEVEL)
    return 1 - _TAIL ** (1 / units)


def product(share_: Estimate, expected: pd.Series | float, part: Estimate) -> Estimate:
    """`part` * (`share_` - `expected`): what a share among some games amounts to among all.

    The limits add the two uncertainties as squares (MOVER: Zou and Donner 2008); the p value is the share's.
    """
    away = share_.value - _float(expected)
    value, least, most = part.value * away, part.low - part.value, part.high - part.value
    low, high = (
        value + sign * np.hypot(part.value * (limit - share_.value), away * np.where(away < 0, opposite, same))
        for sign, limit, same, opposite in ((-1, share_.low, least, most), (1, share_.high, most, least))
    )
    return Estimate(value, low, high, share_.error, share_.units, share_.p)


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


def claimable(estimate: Estimate, enough: pd.Series | np.ndarray | bool = True) -> tuple[np.ndarray, np.ndarray]:
    """(p values of the rows that are asked about, whether the interval excludes zero).

    Asked about are rows of at least MIN_UNITS independent units where `enough` says that events suffice; the p
    value of others is NaN. A row may be claimed when its interval excludes zero and its p value is below 0.05
    after Holm's correction over all rows asked about in a report.
    """
    with np.errstate(all="ignore"):
        asked = (estimate.units >= MIN_UNITS) & np.asarray(enough, bool)
        clear = (estimate.low > 0) | (estimate.high < 0)
    return np.where(asked, estimate.p, np.nan), asked & clear


def quantiles(values: np.ndarray, counts: np.ndarray, at: Sequence[float]) -> list[float]:
    """Quantiles of whole numbers with their counts: the smallest value that a share q does not exceed."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(counts[order])
    if not len(reached) or reached[-1] == 0:
        return [float("nan")] * len(at)
    places = np.searchsorted(reached, np.asarray(at) * reached[-1] - 1e-9)
    return [float(values[order][place]) for place in places]


def _interval(
    value: np.ndarray, variance: np.ndarray, units: np.ndarray, repeats: np.ndarray, differing: np.ndarray,
    deviation: np.ndarray,
) -> Estimate:  # fmt: skip
    """The t interval, with care where few units differ from the others or none does.

    What only D of many units show is a matter of D observations: t has D degrees of freedom when that is fewer than
    U - 1 (computed: at least 94 % of intervals cover for any rate of Poisson events). When no unit differs, one may
    yet come: `unseen` units that deviate by `deviation`, or by 1 where that is more. The p value matches, and is
    never below that of a sign test.
    """
    real = units / np.maximum(repeats, 1.0)
    known = (units > 1) & (real > 1.5) & np.isfinite(value)
    with np.errstate(all="ignore"):
        error = np.where(known, np.sqrt(np.maximum(variance, 0) * np.maximum(repeats, 1.0)), np.nan)
        freedom = _freedom(real, differing, repeats)
        scale = np.maximum(np.maximum(deviation, np.abs(value)), 1.0)
        half = np.where(error == 0, unseen(real) * scale, reach(LEVEL, freedom, real) * error)
        p = np.where(error == 0, _flat_p(value, scale, real), chance(value / error, freedom, real))
    return Estimate(value, value - half, value + half, error, np.where(known, real, np.nan), np.where(known, p, np.nan))


def reach(level: float, freedom: np.ndarray | float, units: np.ndarray | float) -> np.ndarray:
    """How many standard errors an interval of that level reaches to either side of an estimate."""
    fixed = np.asarray(stats.t.ppf((1 + level) / 2, freedom))
    if sequences.is_sequential():  # few degrees of freedom widen both alike
        return sequences.average_reach(level, units) * fixed / stats.norm.ppf((1 + level) / 2)
    return fixed


def chance(z: np.ndarray, freedom: np.ndarray | float, units: np.ndarray | float) -> np.ndarray:
    """The two-sided p value of an estimate z standard errors away."""
    if sequences.is_sequential():
        return sequences.average_chance(z * _NORMAL / stats.t.ppf(1 - _TAIL, freedom), units)
    return np.asarray(2 * stats.t.sf(np.abs(z), freedom))


def _freedom(real: np.ndarray, differing: np.ndarray, repeats: np.ndarray) -> np.ndarray:
    return np.maximum(np.minimum(real - 1, differing / np.maximum(repeats, 1.0)), 1.0)


def _flat_p(value: np.ndarray, scale: np.ndarray, units: np.ndarray) -> np.ndarray:
    seen = np.maximum(1 - np.abs(value) / scale, 0.5) ** units
    if sequences.is_sequential():
        return np.minimum(seen * (1 - LEVEL) / (1 - unseen(units)) ** units, 1.0)
    return np.minimum(2 * seen, 1.0)


def _float(values: pd.Series | np.ndarray | float) -> np.ndarray:
    return np.asarray(values, dtype=float)
