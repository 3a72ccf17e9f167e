"""The summary that a run prints when it is done."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from flocksim.analysis.caveats import limit_reached
from flocksim.analysis.rows import leaders, records
from flocksim.analysis.tables import Results
from flocksim.analysis.verdict_words import answer, lines
from flocksim.analysis.words import number, percent, signed

HEADS = (
    "variant",
    "players",
    "games",
    "mean turns",
    "seat 1 wins (vs fair)",
    "best strategy",
)
UNFINISHED = {"stuck": "stuck", "deadlock": "deadlock", "turn_cap": "turn cap"}
_LEFT = ("variant", "best strategy")


def summary_table(results: Results) -> str:
    """A line of aligned text per variant and player count; of ways to end unfinished, only those that happened."""
    happened = set(results.endings[results.endings.total > 0].measure)
    endings = [kind for kind in UNFINISHED if kind in happened]
    heads = [*HEADS, *(UNFINISHED[kind] for kind in endings)]
    rows = [heads, *(_row(results, cell, endings) for cell in records(results.cells))]
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    aligned = []
    for row in rows:
        cells = [
            text.ljust(width) if head in _LEFT else text.rjust(width)
            for head, text, width in zip(heads, row, widths, strict=True)
        ]
        aligned.append("  ".join(cells).rstrip())
    table = [aligned[0], "-" * max(map(len, aligned)), *aligned[1:]]
    if not results.manifest["complete"]:
        table.append("This run is not finished: these are the games that are there.")
    if limit := limit_reached(results):
        table.append(limit)
    return "\n".join(table)


def verdict_lines(table: pd.DataFrame, robustness: pd.DataFrame) -> list[str]:
    """Whether the targets are met, and whoever plays: the answer, then a line a target, the verdict first."""
    told = lines(table, robustness)
    width = max((len(line.head) for line in told), default=0)
    return [answer(table, robustness), *(f"  {line.head:{width}}  {line.wanted}; {line.found}" for line in told)]


def _row(results: Results, cell: dict[str, Any], endings: list[str]) -> list[str]:
    def of(table: pd.DataFrame) -> pd.DataFrame:
        return table[(table.variant == cell["variant"]) & (table.players == cell["players"])]

    turns = of(results.length[results.length.measure == "turns"]).iloc[0]
    ends = of(results.endings).set_index("measure")
    return [
        str(cell["variant"]),
        str(cell["players"]),
        f"{cell['games']:,}",
        number(turns["mean"], (turns.high - turns.low) / 2),
        *_winners(results, cell),
        *(_rare(ends.loc[measure]) for measure in endings),
    ]


def _rare(row: Any) -> str:
    return percent(row.share, (row.high - row.low) / 2) if row.total else "0 %"


def _winners(results: Results, cell: dict[str, Any]) -> list[str]:
    """How often the first seat, or a lone player, wins, and who wins most."""
    if cell["players"] == 1:
        alone = results.solo[results.solo.variant == cell["variant"]]
        everyone = alone[alone.strategy == ""].iloc[0]
        shares = alone[alone.strategy != ""].rename(columns={"won": "share"})
        return [percent(everyone.won, (everyone.high - everyone.low) / 2), _best(shares)]
    here = [
        (table.variant == cell["variant"]) & (table.players == cell["players"])
        for table in (results.seats, results.strategies)
    ]
    seats, strategies = results.seats[here[0]], results.strategies[here[1]]
    return [_first_seat(seats[seats.seat == 1].iloc[0]), _best(strategies)]


def _first_seat(row: Any) -> str:
    half = (row.high - row.low) / 2
    if not math.isfinite(half):
        return percent(row.share, half)
    return f"{percent(row.share, half)} ({signed(row.edge * 100, (row.edge_high - row.edge_low) * 50)})"


def _best(rows: pd.DataFrame) -> str:
    if len(rows) < 2:
        return "no rivals"
    first = leaders(rows, "share")
    best = first.iloc[0]
    if len(first) > 1:
        return f"{best.strategy} or {first.strategy.iloc[1]}" if len(first) == 2 else "not clear"
    return f"{best.strategy} {percent(best.share, (best.high - best.low) / 2)}"
