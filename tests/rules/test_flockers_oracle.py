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

from tests.oracle.flockers_cards import (
    ACTIONS,
    ENCOUNTERS,
    GEESE,
    TERRAINS,
    standard_rules,
)
from tests.oracle.flockers_referee import Keen, header_of, referee
from tests.oracle.table import trace_of

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
    "the automa's other rules": {"automa_bottom_icons": False, "automa_tie": "rightmost", "solo_tie_wins": True},
}


def played(players, seed, share=0.8, **changes):
    """The lines of a game of the simulator's, of players who get somewhere (share: how often they try to)."""
    rules = GAME.parameters.build(players, changes)
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


# ------------------------------------------------------------------------------------ rules nobody printed


def odd_flock_card(rng, number):
    """A row of the deck file: bonus actions and bonus icons, with or without a main action and a top icon."""
    bonus_actions = rng.choices(ACTIONS[:4], k=rng.choice([0, 0, 1, 2, 3]))
    bonus_terrain = rng.choices(TERRAINS, k=rng.choice([0, 0, 1, 2, 3]))
    bonus = (" ".join(bonus_actions), " ".join(bonus_terrain))
    action, terrain = rng.choice(["", *ACTIONS, *ACTIONS]), rng.choice(["", *TERRAINS])
    return [f"Z{number:03}", rng.choice(GEESE), action, terrain, rng.randint(1, 3) if any(bonus) else "", *bonus]


def odd_terrain_card(rng, number):
    """The rows of its spaces; the first card has 3."""
    terrains = rng.sample(TERRAINS, rng.randint(1, 4)) if number else TERRAINS[:3]
    return [
        [f"U{number:02}", place, terrain, rng.choice(["", "", *ENCOUNTERS])]
        for place, terrain in enumerate(terrains, start=1)
    ]


def deck_file(header, rows):
    return {"name": "odd.csv", "text": "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"}


def odd_flock_deck(rng, size):
    header = "card,goose,action,terrain,identify,bonus_actions,bonus_terrain"
    return deck_file(header, [odd_flock_card(rng, number) for number in range(size)])


def odd_terrain_deck(rng, size):
    rows = [row for number in range(size) for row in odd_terrain_card(rng, number)]
    return deck_file("card,space,terrain,encounter", rows)


def odd_rules(rng, players):
    """Every parameter somewhere else, now and then, and decks of one's own just large enough or larger."""
    odd = {
        "iconless": rng.choice(["skip", "stop"]),
        "mismatch": rng.choice(["skip", "stop"]),
        "decoy_shape": rng.choice(["choose", "keep"]),
        "draw_from_deck": rng.choice([False, True]),
        "final_card": rng.randint(1, 12),
        "turn_cap": rng.choice([1, 3, 12, 40]),
        "hand_size": rng.randint(1, 7),
        "flock_size": rng.randint(2, 7),
        "flock_display": rng.randint(1, 6),
        "terrain_display": rng.randint(1, 6),
        "solo_tie_wins": rng.choice([False, True]),
        "automa_bottom_icons": rng.choice([False, True]),
        "automa_tie": rng.choice(["leftmost", "rightmost"]),
    }
    share = rng.choice([0.2, 0.5, 0.9])
    rules = {name: value for name, value in odd.items() if rng.random() < share}
    full = standard_rules(**rules)
    fewest = players * (full["hand_size"] + full["flock_size"] - 1) + full["flock_display"]
    if fewest > 72 or rng.random() < 0.7:
        rules["flock_cards"] = odd_flock_deck(rng, fewest + rng.choice([0, 1, 20]))
    if rng.random() < 0.7:
        fewest = max(full["terrain_display"] + 1, full["final_card"])
        rules["terrain_cards"] = odd_terrain_deck(rng, fewest + rng.choice([0, 0, 3, 12]))
    return rules


@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_by_odd_rules(players, share):
    for number in range(share, max(8, GAMES), 2):
        changes = odd_rules(random.Random(f"{players} {number}"), players)
        assert referee(played(players, number, share=random.Random(number).choice([0, 0.5, 0.9]), **changes)) == [], (
            changes
        )
