"""A ladder out of a run's rank orders: Plackett-Luce ratings, who ranks above whom, cycles.

The model (Luce 1959; Plackett 1975): a strategy of strength w ranks above one of strength v with chance w / (w + v),
whoever else is at the table. So every game is broken into all its pairs of seats (full breaking, which keeps the
estimate consistent: Azari Soufiani et al. 2013), a tie counting half for each, and the strengths are those under which
the pairs are likeliest (Maystre and Grossglauser 2015, as in choix). Pairs of a game, and games of a block, hang
together; intervals do not assume otherwise, they resample blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import choix
import numpy as np
import pandas as pd
from flocksim.simulate.errors import FlocksimError
from scipy import sparse, stats

from .rows import records
from .run_folder import Run
from .statistics import LEVEL, MIN_UNITS, Estimate, claimable, holm, ratio, share
from .tables import wins_by_strategy

ELO = 400 / np.log(10)
"""Rating points of one unit of log strength: 400 points are odds of 10 to 1 (Elo 1978)."""
REPLICATES = 1000
ALL = 2**62
FEWEST_UNITS = 10
"""A strategy that sat in fewer independent units than this gets no interval: resampling so few says little."""
_SEED = 0
_TINY = 1e-6
_PAIR = ("strategy", "other")
_ENDS = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)


@dataclass(frozen=True)
class League:
    """What a league found; strategies are in the order of the ladder."""

    manifest: dict[str, Any]
    games: int
    blocks: int
    undecided: float
    """The share of games that nobody won; they count by rank like all others."""
    ladder: pd.DataFrame
    """place, strategy, rating, low, high, blocks, games (seats held), share, share_low, share_high (of wins); to the
    next below: gap, gap_low, gap_high, p (Holm over the ladder's steps), clear."""
    pairs: pd.DataFrame
    """A row a pair that met, the higher on the ladder first: strategy, other, meetings, blocks, share (of meetings that
    `strategy` ranks higher in, ties half), low, high, expected (by the ratings), p (Holm over all pairs), clear."""
    cycles: list[tuple[str, str, str]]
    """Each ranks above the next, and the last above the first, all three clear of chance; the widest first."""
    absent: list[str]
    """Strategies that never came to the table."""

    @property
    def steps(self) -> list[list[str]]:
        """The ladder cut where one is clearly above the next; within a group no two neighbours are clearly apart."""
        groups: list[list[str]] = [[]]
        for strategy, clear in zip(self.ladder.strategy, self.ladder.clear, strict=True):
            groups[-1].append(strategy)
            if clear:
                groups.append([])
        return [group for group in groups if group]


@dataclass(frozen=True)
class Strengths:
    """log: the log strengths, centred; draws: (replicates, strategies), the same of resampled blocks; units: in how
    many each took part, repeats left out.
    """

    log: np.ndarray
    draws: np.ndarray
    units: np.ndarray


def rate(run: Run) -> League:
    """The league that a run of one variant at one player count, of 2 or more, makes."""
    cells, wins = wins_by_strategy(run)
    if len(cells) != 1 or cells.players.iloc[0] < 2:
        raise FlocksimError(f"{run.path}: a league is one variant at one number of players, 2 or more")
    cell, meetings = cells.iloc[0], run.frame("pairs", games=ALL)
    known = list(wins.strategy)
    if len(known) < 2:
        raise FlocksimError(f"{run.path}: a league takes two strategies or more")
    found = strengths(meetings, known, float(cell.repeats))
    order = np.argsort(-found.log, kind="stable")
    names = [known[place] for place in order]
    found = Strengths(found.log[order], found.draws[:, order], found.units[order])
    pairs = pair_shares(meetings, names, found.log, float(cell.repeats))
    return League(
        manifest=run.manifest,
        games=int(cell.games),
        blocks=int(cell.blocks),
        undecided=float(cell.undecided),
        ladder=ladder(names, found).merge(_won(wins), on="strategy"),
        pairs=pairs,
        cycles=find_cycles(pairs),
        absent=[entry["name"] for entry in run.manifest["strategies"] if entry["name"] not in known],
    )


def _won(wins: pd.DataFrame) -> pd.DataFrame:
    columns = {"games": "games", "share": "share", "low": "share_low", "high": "share_high"}
    return wins[["strategy", *columns]].rename(columns=columns)


# --- strengths ---


def strengths(meetings: pd.DataFrame, names: Sequence[str], repeats: float = 1.0) -> Strengths:
    """Log strengths of `names` from the rows of pairs.sql.

    The draws are a Bayesian bootstrap over units (Rubin 1981): each weighs every unit anew, by an exponential
    distribution with a fixed seed. Half a meeting more in which every strategy ranks above the others' average, and
    half a one below it, keep strengths finite where one always or never loses, and weighed anew (Gamma 1/2) leave
    room for what so many games may fail to show: Jeffreys' prior of a share. On simulated leagues, long shots among
    them, 89 to 98 % of the intervals covered (docs/league.md).
    `repeats`: how often an average unit repeats another one.
    """
    units, count = by_unit(meetings, names), len(names)
    prior = (1 - np.eye(count)) / (count - 1)
    log = choix.ilsr_pairwise_dense(_square(units.sum(axis=0), count) + prior / 2, max_iter=100_000)
    log = centred(log)
    random = np.random.default_rng(_SEED)
    weights, own = random.standard_exponential((REPLICATES, units.shape[0])), random.standard_gamma(0.5, REPLICATES)
    draws = centred(refit(_square(weights @ units, count) + own[:, None, None] * prior, log))
    return Strengths(log, log + (draws - log) * np.sqrt(repeats), _units_of_each(meetings, names) / repeats)


def refit(above: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The likeliest log strengths, up to a shift, for each of a stack of matrices of who ranked above whom how often.

    choix fits one matrix at a time; this fits a thousand at once, by Newton steps from `start`. Steps are damped by
    log(1 + r) / r, r being the widest change they make, with which they cannot miss (Sun and Tran-Dinh 2019).
    """
    count = above.shape[-1]
    log = np.broadcast_to(start, above.shape[:-1]).copy()
    met = above + above.swapaxes(-1, -2)
    for _ in range(200):
        chance = 1 / (1 + np.exp(log[:, None, :] - log[:, :, None]))
        slope = (above - met * chance).sum(axis=-1)
        bend = met * chance * chance.swapaxes(-1, -2)
        curve = np.eye(count) * bend.sum(axis=-1)[:, :, None] - bend
        step = np.linalg.solve(curve + bend.mean(axis=(-1, -2), keepdims=True), slope[..., None])[..., 0]
        wide = np.ptp(step, axis=-1, keepdims=True)
        log += step * np.log1p(wide) / np.maximum(wide, 1e-300)
        if wide.max() < 1e-9:
            break
    return log


def centred(log: np.ndarray) -> np.ndarray:
    """Log strengths, strategies along the last axis, shifted so that a player of 0 would win half of its meetings with
    them. One that is hopelessly weak, and nobody knows how weak, does not shift the others' zero, as a mean would.
    """
    low, high = log.min(axis=-1, keepdims=True), log.max(axis=-1, keepdims=True)
    for _ in range(60):
        middle = (low + high) / 2
        above = (1 / (1 + np.exp(middle - log))).mean(axis=-1, keepdims=True) > 0.5
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(log - middle)


def by_unit(meetings: pd.DataFrame, names: Sequence[str]) -> sparse.csr_array:
    """A row a unit, a column an ordered pair (i * count + j): how often i ranked above j, ties half."""
    place = {name: index for index, name in enumerate(names)}
    one, two = meetings.strategy.map(place).to_numpy(), meetings.other.map(place).to_numpy()
    unit = np.unique(meetings.unit.to_numpy(), return_inverse=True)[1]
    points = meetings.points.to_numpy(float) / 2
    values = np.concatenate([points, meetings.meetings.to_numpy(float) - points])
    columns = np.concatenate([one * len(names) + two, two * len(names) + one])
    shape = (int(unit.max()) + 1, len(names) ** 2)
    return sparse.csr_array(sparse.coo_array((values, (np.concatenate([unit, unit]), columns)), shape=shape))


def _square(pairs: np.ndarray, count: int) -> np.ndarray:
    return np.asarray(pairs, float).reshape(*pairs.shape[:-1], count, count)


def _units_of_each(meetings: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    sat = pd.concat([meetings[["unit", column]].set_axis(["unit", "strategy"], axis=1) for column in _PAIR])
    return sat.groupby("strategy").unit.nunique().reindex(list(names)).to_numpy(float)


# --- ladder, pairs, cycles ---


def ladder(names: Sequence[str], found: Strengths) -> pd.DataFrame:
    """A row a strategy, strongest first as `names` and `found` are: rating, and how it stands to the next below.

    It is clear of the next when the gap's p value, normal and of the interval's lower half, is below 0.05 after Holm's
    correction over all steps, and both took part in MIN_UNITS units. Neighbours are picked by what is tested, but that
    is no advantage: a gap between neighbours is the smallest of those that span it.
    """
    draws, few = found.draws * ELO, found.units < FEWEST_UNITS
    low, high = np.where(few, np.nan, np.percentile(draws, _ENDS, axis=0))
    gaps, gap = draws[:, :-1] - draws[:, 1:], -np.diff(found.log * ELO)
    gap_low, gap_high = np.where(few[1:] | few[:-1], np.nan, np.percentile(gaps, _ENDS, axis=0))
    asked = np.minimum(found.units[1:], found.units[:-1]) >= MIN_UNITS
    error = np.maximum(gap - gap_low, _TINY) / stats.norm.ppf((1 + LEVEL) / 2)
    p = holm(np.where(asked, 2 * stats.norm.sf(gap / error), np.nan))
    columns = {"place": np.arange(1, len(names) + 1), "strategy": list(names), "rating": found.log * ELO,
               "low": low, "high": high, "blocks": np.floor(found.units).astype("int64")}  # fmt: skip
    steps = {"gap": gap, "gap_low": gap_low, "gap_high": gap_high, "p": p}
    table = pd.DataFrame(columns | {name: np.append(column, np.nan) for name, column in steps.items()})
    return table.assign(clear=table.p < 1 - LEVEL)


def pair_shares(meetings: pd.DataFrame, names: Sequence[str], log: np.ndarray, repeats: float = 1.0) -> pd.DataFrame:
    """`League.pairs` of strategies in the order of the ladder, from the rows of pairs.sql and the log strengths."""
    place = {name: index for index, name in enumerate(names)}
    one, two = meetings.strategy.map(place), meetings.other.map(place)
    y, n = meetings.points.where(one < two, 2 * meetings.meetings - meetings.points), 2 * meetings.meetings
    rows = pd.DataFrame({"one": np.minimum(one, two), "two": np.maximum(one, two), "units": 1,
                         "y": y, "n": n, "yy": y * y, "yn": y * n, "nn": n * n})  # fmt: skip
    sums = rows.groupby(["one", "two"], as_index=False).sum()
    plain = ratio(sums.units, sums.y, sums.n, sums.yy, sums.yn, sums.nn, repeats)
    found = share(plain, sums.units / repeats, 0.5)
    half = Estimate(found.value - 0.5, found.low - 0.5, found.high - 0.5, found.error, found.units, found.p)
    p, clear = claimable(half)
    adjusted = holm(p)
    return pd.DataFrame({
        "strategy": [names[index] for index in sums.one], "other": [names[index] for index in sums.two],
        "meetings": sums.n // 2, "blocks": sums.units, "share": found.value, "low": found.low, "high": found.high,
        "expected": 1 / (1 + np.exp(log[sums.two] - log[sums.one])),
        "p": adjusted, "clear": clear & (adjusted < 1 - LEVEL),
    })  # fmt: skip


def find_cycles(pairs: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Triples of which each ranks above the next and the last above the first, all clear of chance.

    Each begins with its highest on the ladder; first comes the one whose narrowest share is the widest.
    """
    lead: dict[tuple[str, str], float] = {}
    for row in records(pairs[pairs.clear]):
        one, two = row["strategy"], row["other"]
        lead[(one, two) if row["share"] > 0.5 else (two, one)] = abs(row["share"] - 0.5)
    found = []
    for trio in combinations(dict.fromkeys([*pairs.strategy, *pairs.other]), 3):
        for one, two, three in (trio, (trio[0], trio[2], trio[1])):
            edges = [(one, two), (two, three), (three, one)]
            if all(edge in lead for edge in edges):
                found.append((min(lead[edge] for edge in edges), (one, two, three)))
    return [names for _, names in sorted(found, key=lambda entry: -entry[0])]
