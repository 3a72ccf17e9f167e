"""Luck and skill of games whose truth is known."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pandas as pd
import pytest
from flocksim.analysis.luck import luck, shares
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.reports.luck import luck_section
from flocksim.reports.render import render
from flocksim.simulate.bots import Strategy
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.luck import KEPT, SETS, luck_file, luck_games
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.runner import Progress, run_study
from flocksim.strategies.uniform import RANDOM

from tests.toy import TAKE_A, TAKE_B, TOY

TEAM = (TAKE_A, TAKE_B)
NOISY = tuple(Strategy(f"n{n}", RANDOM.kernel, noise=1.0) for n in range(3))


def study(strategies: tuple[Strategy, ...], games: int = 24_000, **changes: int) -> Study:
    rules = TOY.parameters.build(2, changes)
    return Study("luck", TOY, (2, 3), (Variant("standard", rules),), strategies, games=60, seed=4, luck=games)


def told(path: Path, asked: Study) -> pd.DataFrame:
    run_study(asked, path, jobs=1)
    with load(path) as run:
        return luck(run).set_index(["players", "source"])


def by_source(won: np.ndarray) -> dict[str, float]:
    found = shares(won)
    return dict(zip(found.source, found.share, strict=True))


def test_a_game_of_dice_among_equals_is_all_luck_and_all_of_it_draws(tmp_path: Path) -> None:
    table = told(tmp_path / "run", study((TAKE_A, dataclasses.replace(TAKE_A, name="same"))))
    for players in (2, 3):
        here = table.loc[players]
        assert here.share["luck"] == pytest.approx(1, abs=0.03)
        assert here.share["draws"] == pytest.approx(1, abs=0.03)
        assert here.high["line-up"] < 0.06
        assert here.share["deal"] < 0.05 > here.share["bots' noise"]
        assert here.blocks.iloc[0] == -(-24_000 // (9 * players))


def test_where_the_better_bot_always_wins_nothing_is_luck() -> None:
    """Die B never loses to a rule that is fixed: simulated, since the toy has dice."""
    random = np.random.default_rng(1)
    ahead = {kept: random.integers(0, 2, 500) for kept in (True, False)}
    sets = [ahead["line_up" in KEPT[name]] for name in SETS]
    won = np.zeros((500, 2, 2, len(SETS)))
    for place, first in enumerate(sets):
        for rotation in range(2):
            won[np.arange(500), rotation, (first + rotation) % 2, place] = 1.0
    found = by_source(won)
    assert found["luck"] == found["seat"] == found["deal"] == 0
    assert found["line-up"] == 1


def test_bots_that_only_draw_lots_are_bots_noise(tmp_path: Path) -> None:
    """Random bots pick a die by lot, and the die decides more than half: both noise and dice."""
    here = told(tmp_path / "run", study(NOISY)).loc[2]
    assert here.share["luck"] == pytest.approx(1, abs=0.03)
    assert here.share["draws"] > here.share["bots' noise"] > 0
    assert here.share[["draws", "deal", "bots' noise"]].sum() == pytest.approx(here.share["luck"], abs=0.02)
    assert here.share[["luck", "line-up", "seat"]].sum() == pytest.approx(1, abs=0.02)


def test_a_known_edge_of_a_strategy_is_its_share(tmp_path: Path) -> None:
    """With 2 players and one of each, A wins 7/12: the line-up explains (7/12 - 1/2)^2 of a variance of 1/4."""
    here = told(tmp_path / "run", study(TEAM, 120_000)).loc[2]
    truth = (7 / 12 - 1 / 2) ** 2 * 4
    assert here.low["line-up"] <= truth <= here.high["line-up"] < 0.06
    assert here.low["luck"] <= 1 - truth <= here.high["luck"]


def test_a_seat_that_always_wins_is_neither_luck_nor_skill() -> None:
    won = np.zeros((50, 3, 3, len(SETS)))
    won[:, :, 0] = 1.0
    found = by_source(won)
    assert found["seat"] == pytest.approx(1)
    assert found["luck"] == pytest.approx(0)


def test_intervals_cover_a_known_share() -> None:
    """Draws say who wins in 3 games of 10, else the deal does: known alone, the deal explains 0.7^2 and the draws 0.3;
    what each adds to the other is 1 less that, and the deal's effect the mean of 0.49 and 0.7."""
    covered = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        deal = {kept: random.integers(0, 2, (300, 1)) for kept in (True, False)}
        draws = {kept: (random.random((300, 2)) < 0.3, random.integers(0, 2, (300, 2))) for kept in (True, False)}
        won = np.zeros((300, 2, 2, len(SETS)))
        for place, name in enumerate(SETS):
            decide, coin = draws["draws" in KEPT[name]]
            first = np.where(decide, coin, deal["deal" in KEPT[name]])
            for rotation in range(2):
                won[np.arange(300), rotation, first[:, rotation], place] = 1.0
        table = shares(won).set_index("source")
        covered += table.low["deal"] <= (0.49 + 0.7) / 2 <= table.high["deal"]
        assert table.share["bots' noise"] < 0.02
        assert table.share[["deal", "draws"]].sum() == pytest.approx(table.share["luck"], abs=0.02)
    assert covered >= 53


def test_it_is_played_once_beside_the_games_and_changes_none_of_them(tmp_path: Path) -> None:
    asked = study(TEAM, 600)
    run_study(dataclasses.replace(asked, luck=0), tmp_path / "run", jobs=1)
    before = {file.name: file.read_bytes() for file in (tmp_path / "run" / "games").iterdir()}
    with load(tmp_path / "run") as run:
        assert luck(run).empty
    for jobs in (1, 2):
        run_study(asked, tmp_path / "run", jobs=jobs)
    file = luck_file(tmp_path / "run", "standard", 2)
    there = file.read_bytes()
    run_study(dataclasses.replace(asked, luck=1200), tmp_path / "run", jobs=1)
    assert file.read_bytes() != there
    run_study(asked, tmp_path / "run", jobs=2)
    assert file.read_bytes() == there
    assert {file.name: file.read_bytes() for file in (tmp_path / "run" / "games").iterdir()} == before


class StopsAfter(Progress):
    """Stops a run as soon as so many games are stored, and counts what it is told."""

    def __init__(self, games: float = np.inf) -> None:
        self.games, self.stop, self.told = games, threading.Event(), []

    def started(self, total: int, reused: int) -> None:
        self.told = [total, reused]

    def played(self, games: int) -> None:
        self.told.append(games)
        if sum(self.told[1:]) >= self.games:
            self.stop.set()


def test_games_of_luck_are_told_as_they_are_played_and_stopping_keeps_the_cells_that_are_there(tmp_path: Path) -> None:
    asked = study(TEAM, 600)
    run_study(asked, tmp_path / "whole", jobs=1)
    of_luck = [luck_games(asked, cell) for cell in asked.cells()]
    first = StopsAfter(asked.total_games + of_luck[0])
    with pytest.raises(FlocksimError, match="stopped; what is finished is kept"):
        run_study(asked, tmp_path / "run", jobs=1, progress=first, stop=first.stop)
    assert first.told == [asked.total_games + sum(of_luck), 0, 60, 60, of_luck[0], 0]
    kept = luck_file(tmp_path / "run", "standard", 2).stat().st_mtime_ns
    second = StopsAfter()
    run_study(asked, tmp_path / "run", jobs=1, progress=second)
    assert second.told == [asked.total_games + sum(of_luck), asked.total_games + of_luck[0], of_luck[1]]
    assert luck_file(tmp_path / "run", "standard", 2).stat().st_mtime_ns == kept
    for players in asked.players:
        files = [luck_file(tmp_path / name, "standard", players).read_bytes() for name in ("whole", "run")]
        assert files[0] == files[1]


@pytest.mark.parametrize("how", ["flipped", "cut", "of another", "missing", "no receipt", "both of another"])
def test_damaged_games_of_luck_are_told_and_played_again(tmp_path: Path, how: str) -> None:
    asked = study(TEAM, 600)
    run_study(asked, tmp_path / "run", jobs=1)
    file, other = (luck_file(tmp_path / "run", "standard", players) for players in (2, 3))
    there = file.read_bytes()
    receipt, theirs = file.with_suffix(".json"), other.with_suffix(".json")
    if how == "flipped":
        file.write_bytes(there[: len(there) // 3] + bytes([there[len(there) // 3] ^ 16]) + there[len(there) // 3 + 1 :])
    elif how == "cut":
        file.write_bytes(there[:-100])
    elif how == "of another":
        file.write_bytes(other.read_bytes())
    elif how == "missing":
        file.unlink()
    elif how == "no receipt":
        receipt.unlink()
    else:
        file.write_bytes(other.read_bytes())
        receipt.write_bytes(theirs.read_bytes())
    with load(tmp_path / "run") as run, pytest.raises(FlocksimError, match=r"standard-2p\.") as told:
        luck(run)
    assert "run" in str(told.value).rpartition(";")[2]
    run_study(asked, tmp_path / "run", jobs=1)
    assert file.read_bytes() == there
    with load(tmp_path / "run") as run:
        assert not luck(run).empty


def test_the_report_sets_it_beside_the_ladder(tmp_path: Path) -> None:
    run_study(study(TEAM, 2_000), tmp_path / "run", jobs=1)
    with load(tmp_path / "run") as run:
        results = summarise(run)
    page = render(results, "md")
    assert "How much is luck?" in page
    assert "of who wins is luck" in page
    assert set(results.luck.source) >= {"luck", "line-up", "draws"}


def test_noise_about_nothing_keeps_its_interval() -> None:
    """Whatever the estimate of a share that is nothing, its interval says how large it may be."""
    for seed in range(12):
        won = np.zeros((200, 2, 2, len(SETS)))
        first = np.random.default_rng(seed).integers(0, 2, (200, 2, len(SETS)))
        for seat in (0, 1):
            won[:, :, seat] = first == seat
        table = shares(won).set_index("source")
        assert table.low["line-up"] == 0
        assert table.high["line-up"] > 0.02
        assert table.low["luck"] < 0.98


def test_a_share_that_may_be_nothing_is_not_told_as_a_number() -> None:
    values = {
        "luck": (1.0, 0.914, 1.0), "deal": (0.62, 0.55, 0.7), "draws": (0.35, 0.28, 0.42), "bots' noise": (0, 0, 1e-17),
        "line-up": (0.0, 0.0, 0.0862), "seat": (0.011, 0.004, 0.018),
    }  # fmt: skip
    table = pd.DataFrame(
        [("standard", 4, source, *numbers, 40) for source, numbers in values.items()],
        columns=["variant", "players", "source", "share", "low", "high", "blocks"],
    )
    results = cast(Results, SimpleNamespace(luck=table, strategies=table.iloc[:0], variants=["standard"]))
    section = luck_section(results)
    assert section
    assert section.sentences == [
        "With 4 players, 91.4 to 100.0 % of who wins is luck: the deal 62.0 % (55.0 to 70.0 %), draws during play "
        "35.0 % (28.0 to 42.0 %) and the bots' noise 0 %. Skill, the line-up: not told apart from 0 (0.0 to 8.6 %); "
        "the seat: 1.10 % (0.40 to 1.80 %)."
    ]
    assert section.grids[0].rows[0][6] == "0 (0 to 0)"


def test_a_study_that_asks_no_more_is_not_told(tmp_path: Path) -> None:
    asked = study(TEAM, 2_000)
    assert not told(tmp_path / "run", asked).empty
    assert told(tmp_path / "run", dataclasses.replace(asked, luck=0)).empty
    assert not told(tmp_path / "run", asked).empty
