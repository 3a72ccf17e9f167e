"""The arc of a game: leads, comebacks, choice, when it is decided, and how long it goes on, on courses made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.arc import Arc, arc_of, calibrated
from flocksim.analysis.estimates import Order, cells_of
from flocksim.analysis.run_folder import load
from flocksim.analysis.survival import survival
from flocksim.analysis.tables import summarise
from flocksim.analysis.verdict_words import lines
from flocksim.analysis.verdicts import HOLDS, OPEN, VIOLATED, verdicts
from flocksim.analysis.win_chance import Course, chances, decided_at, fit, softmax
from flocksim.analysis.words import exact
from flocksim.reports.arc import Lines, arc_section, survival_picture
from flocksim.reports.arc import lines as lines_of

from tests.unit.test_analysis_run_folder import Game, write_run

AHEAD = ((1, 0), (2, 0), (2, 1), (3, 1))
"""Seat 1 leads all the time."""
TURNED = ((1, 0), (1, 1), (1, 2), (1, 2), (3, 2), (3, 2), (3, 2), (3, 4), (4, 4), (5, 4))
"""Leads: 1, both, 2, 2, 1, 1, 1, 2, both, 1."""


def tables(path: Path, games: Sequence[Game]) -> Arc:
    with load(write_run(path / "run", games)) as run:
        order = Order(run.manifest)
        return arc_of(run, order, cells_of(run, order))


def played(course: tuple[tuple[int, ...], ...], winners: tuple[int, ...] = (1,), **more: Any) -> Game:
    return Game(("a", "b", "c")[: len(course[0])], winners, len(course), course=course, **more)


def row(table: pd.DataFrame, **where: Any) -> Any:
    for key, value in where.items():
        table = table[table[key] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_the_lead_changes_when_another_seat_leads_alone(tmp_path):
    """A tie in between does not count, neither for who leads before it nor for who leads after it."""
    level = played(((0, 0), (0, 0), (0, 0)), block=2)
    found = tables(tmp_path, [played(TURNED), played(AHEAD, block=1), level]).arc
    changes = row(found, measure="lead_changes")
    assert (changes["mean"], changes.games) == (pytest.approx(4 / 3), 3)  # 1 to 2 to 1 to 2 to 1, none, none


def test_the_curve_follows_the_tenths_of_a_game(tmp_path):
    """Ten turns: a row a tenth. Seat 1 wins; seat 2 leads alone after turns 3, 4 and 8."""
    curve = tables(tmp_path, [played(TURNED, block=block) for block in range(40)]).curve
    wins = curve[curve.measure == "runaway"].set_index("tenth")["mean"]
    assert wins.to_dict() == {1: 1, 3: 0, 4: 0, 5: 1, 6: 1, 7: 1, 8: 0, 10: 1}
    alone = curve[curve.measure == "alone"].set_index("tenth")["mean"]
    assert alone[alone == 0].index.to_list() == [2, 9]
    auc = curve[curve.measure == "auc"].set_index("tenth")["mean"]
    assert auc.to_dict() == {1: 1, 2: 0.5, 3: 0, 4: 0, 5: 1, 6: 1, 7: 1, 8: 0, 9: 0.5, 10: 1}


def test_the_ribbon_is_of_the_winner_against_the_best_other(tmp_path):
    """Three games: the winner is ahead, behind, or neither; one that two seats share is left out."""
    games = [played(TURNED), played(TURNED, (2,), block=1), played(TURNED, (1, 2), block=2), played(TURNED, block=3)]
    ribbon = tables(tmp_path, games).ribbon.set_index("tenth")
    assert ribbon.games.tolist() == [3] * 10
    assert ribbon["median"].tolist() == [1, 0, -1, -1, 1, 1, 1, -1, 0, 1]
    assert ribbon.p25.tolist() == [-1, 0, -1, -1, -1, -1, -1, -1, 0, -1]
    three = played(((4, 2, 3), (4, 6, 3)), (2,))
    other = tables(tmp_path / "three", [three]).ribbon.set_index("tenth")["median"]
    assert (other[1], other[10]) == (-2, 2)


def test_turns_without_a_row_keep_the_standings_before_them(tmp_path):
    """A game of 20 turns of which only the first ten are noted: half-time is after turn 10, a tenth after turn 2."""
    games = [Game(("a", "b"), (1,), 20, block=block, course=TURNED) for block in range(40)]
    curve = tables(tmp_path, games).curve
    auc = curve[curve.measure == "auc"].set_index("tenth")["mean"]
    assert (auc[1], auc[2], auc[5], auc[10]) == (0.5, 0, 1, 1)


def test_auc_compares_winners_with_the_others_of_their_game(tmp_path):
    """Three seats, two winners: of the pairs (1, 3) and (2, 3) one is right and one level. All win: no pair."""
    shared = played(((4, 2, 2),), (1, 2))
    alike = played(((4, 2, 2),), (1, 2, 3), block=1)
    nobody = played(((4, 2, 2),), (), end="turn_cap", block=2)
    curve = tables(tmp_path, [shared, alike, nobody]).curve
    auc = row(curve, measure="auc", tenth=10)
    assert (auc["mean"], auc.games) == (0.75, 2)
    led = row(curve, measure="runaway", tenth=10)
    assert led["mean"] == pytest.approx((1 / 2 + 1 / 3 + 1 / 3) / 3), "ties share wins, and so does a game nobody won"


def test_half_time_is_what_the_summary_tells(tmp_path):
    games = [played(TURNED if block % 4 else TURNED[:2] * 5, block=block) for block in range(80)]
    found = tables(tmp_path, games).arc
    assert row(found, measure="alone")["mean"] == 1  # 1-0 after an odd number of turns
    assert row(found, measure="runaway")["mean"] == 1


def test_comebacks_go_by_the_deficit_at_half_time(tmp_path):
    """Half of those one behind win, none of those four behind; who leads or is level is not behind."""
    games = [played(((2, 1), (2, 1), (3, 3)), (1 + block % 2,), block=block) for block in range(40)]
    games += [played(((5, 1), (5, 1), (5, 3)), (1,), block=block) for block in range(40, 70)]
    games += [played(((5, 5), (5, 5), (5, 3)), (1,), block=block) for block in range(70, 99)]
    found = tables(tmp_path, games).comebacks
    assert found[["deficit", "upto", "games", "mean"]].to_numpy().tolist() == [[1, 3, 40, 0.5], [4, 4, 30, 0.0]]
    assert found.low.iloc[0] < 0.5 < found.high.iloc[0]
    assert 0 < found.high.iloc[1] < 0.15, "none in 30 is not none"


def test_many_deficits_come_in_bands(tmp_path):
    games = [played(((100 + block, 99),), (1,), block=block) for block in range(80)]
    found = tables(tmp_path, games).comebacks
    assert found.games.sum() == 80
    assert len(found) == 8
    assert found.games.between(9, 11).all()
    assert (found.deficit.iloc[1:].to_numpy() == found.upto.iloc[:-1].to_numpy() + 1).all()


def test_choice_is_counted_by_decision(tmp_path):
    """The hand-made courses have two decisions a turn, one of them forced, the other with turn + 1 actions."""
    found = tables(tmp_path, [played(TURNED), played(AHEAD, block=1)])
    options, forced = row(found.arc, measure="options"), row(found.arc, measure="forced")
    assert options.games == 28
    assert options["mean"] == pytest.approx(sum(2 + turn for turn in (*range(1, 11), *range(1, 5))) / 28)
    assert forced["mean"] == 0.5
    last = row(found.branching, tenth=10, measure="options")
    assert last["mean"] == pytest.approx((12 + 6) / 4)


def test_what_is_not_recorded_says_nothing(tmp_path):
    found = tables(tmp_path, [Game(("a", "b"), (1,), block=block) for block in range(40)])
    assert found.arc.empty
    assert found.curve.empty
    assert found.comebacks.empty
    assert found.decided.empty
    assert not found.survival.empty, "lengths are known of all games"
    with load(tmp_path / "run") as run:
        assert arc_section(summarise(run)) is None


def test_a_lone_player_has_choice_and_no_lead(tmp_path):
    games = [Game(("a",), (1,), 3, block=block, course=((1,), (2,), (3,))) for block in range(40)]
    found = tables(tmp_path, games)
    assert set(found.arc.measure) == {"options", "forced"}
    assert found.curve.empty
    assert found.comebacks.empty
    assert found.decided.empty


def test_blocks_are_what_intervals_rest_on(tmp_path):
    """The same games, four to a block that all go alike: as wide as a fourth of them."""
    apart = [played(TURNED if block % 2 else AHEAD, block=block) for block in range(200)]
    bundled = [played(TURNED if game // 4 % 2 else AHEAD, block=game // 4) for game in range(200)]
    few = [played(TURNED if block % 2 else AHEAD, block=block) for block in range(50)]
    widths = []
    for place, games in enumerate((apart, bundled, few)):
        (tmp_path / str(place)).mkdir()
        changes = row(tables(tmp_path / str(place), games).arc, measure="lead_changes")
        widths.append(changes.high - changes.low)
    assert widths[1] == pytest.approx(widths[2])
    assert widths[1] > 1.9 * widths[0]


# --- the win-chance model ---


def course(games: int, turns: int, seed: int, strength: float) -> Course:
    """Games of three seats whose standings are random walks; who wins is drawn by softmax(strength * standing)."""
    rng = np.random.default_rng(seed)
    walks = rng.integers(0, 2, (games, turns, 3)).cumsum(axis=1)
    p = softmax(strength * walks[:, -1].astype(float))
    winner = (rng.random((games, 1)) > p.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    won = np.repeat(np.eye(3)[winner][:, None], turns, axis=1)
    game = np.repeat(np.arange(games), turns)
    turn = np.tile(np.arange(1, turns + 1), games)
    return Course(game, game, turn, np.full(len(game), turns), turn % 3, walks.reshape(-1, 3).astype(float),
                  won.reshape(-1, 3))  # fmt: skip


def test_a_fit_finds_the_weights_that_drew_the_winners():
    rng = np.random.default_rng(3)
    features = rng.normal(size=(40_000, 4, 2))
    p = softmax(features @ np.array([0.8, -0.5]))
    winner = (rng.random((len(p), 1)) > p.cumsum(axis=1)).sum(axis=1).clip(0, 3)
    assert fit(features, np.eye(4)[winner]) == pytest.approx([0.8, -0.5], abs=0.03)


def test_a_feature_that_tells_the_winner_for_sure_does_not_run_away():
    features = np.tile(np.array([[[1.0], [0.0]]]), (50, 1, 1))
    won = np.tile([[1.0, 0.0]], (50, 1))
    assert 2 < fit(features, won)[0] < 20


def test_chances_are_calibrated_on_games_that_the_model_never_saw():
    games = course(3000, 20, 5, 0.7)
    found = chances(games)
    assert found.sum(axis=1) == pytest.approx(1)
    told = calibrated(games, found)
    big = told[told.games > 500]
    assert len(big) >= 5
    assert (big["mean"] - big.chance).abs().max() < 0.06
    assert ((big.low <= big.chance) & (big.chance <= big.high)).mean() >= 0.7


def test_luck_alone_gives_everybody_a_fair_chance():
    found = chances(course(3000, 20, 6, 0.0))
    assert np.abs(found - 1 / 3).max() < 0.15


def test_what_is_said_of_a_game_does_not_rest_on_how_it_ended():
    """Other winners in a half of the units change what is said of the other half, not of this one."""
    games = course(400, 10, 7, 0.7)
    before, half = chances(games), games.unit % 2 == 0
    games.won[half] = np.roll(games.won[half], 1, axis=1)
    after = chances(games)
    assert (after[half] == before[half]).all()
    assert np.abs(after[~half] - before[~half]).max() > 0.05


def test_a_game_is_decided_once_the_winner_stays_above():
    """Four games: after turn 3 for good; at the end only; shared; from the first turn on."""
    won = [(1, 0), (1, 0), (0.5, 0.5), (0, 1)]
    said = [(0.95, 0.5, 0.95, 0.99), (0.95, 0.95, 0.9, 0.2), (0.99, 0.99, 0.99, 0.99), (0.05, 0.05, 0.05, 0.05)]
    found = np.array([[p, 1 - p] for game in said for p in game])
    game = np.repeat(np.arange(4), 4)
    made = Course(game, game, np.tile(np.arange(1, 5), 4), np.full(16, 4), game, np.zeros((16, 2)),
                  np.repeat(np.array(won, float), 4, axis=0))  # fmt: skip
    settled = decided_at(made, found, 0.9)
    assert settled.turn.tolist() == [3, 4, 4, 1]
    assert settled.never.tolist() == [False, True, True, False]


def test_a_run_tells_when_its_games_are_decided(tmp_path):
    """Seat 1 gets ahead at turn 3 of 4 and always wins; or seat 2 does."""
    one, two = ((0, 0), (0, 0), (3, 0), (4, 0)), ((0, 0), (0, 0), (0, 3), (0, 4))
    games = [played(one, (1,), block=b) if b // 2 % 2 else played(two, (2,), block=b) for b in range(200)]
    found = tables(tmp_path, games)
    assert row(found.arc, measure="decided")["mean"] == 0.75
    assert found.decided[["median", "never"]].iloc[0].tolist() == [0.75, 0.0]
    assert (
        found.calibration.games.sum() == 200 * 2 * 3
    )  # seats, and tenths of which three end with a turn before the last


def test_few_units_have_no_model(tmp_path):
    found = tables(tmp_path, [played(AHEAD, block=block) for block in range(29)])
    assert found.decided.empty
    assert found.calibration.empty
    assert "decided" not in set(found.arc.measure)
    with load(tmp_path / "run") as run:
        results = summarise(run)
        assert not [finding for finding in results.findings if finding.topic == "arc"]
        assert "calibration" not in [picture.name for picture in arc_section(results).pictures]


# --- survival ---


def lengths(turns: Sequence[int], won: Sequence[bool], unit: Sequence[int] | None = None) -> pd.DataFrame:
    rows = {"unit": range(len(turns)) if unit is None else unit, "turns": turns, "won": won}
    return pd.DataFrame(rows).groupby(["unit", "turns", "won"], as_index=False).size().rename(columns={"size": "games"})


def test_survival_is_kaplan_and_meier_s_with_greenwood_s_variance():
    from statsmodels.duration.survfunc import SurvfuncRight

    rng = np.random.default_rng(1)
    turns, won = rng.integers(5, 15, 300), rng.random(300) < 0.7
    found = survival(lengths(turns, won)).set_index("turns")
    expected = SurvfuncRight(turns, won.astype(int))
    mine = found.loc[expected.surv_times]
    assert mine.share.to_numpy() == pytest.approx(expected.surv_prob)
    middle = mine[(mine.share > 0) & (mine.share < 1)]
    logs = np.log(-np.log(middle[["low", "high"]]))
    spread = (logs.low - logs.high) / 2 / 1.968 * np.abs(np.log(middle.share)) * middle.share  # t of 299
    assert spread.to_numpy() == pytest.approx(np.asarray(expected.surv_prob_se)[: len(middle)], rel=0.01)


def test_games_cut_off_stay_at_risk_until_then_and_win_nothing():
    found = survival(lengths([2, 3, 3, 4], [True, False, True, True])).set_index("turns")
    assert found.going.tolist() == [4, 3, 1]
    assert found.share.tolist() == pytest.approx([3 / 4, 3 / 4 * 2 / 3, 0])


def test_survival_respects_blocks():
    rng = np.random.default_rng(2)
    turns = rng.integers(5, 15, 100)
    alone = survival(lengths(turns, [True] * 100)).set_index("turns")
    bundled = survival(lengths(np.repeat(turns, 4), [True] * 400, np.repeat(np.arange(100), 4))).set_index("turns")
    assert bundled[["share", "low", "high"]].to_numpy() == pytest.approx(alone[["share", "low", "high"]].to_numpy())


def test_where_every_game_is_cut_off_none_is_won(tmp_path):
    games = [played(AHEAD, (), end="turn_cap", block=block) for block in range(40)]
    found = tables(tmp_path, games).survival
    assert found.share.tolist() == [1.0]
    assert 0.8 < found.low.iloc[0] < 1


# --- targets ---


def judged(path: Path, targets: dict[str, Any], games: Sequence[Game]) -> pd.DataFrame:
    config = {"targets": {"seats": "none", "strategies": "none", "unfinished": "none"} | targets}
    with load(write_run(path / "run", games, config=config)) as run:
        return verdicts(run)


def mixed(blocks: int) -> list[Game]:
    """The lead changes four times or never; who leads at half-time, seat 1, wins three of four."""
    return [
        played(TURNED if block % 2 else AHEAD, (2 if block % 4 == 3 else 1,), block=block) for block in range(blocks)
    ]


@pytest.mark.parametrize(
    ("targets", "verdict"),
    [
        ({"lead_changes": [1, 3]}, HOLDS),
        ({"lead_changes": ["any", 1]}, VIOLATED),
        ({"lead_changes": [2, "any"]}, OPEN),
        ({"runaway": 90}, HOLDS),
        ({"runaway": [40, 60]}, VIOLATED),
        ({"runaway": 76}, OPEN),
    ],
)
def test_targets_on_the_course_of_games(tmp_path, targets, verdict):
    table = judged(tmp_path, targets, mixed(400))
    assert table.verdict.tolist() == [verdict]
    assert table.effect.iloc[0] == pytest.approx(2 if "lead_changes" in targets else 0.75)
    words = str(lines(table)[0])
    assert ("changes of the lead" if "lead_changes" in targets else "leads alone at half-time") in words


@pytest.mark.parametrize(
    ("targets", "verdict", "effect"),
    [
        ({"lead_changes": [-3, -1]}, HOLDS, -2),
        ({"lead_changes": [-1, 1]}, VIOLATED, -2),
        ({"runaway": 40}, HOLDS, 0.25),
        ({"runaway": 10}, VIOLATED, 0.25),
        ({"runaway": [20, 26]}, OPEN, 0.25),
    ],
)
def test_targets_on_what_a_variant_changes_in_the_course_of_games(tmp_path, targets, verdict, effect):
    """In the variant the lead never changes, and who has it wins."""
    calm = [replace(played(AHEAD, (1,), block=block), variant="calm") for block in range(400)]
    table = judged(tmp_path, {"changes": targets}, [*mixed(400), *calm])
    assert (table.verdict.tolist(), table.variant.tolist()) == ([verdict], ["calm"])
    assert table.effect.iloc[0] == pytest.approx(effect)
    words = str(lines(table)[0])
    assert ("changes of the lead" if "lead_changes" in targets else "leads alone at half-time") in words
    assert table.games.tolist() == [400]


def test_targets_are_judged_by_recorded_games(tmp_path):
    games = mixed(100) + [Game(("a", "b"), (1,), block=block) for block in range(100, 500)]
    table = judged(tmp_path, {"runaway": 78}, games)
    assert table.games.tolist() == [100]
    assert "recorded games" in str(lines(table)[0])


# --- the report ---


def test_when_games_are_decided_is_drawn_where_some_are_early(tmp_path):
    """Seat 1 or 2 leads by far from turn 3 of 20 on, and wins."""
    far = [tuple((9 * turn, 0)[::way] for turn in range(1, 21)) for way in (1, -1)]
    games = [Game(("a", "b"), (1 + block % 2,), 20, block=block, course=far[block % 2]) for block in range(400)]
    with load(write_run(tmp_path / "run", games)) as run:
        results = summarise(run)
    picture = {picture.name: picture for picture in arc_section(results).pictures}["decided"]
    assert 0.1 < results.decided["median"].iloc[0] < 0.9
    assert f"with 2 players {exact(results.decided['median'].iloc[0])}" in picture.alt


def test_lines_get_their_names_where_their_ends_are_apart():
    far, near = (
        pd.DataFrame({
            "variant": ["one", "one", "two", "two"], "players": 2, "turns": [0, 100, 0, 100],
            "mean": [0.2, 0.3, 0.2, end], "low": 0.1, "high": 0.9,
        })
        for end in (0.8, 0.31)
    )  # fmt: skip
    spec = Lines("turns", "mean", "% of a game's turns", "wins, %", part=True)
    assert [text.get_text() for text in lines_of(far, spec).axes[0].texts] == ["one", "two"]
    legends = lines_of(near, spec).legends
    assert [text.get_text() for text in legends[0].get_texts()] == ["one", "two"]
    assert lines_of(far, spec).legends == []


def test_shares_are_drawn_from_0_to_100_percent():
    table = pd.DataFrame({
        "variant": "one", "players": 2, "chance": [2.0, 99.0], "mean": [0.0, 1.0], "low": [0.0, 0.9],
        "high": [0.1, 1.0],
    })  # fmt: skip
    axis = lines_of(table, Lines("chance", "mean", "chance, %", "won, %", part=True), diagonal=True).axes[0]
    assert axis.get_xlim() == (0, 100)
    assert axis.get_ylim() == (0, 100)


def test_survival_is_drawn_without_its_tail(tmp_path):
    """A game of 1,000 turns among 400 short ones is in the table, but makes the figure no wider."""
    games = [Game(("a", "b"), (1,), 10 + block % 5, block=block) for block in range(400)]
    with load(write_run(tmp_path / "run", [*games, Game(("a", "b"), (1,), 1000, block=400)])) as run:
        results = summarise(run)
    assert results.survival.turns.max() == 1000
    picture = survival_picture(results)
    assert "until 0.5 % are left" in picture.caption
    assert ">1000<" not in picture.svg


def test_the_report_tells_the_arc(tmp_path):
    with load(write_run(tmp_path / "run", mixed(400))) as run:
        results = summarise(run)
    section = arc_section(results)
    text = " ".join(section.sentences)
    assert "changes hands 2.00 times a game" in text
    assert "goes on to win 75" in text
    assert "50.00 % of decisions leave no choice" in text
    cells = dict(zip(section.grids[0].columns, section.grids[0].rows[0], strict=True))
    assert cells["recorded"] == "400"
    assert cells["and wins, %"].startswith("75.0 (")
    pictures = {picture.name: picture for picture in section.pictures}
    assert list(pictures) == ["ribbon", "runaway", "comebacks", "calibration"]  # nothing is decided early
    assert "75.0 %" in pictures["runaway"].alt
    assert "with 2 players +1 (middle half −1 to +2)" in pictures["ribbon"].alt
    assert "Half are won after: standard with 2 players 4" in survival_picture(results).alt
