"""The report's section on how a game goes: who leads, who comes back, when it is decided, how much choice there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import matplotlib.lines
import numpy as np
import pandas as pd
from flocksim.analysis.arc import SURE
from flocksim.analysis.estimates import HALF
from flocksim.analysis.rows import records
from flocksim.analysis.statistics import MIN_UNITS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, exact, interval, number, signed, with_players
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from . import figures
from .figures import HUES, INK, MARKERS, MUTED, WIDE, page, styled
from .labels import capital, inches, shortened
from .parts import Grid, Picture, Section, at_most_six, half, picture, said

_DASHED: dict[str, Any] = {"color": MUTED, "linewidth": 1.1, "linestyle": (0, (4, 2))}
_TALL, _LINE = 1.65, 0.14
"""How tall a panel is, and a line of text, in inches."""
EARLY = 0.9
RARE, STEP = 0.005, 0.01
"""Survival is drawn down to RARE, in steps of about STEP: finer than a figure shows."""
_MEASURES = ("lead_changes", "alone", "runaway", "decided", "options", "forced")
COLUMNS = [
    *("variant", "players", "recorded", "lead changes", "leads alone at half-time, %", "and wins, %"),
    *("decided after, % of turns", "open to the end, %", "legal actions", "forced, %"),
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
class Lines:
    """How a table becomes lines with bands, a panel a player count and a hue a variant.

    reference: from a number of players to a height that is drawn dashed. steps: the value holds up to the next one.
    part: x is in percent of a whole. scale: multiplies heights; 100 draws shares in percent, never beyond 0 and 100.
    """

    x: str
    y: str
    x_label: str
    y_label: str
    reference: Callable[[int], float] | None = None
    reference_label: str = ""
    steps: bool = False
    part: bool = False
    low: str = "low"
    high: str = "high"
    scale: float = 100.0


def arc_section(results: Results) -> Section | None:
    """Nothing where no game of two players or more is recorded."""
    if results.curve.empty:
        return None
    standing = results.manifest["game"].get("standing_word") or "points"
    notes = [_NOTE.format(standing=standing)]
    pictures = [*_ribbon(results, standing), _runaway(results), *_comebacks(results, standing)]
    if not results.decided.empty:
        off = number(float(results.decided.off.max()) * 100, 1.0)
        notes.append(_MODEL_NOTE.format(sure=exact(SURE), off=off))
        pictures += [*_decided(results), _calibration(results)]
    title = "How does a game go?"
    return Section("arc", title, said(results, "arc", 8), pictures, [_grid(results)], notes)


def survival_picture(results: Results) -> Picture:
    """The share of games that nobody has won yet, turn by turn, for the section on length."""
    table, note = at_most_six(_thinned(results.survival), results, "survival")
    if results.survival.share.min() < RARE:
        note += f" Drawn until {exact(RARE)} are left; tables/survival.csv has every turn."
    spec = Lines("turns", "share", "turns", "not won yet, %", steps=True)
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
    return Grid("arc", "How games go (95 % intervals in brackets)", COLUMNS, rows)


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    scale = 1.0 if row["measure"] in ("lead_changes", "options") else 100.0
    mean = number(row["mean"] * scale, half(row) * scale) if row["mean"] else "0"
    return f"{mean} ({interval(row['low'] * scale, row['high'] * scale)})"


# --- the figures ---


def _thinned(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a survival table that can be seen in its figure: no steps of little height, and no long tail."""
    parts = []
    for _, rows in table.groupby(["variant", "players"], sort=False):
        steps = (rows.share / STEP).round()
        ended = (rows.share < RARE).cummax().shift(fill_value=False)
        parts.append(rows[(steps != steps.shift()) & ~ended])
    return pd.concat(parts)


def _ribbon(results: Results, standing: str) -> list[Picture]:
    table, note = at_most_six(results.ribbon, results, "ribbon")
    if table.empty:
        return []
    table = table.assign(turns=table.tenth * 10)
    spec = Lines("turns", "median", "% of a game's turns", "winner ahead by", lambda n: 0.0, "level", part=True,
                  low="p25", high="p75", scale=1.0)  # fmt: skip
    caption = f"How far the later winner stands ahead of the best other seat, in {standing}: the median game, and the "
    caption += f"middle half of games as a band. Games that one seat won alone.{note}"
    first = table.variant.iloc[0]
    each = [
        f"{with_players([row['players']])} {_ahead(row['median'])} (middle half {_ahead(row['p25'])} to "
        f"{_ahead(row['p75'])})"
        for row in records(table[(table.tenth == HALF) & (table.variant == first)])
    ]
    alt = f"Standing of the later winner less the best other, by tenths of a game, in {standing}. "
    alt += f"In {first} at half-time: {', '.join(each)}. tables/ribbon.csv has every value."
    return [picture("ribbon", lambda: lines(table, spec), alt, caption, ("arc_standings",))]


def _ahead(lead: float) -> str:
    return signed(lead, 10.0)


def _decided(results: Results) -> list[Picture]:
    """Nothing where nearly all games are open until about their end: a sentence tells that."""
    shown = results.decided
    if (shown.p10 > EARLY).all():
        return []
    caption = "After which share of its turns a game is decided: median, middle half, middle 80 % of games; above them "
    caption += "the mean and its interval. A game that is open until its last turn counts as 100 %."
    each = [f"{row['variant']} {with_players([row['players']])} {exact(row['median'])}" for row in records(shown)]
    alt = f"When games are decided, in percent of their turns. Medians: {', '.join(each)}."
    return [picture("decided", lambda: figures.decided(results.arc, shown), alt, caption, ("arc_turns",))]


def _runaway(results: Results) -> Picture:
    table, note = at_most_six(results.curve[results.curve.measure == "runaway"], results, "curve")
    table = table.assign(turns=table.tenth * 10)
    spec = Lines("turns", "mean", "% of a game's turns", "the leader wins, %", lambda n: 1 / n, "fair share", part=True)
    caption = f"How often a seat wins that leads alone after so much of the game, with 95 % bands.{note}"
    middle = records(table[table.tenth == HALF])
    each = [f"{row['variant']} {with_players([row['players']])} {number(row['mean'] * 100, half(row) * 100)} %"
            for row in middle]  # fmt: skip
    alt = f"Share of games that the leader wins, by tenths of a game. At half-time: {', '.join(each)}."
    return picture("runaway", lambda: lines(table, spec), alt, caption, ("arc_curve",))


def _comebacks(results: Results, standing: str) -> list[Picture]:
    enough = results.comebacks[results.comebacks.units >= MIN_UNITS]
    table, note = at_most_six(enough, results, "comebacks")
    if table.empty:
        return []
    spec = Lines("deficit", "mean", f"behind at half-time, {standing}", "wins, %", lambda n: 1 / n, "fair share")
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
    table, note = at_most_six(results.calibration, results, "calibration")
    table = table.assign(chance=table.chance * 100)
    spec = Lines("chance", "mean", "estimated chance to win, %", "won, %", part=True)
    caption = "What seats won against their estimated chance, on blocks that the model was not fitted to; dashed: as "
    caption += f"estimated.{note}"
    off = number(results.decided.off.max() * 100, 1.0)
    alt = f"Estimated chances against wins, for {count(len(results.decided), 'case')}: {off} points apart or less."
    return picture("calibration", lambda: lines(table, spec, diagonal=True), alt, caption, ("arc_turns",))


@styled
def lines(table: pd.DataFrame, spec: Lines, diagonal: bool = False) -> Figure:
    """Lines with bands, a panel a player count, a hue a variant, named at the lines' ends where these are apart."""
    panels, hues = sorted(set(table.players)), list(dict.fromkeys(table.variant))
    names = shortened(hues, page().letters) if len(hues) > 1 else []
    labelled = _labelled(table, hues, spec)
    handles = [] if labelled else _handles(names, spec)
    room = 0.2 + max(map(inches, names)) if labelled else 0.12
    figure, axes = figures.grid(len(panels), _TALL, True, ["000000"], handles, spec.x_label, room)
    for axis, players in zip(axes, panels, strict=False):
        cell = table[table.players == players]
        if diagonal:
            axis.plot([0, 100], [0, 100], zorder=1, **_DASHED)
        for place, hue in enumerate(hues):
            _line(axis, cell[cell.variant == hue], spec, place)
        if spec.reference:
            axis.axhline(spec.reference(players) * spec.scale, zorder=1, **_DASHED)
        axis.set_title(capital(with_players([players])))
        if players == labelled:
            _name_lines(axis, _ends(cell, hues, spec), names)
    for axis in axes[:: page().columns]:
        axis.set_ylabel(spec.y_label)
    _scales(axes[0], spec, diagonal)
    _name_reference(axes[0], table[table.players == panels[0]], spec)
    return figure


def _line(axis: Axes, part: pd.DataFrame, spec: Lines, place: int) -> None:
    part = part.sort_values(spec.x)
    x = part[spec.x].to_numpy(float)
    y, low, high = (part[name].to_numpy(float) * spec.scale for name in (spec.y, spec.low, spec.high))
    style: dict[str, Any] = {"step": "post"} if spec.steps else {}
    axis.fill_between(x, low, high, where=np.isfinite(low), color=HUES[place], alpha=0.18, linewidth=0, **style)
    if spec.steps:
        axis.step(x, y, where="post", color=HUES[place], linewidth=1.6)
    else:
        axis.plot(x, y, color=HUES[place], linewidth=1.6, marker=MARKERS[place], markersize=4, markeredgewidth=0.5,
                  markeredgecolor=INK, clip_on=False)  # fmt: skip


def _scales(axis: Axes, spec: Lines, whole: bool) -> None:
    """The scales that all panels share; shares end at 0 and 100 %, and reach both where `whole`."""
    axis.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
    if spec.part:
        axis.set_xlim(0, 100)
        axis.set_xticks(range(0, 101, 25))
    if spec.scale == 100:
        low, high = axis.get_ylim()
        axis.set_ylim(*((0.0, 100.0) if whole else (max(low, 0.0), min(high, 100.0))))
    else:
        axis.yaxis.set_major_locator(MaxNLocator("auto", integer=True))


def _ends(cell: pd.DataFrame, hues: list[str], spec: Lines) -> list[tuple[float, float] | None]:
    """Where each line ends, if it is there."""
    found = []
    for hue in hues:
        part = cell[cell.variant == hue].sort_values(spec.x)
        found.append((float(part[spec.x].iloc[-1]), float(part[spec.y].iloc[-1]) * spec.scale) if len(part) else None)
    return found


def _name_reference(axis: Axes, cell: pd.DataFrame, spec: Lines) -> None:
    """The name of the dashed line, at its right end, on the side where no line ends."""
    if not spec.reference:
        return
    at = spec.reference(int(cell.players.iloc[0])) * spec.scale
    ends = [end[1] for end in _ends(cell, list(dict.fromkeys(cell.variant)), spec) if end]
    below = sum(end > at for end in ends) * 2 >= len(ends)
    axis.annotate(spec.reference_label, (1, at), (0, -3 if below else 3), ("axes fraction", "data"), "offset points",
                  ha="right", va="top" if below else "bottom", fontsize=8, color=MUTED)  # fmt: skip


def _labelled(table: pd.DataFrame, hues: list[str], spec: Lines) -> int | None:
    """The player count in whose panel lines get their names: that where their ends are farthest apart, if far enough.

    It has to be in the last column, where there is room.
    """
    panels = sorted(set(table.players))
    tall = (table[[spec.y, spec.high]].max().max() - table[[spec.y, spec.low]].min().min()) * spec.scale
    if page() is not WIDE or not 1 < len(hues) < 5 or tall <= 0:
        return None
    apart = {}
    for players in panels[page().columns - 1 :: page().columns] or panels[-1:]:
        ends = _ends(table[table.players == players], hues, spec)
        levels = sorted(end[1] for end in ends if end)
        apart[players] = min(above - below for below, above in pairwise(levels)) if None not in ends else 0.0
    best = max(apart, key=lambda players: apart[players])
    return best if apart[best] / tall * _TALL > _LINE else None


def _name_lines(axis: Axes, ends: list[tuple[float, float] | None], names: list[str]) -> None:
    for name, end in zip(names, ends, strict=True):
        if end:
            axis.annotate(name, end, (6, 0), textcoords="offset points", va="center", fontsize=8, color=INK,
                          annotation_clip=False)  # fmt: skip


def _handles(names: list[str], spec: Lines) -> list[Artist]:
    return [
        matplotlib.lines.Line2D([], [], color=HUES[place], marker="" if spec.steps else MARKERS[place],
                                markeredgecolor=INK, markeredgewidth=0.5, label=name)
        for place, name in enumerate(names)
    ]  # fmt: skip
