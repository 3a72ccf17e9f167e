"""A comparison of two variants, as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from flocksim.analysis.compare import Comparison
from flocksim.analysis.estimates import SHARES
from flocksim.analysis.rows import records
from flocksim.analysis.words import count, interval, number, signed, whole_percent

from .comparisons import MEASURE_WORDS

_HEADS = ("players", "measure", "first", "second", "difference", "95 % interval", "effect size", "variance saved")
_PAIRED = (
    "Paired by block: block b has the same deal in both, so luck that acts alike under both rules cancels. That is a "
    "part of it, often a small one; the intervals hold the rest. Variance saved: how much less differences vary than "
    "between games dealt independently."
)
_OTHER_PLAYERS = (
    "Paired by block: block b has the same deal in both. Their players differ, too (another tier or level of noise), "
    "so differences are the players' as well as the rules'. Strategies that only one of the two has are not compared."
)
_UNPAIRED = "Not paired: the two were dealt from different seeds, so differences are known less well."
_NOTE = (
    "* clear of chance (Holm's correction over all rows). Win shares in %, differences in percentage points. Effect "
    "size of averages: in standard deviations of single games (Cohen's d); of shares: Cohen's h."
)


def comparison_text(found: Comparison) -> str:
    """What two variants are, by which rules they differ, and what that changes."""
    games = [f"{name} ({count(found.games[name], 'game')})" for name in (found.one, found.two)]
    rules = [["rule", found.one, found.two]]
    rules += [[str(row["rule"]), _said(row["one"]), _said(row["two"])] for row in records(found.rules)]
    how = _UNPAIRED if not found.paired else _PAIRED if found.same_players else _OTHER_PLAYERS
    parts = [f"{games[1]} against {games[0]}.", how, ""]
    parts += [*_aligned(rules, 3), ""] if len(rules) > 1 else ["No rule differs.", ""]
    if len(found.table) and found.table.alike.all():
        parts += ["Every game is the same, move for move.", ""]
    parts += [*_aligned([list(_HEADS), *(_row(row) for row in records(found.table))], 2), "", _NOTE]
    return "\n".join(parts)


def _row(row: Mapping[str, Any]) -> list[str]:
    share = row["kind"] != "game" or row["name"] in (*SHARES, "won alone")
    scale = 100.0 if share else 1.0
    half = (row["high"] - row["low"]) / 2 * scale
    size, saved = row["size"], row["saved"]
    name = f"{row['kind']} {row['name']}" if row["kind"] != "game" else MEASURE_WORDS.get(row["name"], row["name"])
    return [
        str(row["players"]), str(name), number(row["one"] * scale, half), number(row["two"] * scale, half),
        signed(row["difference"] * scale, half) + (" *" if row["clear"] else ""),
        interval(row["low"] * scale, row["high"] * scale),
        signed(size, 0.02) if math.isfinite(size) else "–",
        whole_percent(saved) if math.isfinite(saved) else "–",
    ]  # fmt: skip


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_said(part)}" for key, part in value.items())
    return "–" if value is None else str(value)


def _aligned(rows: list[list[str]], left: int) -> list[str]:
    """Columns of text, the first `left` of them set to the left, under a line."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.ljust(width) if place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return [lines[0], "-" * max(map(len, lines)), *lines[1:]]
