"""Games of a run that are worth reading: how to play them again, and how they went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flocksim.analysis.rows import records
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, with_players

MOST_LINES = 600
KINDS = {"typical": "A typical game", "longest": "The longest game", "closest": "The closest game"}
_ENDS = {
    "win": "an ordinary end",
    "stuck": "stuck at the end",
    "deadlock": "a deadlock at the end",
    "turn_cap": "cut off at the turn cap",
}


@dataclass(frozen=True)
class Replay:
    """A game to read: what it is, the command that plays it again, and how it went, if that is known."""

    title: str
    line: str
    command: str
    told: str


def replays(results: Results, told: Mapping[str, str]) -> list[Replay]:
    """A typical game, the longest and the closest. told: by kind, the game as prose."""
    made = []
    for row in records(results.notable):
        if row["kind"] == "closest" and not results.scored:
            continue
        variant = f"--variant {_word(row['variant'])} " if len(results.manifest["variants"]) > 1 else ""
        command = f"flocksim trace RUN {variant}--players {row['players']} --game {row['game']} --pretty"
        title = f"{KINDS[row['kind']]}: {row['variant']} {with_players([row['players']])}"
        made.append(Replay(title, _line(results, row), command, _short(told.get(row["kind"], ""))))
    return made


def _word(text: str) -> str:
    """An argument as a shell takes it."""
    return text if text.replace("-", "").replace("_", "").isalnum() else "'" + text.replace("'", "'\\''") + "'"


def _line(results: Results, row: dict[str, object]) -> str:
    turns, decisions = int(str(row["turns"])), int(str(row["decisions"]))
    text = (
        f"Game {row['game']}: {count(turns, 'turn')}, {count(decisions, 'decision')}, {_ENDS[str(row['end_reason'])]}"
    )
    if row["kind"] == "typical":
        return f"{text}; of all games of its case, the first whose length is nearest to the median."
    if row["kind"] == "longest":
        return f"{text}; no game of the study has more turns."
    word = results.manifest["game"].get("score_word") or "points"
    lead = int(str(row["margin"]))
    ahead = f"{abs(lead)} {'ahead' if lead > 0 else 'behind'}" if lead else "level"
    return f"{text}, the winner {ahead} in {word}; nobody won alone with a score nearer to the best other."


def _short(text: str) -> str:
    lines = text.splitlines()
    left = len(lines) - MOST_LINES
    if left <= 0:
        return text
    return "\n".join([*lines[:MOST_LINES], "", f"… and {count(left, 'more line')}: the command above tells all."])
