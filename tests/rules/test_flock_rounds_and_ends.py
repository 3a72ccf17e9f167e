"""Flock: Competition with upkeep, relocation and scoring; the end of the game, deadlocks and the cap."""

from __future__ import annotations

import pytest

from tests.rules.flock_positions import (
    activate,
    birds,
    decides,
    end_reason,
    goods,
    options,
    pay,
    place,
    ranking,
    skip,
    spread,
    spread_nothing,
    stock,
    track,
    vp,
)

SOON = {"competition_thresholds": {"2": 1, "3": 1, "4": 1}}
NO_UPKEEP = {**SOON, "free_birds": 15}
SCORING_ONLY = {**NO_UPKEEP, "vp_pool": 0}


def can_activate(table):
    return "competition" in options(table, "activate")


# --- when Competition can be activated ---


@pytest.mark.parametrize(("number", "needed"), [(1, 4), (2, 5), (3, 6)])
def test_the_threshold_counts_all_birds_and_rises_by_round_f2(flock_table, number, needed):
    for gathered in range(needed - 1, needed + 2):
        table = flock_table(3, {1: "competition 1", 2: f"competition {gathered - 1}"}, round=number)
        assert can_activate(table) == (gathered >= needed)


def test_example_competition_in_round_2(flock_table):
    """At least five birds are needed, and red has one of them; afterwards the sun moves to round 3."""
    table = flock_table(3, {1: "competition 1", 2: "competition 2", 3: "competition 2"}, round=2)
    assert can_activate(table)
    activate(table, "competition")
    spread_nothing(table)
    assert (table.round, decides(table)) == (3, ("2", "act"))


def test_without_an_own_bird_nobody_activates_competition_f2(flock_table):
    table = flock_table(2, {1: "pool 1", 2: "competition 8"})
    assert not can_activate(table)


def test_thresholds_are_a_rule_by_number_of_players_and_round_f2(flock_table):
    rules = {"competition_thresholds": {"3": [1, 3], "2": 8}}
    first = flock_table(3, {1: "competition 1"}, rules)
    assert can_activate(first)
    for number in (2, 3):
        assert not can_activate(flock_table(3, {1: "competition 2"}, rules, round=number))
        assert can_activate(flock_table(3, {1: "competition 3"}, rules, round=number))
    assert not can_activate(flock_table(2, {1: "competition 7"}, rules))


# --- step 1: Upkeep ---


def test_two_birds_are_free_and_each_further_one_costs_a_nest_and_a_worm_f10(flock_table):
    table = flock_table(2, {1: "pool 4, competition 1, nests 2, worms 6", 2: "pool 2"}, SOON)
    activate(table, "competition")
    assert decides(table) == ("1", "upkeep")
    assert options(table, "pay_for") == [0, 1, 2]
    pay(table, 2)
    assert goods(table) == {"worms": 4}
    assert decides(table) == ("1", "give_up")


def test_nobody_pays_for_more_birds_than_need_it_f10(flock_table):
    table = flock_table(2, {1: "pool 2, competition 1, nests 6, worms 6", 2: "pool 2"}, SOON)
    activate(table, "competition")
    assert options(table, "pay_for") == [0, 1]
    pay(table, 1)
    assert (goods(table), stock(table)) == ({"nests": 5, "worms": 5}, 5)
    assert decides(table) == ("1", "relocate")


def test_without_resources_upkeep_is_still_asked_and_paying_may_be_declined_f10(flock_table):
    table = flock_table(2, {1: "pool 2, competition 1, nests 3", 2: "pool 3, nests 1, worms 1"}, SOON)
    activate(table, "competition")
    assert table.legal() == [{"pay_for": 0}]
    pay(table)
    table.apply({"from": "pool", "birds": 1})
    assert options(table, "pay_for") == [0, 1]
    pay(table)
    table.apply({"from": "pool", "birds": 1})
    assert (goods(table, 2), stock(table, 2)) == ({"nests": 1, "worms": 1}, 6)


def test_birds_on_cards_count_and_those_in_stock_do_not(flock_table):
    table = flock_table(2, {1: "feeding 1, competition 1", 2: "laying 1, hatching 1, nesting 1"}, SOON)
    activate(table, "competition")
    assert decides(table) == ("2", "upkeep")


def test_the_owner_returns_birds_from_the_pool_first_then_card_by_card_f10(flock_table):
    table = flock_table(2, {1: "pool 2, feeding 1, hatching 2, competition 1", 2: "pool 2"}, SOON)
    activate(table, "competition")
    pay(table)
    assert table.state()["activation"]["to_return"] == 4
    assert table.legal() == [{"from": "pool", "birds": number} for number in (0, 1, 2)]
    table.apply({"from": "pool", "birds": 0})
    assert table.legal() == [{"from": "feeding", "birds": 1}]  # three come later, four must go
    table.apply({"from": "feeding", "birds": 1})
    assert table.legal() == [{"from": "hatching", "birds": 2}]
    table.apply({"from": "hatching", "birds": 2})
    assert table.legal() == [{"from": "competition", "birds": 1}]
    table.apply({"from": "competition", "birds": 1})
    assert (birds(table), stock(table)) == ({"pool": 2}, 6)
    assert (table.round, decides(table)) == (2, ("2", "act"))  # none left on Competition: no relocation


def test_giving_up_stops_when_nothing_is_left_to_return_f10(flock_table):
    table = flock_table(2, {1: "pool 2, feeding 1, competition 1", 2: "pool 2"}, SOON)
    activate(table, "competition")
    pay(table)
    table.apply({"from": "pool", "birds": 2})
    assert decides(table) == ("1", "relocate")
    assert birds(table) == {"feeding": 1, "competition": 1}


def test_free_birds_and_upkeep_costs_are_rules_by_round_f10_f23(flock_table):
    rules = {**SOON, "free_birds": 1, "upkeep_costs": {"nests": [2, 1], "worms": 0}}
    flocks = {1: "pool 3, competition 1, nests 5", 2: ""}
    for number, payable in ((1, 2), (2, 3), (3, 3)):
        table = flock_table(2, flocks, rules, round=number)
        activate(table, "competition")
        assert options(table, "pay_for") == list(range(payable + 1))
    pay(table, 3)
    assert goods(table) == {"nests": 2}


def test_upkeep_goes_by_birds_on_competition_then_by_initiative_from_the_left_f8_f9(flock_table):
    flocks = {
        1: "pool 3, competition 1",
        2: "pool 3",
        3: "pool 3, competition 2",
        4: "pool 3",
        5: "competition 1, pool 3",
    }
    table = flock_table(5, flocks, track="4 5 2 1 3")
    activate(table, "competition")
    activation = table.state()["activation"]
    assert activation["order"] == ["3", "5", "1"]
    assert activation["upkeep_order"] == ["3", "5", "1", "4", "2"]
    seen = []
    while table.decision in ("upkeep", "give_up"):
        if table.decision == "upkeep":
            seen.append(table.state()["flock"])
        table.apply(table.legal()[-1])
    assert seen == ["3", "5", "1", "4", "2"]


# --- step 2: Relocate ---


def test_relocation_asks_card_by_card_and_the_rest_goes_to_the_pool_f11(flock_table):
    table = flock_table(2, {1: "competition 3", 2: ""}, NO_UPKEEP)
    activate(table, "competition")
    for card in ("feeding", "nesting", "laying", "hatching", "dominance"):
        assert table.legal() == [{"to": card, "birds": number} for number in range(4)]
        table.apply({"to": card, "birds": 0})
    assert birds(table) == {"pool": 3}
    assert table.round == 2


def test_at_most_two_cards_and_the_pool_does_not_count_f11(flock_table):
    table = flock_table(2, {1: "competition 4", 2: ""}, NO_UPKEEP)
    activate(table, "competition")
    table.apply({"to": "feeding", "birds": 1})
    table.apply({"to": "nesting", "birds": 0})
    assert table.state()["activation"]["cards_used"] == 1
    table.apply({"to": "laying", "birds": 1})
    assert birds(table) == {"pool": 2, "feeding": 1, "laying": 1}
    assert decides(table) == ("2", "act")


def test_relocation_ends_when_no_bird_is_left_f11(flock_table):
    table = flock_table(2, {1: "competition 2", 2: ""}, NO_UPKEEP)
    activate(table, "competition")
    table.apply({"to": "feeding", "birds": 2})
    assert birds(table) == {"feeding": 2}
    assert table.round == 2


def test_relocation_goes_in_the_order_fixed_at_activation_f8_f11(flock_table):
    """Seat 1 gives up birds from Competition and still relocates first."""
    flocks = {1: "pool 2, competition 3", 2: "competition 2", 3: ""}
    table = flock_table(3, flocks, track="2 1 3")
    activate(table, "competition")
    pay(table)
    table.apply({"from": "pool", "birds": 0})
    table.apply({"from": "competition", "birds": 3})
    assert decides(table) == ("2", "relocate")
    flocks[1] = "pool 2, competition 3, nests 1, worms 1"
    table = flock_table(3, flocks, track="2 1 3")
    activate(table, "competition")
    pay(table, 1)
    table.apply({"from": "pool", "birds": 0})
    table.apply({"from": "competition", "birds": 2})
    assert decides(table) == ("1", "relocate")
    spread(table)
    assert decides(table) == ("2", "relocate")


def test_the_number_of_cards_is_a_rule_f11(flock_table):
    table = flock_table(2, {1: "competition 3", 2: ""}, {**NO_UPKEEP, "relocate_limit": 1})
    activate(table, "competition")
    table.apply({"to": "feeding", "birds": 1})
    assert birds(table) == {"pool": 2, "feeding": 1}


# --- step 3: Scoring ---


def scored(flock_table, flocks, rules=SCORING_ONLY, **more):
    """A table on which seat 1 has just ended a round; birds on Competition went to the pool."""
    table = flock_table(len(flocks), flocks, rules, **more)
    activate(table, "competition")
    spread_nothing(table)
    return table


def test_example_hatching_is_scored(flock_table):
    """Red and yellow tie for most; red stands further left: 4 VP for red, 3 for yellow, none for blue."""
    red, yellow, blue = 1, 2, 3
    flocks = {red: "hatching 2, competition 1", yellow: "hatching 2", blue: "hatching 1"}
    table = scored(flock_table, flocks, track=f"{blue} {red} {yellow}")
    assert vp(table) == (4, 3, 0)
    assert birds(table, yellow) == {"hatching": 2}


@pytest.mark.parametrize(
    ("card", "first", "second"),
    [("feeding", 4, 3), ("nesting", 5, 2), ("laying", 4, 3), ("hatching", 4, 3), ("dominance", 5, 2)],
)
def test_most_and_second_most_birds_score_the_numbers_of_the_card(flock_table, card, first, second):
    flocks = {1: "competition 1", 2: f"{card} 2", 3: f"{card} 3", 4: f"{card} 1"}
    assert vp(scored(flock_table, flocks)) == (0, second, first, 0)


def test_the_numbers_of_the_cards_are_rules(flock_table):
    rules = {**SCORING_ONLY, "vp_first": {"laying": 9}, "vp_second": {"laying": 1}}
    flocks = {1: "competition 1, feeding 1", 2: "laying 2", 3: "laying 1"}
    assert vp(scored(flock_table, flocks, rules)) == (4, 9, 1)


def test_ties_for_second_are_broken_from_the_left_too_f16(flock_table):
    flocks = {1: "competition 1", 2: "feeding 2", 3: "feeding 1", 4: "feeding 1"}
    assert vp(scored(flock_table, flocks, track="1 4 3 2")) == (0, 4, 0, 3)


def test_alone_on_a_card_scores_the_first_number_only(flock_table):
    assert vp(scored(flock_table, {1: "competition 1", 2: "nesting 2", 3: ""})) == (0, 5, 0)


def test_a_bird_is_needed_to_score_a_card_f16(flock_table):
    assert vp(scored(flock_table, {1: "competition 1", 2: "pool 1", 3: "pool 1"})) == (0, 0, 0)


def test_birds_in_the_pool_score_after_relocation(flock_table):
    flocks = {1: "pool 1, competition 2", 2: "pool 4", 3: ""}
    assert vp(scored(flock_table, flocks, NO_UPKEEP)) == (3, 4, 0)
    assert vp(scored(flock_table, flocks, {**NO_UPKEEP, "vp_pool": 2})) == (6, 8, 0)


def test_vp_add_up_over_the_rounds(flock_table):
    table = scored(flock_table, {1: "competition 1", 2: "feeding 1", 3: ""}, vp={"1": 7, "2": 1, "3": 2})
    assert vp(table) == (7, 5, 2)


def test_birds_stay_and_the_next_player_clockwise_begins_the_new_round_f17(flock_table):
    flocks = {1: "pool 1", 2: "competition 1", 3: "laying 2"}
    table = flock_table(3, flocks, SCORING_ONLY, acting=2)
    activate(table, "competition")
    spread_nothing(table)
    assert (table.round, table.turn, decides(table)) == (2, 2, ("3", "act"))
    assert birds(table, 3) == {"laying": 2}


# --- End of the game ---


def test_the_third_activation_ends_the_game_after_its_steps_f17(flock_table):
    flocks = {1: "pool 3, competition 6", 2: "pool 2"}
    table = flock_table(2, flocks, {"bird_supply": 9}, round=3, vp={"1": 5, "2": 9})
    activate(table, "competition")
    pay(table)
    table.apply({"from": "pool", "birds": 1})
    table.apply({"from": "competition", "birds": 6})
    assert end_reason(table) == "win"
    assert (vp(table), ranking(table)) == ((7, 11), [2, 1])
    end = table.end()
    assert (end["rounds"], table.state()["round"], table.to_move) == (3, 3, None)
    assert [place["win_share"] for place in end["ranking"]] == [1.0, 0.0]
    assert [place["score"] for place in end["ranking"]] == [11, 7]


def test_the_number_of_rounds_is_a_rule_f17(flock_table):
    assert end_reason(scored(flock_table, {1: "competition 1", 2: "", 3: ""}, {**SCORING_ONLY, "rounds": 1})) == "win"
    table = scored(flock_table, {1: "competition 1", 2: "", 3: ""}, {**SCORING_ONLY, "rounds": 4}, round=3)
    assert table.round == 4


@pytest.mark.parametrize(
    ("flocks", "track", "order"),
    [
        ({1: "competition 1, nests 1", 2: "worms 2, eggs 1", 3: "nests 2"}, "1 2 3", [2, 3, 1]),
        ({1: "competition 1, nests 1", 2: "eggs 1", 3: "worms 1"}, "3 1 2", [3, 1, 2]),
    ],
)
def test_ties_go_to_resources_then_to_the_left_of_the_track_f21(flock_table, flocks, track, order):
    table = scored(flock_table, flocks, {**SCORING_ONLY, "rounds": 1}, track=track)
    assert vp(table) == (0, 0, 0)
    assert ranking(table) == order
    assert [place["rank"] for place in table.end()["ranking"]] == [1, 2, 3]


def test_one_vp_beats_any_resources_and_one_resource_any_place_f21(flock_table):
    flocks = {1: "competition 1, nests 6, eggs 6, worms 6", 2: "", 3: "eggs 1"}
    rules = {**SCORING_ONLY, "rounds": 1}
    assert ranking(scored(flock_table, flocks, rules, vp={"1": 0, "2": 1, "3": 0}, track="1 3 2")) == [2, 1, 3]


# --- Deadlock and cap ---

STUCK = {1: "competition 1", 2: "competition 2, nests 1"}


def test_when_everybody_passes_in_a_row_the_game_is_a_deadlock_f19(flock_table):
    table = flock_table(2, STUCK, vp={"1": 3, "2": 3})
    skip(table)
    assert not table.over
    skip(table)
    assert end_reason(table) == "deadlock"
    assert ranking(table) == [2, 1]
    assert [place["win_share"] for place in table.end()["ranking"]] == [0.0, 0.0]


def test_an_action_in_between_starts_the_count_anew_f19(flock_table):
    flocks = {1: "competition 1", 2: "pool 1", 3: "competition 1"}
    table = flock_table(3, flocks)
    skip(table)
    place(table, "competition")
    for seat in ("3", "1"):
        assert decides(table)[0] == seat
        skip(table)
    assert not table.over
    skip(table)
    assert end_reason(table) == "deadlock"


def test_nobody_with_a_bird_is_a_deadlock_f24(flock_table):
    table = flock_table(2, {1: "", 2: ""}, {"deadlock": "force_competition"})
    skip(table)
    skip(table)
    assert end_reason(table) == "deadlock"


def test_competition_can_be_forced_instead_f19(flock_table):
    table = flock_table(2, STUCK, {"deadlock": "force_competition"})
    skip(table)
    skip(table)
    activation = table.state()["activation"]
    assert (activation["by"], activation["order"]) == (None, ["2", "1"])
    spread(table, feeding=2)
    spread(table, feeding=1)
    assert vp(table) == (3, 4)
    assert (table.round, decides(table)) == (2, ("1", "act"))
    assert table.state()["passes"] == 0


def test_a_forced_third_round_ends_the_game_f19(flock_table):
    table = flock_table(2, STUCK, {"deadlock": "force_competition"}, round=3)
    skip(table)
    skip(table)
    spread_nothing(table)
    assert (end_reason(table), vp(table)) == ("win", (1, 2))


def test_an_endless_game_is_cut_off_f20(flock_table):
    table = flock_table(2, {1: "pool 8", 2: "pool 8"}, {"turn_cap": 3}, vp={"1": 0, "2": 1})
    for _ in range(6):
        assert not table.over
        place(table, "feeding")
    assert (end_reason(table), table.turn, ranking(table)) == ("turn_cap", 6, [2, 1])
    assert sum(place["win_share"] for place in table.end()["ranking"]) == 0


def test_a_deadlock_is_judged_before_the_cap_f20(flock_table):
    table = flock_table(2, STUCK, {"turn_cap": 1})
    skip(table)
    skip(table)
    assert end_reason(table) == "deadlock"


def test_an_activation_in_the_last_turn_is_played_to_its_end_f20(flock_table):
    table = flock_table(2, {1: "feeding 1", 2: "feeding 1"}, {"turn_cap": 1}, turn=2)
    activate(table, "feeding")
    table.apply({"singles": 0, "doubles": 0})
    assert not table.over
    table.apply({"singles": 1, "doubles": 0})
    assert end_reason(table) == "turn_cap"
    assert goods(table, 2) == {"worms": 1}
    assert track(table) == "1 2"
