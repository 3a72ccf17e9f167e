"""The report's sections on seats, on strategies and on players alone."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import exact, interval, listed, number, signed, with_players

from . import figures
from .parts import LONG, STAR, Grid, Section, alternative, at_most_six, band, half, picture, said

_SHARE_NOTE = (
    "Shares are of all games of the case; a tie of k counts as 1/k of a win, and a game that nobody won (cut off) as "
    "shared by all its seats, so that a fair share stays what it is. Against fair: that share less a fair one, in "
    "percentage points. Worst and best: the games won had every unfinished game (stuck, deadlock, turn cap) gone "
    "against or for it."
)


def _win_rows(table: pd.DataFrame, key: str) -> list[list[str]]:
    rows = []
    for row in records(table):
        wide = half(row)
        rows.append(
            [
                *(str(row["variant"]), str(row["players"]), str(row[key]), f"{row['games']:,}"),
                *(number(row["share"] * 100, wide * 100), interval(row["low"] * 100, row["high"] * 100)),
                signed(row["edge"] * 100, wide * 100) + (" *" if row["claim"] else ""),
                *(number(row["worst"] * 100, wide * 100), number(row["best"] * 100, wide * 100)),
            ]
        )
    return rows


def _win_columns(who: str, games: str) -> list[str]:
    return [
        *("variant", "players", who, games, "win share, %", "95 % interval"),
        *("against fair", "worst, %", "best, %"),
    ]


def seats_section(results: Results) -> Section | None:
    """Seats against their fair share; nothing where everybody plays alone."""
    table = results.seats
    if table.empty:
        return None
    alt = alternative(table, "edge", "seat", "Wins above or below a fair share by seat", edge="edge_")
    caption = "Wins above or below a fair share, by seat; lines: 95 % intervals, dashed: a fair share."
    shown = picture("seats", lambda: figures.seats(table, band(results, "seats")), alt, caption, ("seat_wins",))
    caption = "Win share by seat (1 = first to play)"
    grid = Grid("seats", caption, _win_columns("seat", "games"), _win_rows(table, "seat"), 3, len(table) > LONG)
    notes = [_fair(results.players), _SHARE_NOTE, STAR]
    sentences = said(results, "seats", 12)
    if len(sentences) > 6:
        sentences = said(results, "seats", 6, only=results.baselines)
    return Section("seats", "Does a seat win more than its share?", sentences, [shown], [grid], notes)


def strategies_section(results: Results) -> Section:
    """Who plays, and who wins more or less than its share."""
    table = results.strategies
    entries = results.manifest["strategies"]
    lines = [[str(entry["name"]), str(entry.get("line") or "")] for entry in entries]
    who = Grid("strategy_lines", "Strategies", ["strategy", "plan"], lines, heads=1, words=True)
    if table.empty or len(entries) == 1:
        alone = [f"Only {entries[0]['name']} played, so strategies cannot be compared."] * (len(entries) == 1)
        return Section("strategies", "Who played", alone, grids=[who])
    shown, note = at_most_six(table, results, "strategies")
    alt = alternative(shown, "share", "strategy", "Share of games won by strategy", " %")
    caption = f"Win share of each strategy against this field; lines: 95 % intervals, dashed: fair share.{note}"
    allowed = band(results, "strategies.above", "strategies.below")
    drawn = picture("strategies", lambda: figures.strategies(shown, allowed), alt, caption, ("strategy_wins",))
    columns, rows = _win_columns("strategy", "seats held"), _win_rows(table, "strategy")
    grid = Grid("strategies", "Win share by strategy", columns, rows, 3, len(table) > LONG)
    sentences = said(results, "strategies", 12, only=results.baselines)
    title = "Does a strategy win too much, or too little?"
    return Section("strategies", title, sentences, [drawn], [who, grid], [_SHARE_NOTE, STAR])


def solo_section(results: Results) -> Section | None:
    """How often a lone player wins; nothing when nobody plays alone."""
    if results.solo.empty:
        return None
    rows = [
        [
            *(str(row["variant"]), str(row["strategy"] or "all"), f"{row['games']:,}"),
            *(number(row["won"] * 100, half(row) * 100), interval(row["low"] * 100, row["high"] * 100)),
        ]
        for row in records(
            results.solo.sort_values("variant", key=lambda names: names.map(results.variants.index), kind="stable")
        )
    ]
    grid = Grid("solo", "Games won alone", ["variant", "strategy", "games", "won, %", "95 % interval"], rows)
    return Section("solo", "How often does a player alone win?", said(results, "solo", 4), grids=[grid])


def _fair(players: Sequence[int]) -> str:
    """'A fair share is 50 % with 2 players and 25 % with 4 players.'"""
    each = [f"{exact(1 / number_)} {with_players([number_])}" for number_ in players if number_ > 1]
    return f"A fair share is {listed(each)}." if each else ""
