"""Self-play finds what is planted in the toy game, whatever the number of workers."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flocksim.analysis.league import rate
from flocksim.analysis.run_folder import load
from flocksim.simulate.bots import Strategy
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.runner import Progress, run_study
from flocksim.simulate.streams import unit
from flocksim.strategies.tuning import MUST, Tables, Task, measure, musts, spans, tune
from flocksim.strategies.uniform import RANDOM

from tests.toy import DIE_A, DIE_B, TAKE_A, TAKE_B, TOY

PLANTED = (2.0, -1.0)


def planted(s, rules, choices, weights):
    """Takes die A, the better one, the more often the closer its weights are to (2, -1)."""
    distance = (weights[0] - 2.0) ** 2 + (weights[1] + 1.0) ** 2
    return DIE_A if unit(s.streams, s.bot_stream[s.seat]) * (1.0 + distance) < 1.0 else DIE_B


BASE = Strategy("base", planted, (0.5, 0.5))
TASK = Task(
    game=TOY, rules={players: TOY.parameters.build(players) for players in (2, 3)}, base=BASE, against=(TAKE_B, RANDOM),
    free=(0, 1), span=(1.0, 1.0), games=2_500, candidates=8, generations=14, seed=4,
)  # fmt: skip


class Counting(Progress):
    def __init__(self) -> None:
        self.games = 0

    def played(self, games: int) -> None:
        self.games += games


def tables(task: Task = TASK, jobs: int = 1, progress: Progress | None = None) -> Tables:
    return Tables(task, jobs, threading.Event(), progress or Progress())


@pytest.fixture(scope="module")
def found():
    return list(tune(tables()))


def test_what_is_planted_is_found(found):
    assert found[-1].weights == pytest.approx(PLANTED, abs=0.5)
    assert [step.generation for step in found] == list(range(1, TASK.generations + 1))


def test_what_is_found_tops_the_league(found, tmp_path: Path):
    tuned = replace(BASE, name="tuned", weights=found[-1].weights)
    variant = Variant("standard", TOY.parameters.build(2))
    study = Study("league", TOY, (2,), (variant,), (TAKE_B, RANDOM, BASE, tuned), games=20_000, seed=1)
    run_study(study, tmp_path / "run", jobs=1)
    with load(tmp_path / "run") as run:
        ladder = rate(run).ladder
    assert ladder.strategy.iloc[0] == "tuned"
    assert ladder.clear.iloc[0]


def test_workers_do_not_change_what_is_found_and_the_seed_does(found):
    short = replace(TASK, generations=3)
    assert list(tune(tables(short, jobs=3))) == found[:3]
    assert list(tune(tables(replace(short, seed=5)))) != found[:3]


def test_kept_weights_stay():
    for step in tune(tables(replace(TASK, free=(1,), span=(1.0,), generations=2, games=100))):
        assert step.weights[0] == BASE.weights[0]
        assert step.weights[1] != BASE.weights[1]


def test_all_candidates_face_the_same_games():
    """Equal candidates win the same blocks, whoever played between them."""
    same, other = np.array([0.5, 0.5]), np.array(PLANTED)
    for wins in tables().wins([same, other, same], other, {2: 0, 3: 0}, 2_000).values():
        assert (wins[0] == wins[2]).all()
        assert (wins[0] != wins[1]).any()


def test_the_estimate_is_right_and_of_other_games():
    """Die A against B and random play: mean of 7/12 and 13/24. A shared win counts half."""
    taker = replace(BASE, kernel=TAKE_A.kernel, weights=(0.0,))
    task = replace(TASK, base=taker, rules={2: TOY.parameters.build(2)})
    counting = Counting()
    wins = measure(tables(task, progress=counting), [(0.0,)], 40_000)
    assert wins is not None
    assert counting.games == 40_000
    assert wins[2].shape == (1, 20_000)
    assert wins[2].mean() == pytest.approx((7 / 12 + 13 / 24) / 2, abs=0.01)
    searched = tables(task).wins([np.zeros(1)], None, {2: 0}, 40_000)
    assert (searched[2] != wins[2]).any()


def test_told_to_stop_it_ends_without_a_result():
    stopped = tables()
    stopped.stop.set()
    assert list(tune(stopped)) == []
    assert measure(stopped, [BASE.weights], 100) is None


def test_games_are_split_over_player_counts_in_whole_blocks():
    assert [TASK.blocks(players, 1_000) for players in (2, 3)] == [250, 167]
    assert TASK.rounded(1_000) == 500 + 501
    counting = Counting()
    tables(progress=counting).wins([np.zeros(2)] * 3, None, {2: 0, 3: 0}, 1_000)
    assert counting.games == 3 * 1_001


def test_spans_and_musts():
    base = Strategy("base", planted, (1.0, 0.0, -2.0, 2.0 * MUST + 1, 0.0))
    other = Strategy("other", planted, (-3.0, 0.5, 0.0, 0.0, 0.0))
    assert spans(base, [other, RANDOM]).tolist() == [3.0, 0.5, 2.0, 101.0, 2.5]
    assert musts(base).tolist() == [False, False, False, True, False]
    assert spans(Strategy("none", planted, (0.0, 0.0)), []).tolist() == [1.0, 1.0]
