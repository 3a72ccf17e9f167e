"""4 the Birds: the six action cards (Playing Cards, Action Card Reference)."""

from __future__ import annotations

import pytest

from tests.rules.birds_positions import (
    ALL,
    birds,
    counters,
    decides,
    discards,
    hand,
    options,
    over,
    play,
    rolls_of,
    with_roll,
)

# --- Playing Cards ---


def test_any_card_in_hand_that_does_something_may_be_played_instead(birds_table):
    table = birds_table(3, {1: "11", 2: "13"}, hands={1: ALL}, hawks="66-77", crows="75")
    assert table.legal() == [
        *({"place": spot} for spot in ("24", "42")),
        *({"play": card} for card in ("roll", "shoo", "mock", "peck", "swoop", "flock")),
    ]


def test_equal_cards_are_one_option(birds_table):
    table = birds_table(3, rules={"cards": {"roll": 3}}, hands={1: "roll roll roll"})
    assert options(table, "play") == ["roll"]


def test_a_card_must_do_something_b27(birds_table):
    """No hawk for SHOO, no bird for PECK, SWOOP and FLOCK."""
    assert options(birds_table(3, hands={1: ALL}), "play") == ["roll", "mock"]
    assert options(birds_table(3, hands={1: ALL}, hawks="66-77"), "play") == ["roll", "shoo", "mock"]
    assert options(birds_table(3, {1: "11"}, hands={1: ALL}), "play") == ["roll", "mock", "swoop", "flock"]
    assert options(birds_table(3, {3: "11"}, hands={1: ALL}), "play") == ["roll", "mock", "peck"]


def test_a_card_goes_to_the_top_of_the_discard_pile(birds_table):
    table = birds_table(3, {1: "11"}, hands={1: "swoop flock"}, discards={1: "peck"})
    play(table, "play swoop")
    assert (hand(table), discards(table), table.state()["card"]) == ("flock", "peck swoop", "swoop")
    assert counters(table, "played_swoop") == [1, 0, 0]
    play(table, "lift 11", "fly_to 12")
    assert table.state()["card"] is None
    assert table.turn == 2


def test_with_no_legal_placement_a_card_is_forced_b27(birds_table):
    table = birds_table(3, {3: "24 42"}, hands={1: "swoop roll"}, token_supply=12)
    assert table.legal() == [{"play": "roll"}]


def test_the_copies_of_each_card_are_a_rule(birds_table):
    table = birds_table(2, rules={"cards": {"roll": 0, "shoo": 2, "flock": 3}})
    table.deal(1)
    assert hand(table, 2) == "shoo shoo mock peck swoop flock flock flock"


# --- ROLL ---


def test_roll_is_a_new_roll_in_the_same_turn_b20(birds_table):
    table = birds_table(3, {1: "11"}, hands={1: "roll swoop"})
    after, chance = with_roll(table, "play roll", (5, 6))
    assert decides(after) == (1, "turn")
    assert (after.turn, after.state()["card"], after.state()["roll"]) == (1, None, [5, 6])
    assert after.legal() == [{"place": "56"}, {"place": "65"}, {"play": "swoop"}]
    assert discards(after) == "roll"
    assert chance == [{"roll": [5, 6]}]


def test_doubles_on_the_reroll_bring_roll_back_b20(birds_table):
    table = birds_table(3, hands={1: "roll"}, discards={1: "peck"})
    after, chance = with_roll(table, "play roll", (5, 5))
    assert (hand(after), discards(after)) == ("roll", "peck")
    assert chance == [{"roll": [5, 5]}, {"regain": "roll"}]
    assert after.legal() == [{"place": "55"}, {"play": "roll"}]


def test_no_win_is_looked_for_at_a_reroll_b20(birds_table):
    """The square stands already, by hand: it wins at the end of the turn, not before."""
    table = birds_table(3, {1: "11 12 21 22"}, hands={1: "roll"})
    table, _ = with_roll(table, "play roll", (5, 6))
    assert not table.over
    play(table, "place 56")
    assert over(table) == "win"


# --- SHOO ---


def test_shoo_moves_or_removes_a_hawk_even_with_hawks_off_the_board_b21(birds_table):
    table = birds_table(3, hands={1: "shoo"}, hawks="22-33 66-77")
    play(table, "play shoo")
    assert decides(table) == (1, "shoo")
    assert table.legal() == [
        *({"lift_hawk": dot} for dot in ("22-33", "66-77")),
        *({"remove_hawk": dot} for dot in ("22-33", "66-77")),
    ]
    twin = table.copy()
    play(twin, "remove_hawk 22-33")
    assert (twin.state()["hawks"], twin.state()["hawk_supply"]) == (["66-77"], 2)
    assert counters(twin, "hawks_removed") == [1, 0, 0]
    play(table, "lift_hawk 22-33", "hawk_to 11-22")
    assert (table.state()["hawks"], table.state()["hawk_supply"]) == (["11-22", "66-77"], 1)
    assert counters(table, "hawks_moved") == [1, 0, 0]


def test_a_shooed_hawk_scatters_b21(birds_table):
    table = birds_table(3, {2: "22"}, hands={1: "shoo"}, hawks="66-77")
    play(table, "play shoo", "lift_hawk 66-77", "hawk_to 22-33")
    assert decides(table) == (2, "scatter")
    assert table.state()["card"] == "shoo"
    play(table, "scatter 22", "displace 11")
    assert table.turn == 2


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"move": True, "remove": True}, {"lift_hawk", "remove_hawk"}),
        ({"remove": False}, {"lift_hawk"}),
        ({"move": False}, {"remove_hawk"}),
    ],
)
def test_what_shoo_may_do_is_a_rule_b21(birds_table, rule, words):
    table = birds_table(3, rules={"shoo": rule}, hands={1: "shoo"}, hawks="66-77")
    play(table, "play shoo")
    assert {next(iter(action)) for action in table.legal()} == words


def test_shoo_may_be_good_for_nothing_b21(birds_table):
    rules = {"shoo": {"move": False, "remove": False}}
    assert options(birds_table(3, rules=rules, hands={1: "shoo"}, hawks="66-77"), "play") == []


# --- MOCK ---


def test_mock_places_a_crow_anywhere_or_moves_one_b22(birds_table):
    table = birds_table(3, {2: "24"}, hands={1: "mock"}, crows="11 13", hawks="66-77", tokens="12")
    play(table, "play mock")
    places = options(table, "crow_to")
    assert len(places) == 49 - 2 - 1 - 4
    assert "24" in places
    assert not {"11", "13", "12", "66", "67", "76", "77"} & set(places)
    assert table.legal()[-2:] == [{"lift_crow": "11"}, {"lift_crow": "13"}]
    twin = table.copy()
    play(twin, "crow_to 24")
    assert decides(twin) == (2, "displace")
    play(table, "lift_crow 11")
    assert len(options(table, "crow_to")) == len(places)
    assert "11" not in options(table, "crow_to")
    play(table, "crow_to 24")
    assert table.state()["crows"] == ["13", "24"]


@pytest.mark.parametrize(
    ("rule", "words"),
    [({}, {"crow_to", "lift_crow"}), ({"place": False}, {"lift_crow"}), ({"move": False}, {"crow_to"})],
)
def test_what_mock_may_do_is_a_rule_b22(birds_table, rule, words):
    table = birds_table(3, rules={"mock": rule}, hands={1: "mock"}, crows="11 13")
    play(table, "play mock")
    assert {next(iter(action)) for action in table.legal()} == words


def test_mock_needs_a_crow_b22(birds_table):
    everything = {"hands": {1: "mock"}, "crow_supply": 0}
    assert options(birds_table(3, **everything), "play") == []
    assert options(birds_table(3, crows="11", **everything), "play") == ["mock"]
    assert options(birds_table(3, rules={"mock": {"move": False}}, crows="11", **everything), "play") == []
    table = birds_table(3, crows="11", **everything)
    play(table, "play mock")
    assert table.legal() == [{"lift_crow": "11"}]


# --- PECK ---

NEAR_11 = ["12", "13", "21", "22", "23", "31", "32", "33"]


def test_peck_moves_any_opponents_bird_one_or_two_steps_turns_allowed_b23(birds_table):
    """From 11 to 12, 21 and 22, and on: to 13, 31, and from 22 to 23, 32 and 33."""
    table = birds_table(3, {1: "77", 2: "11", 3: "75"}, hands={1: "peck"}, crows="57")
    play(table, "play peck")
    assert decides(table) == (1, "peck")
    assert table.legal() == [{"lift": "11"}, {"lift": "75"}]
    play(table, "lift 11")
    assert decides(table) == (1, "fly")
    assert table.state()["lifted_piece"] == {"bird": 2}
    assert options(table, "fly_to") == NEAR_11
    play(table, "fly_to 23")
    assert birds(table, 2) == "23"


def test_peck_lists_birds_in_board_order_whoever_owns_them(birds_table):
    table = birds_table(4, {2: "13 44", 3: "11", 4: "42"}, hands={1: "peck"})
    play(table, "play peck")
    assert options(table, "lift") == ["11", "13", "42", "44"]


def test_it_flies_over_birds_and_crows_but_not_over_a_token_b23(birds_table):
    rules = {"board_size": {"4": 7}}
    table = birds_table(4, {2: "11", 4: "21 22"}, rules, hands={1: "peck"}, crows="12")
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == ["13", "23", "31", "32", "33"]
    table = birds_table(3, {2: "11"}, hands={1: "peck"}, tokens="22")
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == ["12", "13", "21", "31"]


def test_it_flies_over_threatened_spots_but_does_not_end_there_b14(birds_table):
    """The hawk threatens 22, 23, 32 and 33."""
    table = birds_table(3, {2: "11"}, hands={1: "peck"}, hawks="22-33")
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == ["12", "13", "21", "31"]
    table = birds_table(3, {2: "11"}, hands={1: "peck"}, hawks="11-22")
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == ["13", "23", "31", "32", "33"]


def test_it_lands_with_its_own_rank_b23(birds_table):
    """Seat 2's bird displaces seat 3's and its own, not seat 1's, who plays the card, nor seat 4's."""
    where = {1: "12", 2: "11 22", 3: "13", 4: "21"}
    table = birds_table(4, where, {"board_size": {"4": 7}}, hands={1: "peck"})
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == ["13", "22", "23", "31", "32", "33"]
    play(table, "fly_to 13")
    assert decides(table) == (3, "displace")


def test_a_bird_that_cannot_move_is_not_listed(birds_table):
    table = birds_table(3, {2: "11 75"}, hands={1: "peck"}, tokens="12 21 22")
    play(table, "play peck")
    assert options(table, "lift") == ["75"]
    assert options(birds_table(3, {2: "11"}, hands={1: "peck"}, tokens="12 21 22"), "play") == []


# --- SWOOP ---


def test_swoop_moves_an_own_bird_one_or_two_steps_b24(birds_table):
    table = birds_table(3, {1: "11 77", 2: "44", 3: "13"}, hands={1: "swoop"})
    play(table, "play swoop")
    assert decides(table) == (1, "swoop")
    assert table.legal() == [{"lift": "11"}, {"lift": "77"}]
    play(table, "lift 11")
    assert options(table, "fly_to") == [spot for spot in NEAR_11 if spot != "13"]


def test_swoop_onto_a_bird_that_is_outranked_displaces_it(birds_table):
    table = birds_table(3, {1: "11", 2: "33"}, hands={1: "swoop"})
    play(table, "play swoop", "lift 11", "fly_to 33")
    assert decides(table) == (2, "displace")


# --- FLOCK ---


def test_flock_moves_one_bird_one_step_then_perhaps_another_b24(birds_table):
    table = birds_table(3, {1: "11 33 77", 2: "44"}, hands={1: "flock"})
    play(table, "play flock")
    assert decides(table) == (1, "flock")
    assert table.legal() == [{"lift": "11"}, {"lift": "33"}, {"lift": "77"}]
    play(table, "lift 33")
    assert options(table, "fly_to") == ["22", "23", "32", "34", "43", "44"]
    play(table, "fly_to 23")
    assert decides(table) == (1, "flock")
    state = table.state()
    assert (state["flown"], state["flock_moves"]) == ("23", 1)
    assert table.legal() == [{"lift": "11"}, {"lift": "77"}, {"done": True}]
    twin = table.copy()
    play(twin, "done")
    assert (birds(twin), twin.turn) == ("11 23 77", 2)
    play(table, "lift 77", "fly_to 76")
    assert (birds(table), table.turn) == ("11 23 76", 2)
    assert (table.state()["flown"], table.state()["flock_moves"]) == (None, 0)


def test_flock_may_be_done_after_one_bird_even_without_another_b24(birds_table):
    table = birds_table(3, {1: "33"}, hands={1: "flock"})
    play(table, "play flock", "lift 33", "fly_to 23")
    assert table.legal() == [{"done": True}]


def test_flock_may_go_on_with_a_bird_just_displaced_b24(birds_table):
    table = birds_table(3, {1: "33 34"}, hands={1: "flock"})
    play(table, "play flock", "lift 33", "fly_to 34")
    assert decides(table) == (1, "displace")
    play(table, "displace 35")
    assert table.legal() == [{"lift": "35"}, {"done": True}]


def test_flocks_second_bird_may_displace_its_first_b24(birds_table):
    table = birds_table(3, {1: "33 35"}, hands={1: "flock"})
    play(table, "play flock", "lift 33", "fly_to 34", "lift 35", "fly_to 34")
    assert decides(table) == (1, "displace")
    assert table.state()["flown"] is None
    assert table.state()["flock_moves"] == 2
    play(table, "displace 33")
    assert (birds(table), table.turn) == ("33 34", 2)


def test_a_flock_that_stands_between_two_moves_does_not_win_b3(birds_table):
    table = birds_table(3, {1: "11 12 21 23"}, hands={1: "flock"})
    play(table, "play flock", "lift 23", "fly_to 22")
    assert not table.over
    play(table, "lift 11", "fly_to 12", "displace 13")
    assert not table.over


# --- cards_onto_threat (B14) ---


def test_with_the_rule_cards_reach_threatened_spots_and_slide_on_b14(birds_table):
    rules = {"cards_onto_threat": True}
    table = birds_table(3, {2: "11"}, rules, hands={1: "peck"}, hawks="22-33")
    play(table, "play peck", "lift 11")
    assert options(table, "fly_to") == NEAR_11
    play(table, "fly_to 22")
    assert decides(table) == (1, "slide")
    assert table.state()["moving"] == {"bird": 2, "from": "22"}
    assert options(table, "slide") == ["11", "12", "21"]
    play(table, "slide 11")
    assert birds(table, 2) == "11"


def test_with_the_rule_mock_reaches_them_too_b14(birds_table):
    table = birds_table(3, rules={"cards_onto_threat": True}, hands={1: "mock"}, crows="11", hawks="22-33")
    play(table, "play mock")
    assert len(options(table, "crow_to")) == 48
    play(table, "crow_to 22")
    assert decides(table) == (1, "slide")
    assert options(table, "slide") == ["12", "21"]


def test_with_the_rule_flocks_first_bird_is_the_one_that_slid_b14(birds_table):
    table = birds_table(3, {1: "13 77"}, {"cards_onto_threat": True}, hands={1: "flock"}, hawks="22-33")
    play(table, "play flock", "lift 13", "fly_to 23")
    assert table.state()["flown"] is None
    play(table, "slide 24")
    assert table.state()["flown"] == "24"
    assert table.legal() == [{"lift": "77"}, {"done": True}]


def test_a_threatened_spot_without_a_slide_is_out_of_reach_even_then_b14(birds_table):
    """From 23 the ways lead to 13, 14 and 24. The bird that comes from 13 may slide back."""
    rules = {"cards_onto_threat": True}
    table = birds_table(3, {1: "25"}, rules, hands={1: "swoop"}, hawks="22-33", crows="13 14 24")
    play(table, "play swoop", "lift 25")
    assert "23" not in options(table, "fly_to")
    table = birds_table(3, {1: "13"}, rules, hands={1: "swoop"}, hawks="22-33", crows="14 24")
    play(table, "play swoop", "lift 13")
    assert "23" in options(table, "fly_to")


def test_rolls_are_found_by_the_helper():
    assert rolls_of([{"roll": [1, 1]}, {"regain": "peck"}, {"roll": [2, 3]}]) == [(1, 1), (2, 3)]
