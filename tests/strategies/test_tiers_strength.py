"""Every tier beats the one below it, in every game. docs/tiers.md has the ladder in full."""

from __future__ import annotations

from itertools import cycle, islice, pairwise

import pytest
from flocksim.simulate.games import GAMES, load_game
from flocksim.strategies import catalogue

from tests.strategies.seating import games_of

LADDER = list(pairwise(["random", *catalogue.TIERS]))
PAIRS = 7
GAMES_A_PAIR = 60


@pytest.mark.parametrize(("lower", "upper"), LADDER, ids=[upper for _, upper in LADDER])
@pytest.mark.parametrize("name", GAMES)
def test_a_tier_beats_the_one_below(name, lower, upper):
    """Four players, two of each, in pairs that go through both populations; half of the wins would be even."""
    game = load_game(name)
    above, below = (islice(cycle(catalogue.population(name, tier)), PAIRS) for tier in (upper, lower))
    won = all_wins = 0.0
    for seed, team in enumerate(zip(above, below, strict=True)):
        _, seats = games_of(game, team, 4, GAMES_A_PAIR, seed, {})
        won += seats["win_share"][seats["strategy"] == 0].sum()
        all_wins += seats["win_share"].sum()
    assert won / all_wins > 0.53
