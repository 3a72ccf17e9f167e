"""`flocksim bench`: how fast a game is played here."""

from __future__ import annotations

import json

import click

from flocksim.simulate.scalars import as_int

from . import options


@click.command()
@click.argument("game")
@options.players_option
@options.strategies_option
@click.option("--games", default="100_000", show_default=True, metavar="N", help="Games to play.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Threads.")
@click.option("--json", "as_json", is_flag=True, help="Figures as JSON.")
def bench(game: str, players: int | None, strategies: str | None, games: str, jobs: int, as_json: bool) -> None:
    """Measure how fast games are played, without storing them.

    Example: flocksim bench flock-together --players 4 --strategies random --jobs 1 --json
    """
    from flocksim.simulate.bench import measure
    from flocksim.simulate.errors import FlocksimError

    loaded = options.load_game(game)
    count = options.choose_players(loaded, players)
    team = options.read_strategies(loaded, strategies)
    number = as_int(games)
    if number is None or not 1 <= number <= 10**9:
        raise FlocksimError(f"--games: '{games}' is not allowed; allowed: a whole number from 1 to 1e9")
    figures = measure(loaded, count, team, number, jobs)
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        click.echo(f"{name}: {value:,.2f}" if isinstance(value, float) else f"{name}: {value}")
