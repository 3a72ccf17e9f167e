"""The arc of a game: what the recorded courses say of leads, comebacks, choice, and of when a game is decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .estimates import HALF, WIN, Order, ratio_of, shares_of
from .rows import records
from .run_folder import Run
from .statistics import MIN_UNITS, Estimate, quantiles, ratio, share
from .survival import survival
from .win_chance import MOST_GAMES, Course, chances, course_of, decided_at

SURE = 0.9
"""A game is decided once the winner's chance stays above this."""
BINS = 10
QUANTILES = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}
_PAIR = 2  # points of a pair of seats in arc_curve.sql
_SCALES = {"runaway": WIN, "auc": _PAIR, "alone": 1, "forced": 1, "options": 1}


@dataclass(frozen=True)
class Arc:
    """The tables on the course of games, of recorded ones; intervals respect blocks. Empty where none is recorded."""

    arc: pd.DataFrame
    """variant, players, measure, games (or decisions, of options and forced), units, mean, low, high. Measures:
    lead_changes a game; runaway, the win share of who leads alone at half-time, and alone, in which share of games
    somebody does; options, legal actions a decision; forced, the share of decisions with one; decided, after which
    share of its turns a game is."""
    curve: pd.DataFrame
    """variant, players, tenth, measure (runaway, alone, auc), games (pairs, of auc), units, mean, low, high."""
    ribbon: pd.DataFrame
    """variant, players, tenth, games (that one seat won alone), units, p25, median, p75: of the winner's standing less
    the best other seat's."""
    comebacks: pd.DataFrame
    """variant, players, deficit, upto, games (seats so far behind at half-time), units, mean (their win
    share), low, high."""
    branching: pd.DataFrame
    """variant, players, tenth, measure (options, forced), games (decisions), units, mean, low, high."""
    decided: pd.DataFrame
    """variant, players, games, p10, p25, median, p75, p90 (shares of a game's turns), never (share of games that were
    open until their end), skill (share of the guesswork that the model saves), off (how far its chances are from what
    happened, on average)."""
    calibration: pd.DataFrame
    """variant, players, bin, chance (the model's, on average), games (seats and moments), units, mean (share that won),
    low, high: on blocks that the model was not fitted to."""
    survival: pd.DataFrame
    """variant, players, turns, going, share (nobody has won yet), low, high: of all games; see survival.survival."""


def arc_of(run: Run, order: Order, cells: pd.DataFrame) -> Arc:
    """All of them."""
    curve = _measured(order(run.frame("arc_curve", tenths=list(range(1, 11)))), cells)
    branching = _measured(order(run.frame("branching")), cells)
    model = run.remembered("win chances", MODELS, lambda: vars(_models(run, cells)))
    whole = branching[branching.tenth == 0]
    half = curve[(curve.tenth == HALF) & (curve.measure != "auc")]
    changes = lead_changes(order(run.frame("lead_changes")), cells)
    parts = [changes, half.drop(columns="tenth"), model["share"], whole.drop(columns="tenth")]
    arc = pd.concat([part for part in parts if not part.empty], ignore_index=True) if not branching.empty else changes
    return Arc(
        arc=order(arc) if not arc.empty else arc,
        curve=curve,
        ribbon=order(run.frame("arc_standings")),
        comebacks=_comebacks(order(run.frame("comebacks")), cells),
        branching=branching[branching.tenth > 0].reset_index(drop=True),
        decided=model["decided"],
        calibration=model["calibration"],
        survival=run.remembered("survival", ("survival",), lambda: {"survival": _survival(run, cells)})["survival"],
    )


def lead_changes(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Changes of the lead in a game, on average."""
    keys = ["variant", "players"]
    return _told(table[keys].assign(measure="lead_changes"), table, ratio_of(table, "total", cells))


def _measured(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Rows of several measures, shares but for `options`."""
    parts = []
    for measure, rows in table.groupby("measure", sort=False):
        keys = rows[["variant", "players", "tenth", "measure"]]
        found = (
            ratio_of(rows, "total", cells) if measure == "options" else shares_of(rows, cells, _SCALES[str(measure)])
        )
        parts.append(_told(keys, rows, found))
    empty = pd.DataFrame(columns=["variant", "players", "tenth", "measure", "games", "units", "mean", "low", "high"])
    return pd.concat(parts).sort_index() if parts else empty


def _told(keys: pd.DataFrame, rows: pd.DataFrame, found: Estimate) -> pd.DataFrame:
    return keys.assign(games=rows.games.astype("int64"), units=rows.units, mean=found.value, low=found.low,
                       high=found.high)  # fmt: skip


def _comebacks(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    return _told(table[["variant", "players", "deficit", "upto"]], table, shares_of(table, cells, WIN))


def _survival(run: Run, cells: pd.DataFrame) -> pd.DataFrame:
    parts = []
    for cell in records(cells):
        lengths = run.frame("lengths", variant=cell["variant"], players=int(cell["players"]))
        found = survival(lengths, float(cell["repeats"]))
        parts.append(found.assign(variant=cell["variant"], players=int(cell["players"])))
    return pd.concat(parts, ignore_index=True)[["variant", "players", "turns", "going", "share", "low", "high"]]


# --- when a game is decided ---


MODELS = ("share", "decided", "calibration")


@dataclass(frozen=True)
class _Models:
    share: pd.DataFrame
    decided: pd.DataFrame
    calibration: pd.DataFrame


def _models(run: Run, cells: pd.DataFrame) -> _Models:
    """The win-chance model of every case with two players and units enough for both halves."""
    shares, decided, calibration = [], [], []
    for cell in records(cells[cells.players > 1]):
        case: dict[str, Any] = {"variant": cell["variant"], "players": int(cell["players"])}
        with run.reading():
            rows = run.query("arc_turns", **case, games=MOST_GAMES).df()
        if rows.unit.nunique() < MIN_UNITS or rows.empty:
            continue
        course = course_of(rows, case["players"])
        found, repeats = chances(course), float(cell["repeats"])
        moments, settled = calibrated(course, found, repeats), decided_at(course, found, SURE)
        shares.append(_share_of(settled, repeats).assign(**case))
        decided.append(_spread_of(settled, moments, course, found) | case)
        calibration.append(moments.assign(**case))
    share_columns = ["variant", "players", "measure", "games", "units", "mean", "low", "high"]
    columns = ["variant", "players", "bin", "chance", "games", "units", "mean", "low", "high"]
    spread = ["variant", "players", "games", *QUANTILES, "never", "skill", "off"]
    return _Models(
        pd.concat(shares, ignore_index=True)[share_columns] if shares else pd.DataFrame(columns=share_columns),
        pd.DataFrame(decided, columns=spread),
        pd.concat(calibration, ignore_index=True)[columns] if calibration else pd.DataFrame(columns=columns),
    )


def _share_of(settled: pd.DataFrame, repeats: float) -> pd.DataFrame:
    """After which share of its turns a game is decided, on average."""
    by_unit = settled.assign(total=settled.turn / settled.turns, games=1).groupby("unit")[["total", "games"]].sum()
    plain = _ratio(by_unit.total.to_numpy(), by_unit.games.to_numpy(), repeats)
    found = share(plain, np.array([len(by_unit) / max(repeats, 1.0)]))
    return pd.DataFrame({
        "measure": ["decided"], "games": [len(settled)], "units": [len(by_unit)],
        "mean": found.value, "low": found.low, "high": found.high,
    })  # fmt: skip


def _ratio(total: np.ndarray, games: np.ndarray, repeats: float) -> Estimate:
    """sum(total) / sum(games) over units."""
    sums = [total.sum(), games.sum(), (total**2).sum(), (total * games).sum(), (games**2).sum()]
    units, y, n, yy, yn, nn = (pd.Series([float(value)]) for value in (len(total), *sums))
    return ratio(units, y, n, yy, yn, nn, repeats)


def _spread_of(settled: pd.DataFrame, moments: pd.DataFrame, course: Course, found: np.ndarray) -> dict[str, float]:
    parts = (settled.turn / settled.turns).to_numpy()
    spread = dict(zip(QUANTILES, quantiles(parts, np.ones(len(parts)), list(QUANTILES.values())), strict=True))
    some = course.tenths
    guess = np.log(course.won.shape[1])
    loss = -(course.won[some] * np.log(np.maximum(found[some], 1e-12))).sum(axis=1).mean() if some.any() else guess
    away = float((moments.games * (moments["mean"] - moments.chance).abs()).sum() / max(moments.games.sum(), 1))
    return {"games": len(settled), **spread, "never": float(settled.never.mean()),
            "skill": float(1 - loss / guess), "off": away}  # fmt: skip


def calibrated(course: Course, found: np.ndarray, repeats: float = 1.0) -> pd.DataFrame:
    """Chances against what happened, at every tenth of a game, by tenths of the chance (a reliability diagram: Murphy
    and Winkler 1977).
    """
    some = course.tenths
    chance, won = found[some].ravel(), course.won[some].ravel()
    unit = np.unique(np.repeat(course.unit[some], found.shape[1]), return_inverse=True)[1]
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    rows = []
    for bin_ in range(BINS):
        here = bins == bin_
        if here.any():
            games = np.bincount(unit[here])
            total = np.bincount(unit[here], won[here])
            met = games > 0
            plain = _ratio(total[met], games[met], repeats)
            low_high = share(plain, np.array([met.sum() / max(repeats, 1.0)]))
            rows.append((bin_ + 1, chance[here].mean(), int(here.sum()), int(met.sum()), float(plain.value[0]),
                         float(low_high.low[0]), float(low_high.high[0])))  # fmt: skip
    return pd.DataFrame(rows, columns=["bin", "chance", "games", "units", "mean", "low", "high"])
