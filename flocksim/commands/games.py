"""`flocksim games`, `rules` and `strategies`: what there is to play, to change and to play with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flocksim.simulate.errors import FlocksimError

from . import options
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.game import Game


@click.command()
def games() -> None:
    """List the games.

    Example: flocksim games
    """
    from flocksim.simulate.games import GAMES

    for name in GAMES:
        game = options.load_game(name)
        low, high = game.seats
        variants = f"; variants: {', '.join(game.presets)}" if game.presets else ""
        say(f"{name}: {game.title}, {low} to {high} players{variants}")


@click.command()
@click.argument("game")
@click.option("--board", "as_board", is_flag=True, help="Draw the game's board as text instead, ready to be edited.")
@click.option(
    "--svg", type=click.Path(path_type=Path), default=None, metavar="FILE", help="Draw the board into a file."
)
@click.option("--layout", default=None, metavar="NAME|FILE", help="Which board to draw; else the standard one.")
@options.players_option
def rules(game: str, as_board: bool, svg: Path | None, layout: str | None, players: int | None) -> None:
    """List every rule of a game that a variant may change, and its printed variants; or draw its board.

    Example: flocksim rules flock-together
    """
    loaded = options.load_game(game)
    if as_board or svg:
        _draw_board(loaded, as_board, svg, layout, players)
        return
    for name, value in (("layout", layout), ("players", players)):
        if value is not None:
            raise FlocksimError(f"--{name}: is for drawing a board, with --board or --svg")
    say(f"{loaded.title} (rules version {loaded.version})")
    if loaded.provenance:
        say(f"Reconstructed: {loaded.provenance}")
    say("\nRules")
    for name, info in loaded.parameters.model_fields.items():
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        ruling = f" [{extra['ruling']}]" if "ruling" in extra else ""
        say(f"  {name} = {_shown(info.default)}")
        say(f"      {info.description}{ruling} A{loaded.parameters.allowed(name)[1:]}.")
    if loaded.presets:
        say("\nVariants (presets; several combine)")
    for name, changes in loaded.presets.items():
        say(f"  {name}: {loaded.preset_lines.get(name, '')}")
        for key, value in changes.items():
            say(f"      {key}: {_shown(value)}")


def _draw_board(game: Game, as_text: bool, svg: Path | None, layout: str | None, players: int | None) -> None:
    count = options.choose_players(game, players)
    board = game.parameters.build(count).board(count)
    if board is None:
        raise FlocksimError(f"--board: {game.name} has no board")
    if layout is not None:
        try:
            board = game.parameters.build(count, {"branch_layout": layout}).board(count)
        except FlocksimError as error:
            raise FlocksimError(f"--layout: {error}") from None
    assert board is not None
    if as_text:
        say(f"# {board.title}")
        say(board.text, nl=False)
    if svg is not None:
        from flocksim.reports.boards import picture
        from flocksim.reports.figures import svg as as_svg
        from flocksim.simulate.store import write_atomically

        if svg.is_dir():
            raise FlocksimError(f"--svg: '{svg}' is a folder; a file is wanted")
        write_atomically(svg, as_svg(picture(board)))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(part)}" for key, part in value.items()) + "}"
    return str(value)


@click.command()
@click.argument("game")
@click.option("--weights", is_flag=True, help="Show what each strategy weighs, too.")
@click.option("--features", "only_features", is_flag=True, help="Explain the features only.")
def strategies(game: str, weights: bool, only_features: bool) -> None:
    """List the strategies of a game, the features a strategy of one's own can weigh and what one can be kept from.

    Example: flocksim strategies flock-together --weights
    """
    from flocksim.strategies import catalogue

    loaded = options.load_game(game)
    features = catalogue.features(loaded.name)
    if only_features:
        _say_lines(features)
        return
    say(f"{loaded.title}: strategies")
    for strategy in catalogue.shipped(loaded.name).values():
        say(f"  {strategy.name}: {strategy.line}")
        named = zip(features, strategy.weights, strict=False)
        if weights and strategy.weights:
            say("      " + ", ".join(f"{name} {weight:g}" for name, weight in named if weight))
    say("\nTiers")
    for tier in catalogue.TIERS:
        say(f"  {tier}: {', '.join(member.name for member in catalogue.tier(loaded.name, tier))}")
    say("\nFeatures")
    _say_lines(features)
    if loaded.action_kinds:
        say("\nKinds of action that a strategy can be kept from (without: in a study)")
        _say_lines(loaded.action_kinds)


def _say_lines(lines: Mapping[str, str]) -> None:
    for name, line in lines.items():
        say(f"  {name}: {line}")
