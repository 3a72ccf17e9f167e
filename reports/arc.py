"""The report's section on how a game goes: who leads, who comes back, when it is decided, how much choice there is."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import matplotlib.lines
import numpy as np
import pandas as pd
from flocksim.analysis.arc import SURE
from flocksim.analysis.rows import records
from flocksim.analysis.statistics import MIN_UNITS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, exact, interval, number, with_players
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .figures import HUES, INK, MARKERS, MUTED, page, styled
from .labels import capital, shortened
from .parts import Grid, Picture, Section, at_most_six, half, picture, said

_MEASURES = ("lead_changes", "alone", "runaway", "decided", "options", "forced")
_COLUMNS = [
    *("variant", "players", "recorded", "lead changes", "leads alone at half-time, %", "and wins, %"),
    *("decided after, % of turns", "open until the end, %", "legal actions", "forced, %"),
]
_NOTE = (
    "Recorded games only (arcs in the config). The standing is told in {standing}. Half-time and tenths are of a "
    "game's turns, in hindsight. A game that nobody won counts as shared by all its seats."
)
_MODEL_NOTE = (
    "A game is decided once the winner's chance stays above {sure}. Chances are estimated from standings, turns and "
    "who is next, by a model fitted to the other half of the blocks, and differ from what happened by {off} points on "
    "average. A game without a single winner stays open."
)


@dataclass(frozen=True)
class _Lines:
    """How a table becomes lines with bands, a panel a player count and a hue a variant.

    reference: from a number of players to a height that is drawn dashed. steps: the value holds up to the next one.
    """

    x: str
    y: str
    x_label: str
    y_label: str
    reference: Callable[[int], float] | None = None
    reference_label: str = ""
    steps: bool = False


def arc_section(results: Results) -> Section | None:
    """Nothing where no game of two players or more is recorded."""
    if results.curve.empty:
        return None
    standing = results.manifest["game"].get("standing_word") or "points"
    notes = [_NOTE.format(standing=standing)]
    pictures = [_runaway(results), *_comebacks(results, standing)]
    if not results.decided.empty:
        off = number(float(results.decided.off.max()) * 100, 1.0)
        notes.append(_MODEL_NOTE.format(sure=exact(SURE), off=off))
        pictures.append(_calibration(results))
    title = "How does a game go?"
    return Section("arc", title, said(results, "arc", 8), pictures, [_grid(results)], notes)


def survival_picture(results: Results) -> Picture:
    """The share of games that nobody has won yet, turn by turn, for the section on length."""
    table, note = at_most_six(results.survival, results)
    spec = _Lines("turns", "share", "turns", "not won yet, %", steps=True)
    caption = (
        "Games that nobody has won after so many turns, with 95 % bands; games that were cut off or got stuck count up "
        f"to there (Kaplan and Meier).{note}"
    )
    half_over = records(table[table.share <= 0.5].groupby(["variant", "players"], sort=False).head(1))
    each = [f"{row['variant']} {with_players([row['players']])} {row['turns']}" for row in half_over]
    alt = f"Share of games not won yet by turns. Half are won after: {', '.join(each) or 'no number of turns seen'}."
    return picture("survival", lambda: lines(table, spec), alt, caption, ("lengths",))


# --- the table ---


def _grid(results: Results) -> Grid:
    cells = {(row["variant"], row["players"], row["measure"]): row for row in records(results.arc)}
    never = {(row["variant"], row["players"]): row["never"] for row in records(results.decided)}
    rows = []
    for variant, players in results.arc[["variant", "players"]].drop_duplicates().itertuples(index=False):
        if players < 2:
            continue
        mine = {measure: cells.get((variant, players, measure)) for measure in _MEASURES}
        lead = mine["lead_changes"]
        rows.append([
            variant, str(players), f"{lead['games']:,}" if lead else "0",
            *(_cell(mine[measure]) for measure in ("lead_changes", "alone", "runaway", "decided")),
            exact(never[variant, players]).removesuffix(" %") if (variant, players) in never else "–",
            *(_cell(mine[measure]) for measure in ("options", "forced")),
        ])  # fmt: skip
    return Grid("arc", "How games go (95 % intervals in brackets)", _COLUMNS, rows)


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    scale = 1.0 if row["measure"] in ("lead_changes", "options") else 100.0
    mean = number(row["mean"] * scale, half(row) * scale) if row["mean"] else "0"
    return f"{mean} ({interval(row['low'] * scale, row['high'] * scale)})"


# --- the figures ---


def _runaway(results: Results) -> Picture:
    table, note = at_most_six(results.curve[results.curve.measure == "runaway"], results)
    table = table.assign(turns=table.tenth * 10)
    spec = _Lines("turns", "mean", "% of a game's turns", "the leader wins, %", lambda n: 1 / n, "fair share")
    caption = f"How often a seat wins that leads alone after so much of the game, with 95 % bands.{note}"
    middle = records(table[table.tenth == 5])
    each = [f"{row['variant']} {with_players([row['players']])} {number(row['mean'] * 100, half(row) * 100)} %"
            for row in middle]  # fmt: skip
    alt = f"Share of games that the leader wins, by tenths of a game. At half-time: {', '.join(each)}."
    return picture("runaway", lambda: lines(table, spec), alt, caption, ("arc_curve",))


def _comebacks(results: Results, standing: str) -> list[Picture]:
    enough = results.comebacks[results.comebacks.units >= MIN_UNITS]
    table, note = at_most_six(enough, results)
    if table.empty:
        return []
    spec = _Lines("deficit", "mean", f"behind at half-time, {standing}", "wins, %", lambda n: 1 / n, "fair share")
    caption = f"How often a seat wins that is so far behind the best one at half-time, with 95 % bands.{note}"
    if len(enough) < len(results.comebacks):
        caption += f" Deficits seen in fewer than {MIN_UNITS} blocks are in tables/comebacks.csv."
    bands = table[["deficit", "upto"]].drop_duplicates()
    if (bands.upto > bands.deficit).any():
        caption += " Points stand at the least of each band of deficits; tables/comebacks.csv has both ends."
    worst = records(table.sort_values("deficit").groupby(["variant", "players"], sort=False).tail(1))
    each = [f"{row['variant']} {with_players([row['players']])} {number(row['mean'] * 100, half(row) * 100)} %"
            for row in worst]  # fmt: skip
    alt = f"Share of games won by seats that are behind at half-time. Farthest behind: {', '.join(each)}."
    return [picture("comebacks", lambda: lines(table, spec), alt, caption, ("comebacks",))]


def _calibration(results: Results) -> Picture:
    table, note = at_most_six(results.calibration, results)
    table = table.assign(chance=table.chance * 100)
    spec = _Lines("chance", "mean", "estimated chance to win, %", "won, %")
    caption = "What seats won against their estimated chance, on blocks that the model was not fitted to; dashed: as "
    caption += f"estimated.{note}"
    off = number(results.decided.off.max() * 100, 1.0)
    alt = f"Estimated chances against wins, for {count(len(results.decided), 'case')}: {off} points apart or less."
    return picture("calibration", lambda: lines(table, spec, diagonal=True), alt, caption, ("arc_turns",))


@styled
def lines(table: pd.DataFrame, spec: _Lines, diagonal: bool = False) -> Figure:
    """Shares in percent as lines with their intervals as bands, a panel a player count, a hue a variant."""
    panels, hues = sorted(set(table.players)), list(dict.fromkeys(table.variant))
    columns = min(len(panels), page().columns)
    height = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(page().width, 2.3 * height + 0.45))
    axes = list(figure.subplots(height, columns, sharex=True, sharey=True, squeeze=False).flat)
    for axis, players in zip(axes, panels, strict=False):
        cell = table[table.players == players]
        if spec.reference:
            axis.axhline(spec.reference(players) * 100, color=MUTED, linewidth=1.1, linestyle=(0, (4, 2)), zorder=1)
        if diagonal:
            axis.plot([0, 100], [0, 100], color=MUTED, linewidth=1.1, linestyle=(0, (4, 2)), zorder=1)
        for place, hue in enumerate(hues):
            _line(axis, cell[cell.variant == hue], spec, place)
        axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        if spec.x_label.startswith("%"):
            axis.set_xticks(range(0, 101, 25))
        axis.set_title(capital(with_players([players])))
        axis.set_ylabel(spec.y_label)
        axis.tick_params(labelbottom=True)
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    for axis in axes[max(len(panels) - columns, 0) : len(panels)]:
        axis.set_xlabel(spec.x_label)
    _legend(figure, hues, spec)
    return figure


def _line(axis: Axes, part: pd.DataFrame, spec: _Lines, place: int) -> None:
    part = part.sort_values(spec.x)
    x = part[spec.x].to_numpy(float)
    y, low, high = (part[name].to_numpy(float) * 100 for name in (spec.y, "low", "high"))
    style: dict[str, Any] = {"step": "post"} if spec.steps else {}
    axis.fill_between(x, low, high, where=np.isfinite(low), color=HUES[place], alpha=0.18, linewidth=0, **style)
    if spec.steps:
        axis.step(x, y, where="post", color=HUES[place], linewidth=1.6)
    else:
        axis.plot(x, y, color=HUES[place], linewidth=1.6, marker=MARKERS[place], markersize=4, markeredgewidth=0.5,
                  markeredgecolor=INK)  # fmt: skip


def _legend(figure: Figure, hues: list[str], spec: _Lines) -> None:
    handles = [
        matplotlib.lines.Line2D([], [], color=HUES[place], marker="" if spec.steps else MARKERS[place],
                                markeredgecolor=INK, markeredgewidth=0.5, label=hue)
        for place, hue in enumerate(shortened(hues, page().letters))
    ] if len(hues) > 1 else []  # fmt: skip
    if spec.reference_label:
        line = matplotlib.lines.Line2D([], [], color=MUTED, linestyle=(0, (4, 2)), label=spec.reference_label)
        handles.append(line)
    if handles:
        figure.legend(handles=handles, loc="outside upper left", ncols=2 * page().columns)
