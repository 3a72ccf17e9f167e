"""`flocksim validate`: check a config without playing."""

from __future__ import annotations

from pathlib import Path

import click

from .output import say


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
def validate(config: Path) -> None:
    """Check a study config and say what it would play.

    Example: flocksim validate configs/flock-together-variants.yaml
    """
    from flocksim.simulate.luck import luck_games
    from flocksim.study import load_study

    study = load_study(config)
    say(f"{config}: ok")
    say(
        f"  {study.game.title}, {', '.join(map(str, study.players))} {'player' if study.players == (1,) else 'players'}"
    )
    say(f"  variants: {', '.join(variant.name for variant in study.variants)}")
    say(f"  strategies: {', '.join(strategy.name for strategy in study.strategies)}")
    most = study.after(study.looks).total_games
    luck = sum(luck_games(study, cell) for cell in study.cells()) if study.luck else 0
    beside = f", and {luck:,} that tell luck from skill" if luck else ""
    until = f"up to {most:,} games in all, {study.total_games:,} at a time, until every target is decided"
    say(f"  {until if study.at_most else f'{most:,} games in all'}{beside}, seed {study.seed}")
