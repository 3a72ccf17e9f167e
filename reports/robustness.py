"""The report's section on robustness: whether the verdicts hold whoever plays."""

from __future__ import annotations

import pandas as pd
from flocksim.analysis.populations import played_by
from flocksim.analysis.robust_words import flips, held
from flocksim.analysis.robustness import FIRST_GAMES
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.verdict_words import wanted
from flocksim.analysis.verdicts import OPEN

from .parts import Grid, Section

_NOTE = (
    "A population is the study's players, at each tier or level of noise, all of them or with one left out: only the "
    "blocks count then whose line-up has not got it. Each is judged like a study of its own, where one is left out of "
    f"at most {FIRST_GAMES:,} games a case (fewer where cases are many), with Holm's correction over all populations. "
    "A verdict flips where a population decides the other way; with too few games left a population decides nothing. "
    "With no more strategies than seats every line-up has them all, and none can be left out."
)


def robustness_section(results: Results) -> Section | None:
    """In how many populations each verdict holds; nothing when there is only one."""
    table = results.robustness
    if table.empty or len(table[["population", "without"]].drop_duplicates()) < 2:
        return None
    sentences, rows = [], []
    for _, target in table.groupby(["target", "least", "most", "need"], sort=False):
        said = held(target)
        if said:
            asked = wanted(records(target)[0])
            sentences.append(f"{asked[0].upper()}{asked[1:]}: {said}.")
        rows += [_row(case) for _, case in target.groupby(["rules", "players"], sort=False)]
    columns = ["target", "variant", "players", "verdict", "populations", "the same", "not enough games", "flips"]
    grid = Grid("robustness", "Verdicts by who plays", columns, rows, 3, len(rows) > 12)
    return Section("robustness", "Do the verdicts hold whoever plays?", sentences, grids=[grid], notes=[_NOTE])


def _row(case: pd.DataFrame) -> list[str]:
    first = records(case)[0]
    whole = case[(case.without == "") & (case.verdict != OPEN)]
    verdict = f"{whole.verdict.iloc[0]} {played_by(str(whole.population.iloc[0]))}".strip() if len(whole) else OPEN
    few = int((case.verdict == OPEN).sum())
    same = len(case) - few - int(case.flips.sum()) if len(whole) else 0
    return [
        *(wanted(first), str(first["rules"]), str(first["players"]), verdict),
        *(str(len(case)), str(same), str(few), flips(case).removeprefix("flips ") or "–"),
    ]
