"""The command line. Every command lives in `commands/` and imports heavy libraries only when it runs."""

from __future__ import annotations

import click

from . import __version__
from .commands import bench, check, compare, games, league, plan, play, report, run, sql, trace, tune, validate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="flocksim")
def cli() -> None:
    """Play tabletop games by the hundred thousand and read what their variants change.

    Start with: flocksim run configs/flock-together-variants.yaml
    """


for command in (
    run.run,
    validate.validate,
    plan.plan,
    report.report,
    check.check,
    compare.compare,
    sql.sql,
    trace.trace,
    play.play,
    games.games,
    games.rules,
    games.strategies,
    league.league,
    tune.tune,
    bench.bench,
):
    cli.add_command(command)
