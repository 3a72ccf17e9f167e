"""4 the Birds: who may land where, and how displaced birds slide (Placing Birds, Pecking Order, Bird Movement)."""

from __future__ import annotations

import pytest

from tests.rules.birds_positions import ALL, birds, counters, decides, options, play, position, reserve

# --- Placing Birds ---


def test_a_bird_is_placed_on_either_of_the_two_spots_rolled(birds_table):
    table = birds_table(3, roll=[4, 2])
    assert table.legal() == [{"place": "24"}, {"place": "42"}]
    play(table, "place 42")
    assert (birds(table), reserve(table)) == ("42", 5)
    assert table.to_move == 2


def test_doubles_have_one_spot(birds_table):
    assert birds_table(3, roll=[7, 7]).legal() == [{"place": "77"}]


def test_spots_of_the_outer_ring_come_in_board_order(birds_table):
    assert options(birds_table(4, roll=[3, 8]), "place") == ["83", "38"]
    assert options(birds_table(4, roll=[9, 8]), "place") == ["89", "98"]


def test_with_all_birds_in_play_any_of_them_is_relocated_b6(birds_table):
    table = birds_table(3, {1: "11 13 15 17 31 33"}, roll=[1, 3])
    assert table.legal() == [{"lift": spot} for spot in ("11", "13", "15", "17", "31", "33")]
    play(table, "lift 15")
    assert decides(table) == (1, "land")
    state = table.state()
    assert (state["lifted"], state["lifted_piece"]) == ("15", {"bird": 1})
    assert birds(table) == "11 13 17 31 33"
    assert table.legal() == [{"place": "13"}, {"place": "31"}]


def test_a_relocated_bird_lands_elsewhere_b6(birds_table):
    table = birds_table(3, {1: "11 13 15 17 31 33"}, roll=[1, 3])
    play(table, "lift 13")
    assert table.legal() == [{"place": "31"}]
    table = birds_table(3, {1: "11 13 15 17 31 33"}, roll=[3, 3])
    assert options(table, "lift") == ["11", "13", "15", "17", "31"]


def test_birds_in_reserve_come_first_b6(birds_table):
    table = birds_table(3, {1: "11 13 15 17 31"})
    assert options(table, "lift") == []
    assert options(table, "place") == ["24", "42"]


def test_the_number_of_birds_is_a_rule(birds_table):
    table = birds_table(2, {1: "11 13 15 17"}, {"birds": 4}, box={"birds": 4})
    assert options(table, "lift") == ["11", "13", "15", "17"]


# --- Pecking Order ---


RED, YELLOW, GREEN, ORANGE = 1, 2, 3, 4  # the example's seats, clockwise; orange sits to the right of red


def may_land(birds_table, seat, other, players=4):
    table = birds_table(players, {other: "24"}, active=seat)
    return options(table, "place") == ["24", "42"]


def test_red_cardinals_displace_yellow_finches_and_their_own(birds_table):
    assert may_land(birds_table, RED, YELLOW)
    assert may_land(birds_table, RED, RED)


def test_red_cardinals_are_displaced_by_orange_orioles(birds_table):
    assert may_land(birds_table, ORANGE, RED)
    assert not may_land(birds_table, RED, ORANGE)


def test_all_other_birds_have_no_effect_on_red_cardinals_and_vice_versa(birds_table):
    assert not may_land(birds_table, RED, GREEN)
    assert not may_land(birds_table, GREEN, RED)
    assert not may_land(birds_table, YELLOW, RED)


def test_the_example_red_enters_a_spot_of_yellow_which_slides(birds_table):
    table = birds_table(4, {RED: "11", YELLOW: "24 35"}, active=RED)
    play(table, "place 24")
    assert decides(table) == (YELLOW, "displace")
    state = table.state()
    assert (state["moving"], state["closed"]) == ({"bird": 2, "from": "24"}, ["24"])
    assert (birds(table, RED), birds(table, YELLOW)) == ("11 24", "35")
    # 24 has the diagonals of the cells 13-24 and 24-35
    assert options(table, "displace") == ["13", "14", "23", "25", "34", "35"]
    play(table, "displace 14")
    assert birds(table, YELLOW) == "14 35"
    assert (table.to_move, table.turn) == (YELLOW, 2)
    assert counters(table, "birds_displaced") == [0, 1, 0, 0]


@pytest.mark.parametrize("players", [3, 5, 6])
def test_the_last_seat_outranks_the_first(birds_table, players):
    assert may_land(birds_table, players, 1, players)
    assert not may_land(birds_table, 1, players, players)


def test_two_players_displace_each_other_b7(birds_table):
    assert may_land(birds_table, 1, 2, 2)
    assert may_land(birds_table, 2, 1, 2)


def test_crows_and_tokens_are_no_place_to_land_b15(birds_table):
    assert options(birds_table(3, crows="24"), "place") == ["42"]
    assert options(birds_table(3, tokens="42"), "place") == ["24"]


def test_displacing_an_own_bird_makes_it_slide(birds_table):
    table = birds_table(3, {1: "24"})
    play(table, "place 24")
    assert decides(table) == (1, "displace")
    play(table, "displace 13")
    assert birds(table) == "13 24"


# --- displaced birds (B8 to B11) ---


def test_what_a_displaced_bird_may_enter_b8(birds_table):
    """Around 24: empty 13, its own 14, one it outranks (seat 3) 23, not seat 1's 25, no crow 34, no token 35."""
    table = birds_table(4, {1: "25", 2: "24 14", 3: "23"}, crows="34", tokens="35")
    play(table, "place 24")
    assert options(table, "displace") == ["13", "14", "23"]


def test_a_displaced_bird_may_not_enter_a_threatened_spot_b8(birds_table):
    """The hawk threatens 35, 36, 45 and 46."""
    table = birds_table(3, {2: "24"}, hawks="35-46")
    play(table, "place 24")
    assert options(table, "displace") == ["13", "14", "23", "25", "34"]


def test_it_need_not_prefer_empty_spots_and_the_process_continues_b9(birds_table):
    table = birds_table(4, {2: "24", 3: "14"})
    play(table, "place 24", "displace 14")
    assert decides(table) == (3, "displace")
    assert table.state()["moving"] == {"bird": 3, "from": "14"}
    assert table.state()["closed"] == ["14", "24"]
    assert "24" not in options(table, "displace")  # entered by seat 1, whom 3 does not outrank; and closed


def test_a_spot_entered_in_the_chain_is_closed_to_it_b10(birds_table):
    """Both players outrank each other: without the rule 24 and 14 could be entered for ever."""
    table = birds_table(2, {1: "13", 2: "24 14"})
    play(table, "place 24", "displace 14")
    assert "24" not in options(table, "displace")
    play(table, "displace 13")
    assert decides(table) == (1, "displace")
    assert not {"24", "14", "13"} & set(options(table, "displace"))
    assert table.state()["closed"] == ["13", "14", "24"]


def test_closed_spots_are_open_again_in_the_next_chain(birds_table):
    table = birds_table(2, {2: "24"}, discards={2: ALL})
    play(table, "place 24", "displace 14")
    assert table.state()["closed"] == []


def test_a_bird_with_no_way_out_flies_to_the_reserve_b11(birds_table):
    """From the corner 11: 12 crow, 21 token, 22 crow."""
    table = birds_table(3, {2: "11"}, crows="12 22", tokens="21", roll=[1, 1])
    play(table, "place 11")
    assert (birds(table, 1), birds(table, 2), reserve(table, 2)) == ("11", "", 6)
    assert (table.to_move, table.turn) == (2, 2)
    assert counters(table, "birds_flown_off") == [0, 1, 0]


def test_a_bird_closed_in_by_its_own_chain_flies_off_too_b10_b11(birds_table):
    """Seat 2 slides from 11 to 12, whose bird of seat 3 finds only 11 (closed), 13, 22 and 21 held."""
    table = birds_table(3, {2: "11", 3: "12"}, crows="13 22 21", roll=[1, 1])
    play(table, "place 11", "displace 12")
    assert (birds(table, 2), birds(table, 3), reserve(table, 3)) == ("12", "", 6)


def test_the_owner_decides_even_out_of_turn(birds_table):
    """4 players: 4 displaces 1, which displaces 2, which displaces 3."""
    table = birds_table(4, {1: "24", 2: "14", 3: "15"}, active=4)
    seen = []
    play(table, "place 24")
    for spot in ("14", "15", "16"):
        seen.append(decides(table))
        play(table, f"displace {spot}")
    assert seen == [(1, "displace"), (2, "displace"), (3, "displace")]
    assert (birds(table, 4), birds(table, 1), birds(table, 2), birds(table, 3)) == ("24", "14", "15", "16")
    assert table.to_move == 1


def test_chains_end_even_on_a_full_board(birds_table):
    """Two players on a 4x4 board of 16 birds: a chain enters each spot once, then the last bird flies off."""
    spots = [f"{row}{column}" for row in range(1, 5) for column in range(1, 5)]
    rules = {"board_size": {"2": 4}, "birds": 8, "hawks_at_start": 0}
    where = {1: " ".join(spots[::2]), 2: " ".join(spots[1::2])}
    table = birds_table(2, where, rules, box={"birds": 8}, roll=[1, 2])
    play(table, "lift 11", "place 21")
    length = 0
    while table.decision == "displace":
        play(table, f"displace {options(table, 'displace')[0]}")
        length += 1
        assert len(table.state()["closed"]) <= 16
    assert 0 < length <= 15


def test_a_position_says_who_stands_where():
    state = position(2, {1: "24 11"})
    assert state["birds"] == {"1": ["11", "24"], "2": []}
