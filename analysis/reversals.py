"""Effects that reverse between player counts, or between the parts and the whole (Simpson 1951).

Player counts are never pooled here. But whoever reads "games are longer" takes it for all of them, or averages over the
games of a run with one query: so where an effect points one way with some numbers of players and clearly the other way
with others, or the average over all games another way than every part, a sentence says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from .estimates import SHARES
from .finding import Finding, name_of, rows_of
from .populations import baselines
from .rows import records
from .words import listed, number, some_of, with_players

if TYPE_CHECKING:
    from .tables import Results

_WORDS = {
    "turns": ("longer games", "shorter games"),
    "rounds": ("more rounds", "fewer rounds"),
    "decisions": ("more decisions", "fewer decisions"),
    "margin": ("a larger winner's lead", "a smaller winner's lead"),
    "spread": ("more between best and worst score", "less between best and worst score"),
    "tied": ("more ties", "fewer ties"),
    "stuck": ("more stuck games", "fewer stuck games"),
    "deadlock": ("more deadlocks", "fewer deadlocks"),
    "turn_cap": ("more games at the turn cap", "fewer games at the turn cap"),
}
_NAMES = {
    "margin": "the winner's lead",
    "spread": "best less worst score",
    "tied": "ties",
    "turn_cap": "games at the turn cap",
    "deadlock": "deadlocks",
    "stuck": "stuck games",
}
MOST_NAMED = 3


def reversal_findings(results: Results) -> list[Finding]:
    """Every reversal: of seat 1, strategies, and what variants change; the summary has one sentence a topic."""
    first = results.seats[results.seats.seat == 1]
    each = [
        *_between_counts(results, "seats", first, "seat", "edge"),
        *_between_counts(results, "strategies", results.strategies, "strategy", "edge"),
        *_between_counts(results, "variant_measures", results.variant_measures, "measure", "difference"),
        *_between_counts(results, "variant_seats", results.variant_seats, "seat", "difference"),
        *_between_counts(results, "variant_strategies", results.variant_strategies, "strategy", "difference"),
    ]
    found = []
    for topic in dict.fromkeys(finding.topic for _, finding in each):
        mine = [(name, finding) for name, finding in each if finding.topic == topic]
        if len(mine) > 1:
            found.append(_several(topic, mine))
        found += [replace(finding, summary=len(mine) == 1) for _, finding in mine]
    return [*found, *_whole_against_parts(results)]


def _several(topic: str, each: list[tuple[str, Finding]]) -> Finding:
    """One sentence for the summary that names some of several reversals."""
    names = some_of([name for name, _ in each], MOST_NAMED, "more")
    text = f"{len(each)} effects reverse between player counts, so that no average would tell them: {names}."
    return Finding(topic, text, tuple(row for _, finding in each for row in finding.rows), True)


def _between_counts(
    results: Results, name: str, table: pd.DataFrame, key: str, value: str
) -> list[tuple[str, Finding]]:
    """What it is about, and a sentence: of each variant and seat, strategy or measure whose clear effects disagree."""
    claimed = table[table.claim]
    found = []
    for _, rows in claimed.groupby(["variant", key], sort=False):
        up, down = rows[rows[value] > 0], rows[rows[value] < 0]
        if len(up) and len(down):
            more, less = _effect(results, rows.iloc[0], key, value)
            text = (
                f"This reverses between player counts: {more} {with_players(up.players)}, and {less} "
                f"{with_players(down.players)}. No average over player counts would tell either."
            )
            topic = "variants" if name.startswith("variant") else name
            found.append((_about(results, rows.iloc[0], key, value), Finding(topic, text, rows_of(name, rows))))
    return found


def _about(results: Results, row: Any, key: str, value: str) -> str:
    """'rusher in standard', or 'ties in standard'."""
    what = _NAMES.get(row[key], str(row[key])) if key == "measure" else name_of(row)
    return f"{what} in {row['variant']}" if len(results.variants) > 1 or value != "edge" else what


def _effect(results: Results, row: Any, key: str, value: str) -> tuple[str, str]:
    """What a positive effect does, and what a negative one does instead."""
    if value == "edge":
        place = f" in {row['variant']}" if len(results.variants) > 1 else ""
        return f"{name_of(row)}{place} wins more than its fair share", "less"
    base = results.compared_with([row["variant"]])
    if key == "measure":
        more, less = _WORDS[row["measure"]]
        return f"{row['variant']} has {more} than {base}", less
    return f"{row['variant']} gives {name_of(row)} more wins than {base}", "fewer"


def _whole_against_parts(results: Results) -> list[Finding]:
    """Variants whose average over all games lies on the other side of the baseline's than at every player count."""
    means = results.length.rename(columns={"mean": "level"})
    shares = results.endings.rename(columns={"share": "level"})
    levels = pd.concat([means, shares])[["variant", "players", "measure", "games", "level"]]
    pooled = levels.assign(total=levels.level * levels.games).groupby(["variant", "measure"])[["total", "games"]].sum()
    average = (pooled.total / pooled.games).to_dict()
    known, found = baselines(results.manifest), []
    table = results.variant_measures
    for (variant, measure), rows in table.groupby(["variant", "measure"], sort=False):
        if len(rows) < 2 or not rows.claim.all() or (variant, measure) not in average:
            continue
        whole = float(average[variant, measure] - average[known[str(variant)], measure])
        if all(row["difference"] * whole < 0 for row in records(rows)):
            found.append(_simpson(results, str(variant), str(measure), rows, whole))
    return found


def _simpson(results: Results, variant: str, measure: str, rows: pd.DataFrame, whole: float) -> Finding:
    more, less = _WORDS[measure]
    each = listed(with_players([players]) for players in rows.players)
    here = more if rows.difference.iloc[0] > 0 else less
    scale, unit = (100.0, " points") if measure in SHARES else (1.0, "")
    way = "higher" if whole > 0 else "lower"
    text = (
        f"Simpson's reversal in {_NAMES.get(measure, measure)}: {variant} has {here} than "
        f"{results.compared_with([variant])} {each}, and yet over all games its average is "
        f"{number(abs(whole) * scale, 1.0)}{unit} {way}, because the two are played with different numbers of players. "
        "The figures by player count are right."
    )
    return Finding("variants", text, rows_of("variant_measures", rows), True)
