"""`flocksim compare`: what differs between any two variants."""

from __future__ import annotations

from pathlib import Path

import click

from .output import say


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("one", metavar="A")
@click.argument("two", metavar="B")
@click.option(
    "--other",
    metavar="RUN",
    type=click.Path(path_type=Path),
    default=None,
    help="The run folder that B was played in, if it is another one.",
)
def compare(folder: Path, one: str, two: str, other: Path | None) -> None:
    """Say what variant B changes against variant A: rules, length, endings, wins by seat and by strategy.

    Blocks of equal seeds face equal deals and are compared one by one; two runs of different seeds are compared as
    independent samples.

    Example: flocksim compare results/flock-together-variants rarer-rare-birds quick-game
    """
    from flocksim.analysis.compare import compare as compared
    from flocksim.reports.compare import comparison_text

    say(comparison_text(compared(folder, one, two, other)))
