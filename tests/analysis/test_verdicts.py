"""Verdicts: right on games whose truth is known, and not to be had by any of the usual traps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from flocksim.analysis import verdict_words
from flocksim.analysis.run_folder import Run, load
from flocksim.analysis.seat_gap import seat_gap
from flocksim.analysis.verdict_words import answer, lines, measured, needed, still_needed, undecided_note, wanted
from flocksim.analysis.verdicts import HOLDS, OPEN, VIOLATED, partial_conjunction, status, verdicts
from flocksim.simulate.receipts import PartName

from tests.unit.test_analysis_run_folder import Game, play, sign, write_run

EVERYTHING = {
    "seats": 6, "strategies": {"above": 20, "below": 20, "viable": 2}, "turns": [25, 40], "rounds": [1, 9],
    "margin": [2, 4], "spread": [0, 3], "unfinished": 5, "ties": 6,
    "changes": {"turns": 3, "seats": 3, "ties": 2, "unfinished": 2, "margin": 1, "spread": [-1, 1]},
}  # fmt: skip


def opened(path: Path, games: Sequence[Game], targets: Any = None, **changes: Any) -> Run:
    return load(write_run(path, games, config={"name": "r", "game": "toy", "targets": targets}, **changes))


def judged(path: Path, games: Sequence[Game], targets: Any = None, **changes: Any) -> pd.DataFrame:
    with opened(path, games, targets, **changes) as run:
        return verdicts(run)


def row(table: pd.DataFrame, target: str, **where: Any) -> Any:
    mine = table[table.target == target]
    for key, value in where.items():
        mine = mine[mine[key] == value]
    (found,) = mine.itertuples()
    return found


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Two player counts, a fair baseline, a slower variant and one that plays the very same games."""
    games = play(
        strategies=("a", "b", "c"), players=(2, 3), blocks=500, variants=("standard", "slow", "same"),
        turns=lambda variant: 34 if variant == "slow" else 30, ties=0.05, stuck=0.02, capped=0.01,
    )  # fmt: skip
    return judged(tmp_path_factory.mktemp("verdicts") / "fair", games, EVERYTHING)


def test_every_target_has_a_row_in_every_case_that_it_is_about(fair: pd.DataFrame) -> None:
    cases = fair.groupby("target").size()
    assert cases["changes.turns"] == cases["changes.seats"] == 4
    assert set(cases.drop([name for name in cases.index if name.startswith("changes.")])) == {6}


def test_what_is_true_holds_and_what_is_not_is_violated(fair: pd.DataFrame) -> None:
    for players in (2, 3):
        assert row(fair, "turns", variant="standard", players=players).verdict == HOLDS
        assert row(fair, "margin", variant="slow", players=players).verdict == HOLDS
        slow = row(fair, "changes.turns", variant="slow", players=players)
        assert (slow.verdict, slow.effect) == (VIOLATED, 4)
    assert status(fair) == VIOLATED


def test_a_verdict_goes_with_its_interval(fair: pd.DataFrame) -> None:
    decided = fair[fair.verdict != OPEN]
    inside = (decided.low >= decided.least) & (decided.high <= decided.most)
    outside = (decided.low > decided.most) | (decided.high < decided.least)
    some = decided.need.eq(0)
    assert inside[some & (decided.verdict == HOLDS)].all()
    assert outside[some & (decided.verdict == VIOLATED)].all()
    assert (fair[fair.verdict == OPEN].more > 0).all()
    assert (decided.more == 0).all()


def test_equal_variants_differ_by_exactly_nothing(tmp_path: Path, fair: pd.DataFrame) -> None:
    same = fair[(fair.variant == "same") & fair.target.str.startswith("changes.")]
    assert (same[["effect", "low", "high"]] == 0).all(axis=None)
    assert set(same.verdict) == {HOLDS}
    games = play(players=(2,), blocks=40, variants=("standard", "same"))
    exact = judged(tmp_path / "exact", games, {"changes": {"turns": 0, "seats": 0, "ties": [0.1, 1]}})
    assert row(exact, "changes.turns").verdict == row(exact, "changes.seats").verdict == HOLDS
    assert row(exact, "changes.ties").verdict == VIOLATED


def test_the_largest_gap_of_a_fair_game_is_told_beside_what_chance_makes_of_it(tmp_path: Path) -> None:
    """Trap: the largest of several deviations is biased upwards."""
    effects, expected = [], []
    for seed in range(8):
        table = judged(tmp_path / str(seed), play(players=(4,), blocks=60, seed=seed), {"seats": 5})
        seats = row(table, "seats")
        assert seats.verdict != VIOLATED
        assert "by chance alone" in measured(seats._asdict())
        effects.append(abs(seats.effect))
        expected.append(seats.by_chance)
    assert np.mean(effects) > 0.02  # nobody is favoured, and yet
    assert np.mean(effects) == pytest.approx(np.mean(expected), rel=0.3)


def test_nothing_seen_in_n_games_still_has_an_upper_bound(tmp_path: Path) -> None:
    """Trap: 0 of n is not 0 %."""
    few = row(judged(tmp_path / "few", play(players=(2,), blocks=100), {"unfinished": 2}), "unfinished")
    assert (few.effect, few.low, few.verdict) == (0, 0, OPEN)
    assert few.high == pytest.approx(1 - 0.025 ** (1 / 100))
    many = row(judged(tmp_path / "many", play(players=(2,), blocks=400), {"unfinished": 2}), "unfinished")
    assert (many.effect, many.verdict) == (0, HOLDS)
    assert many.high == pytest.approx(1 - 0.025 ** (1 / 400))


def test_a_strategy_that_always_wins_and_one_that_never_does_are_decided(tmp_path: Path) -> None:
    """Trap: all-won and all-lost matches have no spread."""
    games = play(lambda strategy, seat: {"best": 1e12, "mid": 1.0, "worst": 1e-12}[strategy],
                 ("best", "mid", "worst"), (2,), 120)  # fmt: skip
    games = [game for game in games if len(set(game.strategies)) == 2]
    table = judged(tmp_path / "run", games, {"strategies": {"above": 20, "below": 20, "viable": 1}})
    above, below = row(table, "strategies.above"), row(table, "strategies.below")
    assert (above.verdict, above.who, above.effect, above.high) == (VIOLATED, "best", 0.5, 0.5)
    assert (below.verdict, below.who, below.effect, below.low) == (VIOLATED, "worst", -0.5, -0.5)
    assert above.low < 0.5
    assert row(table, "strategies.viable").verdict == HOLDS


def test_player_counts_that_disagree_are_told_apart_and_never_pooled(tmp_path: Path) -> None:
    """Trap: Simpson's reversal. `long` is shorter with 2 players and with 4, but is played with 4 more often."""

    def games(variant: str, players: int, blocks: int, turns: int) -> list[Game]:
        return [
            replace(game, variant=variant) for game in play(players=(players,), blocks=blocks, turns=lambda _: turns)
        ]

    made = [*games("standard", 2, 300, 20), *games("long", 2, 60, 18), *games("standard", 4, 60, 60),
            *games("long", 4, 300, 58)]  # fmt: skip
    with opened(tmp_path / "run", made, {"changes": {"turns": [-9, 0]}}) as run:
        table = verdicts(run)
        pooled = dict(run.sql("SELECT variant, avg(turns) FROM games GROUP BY variant").fetchall())
    assert pooled["long"] > pooled["standard"] + 10
    rows = table[table.target == "changes.turns"]
    assert list(rows.players) == [2, 4]
    assert (rows.effect == -2).all()
    assert set(rows.verdict) == {HOLDS}


def test_one_player_count_that_is_off_is_named_beside_those_that_are_not(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: 3.0 if seat == 1 else 1.0, players=(2,), blocks=300)
    games += play(lambda strategy, seat: 1.0, players=(3,), blocks=900)
    table = judged(tmp_path / "run", games, {"seats": 8, "unfinished": "none", "strategies": "none"})
    (line,) = lines(table)
    assert line.verdict == VIOLATED
    assert "violated in 1 of 2 cases (standard with 2 players: seat" in line.found
    assert "holds in 1 of 2 cases" in line.found


def test_identical_bots_in_a_seat_biased_game_show_a_seat_effect_and_no_bot_effect(tmp_path: Path) -> None:
    """Trap: seat and strategy must not be confounded."""
    games = play(lambda strategy, seat: 2.0 if seat == 1 else 1.0, players=(3,), blocks=1200)
    table = judged(tmp_path / "run", games, {"seats": 5, "strategies": {"above": 5, "below": 5, "viable": 3}})
    seats = row(table, "seats")
    assert (seats.verdict, seats.who) == (VIOLATED, "seat 1")
    for key in ("above", "below", "viable"):
        assert row(table, f"strategies.{key}").verdict == HOLDS


def test_capped_games_stay_in_the_denominator_and_are_told(tmp_path: Path) -> None:
    """Trap: leaving unfinished games out makes shares of wins look like shares of games."""
    games = play(lambda strategy, seat: 6.0 if seat == 1 else 1.0, players=(2,), blocks=300, capped=0.4)
    table = judged(tmp_path / "run", games, {"seats": 5, "unfinished": 10})
    seats, cut = row(table, "seats"), row(table, "unfinished")
    capped = sum(game.end == "turn_cap" for game in games) / len(games)
    won = sum(1 in game.winners for game in games) / len(games)
    assert seats.games == len(games)
    assert abs(seats.effect) == pytest.approx(won + capped / 2 - 0.5)
    assert (cut.verdict, cut.effect) == (VIOLATED, pytest.approx(capped))
    assert seats.undecided == pytest.approx(capped)
    assert "shared evenly" in undecided_note(table)
    assert undecided_note(table[table.target == "unfinished"]) == ""


def test_ties_share_wins(tmp_path: Path) -> None:
    """Trap: counting a tie as a win of each makes everybody better than fair."""
    games = play(players=(2,), blocks=400, ties=0.6)
    table = judged(tmp_path / "run", games, {"seats": 8, "ties": [40, 80], "strategies": {"above": 8}})
    assert set(table.verdict) == {HOLDS}
    won = sum((1 in game.winners) / len(game.winners) for game in games) / len(games)
    assert abs(row(table, "seats").effect) == pytest.approx(abs(won - 0.5))


@pytest.mark.parametrize("part", [0, 2])
def test_a_column_that_is_null_throughout_a_part_breaks_no_query(tmp_path: Path, part: int) -> None:
    """Trap: such a column has no type of its own."""
    path = write_run(tmp_path / "run", play(players=(2,), blocks=40), parts=3)
    name = PartName("standard", 2, part)
    for table, column in (("seats", "caught"), ("games", "margin")):
        file = name.table(path, table)
        pl.read_parquet(file).with_columns(pl.lit(None).alias(column)).write_parquet(file)
    sign(path, name)
    with load(path) as run:
        counted = run.frame("counters")
        assert {"caught", "laid"} <= set(counted.counter)
        assert run.frame("margins").games.tolist() == [80]
        assert len(run.sql("SELECT * FROM verdicts").fetchall()) == len(verdicts(run)) > 0


def test_too_few_blocks_decide_nothing(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: 1e9 if seat == 1 else 1.0, players=(2,), blocks=20)
    table = judged(tmp_path / "run", games, {"turns": [1, 99]})
    assert set(table.verdict) == {OPEN}
    assert status(table) == OPEN
    assert (table.more > 0).all()


def test_more_questions_ask_for_more_certainty(tmp_path: Path) -> None:
    games = play(players=(2,), blocks=200)
    only = {"seats": 7, "strategies": "none", "unfinished": "none"}
    alone = row(judged(tmp_path / "alone", games, only), "seats")
    among = row(judged(tmp_path / "among", games, EVERYTHING | {"seats": 7, "ties": 0.001}), "seats")
    assert among.p > alone.p
    assert among.effect == alone.effect


def test_partial_conjunctions_of_known_p_values() -> None:
    inside, outside = np.array([0.001, 0.01, 0.4]), np.array([1.0, 1.0, 0.03])
    assert partial_conjunction(inside, outside, 3) == (0.4, pytest.approx(3 * 0.03))
    assert partial_conjunction(inside, outside, 2) == (pytest.approx(2 * 0.01), 1.0)
    assert partial_conjunction(inside, outside, 1) == (pytest.approx(3 * 0.001), 1.0)
    assert partial_conjunction(np.array([0.2]), np.array([0.8]), 1) == (0.2, 0.8)


def gap_units(x: np.ndarray, y: np.ndarray, games: int = 4) -> pd.DataFrame:
    """Rows of seat_units.sql from wins per unit and seat in `games` games, in a variant and in the baseline."""
    units, seats = x.shape
    grid = [(unit, seat) for unit in range(units) for seat in range(seats)]
    return pd.DataFrame({
        "players": seats, "seat": [seat + 1 for _, seat in grid], "unit": [unit for unit, _ in grid], "games": games,
        "x": [2520 * x[at] for at in grid], "y": [2520 * y[at] for at in grid],
    })  # fmt: skip


def test_the_change_of_the_gap_between_seats_is_covered_whichever_seat_is_ahead() -> None:
    """The advantage moves from seat 1 to seat 3 and grows from 6 to 10 points: 4 points worse."""
    random, covered, value = np.random.default_rng(3), 0, []
    base, here = [0.31, 0.25, 0.22, 0.22], [0.2, 0.2, 0.35, 0.25]
    for _ in range(200):
        gap = seat_gap(gap_units(random.multinomial(4, here, 400), random.multinomial(4, base, 400)))
        assert gap is not None
        low, high = gap.limits
        covered += low <= 0.04 <= high
        value.append(gap.value)
        assert (gap.against(0.0) < 0.05) == (low > 0 or high < 0)
    assert covered >= 188
    assert np.mean(value) == pytest.approx(0.04, abs=0.01)


def test_a_fair_game_against_a_fair_game_has_no_wider_gap() -> None:
    """Both gaps look larger than they are; their change has no clear sign."""
    random = np.random.default_rng(5)
    wider = 0
    for _ in range(200):
        gap = seat_gap(gap_units(*(random.multinomial(4, [0.25] * 4, 200) for _ in "xy")))
        assert gap is not None
        wider += gap.limits[0] > 0
    assert wider <= 10


def test_the_words_say_what_is_wanted_and_what_was_found(fair: pd.DataFrame) -> None:
    texts = {wanted(entry._asdict()) for entry in fair.itertuples()}
    assert "every seat within ±6 points of its fair share" in texts
    assert "turns: 25 to 40 on average" in texts
    assert "at least 2 viable strategies (at most 5 points below fair)" in texts
    assert "the gap between seats: at most 3 points more than in the baseline" in texts
    assert "best less worst score: −1 to 1 against the baseline" in texts
    assert "unfinished games: at most 5 %" in texts
    slow = row(fair, "changes.turns", variant="slow", players=2)
    assert measured(slow._asdict()).startswith("+4.00 turns, 3.90 to 4.10")
    found = [line.verdict for line in lines(fair)]
    assert f"{found.count(VIOLATED)} is violated" in answer(fair)
    assert f"{found.count(HOLDS)} hold" in answer(fair)
    assert answer(fair[:0]) == "No target is set."


@pytest.mark.parametrize(
    ("target", "more", "said"),
    [
        ("ties", [4031.0], "about 4,100 more games a case"),
        ("ties", [4031.0, float("nan")], "about 4,100 more games a case"),
        ("runaway", [22_000.0, 480_001.0], "about 22,000 to 490,000 more recorded games, by case"),
        ("ties", [22_000.0, float("inf")], "about 22,000 more games or many more, by case"),
        ("ties", [float("nan")] * 2, "too few games to say how many more"),
    ],
)
def test_how_many_games_are_missing_is_told_from_the_least_to_the_most(
    target: str, more: list[float], said: str
) -> None:
    assert still_needed(pd.DataFrame({"target": target, "more": more})) == said


@pytest.mark.parametrize(
    ("verdicts_", "said"),
    [
        ([VIOLATED, HOLDS, OPEN], "Of 3 targets, 1 is violated (ties), 1 holds and 1 needs more games."),
        ([VIOLATED] * 3 + [HOLDS], "Of 4 targets, 3 are violated and 1 holds."),
        ([HOLDS], "The target holds."),
        ([VIOLATED] * 2, "Both targets are violated (ties; ties)."),
        ([HOLDS] * 3, "All 3 targets hold."),
        ([OPEN], "The target needs more games."),
        ([OPEN] * 2, "Neither target is decided yet."),
        ([OPEN] * 4, "Not one of the 4 targets is decided yet."),
    ],
)
def test_the_answer_names_what_little_is_violated(
    monkeypatch: pytest.MonkeyPatch, fair: pd.DataFrame, verdicts_: list[str], said: str
) -> None:
    found = [verdict_words.Line(verdict, "ties", "found") for verdict in verdicts_]
    monkeypatch.setattr(verdict_words, "lines", lambda _: found)
    assert answer(fair) == said


@pytest.mark.parametrize(
    ("more", "said"),
    [(4031.0, "about 4,100 more"), (7.0, "about 7 more"), (96.0, "about 96 more"), (float("inf"), "so near the bound"),
     (float("nan"), "too few games")],
)  # fmt: skip
def test_how_many_more_games_is_told_in_two_digits(more: float, said: str) -> None:
    assert needed(more).startswith(said)


def test_that_many_more_games_would_decide(tmp_path: Path) -> None:
    games = play(players=(2,), blocks=2400)
    first = row(
        judged(tmp_path / "first", games[:200], {"seats": 7, "strategies": "none", "unfinished": "none"}), "seats"
    )
    assert first.verdict == OPEN
    enough = int(200 + first.more)
    assert enough < len(games)
    later = judged(
        tmp_path / "later", games[: 2 * (enough // 2)], {"seats": 7, "strategies": "none", "unfinished": "none"}
    )
    assert row(later, "seats").verdict == HOLDS
