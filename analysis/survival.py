"""How long games go on, where some are cut off: their lengths as survival times.

A game that was cut off, got stuck or deadlocked says only that nobody had won by then: it is censored. The share still
going on is the product-limit estimate (Kaplan and Meier 1958); its variance adds up each unit's influence on it, so
that games of a block count as one (Williams 1995, Lifetime Data Analysis 1:171; with one game a unit this is
Greenwood's formula); limits are of log(-log S), which keeps them between 0 and 1.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from .statistics import LEVEL, reach, unseen

POINTS = 60
"""At most so many lengths are told of a case."""


def survival(lengths: pd.DataFrame, repeats: float = 1.0) -> pd.DataFrame:
    """The share of games that nobody has won after so many turns, from the rows of lengths.sql of one case.

    Returns turns, going (games that lasted at least so long), share, low, high. repeats: how often an average unit
    repeats another one.
    """
    turns, games = lengths.turns.to_numpy(int), lengths.games.to_numpy(float)
    won = lengths.won.to_numpy(bool)
    times, place = np.unique(turns, return_inverse=True)
    ends = np.bincount(place, games, len(times))
    wins = np.bincount(place, games * won, len(times))
    going = ends[::-1].cumsum()[::-1]
    left = going - wins
    share = np.cumprod(left / going)
    with np.errstate(all="ignore"):
        jump = np.where(left > 0, 1 / left, 0.0)
        pull = np.cumsum(np.where(left > 0, wins / (going * left), 0.0))
    unit = np.unique(lengths.unit.to_numpy(), return_inverse=True)[1]
    count, told = int(unit.max()) + 1, _told(len(times))
    real = count / max(repeats, 1.0)
    cells, shape = unit * len(times) + place, (count, len(times))
    ended = np.bincount(cells, games, count * len(times)).reshape(shape)
    lost = np.bincount(cells, games * (pull[place] - won * jump[place]), count * len(times)).reshape(shape)
    # what each unit's games that ended by then contribute, and those that went on
    influence = lost.cumsum(axis=1) + pull * (ended.sum(axis=1, keepdims=True) - ended.cumsum(axis=1))
    rows = []
    for at in told:
        sums = influence[:, at]
        variance = count / max(count - 1, 1) * float((sums**2).sum()) * max(repeats, 1.0)
        rows.append((int(times[at]), int(going[at]), share[at], *_limits(float(share[at]), variance, real)))
    return pd.DataFrame(rows, columns=["turns", "going", "share", "low", "high"])


def _told(times: int) -> np.ndarray:
    """Places of the lengths that are told: all, or evenly chosen ones with the first and the last."""
    return np.unique(np.linspace(0, times - 1, min(times, POINTS)).round().astype(int))


def _limits(share: float, variance: float, units: float) -> tuple[float, float]:
    """The 95 % interval; for a share of 0 or 1, of what so many units can show."""
    if units <= 1.5:
        return np.nan, np.nan
    room = float(unseen(np.asarray(units)))
    if share in (0.0, 1.0) or variance <= 0:
        return max(share - room, 0.0), min(share + room, 1.0)
    half = float(reach(LEVEL, max(units - 1, 1.0), units)) * np.sqrt(variance) / abs(np.log(share))
    return float(share ** np.exp(half)), float(share ** np.exp(-half))
