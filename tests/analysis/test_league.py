"""Ratings, pairs and cycles against planted strengths and the toy game's known odds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import choix
import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.league import (
    ELO,
    League,
    Strengths,
    centred,
    find_cycles,
    ladder,
    pair_shares,
    rate,
    refit,
    strengths,
)
from flocksim.analysis.run_folder import load
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.runner import run_study
from flocksim.strategies.uniform import RANDOM

from tests.toy import TAKE_A, TAKE_B, TOY
from tests.unit.test_analysis_run_folder import Game, play, write_run

SPREAD = np.array([0.0, 0.3, 0.6, 1.0, 1.5])


def names_of(count: int) -> list[str]:
    return [f"s{index:02d}" for index in range(count)]


def planted(log: Sequence[float] | np.ndarray, blocks: int, players: int, seed: int = 1) -> pd.DataFrame:
    """The rows of pairs.sql of a league whose rank orders are Plackett-Luce's; a block is `players` games."""
    random, count = np.random.default_rng(seed), len(log)
    lineups = np.argsort(random.random((blocks, count)), axis=1)[:, :players]
    luck = random.gumbel(size=(blocks, players, players)) + np.asarray(log)[lineups][:, None, :]
    one, two = np.triu_indices(players, 1)
    won = (luck[:, :, one] > luck[:, :, two]).sum(axis=1)
    return meetings_of(np.arange(blocks)[:, None], lineups[:, one], lineups[:, two], won, players)


def by_chance(chance: np.ndarray, blocks: int, seed: int = 1) -> pd.DataFrame:
    """The same for two players, where chance[i, j] is how likely i beats j: no strengths need explain it."""
    random = np.random.default_rng(seed)
    one, two = np.argsort(random.random((blocks, len(chance))), axis=1)[:, :2].T
    return meetings_of(np.arange(blocks), one, two, random.binomial(2, chance[one, two]), 2)


def meetings_of(unit: np.ndarray, one: np.ndarray, two: np.ndarray, won: np.ndarray, games: int) -> pd.DataFrame:
    names = np.array(names_of(100))
    swap = one > two
    return pd.DataFrame({
        "unit": np.broadcast_to(unit, one.shape).ravel(), "strategy": names[np.where(swap, two, one)].ravel(),
        "other": names[np.where(swap, one, two)].ravel(), "meetings": games,
        "points": 2 * np.where(swap, games - won, won).ravel(),
    })  # fmt: skip


def ends(found: Strengths) -> np.ndarray:
    return np.percentile(found.draws, (2.5, 97.5), axis=0)


def ladder_of(meetings: pd.DataFrame, count: int) -> pd.DataFrame:
    found = strengths(meetings, names_of(count))
    order = np.argsort(-found.log)
    names = [names_of(count)[place] for place in order]
    return ladder(names, Strengths(found.log[order], found.draws[:, order], found.units[order]))


# --- strengths ---


def test_newton_steps_end_where_choix_does() -> None:
    random = np.random.default_rng(2)
    log = random.normal(scale=3, size=(20, 8))
    above = random.binomial(40, 1 / (1 + np.exp(log[:, None, :] - log[:, :, None]))) + 0.01
    above *= 1 - np.eye(8)
    found = refit(above, np.zeros(8))
    for matrix, mine in zip(above, found, strict=True):
        theirs = choix.ilsr_pairwise_dense(matrix, max_iter=10_000)
        assert centred(mine) == pytest.approx(centred(theirs), abs=1e-5)


@pytest.mark.parametrize("players", [2, 4])
def test_planted_strengths_are_found(players: int) -> None:
    found = strengths(planted(SPREAD, 1500, players), names_of(5))
    assert list(np.argsort(found.log)) == [0, 1, 2, 3, 4]
    assert found.log == pytest.approx(centred(SPREAD), abs=0.15)
    low, high = ends(found)
    assert ((low <= centred(SPREAD)) & (centred(SPREAD) <= high)).all()
    assert (high - low < 0.3).all()


@pytest.mark.parametrize("log", [SPREAD, np.array([-5.0, 0.0, 0.3, 1.0])])
def test_intervals_cover(log: np.ndarray) -> None:
    true, covered = centred(log), []
    for seed in range(40):
        low, high = ends(strengths(planted(log, 80, 2, seed), names_of(len(log))))
        covered.append((low <= true) & (true <= high))
    assert np.mean(covered) >= 0.91


def test_more_games_of_the_same_blocks_are_no_more_blocks() -> None:
    meetings = planted(SPREAD, 200, 3)
    again = meetings.assign(meetings=5 * meetings.meetings, points=5 * meetings.points)
    once, five = (np.ptp(ends(strengths(table, names_of(5))), axis=0) for table in (meetings, again))
    assert five == pytest.approx(once, rel=0.05)
    wider = np.ptp(ends(strengths(meetings, names_of(5), repeats=4.0)), axis=0)
    assert wider == pytest.approx(2 * once, rel=1e-6)


def test_who_never_wins_has_a_rating_and_moves_nobody_else() -> None:
    log = np.array([-40.0, 0.0, 0.3, 1.0])
    meetings = planted(log, 600, 2)
    found = strengths(meetings, names_of(4))
    low, high = ends(found)
    others = strengths(meetings[meetings.strategy != "s00"], names_of(4)[1:])
    assert np.isfinite(found.draws).all()
    assert low[0] < found.log[0] - 2
    assert high[0] < low[1] - 3
    assert found.log[1:] - found.log[1] == pytest.approx(others.log - others.log[0], abs=0.02)
    assert (np.ptp(ends(found), axis=0)[1:] < 0.5).all()


def test_zero_is_who_wins_half_of_all_meetings() -> None:
    log = centred(np.array([[-9.0, 0.0, 0.4, 2.0], [1.0, 2.0, 3.0, 4.0]]))
    assert (1 / (1 + np.exp(log))).mean(axis=1) == pytest.approx([0.5, 0.5])


def test_400_points_are_ten_to_one() -> None:
    assert 1 / (1 + np.exp(-400 / ELO)) == pytest.approx(10 / 11)


# --- ladder ---


def test_steps_are_told_where_they_are_clear() -> None:
    table = ladder_of(planted([0.0, 0.0, 1.0, 1.0, 3.0], 1000, 3, seed=2), 5)
    assert [set(table.strategy[:1]), set(table.strategy[1:3])] == [{"s04"}, {"s02", "s03"}]
    assert list(table.clear) == [True, False, True, False, False]
    assert list(table.place) == [1, 2, 3, 4, 5]
    assert np.isnan(table.p.iloc[-1])
    assert table.gap.iloc[0] == pytest.approx(table.rating.iloc[0] - table.rating.iloc[1])
    assert (table.gap_low[:4] < table.gap[:4]).all()
    league = League({}, 0, 0, 0.0, table, pd.DataFrame(), [], [])
    assert [set(step) for step in league.steps] == [{"s04"}, {"s02", "s03"}, {"s00", "s01"}]


def test_equals_are_seldom_told_apart() -> None:
    false = sum(ladder_of(planted(np.zeros(5), 60, 3, seed), 5).clear.any() for seed in range(60))
    assert false <= 4


def test_few_blocks_say_nothing() -> None:
    table = ladder_of(planted([0.0, 9.0], 29, 2), 2)
    assert np.isnan(table.p).all()
    assert not table.clear.any()
    assert ladder_of(planted([0.0, 9.0], 30, 2), 2).clear.iloc[0]
    few = ladder_of(planted([0.0, 9.0], 9, 2), 2)
    assert few[["low", "high"]].isna().all(axis=None)
    assert few.rating.notna().all()


# --- pairs and cycles ---


def test_pairs_by_hand() -> None:
    """a and b meet in two units: 2 + 1 points of 2 meetings, then 0 of 2; b and c once, all b's."""
    meetings = pd.DataFrame(
        [(0, "a", "b", 2, 3), (1, "a", "b", 2, 0), (1, "b", "c", 2, 4)],
        columns=["unit", "strategy", "other", "meetings", "points"],
    )
    found = pair_shares(meetings, ["b", "a", "c"], np.array([0.5, 0.0, -2.0]))
    assert found[["strategy", "other", "meetings", "blocks"]].to_numpy().tolist() == [
        ["b", "a", 4, 2],
        ["b", "c", 2, 1],
    ]
    assert list(found.share) == [5 / 8, 1.0]
    assert list(found.expected) == pytest.approx([1 / (1 + np.exp(-0.5)), 1 / (1 + np.exp(-2.5))])
    assert not found.clear.any()


def test_shares_of_pairs_are_covered() -> None:
    chance = np.array([[0.5, 0.8, 0.6], [0.2, 0.5, 0.55], [0.4, 0.45, 0.5]])
    covered = []
    for seed in range(100):
        found = pair_shares(by_chance(chance, 150, seed), names_of(3), np.zeros(3))
        true = np.array([0.8, 0.6, 0.55])
        covered.append((found.low <= true) & (true <= found.high))
    assert np.mean(covered) >= 0.93


def test_a_planted_cycle_is_found() -> None:
    """s00 beats s01, s01 beats s02, s02 beats s00; s03 beats them all."""
    chance = np.full((4, 4), 0.5)
    for one, two in ((0, 1), (1, 2), (2, 0), (3, 0), (3, 1), (3, 2)):
        chance[one, two], chance[two, one] = 0.7, 0.3
    found = pair_shares(by_chance(chance, 1200), ["s03", "s00", "s01", "s02"], np.zeros(4))
    assert found.clear.all()
    assert find_cycles(found) == [("s00", "s01", "s02")]
    assert find_cycles(pair_shares(by_chance(chance.T, 1200), names_of(4), np.zeros(4))) == [("s00", "s02", "s01")]


def test_the_widest_cycle_comes_first() -> None:
    rows = [("a", "b", 0.6), ("b", "c", 0.9), ("a", "c", 0.2), ("a", "d", 0.3), ("b", "d", 0.9), ("c", "d", 0.5)]
    table = pd.DataFrame(rows, columns=["strategy", "other", "share"]).assign(clear=True)
    assert find_cycles(table.assign(clear=table.share != 0.5)) == [("a", "b", "c"), ("a", "b", "d")]
    table.loc[0, "share"] = 0.95
    assert find_cycles(table.assign(clear=table.share != 0.5)) == [("a", "b", "c"), ("a", "b", "d")]
    table.loc[3, "share"] = 0.1
    assert find_cycles(table.assign(clear=table.share != 0.5)) == [("a", "b", "d"), ("a", "b", "c")]


def test_no_cycle_where_there_is_none_or_nothing_is_clear() -> None:
    for seed in range(20):
        found = pair_shares(planted(SPREAD, 300, 3, seed), names_of(5), np.zeros(5))
        assert found.clear.any()
        assert find_cycles(found) == []
    rock = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])
    assert find_cycles(pair_shares(by_chance(rock, 60), names_of(3), np.zeros(3))) == []


# --- of a run ---


@pytest.mark.parametrize("players", [2, 4])
def test_the_toy_games_odds_are_found(tmp_path: Path, players: int) -> None:
    """Die A ranks above B with odds of 7 to 5; who takes either at random ranks above A in 11 of 24."""
    study = Study(
        "toy-league", TOY, (players,), (Variant("standard", TOY.parameters.build(players)),),
        (TAKE_B, RANDOM, TAKE_A), games=12_000, seed=3,
    )  # fmt: skip
    run_study(study, tmp_path / "run", jobs=1)
    with load(tmp_path / "run") as run:
        league = rate(run)
    assert list(league.ladder.strategy) == ["take-a", "random", "take-b"]
    assert league.games == 12_000
    assert league.ladder.games.sum() == 12_000 * players
    pairs = league.pairs.set_index(["strategy", "other"])
    for pair, true in (
        (("take-a", "take-b"), 7 / 12),
        (("take-a", "random"), 13 / 24),
        (("random", "take-b"), 13 / 24),
    ):
        assert pairs.low[pair] <= true <= pairs.high[pair]
        assert pairs.high[pair] - pairs.low[pair] < 0.06
        assert pairs.expected[pair] == pytest.approx(true, abs=0.02)
    assert pairs.clear["take-a", "take-b"]
    top = league.ladder.rating.iloc[0] - league.ladder.rating.iloc[2]
    assert top == pytest.approx(400 * np.log10(7 / 5), abs=12)
    assert league.cycles == []


def test_games_that_nobody_won_count_by_rank(tmp_path: Path) -> None:
    with load(write_run(tmp_path / "run", play(blocks=40, capped=0.5))) as run:
        league = rate(run)
        capped = run.sql("SELECT avg((winners = 0)::INT) FROM games").fetchall()[0][0]
    assert league.undecided == pytest.approx(capped)
    assert 0.3 < league.undecided < 0.7
    every = run_rows(tmp_path)
    assert league.pairs.meetings.sum() == every


def run_rows(path: Path) -> int:
    """Pairs of seats of different strategies in all games."""
    with load(path / "run") as run:
        seats = run.seats.df()
    same = seats.groupby(["game", "strategy"]).seat.count()
    total = seats.groupby("game").seat.count()
    return int((total * (total - 1) // 2).sum() - (same * (same - 1) // 2).sum())


def test_who_never_came_is_named(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (1,)), Game(("b", "a"), (1,), rotation=1)]
    strategies = [{"name": name, "line": "", "noise": 0.0} for name in ("c", "a", "b")]
    with load(write_run(tmp_path / "run", games, strategies=strategies)) as run:
        league = rate(run)
    assert league.absent == ["c"]
    assert sorted(league.ladder.strategy) == ["a", "b"]


@pytest.mark.parametrize(
    "games",
    [
        play(blocks=4, players=(2, 3)),
        play(blocks=4, variants=("standard", "quick")),
        play(blocks=4, players=(1,)),
        play(blocks=4, strategies=("alone",)),
    ],
    ids=["two player counts", "two variants", "solo", "one strategy"],
)
def test_what_is_no_league(tmp_path: Path, games: list[Game]) -> None:
    with load(write_run(tmp_path / "run", games)) as run, pytest.raises(FlocksimError, match="a league"):
        rate(run)
