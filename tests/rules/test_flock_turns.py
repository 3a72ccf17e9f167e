"""Flock: set-up, turns, the four resource cards and Dominance."""

from __future__ import annotations

import pytest

from tests.rules.flock_positions import (
    CARDS,
    OTHERS,
    activate,
    birds,
    decides,
    goods,
    options,
    perform,
    place,
    skip,
    stock,
    track,
)

# --- Setup ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_starts_with_three_birds_and_seat_1_with_a_worm_and_space_1(empty_flock_table, players):
    table = empty_flock_table(players)
    table.deal(1)
    seats = [str(seat) for seat in range(1, players + 1)]
    assert list(table.state()["flocks"]) == seats
    for seat in seats:
        assert (birds(table, seat), stock(table, seat)) == ({"pool": 3}, 5)
        assert goods(table, seat) == ({"worms": 1} if seat == "1" else {})
    assert track(table) == " ".join(seats)
    assert (table.turn, table.round, decides(table)) == (1, 1, ("1", "act"))


def test_the_numbers_of_the_set_up_are_rules(empty_flock_table):
    table = empty_flock_table(2, starting_birds=2, bird_supply=6, starting_worms=4)
    table.deal(1)
    assert (birds(table), stock(table), goods(table)) == ({"pool": 2}, 4, {"worms": 4})
    assert goods(table, 2) == {}


# --- Taking a turn ---


def test_a_turn_is_one_bird_placed_and_passes_clockwise_whatever_the_initiative_f1(flock_table):
    table = flock_table(3, track="3 1 2")
    for seat in ("1", "2", "3", "1"):
        assert decides(table) == (seat, "act")
        place(table, "feeding")
    assert table.turn == 5
    assert birds(table, 1) == {"pool": 1, "feeding": 2}


def test_a_bird_goes_to_any_card_and_only_cards_with_an_own_bird_are_activated(flock_table):
    table = flock_table(3, {1: "pool 1, nesting 1, dominance 2", 2: "feeding 3"})
    assert options(table, "place") == list(CARDS)
    assert options(table, "activate") == ["nesting", "dominance"]
    assert table.legal()[0] == {"place": "feeding"}


def test_with_an_empty_pool_there_is_nothing_to_place(flock_table):
    table = flock_table(3, {1: "hatching 1"})
    assert table.legal() == [{"activate": "hatching"}]


def test_no_legal_action_is_a_pass_f18(flock_table):
    table = flock_table(3, {1: "competition 2"})
    assert table.legal() == [{"pass": True}]
    skip(table)
    assert decides(table) == ("2", "act")
    assert table.state()["passes"] == 1
    place(table, "feeding")
    assert table.state()["passes"] == 0


def test_a_player_without_birds_passes_f24(flock_table):
    table = flock_table(3, {1: ""})
    assert table.legal() == [{"pass": True}]


# --- Activating the four resource cards ---


def test_the_activating_player_performs_first_then_clockwise_f3(flock_table):
    table = flock_table(4, {1: "feeding 1", 2: "pool 1", 3: "feeding 1", 4: "feeding 2"}, acting=3)
    activate(table, "feeding")
    assert table.state()["activation"]["order"] == ["3", "4", "1"]
    seen = []
    while table.decision == "perform":
        seen.append(table.state()["flock"])
        perform(table)
    assert seen == ["3", "4", "1"]
    assert decides(table) == ("4", "act")
    assert table.state()["activation"] is None


def test_birds_return_to_the_pool_whatever_was_performed(flock_table):
    table = flock_table(2, {1: "pool 1, nesting 2", 2: "nesting 3"})
    activate(table, "nesting")
    perform(table)
    assert birds(table, 1) == {"pool": 3}
    assert birds(table, 2) == {"nesting": 3}
    perform(table, 1, 1)
    assert birds(table, 2) == {"pool": 3}
    assert (goods(table, 1), goods(table, 2)) == ({}, {"nests": 4})


def test_any_singles_and_doubles_that_the_birds_allow_f4(flock_table):
    table = flock_table(2, {1: "feeding 3"})
    activate(table, "feeding")
    pairs = [(action["singles"], action["doubles"]) for action in table.legal()]
    assert pairs == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0)]


def test_resources_must_cover_all_of_what_is_chosen_at_once_f4(flock_table):
    table = flock_table(2, {1: "laying 4, nests 3"})
    activate(table, "laying")
    pairs = [(action["singles"], action["doubles"]) for action in table.legal()]
    assert pairs == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 0)]
    perform(table, 1, 1)
    assert goods(table) == {"eggs": 4}


@pytest.mark.parametrize("held", ["eggs 1, worms 6", "eggs 6, worms 1"])
def test_hatching_needs_both_eggs_and_worms_f4(flock_table, held):
    table = flock_table(2, {1: f"hatching 2, {held}"})
    activate(table, "hatching")
    assert table.legal() == [{"singles": 0, "doubles": 0}, {"singles": 1, "doubles": 0}]


@pytest.mark.parametrize(
    ("card", "held", "singles", "doubles", "after"),
    [
        ("feeding", "", 1, 0, {"worms": 1}),
        ("feeding", "", 0, 1, {"worms": 3}),
        ("nesting", "", 1, 0, {"nests": 1}),
        ("nesting", "", 0, 1, {"nests": 3}),
        ("laying", "nests 3", 1, 0, {"nests": 2, "eggs": 1}),
        ("laying", "nests 3", 0, 1, {"nests": 1, "eggs": 3}),
        ("hatching", "eggs 4, worms 5", 1, 0, {"eggs": 3, "worms": 4}),
        ("hatching", "eggs 4, worms 5", 0, 1, {"eggs": 1, "worms": 2}),
    ],
)
def test_each_card_costs_and_gains_what_it_says(flock_table, card, held, singles, doubles, after):
    table = flock_table(2, {1: f"{card} 2, {held}"})
    activate(table, card)
    perform(table, singles, doubles)
    assert goods(table) == after
    hatched = (singles + 3 * doubles) if card == "hatching" else 0
    assert birds(table) == {"pool": 2 + hatched}


def test_gains_and_costs_are_rules(flock_table):
    rules = {"gain_single": {"laying": 2}, "cost_single": {"laying_nests": 3}}
    table = flock_table(2, {1: "laying 2, nests 5"}, rules)
    activate(table, "laying")
    assert [action["singles"] for action in table.legal()] == [0, 0, 1]
    perform(table, 1)
    assert goods(table) == {"nests": 2, "eggs": 2}


def test_a_resource_stops_at_six_and_the_excess_is_lost_f5(flock_table):
    table = flock_table(2, {1: "feeding 4, worms 5"})
    activate(table, "feeding")
    assert {"singles": 0, "doubles": 2} in table.legal()
    perform(table, 0, 2)
    assert goods(table) == {"worms": 6}
    table = flock_table(2, {1: "nesting 2, nests 6"})
    activate(table, "nesting")
    perform(table, 2)
    assert goods(table) == {"nests": 6}


def test_the_limit_is_a_rule_f5(flock_table):
    table = flock_table(2, {1: "feeding 4"}, {"resource_cap": 4})
    activate(table, "feeding")
    perform(table, 0, 2)
    assert goods(table) == {"worms": 4}


def test_hatching_with_an_empty_stock_can_only_be_declined_f6(flock_table):
    table = flock_table(2, {1: "pool 6, hatching 2, eggs 6, worms 6"})
    activate(table, "hatching")
    assert table.legal() == [{"singles": 0, "doubles": 0}]
    perform(table)
    assert (birds(table), goods(table)) == ({"pool": 8}, {"eggs": 6, "worms": 6})


def test_hatching_from_a_short_stock_is_paid_in_full_f6(flock_table):
    table = flock_table(2, {1: "pool 4, hatching 3, eggs 6, worms 6"})
    activate(table, "hatching")
    assert {"singles": 1, "doubles": 1} in table.legal()
    perform(table, 1, 1)
    assert (birds(table), stock(table)) == ({"pool": 8}, 0)
    assert goods(table) == {"eggs": 2, "worms": 2}


def test_example_two_birds_on_hatching(flock_table):
    """Blue hatches three birds with two, then red one bird with one."""
    blue, red = "hatching 2, eggs 3, worms 3", "hatching 1, eggs 1, worms 1"
    table = flock_table(3, {1: blue, 2: red})
    activate(table, "hatching")
    perform(table, 0, 1)
    assert (birds(table, 1), goods(table, 1)) == ({"pool": 5}, {})
    perform(table, 1)
    assert (birds(table, 2), goods(table, 2)) == ({"pool": 2}, {})
    assert decides(table) == ("2", "act")


def test_example_four_birds_on_feeding_f7(flock_table):
    """Red gains six worms (two doubles), yellow four worms with three birds."""
    table = flock_table(3, {1: "feeding 4", 2: "feeding 3"})
    activate(table, "feeding")
    perform(table, 0, 2)
    assert (birds(table, 1), goods(table, 1)) == ({"pool": 4}, {"worms": 6})
    perform(table, 1, 1)
    assert (birds(table, 2), goods(table, 2)) == ({"pool": 3}, {"worms": 4})


# --- Activating the Dominance card ---


def test_example_dominance_with_three_players(flock_table):
    """Blue and yellow tie and yellow stands further right: space 1 for yellow; blue relocates where nobody is, red to
    Hatching, where yellow and blue have a bird, and sends yellow's home."""
    blue, red, yellow = "1", "2", "3"
    flocks = {blue: "dominance 2, hatching 1", red: "dominance 1, pool 1", yellow: "dominance 2, hatching 1"}
    table = flock_table(3, flocks, track=f"{blue} {red} {yellow}")
    activate(table, "dominance")
    assert track(table) == f"{yellow} {blue} {red}"
    assert birds(table, yellow) == {"pool": 2, "hatching": 1}
    assert decides(table) == (blue, "dominance")
    assert options(table, "relocate") == list(OTHERS)
    table.apply({"relocate": "feeding"})
    assert birds(table, blue) == {"feeding": 2, "hatching": 1}
    assert decides(table) == (red, "dominance")
    table.apply({"relocate": "hatching"})
    assert decides(table) == (red, "send_home")
    assert options(table, "return") == [blue, yellow]
    table.apply({"return": yellow})
    assert birds(table, yellow) == {"pool": 3}
    assert birds(table, blue) == {"feeding": 2, "hatching": 1}
    assert birds(table, red) == {"pool": 1, "hatching": 1}
    assert decides(table) == (red, "act")


def test_dominance_alone_asks_nothing_and_space_1_stays_f12(flock_table):
    table = flock_table(3, {1: "dominance 1"}, track="1 3 2")
    activate(table, "dominance")
    assert track(table) == "1 3 2"
    assert birds(table) == {"pool": 1}
    assert decides(table) == ("2", "act")


def test_most_birds_lead_before_any_tie(flock_table):
    table = flock_table(3, {1: "dominance 1", 2: "dominance 3", 3: "dominance 2"})
    activate(table, "dominance")
    assert table.state()["activation"]["order"] == ["2", "3", "1"]
    assert track(table) == "2 1 3"


def test_ties_are_broken_from_the_right_at_every_rank_as_they_stood_f8(flock_table):
    """Seat 3 leads and moves to space 1; among the others the track as it was decides: 4, 2, 1."""
    flocks = {1: "dominance 1", 2: "dominance 1", 3: "dominance 2", 4: "dominance 1"}
    table = flock_table(4, flocks, {"dominance_side": "2-3"}, track="1 2 3 4")
    activate(table, "dominance")
    assert table.state()["activation"]["order"] == ["3", "4", "2", "1"]
    assert track(table) == "3 1 2 4"
    for seat in ("4", "2", "1"):
        assert decides(table) == (seat, "dominance")
        table.apply({"relocate": "feeding"})
        if table.decision == "send_home":
            table.apply(table.legal()[0])


def test_birds_move_from_dominance_to_competition_too_f14(flock_table):
    table = flock_table(
        2,
        {
            1: "dominance 1",
            2: "dominance 2",
        },
        track="1 2",
    )
    activate(table, "dominance")
    table.apply({"relocate": "competition"})
    assert birds(table, 1) == {"competition": 1}


def test_an_own_bird_is_not_sent_home_and_without_an_opponents_nothing_is_asked_f15(flock_table):
    table = flock_table(3, {1: "dominance 1, laying 1", 2: "dominance 2", 3: "pool 1"})
    activate(table, "dominance")
    table.apply({"relocate": "laying"})
    assert birds(table, 1) == {"laying": 2}
    assert decides(table) == ("2", "act")


def test_sending_home_is_mandatory_even_if_there_is_one_choice_f15(flock_table):
    table = flock_table(3, {1: "dominance 1", 2: "dominance 2", 3: "laying 2"})
    activate(table, "dominance")
    table.apply({"relocate": "laying"})
    assert table.legal() == [{"return": "3"}]
    table.apply({"return": "3"})
    assert birds(table, 3) == {"pool": 1, "laying": 1}


@pytest.mark.parametrize(("players", "second_space"), [(2, False), (3, False), (4, True), (5, True)])
def test_the_side_of_the_card_goes_by_the_number_of_players(flock_table, players, second_space):
    table = flock_table(players, {1: "dominance 1", 2: "dominance 2"})
    activate(table, "dominance")
    first = [{"initiative": 2}] if second_space else []
    assert table.legal() == [*first, *({"relocate": card} for card in OTHERS)]


@pytest.mark.parametrize(("side", "players", "second_space"), [("2-3", 4, False), ("4-5", 3, True)])
def test_the_side_of_the_card_is_a_rule(flock_table, side, players, second_space):
    table = flock_table(players, {1: "dominance 1", 2: "dominance 2"}, {"dominance_side": side})
    activate(table, "dominance")
    assert ({"initiative": 2} in table.legal()) == second_space


def test_the_second_takes_space_2_and_its_birds_back_f13(flock_table):
    flocks = {1: "pool 1", 2: "dominance 1", 3: "dominance 3", 4: "dominance 2"}
    table = flock_table(4, flocks, acting=2, track="1 2 3 4")
    activate(table, "dominance")
    assert track(table) == "3 1 2 4"
    table.apply({"initiative": 2})
    assert track(table) == "3 4 1 2"
    assert birds(table, 4) == {"pool": 2}
    assert decides(table) == ("2", "dominance")
    assert {"initiative": 2} not in table.legal()


def test_the_second_may_take_space_2_when_already_on_it_f13(flock_table):
    table = flock_table(4, {1: "dominance 1", 4: "dominance 2"}, track="1 2 3 4")
    activate(table, "dominance")
    assert track(table) == "4 1 2 3"
    table.apply({"initiative": 2})
    assert track(table) == "4 1 2 3"
    assert birds(table, 1) == {"pool": 1}
