"""Heat maps of who ranks above whom, and the mix of strategies that nothing beats beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import matplotlib.colors
import numpy as np
import pandas as pd
from flocksim.analysis.rows import records
from flocksim.analysis.words import number
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .figures import HUES, INK, ON_TINT, WIDE, page, styled
from .labels import shortened

_TINTS = ("#e8a87c", "#ffffff", "#7fb3d9")
"""Orange: the row ranks below the column; blue: above. Pale, so that the numbers can be read on them."""
NUMBERED = 12
"""With more strategies than this, cells are too small for numbers."""


def matrix(names: Sequence[str], pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(shares in percent, half their intervals, whether clear of chance), a row and a column a name; NaN where two
    never met. pairs: strategy, other, share, low, high, clear.
    """
    place = {name: index for index, name in enumerate(names)}
    shares, halves = np.full((2, len(place), len(place)), np.nan)
    clear = np.zeros(shares.shape, bool)
    for row in records(pairs):
        i, j = place[row["strategy"]], place[row["other"]]
        shares[i, j], shares[j, i] = row["share"] * 100, 100 - row["share"] * 100
        halves[i, j] = halves[j, i] = (row["high"] - row["low"]) * 50
        clear[i, j] = clear[j, i] = row["clear"]
    return shares, halves, clear


def tint(axis: Axes, shares: np.ndarray) -> None:
    """Draw shares as tints, a cell each, the first row on top."""
    tints = mpl.colors.LinearSegmentedColormap.from_list("above", _TINTS)
    edges = np.arange(len(shares) + 1) - 0.5
    axis.pcolormesh(edges, edges, np.ma.masked_invalid(shares), cmap=tints, vmin=0, vmax=100, edgecolors="white")
    axis.set(xlim=(-0.5, len(shares) - 0.5), ylim=(len(shares) - 0.5, -0.5))
    axis.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    axis.spines[:].set_visible(False)
    axis.grid(False)


def write(axis: Axes, shares: np.ndarray, halves: np.ndarray | None, clear: np.ndarray, size: float = 8.5) -> None:
    """Write shares into their cells, a star where they are clear of chance, half the interval below where given."""
    style: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": ON_TINT}
    for i, j in np.argwhere(np.isfinite(shares)):
        up = 0.1 if halves is not None else 0.0
        axis.text(j, i - up, f"{shares[i, j]:.0f}{'*' if clear[i, j] else ''}", fontsize=size, **style)
        if halves is not None and math.isfinite(halves[i, j]):
            axis.text(j, i + 0.24, f"± {number(halves[i, j], halves[i, j])}", fontsize=size - 2, **style)


@styled
def payoffs(pairs: pd.DataFrame, mix: pd.DataFrame) -> Figure:
    """Of one case: how often the row ranks above the column, and the row's weight in the mix that nothing beats.

    Rows are ordered by their weight; columns have the rows' numbers. A strategy that another dominates is struck out.
    """
    ordered = mix.sort_values(["weight", "against"], ascending=False, kind="stable")
    names = list(ordered.strategy)
    shares, _, clear = matrix(names, pairs)
    wide = page() is WIDE
    step = 0.27 if len(names) <= NUMBERED else 0.17
    figure = Figure(figsize=(page().width, step * len(names) + 0.95))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1.7, 1) if wide else (2.4, 1))
    tint(left, shares)
    if len(names) <= NUMBERED:
        write(left, shares, None, clear, 7.5 if wide else 6.5)
    beaten = ordered.dominated_by.astype(bool).to_numpy()
    room = 26 if wide else 13
    labels = [f"{name} {place}" for place, name in enumerate(shortened(names, room), 1)]
    left.set_yticks(range(len(names)), labels)
    left.set_xticks(range(len(names)), [str(place) for place in range(1, len(names) + 1)])
    left.tick_params(labelsize=8 if len(names) <= NUMBERED else 6.5)
    left.set_xlabel("ranks above, %" if not wide else "% of meetings in which\nthe row ranks above the column")
    _weights(right, ordered, beaten)
    return figure


def _weights(axis: Axes, mix: pd.DataFrame, beaten: np.ndarray) -> None:
    y = np.arange(len(mix))
    weight, low, high = (mix[name].to_numpy(float) * 100 for name in ("weight", "low", "high"))
    axis.barh(y, weight, height=0.55, color=HUES[0], edgecolor=INK, linewidth=0.6)
    axis.hlines(y, low, high, color=INK, linewidth=1.2)
    axis.plot(np.full(int(beaten.sum()), 2.0), y[beaten], "x", color=HUES[1], markersize=6, markeredgewidth=1.6)
    axis.set_xlim(0, max(100.0 if weight.max() > 60 else 1.15 * high.max(), 10.0))
    axis.set_xlabel("weight in the mix, %" if page() is WIDE else "in the mix, %")
    axis.tick_params(labelleft=False)
