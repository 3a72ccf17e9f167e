"""What may be said of the tables: sentences for designers, each with the rows that it came from.

A sentence states an effect only where the table's `claim` column allows it (interval clear of zero, corrected
for all rows asked about, enough blocks); everything else is said to be unclear, never to be absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from .arc_findings import arc_findings
from .finding import Finding, half, rows_of, where
from .headline import headline
from .reversals import reversal_findings
from .rows import highest, leaders
from .win_findings import variant_win_findings, win_findings
from .words import count, listed, number, span, with_players
from .worth_findings import worth_findings

if TYPE_CHECKING:
    from .tables import Results

MANY = 3
"""With more variants than this beside the baseline, the summary counts them rather than naming each."""

_MEASURES = {
    "turns": ("games are {} longer", "games are {} shorter", "the length of games"),
    "tied": ("{} more games are tied", "{} fewer games are tied", "ties"),
    "stuck": ("{} more games get stuck", "{} fewer games get stuck", "stuck games"),
    "deadlock": ("{} more games deadlock", "{} fewer games deadlock", "deadlocks"),
    "turn_cap": (
        "{} more games reach the turn cap",
        "{} fewer games reach the turn cap",
        "games at the turn cap",
    ),
}


def find(results: Results) -> list[Finding]:
    """All findings; those for the summary in the order in which it tells them."""
    found = [
        *_length(results),
        *worth_findings(results),
        *headline(results, MANY),
        *_variant_measures(results),
        *win_findings(results),
        *variant_win_findings(results),
        *reversal_findings(results),
        *_endings(results),
        *arc_findings(results),
        *_sample(results),
    ]
    return [finding for finding in found if finding.text]


# --- length ---


def _length(results: Results) -> list[Finding]:
    """How long games of the first variant are, of each population."""
    found = []
    for baseline in results.baselines:
        rows = results.length[(results.length.variant == baseline) & (results.length.measure == "turns")]
        if not rows.empty:
            each = [f"{number(row['mean'], half(row))} with {row['players']}" for _, row in rows.iterrows()]
            first = rows.iloc[0]
            each[0] = f"{number(first['mean'], half(first))} turns {with_players([first['players']])}"
            text = f"A game of {baseline} takes {listed(each)} on average."
            found.append(Finding("length", text, rows_of("length", rows), True))
    return found


# --- what a variant changes in games ---


def _variant_measures(results: Results) -> list[Finding]:
    others = results.others()
    each = [_changes(results, variant, len(others) <= MANY) for variant in others]
    return each if len(others) <= MANY else [*_many_variants(results, others), *each]


def _changes(results: Results, variant: str, summary: bool) -> Finding:
    """One sentence on all that a variant changes in games, with what stays unclear at its end."""
    table = results.variant_measures
    mine = table[(table.variant == variant) & table.measure.isin(_MEASURES)]
    if mine.alike.all():
        won = [table[table.variant == variant] for table in (results.variant_seats, results.variant_solo) if len(table)]
        same = "every game is the same, move for move"
        same += ", and only who wins differs" if any(rows.difference.any() for rows in won) else ""
        text = f"{variant} against {results.compared_with([variant])}: {same}."
        return Finding("variants", text, rows_of("variant_measures", mine), summary)
    clauses, unclear, used = [], [], []
    for measure, (_, _, name) in _MEASURES.items():
        rows = mine[mine.measure == measure]
        if measure != "turns" and not (rows.baseline + rows.value).any():
            continue
        used.append(rows)
        if rows.claim.any():
            clauses.append(_clause(measure, rows))
        else:
            unclear.append(f"{name}{_largest(rows) if measure == 'turns' else ''}")
    if unclear:
        clauses.append(f"no clear change in {listed(unclear, 'or')}")
    text = f"{variant} against {results.compared_with([variant])}: {'; '.join(clauses)}."
    return Finding("variants", text, rows_of("variant_measures", pd.concat(used)), summary)


def _clause(measure: str, rows: pd.DataFrame) -> str:
    claimed, parts = rows[rows.claim], []
    for words, part in zip(
        _MEASURES[measure], (claimed[claimed.difference > 0], claimed[claimed.difference < 0]), strict=False
    ):
        if not part.empty:
            parts.append(f"{words.format(_by(measure, part))} {with_players(part.players, rows.players)}")
    rest = rows[~rows.claim]
    happened = rest.baseline + rest.value > 0
    notes = [
        f"{word} {with_players(part.players)}"
        for word, part in (("not clear", rest[happened]), ("none at all", rest[~happened]))
        if not part.empty
    ]
    return " and ".join(parts) + (f" ({', '.join(notes)})" if notes else "")


def _by(measure: str, rows: pd.DataFrame) -> str:
    size, wide = rows.difference.abs(), (rows.high - rows.low) / 2
    if measure != "turns":
        return f"{span(size * 100, wide * 100)} points"
    relative = span(rows.relative.abs() * 100, (rows.relative_high - rows.relative_low) * 50)
    return f"{span(size, wide)} turns ({relative} %)"


def _largest(rows: pd.DataFrame) -> str:
    known = rows[rows.low.notna()]
    if known.empty:
        return " (too few games)"
    row = highest(known, known.difference.abs())
    wide = half(row)
    case = f"{with_players([row['players']])}, " if known.players.nunique() > 1 else ""
    return f" (largest seen: {case}{number(abs(row['difference']), wide)} turns, ±{number(wide, wide)} taken alone)"


def _many_variants(results: Results, others: Sequence[str]) -> list[Finding]:
    table, base = results.variant_measures, results.compared_with(others)
    rows = table[(table.measure == "turns") & table.claim]
    if rows.empty:
        text = f"No variant of {len(others)} clearly changes the length of games against {base}."
        return [Finding("variants", text, rows_of("variant_measures", table[table.measure == "turns"]), True)]
    changing = rows.variant.nunique()
    first = leaders(rows, "difference")
    row, rivals = first.iloc[0], len(first) - 1
    most = "most of all"
    if rivals:
        most = f"the largest seen ({count(rivals, 'other is', 'others are')} not clearly smaller) in"
    way = "longer" if row["difference"] > 0 else "shorter"
    of = count(len(others), "variant")
    these = f"All {of}" if changing == len(others) else f"{changing} of {of}"
    text = (
        f"{these} clearly {'changes' if changing == 1 else 'change'} "
        f"the length of games against {base}, {most} {row['variant']}: "
        f"{number(abs(row['difference']), half(row))} turns {way} {with_players([row['players']])}."
    )
    return [Finding("variants", text, rows_of("variant_measures", rows), True)]


# --- endings and sample ---


def _endings(results: Results) -> list[Finding]:
    found = []
    words = {
        "stuck": "get stuck",
        "deadlock": "deadlock",
        "turn_cap": "reach the turn cap",
        "tied": "are tied",
    }
    for measure, verb in words.items():
        rows = results.endings[results.endings.measure == measure]
        if not rows.total.any():
            continue
        share, wide = rows.share * 100, (rows.high - rows.low) * 50
        by = span(share, wide) if rows.total.all() else f"up to {number(share.max(), half(highest(rows, share)) * 100)}"
        first = leaders(rows, "share")
        most = f", most {where(results, first.iloc[0])}" if len(first) == 1 < len(rows) else ""
        if 1 < len(first) < len(rows):
            rivals = count(len(first) - 1, "other is", "others are")
            most = f", the most seen {where(results, first.iloc[0])} ({rivals} not clearly less)"
        text = f"{by[0].upper()}{by[1:]} % of games {verb}{most}."
        worth = measure != "tied" and bool(rows.share.max() >= 0.005)
        found.append(Finding("endings", text, rows_of("endings", rows), worth))
    return found


def _sample(results: Results) -> list[Finding]:
    from .caveats import precision, repetition

    return [Finding("sample", text, rows, True) for text, rows in (*repetition(results), *precision(results))]
