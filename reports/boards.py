"""Pictures of boards."""

from __future__ import annotations

from flocksim.simulate.boards import Board
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .figures import INK, MUTED, PAPER, styled

DOT = "#b3261e"
SPOT_SIZE, DOT_SIZE = 21, 7  # points across


def draw(axes: Axes, board: Board) -> None:
    """Draw a board: its links, the names of its places, and dots where its marks are."""
    for start, end in board.links:
        (row, column), (below, right) = board.places[start], board.places[end]
        axes.plot([column, right], [row, below], color=MUTED, linewidth=1.2, zorder=1)
    for row, column in board.marks.values():
        axes.plot([column], [row], "o", color=DOT, markersize=DOT_SIZE, zorder=2)
    for name, (row, column) in board.places.items():
        axes.plot([column], [row], "o", color=PAPER, markeredgecolor=INK, markersize=SPOT_SIZE, zorder=3)
        axes.text(column, row, name, ha="center", va="center_baseline", fontsize=8.5, color=INK, zorder=4)
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
