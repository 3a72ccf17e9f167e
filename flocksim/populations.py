"""A study's question asked of several populations: every variant once a tier, or once a level of noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from flocksim.simulate.errors import unknown

from .study_model import StudyConfig, check_name

if TYPE_CHECKING:
    from flocksim.simulate.bots import Strategy
    from flocksim.simulate.plan import Variant

    from .study import Located

Played = tuple[tuple["Variant", ...], tuple["Strategy", ...]]
"""The variants of all populations, and the players of them all."""


def at_every_tier(config: StudyConfig, game: str, variants: tuple[Variant, ...], at: Located) -> Played:
    """Every variant once a tier, played by that tier's population."""
    from flocksim.strategies import catalogue

    assert config.tiers is not None
    for other in ("strategies", "noise"):
        if getattr(config, other) is not None:
            raise at.error(("tiers",), f"say who plays as '{other}' does, too; one of them is wanted")
    populations = {}
    for place, tier in enumerate(config.tiers):
        key = ("tiers", str(place))
        if tier not in catalogue.TIERS:
            raise at.error(key, unknown("tier", tier, catalogue.TIERS))
        if tier in populations:
            raise at.error(key, f"'{tier}' appears twice")
        populations[tier] = catalogue.tier(game, tier)
    return _played(populations, variants, at)


def at_every_noise(
    levels: Sequence[float], strategies: tuple[Strategy, ...], variants: tuple[Variant, ...], at: Located
) -> Played:
    """Every variant once a level of noise: how often a strategy chooses at random, on top of noise of its own."""
    names = [f"noise-{level:g}" for level in levels]
    for place, level in enumerate(levels):
        if names[place] in names[:place]:
            raise at.error(("noise", str(place)), f"{level:g} appears twice")
    for strategy in strategies:
        if strategy.iterations:
            raise at.error(("noise",), f"'{strategy.name}' searches, and takes no noise")
    members = [tuple(_careless(strategy, level) for strategy in strategies) for level in levels]
    everybody = [strategy.name for population in members for strategy in population]
    for place, name in enumerate(everybody):
        if name in everybody[:place]:
            raise at.error(("noise",), f"there would be two strategies '{name}', one of them careless; name one anew")
    return _played(dict(zip(names, members, strict=True)), variants, at)


def _careless(strategy: Strategy, level: float) -> Strategy:
    """Plays under its own name where the level adds nothing."""
    known = replace(strategy, entry=strategy.entry or strategy.name)
    if not level:
        return known
    noise = strategy.noise + (1 - strategy.noise) * level
    line = f"{strategy.name} with {level * 100:g} % more of its choices made at random."
    return replace(known, name=f"noise-{level:g}-{strategy.name}", noise=noise, line=line)


def _played(populations: dict[str, tuple[Strategy, ...]], variants: tuple[Variant, ...], at: Located) -> Played:
    strategies: list[Strategy] = []
    made = []
    for population, members in populations.items():
        seats = tuple(range(len(strategies), len(strategies) + len(members)))
        strategies += members
        for variant in variants:
            name = f"{variant.name}-{population}"
            try:
                made.append(replace(variant, name=check_name(name), population=population, strategies=seats))
            except ValueError as error:
                raise at.error(("variants", variant.name), f"'{name}' cannot name a variant; {error}") from None
    return tuple(made), tuple(strategies)
