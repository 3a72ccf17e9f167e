"""Flock: the three optional rules, how they combine, and rules that cannot be played."""

from __future__ import annotations

from itertools import combinations

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game

from tests.rules.flock_positions import (
    TWO_EACH,
    activate,
    birds,
    decides,
    end_reason,
    goods,
    options,
    pay,
    perform,
    place,
    ranking,
    skip,
    spread,
    spread_nothing,
    stock,
    track,
    vp,
)
from tests.unit.test_game_contract import play

GAME = load_game("flock")
HUNGRY, FREE, TWO = (GAME.presets[name] for name in ("hungry-birdies", "free-flight", "advanced-2-player"))
SOON = {"competition_thresholds": {"2": 1}}
NO_UPKEEP = {**SOON, "free_birds": 15}


@pytest.fixture
def two_flocks(flock_table):
    """A function (flocks, rules, **position) -> a table of Advanced 2-player."""

    def make(flocks=None, rules=None, **where):
        return flock_table(2, flocks, {**TWO, **(rules or {})}, two_each=True, **where)

    return make


# --- Free Flight and Hungry Birdies ---


def test_free_flight_lifts_the_limit_of_two_cards_f22(flock_table):
    table = flock_table(2, {1: "competition 5", 2: ""}, {**NO_UPKEEP, **FREE})
    activate(table, "competition")
    spread(table, feeding=1, nesting=1, laying=1, hatching=1, dominance=1)
    assert birds(table) == {"feeding": 1, "nesting": 1, "laying": 1, "hatching": 1, "dominance": 1}


def test_free_flight_leaves_dominance_alone_f22(flock_table):
    table = flock_table(2, {1: "dominance 2", 2: "dominance 3"}, FREE)
    activate(table, "dominance")
    table.apply({"relocate": "feeding"})
    assert birds(table) == {"feeding": 2}


@pytest.mark.parametrize(("number", "nests", "worms"), [(1, 2, 2), (2, 1, 2), (3, 1, 1)])
def test_hungry_birdies_pay_for_every_bird_by_round_f23(flock_table, number, nests, worms):
    table = flock_table(2, {1: "competition 1, pool 1, nests 6, worms 6", 2: ""}, {**SOON, **HUNGRY}, round=number)
    activate(table, "competition")
    assert options(table, "pay_for") == [0, 1, 2]
    pay(table, 1)
    assert goods(table) == {"nests": 6 - nests, "worms": 6 - worms}
    table.apply({"from": "pool", "birds": 1})
    assert stock(table) == 7


def test_hungry_birdies_can_lose_every_bird_f23(flock_table):
    table = flock_table(2, {1: "competition 1", 2: "pool 1"}, {**SOON, **HUNGRY})
    activate(table, "competition")
    for _ in range(2):
        pay(table)
        table.apply(table.legal()[0])
    assert (birds(table, 1), birds(table, 2)) == ({}, {})
    assert (table.round, vp(table)) == (2, (0, 0))
    skip(table)
    skip(table)
    assert end_reason(table) == "deadlock"


# --- Advanced 2-player ---


def test_each_player_has_two_flocks_of_their_own_f25_f28(empty_flock_table):
    table = empty_flock_table(2, **TWO)
    table.deal(1)
    assert list(table.state()["flocks"]) == list(TWO_EACH)
    assert track(table) == "1-left 2-right 2-left 1-right"
    assert vp(table) == (0, 0)
    for name in TWO_EACH:
        assert (birds(table, name), stock(table, name)) == ({"pool": 3}, 5)
        assert goods(table, name) == ({"worms": 1} if name == "1-left" else {})


def test_the_first_turn_is_the_left_flocks_alone_then_right_before_left(empty_flock_table):
    table = empty_flock_table(2, **TWO)
    table.deal(1)
    turns = []
    for card in ("feeding", "feeding", "nesting", "feeding", "nesting", "feeding"):
        turns.append((table.turn, table.state()["flock"], table.to_move))
        place(table, card)
    assert turns == [
        (1, "1-left", 1),
        (2, "2-right", 2),
        (2, "2-left", 2),
        (3, "1-right", 1),
        (3, "1-left", 1),
        (4, "2-right", 2),
    ]


def test_the_left_flock_cannot_use_the_card_that_the_right_one_placed_on_f31(two_flocks):
    table = two_flocks({"1-left": "pool 1, nesting 1"})
    place(table, "nesting")
    assert table.state()["barred"] == "nesting"
    assert "nesting" not in options(table, "place") + options(table, "activate")
    assert len(options(table, "place")) == 5
    place(table, "feeding")
    assert table.state()["barred"] is None
    assert "nesting" in options(table, "place")


def test_the_left_flock_cannot_use_the_card_that_the_right_one_activated_f31(two_flocks):
    table = two_flocks({"1-right": "dominance 2", "1-left": "dominance 1, pool 1", "2-left": "feeding 1"})
    activate(table, "dominance")
    assert decides(table) == ("1-left", "dominance")
    table.apply({"relocate": "feeding"})
    table.apply({"return": "2-left"})
    assert decides(table) == ("1-left", "act")
    assert table.state()["barred"] == "dominance"
    assert options(table, "activate") == ["feeding"]  # relocating there does not count as using it


def test_performing_on_anothers_activation_bars_nothing_f31(two_flocks):
    table = two_flocks({"2-left": "feeding 1", "1-right": "feeding 1", "1-left": "feeding 1"}, acting="2-left")
    activate(table, "feeding")
    while table.decision == "perform":
        perform(table)
    place(table, "nesting")
    assert "feeding" in options(table, "place")


def test_flocks_perform_from_the_acting_one_on_in_the_cycle_f3(two_flocks):
    table = two_flocks({name: "feeding 1" for name in TWO_EACH}, acting="1-left")
    activate(table, "feeding")
    assert table.state()["activation"]["order"] == ["1-left", "2-right", "2-left", "1-right"]


def test_flocks_keep_their_resources_and_caps_apart_f25(two_flocks):
    table = two_flocks({"1-right": "feeding 4, worms 5", "1-left": "feeding 4, worms 1"})
    activate(table, "feeding")
    perform(table, 0, 2)
    perform(table, 0, 1)
    assert goods(table, "1-right") == {"worms": 6}
    assert goods(table, "1-left") == {"worms": 4}


def test_each_flock_needs_its_own_bird_and_all_count_for_competition_f25(two_flocks):
    flocks = {"1-right": "pool 1", "1-left": "competition 1", "2-right": "competition 1", "2-left": "competition 2"}
    table = two_flocks(flocks)
    assert options(table, "activate") == []
    place(table, "feeding")
    assert options(table, "activate") == ["competition"]


def test_each_flock_has_its_own_free_birds_and_rank_f25(two_flocks):
    flocks = {"1-right": "competition 2", "1-left": "pool 3", "2-right": "competition 1, pool 1", "2-left": "pool 2"}
    table = two_flocks(flocks, SOON)
    activate(table, "competition")
    assert table.state()["activation"]["upkeep_order"] == ["1-right", "2-right", "1-left", "2-left"]
    assert decides(table) == ("1-left", "upkeep")
    assert options(table, "pay_for") == [0]


def test_a_players_two_flocks_may_take_both_numbers_of_a_card_f25(two_flocks):
    flocks = {"1-right": "competition 1, feeding 1", "1-left": "feeding 2", "2-right": "nesting 1", "2-left": "pool 2"}
    table = two_flocks(flocks, NO_UPKEEP)
    activate(table, "competition")
    spread_nothing(table)
    assert vp(table) == (4 + 3 + 1, 5 + 2)


def test_the_card_has_its_side_for_two_players_f26(two_flocks):
    flocks = {"1-right": "dominance 2", "1-left": "dominance 1"}
    table = two_flocks(flocks)
    activate(table, "dominance")
    assert {"initiative": 2} not in table.legal()
    table = two_flocks(flocks, {"dominance_side": "4-5"}, track="2-right 2-left 1-right 1-left")
    activate(table, "dominance")
    table.apply({"initiative": 2})
    assert track(table) == "1-right 1-left 2-right 2-left"


def test_an_opponent_is_a_flock_of_the_other_player_f27(two_flocks):
    flocks = {"1-right": "dominance 1, laying 1", "1-left": "laying 1", "2-right": "dominance 2", "2-left": "laying 2"}
    table = two_flocks(flocks)
    activate(table, "dominance")
    table.apply({"relocate": "laying"})
    assert options(table, "return") == ["2-left"]
    table.apply({"return": "2-left"})
    assert birds(table, "2-left") == {"pool": 1, "laying": 1}


def test_the_left_flock_still_acts_after_the_right_one_ended_a_round_but_not_on_competition_f30(two_flocks):
    flocks = {"1-right": "competition 1", "1-left": "pool 1", "2-right": "", "2-left": ""}
    table = two_flocks(flocks, NO_UPKEEP)
    activate(table, "competition")
    spread(table)
    assert (table.round, table.turn, decides(table)) == (2, 1, ("1-left", "act"))
    assert "competition" not in options(table, "place")


def test_the_left_flock_does_not_act_after_round_3_f30(two_flocks):
    flocks = {"1-right": "competition 1", "1-left": "pool 1", "2-right": "", "2-left": ""}
    table = two_flocks(flocks, NO_UPKEEP, round=3)
    activate(table, "competition")
    spread(table)
    assert end_reason(table) == "win"


def test_the_right_flock_leaves_the_left_one_its_last_resort_f29(two_flocks):
    """The left flock's birds are all on Nesting: were it barred, that flock would have to pass."""
    table = two_flocks({"1-right": "pool 1, nesting 1", "1-left": "nesting 3"})
    assert options(table, "place") == ["feeding", "laying", "hatching", "dominance", "competition"]
    assert options(table, "activate") == ["nesting"]


@pytest.mark.parametrize("left", ["pool 1, nesting 2", "nesting 1, laying 1", "competition 3", ""])
def test_the_right_flock_is_free_where_the_left_one_has_another_action_or_none_f29(two_flocks, left):
    assert len(options(two_flocks({"1-left": left}), "place")) == 6


def test_competition_can_be_the_last_resort_once_it_can_be_activated_f29(two_flocks):
    flocks = {"1-left": "competition 2", "2-right": "competition 2"}
    assert "competition" not in options(two_flocks(flocks), "place")
    flocks["2-right"] = "competition 1"
    assert "competition" in options(two_flocks(flocks), "place")


def test_only_the_right_flock_is_held_to_it_and_it_is_a_rule_f29(two_flocks):
    left = {"1-left": "nesting 3"}
    assert "nesting" in options(two_flocks(left, {"protect_left_flock": False}), "place")
    assert "nesting" in options(two_flocks({"2-right": "nesting 3"}, acting="1-left"), "place")


def test_a_pass_for_want_of_the_barred_card_alone_does_not_count_f29(two_flocks):
    table = two_flocks({"1-right": "pool 1", "1-left": "nesting 3"}, {"protect_left_flock": False})
    place(table, "nesting")
    assert table.legal() == [{"pass": True}]
    skip(table)
    assert table.state()["passes"] == 0
    table = two_flocks({"1-right": "pool 1", "1-left": "competition 1"}, {"protect_left_flock": False})
    place(table, "nesting")
    skip(table)
    assert table.state()["passes"] == 1


def test_every_flock_passes_once_before_a_deadlock_f19(two_flocks):
    table = two_flocks({name: "competition 1" if name == "2-left" else "" for name in TWO_EACH})
    for passes in range(1, 4):
        skip(table)
        assert table.state()["passes"] == passes
    skip(table)
    assert end_reason(table) == "deadlock"
    assert table.turn == 2


def test_forced_competition_by_a_right_flock_leaves_the_turn_to_its_left_one_f19(two_flocks):
    flocks = {name: "competition 1" if name == "2-left" else "" for name in TWO_EACH}
    table = two_flocks(flocks, {"deadlock": "force_competition"}, acting="1-left")
    for _ in range(4):
        skip(table)
    spread(table)
    assert (decides(table), table.turn) == (("1-left", "act"), 3)
    assert len(options(table, "place")) == 0


def test_both_flocks_resources_break_a_tie_then_the_best_place_on_the_track(two_flocks):
    flocks = {"1-right": "competition 1, nests 2", "1-left": "eggs 1", "2-right": "worms 4", "2-left": ""}
    rules = {**NO_UPKEEP, "vp_pool": 0, "rounds": 1}
    table = two_flocks(flocks, rules)
    activate(table, "competition")
    spread(table)
    assert ranking(table) == [2, 1]
    flocks["2-right"] = "worms 3"
    for places, order in (
        ("2-left 1-left 1-right 2-right", [2, 1]),
        ("2-right 1-left 1-right 2-left", [2, 1]),
        ("1-right 2-left 2-right 1-left", [1, 2]),
    ):
        table = two_flocks(flocks, rules, track=places)
        activate(table, "competition")
        spread(table)
        assert ranking(table) == order


def test_a_turn_of_both_flocks_counts_once_for_the_cap_f20(two_flocks):
    table = two_flocks({name: "pool 8" for name in TWO_EACH}, {"turn_cap": 2}, acting="1-left")
    cards = ["feeding", "nesting"] * 4
    while not table.over:
        place(table, cards[table.decisions % 2])
    assert (table.turn, table.decisions, end_reason(table)) == (4, 7, "turn_cap")


# --- combinations and sanity figures ---

COMBINED = [names for size in range(4) for names in combinations(GAME.presets, size)]


@pytest.mark.parametrize("names", COMBINED, ids="+".join)
def test_optional_rules_combine(names):
    players = 2 if "advanced-2-player" in names else 3
    rules = GAME.parameters.build(players, *(GAME.presets[name] for name in names))
    games, _ = play(GAME, players, 20, rules=rules)
    assert set(games["end_reason"]) <= {1, 3, 4}
    assert (rules.flocks_per_player, rules.free_birds, rules.relocate_limit) == (
        2 if "advanced-2-player" in names else 1,
        0 if "hungry-birdies" in names else 2,
        5 if "free-flight" in names else 2,
    )


@pytest.mark.parametrize(("players", "low", "high"), [(2, 0.66, 0.77), (3, 0, 0.005), (4, 0, 0.005), (5, 0, 0.005)])
def test_random_play_deadlocks_as_often_as_expected(players, low, high):
    games, _ = play(GAME, players, 2000 // players)
    assert low <= (games["end_reason"] == 3).mean() <= high


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_hungry_birdies_always_deadlock(players):
    games, _ = play(GAME, players, 500 // players, rules=GAME.parameters.build(players, HUNGRY))
    assert (games["end_reason"] == 3).all()


# --- rules that cannot be played ---

REFUSED = {
    "cap": (5, {"resource_cap": 7}, ["resource_cap", "5 flocks", "35", "30"]),
    "cap of two flocks each": (2, {**TWO, "resource_cap": 8}, ["resource_cap", "4 flocks", "32"]),
    "tokens": (3, {"token_supply": 10}, ["resource_cap", "18", "10"]),
    "two flocks each": (3, TWO, ["flocks_per_player", "2 players, not 3"]),
    "start": (2, {"starting_birds": 9}, ["starting_birds", "9", "8"]),
    "worms": (2, {"starting_worms": 7}, ["starting_worms", "7", "6"]),
    "threshold": (2, {"competition_thresholds": {"2": [4, 17]}}, ["competition_thresholds.2", "17", "round 2", "16"]),
    "threshold of small flocks": (3, {"bird_supply": 1, "starting_birds": 1}, ["competition_thresholds.3", "4", "3"]),
    "choice": (2, {"deadlock": "draw"}, ["deadlock: 'draw' is not allowed; allowed: end, force_competition"]),
    "bound": (2, {"relocate_limit": 6}, ["relocate_limit: 6 is not allowed", "1 to 5"]),
    "vp": (2, {"vp_first": {"competition": 3}}, ["vp_first", "'competition'", "feeding"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_rules_that_cannot_be_played_are_refused_with_the_reason(case):
    players, changes, words = REFUSED[case]
    with pytest.raises(RulesError) as caught:
        GAME.parameters.build(players, changes)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (4, {"resource_cap": 7}),
        (2, {"competition_thresholds": {"2": 16, "3": [70]}}),
        (2, {"competition_thresholds": {"2": [4, 5, 6, 60]}}),  # no fourth round is played
        (5, {"bird_supply": 15, "starting_birds": 15}),
    ],
)
def test_rules_at_the_limit_are_played(players, changes):
    GAME.parameters.build(players, changes)
