"""Figures: each takes result tables and returns a matplotlib Figure; none asks the run anything."""

from __future__ import annotations

import functools
import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple, ParamSpec

import matplotlib as mpl
import matplotlib.lines
import matplotlib.patches
import matplotlib.style
import numpy as np
import pandas as pd
from flocksim.analysis.words import count as words_count
from flocksim.analysis.words import with_players
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .labels import capital, inches, shortened

HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito (2008), six of their eight; each comes with a marker of its own and an outline."""
MARKERS = ("o", "s", "D", "^", "v", "P")
INK, MUTED, PAPER, GRID, BAND = "#1b1f24", "#57606a", "#ffffff", "#d8dee4", "#e6ebf0"
"""Become the page's own colours in the report, which may be light on dark."""
ON_TINT, ON_DARK = "#101418", "#fdfdfd"
"""For text on coloured ground, which is the same on every page."""
WIDTH = 7.2
"""Of a figure on a page, in inches."""
ENDINGS = {"tied": "tied", "stuck": "stuck", "deadlock": "deadlock", "turn_cap": "turn cap"}
MEASURES = {
    "turns": "length, turns",
    "tied": "tied games, points",
    "stuck": "stuck games, points",
    "deadlock": "deadlocks, points",
    "turn_cap": "turn cap, points",
}


Band = tuple[float, float]
"""From the least to the most that a target allows; infinite where it has no such end."""


class Layout(NamedTuple):
    """How wide a figure is, in inches; how many panels go side by side; how many letters a name may have."""

    width: float
    columns: int
    letters: int


WIDE, NARROW = Layout(WIDTH, 2, 28), Layout(3.75, 1, 17)
_layout = ContextVar("layout", default=WIDE)
P = ParamSpec("P")


@contextmanager
def layout(chosen: Layout) -> Iterator[None]:
    """Draw for pages of this layout."""
    token = _layout.set(chosen)
    try:
        yield
    finally:
        _layout.reset(token)


def page() -> Layout:
    """The layout to draw for."""
    return _layout.get()


@dataclass(frozen=True)
class Dots:
    """How a table becomes dots with intervals: which columns make the panels, the rows and the hues.

    `scale` multiplies values (100: shares in percent); `reference` is a column or a number drawn as a line; `band` is
    what a target allows, from the reference on.
    """

    panel: str
    row: str
    hue: str
    value: str
    low: str
    high: str
    label: str
    scale: float = 100.0
    reference: str | float | None = None
    reference_label: str = ""
    band: Band | None = None


def styled(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Draw in the report's style."""

    @functools.wraps(draw)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with _style():
            return draw(*args, **kwargs)

    return wrapped


def _style() -> Any:
    return mpl.style.context(["default", str(files("flocksim.reports") / "flocksim.mplstyle")])


def svg(figure: Figure) -> str:
    """The figure as SVG: text as text, the same bytes for the same data."""
    buffer = io.StringIO()
    with _style():
        # not savefig, which draws twice
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def png(figure: Figure) -> bytes:
    """The figure as PNG, for where SVG cannot be shown."""
    buffer = io.BytesIO()
    with _style():
        figure.savefig(buffer, format="png", dpi=144, metadata={"Software": None})
    return buffer.getvalue()


@styled
def seats(table: pd.DataFrame, band: Band | None = None) -> Figure:
    """Points above or below a fair share, by seat; a panel per player count, rows are variants."""
    spec = Dots(
        "players", "variant", "seat", "edge", "edge_low", "edge_high", "wins above a fair share, points",
        reference=0.0, reference_label="fair share", band=band,
    )  # fmt: skip
    return _dots(table, spec)


@styled
def strategies(table: pd.DataFrame, band: Band | None = None) -> Figure:
    """Win shares by strategy, best first; a panel per player count, hues are variants. band: beside a fair share."""
    spec = Dots(
        "players", "strategy", "variant", "share", "low", "high", "win share, %",
        reference="fair", reference_label="fair share", band=band,
    )  # fmt: skip
    return _dots(_best_first(table), spec)


@styled
def endings(table: pd.DataFrame) -> Figure:
    """Shares of games that were tied or did not end with an ordinary win; only kinds that occurred."""
    some = table[table.measure.isin(ENDINGS)]
    seen = [measure for measure in ENDINGS if some[some.measure == measure].total.any()]
    some = some[some.measure.isin(seen)]
    some = some.assign(ending=some.measure.map(ENDINGS))
    return _dots(some, Dots("players", "variant", "ending", "share", "low", "high", "games, %", reference=0.0))


@styled
def variant_measures(table: pd.DataFrame) -> Figure:
    """Each variant less the baseline; a panel per measure, hues are player counts."""
    seen = table.groupby("measure", sort=False)[["baseline", "value"]].transform("sum").sum(axis=1) > 0
    some = table[table.measure.isin(MEASURES) & (seen | (table.measure == "turns"))]
    scale = np.where(some.measure == "turns", 1.0, 100.0)
    some = some.assign(
        what=some.measure.map(MEASURES),
        count=[words_count(int(players), "player") for players in some.players],
        **{name: some[name] * scale for name in ("difference", "low", "high")},
    )
    spec = Dots("what", "variant", "count", "difference", "low", "high", "", 1.0, 0.0, "no change")
    return _dots(some, spec, share_x=False)


@styled
def variant_seats(table: pd.DataFrame) -> Figure:
    """What each variant adds to or takes from each seat's win share; a panel per player count."""
    spec = Dots(
        "players", "variant", "seat", "difference", "low", "high", "change in win share, points",
        reference=0.0, reference_label="no change",
    )  # fmt: skip
    return _dots(table, spec)


@styled
def variant_strategies(table: pd.DataFrame) -> Figure:
    """What each variant adds to or takes from each strategy's win share; a panel per player count."""
    spec = Dots(
        "players", "strategy", "variant", "difference", "low", "high", "change in win share, points",
        reference=0.0, reference_label="no change",
    )  # fmt: skip
    return _dots(table, spec)


@styled
def counters(table: pd.DataFrame, label: str) -> Figure:
    """Means of counters (`counter`, `mean`, `low`, `high`); a panel per player count, hues are variants."""
    return _dots(table, Dots("players", "counter", "variant", "mean", "low", "high", label, 1.0))


@styled
def length(means: pd.DataFrame, spread: pd.DataFrame, band: Band | None = None) -> Figure:
    """Turns of a game: the middle half and the middle 80 %, the median, and the mean with its interval."""
    table = spread.merge(means[means.measure == "turns"].drop(columns="games"), on=["variant", "players"])
    return _spreads(table, "turns of a game", band)


@styled
def decided(means: pd.DataFrame, spread: pd.DataFrame) -> Figure:
    """After which share of its turns a game is decided, drawn as `length` is."""
    table = spread.merge(means[means.measure == "decided"].drop(columns="games"), on=["variant", "players"])
    shares = [*(f"p{part}" for part in (10, 25, 75, 90)), "median", "mean", "low", "high"]
    figure = _spreads(table.assign(**{name: table[name] * 100 for name in shares}), "% of a game's turns", None)
    for axis in figure.axes:
        axis.set_xlim(0, 101)
    return figure


def _spreads(table: pd.DataFrame, label: str, band: Band | None) -> Figure:
    """The middle half and the middle 80 % of games as bars, with median, mean and the mean's interval."""
    variants, panels = list(dict.fromkeys(table.variant)), sorted(set(table.players))
    handles: list[Artist] = [
        mpl.lines.Line2D([], [], color=HUES[0], linewidth=1.4, label="middle 80 %"),
        mpl.lines.Line2D([], [], color=HUES[0], linewidth=6.5, alpha=0.55, label="middle half"),
        mpl.lines.Line2D([], [], linestyle="", marker="|", color=INK, markersize=10, label="median"),
        mpl.lines.Line2D([], [], color=INK, marker="D", markerfacecolor=HUES[1], markersize=4, label="mean, interval"),
        *([_target()] if band else []),
    ]
    names = shortened(variants, page().letters)
    figure, axes = grid(len(panels), 0.34 * len(variants) + 0.15, True, names, handles, label)
    for axis, players in zip(axes, panels, strict=False):
        cell = table[table.players == players]
        y = np.array([variants.index(variant) for variant in cell.variant], float)
        axis.hlines(y, cell.p10, cell.p90, color=HUES[0], linewidth=1.4)
        axis.hlines(y, cell.p25, cell.p75, color=HUES[0], linewidth=6.5, alpha=0.55)
        axis.plot(cell["median"], y, "|", color=INK, markersize=11, markeredgewidth=1.6)
        axis.hlines(y - 0.32, cell.low, cell.high, color=INK, linewidth=1.3)
        axis.plot(cell["mean"], y - 0.32, "D", color=HUES[1], markeredgecolor=INK, markeredgewidth=0.6, markersize=4)
        _rows(axis, names, 0.7)
        axis.set_title(capital(with_players([players])))
    for axis in axes:
        _shade(axis, band, 0.0)
    return figure


# --- how dots are drawn ---


def _dots(table: pd.DataFrame, spec: Dots, share_x: bool = True) -> Figure:
    rows, hues = list(dict.fromkeys(table[spec.row])), list(dict.fromkeys(table[spec.hue]))
    panels = list(dict.fromkeys(table[spec.panel]))
    if spec.hue == "seat":
        hues = sorted(hues)
    if spec.panel == "players":
        panels = sorted(panels)
    hues = hues[: len(HUES)]
    step = 0.8 / max(len(hues), 1)
    height = len(rows) * max(0.24, 0.135 * len(hues) + 0.06) + 0.15
    names = shortened(rows, page().letters)
    figure, axes = grid(len(panels), height, share_x, names, _handles(spec, hues), spec.label)
    for axis, panel in zip(axes, panels, strict=False):
        cell = table[table[spec.panel] == panel]
        _reference(axis, cell, spec)
        present = [hue for hue in hues if (cell[spec.hue] == hue).any()]
        for place, hue in enumerate(present):
            part = cell[cell[spec.hue] == hue]
            y = np.array([rows.index(row) for row in part[spec.row]], float)
            _draw(axis, y + (place - (len(present) - 1) / 2) * step, part, spec, hues.index(hue))
        _rows(axis, names, 0.55)
        axis.set_title(capital(with_players([panel])) if spec.panel == "players" else capital(str(panel)))
    for axis in axes:
        _at_least(axis, 0.25)
    for axis, panel in zip(axes, panels, strict=False):
        at = _reference_of(table[table[spec.panel] == panel], spec)
        _shade(axis, spec.band and (spec.band[0] * spec.scale, spec.band[1] * spec.scale), at or 0.0)
    return figure


def _at_least(axis: Axes, width: float) -> None:
    """Widen an axis that shows (nearly) nothing but zeros, so that its scale stays a human one."""
    low, high = axis.get_xlim()
    if high - low < width:
        middle = (low + high) / 2
        axis.set_xlim(middle - width / 2, middle + width / 2)


def _draw(axis: Axes, y: np.ndarray, part: pd.DataFrame, spec: Dots, place: int) -> None:
    value, low, high = (part[name].to_numpy(float) * spec.scale for name in (spec.value, spec.low, spec.high))
    known = np.isfinite(low) & np.isfinite(high)
    axis.hlines(y[known], low[known], high[known], color=INK, linewidth=2.6)  # outlined, as some hues are pale
    axis.hlines(y[known], low[known], high[known], color=HUES[place], linewidth=1.4)
    style: dict[str, Any] = {"linestyle": "", "marker": MARKERS[place], "markeredgewidth": 0.6, "markersize": 5}
    axis.plot(value[known], y[known], color=HUES[place], markeredgecolor=INK, **style)
    axis.plot(value[~known], y[~known], color=PAPER, markeredgecolor=HUES[place], **style)


def _reference(axis: Axes, cell: pd.DataFrame, spec: Dots) -> None:
    at = _reference_of(cell, spec)
    if at is not None:
        axis.axvline(at, color=MUTED, linewidth=1.1, linestyle=(0, (4, 2)), zorder=1)


def _reference_of(cell: pd.DataFrame, spec: Dots) -> float | None:
    if spec.reference is None or cell.empty:
        return None
    at = float(cell[spec.reference].iloc[0]) if isinstance(spec.reference, str) else spec.reference
    return at * spec.scale


def _shade(axis: Axes, band: Band | None, reference: float) -> None:
    """Shade what a target allows; an end that it leaves open is where the axis ends."""
    if not band:
        return
    low, high = axis.get_xlim()
    ends = (max(reference + band[0], -1e9), min(reference + band[1], 1e9))
    shown = (
        min([low, *(end for end in ends if abs(end) < 1e9)]),
        max([high, *(end for end in ends if abs(end) < 1e9)]),
    )
    axis.axvspan(max(ends[0], shown[0]), min(ends[1], shown[1]), color=BAND, linewidth=0, zorder=0)
    for end in (end for end in ends if abs(end) < 1e9):
        axis.axvline(end, color=MUTED, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)
    axis.set_xlim(*shown)


def _target() -> mpl.patches.Patch:
    return mpl.patches.Patch(facecolor=BAND, edgecolor=MUTED, linewidth=0.8, linestyle=(0, (1, 2)), label="target")


def _handles(spec: Dots, hues: Sequence[Any]) -> list[Artist]:
    """What the legend names."""
    names = [f"seat {hue}" for hue in hues] if spec.hue == "seat" else shortened(hues, page().letters)
    handles: list[Artist] = [
        mpl.lines.Line2D(
            [], [], color=HUES[place], marker=MARKERS[place], markeredgecolor=INK, markeredgewidth=0.6,
            label=hue,
        )
        for place, hue in enumerate(names)
        if len(hues) > 1 or spec.hue != "variant"
    ]  # fmt: skip
    if spec.reference_label:
        line = mpl.lines.Line2D([], [], color=MUTED, linestyle=(0, (4, 2)), linewidth=1.1, label=spec.reference_label)
        handles.append(line)
    return [*handles, _target()] if spec.band else handles


def grid(
    panels: int,
    height: float,
    share_x: bool,
    names: Sequence[str],
    handles: Sequence[Artist],
    label: str,
    right: float = 0.12,
) -> tuple[Figure, list[Axes]]:
    """A figure with panels so high (in inches) under a legend, with room for the names of rows at their left, and so
    much room (in inches) at their right.

    Placed by hand: letting matplotlib measure every text takes longer than drawing the figure.
    """
    columns, lines = min(panels, page().columns), math.ceil(panels / page().columns)
    longest = max((inches(str(handle.get_label()), 8.5) for handle in handles), default=0.0)
    entries = max(1, int((page().width - 0.1) / (0.5 + longest)))
    rows = math.ceil(len(handles) / entries)
    above = 0.12 + 0.19 * rows
    left = 0.15 + max(inches(name) for name in names)
    gap, width = 0.52, page().width
    below = 0.5 if label else 0.3
    tall = above + lines * (height + gap) - gap + 0.25 + below
    figure = Figure(figsize=(width, tall))
    figure.set_layout_engine("none")
    place = {
        "left": left / width, "right": 1 - right / width, "top": 1 - (above + 0.25) / tall, "bottom": below / tall,
        "hspace": gap / height, "wspace": 0.28 / ((width - left - right - 0.1 * columns) / columns),
    }  # fmt: skip
    axes = figure.subplots(lines, columns, sharex=share_x, sharey=True, squeeze=False, gridspec_kw=place)
    flat = list(axes.flat)
    for axis in flat[panels:]:
        axis.set_visible(False)
    for axis in flat[:panels]:
        axis.tick_params(labelbottom=True)
    for axis in flat[max(panels - columns, 0) : panels]:
        axis.set_xlabel(label)
    if handles:
        figure.legend(handles=handles, loc="upper left", ncols=math.ceil(len(handles) / rows), borderaxespad=0.2)
    return figure, flat[:panels]


def _rows(axis: Axes, names: Sequence[str], room: float) -> None:
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 1 + room, -room)
    axis.grid(False, axis="y")


def _best_first(table: pd.DataFrame) -> pd.DataFrame:
    first = table[table.variant == table.variant.iloc[0]] if len(table) else table
    order = first.groupby("strategy").edge.mean().sort_values(ascending=False, kind="stable").index
    ranks = {strategy: rank for rank, strategy in enumerate(order)}
    places = table.strategy.map(lambda strategy: ranks.get(strategy, len(ranks)))
    return table.iloc[np.argsort(places.to_numpy(), kind="stable")]
