"""`flocksim games`, `rules` and `strategies`: what there is to play, to change and to play with."""

from __future__ import annotations

from typing import Any

import click

from . import options


@click.command()
def games() -> None:
    """List the games.

    Example: flocksim games
    """
    from flocksim.simulate.games import GAMES

    for name in GAMES:
        game = options.load_game(name)
        low, high = game.seats
        click.echo(f"{name}: {game.title}, {low} to {high} players; variants: {', '.join(game.presets)}")


@click.command()
@click.argument("game")
def rules(game: str) -> None:
    """List every rule of a game that a variant may change, and its printed variants.

    Example: flocksim rules flock-together
    """
    loaded = options.load_game(game)
    click.echo(f"{loaded.title} (rules version {loaded.version})")
    if loaded.provenance:
        click.echo(f"Reconstructed: {loaded.provenance}")
    click.echo("\nRules")
    for name, info in loaded.parameters.model_fields.items():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        ruling = f" [{extra['ruling']}]" if "ruling" in extra else ""
        click.echo(f"  {name} = {_shown(info.default)}")
        click.echo(f"      {info.description}{ruling} A{loaded.parameters.allowed(name)[1:]}.")
    click.echo("\nVariants (presets; several combine)")
    for name, changes in loaded.presets.items():
        click.echo(f"  {name}: {loaded.preset_lines.get(name, '')}")
        for key, value in changes.items():
            click.echo(f"      {key}: {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(part)}" for key, part in value.items()) + "}"
    return str(value)


@click.command()
@click.argument("game")
@click.option("--weights", is_flag=True, help="Show what each strategy weighs, too.")
def strategies(game: str, weights: bool) -> None:
    """List the strategies of a game, and the features a strategy of one's own can weigh.

    Example: flocksim strategies flock-together --weights
    """
    from flocksim.strategies import catalogue

    loaded = options.load_game(game)
    features = catalogue.features(loaded.name)
    click.echo(f"{loaded.title}: strategies")
    for strategy in catalogue.shipped(loaded.name).values():
        click.echo(f"  {strategy.name}: {strategy.line}")
        named = zip(features, strategy.weights, strict=False)
        if weights and strategy.weights:
            click.echo("      " + ", ".join(f"{name} {weight:g}" for name, weight in named if weight))
    click.echo("\nFeatures")
    for name, line in features.items():
        click.echo(f"  {name}: {line}")
