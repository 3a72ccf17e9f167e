"""Any two variants, of one run or of two: paired where deals are common, told as independent where they are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.compare import Comparison, compare
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import summarise
from flocksim.reports.compare import comparison_text
from flocksim.simulate.errors import FlocksimError

from tests.unit.test_analysis_run_folder import Game, play, write_run


def games(seed: int = 1, blocks: int = 120) -> list[Game]:
    return play(
        lambda strategy, seat: 1.5 if seat == 1 else 1.0, players=(2, 3), blocks=blocks,
        variants=("std", "slow", "mid"), turns=lambda variant: {"std": 30, "slow": 40, "mid": 33}[variant],
        ties=0.1, stuck=0.05, seed=seed,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compare")
    write_run(path / "one", games())
    write_run(path / "twin", games(), seed=5)
    write_run(path / "fresh", games(seed=9), seed=6)
    return path


def row(found: Comparison, name: str, players: int = 2) -> Any:
    table = found.table
    (only,) = table[(table.name == name) & (table.players == players)].itertuples()
    return only


@pytest.fixture(scope="module")
def within(folders: Path) -> Comparison:
    return compare(folders / "one", "slow", "mid")


def test_variants_that_are_not_the_baseline_are_compared(within: Comparison) -> None:
    assert (within.one, within.two, within.paired) == ("slow", "mid", True)
    turns = row(within, "turns")
    assert (turns.one - 40, turns.two - 33) == (pytest.approx(turns.one - 40), pytest.approx(turns.one - 40))
    assert turns.difference == pytest.approx(-7)
    assert turns.clear
    assert turns.saved > 0.99
    assert within.rules.values.tolist() == [["size", 1, 2]]


def test_other_players_are_told_and_no_rule_is_blamed_for_them(tmp_path: Path, within: Comparison) -> None:
    """The second variant of a study of tiers is played by others."""
    both = [replace(game, strategies=("expert",) * len(game.strategies)) if game.variant == "slow" else game
            for game in games() if game.variant != "mid"]  # fmt: skip
    write_run(tmp_path / "tiers", both)
    found = compare(tmp_path / "tiers", "std", "slow")
    assert (found.same_players, within.same_players) == (False, True)
    assert "the players' as well as the rules'" in comparison_text(found)
    assert "the players'" not in comparison_text(within)


def test_the_answer_is_the_reports_where_the_first_is_the_baseline(folders: Path) -> None:
    found = compare(folders / "one", "std", "slow").table
    with load(folders / "one") as run:
        results = summarise(run)
    for kind, name, table in (("game", "measure", results.variant_measures), ("seat", "seat", results.variant_seats)):
        theirs = table[table.variant == "slow"]
        for mine in found[found.kind == kind].itertuples():
            (same,) = theirs[(theirs[name].astype(str) == mine.name) & (theirs.players == mine.players)].itertuples()
            assert (mine.difference, mine.low, mine.high) == (same.difference, same.low, same.high)


def test_a_variant_against_itself_differs_by_exactly_nothing(folders: Path) -> None:
    found = compare(folders / "one", "slow", "slow")
    assert (found.table[["difference", "low", "high"]] == 0).all(axis=None)
    assert found.table.alike.all()
    assert not found.table.clear.any()
    text = comparison_text(found)
    assert "Every game is the same, move for move." in text
    assert "No rule differs." in text


def test_two_runs_of_one_seed_are_paired_as_one_run_is(folders: Path, within: Comparison) -> None:
    found = compare(folders / "one", "slow", "mid", folders / "twin")
    assert found.paired
    pd.testing.assert_frame_equal(found.table, within.table)
    assert compare(folders / "one", "slow", "slow", folders / "twin").two == "slow (the other run)"


def test_two_runs_of_different_seeds_are_independent_samples_and_it_says_so(folders: Path, within: Comparison) -> None:
    found = compare(folders / "one", "slow", "mid", folders / "fresh")
    assert not found.paired
    assert "Not paired" in comparison_text(found)
    assert "Paired by block" in comparison_text(within)
    for name in ("turns", "seat 1", "tied"):
        mine, pairs = row(found, name.removeprefix("seat ")), row(within, name.removeprefix("seat "))
        assert np.isnan(mine.saved)
        assert mine.low < pairs.difference < mine.high
    turns = row(found, "turns")
    assert turns.clear
    assert turns.high - turns.low > 2 * (row(within, "turns").high - row(within, "turns").low)
    assert not row(found, "tied").clear


def test_effect_sizes_are_standardised(within: Comparison) -> None:
    turns, seat = row(within, "turns"), row(within, "1")
    lengths = {variant: [game.turns for game in games() if game.variant == variant and len(game.strategies) == 2]
               for variant in ("slow", "mid")}  # fmt: skip
    deviation = np.sqrt(np.mean([np.var(values, ddof=1) for values in lengths.values()]))
    assert turns.size == pytest.approx(-7 / deviation)
    assert seat.size == pytest.approx(2 * np.arcsin(np.sqrt(seat.two)) - 2 * np.arcsin(np.sqrt(seat.one)))


def test_what_cannot_be_compared_is_one_line(folders: Path, tmp_path: Path) -> None:
    toy = {"name": "other", "title": "Other", "version": 1, "score_word": "", "provenance": ""}
    write_run(tmp_path / "other", play(players=(2,), blocks=5, variants=("slow",)), game=toy)
    write_run(tmp_path / "five", play(players=(5,), blocks=5, variants=("slow",)))
    for arguments, part in (
        (("std", "slwo"), "did you mean 'slow'"),
        (("std", "slow", tmp_path / "other"), "Toy and Other cannot be compared"),
        (("std", "slow", tmp_path / "five"), "no number of players in common"),
        (("std", "mid", tmp_path / "five"), "unknown variant 'mid'"),
    ):
        with pytest.raises(FlocksimError, match=part) as caught:
            compare(folders / "one", *arguments)
        assert "\n" not in str(caught.value)
