"""Flock against the independent oracle: refereed games, the oracle by the rulebook's examples, the referee.

FLOCKSIM_ORACLE_GAMES sets about how many traced games are refereed in all (the full suite: 2000), shared out over
the numbers of players, the combinations of variants and rules that nobody printed; each of them gets a few at least.
"""

import copy
import os
import random
from itertools import combinations

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies.catalogue import shipped
from flocksim.strategies.uniform import RANDOM

from tests.oracle import flock
from tests.oracle.flock import CARDS, RESOURCE_CARDS, RESOURCES, SCORED, as_position, standard_rules
from tests.oracle.flock_referee import OracleTable, count_sequences, oracle_trace, referee

GAMES = int(os.environ.get("FLOCKSIM_ORACLE_GAMES", "30")) // 4  # for each number of players
SEED = 2024
HUNGRY = {"free_birds": 0, "upkeep_costs": {"nests": [2, 1, 1], "worms": [2, 2, 1]}}
FREE = {"relocate_limit": 5}
TWO_FLOCKS = {"flocks_per_player": 2}
PRESETS = {"hungry-birdies": HUNGRY, "free-flight": FREE, "advanced-2-player": TWO_FLOCKS}
VARIANTS = {
    " + ".join(names) or "standard": {name: value for preset in names for name, value in PRESETS[preset].items()}
    for size in range(4)
    for names in combinations(PRESETS, size)
}


def variants(players):
    """The combinations of printed variants that so many can play."""
    return [name for name in VARIANTS if players == 2 or "advanced" not in name]


TABLES = [(players, variant) for players in (2, 3, 4, 5) for variant in variants(players)]


def traced(players, index, strategies=(RANDOM,), **changes):
    """The lines of one traced game, of uniformly random players unless others are named."""
    game = load_game("flock")
    rules = game.parameters.build(players, changes)
    return list(trace_game(game, rules, players, strategies, seed=SEED, index=index))


# ----------------------------------------------------------------------------------------- refereed games


@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_oracle_replays_traced_games(players, variant, share):
    """Every line of every traced game agrees with the oracle, with every shipped strategy (random too) at the table.

    Half of the games.
    """
    strategies = list(shipped("flock").values())
    for index in range(share, max(6, GAMES // 2 // len(variants(players))), 2):
        assert referee(traced(players, index, strategies, **VARIANTS[variant])) == []


@pytest.mark.parametrize(("players", "variant"), TABLES)
def test_oracle_replays_games_of_random_players(players, variant):
    """The same for random players, who get into every corner of the rules: a quarter of the games.

    Half of them go on after a deadlock, and half of those of two flocks have the left one unprotected.
    """
    for index in range(max(4, GAMES // 4 // len(variants(players)))):
        changes = {"deadlock": "end" if index % 2 else "force_competition", "protect_left_flock": index % 4 < 2}
        assert referee(traced(players, index, **{**changes, **VARIANTS[variant]})) == []


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


# ------------------------------------------------------------------------------------- positions by hand


def counted(words):
    """ "pool 2 feeding 1" as {"pool": 2, "feeding": 1}."""
    parts = words.split()
    return dict(zip(parts[::2], map(int, parts[1::2]), strict=True))


def state(birds, held=(), initiative=None, **more):
    """A state from words: where each flock has its birds, and what else it holds; the first flock is to act."""
    flocks = {}
    for name, words in birds.items():
        on = counted(words)
        pool = on.pop("pool", 0)
        resources = {**dict.fromkeys(RESOURCES, 0), **counted(dict(held).get(name, ""))}
        flocks[name] = {"pool": pool, "stock": 8 - pool - sum(on.values()), "on": on, **resources}
    first = more.get("acting", next(iter(birds)))
    return {
        "to_move": flock.owner(first),
        "decision": "act",
        "turn": 1,
        "round": 1,
        "flock": first,
        "flocks": flocks,
        "initiative": initiative or list(birds),
        "vp": {str(seat): 0 for seat in sorted({flock.owner(name) for name in birds})},
        "acting": first,
        "barred": None,
        "passes": 0,
        "activation": None,
        "end_reason": None,
        **more,
    }


def flocks_of_two(one_right, one_left, two_right="pool 3", two_left="pool 3", **more):
    birds = {"1-right": one_right, "1-left": one_left, "2-right": two_right, "2-left": two_left}
    return state(birds, initiative=["1-left", "2-right", "2-left", "1-right"], **more)


def played(state, *actions, **changes):
    """The oracle's table after these actions."""
    players = len(state["vp"])
    table = OracleTable(standard_rules(**changes), players)
    table.place(state)
    for action in actions:
        table.apply(action)
    return table


def pool(table, name):
    return table.state()["flocks"][name]["pool"]


def on(table, name):
    return table.state()["flocks"][name]["on"]


def moment(table):
    """Who decides what."""
    return table.state()["flock"], table.state()["decision"]


def placeable(table):
    return [action["place"] for action in table.legal() if "place" in action]


def activatable(table):
    return [action["activate"] for action in table.legal() if "activate" in action]


YES = {"activate": "competition"}
PASS = {"pass": True}


# -------------------------------------------------------------------------- the rulebook's own examples


def test_set_up():
    start = flock.set_up(standard_rules(), 3).to_state()
    assert (start["flock"], start["initiative"], start["round"]) == ("1", ["1", "2", "3"], 1)
    assert [held["worms"] for held in start["flocks"].values()] == [1, 0, 0]
    assert all((held["pool"], held["stock"]) == (3, 5) for held in start["flocks"].values())


def test_set_up_of_two_flocks_each():
    """F3, F28; the start player's first turn is for the left flock only."""
    start = flock.set_up(standard_rules(**TWO_FLOCKS), 2)
    assert list(start.flocks) == ["1-right", "1-left", "2-right", "2-left"]
    assert start.initiative == ["1-left", "2-right", "2-left", "1-right"]
    assert [name for name, held in start.flocks.items() if held["worms"]] == ["1-left"]
    acted = []
    table = played(start.to_state(), **TWO_FLOCKS)
    for _ in range(6):
        acted.append((table.state()["turn"], table.state()["acting"]))
        table.apply({"place": placeable(table)[0]})
    assert acted == [(1, "1-left"), (2, "2-right"), (2, "2-left"), (3, "1-right"), (3, "1-left"), (4, "2-right")]


def test_hatching_example():
    """Two birds, 3 worms and 3 eggs make 3 birds; one bird, a worm and an egg make 1. Blue is 1, red is 3."""
    birds = {"1": "hatching 2", "2": "pool 3", "3": "hatching 1"}
    table = played(state(birds, {"1": "worms 3 eggs 3", "3": "worms 2 eggs 1"}), {"activate": "hatching"})
    assert table.legal()[-1] == {"singles": 2, "doubles": 0}
    table.apply({"singles": 0, "doubles": 1})
    blue = table.state()["flocks"]["1"]
    assert (blue["pool"], blue["on"], blue["worms"], blue["eggs"], blue["stock"]) == (5, {}, 0, 0, 3)
    assert moment(table) == ("3", "perform")
    assert table.legal() == [{"singles": 0, "doubles": 0}, {"singles": 1, "doubles": 0}]
    table.apply({"singles": 1, "doubles": 0})
    assert (pool(table, "3"), table.state()["flocks"]["3"]["worms"], moment(table)) == (2, 1, ("2", "act"))


def test_feeding_example():
    """Red's 4 birds bring 6 worms (F7), then yellow's 3 bring 4."""
    birds = {"1": "feeding 3", "2": "pool 1", "3": "feeding 4"}
    table = played(state(birds, acting="3"), {"activate": "feeding"})
    assert [tuple(action.values()) for action in table.legal()] == [
        *[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (4, 0)]
    ]
    table.apply({"singles": 0, "doubles": 2})
    assert table.state()["flocks"]["3"]["worms"] == 6
    table.apply({"singles": 1, "doubles": 1})
    assert table.state()["flocks"]["1"]["worms"] == 4
    assert (pool(table, "1"), pool(table, "3"), moment(table)) == (3, 4, ("1", "act"))


def test_dominance_example():
    """Blue (1) and yellow (2) tie; yellow is further right, so first. Blue moves to Feeding, red (3) to Hatching."""
    birds = {"1": "dominance 2 hatching 1", "2": "dominance 2 hatching 1", "3": "dominance 1"}
    table = played(state(birds, initiative=["1", "3", "2"]), {"activate": "dominance"})
    assert table.state()["initiative"] == ["2", "1", "3"]
    assert (pool(table, "2"), on(table, "2")) == (2, {"hatching": 1})
    assert moment(table) == ("1", "dominance")
    assert [action["relocate"] for action in table.legal()] == [*RESOURCE_CARDS, "competition"]
    table.apply({"relocate": "feeding"})
    assert moment(table) == ("3", "dominance")
    table.apply({"relocate": "hatching"})
    assert (moment(table), table.legal()) == (("3", "send_home"), [{"return": "1"}, {"return": "2"}])
    table.apply({"return": "2"})
    assert (pool(table, "2"), on(table, "2"), on(table, "3")) == (3, {}, {"hatching": 1})
    assert (moment(table), table.state()["turn"]) == (("2", "act"), 2)


def test_dominance_of_four_players():
    """F13: the second may take space 2, others may not; those between shift."""
    birds = {"1": "dominance 1", "2": "dominance 1", "3": "dominance 2", "4": "dominance 3"}
    table = played(state(birds), {"activate": "dominance"})
    assert table.state()["initiative"] == ["4", "1", "2", "3"]
    assert table.legal()[0] == {"initiative": 2}
    table.apply({"initiative": 2})
    assert (table.state()["initiative"], pool(table, "3")) == (["4", "3", "1", "2"], 2)
    assert (moment(table), table.legal()[0]) == (("2", "dominance"), {"relocate": "feeding"})


def test_competition_example():
    """Round 2 takes five birds of all players and one of one's own."""
    birds = {"1": "pool 2 competition 3", "2": "pool 2 competition 1", "3": "pool 3"}
    assert "competition" not in activatable(played(state(birds, round=2)))
    assert activatable(played(state(birds, round=1))) == ["competition"]
    birds["3"] = "pool 3 competition 1"
    assert activatable(played(state(birds, round=2))) == ["competition"]
    birds |= {"1": "pool 5", "2": "competition 4"}
    assert activatable(played(state(birds, round=2))) == []


def test_steps_of_competition():
    """F8 to F11: upkeep of those on the card by most birds and left space, then of the rest; relocation; scoring."""
    birds = {"1": "pool 1 competition 2 nesting 1", "2": "pool 4", "3": "competition 2 laying 1"}
    held = {"1": "nests 1 worms 2", "2": "nests 1 worms 1"}
    table = played(state(birds, held, initiative=["2", "3", "1"]), YES)
    assert table.state()["activation"]["upkeep_order"] == ["3", "1", "2"]
    assert (moment(table), table.legal()) == (("3", "upkeep"), [{"pay_for": 0}])
    table.apply({"pay_for": 0})
    assert table.legal() == [{"from": "laying", "birds": 0}, {"from": "laying", "birds": 1}]
    table.apply({"from": "laying", "birds": 0})
    assert table.legal() == [{"from": "competition", "birds": 1}]
    table.apply({"from": "competition", "birds": 1})
    assert (moment(table), table.legal()) == (("1", "upkeep"), [{"pay_for": 0}, {"pay_for": 1}])
    table.apply({"pay_for": 1})
    assert table.state()["activation"]["to_return"] == 1
    table.apply({"from": "pool", "birds": 1})
    table.apply({"pay_for": 1})
    assert (moment(table), table.legal()) == (("2", "give_up"), [{"from": "pool", "birds": 1}])
    table.apply({"from": "pool", "birds": 1})
    assert moment(table) == ("3", "relocate")
    table.apply({"to": "feeding", "birds": 1})
    assert table.legal() == [{"to": "feeding", "birds": number} for number in range(3)]
    table.apply({"to": "feeding", "birds": 1})
    table.apply({"to": "nesting", "birds": 0})
    table.apply({"to": "laying", "birds": 1})
    # Feeding: 3 before 1 by space; Nesting: 1; Laying: 3 before 1; pools: none, 3, none.
    assert table.state()["vp"] == {"1": 3 + 5 + 3, "2": 3, "3": 4 + 4}
    assert (table.state()["round"], moment(table)) == (2, ("2", "act"))


def test_relocation_of_the_rest_to_the_pool():
    birds = {"1": "competition 3", "2": "competition 1"}
    held = {"1": "nests 1 worms 1"}
    table = played(
        state(birds, held), YES, {"pay_for": 1}, {"to": "feeding", "birds": 1}, {"to": "nesting", "birds": 1}
    )
    assert (pool(table, "1"), moment(table)) == (1, ("2", "relocate"))
    for card in SCORED:
        assert table.legal() == [{"to": card, "birds": 0}, {"to": card, "birds": 1}]
        table.apply({"to": card, "birds": 0})
    assert (pool(table, "2"), table.state()["vp"]) == (1, {"1": 4 + 5 + 1, "2": 1})


def test_scoring_tie_example():
    """Red (3) and yellow (2) tie on Hatching; red is on space 2, yellow on 3."""
    birds = {"1": "hatching 1 competition 4", "2": "hatching 2", "3": "hatching 2"}
    position = as_position(state(birds, initiative=["1", "3", "2"]))
    flock.score(position, standard_rules())
    assert position.vp == {"1": 0, "2": 3, "3": 4}


def test_alone_on_a_card():
    """Only the first number; two flocks of one player may take both (F25)."""
    position = as_position(state({"1": "dominance 2", "2": "pool 2"}))
    flock.score(position, standard_rules())
    assert position.vp == {"1": 5, "2": 2}
    position = as_position(flocks_of_two("nesting 1", "nesting 2", "pool 1", "pool 0"))
    flock.score(position, standard_rules(**TWO_FLOCKS))
    assert position.vp == {"1": 7, "2": 1}


def test_final_ties():
    """F21: resources of all kinds and flocks, then the space."""
    over = {"end_reason": "win", "decision": None, "vp": {"1": 9, "2": 9, "3": 9}}
    birds = {"1": "pool 2", "2": "pool 2", "3": "pool 2"}
    told = state(birds, {"1": "eggs 1", "2": "worms 2", "3": "nests 1 eggs 1"}, ["1", "3", "2"], **over)
    ranked = flock.ranking(as_position(told))
    assert [(place["seat"], place["win_share"]) for place in ranked] == [(3, 1.0), (2, 0.0), (1, 0.0)]
    deadlocked = flock.ranking(as_position({**told, "end_reason": "deadlock"}))
    assert [(place["rank"], place["win_share"]) for place in deadlocked] == [(1, 0.0), (2, 0.0), (3, 0.0)]


# ---------------------------------------------------------------------------------------------- rulings


def test_hatching_with_a_short_stock():
    """F6: any affordable choice, paid in full; only (0, 0) at stock 0."""
    birds, held = {"1": "pool 4 hatching 3", "2": "pool 3"}, {"1": "eggs 6 worms 6"}
    table = played(state(birds, held), {"activate": "hatching"}, {"singles": 1, "doubles": 1})
    blue = table.state()["flocks"]["1"]
    assert (blue["stock"], blue["pool"], blue["eggs"], blue["worms"]) == (0, 8, 2, 2)
    birds["1"] = "pool 5 hatching 3"
    assert played(state(birds, held), {"activate": "hatching"}).legal() == [{"singles": 0, "doubles": 0}]


def test_cap():
    """F5: acting at the cap is legal."""
    table = played(state({"1": "nesting 2", "2": "pool 3"}, {"1": "nests 5"}), {"activate": "nesting"})
    table.apply({"singles": 0, "doubles": 1})
    assert table.state()["flocks"]["1"]["nests"] == 6


@pytest.mark.parametrize(
    ("left", "card", "open_to_right"),
    [
        ("nesting 3", "nesting", False),
        ("pool 1 nesting 2", "nesting", True),
        ("nesting 2 feeding 1", "nesting", True),
        ("nesting 2 competition 1", "nesting", False),
        ("nesting 2 competition 3", "nesting", True),
        ("competition 3", "competition", False),
        ("competition 2", "competition", True),
        ("nesting 3", "feeding", True),
        ("pool 0", "nesting", True),
    ],
)
def test_protected_left_flock(left, card, open_to_right):
    """F29: the right flock may not place where the left one's only legal actions are (seat 2 is on Competition too)."""
    told = flocks_of_two("pool 1 nesting 1", left, two_left="competition 1")
    table = played(told, **TWO_FLOCKS)
    assert (card in placeable(table)) == open_to_right
    assert "nesting" in activatable(table)
    assert placeable(played(told, protect_left_flock=False, **TWO_FLOCKS)) == list(CARDS)


def test_a_pass_for_want_of_the_closed_card_does_not_count():
    told = flocks_of_two("pool 1", "nesting 3", "pool 0", "pool 0")
    table = played(told, {"place": "nesting"}, protect_left_flock=False, **TWO_FLOCKS)
    assert table.legal() == [PASS]
    for passes in (0, 1, 2):
        table.apply(PASS)
        assert table.state()["passes"] == passes
    assert activatable(table) == ["nesting"]


def test_a_fourth_bird_of_the_right_flock():
    """F29: before it the left flock could do nothing either; after it only the closed card stands in the way."""
    told = flocks_of_two("pool 2", "competition 3", "pool 0", "pool 0")
    table = played(told, {"place": "competition"}, PASS, **TWO_FLOCKS)
    assert (table.state()["passes"], moment(table)) == (0, ("2-right", "act"))
    table = played(told, {"place": "feeding"}, PASS, **TWO_FLOCKS)
    assert table.state()["passes"] == 1


def test_right_flock_ends_a_round():
    """F30: the left flock still acts, not on Competition; not after the last round."""
    told = flocks_of_two("competition 2", "pool 2", "competition 2", "pool 2")
    table = played(told, YES, {"to": "feeding", "birds": 2}, {"to": "feeding", "birds": 2}, **TWO_FLOCKS)
    assert (moment(table), table.state()["round"], table.state()["turn"]) == (("1-left", "act"), 2, 1)
    assert placeable(table) == list(SCORED)
    table = played(told, YES, {"to": "feeding", "birds": 2}, {"to": "feeding", "birds": 2}, rounds=1, **TWO_FLOCKS)
    assert table.end()["end_reason"] == "win"


def test_cards_that_were_just_used():
    """F31: placing and activating close a card; relocating and performing on another's activation do not."""
    told = flocks_of_two("pool 1 dominance 1", "pool 3", "dominance 2", "feeding 1")
    table = played(told, {"activate": "dominance"}, {"relocate": "feeding"}, {"return": "2-left"}, **TWO_FLOCKS)
    assert (moment(table), placeable(table)) == (("1-left", "act"), [card for card in CARDS if card != "dominance"])
    table.apply({"place": "feeding"})
    assert (moment(table), placeable(table)) == (("2-right", "act"), list(CARDS))


def test_opponents_of_two_flocks():
    """F27: nobody sends home a bird of the same player."""
    told = flocks_of_two("pool 1 dominance 1", "feeding 1", "dominance 2", "feeding 2")
    table = played(told, {"activate": "dominance"}, {"relocate": "feeding"}, **TWO_FLOCKS)
    assert (moment(table), table.legal()) == (("1-right", "send_home"), [{"return": "2-left"}])


def test_deadlock():
    """F19: everybody in a row; F20: judged before the cap."""
    told = state({"1": "pool 1 competition 1", "2": "competition 1"}, turn=2)
    table = played(told, {"place": "competition"}, PASS, turn_cap=2)
    assert (table.state()["passes"], table.state()["turn"]) == (1, 4)
    table.apply(PASS)
    assert table.end()["end_reason"] == "deadlock"
    told["turn"] = 1
    assert played(told, {"place": "competition"}, PASS, turn_cap=1).end()["end_reason"] == "turn_cap"


def test_forced_competition():
    """F19: Steps 1 to 3 without an activator, then whoever was due; no bird anywhere is a deadlock."""
    told = state({"1": "competition 1", "2": "competition 2"})
    forced = {"deadlock": "force_competition"}
    table = played(told, PASS, PASS, **forced)
    assert (table.state()["activation"]["by"], moment(table)) == (None, ("2", "relocate"))
    table.apply({"to": "feeding", "birds": 2})
    table.apply({"to": "feeding", "birds": 1})
    assert (table.state()["vp"], moment(table)) == ({"1": 3, "2": 4}, ("1", "act"))
    assert (table.state()["round"], table.state()["turn"], table.state()["passes"]) == (2, 3, 0)
    assert played(state({"1": "pool 0", "2": "pool 0"}), PASS, PASS, **forced).end()["end_reason"] == "deadlock"


# ------------------------------------------------------------------------- the referee: doctored traces


def eventful(lines):
    """A game in which everything happens that the corruptions below need."""
    kinds = {line["decision"] for line in lines[2:-1]}
    return (
        kinds == set(flock.CHOICES)
        and any(PASS in line["legal"] for line in lines[2:-1])
        and len({place["score"] for place in lines[-1]["ranking"]}) == 4
    )


@pytest.fixture(scope="module")
def genuine():
    return next(lines for seed in range(1000) if eventful(lines := list(oracle_trace(4, seed))))


def told(lines, kind, choices=2):
    """The first decision of a kind after the opening, with so many choices."""
    return next(line for line in lines[10:-1] if line["decision"] == kind and len(line["legal"]) >= choices)


def change(line, **values):
    line.update(values)


def swap(items, a=0, b=1):
    items[a], items[b] = items[b], items[a]


def other_choice(line):
    line["chosen"] = next(action for action in line["legal"] if action != line["chosen"])


def one_more(line, key, name="2"):
    line["state"]["flocks"][name][key] += 1


def reverse_flocks(lines):
    lines[6]["state"]["flocks"] = dict(reversed(lines[6]["state"]["flocks"].items()))


CORRUPTIONS = {
    "header: another game": lambda lines: change(lines[0], game="flockers"),
    "header: one player more": lambda lines: change(lines[0], players=5),
    "header: seven players": lambda lines: change(lines[0], players=7),
    "header: a rule missing": lambda lines: lines[0]["rules"].pop("free_birds"),
    "header: a rule too many": lambda lines: change(lines[0]["rules"], wind=1),
    "header: a card missing": lambda lines: lines[0]["rules"]["vp_first"].pop("laying"),
    "header: a cap beyond the tokens": lambda lines: change(lines[0]["rules"], token_supply=23),
    "header: two flocks for four": lambda lines: change(lines[0]["rules"], flocks_per_player=2),
    "header: an unknown deadlock rule": lambda lines: change(lines[0]["rules"], deadlock="never"),
    "header: no provenance": lambda lines: change(lines[0], provenance=""),
    "set-up: something random": lambda lines: lines[1]["chance"].append({"die": 3}),
    "set-up: another start player": lambda lines: change(lines[1]["state"], to_move=2, flock="2", acting="2"),
    "set-up: a worm too many": lambda lines: one_more(lines[1], "worms"),
    "set-up: a bird too many": lambda lines: one_more(lines[1], "pool"),
    "set-up: initiative the other way": lambda lines: lines[1]["state"]["initiative"].reverse(),
    "legal: first missing": lambda lines: told(lines, "act")["legal"].pop(0),
    "legal: last missing": lambda lines: told(lines, "act")["legal"].pop(),
    "legal: one twice": lambda lines: lines[6]["legal"].append(lines[6]["legal"][0]),
    "legal: in another order": lambda lines: swap(lines[6]["legal"]),
    "legal: performed in another order": lambda lines: told(lines, "perform")["legal"].reverse(),
    "legal: an unneeded pass": lambda lines: lines[6]["legal"].append(PASS),
    "legal: no pass": lambda lines: change(next(line for line in lines[2:-1] if PASS in line["legal"]), legal=[]),
    "legal: the chosen one missing": lambda lines: lines[6]["legal"].remove(lines[6]["chosen"]),
    **{
        f"legal: one missing in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].pop(0)
        for kind in flock.CHOICES
    },
    **{
        f"chosen: another one in {kind}": lambda lines, kind=kind: other_choice(told(lines, kind))
        for kind in flock.CHOICES
    },
    "decision: number": lambda lines: change(lines[7], n=5),
    "decision: turn": lambda lines: change(lines[7], turn=lines[7]["turn"] + 1),
    "decision: round": lambda lines: change(lines[7], round=2),
    "decision: seat": lambda lines: change(lines[7], seat=lines[7]["seat"] % 4 + 1),
    "decision: kind": lambda lines: change(lines[2], decision="perform"),
    "decision: one left out": lambda lines: lines.pop(7),
    "decision: one told twice": lambda lines: lines.insert(8, copy.deepcopy(lines[7])),
    "decision: something random": lambda lines: lines[7]["chance"].append({"card": "Q"}),
    "decision: not a decision": lambda lines: change(lines[7], type="remark"),
    **{
        f"state: one more of {key}": lambda lines, key=key: one_more(lines[9], key)
        for key in ("pool", "stock", "nests", "eggs", "worms")
    },
    "state: a bird more on a card": lambda lines: change(lines[9]["state"]["flocks"]["3"]["on"], hatching=7),
    "state: a zero on a card": lambda lines: change(lines[1]["state"]["flocks"]["3"]["on"], hatching=0),
    "state: a flock missing": lambda lines: lines[9]["state"]["flocks"].pop("3"),
    "state: flocks in another order": reverse_flocks,
    "state: initiative": lambda lines: swap(lines[9]["state"]["initiative"]),
    "state: vp": lambda lines: change(lines[9]["state"]["vp"], **{"2": 5}),
    "state: to_move": lambda lines: change(lines[9]["state"], to_move=9),
    "state: flock": lambda lines: change(lines[9]["state"], flock="9"),
    "state: acting": lambda lines: change(lines[9]["state"], acting="9"),
    "state: decision": lambda lines: change(lines[9]["state"], decision="none"),
    "state: turn": lambda lines: change(lines[9]["state"], turn=99),
    "state: round": lambda lines: change(lines[9]["state"], round=3),
    "state: barred": lambda lines: change(lines[9]["state"], barred="laying"),
    "state: passes": lambda lines: change(lines[9]["state"], passes=3),
    "state: no activation": lambda lines: change(told(lines, "upkeep", 1)["state"], activation=None),
    "state: order": lambda lines: told(lines, "relocate")["state"]["activation"]["order"].append("9"),
    "state: step": lambda lines: change(told(lines, "upkeep")["state"]["activation"], step="scoring"),
    "state: at another place": lambda lines: change(told(lines, "give_up", 1)["state"], activation={"at": "nesting"}),
    "state: over too early": lambda lines: change(lines[9]["state"], end_reason="win"),
    "state: a key missing": lambda lines: lines[9]["state"].pop("barred"),
    "end: another reason": lambda lines: change(lines[-1], end_reason="turn_cap"),
    "end: still to move": lambda lines: change(lines[-2]["state"], to_move=1),
    "end: turns": lambda lines: change(lines[-1], turns=lines[-1]["turns"] + 1),
    "end: rounds": lambda lines: change(lines[-1], rounds=lines[-1]["rounds"] - 1),
    "end: decisions": lambda lines: change(lines[-1], decisions=lines[-1]["decisions"] + 1),
    "end: ranking in another order": lambda lines: swap(lines[-1]["ranking"], 0, -1),
    "end: a rank": lambda lines: change(lines[-1]["ranking"][-1], rank=9),
    "end: a score": lambda lines: change(lines[-1]["ranking"][1], score=0),
    "end: a win share": lambda lines: change(lines[-1]["ranking"][-1], win_share=0.5),
    "end: digest": lambda lines: change(lines[-1], digest="none"),
    "end: missing": lambda lines: lines.pop(),
    "end: the game goes on": lambda lines: [lines.pop(-2) for _ in range(3)],
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_referee_notices(genuine, kind):
    """A genuine trace has no complaints; every kind of corruption has one."""
    assert referee(genuine) == []
    lines = copy.deepcopy(genuine)
    CORRUPTIONS[kind](lines)
    assert list(map(repr, lines)) != list(map(repr, genuine))
    assert referee(lines)


# ------------------------------------------------------------------- the referee: games by another rule

OTHER_RULES = {
    "vp_first": {"laying": 5},
    "vp_second": {"nesting": 1},
    "vp_pool": 0,
    "competition_thresholds": {"3": [4, 6]},
    "rounds": 2,
    "starting_birds": 4,
    "bird_supply": 7,
    "starting_worms": 2,
    "resource_cap": 5,
    "gain_single": {"feeding": 2},
    "gain_double": {"nesting": 2},
    "cost_single": {"laying_nests": 2},
    "cost_double": {"hatching_eggs": 2},
    "upkeep_costs": {"nests": [1, 2], "worms": [1]},
    "free_birds": 3,
    "relocate_limit": 3,
    "dominance_side": "4-5",
    "turn_cap": 8,
}
ONE_BIRD = {"starting_birds": 1}


def taken_for(told, lines):
    """A trace with other rules in its header."""
    return [{**lines[0], "rules": standard_rules(**told)}, *lines[1:]]


@pytest.mark.parametrize(
    ("players", "told", "played"),
    [
        *[(3, {}, {name: value}) for name, value in OTHER_RULES.items()],
        (2, {}, TWO_FLOCKS),
        (2, {}, {"deadlock": "force_competition"}),
        (2, {**TWO_FLOCKS, **ONE_BIRD}, {**TWO_FLOCKS, **ONE_BIRD, "protect_left_flock": False}),
    ],
)
def test_referee_notices_games_under_other_rules(players, told, played):
    """Games played by one rule do not pass for games by another."""
    for seed in range(60):
        lines = list(oracle_trace(players, seed, **played))
        assert referee(lines) == []
        if referee(taken_for(told, lines)):
            return
    pytest.fail("no game told the two rules apart")


# ---------------------------------------------------------------- the referee: games with a ruling wrong


def instead(function):
    """A wrong version that does without the right one."""
    return lambda right: function


def after(change):
    """The right version, and then something more to the position."""

    def wrong(right):
        def both(position, rules, *more):
            right(position, rules, *more)
            change(position, rules)

        return both

    return wrong


def reordered(function):
    """The right list, changed; what the right version was given is passed on."""
    return lambda right: lambda position, rules, *more: function(right(position, rules, *more), position)


def set_up_with(change):
    def wrong(right):
        def both(rules, players):
            position = right(rules, players)
            change(position)
            return position

        return both

    return wrong


def by_birds(position, card, ranks):
    return sorted(position.flocks_on(card), key=lambda name: (-position.birds(name, card), ranks.index(name)))


def swap_with_space(position, name, space):
    """A marker changes places with the one that is there."""
    swap(position.initiative, position.initiative.index(name), space - 1)


def send_home_unasked(right):
    """A single opposing bird goes home without a question."""

    def wrong(position, rules, action):
        name, card = position.flock, action.get("relocate")
        right(position, rules, action)
        if position.decision == "send_home" and len(flock.legal(position, rules)) == 1 and position.flock == name:
            flock.send_home(position, rules, {"return": flock.opponents_on(position, name, card)[0]})

    return wrong


def everybody_home(position, rules):
    for name in position.flocks:
        for card in SCORED:
            position.move_all(name, card, "pool")


def vp_for_both(right):
    """Whoever is alone on a card takes both numbers."""
    return lambda position, card: (ranked := right(position, card)) * (2 if len(ranked) == 1 else 1)


def one_flock_each(right):
    """Only a player's better flock on a card scores."""
    return lambda at, card: list({flock.owner(name): name for name in right(at, card)[::-1]}.values())[::-1]


def final_order_without_resources(position, seat):
    own = [name for name in position.flocks if flock.owner(name) == seat]
    return (-position.vp[str(seat)], min(map(position.initiative.index, own)))


def final_order_from_the_right(right):
    return lambda position, seat: (*right(position, seat)[:2], -right(position, seat)[2])


def final_order_by_eggs(right):
    return lambda position, seat: (right(position, seat)[0], -position.flocks[str(seat)]["eggs"], seat)


def everybody_a_winner(right):
    return lambda position: [{**place, "win_share": float(place["rank"] == 1)} for place in right(position)]


def upkeep_order_by_seat(right):
    def wrong(position, rules):
        order = position.activation["order"]
        waiting = order + [name for name in position.flocks if name not in order]
        position.activation.update(step="upkeep", upkeep_order=waiting)
        flock.next_in_upkeep(position, rules, waiting)

    return wrong


def keep_passes(right):
    def wrong(position, rules, action):
        passes = position.passes
        right(position, rules, action)
        position.passes = max(position.passes, passes)

    return wrong


def cap_before_deadlock(right):
    def wrong(position, rules):
        if position.turn < rules["turn_cap"] * position.players:
            right(position, rules)
        else:
            position.passes += 1
            flock.end_action(position, rules)

    return wrong


def robbed_though_it_had_none(right):
    """F29 without its "it had one before"."""

    def wrong(position, rules, action):
        if not flock.is_right(position.flock) or "place" not in action:
            return False
        twin, left = position.copy(), flock.left_of(position.flock)
        flock.put_from_pool(twin, position.flock, action["place"])
        return not flock.open_actions(twin, rules, left, barred=action["place"])

    return wrong


def bars_relocations(right):
    def wrong(position, rules, action):
        mine = flock.is_right(position.acting) and position.acting == position.flock
        right(position, rules, action)
        if mine and "relocate" in action:
            position.barred = action["relocate"]

    return wrong


def never_bars(right):
    def wrong(position, rules, action):
        right(position, rules, action)
        position.barred = None

    return wrong


SMALL = {"starting_birds": 1, "bird_supply": 3, "competition_thresholds": {"2": [3], "3": [3]}}
NO_VP = {"rounds": 1, "vp_first": dict.fromkeys(SCORED, 0), "vp_second": dict.fromkeys(SCORED, 0), "vp_pool": 0}
FORCED = {"deadlock": "force_competition"}
CROWDED = {**TWO_FLOCKS, "starting_birds": 2, "competition_thresholds": {"2": [8, 9, 10]}}
MUTANTS = {
    "F1: the worm to seat 2": ("set_up", set_up_with(lambda position: one_more({"state": vars(position)}, "worms")), 3),
    "F2: a threshold missed by one": ("threshold", lambda right: lambda *given: right(*given) - 1, 3),
    "F2: only one's own birds count": (
        "can_activate",
        instead(lambda position, rules, name, card: position.birds(name, card) >= (4 if card == "competition" else 1)),
        3,
    ),
    "F2: activating without a bird": (
        "can_activate",
        instead(lambda position, rules, name, card: position.birds_on(card) >= (4 if card == "competition" else 1)),
        3,
    ),
    "F3: by seat instead of from the activator": ("turn_order", instead(lambda at, card: at.flocks_on(card)), 3),
    "F3: the start player first with both flocks": (
        "set_up",
        set_up_with(lambda at: change(vars(at), flock="1-right", acting="1-right")),
        2,
        TWO_FLOCKS,
    ),
    "F4: singles and doubles not mixed": (
        "perform_choices",
        reordered(lambda actions, at: [action for action in actions if 0 in action.values()]),
        3,
    ),
    "F4: doubles first": ("perform_choices", reordered(lambda actions, at: sorted(actions, key=repr)[::-1]), 3),
    "F4: declining not offered": ("perform_choices", reordered(lambda actions, at: actions[1:] or actions), 3),
    "F4: unaffordable actions": (
        "can_perform",
        instead(lambda at, rules, card, singles, doubles: at.flocks[at.flock]["nests"] > 0 or not singles + doubles),
        3,
    ),
    "F5: no cap": (
        "gain",
        lambda right: lambda held, rules, card, gained: right(held, {"resource_cap": 99}, card, gained),
        3,
    ),
    "F5: nothing at the cap": (
        "perform_choices",
        reordered(lambda actions, at: actions[:1] if at.flocks[at.flock]["worms"] == 6 else actions),
        3,
    ),
    "F6: no choice that exceeds the stock": (
        "perform_choices",
        reordered(
            lambda actions, at: [
                action
                for action in actions
                if at.activation["card"] != "hatching"
                or action["singles"] + 3 * action["doubles"] <= at.flocks[at.flock]["stock"]
            ]
        ),
        3,
        {"bird_supply": 4, "cost_single": {"hatching_eggs": 0, "hatching_worms": 0}},
    ),
    "F6: hatching at stock 0": (
        "can_perform",
        instead(
            lambda at, rules, *choice: all(
                at.flocks[at.flock][what] >= cost for what, cost in flock.price(rules, *choice).items()
            )
        ),
        3,
        {"bird_supply": 4, "cost_single": {"hatching_eggs": 0}},
    ),
    "F8: ties of Dominance from the left": (
        "pecking_order",
        instead(lambda at, card: by_birds(at, card, at.initiative)),
        3,
    ),
    "F8: ties of Competition from the right": (
        "pecking_order",
        instead(lambda at, card: by_birds(at, card, at.initiative[::-1])),
        3,
    ),
    "F8: pecking order by space alone": (
        "pecking_order",
        instead(lambda at, card: [name for name in at.initiative if at.birds(name, card)]),
        3,
    ),
    "F9: the others by seat": ("begin_competition", upkeep_order_by_seat, 5, {"starting_birds": 5}),
    "F9: no upkeep of the others": (
        "begin_competition",
        instead(
            lambda at, rules: (
                at.activation.update(step="upkeep", upkeep_order=at.activation["order"]),
                flock.next_in_upkeep(at, rules, at.activation["order"]),
            )
        ),
        3,
    ),
    "F10: one must pay": ("upkeep_choices", reordered(lambda actions, at: actions[-1:]), 3),
    "F10: one more is kept": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: max(0, right(at, rules, name) - 1),
        3,
    ),
    "F10: birds in the pool are free": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: max(0, right(at, rules, name) - at.birds(name, "pool")),
        3,
    ),
    "F10: cards before the pool": ("PLACES", instead((*CARDS, "pool")), 3),
    "F10: too few given up": (
        "give_up_choices",
        reordered(lambda actions, at: [{**actions[0], "birds": 0}, *actions]),
        3,
    ),
    "F11: not all at once": ("relocate_choices", reordered(lambda actions, at: actions[:-1] or actions), 3),
    "F11: the pool counts": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 1}, action),
        3,
    ),
    "F11: as many cards as one likes": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 5}, action),
        3,
    ),
    "F11: the order of players anew": (
        "next_to_relocate",
        lambda right: (
            lambda at, rules, waiting: right(
                at, rules, [name for name in by_birds(at, "competition", at.initiative) if name in waiting]
            )
        ),
        3,
    ),
    "F11: birds stay on Competition": (
        "score",
        after(lambda at, rules: [at.move_all(name, "pool", "competition") for name in at.flocks]),
        3,
    ),
    "F12: the winner behind on space 1": (
        "take_space",
        lambda right: lambda at, name, space: right(at, name, 2 if at.initiative[0] == name else space),
        3,
    ),
    "F13: markers swapped": ("take_space", instead(swap_with_space), 4),
    "F13: not for whoever is on 2 already": (
        "may_take_second_space",
        lambda right: lambda at, rules: right(at, rules) and at.initiative[1] != at.flock,
        4,
    ),
    "F13: for the third too": (
        "may_take_second_space",
        instead(lambda at, rules: flock.dominance_side(rules, at.players) == "4-5"),
        4,
    ),
    "F14: not to Competition": ("dominance_choices", reordered(lambda actions, at: actions[:-1]), 3),
    "F15: sent home unasked": ("dominance", send_home_unasked, 3),
    "F15: nobody sent home": ("opponents_on", instead(lambda at, name, card: []), 3),
    "F16: scoring ties from the right": (
        "scoring_order",
        instead(lambda at, card: by_birds(at, card, at.initiative[::-1])),
        3,
    ),
    "F16: both numbers for one alone": ("scoring_order", vp_for_both, 3),
    "F16: a place without a bird": (
        "scoring_order",
        instead(lambda at, card: sorted(at.initiative, key=lambda name: -at.birds(name, card))),
        3,
    ),
    "F17: birds return after scoring": ("score", after(everybody_home), 3),
    "F17: one round fewer": ("end_activation", lambda right: lambda at, rules: right(at, {**rules, "rounds": 2}), 3),
    "F17: the activator moves again": (
        "score",
        after(lambda at, rules: change(vars(at), acting=at.cycle_from(at.acting)[-1])),
        3,
    ),
    "F18: passing at will": (
        "act_choices",
        reordered(lambda actions, at: [*actions, PASS] if actions != [PASS] else actions),
        3,
    ),
    "F19: passes with an act between them": ("act", keep_passes, 3, SMALL),
    "F19: a deadlock won": ("ranking", everybody_a_winner, 2),
    "F19: a deadlock with one player still to pass": (
        "note_pass",
        after(lambda at, rules: at.passes == 1 and flock.end_game(at, "deadlock")),
        2,
    ),
    "F20: the cap of all turns": (
        "end_action",
        lambda right: lambda at, rules: right(at, {**rules, "turn_cap": rules["turn_cap"] / at.players}),
        3,
        {"turn_cap": 9},
    ),
    "F20: the cap a turn late": (
        "end_action",
        lambda right: lambda at, rules: right(at, {**rules, "turn_cap": rules["turn_cap"] + 1}),
        3,
        {"turn_cap": 9},
    ),
    "F19: a forced round without end": (
        "end_activation",
        lambda right: lambda at, rules: right(at, {**rules, "rounds": rules["rounds"] + (at.activation["by"] is None)}),
        2,
        FORCED,
    ),
    "F19: whoever was due is left out": (
        "score",
        after(lambda at, rules: change(vars(at), acting=at.cycle_from(at.acting)[1])),
        2,
        FORCED,
    ),
    "F20: the cap before a deadlock": ("note_pass", cap_before_deadlock, 2, {**SMALL, "turn_cap": 8}),
    "F21: no count of resources": ("final_order", instead(final_order_without_resources), 2, NO_VP),
    "F21: the right of the track": ("final_order", final_order_from_the_right, 5, NO_VP),
    "F21: eggs only": ("final_order", final_order_by_eggs, 3, NO_VP),
    "F22: two cards in Free Flight": (
        "relocate",
        lambda right: lambda at, rules, action: right(at, {**rules, "relocate_limit": 2}, action),
        3,
        FREE,
    ),
    "F23: the cost of the first round for good": (
        "upkeep_cost",
        lambda right: lambda at, rules: {"nests": 2, "worms": 2},
        3,
        {**HUNGRY, "starting_birds": 8, "gain_single": {"feeding": 6, "nesting": 6}},
    ),
    "F23: two birds free": (
        "birds_to_pay_for",
        lambda right: lambda at, rules, name: right(at, {**rules, "free_birds": 2}, name),
        3,
        HUNGRY,
    ),
    "F25: a player's flocks score as one": (
        "scoring_order",
        one_flock_each,
        2,
        TWO_FLOCKS,
    ),
    "F25: activating for the other flock": (
        "can_activate",
        lambda right: (
            lambda at, rules, name, card: any(
                right(at, rules, other, card) for other in at.flocks if flock.owner(other) == flock.owner(name)
            )
        ),
        2,
        TWO_FLOCKS,
    ),
    "F25: a threshold of one's own birds": (
        "can_activate",
        lambda right: (
            lambda at, rules, name, card: (
                right(at, rules, name, card)
                and (
                    card != "competition"
                    or sum(at.birds(other, card) for other in at.flocks if flock.owner(other) == flock.owner(name))
                    >= flock.threshold(at, rules)
                )
            )
        ),
        2,
        TWO_FLOCKS,
    ),
    "F26: the other side of the card": (
        "dominance_side",
        lambda right: lambda rules, players: "4-5" if right(rules, players) == "2-3" else "2-3",
        2,
        TWO_FLOCKS,
    ),
    "F27: one's own flock sent home": (
        "opponents_on",
        instead(lambda at, name, card: [other for other in at.flocks_on(card) if other != name]),
        2,
        TWO_FLOCKS,
    ),
    "F28: the worm to the right flock": (
        "set_up",
        set_up_with(
            lambda at: [change(at.flocks[name], worms=n) for name, n in (("1-left", 0), ("1-right", 1))],
        ),
        2,
        TWO_FLOCKS,
    ),
    "F29: the left flock robbed": ("robs_left_flock", instead(lambda *given: False), 2, CROWDED),
    "F29: protected though it had nothing": ("robs_left_flock", robbed_though_it_had_none, 2, CROWDED),
    "F29: every pass counts": (
        "pass_counts",
        instead(lambda *given: True),
        2,
        {**CROWDED, "protect_left_flock": False},
    ),
    "F30: Competition for both": ("act", never_bars, 2, TWO_FLOCKS),
    "F30: the left flock's action lost": (
        "score",
        after(lambda at, rules: change(vars(at), acting=flock.left_of(at.acting))),
        2,
        TWO_FLOCKS,
    ),
    "F31: relocations close a card": ("dominance", bars_relocations, 2, TWO_FLOCKS),
    "F31: a card closed for good": (
        "end_action",
        lambda right: (
            lambda at, rules: (barred := at.barred, right(at, rules), setattr(at, "barred", at.barred or barred))
        ),
        2,
        TWO_FLOCKS,
    ),
}


def put_wrong(patch, name, wrong):
    """The oracle with another version of one of its functions, in its tables of functions too."""
    right = getattr(flock, name)
    patch.setattr(flock, name, wrong(right))
    for table in (flock.CHOICES, flock.EFFECTS):
        for kind in [kind for kind, function in table.items() if function is right]:
            patch.setitem(table, kind, wrong(right))


@pytest.mark.parametrize("ruling", MUTANTS)
def test_referee_notices_games_with_a_ruling_wrong(monkeypatch, ruling):
    """Games played by an oracle that has one rule wrong: the referee has to complain of some of them."""
    name, wrong, players, *changes = MUTANTS[ruling]
    for seed in range(60):
        with monkeypatch.context() as patch:
            put_wrong(patch, name, wrong)
            lines = list(oracle_trace(players, seed, **dict(*changes)))
        if referee(lines):
            return
    pytest.fail("no game gave it away")


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
