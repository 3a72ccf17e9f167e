"""Statistics against textbook cases, other libraries and simulation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.statistics import (
    Difference,
    Estimate,
    claimable,
    holm,
    paired,
    product,
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


def pair(
    x: np.ndarray, y: np.ndarray, m: np.ndarray | None = None, n: np.ndarray | None = None, alike: bool = False
) -> Difference:
    """`paired` of one row from its units' totals."""
    m, n = (np.ones(len(x)) if count is None else count for count in (m, n))
    return paired(sums_of(*(column[None, :] for column in (x, y, m, n))), alike=alike)


def sums_of(x: np.ndarray, y: np.ndarray, m: np.ndarray, n: np.ndarray) -> pd.DataFrame:
    """What the paired queries give: a row of `x`, `y` and so on is a row of the result, a column is a unit."""
    values = {"x": x, "m": m, "y": y, "n": n}
    sums = {"units": np.full(len(x), x.shape[1]), "differing": [_differing(row) for row in x * n - y * m]}
    sums |= {name: value.sum(axis=1) for name, value in values.items()}
    sums |= {name: (values[name[0]] * values[name[2]]).sum(axis=1) for name in PRODUCTS}
    return pd.DataFrame(sums)


def _differing(row: np.ndarray) -> int:
    return len(row) - int(np.unique(row, return_counts=True)[1].max())


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
        assert math.isnan(estimate.p[0])
        assert not claimable(estimate)[1][0]


def test_without_any_spread_a_mean_may_still_be_another() -> None:
    # As if one unit in 27, the most that 100 like ones leave room for, had none or twice as much.
    narrow, wide = of(np.full(100, 30.0)), of(np.full(30, 30.0))
    assert ends(narrow) == pytest.approx((30 * (1 - 0.0362), 30 * (1 + 0.0362)), abs=0.01)
    assert wide.low[0] < narrow.low[0] < 30 < narrow.high[0] < wide.high[0]


def test_repeats_widen() -> None:
    y = np.random.default_rng(5).normal(size=200)
    plain, widened = of(y), of(y, repeats=4.0)
    assert widened.error[0] == pytest.approx(2 * plain.error[0])
    assert widened.units[0] == 50
    assert math.isnan(of(y, repeats=200.0).low[0])


def test_pairs_give_the_t_interval_of_their_differences() -> None:
    random = np.random.default_rng(6)
    y = random.normal(size=160)
    x = y + random.normal(0.5, 0.3, 160)
    found = pair(x, y)
    assert ends(found) == pytest.approx(stats.t.interval(0.95, 159, (x - y).mean(), stats.sem(x - y)))
    saved = 1 - (x - y).var() / (x.var() + y.var())
    assert found.variance_reduction[0] == pytest.approx(saved)


RARE = [
    (80, 3, (0.0, 0.002)),
    (80, 3, (0.01, 0.005)),
    (48, 5, (0.0, 0.01)),
    (48, 5, (0.02, 0.02)),
    (48, 5, (0.3, 0.3)),
    (2000, 2, (0.0, 0.002)),
]


@pytest.mark.parametrize("clumped", [False, True])
@pytest.mark.parametrize(("units", "games", "rates"), RARE)
def test_differences_of_rare_endings_are_covered(
    units: int, games: int, rates: tuple[float, float], clumped: bool
) -> None:
    """At 240 games t over all blocks covered 9 to 91 % of the time; t over blocks that differ is on the safe side."""
    random = np.random.default_rng(11)
    x, y = (games * random.binomial(1, rate, (1000, units)) if clumped else random.binomial(games, rate, (1000, units))
            for rate in rates)  # fmt: skip
    count = np.full((1000, units), float(games))
    found = paired(sums_of(x.astype(float), y.astype(float), count, count))
    true = rates[0] - rates[1]
    assert ((found.low <= true) & (true <= found.high)).mean() >= 0.935
    if true == 0:
        assert claimable(found)[1].mean() <= 0.065


def test_the_same_difference_everywhere_is_claimed_only_when_it_is_large() -> None:
    games = np.random.default_rng(12).integers(20, 40, 60).astype(float)
    assert not claimable(pair(games + 0.1, games))[1][0]
    assert not claimable(pair(games[:29] + 9, games[:29]))[1][0]
    found = pair(games + 9, games)
    assert claimable(found)[1][0]
    assert 0 < found.p[0] < 1e-9


def test_relative_changes_are_covered() -> None:
    random = np.random.default_rng(13)
    y = random.gamma(4.0, 10.0, (1000, 50))
    x = 1.2 * y * random.gamma(40.0, 1 / 40, (1000, 50))
    one = np.ones_like(x)
    found = paired(sums_of(x, y, one, one))
    covered = (found.relative_low <= 0.2) & (found.relative_high >= 0.2)
    assert 0.93 <= covered.mean() <= 0.97
    assert (found.relative_low < found.relative).all()


def test_equal_variants_differ_by_exactly_nothing() -> None:
    random = np.random.default_rng(7)
    for scale in (1.0, 2520.0, 1e5):
        y, n = np.round(random.random(300) * scale), random.integers(1, 9, 300).astype(float)
        found = pair(y, y, n, n)
        assert found.value[0] == 0
        assert found.low[0] < 0 < found.high[0]
        assert not claimable(found)[1][0]
        same = pair(y, y, n, n, alike=True)
        assert ends(same) == (0, 0)
        assert same.p[0] == 1


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


def test_a_share_that_is_the_same_in_every_unit_may_still_be_another() -> None:
    estimate = share(of(np.full(40, 1.0), np.full(40, 4.0)), pd.Series([40]), 0.25)
    assert ends(estimate) == pytest.approx((0.25 - 0.088, 0.25 + 0.088), abs=0.001)
    assert estimate.p[0] == 1


def test_the_p_value_of_a_share_belongs_to_its_interval() -> None:
    y = np.zeros(4000)
    y[:3] = 1
    estimate = of(y)
    for expected, inside in ((0.00016, True), (0.00015, False), (0.00218, True), (0.0022, False)):
        found = share(estimate, pd.Series([4000]), expected)
        assert (found.low[0] <= expected <= found.high[0]) == inside
        assert (found.p[0] >= 0.05) == inside
    assert share(estimate, pd.Series([4000]), 0.002).p[0] == pytest.approx(
        2 * stats.binom.cdf(3, 4000, 0.002), rel=0.02
    )


@pytest.mark.parametrize("finished", [1.0, 0.5, 0.1])
def test_shares_of_few_wins_are_covered(finished: float) -> None:
    """A seat that wins 4 % of the games that somebody won, of 240 games in blocks of 4."""
    random = np.random.default_rng(14)
    decided = random.binomial(4, finished, (1000, 60)).astype(float)
    won = random.binomial(decided.astype(int), 0.04).astype(float)
    four = np.full_like(decided, 4.0)

    def of_rows(y: np.ndarray, n: np.ndarray) -> Estimate:
        sums = (np.full(1000, 60), *(column.sum(axis=1) for column in (y, n, y * y, y * n, n * n)))
        return ratio(*map(pd.Series, sums))

    among = share(of_rows(won, decided), pd.Series(np.minimum(decided.sum(axis=1), 60)), 0.25)
    edge = product(among, 0.25, share(of_rows(decided, four), pd.Series(np.full(1000, 60))))
    true = finished * (0.04 - 0.25)
    covered = (edge.low <= true) & (true <= edge.high)
    assert covered[np.isfinite(edge.low)].mean() >= 0.94


def test_holm_by_hand() -> None:
    assert holm([0.01, float("nan"), 0.04, 0.03]) == pytest.approx([0.03, float("nan"), 0.06, 0.06], nan_ok=True)
    p = np.random.default_rng(1).random(40) ** 4
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert np.isnan(holm([float("nan")])).all()
    assert len(holm([])) == 0


def test_no_claim_from_few_blocks_or_few_events() -> None:
    y = 10 + np.random.default_rng(9).normal(size=29)
    assert not claimable(of(y))[1][0]
    assert math.isnan(claimable(of(y))[0][0])
    y = 10 + np.random.default_rng(9).normal(size=30)
    assert claimable(of(y))[1][0]
    assert not claimable(of(y), np.array([False]))[1][0]


def test_claims_hold_their_error_rate_over_many_rows() -> None:
    random = np.random.default_rng(10)
    false = 0
    for _ in range(300):
        y, n = random.normal(size=(60, 15)), np.ones((60, 15))
        sums = (n.sum(0), y.sum(0), n.sum(0), (y * y).sum(0), y.sum(0), n.sum(0))
        p, clear = claimable(ratio(*(pd.Series(column) for column in sums)))
        false += (clear & (holm(p) < 0.05)).any()
    assert false / 300 <= 0.08


def test_quantiles() -> None:
    assert quantiles(np.array([5, 1, 3]), np.array([1, 1, 2]), [0.0, 0.25, 0.5, 0.75, 1.0]) == [1, 1, 3, 3, 5]
    assert math.isnan(quantiles(np.array([]), np.array([]), [0.5])[0])
