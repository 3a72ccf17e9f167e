"""The metagame: equilibria that are known, copies that share a weight, bands, dominance, circles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.metagame import (
    Metagame,
    clearly_above,
    dominators,
    entropy,
    equilibria,
    equilibrium,
    metagame,
    nash_average,
    payoff,
)  # fmt: skip
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import summarise
from flocksim.reports.metagame import metagame_section

from tests.unit.test_analysis_run_folder import Game, play, write_run

CIRCLE = np.array([[0, 0.2, -0.2], [-0.2, 0, 0.2], [0.2, -0.2, 0]])


def test_equilibria_that_are_known() -> None:
    assert equilibrium(CIRCLE) == pytest.approx([1 / 3] * 3)
    uneven = np.array([[0, 0.3, -0.1], [-0.3, 0, 0.2], [0.1, -0.2, 0]])
    assert equilibrium(uneven) == pytest.approx([1 / 3, 1 / 6, 1 / 2])  # as 0.2 : 0.1 : 0.3
    ladder = np.array([[0, 0.3, 0.3], [-0.3, 0, 0.1], [-0.3, -0.1, 0]])
    assert equilibrium(ladder) == pytest.approx([1, 0, 0])
    for matrix in (CIRCLE, uneven, ladder):
        assert nash_average(matrix) == pytest.approx(equilibrium(matrix), abs=1e-5)


def test_copies_of_a_strategy_share_its_weight_and_equals_weigh_the_same() -> None:
    twice = CIRCLE[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    assert nash_average(twice) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)
    assert nash_average(np.zeros((4, 4))) == pytest.approx([0.25] * 4)


def test_many_equilibria_at_once_are_those_of_one_program_each() -> None:
    random = np.random.default_rng(4)
    noise = random.normal(size=(60, 6, 6)) * 0.05
    matrices = np.concatenate([noise - noise.swapaxes(1, 2), np.zeros((2, 6, 6))])
    mixes = equilibria(matrices)
    assert mixes.sum(axis=1) == pytest.approx(1)
    assert mixes.min() >= 0
    assert np.einsum("mij,mj->mi", matrices, mixes).max() <= 1e-8
    assert mixes[:60] == pytest.approx(np.array([equilibrium(matrix) for matrix in matrices[:60]]), abs=1e-6)


def test_payoffs_are_shares_of_meetings_less_one_half() -> None:
    assert payoff(np.array([[0, 3.0], [1.0, 0]])).tolist() == [[0, 0.25], [-0.25, 0]]
    assert entropy(np.array([0.5, 0.5, 0.0])) == pytest.approx(np.log(2))


BEATS = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}


def circle(blocks: int, strength: float = 9.0) -> list[Game]:
    """Two at a table: rock, paper, scissors, and a dud that loses to all."""
    random, games = np.random.default_rng(2), []
    names = ("rock", "paper", "scissors", "dud")
    for block in range(blocks):
        pair = tuple(names[place] for place in random.choice(4, 2, replace=False))
        for rotation in (0, 1):
            sat = pair[::-1] if rotation else pair
            odds = [strength if ("dud" in sat and word != "dud") or (word, sat[1 - seat]) in BEATS else 1.0
                    for seat, word in enumerate(sat)]  # fmt: skip
            first = 1 + int(random.random() > odds[0] / sum(odds))
            games.append(Game(sat, (first,), 30 + block % 7, block=block, rotation=rotation))
    return games


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Metagame:
    with load(write_run(tmp_path_factory.mktemp("metagame") / "run", circle(700))) as run:
        results = summarise(run)
        return metagame(run, results.cells)


def test_a_circle_is_a_mix_of_three_and_a_dud_has_no_part_in_it(found: Metagame) -> None:
    mix = found.mix.set_index("strategy")
    for name in ("rock", "paper", "scissors"):
        assert mix.low[name] < 1 / 3 < mix.high[name]
        assert 0.2 < mix.weight[name] < 0.5
        assert mix.against[name] == pytest.approx(0.5, abs=1e-3)
    assert mix.weight["dud"] == mix.high["dud"] == 0
    assert mix.against["dud"] < 0.2
    (varied,) = found.diversity.itertuples()
    assert 2.7 < varied.low < varied.effective < varied.high <= 3.0001
    assert varied.entropy == pytest.approx(np.log(varied.effective))
    assert set(varied.cycles.split(" > ")) == {"rock", "paper", "scissors"}


def test_in_a_circle_nobody_dominates_who_loses_to_some(found: Metagame) -> None:
    """Rock beats the dud, but loses to paper, which the dud may do less badly against: nobody is as good throughout."""
    assert found.mix.set_index("strategy").dominated_by[["rock", "paper", "scissors"]].tolist() == ["", "", ""]


def test_payoffs_are_the_leagues_pairs(found: Metagame) -> None:
    pairs = found.payoffs.set_index(["strategy", "other"])
    assert len(pairs) == 6
    assert (pairs.low <= pairs.share).all()
    assert (pairs.share <= pairs.high).all()
    assert pairs.clear.all()


def test_a_best_strategy_is_the_whole_mix_and_dominates(tmp_path: Path) -> None:
    games = play(lambda strategy, seat: {"a": 30.0, "b": 3.0, "c": 1.0}[strategy], players=(3,), blocks=500)
    with load(write_run(tmp_path / "run", games)) as run:
        results = summarise(run)
    assert results.mix.weight.tolist() == [1, 0, 0]
    assert results.mix.dominated_by.tolist() == ["", "a", "a"]
    section = metagame_section(results)
    assert section is not None
    assert section.sentences[0] == "With 3 players, no other strategy or mix of them beats a."
    assert section.sentences[1] == "Dominated with 3 players: b (by a) and c (by a)."


def test_an_unclear_mix_is_told_as_unclear(tmp_path: Path) -> None:
    with load(write_run(tmp_path / "run", play(players=(3,), blocks=120))) as run:
        section = metagame_section(summarise(run))
    assert section is not None
    assert "not clear which strategies nothing beats" in section.sentences[0]


def test_too_few_meetings_and_too_few_strategies_make_no_metagame(tmp_path: Path) -> None:
    few = play(players=(3,), blocks=20)
    two = play(players=(2,), blocks=90, strategies=("a", "b"))
    alone = play(players=(1,), blocks=90)
    for name, games in (("few", few), ("two", two), ("alone", alone)):
        with load(write_run(tmp_path / name, games)) as run:
            results = summarise(run)
        assert results.mix.empty
        assert isinstance(results.payoffs, pd.DataFrame)
        assert metagame_section(results) is None


def test_who_ranks_above_another_but_not_clear_of_chance_dominates_nobody() -> None:
    """`a` beats both others in all draws, and is said to dominate just the one whose pair is clear."""
    names = ["a", "b", "c"]
    matrix = np.array([[0.0, 0.2, 0.2], [-0.2, 0.0, 0.0], [-0.2, 0.0, 0.0]])
    pairs = pd.DataFrame({
        "strategy": ["a", "c", "b"], "other": ["b", "a", "c"], "share": [0.7, 0.3, 0.5], "clear": [True, False, False],
    })  # fmt: skip
    above = clearly_above(pairs, names)
    assert np.argwhere(above).tolist() == [[0, 1]]
    assert dominators(matrix, np.repeat(matrix[None], 50, axis=0), above, names) == ["", "a", ""]
    turned = pairs.assign(clear=[False, True, False])
    assert np.argwhere(clearly_above(turned, names)).tolist() == [[0, 2]]
