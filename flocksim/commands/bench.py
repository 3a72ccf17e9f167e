"""`flocksim bench`: how fast a game is played here."""

from __future__ import annotations

import json

import click

from . import options
from .output import say


@click.command()
@click.argument("game")
@options.players_option
@options.strategies_option
@click.option(
    "--games", type=options.Whole(1, 10**9), default=100_000, show_default=True, metavar="N", help="Games to play."
)
@click.option("--jobs", type=options.Whole(1, 1000), default=1, show_default=True, metavar="N", help="Threads.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
def bench(game: str, players: int | None, strategies: str | None, games: int, jobs: int, as_json: bool) -> None:
    """Measure how fast games are played, without storing them.

    Example: flocksim bench flock-together --players 4 --strategies random --jobs 1 --json
    """
    from flocksim.simulate.bench import measure

    loaded = options.load_game(game)
    count = options.choose_players(loaded, players)
    team = options.read_strategies(loaded, strategies)
    figures = measure(loaded, count, team, games, jobs)
    if as_json:
        say(json.dumps(figures, indent=2))
        return
    searches = figures.pop("searches")
    for name, value in figures.items():
        say(f"{name}: {value:,.2f}" if isinstance(value, float) else f"{name}: {value}")
    for name, cost in searches.items():
        say(f"{name}: " + ", ".join(f"{what} {value:,.2f}" for what, value in cost.items()))
