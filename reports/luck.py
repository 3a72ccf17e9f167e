"""The report's section on luck and skill: what decides who wins, and beside it the ladder of strategies."""

from __future__ import annotations

from typing import Any

import pandas as pd
from flocksim.analysis.finding import where
from flocksim.analysis.luck import BOTS, DEAL, DRAWS, LUCK, SEAT, SKILL
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import NEARLY_EXACT, interval, number, percent

from .parts import Grid, Section, half

FEW = 4
"""So many cases are told in sentences; of more, the baselines'."""
_SOURCES = (LUCK, DEAL, DRAWS, BOTS, SKILL, SEAT)
_NOTE = (
    "Shares of the variance of who wins, from games that share some sources of chance and nothing else, with bootstrap "
    "intervals over blocks. Line-up: who sits where, so what strategies can do; the more alike they are, the less. "
    "Luck is what varies while line-up and seats stay, and comes of three sources (Shapley effects: what knowing each "
    "adds, over all orders). Deal: all that set-up draws, such as hands, and the order of a pile that is shuffled "
    "then. Draws: cards and dice during play. Bots' noise: their slips, and choices among equals."
)


def luck_section(results: Results) -> Section | None:
    """Luck and skill; nothing for studies that do not ask (`luck: N`)."""
    if results.luck.empty:
        return None
    cases = [rows for _, rows in results.luck.groupby(["variant", "players"], sort=False)]
    told = cases
    if len(cases) > FEW:
        told = [rows for rows in cases if rows.variant.iloc[0] in results.baselines]
    columns = ["variant", "players", "blocks", *(f"{source}, %" for source in _SOURCES)]
    grid = Grid("luck", "What decides who wins (95 % intervals in brackets)", columns, [_row(rows) for rows in cases])
    grids = [grid, *_ladder(results)]
    return Section("luck", "How much is luck?", [_said(results, rows) for rows in told], grids=grids, notes=[_NOTE])


def _by_source(rows: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {row["source"]: row for row in records(rows)}


def _row(rows: pd.DataFrame) -> list[str]:
    by = _by_source(rows)
    shown = [
        f"{number(row['share'] * 100, half(row) * 100)} ({interval(row['low'] * 100, row['high'] * 100)})"
        for row in (by[source] for source in _SOURCES)
    ]
    return [str(rows.variant.iloc[0]), str(rows.players.iloc[0]), f"{int(rows.blocks.iloc[0]):,}", *shown]


def _said(results: Results, rows: pd.DataFrame) -> str:
    by = _by_source(rows)
    place = where(results, rows.iloc[0])
    lucky = _bounds(by[LUCK]) if by[LUCK]["high"] >= 1 else _with_bounds(by[LUCK])
    return (
        f"{place[0].upper()}{place[1:]}, {lucky} of who wins is luck: the deal {_told(by[DEAL])}, draws during "
        f"play {_told(by[DRAWS])} and the bots' noise {_told(by[BOTS])}. Skill, the line-up: {_told(by[SKILL])}; "
        f"the seat: {_told(by[SEAT])}."
    )


def _told(row: dict[str, Any]) -> str:
    """A share with its interval; one that may be nothing is not stated as a number."""
    if row["high"] * 100 < NEARLY_EXACT:
        return "0 %"
    return f"not told apart from 0 ({_bounds(row)})" if row["low"] <= 0 else _with_bounds(row)


def _with_bounds(row: dict[str, Any]) -> str:
    return f"{percent(row['share'], half(row))} ({_bounds(row)})"


def _bounds(row: dict[str, Any]) -> str:
    return f"{interval(row['low'] * 100, row['high'] * 100)} %"


def _ladder(results: Results) -> list[Grid]:
    """The strategies of each case, the best first."""
    rows = []
    for (variant, players), cell in results.strategies.groupby(["variant", "players"], sort=False):
        ordered = cell.sort_values("share", ascending=False, kind="stable")
        rungs = [f"{row['strategy']} {percent(row['share'], half(row))}" for row in records(ordered)]
        rows.append([str(variant), str(players), ", ".join(rungs)])
    heads = ["variant", "players", "win shares, the best first"]
    return [Grid("ladder", "The ladder of strategies", heads, rows, 2, len(rows) > 12, words=True)] if rows else []
