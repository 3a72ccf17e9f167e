"""Verdicts in words: what is wanted, what was found, and where.

Of a target that is not decided nothing is said but how many more games would decide it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from .robust_words import flipping, held
from .rows import records
from .targets import AVERAGES, COURSE
from .verdicts import HOLDS, OPEN, VIOLATED
from .words import count, exact, interval, listed, number, signed, with_players

FEW = 3
"""So many violated cases are named in a sentence; of more, the first."""
NAMED = 2
"""So many violated targets are named in the answer."""
_GAMES = {
    "unfinished": "unfinished games", "stuck": "stuck games", "deadlock": "deadlocks",
    "turn_cap": "games at the turn cap", "ties": "tied games",
    "runaway": "games won by who leads alone at half-time",
}  # fmt: skip
_MEANS = {"margin": "the winner's lead", "spread": "best less worst score", "lead_changes": "changes of the lead"}


class Line(NamedTuple):
    """One target over all its cases: its verdict, what is wanted, and what was found."""

    verdict: str
    wanted: str
    found: str
    flips: bool = False

    @property
    def head(self) -> str:
        """The verdict, and whether it flips when others play."""
        return f"{self.verdict}, but flips" if self.flips else self.verdict

    def __str__(self) -> str:
        return f"{self.head[0].upper()}{self.head[1:]}: {self.wanted}; {self.found}."


TARGET = ["target", "least", "most", "need"]


def lines(table: pd.DataFrame, robustness: pd.DataFrame | None = None) -> list[Line]:
    """A line a target, in the table's order; a target with other bounds in some cases has a line for each.

    robustness: the table of that name, which tells whether a verdict holds whoever plays; not told if not given.
    """
    again = {} if robustness is None else dict(iter(robustness.groupby(TARGET, sort=False)))
    return [_line(group, again.get(key)) for key, group in table.groupby(TARGET, sort=False)]


def _line(rows: pd.DataFrame, again: pd.DataFrame | None) -> Line:
    parts = {word: rows[rows.verdict == word] for word in (VIOLATED, HOLDS, OPEN)}
    of, found = len(rows), []
    for word, some in parts.items():
        if len(some):
            found.append(f"{word} {_where(some, of)}{_detail(word, some, of)}")
    verdict = next(word for word in (VIOLATED, OPEN, HOLDS) if len(parts[word]))
    populations = "" if again is None else held(again)
    told = f"{', '.join(found)}{f'; {populations}' if populations else ''}"
    return Line(verdict, wanted(records(rows)[0]), told, again is not None and bool(again.flips.any()))


def _where(some: pd.DataFrame, of: int) -> str:
    if of == 1:
        return f"in {case(records(some)[0])}"
    return f"in {len(some)} of {of} cases" if len(some) < of else "in both cases" if of == 2 else f"in all {of} cases"


def _detail(word: str, rows: pd.DataFrame, of: int) -> str:
    if word == HOLDS:
        return ""
    if word == OPEN:
        more = rows.more.max()
        return f" ({still_needed(rows)})" if math.isfinite(more) or more > 0 else ""
    if of == 1:
        return f" ({measured(records(rows)[0])})"
    each = [f"{case(row)}: {measured(row)}" for row in records(rows[:FEW])]
    rest = f"; and {len(rows) - FEW} more" if len(rows) > FEW else ""
    return f" ({'; '.join(each)}{rest})"


def case(row: Mapping[str, Any]) -> str:
    """'quick-game with 2 players'"""
    return f"{row['variant']} {with_players([row['players']])}"


def still_needed(rows: pd.DataFrame) -> str:
    """What would decide the open cases of a target: 'about 22,000 to 500,000 more games, by case'."""
    games = "recorded game" if rows.target.iloc[0].rpartition(".")[2] in COURSE else "game"
    known = rows.more[rows.more.notna()]
    if known.empty or known.nunique() == 1:
        return needed(rows.more.max(), games)
    low, high = float(known.min()), float(known.max())
    if math.isinf(high):
        return f"about {_roughly(low)} more {games}s or many more, by case"
    return f"about {_roughly(low)} to {_roughly(high)} more {games}s, by case"


def needed(more: float, games: str = "game") -> str:
    """'about 4,100 more games a case'; an effect that sits on its bound needs no end of them."""
    if math.isnan(more):
        return f"too few {games}s to say how many more"
    if math.isinf(more):
        return f"so near the bound that more {games}s hardly help"
    return f"about {_roughly(more)} more {games}s a case"


def _roughly(number_: float) -> str:
    """Two digits, rounded up."""
    size = max(0, math.floor(math.log10(max(number_, 1))) - 1)
    return f"{math.ceil(number_ / 10**size) * 10**size:,}"


def wanted(row: Mapping[str, Any]) -> str:
    """What a target asks for: 'every seat within ±5 points of its fair share'."""
    kind, _, key = str(row["target"]).rpartition(".")
    if kind == "strategies":
        return _of_strategies(key, row)
    low, high = (float(row[end]) * (1 if key in AVERAGES else 100) for end in ("least", "most"))
    if kind == "changes":
        name = "the gap between seats" if key == "seats" else _MEANS.get(key, _GAMES.get(key, key))
        told = _plain if key in AVERAGES else _points
        if math.isinf(low) and high >= 0:
            return f"{name}: at most {told(high)} more than in the baseline"
        return f"{name}: {_band(low, high)}{'' if key in AVERAGES else ' points'} against the baseline"
    if key == "seats":
        within = f"within ±{_points(high)}" if low == -high else f"{_band(low, high)} points"
        return f"every seat {within} of its fair share"
    if key in _GAMES:
        return f"{_GAMES[key]}: {_band(low, high)} %"
    return f"{_MEANS.get(key, key)}: {_band(low, high)} on average"


def _points(value: float) -> str:
    return f"{_plain(value)} point{'' if _plain(value) == '1' else 's'}"


def _of_strategies(key: str, row: Mapping[str, Any]) -> str:
    below = _points(-float(row["least"]) * 100)
    if key == "above":
        return f"no strategy more than {_points(float(row['most']) * 100)} above its fair share"
    if key == "below":
        return f"no strategy more than {below} below its fair share"
    viable = count(int(row["need"]), "viable strategy", "viable strategies")
    return f"at least {viable} (at most {below} below fair)"


def measured(row: Mapping[str, Any]) -> str:
    """What was measured: 'seat 1 +7.1 points, 6.2 to 8.0 (by chance about 0.4)'."""
    kind, _, key = str(row["target"]).rpartition(".")
    share = key not in AVERAGES
    scale = 100.0 if share else 1.0
    value, low, high = (float(row[name]) * scale for name in ("effect", "low", "high"))
    half = (high - low) / 2
    relative = kind != "" or key == "seats"
    unit = (" points" if relative else " %") if share else (f" {key}" if key not in _MEANS else "")
    text = f"{signed(value, half) if relative else number(value, half)}{unit}"
    text = f"{row['who']} {text}" if row["who"] else text
    if math.isfinite(half) and half > 0:
        text += f", {interval(low, high)}"
    by_chance = float(row["by_chance"])
    return f"{text} (by chance alone {number(abs(by_chance) * 100, half)})" if math.isfinite(by_chance) else text


def undecided_note(table: pd.DataFrame) -> str:
    """How games that nobody won are counted, where there are some."""
    wins = table[table.target.str.startswith(("seats", "strategies", "changes.seats"))]
    most = wins.undecided.max() if len(wins) else 0.0
    return f"Games that nobody won (up to {exact(most)} of a case) count as shared evenly." if most > 0 else ""


def answer(table: pd.DataFrame, robustness: pd.DataFrame | None = None) -> str:
    """The whole in a sentence or two, with what is violated by name if that is little.

    'Of 14 targets, 1 is violated (ties: at most 2 %) and 13 hold. 1 verdict flips when others play.'
    """
    if table.empty:
        return "No target is set."
    found = lines(table)
    by = {word: [line for line in found if line.verdict == word] for word in (VIOLATED, HOLDS, OPEN)}
    named = [line.wanted for line in by[VIOLATED]]
    which = f" ({'; '.join(named)})" if 0 < len(named) <= NAMED else ""
    words = {
        VIOLATED: f"{'is' if len(named) == 1 else 'are'} violated{which}",
        HOLDS: "holds" if len(by[HOLDS]) == 1 else "hold",
        OPEN: f"{'needs' if len(by[OPEN]) == 1 else 'need'} more games",
    }
    kinds = [word for word in by if by[word]]
    if len(kinds) > 1:
        told = f"Of {len(found)} targets, {listed(f'{len(by[word])} {words[word]}' for word in kinds)}."
    elif kinds == [OPEN] and len(found) > 1:
        told = f"{'Neither target' if len(found) == 2 else f'Not one of the {len(found)} targets'} is decided yet."
    else:
        every = "The target" if len(found) == 1 else "Both targets" if len(found) == 2 else f"All {len(found)} targets"
        told = f"{every} {words[kinds[0]]}."
    return told if robustness is None else f"{told} {flipping(robustness)}".strip()


def _band(low: float, high: float) -> str:
    if math.isinf(low):
        return f"at most {_plain(high)}"
    return f"at least {_plain(low)}" if math.isinf(high) else f"{_plain(low)} to {_plain(high)}"


def _plain(value: float) -> str:
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")
