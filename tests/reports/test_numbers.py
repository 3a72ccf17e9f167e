"""Numbers that a report prints, asked again of the Parquet files by SQL of this test's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.reports.parts import Grid, Section
from flocksim.reports.sections import sections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.test_analysis_run_folder import play, write_run

NUMBER = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?")
CHARTS = [{"key": "cards", "title": "Which cards?", "unit": "cards", "counters": {"laid": "L", "caught": "C"}}]


@pytest.fixture(autouse=True)
def no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are asked about here, not pictures."""
    monkeypatch.setattr("flocksim.reports.parts.svg", lambda figure: "")
    for name in ("seats", "strategies", "length", "endings", "variant_measures", "variant_seats",
                 "variant_strategies", "counters"):  # fmt: skip
        monkeypatch.setattr(f"flocksim.reports.figures.{name}", lambda *_: None)
    monkeypatch.setattr("flocksim.reports.payoffs.payoffs", lambda *_: None)


class Asked:
    """A run's Parquet files, and the sections of its report."""

    def __init__(self, folder: Path, games: Any, **changes: Any) -> None:
        write_run(folder, games, charts=CHARTS, **changes)
        self.database = duckdb.connect()
        for table in ("games", "seats"):
            self.database.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{folder}/{table}/*.parquet')")
        self.database.execute("""
            CREATE VIEW won AS SELECT s.*, g.winners, if(g.winners = 0, 1.0 / s.players, s.win_share) AS won
            FROM seats s JOIN games g USING (variant, players, game) WHERE s.players > 1""")
        with load(folder) as run:
            self.results: Results = summarise(run)
        self.sections: list[Section] = sections(self.results)

    def grid(self, name: str) -> Grid:
        return next(grid for section in self.sections for grid in section.grids if grid.name == name)

    def one(self, query: str, *values: Any) -> Any:
        (row,) = self.database.execute(query, values).fetchall()
        return row[0] if len(row) == 1 else row


def says(text: str, value: float) -> bool:
    """Whether a number as printed (the first of a text) is this one, rounded."""
    printed = NUMBER.search(text.replace("\N{MINUS SIGN}", "−"))
    assert printed, text
    plain = printed[0].replace(",", "").replace("−", "-")
    decimals = len(plain.partition(".")[2])
    return abs(float(plain) - value) <= 0.5 * 10**-decimals + 1e-9


def check_wins(asked: Asked, who: str, name: str) -> None:
    for row in asked.grid(name).rows:
        variant, players, key = row[0], int(row[1]), row[2]
        games, won = asked.one(
            f"SELECT count(*), avg(won) FROM won WHERE variant = ? AND players = ? AND {who} = ?",
            variant, players, int(key) if who == "seat" else key,
        )  # fmt: skip
        assert row[3] == f"{games:,}"
        assert says(row[4], 100 * won), row
        assert says(row[6], 100 * (won - 1 / players)), row


def check_length(asked: Asked) -> None:
    for row in asked.grid("spread").rows:
        games, mean, median, shortest, longest, rounds, decisions = asked.one(
            """SELECT count(*), avg(turns), quantile_disc(turns, 0.5), min(turns), max(turns), avg(rounds),
            avg(decisions) FROM games WHERE variant = ? AND players = ?""", row[0], int(row[1])
        )  # fmt: skip
        assert row[2] == f"{games:,}"
        assert says(row[3], mean), row
        assert row[5] == str(median)
        assert row[7] == f"{shortest} to {longest}"
        assert says(row[8], rounds), row
        assert says(row[9], decisions), row


def check_endings(asked: Asked) -> None:
    grid = asked.grid("endings")
    kinds = {"tied, %": "winners > 1", "stuck, %": "end_reason = 'stuck'", "turn cap, %": "end_reason = 'turn_cap'"}
    for row in grid.rows:
        for head, text in zip(grid.columns, row, strict=True):
            if head in kinds:
                query = f"SELECT 100 * avg(if({kinds[head]}, 1, 0)) FROM games WHERE variant = ? AND players = ?"
                assert says(text, asked.one(query, row[0], int(row[1]))), (head, row)


def check_changes(asked: Asked) -> None:
    base = asked.results.baseline
    for row in asked.grid("variant_measures").rows:
        if row[2] not in ("turns", "rounds", "decisions"):
            continue
        query = f"SELECT avg({row[2]}) FROM games WHERE variant = ? AND players = ?"
        here, there = (asked.one(query, variant, int(row[1])) for variant in (row[0], base))
        assert says(row[3], there), row
        assert says(row[4], here), row
        assert says(row[5], here - there), row
    for row in asked.grid("variant_seats").rows:
        query = "SELECT 100 * avg(won) FROM won WHERE variant = ? AND players = ? AND seat = ?"
        here, there = (asked.one(query, variant, int(row[1]), int(row[2])) for variant in (row[0], base))
        assert says(row[5], here - there), row


def check_charts(asked: Asked) -> None:
    grid = asked.grid("all_counters")
    for row in grid.rows:
        for variant, text in zip(grid.columns[2:], row[2:], strict=True):
            query = f"SELECT avg({ {'L': 'laid', 'C': 'caught'}[row[1]] }) FROM seats WHERE variant = ? AND players = ?"
            assert says(text, asked.one(query, variant, int(row[0]))), row


def check_sentences(asked: Asked) -> None:
    """Those that name a case and its numbers in a form that can be taken apart."""
    seen = 0
    for text in (entry.text for entry in asked.results.findings):
        found = re.fullmatch(r"In (\S+) with (\d) players?, where .* fair, seat (\d) wins (\S+) %.*", text)
        if found:
            query = "SELECT 100 * avg(won) FROM won WHERE variant = ? AND players = ? AND seat = ?"
            assert says(found[4], asked.one(query, found[1], int(found[2]), int(found[3]))), text
        length = re.fullmatch(r"A game of (\S+) takes (\S+) turns with (\d) players?(.*) on average\.", text)
        if length:
            pairs = [(length[2], length[3]), *re.findall(r"([\d.,]+) with (\d)", length[4])]
            for number, players in pairs:
                query = "SELECT avg(turns) FROM games WHERE variant = ? AND players = ?"
                assert says(number, asked.one(query, length[1], int(players))), text
        sample = re.match(r"This rests on ([\d,]+) games", text)
        if sample:
            assert sample[1] == f"{asked.one('SELECT count(*) FROM games'):,}"
        longer = re.match(
            r"(\S+) against (\S+): games are (\S+)(?: to (\S+))? turns \(.*?\) (longer|shorter) at every", text
        )
        if longer:
            query = """SELECT min(abs(d)), max(abs(d)) FROM (SELECT avg(turns) FILTER (variant = ?) -
                avg(turns) FILTER (variant = ?) AS d FROM games GROUP BY players)"""
            least, most = asked.one(query, longer[1], longer[2])
            assert says(longer[3], least), text
            assert says(longer[4] or longer[3], most), text
        seen += any((found, length, sample, longer))
    assert seen >= 2


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6), blocks=st.integers(35, 70), counts=st.sampled_from([(2,), (2, 3), (3, 5)]),
    stuck=st.sampled_from([0.0, 0.2]), capped=st.sampled_from([0.0, 0.1]), ties=st.sampled_from([0.0, 0.15]),
    first=st.sampled_from([1.0, 2.5]),
)  # fmt: skip
def test_what_is_printed_is_what_the_files_hold(
    tmp_path_factory: pytest.TempPathFactory, seed: int, blocks: int, counts: tuple[int, ...], stuck: float,
    capped: float, ties: float, first: float,
) -> None:  # fmt: skip
    games = play(
        lambda strategy, seat: (first if seat == 1 else 1.0) * {"a": 3.0, "b": 1.0, "c": 1.0}[strategy],
        "abc", counts, blocks, ("std", "slow"), lambda variant: 40 if variant == "slow" else 30,
        stuck, capped, ties, seed,
    )  # fmt: skip
    asked = Asked(tmp_path_factory.mktemp("numbers") / "run", games)
    check_wins(asked, "seat", "seats")
    check_wins(asked, "strategy", "strategies")
    check_length(asked)
    check_endings(asked)
    check_changes(asked)
    check_charts(asked)
    check_sentences(asked)


def test_a_wrong_number_would_be_noticed() -> None:
    assert says("12.3 (11.0 to 13.6)", 12.34)
    assert says("−0.5 *", -0.46)
    assert not says("12.3", 12.36)
    assert not says("+0.5", -0.5)
