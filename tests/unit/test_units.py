"""Units: sums of blocks, against the same asked of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flocksim.analysis.run_folder import Run, load
from flocksim.simulate.units import unit_size
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.test_analysis_run_folder import play, write_run

UNITS = 9


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    games = play(blocks=60, players=(1, 2, 4), variants=("one", "two"), stuck=0.2, capped=0.2, ties=0.2)
    board = {"counter": "laid", "title": "", "what": "", "boards": []}
    folder = tmp_path_factory.mktemp("units") / "run"
    with load(write_run(folder, games, parts=3, uses=["caught"], board_map=board), units=UNITS) as opened:
        yield opened


def same(run: Run, table: str, rows: str) -> None:
    """The table of units is what SQL makes of the rows; k is how many blocks a unit has."""
    sizes = " ".join(f"WHEN {players} THEN {size}" for players, size in run.blocks_a_unit.items())
    asked = f"SELECT * FROM ({rows.replace('$unit', f'block // (CASE players {sizes} END)')}) ORDER BY ALL"
    expected = run.sql(asked).fetchall()
    columns = ", ".join(f'"{name}"' for name in run.sql(asked).columns)
    assert len(expected) > 10
    assert run.sql(f"SELECT {columns} FROM unit_{table} ORDER BY ALL").fetchall() == expected


def test_games(run: Run) -> None:
    same(
        run,
        "games",
        """
        WITH spreads AS (
            SELECT variant, players, game, max(score) - min(score) AS wide FROM seats GROUP BY ALL
        )
        SELECT variant, players, $unit AS unit, count(*) AS games, count(DISTINCT block) AS blocks,
            count(*) FILTER (WHERE end_reason = 'win') AS win, count(*) FILTER (WHERE end_reason = 'stuck') AS stuck,
            count(*) FILTER (WHERE end_reason = 'deadlock') AS deadlock,
            count(*) FILTER (WHERE end_reason = 'turn_cap') AS turn_cap,
            count(*) FILTER (WHERE winners > 1) AS tied, count(*) FILTER (WHERE winners > 0) AS decided,
            count(*) FILTER (WHERE end_reason IN ('win', 'stuck')) AS won,
            sum(turns) AS turns, sum(turns * turns) AS turns_turns, sum(decisions * decisions) AS decisions_decisions,
            coalesce(sum(margin) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS margin,
            coalesce(sum(margin * margin) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS margin_margin,
            count(*) FILTER (WHERE end_reason IN ('win', 'stuck') AND margin <= 1) AS close,
            coalesce(sum(wide) FILTER (WHERE end_reason IN ('win', 'stuck')), 0) AS spread
        FROM games JOIN spreads USING (variant, players, game) GROUP BY ALL
        """,
    )


def test_seats(run: Run) -> None:
    same(
        run,
        "seats",
        """
        SELECT variant, players, $unit AS unit, seat, strategy, count(*) AS games,
            sum(if(winners > 0, win_share, if(players = 1, 0, 1 / players)) * 2520) AS won,
            sum(win_share * 2520) AS own, 2520 * count(*) FILTER (WHERE winners > 0) AS decided,
            coalesce(sum(win_share * 2520) FILTER (WHERE end_reason = 'win'), 0) AS ordinary,
            count(*) FILTER (WHERE end_reason <> 'win') AS unfinished,
            sum(score) AS "counter:score", sum(laid) AS "counter:laid", sum(caught) AS "counter:caught"
        FROM seats JOIN (SELECT variant, players, game, winners, end_reason FROM games) USING (variant, players, game)
        GROUP BY ALL
        """,
    )


def test_unfinished_games_of_a_strategy_count_once(run: Run) -> None:
    expected = run.sql(
        "SELECT variant, players, strategy, count(DISTINCT game) FROM seats SEMI JOIN (FROM games WHERE "
        "end_reason <> 'win') USING (variant, players, game) GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    found = run.sql(
        "SELECT variant, players, strategy, sum(parted) AS games FROM unit_seats GROUP BY ALL HAVING games > 0 "
        "ORDER BY ALL"
    ).fetchall()
    assert found == expected
    seats = run.sql("SELECT sum(unfinished) FROM unit_seats").fetchall()[0][0]
    assert seats > sum(row[3] for row in expected)  # some hold two seats of a game


def test_lengths(run: Run) -> None:
    same(
        run,
        "lengths",
        "SELECT variant, players, $unit AS unit, turns, CAST(end_reason = 'win' AS BIGINT) AS won, count(*) AS games "
        "FROM games GROUP BY ALL",
    )


def test_uses(run: Run) -> None:
    same(
        run,
        "uses",
        """
        SELECT variant, players, $unit AS unit, 'caught' AS counter,
            sum(if(caught > 0, win_share * 2520, 0)) AS x, sum(CAST(caught > 0 AS INT)) AS m,
            sum(if(caught > 0, 0, win_share * 2520)) AS y, sum(CAST(caught <= 0 AS INT)) AS n
        FROM seats GROUP BY ALL
        """,
    )


def test_values(run: Run) -> None:
    same(
        run,
        "values",
        "SELECT variant, players, $unit AS unit, laid AS value, count(*) AS games FROM seats WHERE laid > 0 "
        "GROUP BY ALL",
    )


def test_tables_without_rows_are_there(tmp_path: Path) -> None:
    with load(write_run(tmp_path / "run", play(blocks=5))) as run:
        assert run.sql("FROM UNIT_USES").fetchall() == run.sql("FROM unit_values").fetchall() == []


def test_renamed_strategies_are_added_up_together(tmp_path: Path) -> None:
    with load(write_run(tmp_path / "run", play(blocks=20, stuck=0.5)), names={"a": "x", "b": "x"}) as run:
        totals = run.sql(
            "SELECT strategy, sum(games), sum(parted) FROM unit_seats GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        assert (
            totals
            == run.sql(
                "SELECT strategy, count(*), count(DISTINCT game) FILTER (WHERE end_reason <> 'win') FROM seats "
                "JOIN (SELECT game, end_reason FROM games) USING (game) GROUP BY ALL ORDER BY ALL"
            ).fetchall()
        )
        assert [row[0] for row in totals] == ["c", "x"]


@given(st.integers(1, 10**10), st.integers(1, 5000))
def test_unit_size(blocks: int, most: int) -> None:
    size = unit_size(blocks, most)
    assert size & (size - 1) == 0
    assert -(-blocks // size) <= most
    assert size == 1 or -(-blocks // (size // 2)) > most
