"""The report's sections on how long games are and how they end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import interval, listed, number

from . import figures
from .arc import survival_picture
from .parts import Grid, Section, alternative, band, half, picture, said


def length_section(results: Results) -> Section:
    """How many turns games take."""
    means = {(row["variant"], row["players"], row["measure"]): row for row in records(results.length)}
    rows = []
    for row in records(results.spread):
        turns, rounds, decisions = (
            means[row["variant"], row["players"], measure] for measure in ("turns", "rounds", "decisions")
        )
        rows.append(
            [
                *(str(row["variant"]), str(row["players"]), f"{row['games']:,}"),
                *(number(turns["mean"], half(turns)), interval(turns["low"], turns["high"])),
                *(f"{row['median']:,}", f"{row['p10']:,} to {row['p90']:,}"),
                f"{row['shortest']:,} to {row['longest']:,}",
                *(number(other["mean"], half(other)) for other in (rounds, decisions)),
            ]
        )
    columns = [
        *("variant", "players", "games", "mean turns", "95 % interval", "median", "middle 80 %", "all"),
        *("rounds", "decisions"),
    ]
    means_of_turns = results.length[results.length.measure == "turns"]
    alt = alternative(means_of_turns, "mean", "", "Turns of a game", " turns")
    caption = "Turns of a game: median, middle half, middle 80 % of games; above them the mean and its interval."
    shown = picture(
        "length",
        lambda: figures.length(results.length, results.spread, band(results, "turns")),
        alt,
        caption,
        ("game_length", "length_distribution"),
    )
    grid = Grid("spread", "Length of a game in turns", columns, rows)
    return Section(
        "length", "How long is a game?", said(results, "length", 4), [shown, survival_picture(results)], [grid]
    )


def endings_section(results: Results) -> Section:
    """How games end, ties, and the winner's lead."""
    title, table = "How do games end?", results.endings
    word = results.manifest["game"].get("score_word") or "points"
    kinds = [kind for kind in figures.ENDINGS if table[table.measure == kind].total.any()]
    columns = ["variant", "players", "games", "ordinary end, %", *(f"{figures.ENDINGS[kind]}, %" for kind in kinds)]
    caption = "How games end (95 % intervals in brackets)" if kinds else "How games end"
    if results.scored:
        columns.append("winner's lead")
    grid = Grid("endings", caption, columns, _ending_rows(results, kinds))
    other = table[(table.measure != "win") & (table.total > 0)]
    if other.empty:
        return Section("endings", title, ["Every game ended with a single winner."], grids=[grid])
    some = other.assign(ending=other.measure.map(figures.ENDINGS))
    alt = alternative(some, "share", "ending", "Share of games that were tied or unfinished", " %")
    caption = "Games that were tied, or that did not end with an ordinary win; lines are 95 % intervals."
    shown = picture("endings", lambda: figures.endings(table), alt, caption, ("endings",))
    notes = [
        "A tied game has its win shared; the other kinds add up to all games.",
        *(
            [
                f"The winner's lead over the best other score is in {word}, over games that were won. "
                "It is below zero where the winner has less."
            ]
            * results.scored
        ),
        *_never(kinds),
    ]
    return Section("endings", title, said(results, "endings", 8), [shown], [grid], notes)


def _never(kinds: Sequence[str]) -> list[str]:
    words = {"stuck": "got stuck", "deadlock": "deadlocked", "turn_cap": "reached the turn cap"}
    never = [word for kind, word in words.items() if kind not in kinds]
    return [f"No game {listed(never, 'or')}."] if never else []


def _ending_rows(results: Results, kinds: Sequence[str]) -> list[list[str]]:
    leads = {(row["variant"], row["players"]): row for row in records(results.margins)}
    rows = []
    for (variant, players), cell in results.endings.groupby(["variant", "players"], sort=False):
        by = {row["measure"]: row for row in records(cell)}
        win = by["win"]["share"] * 100
        shares = ["100" if win == 100 else number(win, half(by["win"]) * 100), *(_share(by[kind]) for kind in kinds)]
        lead = leads.get((variant, players))
        told = number(lead["mean"], half(lead)) if lead else "none won"
        shown = ["–" if players == 1 else told] if results.scored else []
        rows.append([str(variant), str(players), f"{int(cell.games.iloc[0]):,}", *shares, *shown])
    return rows


def _share(row: dict[str, Any]) -> str:
    shown = number(row["share"] * 100, half(row) * 100) if row["total"] else "0"
    return f"{shown} ({interval(row['low'] * 100, row['high'] * 100)})"
