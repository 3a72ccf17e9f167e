"""`flocksim trace`: one game, decision by decision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flocksim.simulate.errors import FlocksimError, unknown

from . import options
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.game import Game


@click.command()
@click.argument("game", metavar="GAME|RUN")
@options.players_option
@options.rule_options
@options.strategies_option
@click.option(
    "--seed", type=options.Whole(0, options.BIGGEST_SEED), default=None, metavar="S", help="Study seed; 1 if not given."
)
@click.option(
    "--game",
    "index",
    type=options.Whole(0, 10**12),
    default=0,
    show_default=True,
    metavar="I",
    help="Which game of the study: the column `game` of a run with these strategies and this seed.",
)
@click.option("--pretty", is_flag=True, help="Readable prose instead of JSON lines.")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Write to a file instead.")
def trace(
    game: str,
    players: int | None,
    presets: tuple[str, ...],
    settings: tuple[str, ...],
    strategies: str | None,
    seed: int | None,
    index: int,
    pretty: bool,
    out: Path | None,
) -> None:
    """Play one game and write down every decision, every card that chance turned and every state.

    Of a run folder, play the game of that row again: --players, --game and, as --variant, one of its variants.

    Example: flocksim trace flock-together --players 3 --variant quick-game --pretty
    """
    from flocksim.simulate import trace as traces
    from flocksim.simulate.games import GAMES

    if out is not None and out.is_dir():
        raise FlocksimError(f"--out: '{out}' is a folder; a file is wanted")
    lines: Iterator[dict[str, Any]]
    if game and game not in GAMES and Path(game).is_dir():
        _check_alone(settings=settings, strategies=strategies, seed=seed)
        loaded, lines = _row_of_a_run(Path(game), players, presets, index)
    else:
        loaded = options.load_game(game)
        count = options.choose_players(loaded, players)
        rules = options.read_rules(loaded, count, presets, settings)
        team = options.read_strategies(loaded, strategies)
        lines = traces.trace_game(loaded, rules, count, team, 1 if seed is None else seed, index)
    text = traces.pretty(loaded, lines) if pretty else (json.dumps(line) for line in lines)
    if out is None:
        for line in text:
            say(line)
    else:
        from flocksim.simulate.store import write_atomically

        write_atomically(out, "".join(f"{line}\n" for line in text))


def _check_alone(**given: Any) -> None:
    named = {"settings": "--set"}
    for name, value in given.items():
        if value not in (None, ()):
            raise FlocksimError(f"{named.get(name, f'--{name}')}: a run folder brings its own; it cannot be given here")


def _row_of_a_run(
    folder: Path, players: int | None, variants: tuple[str, ...], index: int
) -> tuple[Game, Iterator[dict[str, Any]]]:
    """The game of a row of a run, played again; raises FlocksimError when the code plays another game by now."""
    from flocksim.simulate.manifest import read_manifest
    from flocksim.simulate.trace import trace_game
    from flocksim.study import make_study

    manifest = read_manifest(folder)
    study = make_study(manifest["config"])
    names = [variant.name for variant in study.variants]
    name = variants[0] if variants else names[0]
    if len(variants) > 1 or name not in names:
        raise FlocksimError(f"--variant: {unknown('variant', ', '.join(variants), names)}")
    count = players or study.players[0]
    games = {(cell["variant"], cell["players"]): cell["games"] for cell in manifest["cells"]}.get((name, count), 0)
    digest = _stored_digest(folder, name, count, index)
    if digest is None and (manifest["complete"] or index >= games):
        raise FlocksimError(f"{folder}: has no game {index} of {name} with {count} players")
    variant = study.variants[names.index(name)]
    lines = trace_game(study.game, variant.rules, count, study.team(variant), study.seed, index)
    if digest is None:  # still to be played: told as far as it goes
        return study.game, lines
    told = list(lines)
    if told[-1]["digest"] != f"{digest:016x}":
        raise FlocksimError(f"{folder}: was played by other code; game {index} of {name} is another one today")
    return study.game, iter(told)


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
