"""The report's section on the choice of a strategy: the mix that nothing beats, who beats whom, who is dominated."""

from __future__ import annotations

from typing import Any

import pandas as pd
from flocksim.analysis.finding import where
from flocksim.analysis.metagame import EPSILON
from flocksim.analysis.rows import highest, records
from flocksim.analysis.statistics import MIN_UNITS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, interval, listed, number

from . import payoffs as figures
from .parts import LONG, Grid, Picture, Section, half, picture

SOME = 0.005
"""A strategy of less weight is not told as part of a mix."""
_FINEST = 0.05
"""Half the narrowest band of how varied a mix is: no more decimals are shown."""
FEW = 6
"""So many cases are told in sentences; of more, the baselines'."""
_NOTE = (
    "Two strategies play for who ranks higher when both sit at a table. The mix is the equilibrium of that game: no "
    "strategy ranks above it in more than half of its meetings with it (Nash averaging: of several such mixes the most "
    "even); it is as varied as so many strategies of equal weight (the exponential of its entropy). Dominated: another "
    "strategy ranks "
    f"above it and does at most {EPSILON * 100:g} points worse than it against anybody. Bands: bootstrap over blocks."
)


def metagame_section(results: Results) -> Section | None:
    """The metagame; nothing when no case has three strategies that all met often enough."""
    if results.mix.empty:
        return None
    cases = results.diversity
    if len(cases) > FEW:
        cases = cases[cases.variant.isin(results.baselines)]
    sentences = [text for row in records(cases) for text in _told(results, row)]
    pictures = [_picture(results, row) for row in records(results.diversity[_drawn(results)])]
    grids = [_diversity(results), _mix(results), _payoffs(results)]
    notes = [text for text in (_left_out(results, len(cases)), _NOTE) if text]
    return Section("metagame", "Which strategies last?", sentences, pictures, grids, notes)


def _left_out(results: Results, told: int) -> str:
    """Which cases are not told in sentences, not drawn, or not known at all."""
    texts = []
    every = len(results.diversity)
    if told < every:
        texts.append(f"Sentences are on {listed(results.baselines)}; the tables have all {every} cases.")
    drawn = results.diversity[_drawn(results)]
    if len(drawn) < every:
        texts.append(f"Figures are of {drawn.variant.iloc[0]}.")
    known = set(zip(results.diversity.variant, results.diversity.players, strict=True))
    unknown = [row for row in records(results.cells[results.cells.players > 1])
               if (row["variant"], row["players"]) not in known]  # fmt: skip
    if unknown:
        many = f"in {len(unknown)} of {every + len(unknown)} cases"
        cases = listed(where(results, row) for row in unknown) if len(unknown) <= FEW else many
        texts.append(f"Nothing is told {cases}: there are fewer than three "
                     f"strategies there, or two of them met in fewer than {MIN_UNITS} blocks.")  # fmt: skip
    return " ".join(texts)


def _drawn(results: Results) -> pd.Series:
    """Of which cases a figure is drawn: those of the first variant that has any."""
    return results.diversity.variant == results.diversity.variant.iloc[0]


def _picture(results: Results, row: dict[str, Any]) -> Picture:
    """Who ranks above whom in one case, and the mix."""
    pairs, mix = _of(results.payoffs, row), _of(results.mix, row)
    place = where(results, row)
    first = highest(mix, mix.weight)
    beaten = int(mix.dominated_by.astype(bool).sum())
    alt = (
        f"Who ranks above whom {place}, {count(len(mix), 'strategy', 'strategies')}, with each one's weight in the mix "
        f"that nothing beats. Largest weight: {first.strategy}, {number(first.weight * 100, half(first) * 100)} % "
        f"({_band(first)}). {'None' if not beaten else count(beaten, 'strategy', 'strategies')} dominated. The tables "
        "below have every value."
    )
    caption = (
        f"{place[0].upper()}{place[1:]}: in how many of their meetings the row ranks above the column, in percent "
        "(blue: more than half; * clear of chance); beside it each one's weight in the mix that nothing beats, with "
        "its band; ✕: dominated."
    )
    name = f"payoffs-{row['players']}"
    return picture(name, lambda: figures.payoffs(pairs, mix), alt, caption, ("pairs",))


def _of(table: pd.DataFrame, row: dict[str, Any]) -> pd.DataFrame:
    return table[(table.variant == row["variant"]) & (table.players == row["players"])]


def _told(results: Results, row: dict[str, Any]) -> list[str]:
    """What may be said of one case: its mix only where it is clear who belongs to it."""
    mine = _of(results.mix, row).sort_values("weight", ascending=False, kind="stable")
    place = where(results, row)
    some, may = records(mine[mine.weight > SOME]), list(mine[mine.high > SOME].strategy)
    if len(some) == 1 and some[0]["low"] > 1 - SOME:
        said = f"no other strategy or mix of them beats {some[0]['strategy']}"
    elif len(some) == len(may) and all(entry["low"] > SOME for entry in some):
        each = [f"{entry['strategy']} ({_band(entry)} %)" for entry in some]
        said = f"nothing beats a mix of {listed(each)}, as varied as {_varied(row)} strategies of equal weight"
    else:
        said = f"it is not clear which strategies nothing beats; {listed(may)} may be among them"
    told = [f"{place[0].upper()}{place[1:]}, {said}."]
    beaten = [f"{entry['strategy']} (by {entry['dominated_by']})" for entry in records(mine) if entry["dominated_by"]]
    if beaten:
        told.append(f"Dominated {place}: {listed(beaten)}.")
    if row["cycles"]:
        told.append(f"In a circle {place}, each above the next: {row['cycles']}.")
    return told


def _band(row: Any) -> str:
    return interval(row["low"] * 100, row["high"] * 100)


def _mix(results: Results) -> Grid:
    columns = ["variant", "players", "strategy", "weight, %", "95 % band", "above the mix, %", "dominated by"]
    rows = [[*map(str, (row["variant"], row["players"], row["strategy"])),
             number(row["weight"] * 100, half(row) * 100), _band(row), f"{row['against'] * 100:.1f}",
             str(row["dominated_by"]) or "–"] for row in records(results.mix)]  # fmt: skip
    return Grid("mix", "The mix that no strategy beats", columns, rows, 3, len(rows) > LONG)


def _varied(row: dict[str, Any]) -> str:
    wide = max(half(row), _FINEST)
    return f"{number(row['low'], wide)} to {number(row['high'], wide)}"


def _diversity(results: Results) -> Grid:
    columns = ["variant", "players", "strategies of equal weight", "95 % band", "in a circle"]
    rows = [[str(row["variant"]), str(row["players"]), number(row["effective"], max(half(row), _FINEST)),
             _varied(row), row["cycles"] or "–"]
            for row in records(results.diversity)]  # fmt: skip
    return Grid("diversity", "How varied the mix is: as so many strategies of equal weight", columns, rows, 2,
                len(rows) > LONG)  # fmt: skip


def _payoffs(results: Results) -> Grid:
    columns = ["variant", "players", "strategy", "other", "meetings", "ranks above it, %", "95 % interval"]
    rows = [
        [
            str(row["variant"]), str(row["players"]), str(row["strategy"]), str(row["other"]), f"{row['meetings']:,}",
            number(row["share"] * 100, half(row) * 100) + (" *" if row["clear"] else ""),
            interval(row["low"] * 100, row["high"] * 100),
        ]
        for row in records(results.payoffs)
    ]  # fmt: skip
    return Grid("payoffs", "Who ranks above whom (* clear of chance, Holm by case)", columns, rows, 4, True)
