"""What differs between any two variants: rules, and what they make of the game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from .estimates import SHARES
from .rows import records
from .run_folder import Run
from .statistics import LEVEL, MIN_UNITS, chance, holm
from .tables import Results, summarise
from .together import together

_NORMAL = stats.norm.ppf((1 + LEVEL) / 2)
_KEYS = ("players", "kind", "name")
_TEAMS = """
    SELECT DISTINCT list_sort(strategies)
    FROM (SELECT variant, list(DISTINCT strategy) AS strategies FROM seats GROUP BY variant)
"""


@dataclass(frozen=True)
class Comparison:
    """Variant `two` less variant `one`."""

    one: str
    two: str
    paired: bool
    """Whether blocks face the same deals in both and are compared one by one; else two independent samples."""
    same_players: bool
    """Whether both are played by the same strategies."""
    rules: pd.DataFrame
    """rule, one, two: every rule that differs."""
    table: pd.DataFrame
    """players, kind (game, seat, strategy), name, one, two, difference, low, high, size, saved, clear, alike.

    size: the standardised effect, of means the difference by the pooled standard deviation of single games (Cohen's d),
    of shares 2 arcsin(sqrt(two)) - 2 arcsin(sqrt(one)) (Cohen's h; Cohen 1988); saved: 1 - Var(paired) / Var(unpaired);
    clear: the interval excludes zero, also after Holm's correction over all rows; alike: every game is the same.
    """
    games: dict[str, int]
    """By variant."""


def compare(folder: Path, one: str, two: str, other: Path | None = None) -> Comparison:
    """Compare two variants of a run folder, or the first with one of another folder. Raises FlocksimError."""
    run, paired = together(folder, one, two, other)
    with run:
        results = summarise(run)
        teams = run.sql(_TEAMS).fetchall()
        rows = _paired(results) if paired else _unpaired(results)
        table = rows.assign(size=_sizes(run, rows))
    names = [entry["name"] for entry in results.manifest["variants"]]
    games = results.cells.groupby("variant").games.sum()
    table = table[[*_KEYS, "one", "two", "difference", "low", "high", "size", "saved", "clear", "alike"]]
    return Comparison(
        one=names[0],
        two=names[1],
        paired=paired,
        same_players=len(teams) == 1,
        rules=_rules(results),
        table=table.sort_values("players", kind="stable", ignore_index=True),
        games={name: int(games[name]) for name in names},
    )


def _rules(results: Results) -> pd.DataFrame:
    one, two = (entry["rules"] for entry in results.manifest["variants"])
    differ = [rule for rule in dict.fromkeys([*one, *two]) if one.get(rule) != two.get(rule)]
    return pd.DataFrame([(rule, one.get(rule), two.get(rule)) for rule in differ], columns=["rule", "one", "two"])


def _paired(results: Results) -> pd.DataFrame:
    parts = [
        _named(results.variant_measures, "game", "measure"),
        _named(results.variant_solo.assign(name="won alone"), "game", "name"),
        _named(results.variant_seats, "seat", "seat"),
        _named(results.variant_strategies, "strategy", "strategy"),
    ]
    names = {"baseline": "one", "value": "two", "variance_reduction": "saved", "claim": "clear"}
    return pd.concat([part for part in parts if len(part)], ignore_index=True).rename(columns=names)


def _named(table: pd.DataFrame, kind: str, name: str) -> pd.DataFrame:
    return table.assign(kind=kind, name=table[name].astype(str))


def _unpaired(results: Results) -> pd.DataFrame:
    """Differences of independent samples; limits of the two as squares (MOVER: Zou and Donner 2008)."""
    margins = results.margins.assign(measure="margin")
    alone = results.solo[results.solo.strategy == ""].assign(players=1, measure="won alone")
    parts = [
        _levels(results.length, "game", "measure", "mean"),
        _levels(margins, "game", "measure", "mean"),
        _levels(results.endings[results.endings.measure.isin(SHARES)], "game", "measure", "share"),
        _levels(results.seats, "seat", "seat", "share"),
        _levels(results.strategies, "strategy", "strategy", "share"),
        _levels(alone, "game", "measure", "won"),
    ]
    levels = pd.concat([part for part in parts if len(part)], ignore_index=True)
    one, two = (levels[levels.variant == entry["name"]] for entry in results.manifest["variants"])
    rows = one.merge(two, on=list(_KEYS), suffixes=("_one", "_two"))
    blocks = results.cells.groupby("players").blocks.min()
    rows["difference"] = rows.value_two - rows.value_one
    rows["low"] = rows.difference - np.hypot(rows.value_two - rows.low_two, rows.high_one - rows.value_one)
    rows["high"] = rows.difference + np.hypot(rows.high_two - rows.value_two, rows.value_one - rows.low_one)
    error = (rows.high - rows.low) / (2 * _NORMAL)
    with np.errstate(all="ignore"):
        p = chance(rows.difference / error, np.inf, rows.players.map(blocks))
    p = holm(np.where(rows.players.map(blocks) < MIN_UNITS, np.nan, p))
    clear = (p < 1 - LEVEL) & ((rows.low > 0) | (rows.high < 0))
    return rows.rename(columns={"value_one": "one", "value_two": "two"}).assign(saved=np.nan, clear=clear, alike=False)


def _levels(table: pd.DataFrame, kind: str, name: str, value: str) -> pd.DataFrame:
    columns = ["variant", "players", "kind", "name", "value", "low", "high"]
    return table.assign(kind=kind, name=table[name].astype(str), value=table[value])[columns]


def _sizes(run: Run, rows: pd.DataFrame) -> np.ndarray:
    """Standardised effects; NaN where single games do not differ, or nothing is known of their spread."""
    spread = run.frame("game_spread")
    pooled = spread.assign(square=spread.deviation**2).groupby(["players", "measure"]).square.mean() ** 0.5
    sizes = []
    for row in records(rows):
        share = row["kind"] != "game" or row["name"] in (*SHARES, "won alone")
        if share:
            angles = [2 * np.arcsin(np.sqrt(np.clip(row[side], 0, 1))) for side in ("one", "two")]
            sizes.append(angles[1] - angles[0])
        else:
            deviation = pooled.get((row["players"], row["name"]), np.nan)
            sizes.append(row["difference"] / deviation if deviation > 0 else np.nan)
    return np.array(sizes, float)
