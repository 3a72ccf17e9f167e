"""Arguments that several commands share, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flocksim.simulate.errors import LONGEST_WORD, FlocksimError, one_line, unknown
from flocksim.simulate.scalars import as_int

if TYPE_CHECKING:
    from flocksim.analysis.run_folder import Run
    from flocksim.analysis.targets import Targets
    from flocksim.simulate.bots import Strategy
    from flocksim.simulate.game import Game
    from flocksim.simulate.parameters import Parameters

BIGGEST_SEED = 2**63 - 1


class Whole(click.ParamType):
    """A whole number as people write it (40_000, 1e6), between two bounds."""

    name = "integer"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = as_int(value)
        if number is None or not self.low <= number <= self.high:
            span = f"from {self.low} to {self.high:,}".replace(",", "_")
            self.fail(f"'{one_line(str(value), LONGEST_WORD)}' is not allowed; allowed: a whole number {span}.")
        return number


jobs_option = click.option(
    "--jobs", type=Whole(1, 1000), default=None, metavar="N", help="Workers; one a core if not given."
)
seed_option = click.option(
    "--seed", type=Whole(0, BIGGEST_SEED), default=1, show_default=True, metavar="S", help="Study seed."
)
players_option = click.option(
    "--players", type=Whole(1, 99), default=None, metavar="N", help="Number of players; 4, or the most the game takes."
)
targets_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Take the targets of this config instead of those that the run was started with.",
)
strategies_option = click.option(
    "--strategies",
    default=None,
    metavar="A,B,...",
    help="Strategies at the table; every archetype of the game if not given.",
)


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--variant` and `--set`."""
    function = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change one rule, e.g. hand_size=7, small_flock.J=3 or competition_thresholds.2=4,5,6. "
        "May be given more than once.",
    )(function)
    return click.option(
        "--variant",
        "presets",
        multiple=True,
        metavar="PRESET",
        help="Play by a printed variant. May be given more than once.",
    )(function)


def read_targets(run: Run, config: Path | None) -> Targets | None:
    """The targets that `--config` names, for a run; None for its own."""
    from flocksim.study import load_targets

    return None if config is None else load_targets(config, run.manifest)


def load_game(name: str) -> Game:
    from flocksim.simulate import games

    return games.load_game(name)


def choose_players(game: Game, players: int | None) -> int:
    if players is None:
        return min(4, game.seats[1])
    game.check_players(players)
    return players


def read_rules(game: Game, players: int, presets: Iterable[str], settings: Iterable[str]) -> Parameters:
    """The rules that `--variant` and `--set` ask for."""
    layers: list[Any] = []
    for preset in presets:
        if preset not in game.presets:
            raise FlocksimError(f"--variant: {unknown('preset', preset, game.presets)}")
        layers.append(game.presets[preset])
    layers.extend(_setting(text) for text in settings)
    try:
        return game.parameters.build(players, *layers)
    except FlocksimError as error:
        raise FlocksimError(f"--set: {error}" if settings else str(error)) from None


def _setting(text: str) -> dict[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise FlocksimError(f"--set: '{text}' is not KEY=VALUE, e.g. hand_size=7 or small_flock.J=3")
    name, dot, part = key.strip().partition(".")
    return {name: {part: value.strip()}} if dot else {name: value.strip()}


def read_strategies(game: Game, names: str | None) -> list[Strategy]:
    """The strategies that `--strategies` names, in that order."""
    from flocksim.strategies import catalogue

    if names is None:
        return catalogue.archetypes(game.name)
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise FlocksimError("--strategies: at least one name is needed, e.g. random")
    return [strategy for name in wanted for strategy in catalogue.population(game.name, name, Path())]
