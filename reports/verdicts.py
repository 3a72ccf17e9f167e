"""The report's section on targets: the verdicts, and the table that they are read from."""

from __future__ import annotations

from typing import Any

from flocksim.analysis.rows import records
from flocksim.analysis.statistics import MIN_UNITS
from flocksim.analysis.tables import Results
from flocksim.analysis.verdict_words import answer, lines, measured, needed, undecided_note, wanted
from flocksim.analysis.verdicts import OPEN

from .answer import MARKS
from .parts import LONG, Grid, Section

_NOTE = (
    "A target holds, or is violated, where the 95 % interval (taken alone) lies inside, or outside, its bounds and "
    f"that survives Holm's correction over all rows of this table, from {MIN_UNITS} blocks on (equivalence tests). By "
    "chance alone: how far the largest of several would be off on average if all were alike. More games: of the case, "
    "to decide it in four of five tries if the measured value is right. Variants and player counts are never pooled."
)


def verdicts_section(results: Results) -> Section | None:
    """Whether the targets are met; nothing when none is set."""
    table = results.verdicts
    if table.empty:
        return None
    sentences = [answer(table, results.robustness), *(str(line) for line in lines(table, results.robustness))]
    note = undecided_note(table)
    columns = ["verdict", "target", "variant", "players", "measured", "games", "more games"]
    grid = Grid(
        "verdicts", "Targets, case by case", columns, [_row(row) for row in records(table)], 4, len(table) > LONG, True
    )
    return Section(
        "verdicts", "Are the targets met?", sentences, grids=[grid], notes=[_NOTE, *([note] if note else [])]
    )


def _row(row: dict[str, Any]) -> list[str]:
    more = needed(row["more"]).removesuffix(" more games a case") if row["verdict"] == OPEN else "–"
    verdict = f"{MARKS[row['verdict']]} {row['verdict']}"
    return [verdict, wanted(row), str(row["variant"]), str(row["players"]), measured(row), f"{row['games']:,}", more]
