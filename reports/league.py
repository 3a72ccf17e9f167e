"""A league's ladder for the terminal, its page, its tables and its figures."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from flocksim.analysis.league import League
from flocksim.analysis.rows import records
from flocksim.analysis.words import TOO_FEW, count, exact, interval, listed, number, signed
from matplotlib.figure import Figure

from .figures import HUES, INK, MUTED, WIDTH, styled, svg
from .labels import shortened
from .payoffs import matrix, tint, write
from .render import markdown_cell, markdown_text, write_files

MOST_CYCLES = 10
_CELL = 0.52  # inches
_LETTERS = 28
_ROOM = 250  # rating points beyond the lowest and the highest rating

_METHOD = (
    "A rating is a Plackett-Luce strength: 400 points are odds of 10 to 1 to rank above, whoever else is at the table; "
    "a player of 0 would rank above in half of its meetings with all these strategies. Every game counts by its whole "
    "rank order, broken into all its pairs of seats, ties half for each. Intervals are 95 % and resample blocks "
    "(Bayesian bootstrap). A win share is of all games played, one that nobody won being shared by all its seats. "
    "Clear of chance: from 30 blocks on, after Holm's correction over the steps of the ladder and over the pairs of "
    "the table. "
    "More: docs/league.md."
)


def write_league(league: League, folder: Path) -> Path:
    """Write ladder.csv, pairs.csv, league.md and figures/ladder.svg and pairs.svg; gives the page's path."""
    files = {
        "ladder.csv": _csv(league.ladder),
        "pairs.csv": _csv(league.pairs),
        "figures/ladder.svg": svg(ladder_figure(league.ladder)),
        "figures/pairs.svg": svg(pairs_figure(league)),
        "league.md": page(league),
    }
    return write_files(folder, files)["league.md"]


def _csv(table: pd.DataFrame) -> str:
    return table.to_csv(index=False, float_format="%.6g", lineterminator="\n")


# --- words ---


def title(league: League) -> str:
    """'Flock, 4 players, standard: 20,000 games; a fair share of wins is 25 %'."""
    manifest = league.manifest
    players, variant = manifest["players"][0], manifest["variants"][0]["name"]
    head = f"{manifest['game']['title']}, {count(players, 'player')}, {variant}"
    return f"{head}: {count(league.games, 'game')}; a fair share of wins is {exact(1 / players)}"


def ladder_rows(league: League) -> list[list[str]]:
    """The ladder as text: a row of heads, then one a strategy."""
    rows = [["", "strategy", "rating", "95 %", "wins, %", "clear of the next"]]
    last = len(league.ladder)
    for row in records(league.ladder):
        clear = TOO_FEW if math.isnan(row["p"]) else "yes" if row["clear"] else "no"
        rows.append([
            str(row["place"]),
            row["strategy"],
            signed(row["rating"], (row["high"] - row["low"]) / 2),
            interval(row["low"], row["high"]),
            _share(row["share"], row["share_low"], row["share_high"]),
            "" if row["place"] == last else clear,
        ])  # fmt: skip
    return rows


def _share(share: float, low: float, high: float) -> str:
    half = (high - low) / 2 * 100
    return f"{number(share * 100, half)} ± {number(half, half)}" if math.isfinite(half) else TOO_FEW


def sentences(league: League) -> list[str]:
    """What the ladder and the pairs come to."""
    steps = " > ".join(", ".join(group) for group in league.steps)
    if len(league.steps) == 1:
        said = ["No two neighbours on the ladder are clearly apart."]
    else:
        said = [f"Clear steps of the ladder: {steps}."]
    clear, asked = int(league.pairs.clear.sum()), len(league.pairs)
    said.append(f"Of {count(asked, 'pair')}, {clear} {'is' if clear == 1 else 'are'} clear of chance.")
    said += _cycles(league)
    if league.undecided:
        said.append(f"Nobody won {exact(league.undecided)} of the games; they count by rank like all others.")
    if league.absent:
        said.append(f"Never at the table: {listed(league.absent)}.")
    return said


def _cycles(league: League) -> list[str]:
    if not league.cycles:
        return ["No cycle: no three strategies rank above one another in a circle, all clear of chance."]
    said = []
    for trio in league.cycles[:MOST_CYCLES]:
        edges = [f"{one} above {two} ({exact(round(_share_of(league, one, two), 3))})"
                 for one, two in pairwise([*trio, trio[0]])]  # fmt: skip
        said.append(f"A cycle: {listed(edges)}.")
    more = len(league.cycles) - MOST_CYCLES
    return [*said, f"… and {more} more."] if more > 0 else said


def _share_of(league: League, one: str, two: str) -> float:
    pairs = league.pairs.set_index(["strategy", "other"]).share
    return float(pairs[one, two]) if (one, two) in pairs.index else 1 - float(pairs[two, one])


def ladder_text(league: League) -> str:
    """The ladder as aligned text, with what it comes to."""
    rows = ladder_rows(league)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  ".join(text.ljust(width) if place in (1, 5) else text.rjust(width)
                  for place, (text, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]  # fmt: skip
    return "\n".join([title(league), "", lines[0], "-" * max(map(len, lines)), *lines[1:], "", *sentences(league)])


def page(league: League) -> str:
    """league.md."""
    names = list(league.ladder.strategy)
    heads, *rows = ladder_rows(league)
    shares, halves, clear = matrix(list(league.ladder.strategy), league.pairs)
    grid = [
        [names[i], *(_cell(shares[i, j], halves[i, j], clear[i, j]) for j in range(len(names)))]
        for i in range(len(names))
    ]
    config = yaml.safe_dump(league.manifest["config"], sort_keys=False, allow_unicode=True, width=100)
    manifest = league.manifest
    rules = f"rules version {manifest['game']['version']}, flocksim {manifest['flocksim']}, seed {manifest['seed']}"
    return "\n".join([
        f"# League: {markdown_text(title(league).split(':')[0])}",
        "",
        markdown_text(f"{title(league).partition(': ')[2]}. {count(league.blocks, 'block')}, {rules}."),
        "",
        *_table([["place", *heads[1:]], *rows]),
        "",
        *(f"- {markdown_text(text)}" for text in sentences(league)),
        "",
        f"![{markdown_text(_ladder_alt(league))}](figures/ladder.svg)",
        "",
        "## Who ranks above whom",
        "",
        "In how many of their meetings the row ranks above the column, in percent, ties half. \\* clear of chance.",
        "",
        *_table([["", *names], *grid]),
        "",
        "![The same as a picture, blue where the row ranks above the column more often.](figures/pairs.svg)",
        "",
        "## How the numbers are made",
        "",
        _METHOD,
        "",
        "The games as a study:",
        "",
        f"```yaml\n{config}```",
        "",
    ])  # fmt: skip


def _ladder_alt(league: League) -> str:
    first, last = league.ladder.iloc[0], league.ladder.iloc[-1]
    ends = [f"{row.strategy} with {signed(row.rating, (row.high - row.low) / 2)}" for row in (first, last)]
    return f"Ratings with intervals, from {ends[0]} down to {ends[1]}; the table above has every value."


def _table(rows: list[list[str]]) -> list[str]:
    lines = [f"| {' | '.join(markdown_cell(text) for text in row)} |" for row in rows]
    marks = " | ".join("---:" if head not in ("strategy", "clear of the next", "") else "---" for head in rows[0])
    return [lines[0], f"| {marks} |", *lines[1:]]


def _cell(share: float, half: float, clear: bool) -> str:
    if math.isnan(share):
        return "–"
    spread = f" ± {number(half, half)}" if math.isfinite(half) else ""
    return f"{number(share, half)}{spread}{'*' if clear else ''}"


# --- figures ---


@styled
def ladder_figure(ladder: pd.DataFrame) -> Figure:
    """Ratings with intervals, strongest first; a line between neighbours that are clearly apart. An interval that goes
    far beyond all ratings ends in an arrow.
    """
    figure = Figure(figsize=(WIDTH, 0.27 * len(ladder) + 0.85))
    axis = figure.subplots()
    y, rating = ladder.place.to_numpy(float), ladder.rating.to_numpy(float)
    ends = (rating.min() - _ROOM, rating.max() + _ROOM)
    low, high = (ladder[name].to_numpy(float) for name in ("low", "high"))
    axis.hlines(y, np.maximum(low, ends[0]), np.minimum(high, ends[1]), color=HUES[0], linewidth=1.8)
    for cut, mark, end in ((low < ends[0], "<", ends[0]), (high > ends[1], ">", ends[1])):
        axis.plot(np.full(int(cut.sum()), end), y[cut], mark, color=HUES[0], markersize=5, clip_on=False)
    axis.plot(rating, y, "o", color=HUES[0], markeredgecolor=INK, markeredgewidth=0.6, markersize=5)
    for place in ladder.place[ladder.clear]:
        axis.axhline(place + 0.5, color=MUTED, linewidth=0.9)
    names = shortened(ladder.strategy, _LETTERS)
    axis.set_yticks(y, [f"{place}  {name}" for place, name in zip(ladder.place, names, strict=True)])
    axis.set_ylim(len(ladder) + 0.6, 0.4)
    axis.grid(False, axis="y")
    axis.set_xlabel("rating (400 points: odds of 10 to 1); a line where neighbours are clearly apart")
    return figure


@styled
def pairs_figure(league: League) -> Figure:
    """How often the row ranks above the column: a number and a tint a cell, a star where it is clear of chance."""
    names = list(league.ladder.strategy)
    shares, halves, clear = matrix(list(league.ladder.strategy), league.pairs)
    side = _CELL * len(names)
    figure = Figure(figsize=(max(WIDTH, side + 2.2), side + 1.6))
    axis = figure.subplots()
    tint(axis, shares)
    write(axis, shares, halves, clear)
    labels = shortened(names, _LETTERS)
    axis.set_yticks(range(len(names)), labels)
    axis.set_xticks(range(len(names)), labels, rotation=40, ha="left", rotation_mode="anchor")
    axis.set_aspect("equal")
    axis.set_xlabel("% of meetings in which the row ranks above the column; * clear of chance")
    return figure
