"""How strong searching is where nobody knows the best choice."""

from __future__ import annotations

from flocksim.simulate.games import load_game
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import RANDOM

from tests.unit.test_game_contract import play


def test_searching_beats_random():
    game = load_game("flock-together")
    strategies = [RANDOM, catalogue.find("flock-together", "ismcts:40")]
    _, seats = play(game, 2, 60, strategies)
    share = seats["win_share"][seats["strategy"] == 1].mean()
    assert share > 0.75
