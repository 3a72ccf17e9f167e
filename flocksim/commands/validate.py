"""`flocksim validate`: check a config without playing."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
def validate(config: Path) -> None:
    """Check a study config and say what it would play.

    Example: flocksim validate configs/flock-together-variants.yaml
    """
    from flocksim.study import load_study

    study = load_study(config)
    click.echo(f"{config}: ok")
    click.echo(f"  {study.game.title}, {', '.join(str(count) for count in study.players)} players")
    click.echo(f"  variants: {', '.join(variant.name for variant in study.variants)}")
    click.echo(f"  strategies: {', '.join(strategy.name for strategy in study.strategies)}")
    click.echo(f"  {study.total_games:,} games in all, seed {study.seed}")
