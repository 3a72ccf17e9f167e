"""`flocksim trace`: one game, decision by decision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from flocksim.simulate.errors import FlocksimError

from . import options
from .output import say


@click.command()
@click.argument("game")
@options.players_option
@options.rule_options
@options.strategies_option
@click.option("--seed", type=options.Whole(0, options.BIGGEST_SEED), default=1, show_default=True, help="Study seed.")
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
    seed: int,
    index: int,
    pretty: bool,
    out: Path | None,
) -> None:
    """Play one game and write down every decision, every card that chance turned and every state.

    Example: flocksim trace flock-together --players 3 --variant quick-game --pretty
    """
    loaded = options.load_game(game)
    count = options.choose_players(loaded, players)
    rules = options.read_rules(loaded, count, presets, settings)
    team = options.read_strategies(loaded, strategies)

    from flocksim.simulate import trace as traces

    lines: Iterator[dict[str, Any]] = traces.trace_game(loaded, rules, count, team, seed, index)
    text = traces.pretty(loaded, lines) if pretty else (json.dumps(line) for line in lines)
    if out is not None and out.is_dir():
        raise FlocksimError(f"--out: '{out}' is a folder; a file is wanted")
    if out is None:
        for line in text:
            say(line)
    else:
        from flocksim.simulate.store import write_atomically

        write_atomically(out, "".join(f"{line}\n" for line in text))
