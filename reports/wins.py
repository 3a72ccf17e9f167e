"""The report's sections on how and where games are won, and on what goes with winning."""

from __future__ import annotations

import pandas as pd
from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, interval, number, percent, signed, with_players

from . import boards, figures
from .parts import LONG, Grid, Section, alternative, at_most_six, half, label, picture, said

MOST_PLACES = 10
MOST_SENTENCES = 6
_APART = (
    "* clear of chance: interval clear of zero, corrected for all rows of this table (Holm), which are looked at apart "
    "from the rest of the report."
)
_NOT_CAUSE = (
    "Use is not cause: who is ahead may use some things more, and who is behind others. A study that takes the thing "
    "away, or sets its rule, shows what it does."
)

_WORTH = (
    "Each row holds a strategy that never takes some actions, unless nothing else is legal, against the same strategy "
    "free to take them, at the same tables. What the difference is below zero, the actions are worth to that strategy: "
    "one built around them loses more, one that plans without them less."
)


def wins_section(results: Results) -> Section | None:
    """How games are won, where the game tells kinds of wins apart or wins on a board."""
    if results.win_kinds.empty and results.places.empty:
        return None
    section = Section("wins", "How and where are games won?")
    for title, counters in (results.manifest.get("win_kinds") or {}).items():
        table = results.win_kinds[results.win_kinds.counter.isin(counters)]
        if table["mean"].any():
            section.grids.append(_kinds(results, title, list(counters), table))
    if not results.places.empty:
        _map(results, section)
    if not section.grids:
        return None
    section.notes.append("Shares are of the games that somebody won; 95 % intervals in brackets.")
    return section


def _kinds(results: Results, title: str, counters: list[str], table: pd.DataFrame) -> Grid:
    """A row a case, a column a kind of win."""
    by = {(row["variant"], row["players"], row["counter"]): row for row in records(table)}
    rows = []
    for variant, players in dict.fromkeys(zip(table.variant, table.players, strict=True)):
        mine = [by[variant, players, counter] for counter in counters]
        if not any(row["mean"] for row in mine):  # such as solo bands of games that were not played alone
            continue
        rows.append([str(variant), str(players), f"{mine[0]['games']:,}", *(_share(row) for row in mine)])
    own = own_words([label(results, counter) for counter in counters])
    heads = ["variant", "players", "games won", *(f"{name}, %" for name in own)]
    return Grid("win_kinds", title, heads, rows, 2, len(rows) > LONG)


def own_words(names: list[str]) -> list[str]:
    """Heads of columns without the words that all of them begin or end with: the title says what they are."""
    words = [name.split() for name in names]
    room = min(map(len, words)) - 1 if len(names) > 1 else 0
    first = next((n for n in range(room) if len({tuple(some[: n + 1]) for some in words}) > 1), room)
    last = next((n for n in range(room - first) if len({tuple(some[-n - 1 :]) for some in words}) > 1), room - first)
    return [" ".join(some[first : len(some) - last]) for some in words]


def _share(row: dict[str, float]) -> str:
    shown = number(row["mean"] * 100, half(row) * 100) if row["mean"] else "0"
    return f"{shown} ({interval(row['low'] * 100, row['high'] * 100)})"


def _map(results: Results, section: Section) -> None:
    spec = results.manifest["board_map"]
    caption = f"{spec['title']}: the share of all {spec['what']} that hold each spot, for {results.baseline}"
    shown = results.places[results.places.variant == boards.drawn_variant(results)]
    alt = _alternative(spec["title"], shown)
    section.pictures.append(picture("places", lambda: boards.heat_map(results), alt, f"{caption}.", ("places",)))
    rows = []
    for (variant, players), table in results.places.groupby(["variant", "players"], sort=False):
        best = table.sort_values("mean", ascending=False, kind="stable").head(MOST_PLACES)
        spots = ", ".join(f"{row['place']} {_share(row)}" for row in records(best))
        rows.append([str(variant), str(players), f"{int(table.games.iloc[0]):,}", spots])
    heads = ["variant", "players", str(spec["what"]), "spots, %"]
    title = f"{spec['title']}: the {count(MOST_PLACES, 'spot')} held most often"
    section.grids.append(Grid("places", title, heads, rows, 2, True))


def _alternative(title: str, table: pd.DataFrame) -> str:
    parts = []
    for players in sorted(set(table.players)):
        most = records(table[table.players == players].sort_values("mean", ascending=False, kind="stable"))[0]
        share = percent(most["mean"], half(most))
        parts.append(f"{with_players([players])} most often on spot {most['place']}, in {share} of {most['games']:,}")
    return f"{title}, drawn over the board: {'; '.join(parts)}. The table below names more spots."


def worth_section(results: Results) -> Section | None:
    """What strategies lose that are kept from some actions."""
    if results.worth.empty:
        return None
    never = {entry["name"]: ", ".join(entry.get("without") or ()) for entry in results.manifest["strategies"]}
    many = len(results.variants) > 1
    rows = []
    for row in records(results.worth):
        wide = half(row) * 100
        rows.append(
            [
                *([row["variant"]] if many else []),
                *(str(row["players"]), row["strategy"], never[row["strategy"]], row["base"]),
                *(number(row[side] * 100, wide) for side in ("free", "restricted")),
                signed(row["difference"] * 100, wide) + (" *" if row["claim"] else ""),
                interval(row["low"] * 100, row["high"] * 100),
            ]
        )
    heads = [
        "players",
        "strategy",
        "never",
        "the same, free",
        "win share when free, %",
        "without, %",
        "difference",
        "95 % interval",
    ]
    heads = ["variant", *heads] if many else heads
    grid = Grid("worth", "Win share without some actions", heads, rows, 5 if many else 4, len(rows) > LONG)
    shown, note = at_most_six(results.worth, results, "worth")
    alt = alternative(shown, "difference", "strategy", "Change in win share without some actions")
    caption = f"Win share of each strategy less that of the same one free; lines are 95 % intervals.{note}"
    drawn = picture("worth", lambda: figures.variant_strategies(shown), alt, caption, ("worth",))
    title, sentences = "What is an action worth?", said(results, "worth", MOST_SENTENCES)
    return Section("worth", title, sentences, [drawn], grids=[grid], notes=[_WORTH, _APART])


def uses_section(results: Results) -> Section | None:
    """Win shares with and without each thing that can be used, of the baseline."""
    table = results.uses
    if table.empty:
        return None
    table = table[table.variant == table.variant.iloc[0]]
    rows = []
    for row in records(table):
        wide = half(row) * 100
        rows.append(
            [
                *(str(row["players"]), label(results, row["counter"]), percent(row["used"])),
                *(number(row[side] * 100, wide) for side in ("with_", "without")),
                signed(row["difference"] * 100, wide) + (" *" if row["claim"] else ""),
                interval(row["low"] * 100, row["high"] * 100),
            ]
        )
    heads = ["players", "what", "seats that used it", "win share with, %", "without, %", "difference", "95 % interval"]
    place = f", {table.variant.iloc[0]}" if len(results.variants) > 1 else ""
    grid = Grid("uses", f"Win share of seats that used something at least once{place}", heads, rows, 2, len(rows) > 12)
    return Section("uses", "What goes with winning?", [_NOT_CAUSE], grids=[grid], notes=[_APART])
