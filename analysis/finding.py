"""A finding, and what all findings need to be worded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from .populations import baselines
from .words import exact, with_players

if TYPE_CHECKING:
    from .tables import Results


UNDECIDED = 0.01
"""From this share of games on, sentences about wins say how games that nobody won are counted."""


@dataclass(frozen=True)
class Finding:
    """One sentence, what it is about, and the rows it rests on: (table's name, row's place) pairs."""

    topic: str
    """sample, worth, seats, strategies, solo, length, endings, variants or arc."""
    text: str
    rows: tuple[tuple[str, int], ...] = ()
    summary: bool = False
    """Whether the report's summary shows it."""


def rows_of(table: str, rows: pd.DataFrame) -> tuple[tuple[str, int], ...]:
    return tuple((table, int(place)) for place in rows.index)


def half(row: Any, name: str = "") -> float:
    return float(row[f"{name}_high" if name else "high"] - row[f"{name}_low" if name else "low"]) / 2


def cases(results: Results) -> str:
    kinds = (("variant", len(results.variants)), ("player count", len(results.players)))
    several = [text for text, many in kinds if many > 1]
    return f" ({' and '.join(several)})" if several else ""


def where(results: Results, row: Any) -> str:
    """'in standard with 4 players', 'with 4 players' when there is one variant."""
    variant = f"in {row['variant']} " if len(results.variants) > 1 else ""
    return f"{variant}{with_players([row['players']])}"


def comparable(results: Results, table_name: str) -> bool:
    """Whether seats (or strategies) have rivals to be compared with."""
    table = getattr(results, table_name)
    rivals = 2 if table_name == "seats" else len(results.manifest["strategies"])
    return rivals > 1 and not table.empty


def undecided(results: Results, rows: pd.DataFrame, baseline: bool = False) -> str:
    """', counting the 58 % of games that nobody won as shared evenly'; nothing when there are under 1 % in the cases
    of these rows (and, for comparisons, in their baselines').
    """
    cells = results.cells[results.cells.players.isin(rows.players)]
    variants = set(rows.variant)
    if baseline:
        variants |= {baselines(results.manifest)[name] for name in variants}
    shares = cells[cells.variant.isin(variants)].undecided
    if shares.max() < UNDECIDED:
        return ""
    several = len(shares) > 1
    games = (
        f"games that nobody won (up to {exact(shares.max())})"
        if several
        else (f"the {exact(shares.max())} of games that nobody won")
    )
    return f", counting {games} as shared evenly"


def name_of(row: Any) -> str:
    """'seat 1' or a strategy's name."""
    return f"seat {row['seat']}" if "seat" in row else str(row["strategy"])
