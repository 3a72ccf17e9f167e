"""Flock against the independent oracle: refereed games and counts of action sequences.

A quarter of FLOCKSIM_ORACLE_GAMES (`make referee`: 500) is about how many traced games are refereed in all; a game
takes some 250 to 1,000 decisions. They are shared out over the numbers of players, the combinations of variants and
rules that nobody printed; each of them gets a few at least.
"""

import os
import random

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.strategies.catalogue import shipped
from flocksim.strategies.uniform import RANDOM

from tests.oracle import flock
from tests.oracle.flock import RESOURCE_CARDS, SCORED, standard_rules
from tests.oracle.flock_referee import count_sequences, referee
from tests.rules.flock_oracle_tables import (
    FREE,
    TABLES,
    TWO_FLOCKS,
    VARIANTS,
    state,
    traced,
    variants,
)

GAMES = int(os.environ.get("FLOCKSIM_ORACLE_GAMES", "30")) // 16  # for each number of players


# ----------------------------------------------------------------------------------------- refereed games


@pytest.mark.refereed
@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_oracle_replays_traced_games(players, variant, share):
    """Every line of every traced game agrees with the oracle, with every shipped strategy (random too) at the table.

    Half of the games.
    """
    strategies = list(shipped("flock").values())
    for index in range(share, max(6, GAMES // 2 // len(variants(players))), 2):
        assert referee(traced(players, index, strategies, **VARIANTS[variant])) == []


@pytest.mark.refereed
@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_oracle_replays_games_of_random_players(players, variant):
    """The same for random players, who get into every corner of the rules: a quarter of the games.

    Half of them go on after a deadlock, and half of those of two flocks have the left one unprotected.
    """
    for index in range(max(4, GAMES // 4 // len(variants(players)))):
        changes = {"deadlock": "end" if index % 2 else "force_competition", "protect_left_flock": index % 4 < 2}
        assert referee(traced(players, index, **{**changes, **VARIANTS[variant]})) == []


@pytest.mark.refereed
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_oracle_replays_each_strategy_among_its_own(players):
    for strategy in shipped("flock").values():
        for index in range(max(1, GAMES // 100)):
            assert referee(traced(players, index, [strategy])) == []


def odd_rules(rng, players):
    """Rules that nobody printed: every parameter somewhere else, now and then."""
    per_card = lambda cards, low, high: {card: rng.randint(low, high) for card in cards}  # noqa: E731
    per_round = lambda low, high: [rng.randint(low, high) for _ in range(rng.randint(1, 4))]  # noqa: E731
    cap, supply = rng.randint(1, 7), rng.randint(3, 9)
    costs = ("laying_nests", "hatching_eggs", "hatching_worms")
    odd = {
        "vp_first": per_card(SCORED, 0, 7),
        "vp_second": per_card(SCORED, 0, 4),
        "vp_pool": rng.randint(0, 3),
        "competition_thresholds": {str(number): sorted(per_round(1, min(7, 2 * supply))) for number in (2, 3, 4, 5)},
        "rounds": rng.randint(1, 6),
        "bird_supply": supply,
        "starting_birds": rng.randint(1, min(4, supply)),
        "starting_worms": rng.randint(0, min(3, cap)),
        "resource_cap": cap,
        "token_supply": cap * players * 2 + rng.randint(0, 9),
        "gain_single": per_card(RESOURCE_CARDS, 0, 3),
        "gain_double": per_card(RESOURCE_CARDS, 0, 5),
        "cost_single": per_card(costs, 0, 2),
        "cost_double": per_card(costs, 0, 3),
        "upkeep_costs": {"nests": per_round(0, 2), "worms": per_round(0, 2)},
        "free_birds": rng.randint(0, 4),
        "relocate_limit": rng.randint(1, 5),
        "dominance_side": rng.choice(["2-3", "4-5"]),
        "flocks_per_player": rng.choice([1, 2]) if players == 2 else 1,
        "protect_left_flock": rng.choice([True, False]),
        "deadlock": rng.choice(["end", "force_competition"]),
        "turn_cap": rng.choice([3, 10, 30, 60]),
    }
    kept = rng.choice([0.2, 0.5, 0.9])
    changes = {name: value for name, value in odd.items() if rng.random() < kept}
    return {
        **changes,
        **{name: odd[name] for name in ("bird_supply", "starting_birds", "resource_cap", "token_supply")},
    }


@pytest.mark.refereed
@pytest.mark.parametrize("share", range(4))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_oracle_replays_games_by_odd_rules(players, share):
    """A quarter of the games."""
    strategies = list(shipped("flock").values())
    for number in range(share, max(12, GAMES // 4), 4):
        changes = odd_rules(random.Random(f"{players} {number}"), players)
        lines = traced(players, number, [RANDOM] if number % 2 else strategies, **changes)
        assert referee(lines) == [], changes


@pytest.mark.parametrize(("players", "flocks", "cap"), [(2, 1, 16), (3, 1, 11), (5, 1, 7), (2, 2, 8)])
def test_a_cap_that_the_tokens_cannot_serve_is_refused(players, flocks, cap):
    """F5: 30 tokens of each kind."""
    build = load_game("flock").parameters.build
    build(players, {"resource_cap": cap - 1, "flocks_per_player": flocks})
    with pytest.raises(RulesError):
        build(players, {"resource_cap": cap, "flocks_per_player": flocks})


# ----------------------------------------------------------------------------- counted action sequences

ONE_ROUND = {"rounds": 1, "free_birds": 3}
PERFT = {
    # By hand: 6 places, 6 places, then 6 places or the card that one has a bird on unless it is Competition.
    "the start": (2, {}, None, {1: 6, 2: 36, 3: 36 * 6 + 5 * 6}),
    # By hand: a first turn of one flock, then the right one's six places, then the left one's five others.
    "the start with two flocks": (2, TWO_FLOCKS, None, {1: 6, 2: 36, 3: 36 * 5}),
    "hatching": (
        2,
        {},
        state({"1": "hatching 4", "2": "hatching 3 pool 1"}, {"1": "eggs 4 worms 5", "2": "eggs 3 worms 3"}),
        {1: 1, 2: 7, 3: 7 * 5},  # by hand
    ),
    # By hand: 2 birds go to the pool, to one or to two of five cards in 1 + 5 + 15 ways; so for both.
    "relocation": (2, {"rounds": 1}, state({"1": "competition 2", "2": "competition 2"}), {12: 21**2}),
    # By hand: 3 birds in 1 + 5 + 15 + 25 ways, and in 10 more if three cards may be used.
    "relocation of 3": (2, ONE_ROUND, state({"1": "competition 3", "2": "competition 3"}), {12: 46**2}),
    "free flight": (2, {**ONE_ROUND, **FREE}, state({"1": "competition 3", "2": "competition 3"}), {12: 56**2}),
    # By hand: paid for none, 4 of 6 birds return and 2, 1 or 0 are left there in 1, 2 or 3 ways; for one, 2, 3 or 2.
    "upkeep": (
        2,
        {"rounds": 1},
        state({"1": "pool 2 feeding 2 competition 2", "2": "competition 2"}, {"1": "nests 1 worms 3"}, acting="2"),
        {16: ((21 + 2 * 6 + 3) + (2 * 21 + 3 * 6 + 2)) * 21},
    ),
}


def walked(table, depth):
    """`count_sequences` on the simulator's table."""
    if depth == 0 or table.end() is not None:
        return 1
    total = 0
    for action in table.legal():
        after = table.copy()
        after.apply(action)
        total += walked(after, depth - 1)
    return total


def perft_state(name):
    players, changes, told, _ = PERFT[name]
    return told or flock.set_up(standard_rules(**changes), players).to_state()


@pytest.mark.parametrize("name", PERFT)
def test_perft(name):
    """The number of action sequences from a fixed state, by the oracle."""
    _, changes, _, numbers = PERFT[name]
    for depth, number in numbers.items():
        assert count_sequences(perft_state(name), standard_rules(**changes), depth) == number


@pytest.mark.parametrize("name", PERFT)
def test_perft_of_the_engine(name):
    """The same by the simulator."""
    players, changes, _, numbers = PERFT[name]
    game = load_game("flock")
    table = Table(game, game.parameters.build(players, changes), players=players)
    table.place(perft_state(name))
    for depth, number in numbers.items():
        assert walked(table, depth) == number
