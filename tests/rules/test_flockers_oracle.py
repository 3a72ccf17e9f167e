"""Flockers against the independent oracle: refereed games, by the printed rules and by rules that nobody printed.

An eighth of FLOCKSIM_ORACLE_GAMES (`make referee`: 250) is how many games of each kind and number of players are
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
from tests.oracle.flockers_position import Listed
from tests.oracle.flockers_referee import FlockersOracle, Keen, header_of, referee
from tests.oracle.table import trace_of
from tests.rules.flockers_odd_rules import WILD, as_config, odd_rules
from tests.rules.flockers_oracle_tables import table as laid_table

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


@pytest.mark.refereed
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_traced_games(players):
    """Every line of every traced game agrees with the oracle, with every shipped strategy at the table."""
    strategies = list(shipped("flockers").values())
    rules = GAME.parameters.build(players, {})
    for index in range(GAMES):
        lines = trace_game(GAME, rules, players, strategies, seed=2024, index=index)
        assert referee(lines) == []


@pytest.mark.refereed
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_of_variants(players, variant):
    """The same by players who fly further than random ones, by the rules of a variant: each in its share of games."""
    for seed in range(max(3, GAMES // len(VARIANTS))):
        assert referee(played(players, seed, **VARIANTS[variant])) == []


@pytest.mark.refereed
@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_by_odd_rules(players, share):
    """Every parameter and the decks at random, by players who try to get somewhere always, half the time or never."""
    for number in range(share, max(8, GAMES), 2):
        rng = random.Random(f"{players} {number}")
        changes = odd_rules(rng, players)
        assert referee(played(players, number, share=rng.choice([0, 0.5, 0.9]), **changes)) == [], changes


# ------------------------------------------------------------------------------------ all action sequences


def sequences(table, oracle, depth):
    """Plays every sequence of so many decisions on both, what chance does as the simulator has it; how many there are.

    The actions and every state on the way have to agree.
    """
    assert table.legal() == oracle.legal()
    if depth == 0 or table.over:
        return 1
    total = 0
    for action in oracle.legal():
        twin, other = table.copy(), oracle.copy()
        chance = Listed(twin.apply(action))
        other.carry_out(action, chance)
        chance.close()
        state = twin.state()
        other.settle(state)
        assert other.state_faults(state) == []
        total += sequences(twin, other, depth - 1)
    return total


def placed(players, state, **changes):
    """The simulator's table and the oracle with the same state."""
    rules = GAME.parameters.build(players, as_config(changes))
    table, oracle = Table(GAME, rules, players), FlockersOracle(rules.model_dump(), players)
    table.place(state)
    oracle.place(state)
    return table, oracle


@pytest.mark.refereed
@pytest.mark.parametrize("players", PLAYERS)
def test_all_sequences_from_positions_in_games(players):
    """Positions in the middle of a turn, too: the state in words is enough to go on from."""
    for seed in range(max(1, GAMES // 25)):
        lines = played(players, seed, **WILD)
        for line in random.Random(seed).sample(lines[1:-2], 12):
            assert sequences(*placed(players, line["state"], **WILD), depth=2) >= 1


# By hand: the numbers of action sequences of a length. Seat 1 has the flock; seat 2 no bird and a hand of one, JB02.
COUNTS = {
    # Five cards may lead; then the end, before it Navigate or Graze for the two that have them.
    "the first card": ({"hand": "AW01 AW07 AW13 AW14 AB16", "path": "T10"}, {1: 5, 2: 1 + 2 + 2 + 1 + 1}),
    # Two cards to two places, nothing to use, three birds on display; seat 2 plays its card and has nothing to use.
    "a turn": ({"flock": "AW01", "hand": "AB16 JB16", "path": "T10"}, {1: 4, 2: 4, 3: 12, 4: 12, 5: 12}),
    # The first to go is any of four, the last two have the icon: then 3, 3 and 2 choices; the very last goes at once
    # and leaves the end. Or the end first, three birds on display, seat 2's card.
    "a graze": (
        {"flock": "AB01 / AB02 AW10 AW13", "played": "AW10", "path": "T10"},
        {1: 2, 2: 4 + 3, 3: (3 + 3 + 2 + 1) + 3},
    ),
    # Seven birds make 21 pairs; or the end, after which a full flock does not replenish and seat 2 plays.
    "a swap": ({"flock": "AW14 / AB01 AB02 AB03 / JB01 JB02 JB03", "played": "AW14", "path": "T10"}, {1: 2, 2: 21 + 1}),
    # To the next card or the one after, where the north wind blows to three spaces; or the end and three birds.
    "a flight": (
        {"flock": "AW01 / AB04", "played": "AW01", "path": "T10 T01 T15 T25", "at": "1 lake"},
        {1: 2, 2: 2 + 3, 3: 1 + 3 + 3},
    ),
    # One of three birds; for the lead bird the top row slides, otherwise the end comes. Or the end first, three birds,
    # seat 2's card, and that may fly.
    "a fox": ({"flock": "AW02 / AB01 AB02", "played": "AW02", "path": "T14"}, {3: 3 + 3, 4: 3 + 3 * 2}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    told, numbers = COUNTS[name]
    state = laid_table(**{"others": ("",), **told}).state()
    for depth, number in numbers.items():
        assert sequences(*placed(2, state), depth) == number
