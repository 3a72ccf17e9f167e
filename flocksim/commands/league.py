"""`flocksim league`: the strategies of a game against one another, and the ladder that comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flocksim.simulate.errors import FlocksimError

from . import options
from .output import say

if TYPE_CHECKING:
    from flocksim.simulate.bots import Strategy
    from flocksim.simulate.game import Game
    from flocksim.simulate.plan import Study, Variant

MOST_STRATEGIES = 200
SEARCH_PART = 200  # games; of searching strategies so many take long enough to be worth keeping


@click.command()
@click.argument("game")
@options.players_option
@options.rule_options
@click.option(
    "--strategies",
    default=None,
    metavar="A,B,...",
    help="Who plays, e.g. random,rusher,ismcts:50; every strategy that ships with the game if not given.",
)
@click.option(
    "--tiers",
    is_flag=True,
    help="Let random and the tiers play, beginner to expert, and rate each tier as one player.",
)
@click.option(
    "--games", type=options.Whole(1, 10**12), default=20_000, show_default=True, metavar="N", help="Games to play."
)
@options.seed_option
@options.jobs_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
    metavar="DIR",
    help="The run folder; results/league-GAME if not given.",
)
@click.option("--fresh", is_flag=True, help="Start over instead of resuming what the folder holds.")
@click.option("--quiet", is_flag=True, help="No progress, no ladder: errors only.")
def league(
    game: str,
    players: int | None,
    presets: tuple[str, ...],
    settings: tuple[str, ...],
    strategies: str | None,
    tiers: bool,
    games: int,
    seed: int,
    jobs: int | None,
    out: Path | None,
    fresh: bool,
    quiet: bool,
) -> None:
    """Let all strategies of a game play one another, and rank them.

    Every block of games is a random line-up in all its rotations over the seats. The run folder gets ladder.csv,
    pairs.csv, league.md and two figures. An interrupted league goes on when the same command is given again.

    Example: flocksim league flock-together --players 3 --games 5_000
    """
    from flocksim.simulate.plan import PART_GAMES, Study

    from .run import play

    loaded = options.load_game(game)
    count = _players(loaded, players)
    variant = _variant(loaded, count, presets, settings)
    called = _tiers(loaded, strategies) if tiers else {}
    team = _team(loaded, ",".join(["random", *dict.fromkeys(called.values())]) if tiers else strategies)
    searching = any(strategy.iterations for strategy in team)
    study = Study(
        name=f"league-{loaded.name}" + ("-tiers" if tiers else ""),
        game=loaded,
        players=(count,),
        variants=(variant,),
        strategies=tuple(team),
        games=games,
        seed=seed,
        part_games=SEARCH_PART if searching else PART_GAMES,
    )
    folder = out or Path("results") / study.name
    play(study, folder, jobs or -1, "threading", fresh, quiet)
    _tell(study, folder, called, quiet)


def _players(game: Game, players: int | None) -> int:
    count = options.choose_players(game, players)
    if count < 2:
        raise FlocksimError(f"--players: {game.title} with 1 player has no league: nobody ranks above anybody")
    return count


def _variant(game: Game, players: int, presets: tuple[str, ...], settings: tuple[str, ...]) -> Variant:
    from flocksim.simulate.plan import Variant

    rules = options.read_rules(game, players, presets, settings)
    name = "-".join(presets) or "standard"
    return Variant(f"{name}-changed" if settings else name, rules, presets)


def _team(game: Game, names: str | None) -> list[Strategy]:
    from flocksim.strategies import catalogue

    team = options.read_strategies(game, ",".join(catalogue.shipped(game.name)) if names is None else names)
    known = [strategy.name for strategy in team]
    twice = [name for name in known if known.count(name) > 1]
    if twice:
        raise FlocksimError(f"--strategies: '{twice[0]}' appears twice")
    if not 2 <= len(known) <= MOST_STRATEGIES:
        raise FlocksimError(f"--strategies: {len(known)} is not allowed; a league takes 2 to {MOST_STRATEGIES}")
    return team


def _tiers(game: Game, strategies: str | None) -> dict[str, str]:
    """Strategy -> tier, of all tiers of a game."""
    from flocksim.strategies import catalogue

    if strategies is not None:
        raise FlocksimError("--tiers: brings its own strategies; --strategies cannot be given with it")
    return {member.name: tier for tier in catalogue.TIERS for member in catalogue.tier(game.name, tier)}


def _tell(study: Study, folder: Path, called: dict[str, str], quiet: bool) -> None:
    """Write the league's tables, page and figures, and print the ladder."""
    from flocksim.analysis.league import rate
    from flocksim.analysis.run_folder import load
    from flocksim.reports.league import ladder_text, write_league

    with load(folder, names=called) as run:
        found = rate(run)
    path = write_league(found, folder)
    if not quiet:
        say(ladder_text(found))
        say(f"League: {path}")
