"""Trap: Simpson's reversal between player counts is reported, never averaged away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise

from tests.unit.test_analysis_run_folder import Game, play, write_run


def told(path: Path, games: Sequence[Game]) -> tuple[Results, list[str]]:
    with load(write_run(path, games)) as run:
        results = summarise(run)
    return results, [entry.text for entry in results.findings if "revers" in entry.text]


def of(variant: str, players: int, blocks: int, turns: int) -> list[Game]:
    made = play(players=(players,), blocks=blocks, turns=lambda _: turns)
    return [replace(game, variant=variant) for game in made]


def test_the_whole_that_points_another_way_than_every_part_is_told(tmp_path: Path) -> None:
    """`long` has shorter games with 2 players and with 4, but is played with 4 more often."""
    games = [*of("standard", 2, 300, 20), *of("long", 2, 60, 18), *of("standard", 4, 60, 60), *of("long", 4, 300, 58)]
    results, said = told(tmp_path / "run", games)
    rows = results.variant_measures[results.variant_measures.measure == "turns"]
    assert (rows.difference < 0).all()
    (turns,) = [text for text in said if "in turns" in text]
    assert turns.startswith("Simpson's reversal in turns: long has shorter games than standard with 2 players and")
    assert "over all games its average is" in turns
    assert "higher, because the two are played with different numbers of players" in turns


def test_parts_and_whole_that_agree_are_no_reversal(tmp_path: Path) -> None:
    games = [*of("standard", 2, 200, 20), *of("long", 2, 200, 24), *of("standard", 4, 200, 60), *of("long", 4, 200, 63)]
    _, said = told(tmp_path / "run", games)
    assert said == []


def test_a_change_that_reverses_between_player_counts_is_told(tmp_path: Path) -> None:
    games = [*of("standard", 2, 200, 20), *of("odd", 2, 200, 24), *of("standard", 4, 200, 60), *of("odd", 4, 200, 56)]
    _, said = told(tmp_path / "run", games)
    assert (
        "This reverses between player counts: odd has longer games than standard with 2 players, and shorter games "
        "with 4 players. No average over player counts would tell either."
    ) in said


def test_a_seat_and_a_strategy_that_win_here_and_lose_there_are_told(tmp_path: Path) -> None:
    def strong(strategy: str, seat: int) -> float:
        return (3.0 if strategy == "a" else 1.0) * (2.0 if seat == 1 else 1.0)

    games = play(strong, players=(2,), blocks=500)
    games += play(lambda strategy, seat: 1 / strong(strategy, seat), players=(4,), blocks=500)
    _, said = told(tmp_path / "run", games)
    assert any(
        text.startswith("This reverses between player counts: seat 1 wins more than its fair share with 2 players, and "
                        "less with 4 players.") for text in said
    )  # fmt: skip
    assert any("a wins more than its fair share with 2 players, and less with 4 players" in text for text in said)
    games = [
        *of("standard", 2, 200, 20), *of("odd", 2, 200, 24), *of("even", 2, 200, 17),
        *of("standard", 4, 200, 60), *of("odd", 4, 200, 56), *of("even", 4, 200, 68),
    ]  # fmt: skip
    results, said = told(tmp_path / "several", games)
    (text,) = [entry.text for entry in results.findings if "revers" in entry.text and entry.summary]
    each = [text for text in said if text.startswith("This reverses")]
    assert (
        f"{len(each)} effects reverse between player counts, so that no average would tell them: turns in odd" in text
    )
    assert len(each) > 3
    assert f" and {len(each) - 3} more." in text
    _, calm = told(tmp_path / "calm", play(strong, players=(2, 4), blocks=300))
    assert calm == []
