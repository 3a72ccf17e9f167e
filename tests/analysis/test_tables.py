"""Result tables of small and of simulated studies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from flocksim.analysis.rows import records
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise

from tests.unit.test_analysis_run_folder import PAIR, Game, play, write_run

LINEUPS = list(itertools.product("ab", repeat=3))


def study(path: Path, games: Sequence[Game], **changes: Any) -> Results:
    """The result tables of a run of these games."""
    with load(write_run(path / "run", games, **changes)) as run:
        return summarise(run)


def only(table: pd.DataFrame, **values: Any) -> Any:
    """The one row with these values."""
    for name, value in values.items():
        table = table[table[name] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_shares_of_all_games_with_worst_and_best(tmp_path: Path) -> None:
    results = study(tmp_path, PAIR)
    # Of 4 games seat 1 won 1.5 ordinary ones; the stuck and the capped one could have gone either way, and the
    # capped one, which nobody won, counts half.
    first = only(results.seats, seat=1)
    assert (first.share, first.won, first.worst, first.best, first.fair) == (0.5, 0.375, 0.375, 0.875, 0.5)
    # Seat 2 won the stuck game: that counts as a win, and not at worst.
    second = only(results.seats, seat=2)
    assert (second.share, second.won, second.worst, second.best) == (0.5, 0.375, 0.125, 0.625)
    assert only(results.strategies, strategy="b").worst == 0.125


def test_edges_are_even_when_the_games_won_are_split_evenly(tmp_path: Path) -> None:
    results = study(tmp_path, play(blocks=60, capped=0.5, strategies=("a",)))
    assert results.seats.won.max() < 0.25
    assert results.seats.share.sum() == pytest.approx(1)
    assert results.seats.edge.sum() == pytest.approx(0)
    assert not results.seats.claim.any()


def test_endings_are_counted_apart(tmp_path: Path) -> None:
    results = study(tmp_path, PAIR)
    shares = dict(zip(results.endings.measure, results.endings.share, strict=True))
    assert shares == {"win": 0.5, "stuck": 0.25, "deadlock": 0.0, "turn_cap": 0.25, "tied": 0.25}


def test_length(tmp_path: Path) -> None:
    results = study(tmp_path, PAIR)
    assert only(results.length, measure="turns")["mean"] == 14
    spread = results.spread.iloc[0]
    assert (spread.shortest, spread["median"], spread.longest) == (10, 12, 20)


def test_equal_variants_differ_by_exactly_nothing(tmp_path: Path) -> None:
    results = study(tmp_path, play(blocks=80, variants=("one", "two"), stuck=0.1, capped=0.1, ties=0.1))
    for table in (results.variant_measures, results.variant_seats, results.variant_strategies):
        assert len(table)
        assert (table[["difference", "low", "high"]] == 0).all(axis=None)
        assert not table.claim.any()


def test_a_longer_variant_is_found_and_pairing_helps(tmp_path: Path) -> None:
    games = play(blocks=120, variants=("one", "two"), turns=lambda variant: 34 if variant == "two" else 30)
    row = only(study(tmp_path, games).variant_measures, measure="turns")
    assert row.difference == 4
    assert 3 < row.low < 4 < row.high < 5
    assert row.claim
    assert row.relative_low < row.relative < row.relative_high
    assert row.variance_reduction == pytest.approx(1)


def test_variance_saved_needs_a_hundred_blocks(tmp_path: Path) -> None:
    for blocks in (99, 100):
        results = study(tmp_path / str(blocks), play(blocks=blocks, variants=("one", "two")))
        assert only(results.variant_measures, measure="turns").variance_reduction == pytest.approx(
            1 if blocks == 100 else math.nan, nan_ok=True
        )


@pytest.mark.parametrize("seed", range(4))
def test_identical_bots_and_equal_seats_give_no_claim(tmp_path: Path, seed: int) -> None:
    results = study(tmp_path, play(blocks=150, players=(2, 3, 4), seed=seed, stuck=0.05, ties=0.05))
    assert not results.seats.claim.any()
    assert not results.strategies.claim.any()


def test_a_favoured_seat_and_a_strong_strategy_are_found(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: (2.0 if seat == 1 else 1.0) * (3.0 if strategy == "c" else 1.0), blocks=400)
    results = study(tmp_path, games)
    seat = only(results.seats, seat=1)
    assert seat.claim
    assert seat.sure
    assert seat.edge_low > 0
    assert only(results.strategies, strategy="c").claim
    assert only(results.strategies, strategy="a").edge < 0


def test_a_claim_that_unfinished_games_could_undo_is_not_sure(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: 2.0 if seat == 1 else 1.0, blocks=400, stuck=0.6)
    seat = only(study(tmp_path, games).seats, seat=1)
    assert seat.claim
    assert not seat.sure


def test_identical_rotations_are_noticed(tmp_path: Path) -> None:
    games = [replace(game, digest=game.block) for game in play(blocks=100, strategies=("a",))]
    cell = study(tmp_path, games).cells.iloc[0]
    assert (cell.games, cell.distinct_games, cell.blocks, cell.distinct_blocks) == (300, 100, 100, 100)
    assert cell.repeating
    assert cell.repeats == 1


def test_identical_blocks_widen_intervals(tmp_path: Path) -> None:
    games = play(blocks=300, strategies=("a", "b"))
    first = {game.block: game.strategies for game in games if game.rotation == 0}
    plain = study(tmp_path / "plain", games)
    fixed = study(tmp_path / "fixed", [replace(game, digest=LINEUPS.index(first[game.block])) for game in games])
    assert fixed.cells.iloc[0].fixed
    assert fixed.cells.iloc[0].repeats == pytest.approx(300 / 8, rel=0.1)
    ratio = (fixed.seats.high - fixed.seats.low) / (plain.seats.high - plain.seats.low)
    assert (ratio > 3).all()


def test_blocks_that_repeat_by_chance_are_independent(tmp_path: Path) -> None:
    games = play(blocks=300, strategies=("a", "b"))
    plain = study(tmp_path / "plain", games)
    chance = study(tmp_path / "chance", [replace(game, digest=game.block % 7) for game in games])
    assert chance.cells.iloc[0].repeating
    assert not chance.cells.iloc[0].fixed
    assert chance.seats.equals(plain.seats)


def test_one_game_played_over_and_over_supports_nothing(tmp_path: Path) -> None:
    games = [replace(game, winners=(1,), digest=1) for game in play(blocks=100)]
    results = study(tmp_path, games)
    assert results.seats.low.isna().all()
    assert not results.seats.claim.any()


def test_one_block_is_too_little_for_intervals(tmp_path: Path) -> None:
    results = study(tmp_path, play(blocks=1))
    assert results.seats.share.sum() == pytest.approx(1)
    assert results.seats.low.isna().all()
    assert math.isnan(results.length.low.iloc[0])
    assert not any(table.claim.any() for table in results.tables().values() if "claim" in table)


def test_tables_follow_the_manifest(tmp_path: Path) -> None:
    variants = ("zebra", "ant", "mole")
    results = study(tmp_path, play(blocks=4, variants=variants, players=(2, 3)))
    assert list(dict.fromkeys(results.seats.variant)) == list(variants)
    assert list(dict.fromkeys(results.variant_seats.variant)) == ["ant", "mole"]
    assert list(dict.fromkeys(results.counters.counter)) == ["score", "laid", "caught"]
    assert results.baseline == "zebra"


def test_counters(tmp_path: Path) -> None:
    assert only(study(tmp_path, PAIR).counters, strategy="a", counter="laid")["mean"] == 62 / 4


def test_a_lone_player_has_no_rival(tmp_path: Path) -> None:
    games = [Game(("a",), (1,) if block % 3 else (), end="win" if block % 3 else "turn_cap", block=block)
             for block in range(60)]  # fmt: skip
    results = study(tmp_path, games)
    assert not results.seats.claim.any()
    assert results.findings


def test_a_share_of_nothing_has_room_above(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: 1e-9 if strategy == "a" else 1.0, blocks=200, players=(2,))
    games = [game for game in games if game.strategies != ("a", "a")]
    row = only(study(tmp_path, games).strategies, strategy="a")
    assert row.share == 0
    assert row.low == 0
    assert 0 < row.high < 0.05
    assert row.claim


def test_uses_are_held_against_winning(tmp_path: Path) -> None:
    """Seat 1 wins three games of four; whoever wins catches, and so does seat 2 in every other block."""
    games = [
        Game(("a", "b"), (1 if block % 4 else 2,), block=block, caught=(int(block % 4 > 0), 1 - block % 2))
        for block in range(400)
    ]
    results = study(tmp_path, games, uses=["caught"])
    (row,) = records(results.uses)
    assert (row["players"], row["counter"], row["used"]) == (2, "caught", (300 + 200) / 800)
    assert row["with_"] == pytest.approx(400 / 500)
    assert row["without"] == 0
    assert row["difference"] == pytest.approx(0.8)
    assert row["low"] < 0.8 < row["high"] < 0.9
    assert row["claim"]


def test_what_an_action_is_worth(tmp_path: Path) -> None:
    """b is a without something; c plays otherwise. a wins three of four meetings with b and half of those with c."""
    pairs = {("a", "b"): 4, ("a", "c"): 2, ("b", "c"): 2}
    games = [
        Game(pair, (1 if count % every else 2,), block=3 * count + place)
        for count in range(120)
        for place, (pair, every) in enumerate(pairs.items())
    ]
    strategies = [
        {"name": "a", "noise": 0.0, "weights": [1], "line": "x", "without": []},
        {"name": "b", "noise": 0.0, "weights": [1], "line": "y", "without": ["fly-big"]},
        {"name": "c", "noise": 0.0, "weights": [2], "line": "z", "without": ["fly-big"]},
    ]
    (row,) = records(study(tmp_path, games, strategies=strategies).worth)
    assert (row["players"], row["strategy"], row["base"], row["units"]) == (2, "b", "a", 360)
    assert row["free"] == pytest.approx((90 + 60) / 240)
    assert row["restricted"] == pytest.approx((30 + 60) / 240)
    assert row["difference"] == pytest.approx(-0.25)
    assert -0.4 < row["low"] < -0.25 < row["high"] < -0.1
    assert row["claim"]


def test_games_that_nobody_won_are_shared_in_what_an_action_is_worth(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (), end="turn_cap", block=block) for block in range(60)]
    strategies = [{"name": name, "noise": 0.0, "without": kinds} for name, kinds in (("a", []), ("b", ["x"]))]
    (row,) = records(study(tmp_path, games, strategies=strategies).worth)
    assert (row["free"], row["restricted"], row["difference"]) == (0.5, 0.5, 0)
    assert not row["claim"]


def test_no_difference_in_wins_is_no_claim(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (1 + block % 2,), block=block, caught=(1, 0)) for block in range(400)]
    (row,) = records(study(tmp_path, games, uses=["caught", "laid"]).uses)  # everybody has laid something
    assert row["counter"] == "caught"
    assert row["low"] < row["difference"] == 0 < row["high"]
    assert not row["claim"]


BOARD = {
    "places": {"left": [0, 0], "right": [1, 0]},
    "links": [["left", "right"]],
    "marks": {},
    "covers": {"1": ["left"], "2": ["left", "right"]},
}


def test_kinds_of_wins_are_shares_of_the_games_won(tmp_path: Path) -> None:
    """Of 100 games that somebody won, 25 were won in that way; ten more were won by nobody."""
    games = [Game(("a", "b"), (1,), block=block, caught=(int(block % 4 == 0), 0)) for block in range(100)]
    games += [Game(("a", "b"), (), end="turn_cap", block=block, caught=(0, 0)) for block in range(100, 110)]
    (kind,) = records(study(tmp_path, games, win_kinds={"Kinds": ["caught"]}).win_kinds)
    assert (kind["counter"], kind["games"], kind["mean"]) == ("caught", 100, 0.25)
    assert 0.15 < kind["low"] < 0.25 < kind["high"] < 0.36


def test_places_are_shares_of_what_is_named(tmp_path: Path) -> None:
    """Three quarters of what is named covers the left place, a quarter both."""
    games = [Game(("a", "b"), (1,), block=block, caught=(1 + (block % 4 == 0), 0)) for block in range(100)]
    board = {"counter": "caught", "title": "Where", "what": "nests",
             "boards": [{"variant": "standard", "players": 2, **BOARD}]}  # fmt: skip
    left, right = records(study(tmp_path, games, board_map=board).places)
    assert (left["place"], left["games"], left["mean"]) == ("left", 100, 1)
    assert 0.95 < left["low"] < left["high"] == 1
    assert (right["place"], right["mean"]) == ("right", 0.25)
    assert 0.15 < right["low"] < 0.25 < right["high"] < 0.36


def test_a_lone_player_wins_or_loses(tmp_path: Path) -> None:
    """Alone, a wins 3 games of 4 and b one; the other variant is won by both as often as a wins this one."""
    games = [
        Game((who,), (1,) if block % 4 < wins else (), block=2 * block + (who == "b"), variant=variant)
        for variant, chances in (("std", {"a": 3, "b": 1}), ("easy", {"a": 3, "b": 3}))
        for block in range(200)
        for who, wins in chances.items()
    ]
    results = study(tmp_path, games)
    assert results.seats.empty
    assert results.strategies.empty
    won = {(row["variant"], row["strategy"]): row for row in records(results.solo)}
    assert {key: row["won"] for key, row in won.items()} == {
        ("std", ""): 0.5, ("std", "a"): 0.75, ("std", "b"): 0.25, ("easy", ""): 0.75, ("easy", "a"): 0.75,
        ("easy", "b"): 0.75,
    }  # fmt: skip
    assert all(row["low"] < row["won"] < row["high"] < row["won"] + 0.08 for row in won.values())
    (shift,) = records(results.variant_solo)
    assert (shift["variant"], shift["baseline"], shift["value"]) == ("easy", 0.5, 0.75)
    assert shift["low"] < shift["difference"] == 0.25 < shift["high"]
    assert shift["claim"]
    texts = [finding.text for finding in results.findings]
    assert any(text.startswith("A lone player wins 50.0 % of games in std (±") for text in texts)
    assert any(text.startswith("easy against std: a lone player wins 25.0 points more") for text in texts)
