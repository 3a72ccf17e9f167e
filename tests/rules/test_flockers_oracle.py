"""Flockers against the independent oracle: refereed games, by the printed rules and by rules that nobody printed.

An eighth of FLOCKSIM_ORACLE_GAMES (in the full suite: 250) is how many games of each kind and number of players are
refereed.
"""

import os
import random

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies.catalogue import shipped

from tests.oracle.flockers_cards import standard_rules
from tests.oracle.flockers_referee import Keen, header_of, referee
from tests.oracle.table import trace_of
from tests.rules.flockers_odd_rules import WILD, as_config, odd_rules

GAMES = max(4, int(os.environ.get("FLOCKSIM_ORACLE_GAMES", "40")) // 8)
PLAYERS = (1, 2, 3, 4)
GAME = load_game("flockers")

VARIANTS = {
    "standard": {},
    "iconless geese stop": {"iconless": "stop"},
    "mismatches are skipped": {"mismatch": "skip"},
    "both": {"iconless": "stop", "mismatch": "skip"},
    "decoys keep the shape": {"decoy_shape": "keep", "final_card": 5},
    "draws from the deck": {"draw_from_deck": True},
    "a short flight": {"final_card": 3, "mismatch": "skip"},
    "few rounds": {"turn_cap": 4},
    "small flocks": {"flock_size": 4, "hand_size": 3, "flock_display": 1, "terrain_display": 1},
    "large displays": {"flock_display": 6, "terrain_display": 6, "hand_size": 7},
    "wild": WILD,
    "the automa's other rules": {"automa_bottom_icons": False, "automa_tie": "rightmost", "solo_tie_wins": True},
}


def played(players, seed, share=0.8, **changes):
    """The lines of a game of the simulator's, of players who get somewhere (share: how often they try to)."""
    rules = GAME.parameters.build(players, as_config(changes))
    told = rules.model_dump()
    return list(trace_of(Table(GAME, rules, players), header_of(players, seed, told), Keen(told, share)))


def test_the_rules_shipped_are_those_the_oracle_knows():
    told = GAME.parameters.build(4, {}).model_dump()
    assert told == standard_rules()


@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_traced_games(players):
    """Every line of every traced game agrees with the oracle, with every shipped strategy at the table."""
    strategies = list(shipped("flockers").values())
    rules = GAME.parameters.build(players, {})
    for index in range(GAMES):
        lines = trace_game(GAME, rules, players, strategies, seed=2024, index=index)
        assert referee(lines) == []


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_of_variants(players, variant):
    """The same by players who fly further than random ones, by the rules of a variant: each in its share of games."""
    for seed in range(max(3, GAMES // len(VARIANTS))):
        assert referee(played(players, seed, **VARIANTS[variant])) == []


@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_by_odd_rules(players, share):
    """Every parameter and the decks at random, by players who try to get somewhere always, half the time or never."""
    for number in range(share, max(8, GAMES), 2):
        rng = random.Random(f"{players} {number}")
        changes = odd_rules(rng, players)
        assert referee(played(players, number, share=rng.choice([0, 0.5, 0.9]), **changes)) == [], changes
