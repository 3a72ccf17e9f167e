"""Estimates of the quantities that queries sum up: what result tables and verdicts are both made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from flocksim.simulate.sums import WIN

from .run_folder import Run
from .statistics import REPEATING, Estimate, claimable, product, ratio, share

SHARES = ("tied", "stuck", "deadlock", "turn_cap")
"""Measures that are shares of games; the others of `variant_measures` are means."""
COURSE = ("lead_changes", "alone", "runaway", "auc", "decided", "options", "forced")
"""Measures of recorded games."""
HALF = 5
"""Half-time, in tenths of a game's turns."""


def scored(manifest: Mapping[str, Any]) -> bool:
    """Whether scores tell by how much a game is won; else leads and scores are left out of what is told of a run."""
    return bool(manifest["game"].get("scored", True))


class Order:
    """Puts rows into the manifest's order."""

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        measures = ("turns", "rounds", "decisions", "win", *SHARES, "margin", "spread", *COURSE)
        self.places = {
            "variant": [entry["name"] for entry in manifest["variants"]],
            "strategy": [entry["name"] for entry in manifest["strategies"]],
            "measure": list(measures),
            "counter": ["score", *manifest.get("counters", [])],
        }

    def __call__(self, table: pd.DataFrame) -> pd.DataFrame:
        every = ("variant", "players", "strategy", "seat", "tenth", "deficit", "measure", "counter", "turns")
        keys = [key for key in every if key in table.columns]

        def place(column: pd.Series) -> pd.Series:
            known = self.places.get(str(column.name))
            ranks = {word: rank for rank, word in enumerate(known or [])}
            return column.map(lambda word: ranks.get(word, len(ranks))) if known else column

        table = table.sort_values(keys, key=place, kind="stable").reset_index(drop=True)
        for key in ("players", "seat", "tenth", "deficit", "units", "games", "turns"):
            if key in table.columns:
                table[key] = table[key].astype("int64")
        return table


def cells_of(run: Run, order: Order) -> pd.DataFrame:
    """`Results.cells`."""
    cells = order(run.frame("repeated_games"))
    planned = {(cell["variant"], int(cell["players"])): int(cell["games"]) for cell in run.manifest["cells"]}
    keys = zip(cells.variant, cells.players, strict=True)
    cells["planned"] = [planned.get(key, 0) for key in keys]
    cells["undecided"] = cells.undecided / cells.games
    cells["repeating"] = cells.effective_games < REPEATING * cells.looked_at
    cells["fixed"] = (cells.effective_blocks < REPEATING * cells.looked_blocks) & (cells.open_lineups == 0)
    cells["repeats"] = np.where(cells.fixed, cells.blocks / cells.effective_blocks, 1.0)
    return cells


def repeats_of(table: pd.DataFrame, cells: pd.DataFrame) -> pd.Series:
    """How often an average block of each row's cell repeats another one."""
    return _of_cells(table, cells, "repeats").fillna(1.0)


def blocks_of(table: pd.DataFrame, cells: pd.DataFrame) -> pd.Series:
    """Blocks that differ from one another, as independent trials of a row; for strategies no more than its units."""
    blocks = table.units if "strategy" in table.columns else _of_cells(table, cells, "blocks")
    return blocks / repeats_of(table, cells)


def _of_cells(table: pd.DataFrame, cells: pd.DataFrame, column: str) -> pd.Series:
    """A column of `cells` for each row; NaN where there is no such cell."""
    known = dict(zip(zip(cells.variant, cells.players, strict=True), cells[column], strict=True))
    keys = zip(table.variant, table.players, strict=True)
    return pd.Series([known.get(key, np.nan) for key in keys], index=table.index, dtype=float)


def ratio_of(table: pd.DataFrame, name: str, cells: pd.DataFrame, of: str = "games") -> Estimate:
    """The ratio of the sums `name` and `of` of a query's rows."""
    return ratio(
        table.units, table[name], table[of], table[f"{name}_{name}"], table[f"{name}_{of}"],
        table[f"{of}_{of}"], repeats_of(table, cells), table.get("differing", np.inf),
    )  # fmt: skip


def scaled(estimate: Estimate, by: float) -> Estimate:
    """The same in units of which `by` make one."""
    value, low, high, error = (column / by for column in (estimate.value, estimate.low, estimate.high, estimate.error))
    return Estimate(value, low, high, error, estimate.units, estimate.p)


def shares_of(table: pd.DataFrame, cells: pd.DataFrame, scale: int, expected: float = np.nan) -> Estimate:
    """Shares of what `games` counts, of a query's rows; `scale` makes one of `total`. p is against the expected one."""
    trials = np.minimum(blocks_of(table, cells), table.games)
    return share(scaled(ratio_of(table, "total", cells), scale), trials, np.full(len(table), expected))


def wins_of(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Shares of wins against a fair share: measured among the games that somebody won, then told of all games."""
    keys = [key for key in ("variant", "players", "seat", "strategy") if key in table.columns]
    fair = 1 / table.players
    trials = np.minimum(blocks_of(table, cells), table.decided / WIN)
    among = share(ratio_of(table, "won", cells, "decided"), trials, fair)
    edge = product(among, fair, share(scaled(ratio_of(table, "decided", cells), WIN), blocks_of(table, cells)))
    p, claim = claimable(edge, contested(table))
    out = table[[*keys, "games", "units"]].copy()
    out["edge"] = np.where(table.decided > 0, edge.value, 0.0)
    out["share"] = out.edge + fair
    out["low"], out["high"] = np.clip(edge.low + fair, 0, 1), np.clip(edge.high + fair, 0, 1)
    out["fair"], out["edge_low"], out["edge_high"] = fair, out.low - fair, out.high - fair
    out["p"], out["claim"] = p, claim
    out["won"], out["worst"] = table.won / WIN / table.games, table.ordinary / WIN / table.games
    out["best"] = out.worst + table.unfinished / table.games
    return out


def contested(table: pd.DataFrame) -> np.ndarray:
    """Rows that have somebody to be compared with: a lone player or a lone strategy has not."""
    if "strategy" not in table.columns:
        return np.asarray(table.players > 1)
    rivals = table.groupby(["variant", "players"]).strategy.transform("nunique")
    return np.asarray((table.players > 1) & (rivals > 1))
