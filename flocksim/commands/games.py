"""`flocksim games`, `rules` and `strategies`: what there is to play, to change and to play with."""

from __future__ import annotations

from typing import Any

import click

from . import options
from .output import say


@click.command()
def games() -> None:
    """List the games.

    Example: flocksim games
    """
    from flocksim.simulate.games import GAMES

    for name in GAMES:
        game = options.load_game(name)
        low, high = game.seats
        say(f"{name}: {game.title}, {low} to {high} players; variants: {', '.join(game.presets)}")


@click.command()
@click.argument("game")
def rules(game: str) -> None:
    """List every rule of a game that a variant may change, and its printed variants.

    Example: flocksim rules flock-together
    """
    loaded = options.load_game(game)
    say(f"{loaded.title} (rules version {loaded.version})")
    if loaded.provenance:
        say(f"Reconstructed: {loaded.provenance}")
    say("\nRules")
    for name, info in loaded.parameters.model_fields.items():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        ruling = f" [{extra['ruling']}]" if "ruling" in extra else ""
        say(f"  {name} = {_shown(info.default)}")
        say(f"      {info.description}{ruling} A{loaded.parameters.allowed(name)[1:]}.")
    say("\nVariants (presets; several combine)")
    for name, changes in loaded.presets.items():
        say(f"  {name}: {loaded.preset_lines.get(name, '')}")
        for key, value in changes.items():
            say(f"      {key}: {_shown(value)}")


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
    say(f"{loaded.title}: strategies")
    for strategy in catalogue.shipped(loaded.name).values():
        say(f"  {strategy.name}: {strategy.line}")
        named = zip(features, strategy.weights, strict=False)
        if weights and strategy.weights:
            say("      " + ", ".join(f"{name} {weight:g}" for name, weight in named if weight))
    say("\nFeatures")
    for name, line in features.items():
        say(f"  {name}: {line}")
