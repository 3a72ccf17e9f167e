"""What a report says and leaves out: names of cases, games without scores, the same number the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.analysis.words import exact, number
from flocksim.reports.metagame import metagame_section
from flocksim.reports.render import figures_cell, inline, render
from flocksim.reports.replays import replays
from flocksim.reports.sections import sections
from flocksim.reports.wins import own_words
from flocksim.simulate.games import load_game

from tests.unit.test_analysis_run_folder import play, write_run

TOY = {"name": "toy", "title": "Toy", "version": 1, "score_word": "chips", "provenance": ""}


def study(path: Path, games: Any, **changes: Any) -> Results:
    with load(write_run(path, games, **changes)) as run:
        return summarise(run)


@pytest.mark.parametrize("scored", [True, False])
def test_leads_and_scores_are_told_only_where_they_tell_something(tmp_path: Path, scored: bool) -> None:
    games = play(blocks=40, variants=("std", "slow"), ties=0.2)
    results = study(tmp_path / "run", games, game=TOY | {"scored": scored})
    text = render(results, "md")
    for words in ("winner's lead", "the score is chips", "| score |", "By seat,", "best less worst score"):
        assert (words in text) == scored, words
    assert results.margins.empty is not scored
    assert ("margin" in set(results.variant_measures.measure)) == scored
    kinds = {replay.title.split(":")[0] for replay in replays(results, {})}
    assert "The closest game" not in kinds or scored
    assert "A tied game has its win shared" in text


def test_games_say_whether_they_are_scored(tmp_path: Path) -> None:
    assert not load_game("4-the-birds").scored
    assert load_game("flock").scored
    folder = write_run(tmp_path / "run", play(blocks=2))
    with load(folder) as run:
        assert summarise(run).scored  # as runs were that say nothing of it


def test_the_largest_of_unclear_differences_is_named(tmp_path: Path) -> None:
    games = play(blocks=60, players=(2, 3), variants=("std",))
    games += play(lambda strategy, seat: 1.3 if seat == 1 else 1.0, blocks=60, players=(2, 3), variants=("slow",))
    results = study(tmp_path / "run", games)
    assert not results.variant_seats.claim.any()
    text = " ".join(finding.text for finding in results.findings if finding.topic == "variants")
    row = results.variant_seats.loc[results.variant_seats.difference.abs().idxmax()]
    assert f"largest seen: seat {row.seat} in slow with {row.players} players, " in text
    assert re.search(r"length of games \(largest seen: with [23] players, \d", text)


def test_the_choice_of_a_strategy_says_what_it_leaves_out(tmp_path: Path) -> None:
    names = [f"variant-{number}" for number in range(7)]
    games = play(blocks=150, variants=names) + play(blocks=5, variants=["short"])
    section = metagame_section(study(tmp_path / "run", games))
    assert section
    assert "Sentences are on variant-0; the tables have all 7 cases. Figures are of variant-0." in section.notes[0]
    assert "Nothing is told in short with 3 players" in section.notes[0]
    grid = next(grid for grid in section.grids if grid.name == "diversity")
    assert [row[:2] for row in grid.rows] == [[name, "3"] for name in names]
    assert all(" to " in row[3] for row in grid.rows)


def test_no_two_folded_tables_have_the_same_title(tmp_path: Path) -> None:
    noises = ("0", "0.1")
    variants = [f"{name}-noise-{noise}" for noise in noises for name in ("std", "slow")]
    entries = [
        {"name": name, "population": name.partition("-")[2], "rules": {}, "differs": {}} for name in variants
    ]  # fmt: skip
    results = study(tmp_path / "run", play(blocks=40, variants=variants), variants=entries)
    made = next(section for section in sections(results) if section.key == "counters")
    titles = [grid.caption for grid in made.grids]
    assert len(set(titles)) == len(titles)
    assert "Counters, with 3 players, with noise 0.1" in titles


def test_a_number_between_two_is_rounded_alike_whatever_it_came_from() -> None:
    for value in (51.95, 0.5195 * 100, 1039 / 2000 * 100, 100 - 48.05):
        assert number(value, 1.2) == "52.0"
        assert number(-value, 1.2) == "-52.0"
        assert exact(value / 100) == "52 %"


def test_heads_lose_the_words_that_all_have() -> None:
    assert own_words(["won with ROLL as the last card", "won with SHOO as the last card"]) == ["ROLL", "SHOO"]
    assert own_words(["by a square", "by a line"]) == ["square", "line"]
    assert own_words(["alone"]) == ["alone"]
    assert own_words(["won", "won twice"]) == ["won", "won twice"]


def test_a_cell_is_broken_only_between_its_parts() -> None:
    assert figures_cell("51.9 (49.0 to <5)") == "51.9 <wbr>(49.0 to &lt;5)"
    assert figures_cell("44 12 %, 45 9 %") == "44 12 %, <wbr>45 9 %"


def test_figures_are_made_smaller_without_a_change_of_what_they_say(tmp_path: Path) -> None:
    names = ["noise-0.05", "noise-0.06"]
    results = study(tmp_path / "run", play(blocks=40, variants=names))
    drawn = next(picture for section in sections(results) for picture in section.pictures)
    text = inline(drawn)
    assert all(f">{name}<" in text for name in names[1:])
    assert "<g>" not in text
    assert text.count("<g ") == text.count("</g>")
    page = render(results)
    assert re.search(r"^\.s0\{[^}]+\}$", page, re.MULTILINE)
    styles = pd.Series(re.findall(r'<(?:path|use|text)\b[^>]*? style="([^"]*)"', page))
    assert styles.empty or styles.value_counts().max() <= 2
