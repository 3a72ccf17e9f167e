"""Verdicts whoever plays: planted flips are found and told first, and few games never make one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from flocksim.analysis.robust_words import held
from flocksim.analysis.robustness import robustness
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import summarise
from flocksim.analysis.verdict_words import answer, lines
from flocksim.analysis.verdicts import HOLDS, OPEN, VIOLATED, verdicts
from flocksim.reports.answer import answer as told
from flocksim.reports.answer import tiles
from flocksim.reports.render import render
from flocksim.reports.terminal import verdict_lines

from tests.unit.test_analysis_run_folder import Game, play, write_run

ABOVE = {"seats": "none", "unfinished": "none", "strategies": {"above": 20}}
TEAM = ("giant", "a", "b", "c", "d")


def giant(blocks: int = 1500, variants: Sequence[str] = ("standard",)) -> list[Game]:
    """One strategy wins nearly always; the others are alike."""
    return play(lambda strategy, seat: 30.0 if strategy == "giant" else 1.0, TEAM, (2,), blocks, variants)


def judged(path: Path, games: Sequence[Game], targets: Any, **changes: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    config = {"name": "r", "game": "toy", "targets": targets}
    with load(write_run(path, games, config=config, **changes)) as run:
        table = verdicts(run)
        return table, robustness(run, table)


def by_population(table: pd.DataFrame) -> dict[str, str]:
    return {row.without or row.population: row.verdict for row in table.itertuples()}


def test_a_verdict_that_rests_on_one_strategy_flips_without_it_and_says_so_first(tmp_path: Path) -> None:
    table, again = judged(tmp_path / "run", giant(), ABOVE)
    assert by_population(again) == {"": VIOLATED, "giant": HOLDS} | dict.fromkeys("abcd", VIOLATED)
    assert again[again.flips].without.tolist() == ["giant"]
    (line,) = lines(table, again)
    assert str(line).startswith("Violated, but flips: no strategy more than 20 points above its fair share; ")
    assert line.found.endswith("; violated in 5 of 6 populations, flips without giant")
    assert answer(table, again) == (
        "The target is violated (no strategy more than 20 points above its fair share). "
        "1 verdict flips when others play."
    )
    first, told = verdict_lines(table, again)
    assert first.endswith("1 verdict flips when others play.")
    assert told.strip().startswith("violated, but flips  no strategy")


def test_leaving_out_keeps_whole_blocks_so_that_seats_stay_balanced(tmp_path: Path) -> None:
    games = giant(300)
    _, again = judged(tmp_path / "run", games, {"strategies": {"above": 20}})
    with_it = {game.block for game in games if "a" in game.strategies}
    lacking = again[(again.without == "a") & (again.target == "strategies.above")]
    assert lacking.games.tolist() == [sum(game.block not in with_it for game in games)]


def test_what_holds_for_all_is_said_to_and_flips_nowhere(tmp_path: Path) -> None:
    games = play(strategies=TEAM, players=(2,), blocks=2500, variants=("standard", "slow"))
    targets = {"seats": 9, "strategies": {"above": 15}, "changes": {"turns": 2, "seats": 4}}
    table, again = judged(tmp_path / "run", games, targets)
    assert not again.flips.any()
    assert set(again.verdict) == {HOLDS}
    assert "flip" not in answer(table, again)
    assert all(line.found.endswith("; holds in all 6 populations") for line in lines(table, again))


def test_what_a_variant_changes_is_paired_when_a_strategy_is_left_out(tmp_path: Path) -> None:
    games = play(strategies=TEAM, players=(2,), blocks=200, variants=("standard", "slow"),
                 turns=lambda variant: 33 if variant == "slow" else 30)  # fmt: skip
    _, again = judged(tmp_path / "run", games, {"changes": {"turns": 5}})
    changes = again[again.target == "changes.turns"]
    assert set(changes.rules) == {"slow"}
    assert len(changes) == 6
    assert (changes.effect == 3).all()


def test_too_few_games_are_no_flip(tmp_path: Path) -> None:
    games = [game for game in giant(1200) if "giant" in game.strategies or game.block < 40]
    table, again = judged(tmp_path / "run", games, ABOVE)
    assert table.verdict.tolist() == [VIOLATED]
    left = again[again.without == "giant"]
    assert left.verdict.tolist() == [OPEN]
    assert 0 < left.games.iloc[0] < 60
    assert not again.flips.any()
    assert "not enough games in" in lines(table, again)[0].found


def test_a_strategy_that_is_in_every_block_leaves_no_games(tmp_path: Path) -> None:
    games = [game for game in giant(400) if "giant" in game.strategies]
    _, again = judged(tmp_path / "run", games, ABOVE)
    left = again[again.without == "giant"]
    assert left[["verdict", "games"]].to_numpy().tolist() == [[OPEN, 0]]


def test_nobody_can_be_left_out_where_every_line_up_has_everybody(tmp_path: Path) -> None:
    games = play(strategies=("a", "b"), players=(2,), blocks=100)
    table, again = judged(tmp_path / "run", games, ABOVE)
    assert again.without.tolist() == [""]
    assert "population" not in lines(table, again)[0].found


@pytest.mark.parametrize(("population", "told"), [("expert", "at expert"), ("noise-0.3", "with noise 0.3")])
def test_a_tier_that_decides_the_other_way_is_a_flip(tmp_path: Path, population: str, told: str) -> None:
    names = {"standard-casual": "casual", f"standard-{population}": population}
    games = play(strategies=("a", "b"), players=(2,), blocks=900, variants=["standard-casual"])
    games += play(lambda strategy, seat: 4.0 if seat == 1 else 1.0, ("c", "d"), (2,), 900, [f"standard-{population}"])
    variants = [{"name": name, "population": mine, "rules": {}, "differs": {}} for name, mine in names.items()]
    table, again = judged(
        tmp_path / "run", games, {"seats": 8, "strategies": "none", "unfinished": "none"}, variants=variants
    )
    assert by_population(again) == {"casual": HOLDS, population: VIOLATED}
    assert again.rules.tolist() == ["standard", "standard"]
    (line,) = lines(table, again)
    assert line.flips
    assert line.found.endswith(f"holds in 1 of 2 populations, flips {told}")


def test_the_report_tells_it(tmp_path: Path) -> None:
    config = {"name": "r", "game": "toy", "targets": ABOVE}
    games = giant(variants=("standard", "other"))
    with load(write_run(tmp_path / "run", games, config=config)) as run:
        results = summarise(run)
    page = render(results, "md")
    assert "Do the verdicts hold whoever plays?" in page
    assert "violated in 5 of 6 populations, flips without giant (standard with 2 players and other with 2" in page
    assert told(results)[0].endswith("1 verdict flips when others play.")
    assert tiles(results)[0][0].cases.startswith("flips without giant")
    assert len(results.robustness) == 2 * 6


def test_populations_agree_only_where_something_was_decided() -> None:
    cases = [(2, "", HOLDS), (2, "a", HOLDS), (4, "", OPEN), (4, "a", HOLDS)]
    rows = pd.DataFrame(
        [("standard", players, "", without, verdict, False) for players, without, verdict in cases],
        columns=["rules", "players", "population", "without", "verdict", "flips"],
    )
    assert held(rows) == "its decided cases hold in all 2 populations"
    assert held(rows[rows.players == 2]) == "holds in all 2 populations"
