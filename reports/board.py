"""A heat map drawn over a game's board."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from flocksim.analysis.tables import Results
from flocksim.analysis.words import with_players
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from .figures import INK, MUTED, WIDTH, capital, styled

HEAT = mpl.colors.LinearSegmentedColormap.from_list("heat", ("#ffffff", "#56B4E9", "#0072B2", "#00294a"))
COLUMNS = 3


def drawn_variant(results: Results) -> str:
    """The variant that is drawn: the baseline, or the first that has something to draw."""
    found = list(dict.fromkeys(results.places.variant))
    return results.baseline if results.baseline in found else str(found[0])


@styled
def heat_map(results: Results) -> Figure:
    """How often each place is covered, in the variant that is drawn; a panel per player count, one scale."""
    table = results.places[results.places.variant == drawn_variant(results)]
    panels = sorted(set(table.players))
    columns = min(COLUMNS, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(WIDTH, 0.3 + lines * WIDTH / columns))
    axes = list(figure.subplots(lines, columns, squeeze=False).flat)
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    norm = mpl.colors.Normalize(0, float(table["mean"].max()) * 100)
    for axis, players in zip(axes, panels, strict=False):
        _draw(axis, _board(results, players), table[table.players == players], norm)
        axis.set_title(capital(with_players([players])))
    colours = mpl.cm.ScalarMappable(norm, HEAT)
    bar = figure.colorbar(colours, ax=axes[: len(panels)], location="bottom", shrink=0.5, aspect=40, pad=0.02)
    bar.set_label(f"{results.manifest['board_map']['what']} that hold the spot, %")
    return figure


def _board(results: Results, players: int) -> Mapping[str, Any]:
    variant = drawn_variant(results)
    boards = results.manifest["board_map"]["boards"]
    found: Mapping[str, Any] = next(b for b in boards if (b["variant"], b["players"]) == (variant, players))
    return found


def _draw(axis: Axes, board: Mapping[str, Any], table: pd.DataFrame, norm: Any) -> None:
    places = {name: (float(x), float(y)) for name, (x, y) in board["places"].items()}
    heat = dict(zip(table.place, table["mean"] * 100, strict=True))
    axis.add_collection(
        LineCollection([[places[a], places[b]] for a, b in board["lines"]], colors=MUTED, linewidths=0.7, zorder=1)
    )
    if board["dots"]:
        dots = np.array(board["dots"], float)
        axis.scatter(dots[:, 0], dots[:, 1], s=7, color="#D55E00", zorder=2)
    size = (0.62 * 72 * WIDTH / COLUMNS / (math.sqrt(len(places)) + 1.5)) ** 2
    values = np.array([heat.get(name, 0.0) for name in places])
    spots = np.array(list(places.values()))
    axis.scatter(
        spots[:, 0], spots[:, 1], s=size, c=values, cmap=HEAT, norm=norm, edgecolors=INK, linewidths=0.5, zorder=3
    )
    for (name, (x, y)), value in zip(places.items(), values, strict=True):
        light = norm(value) > 0.45
        axis.text(x, y, name, ha="center", va="center", fontsize=5, color="white" if light else INK, zorder=4)
    axis.set_xlim(spots[:, 0].min() - 0.6, spots[:, 0].max() + 0.6)
    axis.set_ylim(spots[:, 1].max() + 0.6, spots[:, 1].min() - 0.6)
    axis.set_aspect("equal")
    axis.axis("off")
