"""The report's sections as data, made from result tables alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import exact, interval, listed, number, signed, with_players

from . import figures
from .comparisons import variants_section
from .counters import counters_section
from .metagame import metagame_section
from .parts import STAR, Grid, Picture, Section, alternative, at_most_six, half, said
from .verdicts import verdicts_section
from .wins import uses_section, wins_section, worth_section

_SHARE_NOTE = (
    "Shares are of all games of the case; a tie of k counts as 1/k of a win, and a game that nobody won (cut off) as "
    "shared by all its seats, so that a fair share stays what it is. Against fair: that share less a fair one, in "
    "percentage points. Worst and best: the games won had every unfinished game (stuck, deadlock, turn cap) gone "
    "against or for it."
)


def sections(results: Results) -> list[Section]:
    """The report's sections, in order; a question that the study does not ask is left out."""
    made: list[Section | None] = [
        verdicts_section(results),
        _rules(results),
        _seats(results),
        _strategies(results),
        metagame_section(results),
        worth_section(results),
        _solo(results),
        _length(results),
        _endings(results),
        variants_section(results),
        wins_section(results),
        counters_section(results),
        uses_section(results),
    ]
    return [section for section in made if section]


def fair_note(players: Sequence[int]) -> str:
    """'A fair share is 50 % with 2 players and 25 % with 4 players.'"""
    each = [f"{exact(1 / number_)} {with_players([number_])}" for number_ in players if number_ > 1]
    return f"A fair share is {listed(each)}." if each else ""


# --- what differs ---


def _rules(results: Results) -> Section | None:
    rows = []
    for variant in results.manifest["variants"]:
        for rule, (standard, here) in (variant.get("differs") or {}).items():
            rows.append([variant["name"], rule, *_changed(standard, here)])
    title = "What differs between the variants" if len(results.variants) > 1 else "The rules played"
    plain = [entry["name"] for entry in results.manifest["variants"] if not entry.get("differs")]
    sentences = []
    if plain:
        verb = "is played by" if len(plain) == 1 else "are played by"
        sentences.append(f"{listed(plain)} {verb} the standard rules.")
    if not rows:
        return Section("rules", title, sentences)
    grid = Grid("rules", "Rules that differ from the standard ones", ["variant", "rule", "standard", "here"], rows)
    return Section("rules", title, sentences, grids=[grid])


def _changed(standard: Any, here: Any) -> list[str]:
    """Two values as text; of maps only the entries that differ."""
    if isinstance(standard, dict) and isinstance(here, dict):
        keys = [key for key in here if standard.get(key) != here[key]]
        return [", ".join(f"{key}: {_plain(side.get(key))}" for key in keys) for side in (standard, here)]
    return [_plain(standard), _plain(here)]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)


# --- seats and strategies ---


def _win_rows(table: pd.DataFrame, key: str) -> list[list[str]]:
    rows = []
    for row in records(table):
        wide = half(row)
        rows.append(
            [
                *(str(row["variant"]), str(row["players"]), str(row[key]), f"{row['games']:,}"),
                *(number(row["share"] * 100, wide * 100), interval(row["low"] * 100, row["high"] * 100)),
                signed(row["edge"] * 100, wide * 100) + (" *" if row["claim"] else ""),
                *(number(row["worst"] * 100, wide * 100), number(row["best"] * 100, wide * 100)),
            ]
        )
    return rows


def _win_columns(who: str, games: str) -> list[str]:
    return [
        *("variant", "players", who, games, "win share, %", "95 % interval"),
        *("against fair", "worst, %", "best, %"),
    ]


def _seats(results: Results) -> Section | None:
    table = results.seats
    if table.empty:
        return None
    alt = alternative(table, "edge", "seat", "Wins above or below a fair share by seat", edge="edge_")
    caption = "Wins above or below a fair share, by seat; lines: 95 % intervals, dashed: a fair share."
    picture = Picture("seats", figures.svg(figures.seats(table)), alt, caption)
    caption = "Win share by seat (1 = first to play)"
    grid = Grid("seats", caption, _win_columns("seat", "games"), _win_rows(table, "seat"), 3, len(table) > 60)
    notes = [_SHARE_NOTE, STAR]
    sentences = said(results, "seats", 12)
    if len(sentences) > 6:
        sentences = said(results, "seats", 6, only=results.baseline)
    return Section("seats", "Does a seat win more than its share?", sentences, [picture], [grid], notes)


def _strategies(results: Results) -> Section:
    table = results.strategies
    entries = results.manifest["strategies"]
    lines = [[str(entry["name"]), str(entry.get("line") or "")] for entry in entries]
    who = Grid("strategy_lines", "Strategies", ["strategy", "plan"], lines, heads=1)
    if table.empty or len(entries) == 1:
        alone = [f"Only {entries[0]['name']} played, so strategies cannot be compared."] * (len(entries) == 1)
        return Section("strategies", "Who played", alone, grids=[who])
    shown, note = at_most_six(table, results)
    alt = alternative(table, "share", "strategy", "Share of games won by strategy", " %")
    caption = f"Win share of each strategy against this field; lines: 95 % intervals, dashed: fair share.{note}"
    picture = Picture("strategies", figures.svg(figures.strategies(shown)), alt, caption)
    columns, rows = _win_columns("strategy", "seats held"), _win_rows(table, "strategy")
    grid = Grid("strategies", "Win share by strategy", columns, rows, 3, len(table) > 60)
    sentences = said(results, "strategies", 12, only=results.baseline)
    title = "Does a strategy win too much, or too little?"
    return Section("strategies", title, sentences, [picture], [who, grid], [_SHARE_NOTE, STAR])


def _solo(results: Results) -> Section | None:
    """How often a lone player wins; nothing when nobody plays alone."""
    if results.solo.empty:
        return None
    rows = [
        [
            *(str(row["variant"]), str(row["strategy"] or "all"), f"{row['games']:,}"),
            *(number(row["won"] * 100, half(row) * 100), interval(row["low"] * 100, row["high"] * 100)),
        ]
        for row in records(
            results.solo.sort_values("variant", key=lambda names: names.map(results.variants.index), kind="stable")
        )
    ]
    grid = Grid("solo", "Games won alone", ["variant", "strategy", "games", "won, %", "95 % interval"], rows)
    return Section("solo", "How often does a player alone win?", said(results, "solo", 4), grids=[grid])


# --- length and endings ---


def _length(results: Results) -> Section:
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
    picture = Picture("length", figures.svg(figures.length(results.length, results.spread)), alt, caption)
    grid = Grid("spread", "Length of a game in turns", columns, rows)
    return Section("length", "How long is a game?", said(results, "length", 4), [picture], [grid])


def _endings(results: Results) -> Section:
    title, table = "How do games end?", results.endings
    word = results.manifest["game"].get("score_word") or "points"
    kinds = [kind for kind in figures.ENDINGS if table[table.measure == kind].total.any()]
    columns = ["variant", "players", "games", "won, %", *(f"{figures.ENDINGS[kind]}, %" for kind in kinds)]
    caption = "How games end (95 % intervals in brackets)" if kinds else "How games end"
    grid = Grid("endings", caption, [*columns, "winner's lead"], _ending_rows(results, kinds))
    other = table[(table.measure != "win") & (table.total > 0)]
    if other.empty:
        return Section("endings", title, ["Every game ended with a single winner."], grids=[grid])
    some = other.assign(ending=other.measure.map(figures.ENDINGS))
    alt = alternative(some, "share", "ending", "Share of games that were tied or unfinished", " %")
    caption = "Games that were tied, or that did not end with an ordinary win; lines are 95 % intervals."
    picture = Picture("endings", figures.svg(figures.endings(table)), alt, caption)
    notes = [
        "A tied game is won or stuck, its win shared; the other kinds add up to all games. The winner's lead over "
        f"the best other score is in {word}, over games that were won.",
        *_never(kinds),
    ]
    return Section("endings", title, said(results, "endings", 8), [picture], [grid], notes)


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
        shown = number(lead["mean"], half(lead)) if lead else "none won"
        rows.append([str(variant), str(players), f"{int(cell.games.iloc[0]):,}", *shares, shown])
    return rows


def _share(row: dict[str, Any]) -> str:
    shown = number(row["share"] * 100, half(row) * 100) if row["total"] else "0"
    return f"{shown} ({interval(row['low'] * 100, row['high'] * 100)})"
