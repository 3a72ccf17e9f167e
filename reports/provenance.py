"""Caveats, and all that is needed to play a study again."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import yaml
from flocksim.analysis.caveats import limit_reached, pairing, repetition, stopping
from flocksim.analysis.statistics import MIN_UNITS
from flocksim.analysis.tables import Results
from flocksim.analysis.words import count, exact, listed


def partial(results: Results) -> str:
    """'... games of ... so far' when the run is not complete, else nothing."""
    if results.manifest["complete"]:
        return ""
    played, planned = (
        int(results.cells.games.sum()),
        sum(int(cell["games"]) for cell in results.manifest["cells"]),
    )
    started = len(results.cells)
    cases = len(results.manifest["cells"])
    return (
        f"Partial run: {played:,} of {count(planned, 'planned game')} so far"
        f"{f', and only {started} of {cases} cases begun' if started < cases else ''}. "
        "Run the study again to finish it; numbers will change."
    )


def caveats(results: Results) -> list[str]:
    """What a reader should know before relying on the numbers."""
    texts = [partial(results), limit_reached(results), _unfinished(results), *(text for text, _ in repetition(results))]
    texts += _rulings(results.manifest)
    provenance = results.manifest["game"].get("provenance")
    texts.append(f"Data: {provenance}" if provenance else "")
    texts += [pairing(results), stopping(results)]
    texts.append(
        "Games of one block share their deal and line-up, so intervals treat blocks, not games, as "
        f"independent. A difference is called clear only from {MIN_UNITS} blocks on, when its 95 % interval "
        "stays clear of zero and it survives Holm's correction for all rows of this report's tables on wins and on "
        "variants, taken together. What is not clear may still exist."
    )
    texts.append("Strategies are scripts: their shares hold against one another, not against people.")
    return [text for text in texts if text]


def _unfinished(results: Results) -> str:
    table = results.endings[results.endings.measure.isin(("stuck", "deadlock", "turn_cap"))]
    total = int(table.total.sum())
    if not total:
        return "Every game reached an ordinary end."
    words = {"stuck": "stuck", "deadlock": "in a deadlock", "turn_cap": "at the turn cap"}
    parts = [(words[str(name)], int(rows.total.sum())) for name, rows in table.groupby("measure", sort=False)]
    games = int(results.cells.games.sum())
    text = f"Unfinished games: {listed(f'{number:,} {word}' for word, number in parts if number)} of {games:,} "
    text += f"({exact(total / games)}). Stuck games end as the rulebook says, with the winner that it names; "
    return text + "games in a deadlock or at the turn cap have none. Worst and best show what they could change."


def _rulings(manifest: dict[str, Any]) -> list[str]:
    texts = []
    for name, entry in (manifest.get("named_rulings") or {}).items():
        values = {variant: _yes(value) for variant, value in entry.get("values", {}).items()}
        kinds = set(values.values())
        said = (
            f"{kinds.pop()}"
            if len(kinds) == 1
            else ", ".join(f"{variant}: {value}" for variant, value in values.items())
        )
        ruling = f" (ruling {entry['ruling']})" if entry.get("ruling") else ""
        description = str(entry.get("description") or "").rstrip(".")
        texts.append(
            f"The rulebook leaves open: {name}{ruling} = {said}. {description}{'.' if description else ''}".strip()
        )
    return texts


def _yes(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def rerun(results: Results) -> dict[str, Any]:
    """What the footer shows: command, config as YAML, facts as (name, value) pairs."""
    manifest = results.manifest
    name = re.sub(r"[^\w.-]+", "-", str(manifest["name"])).strip("-.") or "study"
    config = manifest.get("config")
    text = yaml.safe_dump(config, sort_keys=False, allow_unicode=True, width=100) if config else ""
    facts = [
        ("game", f"{manifest['game'].get('title', '')} ({manifest['game'].get('name', '')}), rules version "
                 f"{manifest['game'].get('version', '')}"),
        ("seed", str(manifest.get("seed", ""))),
        ("games per case", _games(results)),
        ("rules digest", rules_digest(manifest)),
        ("config digest", str(manifest.get("config_hash", ""))),
        ("sources digest", str(manifest.get("sources", ""))),
        ("flocksim", str(manifest.get("flocksim", ""))),
        *((str(package), str(version)) for package, version in (manifest.get("versions") or {}).items()),
    ]  # fmt: skip
    return {"command": f"flocksim run {name}.yaml", "file": f"{name}.yaml", "config": text,
            "facts": [(key, value) for key, value in facts if value]}  # fmt: skip


def _games(results: Results) -> str:
    found = results.cells.groupby("players").games.agg(["min", "max"])
    each = []
    for players, (least, most) in zip(found.index, found.to_numpy(), strict=True):
        games = f"{least:,}" if least == most else f"{least:,} to {most:,}"
        each.append(f"{games} ({count(int(players), 'player')})")
    return ", ".join(each)


def rules_digest(manifest: dict[str, Any]) -> str:
    """16 hex digits that stand for the rules of all variants."""
    rules = [[entry["name"], entry.get("rules")] for entry in manifest["variants"]]
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]
