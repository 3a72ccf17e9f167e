"""Studies of several populations: each variant is compared with the first one that the same players play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flocksim.analysis.compare import compare
from flocksim.analysis.run_folder import Run, load
from flocksim.analysis.tables import Results, summarise
from flocksim.analysis.verdicts import verdicts
from flocksim.reports.render import render
from flocksim.reports.terminal import summary_table

from tests.unit.test_analysis_run_folder import Game, play, write_run

TURNS = {"standard-casual": 40, "long-casual": 44, "standard-expert": 20, "long-expert": 22}


def games() -> list[Game]:
    """Casual players take twice as long as the one expert, and a variant adds a tenth."""
    made = []
    for variant, turns in TURNS.items():
        who = ("a", "b", "c") if variant.endswith("casual") else ("tuned",)
        made += play(
            lambda strategy, seat: 4.0 if strategy == "a" else 1.0, who, (2,), 150, (variant,), lambda _, t=turns: t
        )
    return made


def entries() -> list[dict[str, Any]]:
    return [{"name": name, "population": name.partition("-")[2], "rules": {"long": name[:4] == "long"}, "differs": {}}
            for name in TURNS]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    targets = {"changes": {"turns": 3, "seats": 9}, "seats": "none", "strategies": {"above": 9}, "unfinished": "none"}
    path = tmp_path_factory.mktemp("populations") / "run"
    return write_run(path, games(), variants=entries(), config={"name": "r", "game": "toy", "targets": targets})


@pytest.fixture(scope="module")
def run(folder: Path) -> Iterator[Run]:
    with load(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def results(run: Run) -> Results:
    return summarise(run)


def test_every_difference_is_from_the_first_variant_at_the_same_tier(results: Results) -> None:
    turns = results.variant_measures[results.variant_measures.measure == "turns"].set_index("variant")
    assert list(turns.index) == ["long-casual", "long-expert"]
    assert turns.difference.tolist() == [4, 2]
    assert turns.baseline.tolist() == [pytest.approx(40, abs=5), pytest.approx(20, abs=5)]
    assert (turns.variance_reduction > 0.99).all()
    for table in (results.variant_seats, results.variant_counters, results.variant_strategies):
        assert set(table.variant) <= {"long-casual", "long-expert"}
        assert len(table)


def test_targets_on_changes_are_about_the_same_tier(run: Run) -> None:
    table = verdicts(run)
    turns = table[table.target == "changes.turns"]
    assert dict(zip(turns.variant, turns.verdict, strict=True)) == {"long-casual": "violated", "long-expert": "holds"}
    seats = table[table.target == "changes.seats"]
    assert list(seats.variant) == ["long-casual", "long-expert"]
    assert (seats.effect == 0).all()  # the same seats win


def test_sentences_name_what_is_compared_with_what(results: Results) -> None:
    said = [entry.text for entry in results.findings]
    for tier, turns in (("casual", 4), ("expert", 2)):
        assert any(text.startswith(f"long-{tier} against standard-{tier}: games are {turns}.00 turns") for text in said)
        assert any(text.startswith(f"A game of standard-{tier} takes") for text in said)
    assert not any("standard-expert against" in text for text in said)
    page = render(results, "md")
    assert "each variant less standard at the same tier" in page


def test_a_strategy_without_rivals_is_not_called_the_best(results: Results) -> None:
    lines = summary_table(results).splitlines()
    assert [line.split("  ")[-1].split()[0] for line in lines[2:]] == ["a", "a", "no", "no"]
    assert set(results.strategies.strategy) == {"a", "b", "c"}
    assert any(entry.text.startswith("In both cases (variant) some strategies") for entry in results.findings)


def test_any_two_may_still_be_compared_whoever_plays(folder: Path) -> None:
    found = compare(folder, "standard-casual", "standard-expert")
    turns = found.table[found.table.name == "turns"]
    assert turns.difference.tolist() == [pytest.approx(-20, abs=0.5)]
