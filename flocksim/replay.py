"""Games of a run, played again: what `flocksim trace RUN` shows and what a report tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flocksim.simulate.errors import FlocksimError, unknown
from flocksim.simulate.plurals import counted

if TYPE_CHECKING:
    from flocksim.analysis.tables import Results
    from flocksim.simulate.game import Game


def replay(
    folder: Path, variant: str | None = None, players: int | None = None, index: int = 0, digest: int | None = None
) -> tuple[Game, Iterator[dict[str, Any]]]:
    """The game of a row of a run, played again; the first variant and player count of the study if not given.

    digest: that of the row, if it is known.

    Raises FlocksimError where there is no such row, and when the code plays another game by now.
    """
    from flocksim.simulate.manifest import read_manifest
    from flocksim.simulate.trace import trace_game

    from .study import make_study

    manifest = read_manifest(folder)
    study = make_study(manifest["config"])
    names = [entry.name for entry in study.variants]
    name = names[0] if variant is None else variant
    if name not in names:
        raise FlocksimError(f"--variant: {unknown('variant', name, names)}")
    count = players or study.players[0]
    games = {(cell["variant"], cell["players"]): cell["games"] for cell in manifest["cells"]}.get((name, count), 0)
    digest = _stored_digest(folder, name, count, index) if digest is None else digest
    kept = manifest["config"].get("keep", "games") == "games"
    if digest is None and ((manifest["complete"] and kept) or index >= games):
        raise FlocksimError(f"{folder}: has no game {index} of {name} with {counted(count, 'players')}")
    chosen = study.variants[names.index(name)]
    lines = trace_game(study.game, chosen.rules, count, study.team(chosen), study.seed, index)
    if digest is None:  # still to be played, told as far as it goes; or not kept
        return study.game, lines
    told = list(lines)
    if told[-1]["digest"] != f"{digest:016x}":
        raise FlocksimError(f"{folder}: was played by other code; game {index} of {name} is another one today")
    return study.game, iter(told)


def playthroughs(folder: Path, results: Results) -> Mapping[str, str]:
    """The notable games of a run as prose, by kind; why not, where one cannot be played again."""
    from flocksim.analysis.rows import records
    from flocksim.simulate.trace import pretty

    told = {}
    for row in records(results.notable):
        try:
            game, lines = replay(folder, row["variant"], row["players"], row["game"], int(row["digest"]))
            told[row["kind"]] = "\n".join(pretty(game, lines))
        except FlocksimError as error:
            told[row["kind"]] = f"It cannot be played again here: {error}"
    return told


def _stored_digest(folder: Path, variant: str, players: int, index: int) -> int | None:
    """The digest in a row of a run; None where it has no such row yet."""
    from flocksim.analysis.run_folder import load
    from flocksim.simulate.receipts import received

    if not received(folder):
        return None
    with load(folder) as run:
        query = "SELECT digest FROM games WHERE variant = $variant AND players = $players AND game = $game"
        found = run.sql(query, variant=variant, players=players, game=index).fetchall()
    return int(found[0][0]) if found else None
