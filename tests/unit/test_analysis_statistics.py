"""Statistics against textbook cases, other libraries and simulation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.statistics import (
    Difference,
    Estimate,
    claims,
    holm,
    p_values,
    paired,
    quantiles,
    ratio,
    share,
)
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint


def of(y: np.ndarray, n: np.ndarray | None = None, repeats: float = 1.0) -> Estimate:
    """`ratio` of one cell from its units' totals."""
    n = np.ones(len(y)) if n is None else n
    sums = (len(y), y.sum(), n.sum(), (y * y).sum(), (y * n).sum(), (n * n).sum())
    return ratio(*(pd.Series([value]) for value in sums), repeats=repeats)


def pair(x: np.ndarray, y: np.ndarray, m: np.ndarray | None = None, n: np.ndarray | None = None) -> Difference:
    """`paired` of one row from its units' totals."""
    values = {
        "x": x,
        "m": np.ones(len(x)) if m is None else m,
        "y": y,
        "n": np.ones(len(y)) if n is None else n,
    }
    sums: dict[str, float] = {"units": len(x)} | {name: value.sum() for name, value in values.items()}
    for place, first in enumerate("xmyn"):
        for second in "xmyn"[place:]:
            sums["_".join((first, second) if f"{first}_{second}" in PRODUCTS else (second, first))] = (
                values[first] * values[second]
            ).sum()
    return paired(pd.DataFrame([sums]))


PRODUCTS = ("x_x", "x_m", "x_y", "x_n", "m_m", "m_y", "m_n", "y_y", "y_n", "n_n")


def ends(estimate: Estimate) -> tuple[float, float]:
    return float(estimate.low[0]), float(estimate.high[0])


def test_equal_blocks_give_the_t_interval_of_their_means() -> None:
    y = np.array([3.0, 5, 4, 9, 1, 6])
    expected = stats.t.interval(0.95, 5, y.mean() / 4, stats.sem(y / 4))
    assert ends(of(y, np.full(6, 4.0))) == pytest.approx(expected)


def test_unequal_blocks_give_the_cluster_robust_interval() -> None:
    random = np.random.default_rng(3)
    cluster = np.repeat(np.arange(40), random.integers(1, 6, 40))
    values = random.normal(size=len(cluster)) + random.normal(size=40)[cluster]
    fit = OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    found = of(np.bincount(cluster, values), np.bincount(cluster).astype(float))
    assert found.value[0] == pytest.approx(fit.params[0])
    assert found.error[0] == pytest.approx(fit.bse[0])


def test_intervals_cover_and_ignoring_blocks_would_not() -> None:
    random = np.random.default_rng(4)
    covered = naive = 0
    for _ in range(600):
        games = random.normal(size=(40, 1)) + random.normal(size=(40, 4))
        low, high = ends(of(games.sum(axis=1), np.full(40, 4.0)))
        covered += low <= 0 <= high
        low, high = ends(of(games.ravel()))
        naive += low <= 0 <= high
    assert 0.93 <= covered / 600 <= 0.97
    assert naive / 600 < 0.85


def test_one_block_or_none_is_unknown() -> None:
    for estimate in (of(np.array([3.0]), np.array([4.0])), of(np.array([0.0]), np.array([0.0]))):
        assert math.isnan(estimate.low[0])
        assert math.isnan(p_values(estimate)[0])
        assert not claims(estimate)[1][0]


def test_no_variance_is_certain() -> None:
    estimate = of(np.full(50, 0.25 * 2520), np.full(50, 1.0))
    assert ends(estimate) == (630.0, 630.0)


def test_repeats_widen() -> None:
    y = np.random.default_rng(5).normal(size=200)
    plain, widened = of(y), of(y, repeats=4.0)
    assert widened.error[0] == pytest.approx(2 * plain.error[0])
    assert widened.freedom[0] == 49
    assert math.isnan(of(y, repeats=200.0).low[0])


def test_pairs_give_the_t_interval_of_their_differences() -> None:
    random = np.random.default_rng(6)
    y = random.normal(size=60)
    x = y + random.normal(0.5, 0.3, 60)
    found = pair(x, y)
    assert ends(found) == pytest.approx(stats.t.interval(0.95, 59, (x - y).mean(), stats.sem(x - y)))
    saved = 1 - (x - y).var() / (x.var() + y.var())
    assert found.variance_reduction[0] == pytest.approx(saved)


def test_equal_variants_differ_by_exactly_nothing() -> None:
    random = np.random.default_rng(7)
    for scale in (1.0, 2520.0, 1e5):
        y, n = np.round(random.random(300) * scale), random.integers(1, 9, 300).astype(float)
        found = pair(y, y, n, n)
        assert found.value[0] == 0
        assert ends(found) == (0, 0)
        assert not claims(found)[1][0]


def test_unequal_counts_are_allowed() -> None:
    random = np.random.default_rng(8)
    m, n = random.integers(1, 5, 500).astype(float), random.integers(1, 5, 500).astype(float)
    x, y = m * 2 + random.normal(size=500), n + random.normal(size=500)
    found = pair(x, y, m, n)
    a, b = x.sum() / m.sum(), y.sum() / n.sum()
    e = (x - a * m) / m.sum() - (y - b * n) / n.sum()
    assert found.value[0] == pytest.approx(a - b)
    assert found.error[0] == pytest.approx(math.sqrt(500 / 499 * (e**2).sum()))


def test_an_event_never_seen_is_not_impossible() -> None:
    estimate = share(of(np.zeros(50), np.full(50, 4.0)), pd.Series([50]))
    assert ends(estimate) == pytest.approx(proportion_confint(0, 50, method="beta"))


def test_an_event_always_seen_is_not_certain() -> None:
    estimate = share(of(np.full(50, 4.0), np.full(50, 4.0)), pd.Series([50]))
    assert ends(estimate) == pytest.approx(proportion_confint(50, 50, method="beta"))


def test_independent_games_give_nearly_the_exact_binomial_interval() -> None:
    y = np.zeros(2000)
    y[:7] = 1
    estimate = share(of(y), pd.Series([2000]))
    assert ends(estimate) == pytest.approx(proportion_confint(7, 2000, method="beta"), rel=0.01)
    assert 0 < estimate.low[0] < estimate.value[0] < estimate.high[0] < 1


def test_holm_by_hand() -> None:
    assert holm([0.01, float("nan"), 0.04, 0.03]) == pytest.approx([0.03, float("nan"), 0.06, 0.06], nan_ok=True)
    p = np.random.default_rng(1).random(40) ** 4
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert np.isnan(holm([float("nan")])).all()
    assert len(holm([])) == 0


def test_no_claim_from_few_blocks_or_few_events() -> None:
    y = 10 + np.random.default_rng(9).normal(size=29)
    assert not claims(of(y))[1][0]
    y = 10 + np.random.default_rng(9).normal(size=30)
    assert claims(of(y))[1][0]
    assert not claims(of(y), np.array([False]))[1][0]


def test_claims_hold_their_error_rate_over_many_rows() -> None:
    random = np.random.default_rng(10)
    false = 0
    for _ in range(300):
        y, n = random.normal(size=(60, 15)), np.ones((60, 15))
        sums = (n.sum(0), y.sum(0), n.sum(0), (y * y).sum(0), y.sum(0), n.sum(0))
        false += claims(ratio(*(pd.Series(column) for column in sums)))[1].any()
    assert false / 300 <= 0.08


def test_quantiles() -> None:
    assert quantiles(np.array([5, 1, 3]), np.array([1, 1, 2]), [0.0, 0.25, 0.5, 0.75, 1.0]) == [1, 1, 3, 3, 5]
    assert math.isnan(quantiles(np.array([]), np.array([]), [0.5])[0])
