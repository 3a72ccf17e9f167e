"""`flocksim trace`: one game, decision by decision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from flocksim.simulate.errors import FlocksimError

from ..replay import replay
from . import options
from .output import say


@click.command()
@click.argument("game", metavar="GAME|RUN")
@click.option(
    "--players",
    type=options.Whole(1, 99),
    default=None,
    metavar="N",
    help="Number of players; of a game 4, or the most it takes, and of a run the fewest that it has, if not given.",
)
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
        if len(presets) > 1:
            raise FlocksimError("--variant: of a run folder, one variant is traced at a time")
        loaded, lines = replay(Path(game), presets[0] if presets else None, players, index)
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
