"""Pictures of boards, and maps of results over them."""

from __future__ import annotations

import math

import matplotlib as mpl
from flocksim.analysis.tables import Results
from flocksim.analysis.words import with_players
from flocksim.simulate.boards import Board
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .figures import INK, MUTED, ON_DARK, ON_TINT, WIDE, WIDTH, page, styled
from .labels import capital

DOT = "#b3261e"
SPOT_SIZE, DOT_SIZE = 21, 7  # points across
HEAT = mpl.colors.LinearSegmentedColormap.from_list("heat", (ON_DARK, "#56B4E9", "#0072B2", "#00294a"))
COLUMNS = 2


def draw(axes: Axes, board: Board, heat: dict[str, float] | None = None, scale: float = 1.0) -> None:
    """Draw a board: its links, the names of its places, and dots where its marks are.

    heat: place -> how dark it is, from 0 to 1. scale: of everything drawn, against a board on a page of its own.
    """
    ends = [(*board.places[start], *board.places[end]) for start, end in board.links]
    xs = [x for _, column, _, right in ends for x in (column, right, math.nan)]  # one path: small in an SVG
    ys = [y for row, _, below, _ in ends for y in (row, below, math.nan)]
    axes.plot(xs, ys, color=MUTED, linewidth=1.2 * scale, zorder=1)
    marks = list(board.marks.values())
    axes.plot([x for _, x in marks], [y for y, _ in marks], "o", color=DOT, markersize=DOT_SIZE * scale, zorder=2)
    levels = [(heat or {}).get(name, 0.0) for name in board.places]
    spots = [(column, row) for row, column in board.places.values()]
    axes.scatter(
        [x for x, _ in spots], [y for _, y in spots], s=(SPOT_SIZE * scale) ** 2, c=[HEAT(level) for level in levels],
        edgecolors=INK, linewidths=1.0 * scale, zorder=3,
    )  # fmt: skip
    for name, (column, row), level in zip(board.places, spots, levels, strict=True):
        ink = ON_DARK if level > 0.45 else ON_TINT
        axes.text(column, row, name, ha="center", va="center_baseline", fontsize=8.5 * scale, color=ink, zorder=4)
    axes.set_aspect("equal")
    axes.invert_yaxis()
    axes.margins(0.08)
    axes.set_axis_off()


@styled
def picture(board: Board) -> Figure:
    """A board on a page of its own, under its title."""
    rows = [row for row, _ in board.places.values()]
    size = 1.2 + 0.62 * (max(rows) - min(rows) + 1)
    figure = Figure(figsize=(size, size + 0.3), layout="constrained")
    axes = figure.subplots()
    draw(axes, board)
    axes.set_title(board.title.replace(": ", "\n", 1), fontsize=9.5)
    return figure


def drawn_variant(results: Results) -> str:
    """The variant that is mapped: the baseline, or the first that has something to map."""
    found = list(dict.fromkeys(results.places.variant))
    return results.baseline if results.baseline in found else str(found[0])


@styled
def heat_map(results: Results) -> Figure:
    """How often each place is covered, in the variant that is mapped; a panel per player count, one scale."""
    table = results.places[results.places.variant == drawn_variant(results)]
    panels = sorted(set(table.players))
    columns = min(COLUMNS if page() is WIDE else 1, len(panels))
    lines = math.ceil(len(panels) / columns)
    side = page().width / columns if page() is not WIDE else WIDTH / COLUMNS
    figure = Figure(figsize=(side * columns, (side + 0.25) * lines + 0.7), layout="constrained")
    axes = list(figure.subplots(lines, columns, squeeze=False).flat)
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    norm = mpl.colors.Normalize(0, float(table["mean"].max()) * 100)
    for axis, players in zip(axes, panels, strict=False):
        board, cell = _board(results, players), table[table.players == players]
        heat = dict(zip(cell.place, norm(cell["mean"].to_numpy(float) * 100), strict=True))
        rows = [row for row, _ in board.places.values()]
        draw(axis, board, heat, side / (1.2 + 0.62 * (max(rows) - min(rows) + 1)))
        axis.set_title(capital(with_players([players])))
    colours = mpl.cm.ScalarMappable(norm, HEAT)
    bar = figure.colorbar(colours, ax=axes[: len(panels)], location="bottom", shrink=0.6, aspect=40, pad=0.03)
    bar.set_label(f"{results.manifest['board_map']['what']} that hold the spot, %")
    return figure


def _board(results: Results, players: int) -> Board:
    variant = drawn_variant(results)
    entries = results.manifest["board_map"]["boards"]
    entry = next(e for e in entries if (e["variant"], e["players"]) == (variant, players))
    return Board("", "", entry["places"], tuple(entry["links"]), entry["marks"])
