"""4 the Birds: crows, hawks, whom they scatter, and landing under a hawk (Crows, Hawks)."""

from __future__ import annotations

import pytest

from tests.rules.birds_positions import birds, counters, decides, options, play, reserve

SEVENS = ["17", "27", "37", "47", "57", "67", "71", "72", "73", "74", "75", "76", "77"]
SIX_CROWS = "11 13 15 31 33 35"

# --- Crows ---


def test_a_crow_goes_to_any_spot_with_the_digit_b16(birds_table):
    table = birds_table(3, roll=["crow", 7])
    assert table.legal() == [{"crow_to": spot} for spot in SEVENS]
    play(table, "crow_to 37")
    state = table.state()
    assert (state["crows"], state["crow_supply"]) == (["37"], 5)
    assert counters(table, "crows_placed") == [1, 0, 0]


def test_a_digit_of_the_outer_ring_is_looked_for_in_both_places_b16(birds_table):
    spots = options(birds_table(4, roll=["crow", 8]), "crow_to")
    assert spots == [
        *(["88", "81", "82", "83", "84", "85", "86", "87", "89"]),
        *(["18", "28", "38", "48", "58", "68", "78", "98"]),
    ]


def test_a_crow_displaces_every_bird_own_ones_too(birds_table):
    for owner in (1, 2, 3, 4):
        table = birds_table(4, {owner: "37"}, roll=["crow", 7])
        play(table, "crow_to 37")
        assert decides(table) == (owner, "displace")


def test_a_crow_may_not_land_on_a_crow_or_token_b15(birds_table):
    table = birds_table(3, roll=["crow", 7], crows="77 17", tokens="71")
    assert options(table, "crow_to") == [spot for spot in SEVENS if spot not in ("77", "17", "71")]


def test_with_all_crows_in_play_one_of_them_moves_b6(birds_table):
    table = birds_table(3, roll=["crow", 7], crows=SIX_CROWS)
    assert table.legal() == [{"lift_crow": spot} for spot in SIX_CROWS.split()]
    play(table, "lift_crow 13")
    assert decides(table) == (1, "land")
    state = table.state()
    assert (state["lifted"], state["lifted_piece"]) == ("13", {"crow": True})
    assert options(table, "crow_to") == SEVENS
    play(table, "crow_to 77")
    assert table.state()["crows"] == ["11", "15", "31", "33", "35", "77"]
    assert counters(table, "crows_moved") == [1, 0, 0]
    assert table.state()["crow_supply"] == 0


def test_a_moved_crow_lands_elsewhere_b6(birds_table):
    table = birds_table(3, roll=["crow", 7], crows="11 13 15 31 33 37")
    play(table, "lift_crow 37")
    assert options(table, "crow_to") == [spot for spot in SEVENS if spot != "37"]


def test_a_crow_in_the_supply_comes_first_b6(birds_table):
    assert options(birds_table(3, roll=["crow", 7], crows="11 13 15 31 33"), "lift_crow") == []


# --- Hawks ---


def test_a_hawk_goes_to_any_free_dot_whatever_the_digit_b16(birds_table):
    table = birds_table(3, roll=[5, "hawk"], hawks="22-33")
    dots = options(table, "hawk_to")
    assert len(dots) == 17
    assert dots[:3] == ["11-22", "13-24", "15-26"]
    assert "22-33" not in dots
    play(table, "hawk_to 15-26")
    state = table.state()
    assert (state["hawks"], state["hawk_supply"]) == (["15-26", "22-33"], 1)
    assert counters(table, "hawks_placed") == [1, 0, 0]


def test_with_all_hawks_in_play_one_of_them_moves_to_another_dot_b6(birds_table):
    table = birds_table(3, roll=[5, "hawk"], hawks="11-22 22-33 66-77")
    assert table.legal() == [{"lift_hawk": dot} for dot in ("11-22", "22-33", "66-77")]
    play(table, "lift_hawk 22-33")
    state = table.state()
    assert (state["lifted"], state["lifted_piece"], state["hawks"]) == ("22-33", {"hawk": True}, ["11-22", "66-77"])
    assert len(options(table, "hawk_to")) == 15
    assert "22-33" not in options(table, "hawk_to")
    play(table, "hawk_to 64-75")
    assert table.state()["hawks"] == ["11-22", "64-75", "66-77"]
    assert counters(table, "hawks_moved") == [1, 0, 0]


def test_birds_on_the_corners_scatter_from_the_left_the_active_player_last_then_crows_b12(birds_table):
    table = birds_table(4, {1: "22", 2: "23", 4: "32"}, roll=[5, "hawk"], crows="33")
    play(table, "hawk_to 22-33")
    assert table.state()["scattering"] == [
        {"bird": 1, "from": "22"},
        {"bird": 2, "from": "23"},
        {"bird": 4, "from": "32"},
        {"crow": True, "from": "33"},
    ]
    assert [birds(table, seat) for seat in (1, 2, 4)] == ["", "", ""]
    seen = []
    for start, spot in (("23", "24"), ("32", "31"), ("22", "12"), ("33", "44")):
        seen.append(decides(table))
        assert table.legal() == [{"scatter": start}]
        play(table, f"scatter {start}")
        assert table.state()["moving"]["from"] == start
        seen.append(decides(table))
        play(table, f"displace {spot}")
    owners = [2, 4, 1, 1]
    assert seen == [(seat, kind) for seat in owners for kind in ("scatter", "displace")]
    assert [birds(table, seat) for seat in (1, 2, 4)] == ["12", "24", "31"]
    assert table.state()["crows"] == ["44"]
    assert table.turn == 2
    assert counters(table, "birds_scattered") == [1, 1, 0, 1]


def test_an_owner_chooses_which_lifted_bird_goes_next_b12(birds_table):
    table = birds_table(3, {2: "22 33"}, roll=[5, "hawk"])
    play(table, "hawk_to 22-33")
    assert table.legal() == [{"scatter": "22"}, {"scatter": "33"}]
    play(table, "scatter 33", "displace 44")
    assert table.legal() == [{"scatter": "22"}]


def test_all_are_lifted_before_the_first_moves_b12(birds_table):
    """Seat 3's bird on 33 is no obstacle to seat 2's from 22, and 33 is threatened anyhow; 12 can be entered."""
    table = birds_table(3, {2: "22", 3: "33"}, roll=[5, "hawk"])
    play(table, "hawk_to 22-33", "scatter 22")
    assert options(table, "displace") == ["11", "12", "21"]


def test_nobody_may_scatter_into_another_hawks_threat(birds_table):
    """From 33 the way leads to 34, 43 and 44; the hawk on 24-35 threatens 34."""
    table = birds_table(3, {2: "33"}, roll=[5, "hawk"], hawks="24-35")
    play(table, "hawk_to 22-33", "scatter 33")
    assert options(table, "displace") == ["43", "44"]


def test_a_bird_displaced_on_the_way_moves_at_once_by_its_owner_b12(birds_table):
    table = birds_table(4, {2: "22 23", 3: "24", 4: "32"}, roll=[5, "hawk"])
    play(table, "hawk_to 22-33", "scatter 23", "displace 24")
    assert decides(table) == (3, "displace")
    assert len(table.state()["scattering"]) == 2
    play(table, "displace 34")
    assert decides(table) == (2, "scatter")


def test_each_lifted_bird_begins_a_chain_of_its_own_b10(birds_table):
    """With all diagonals 24 lies beside 23 and 33: the first bird enters it, the second may enter it again."""
    table = birds_table(3, {2: "23 33"}, {"branch_layout": "full"}, roll=[5, "hawk"])
    play(table, "hawk_to 22-33", "scatter 23", "displace 24")
    assert table.state()["closed"] == []
    play(table, "scatter 33")
    assert "24" in options(table, "displace")
    play(table, "displace 24")
    assert (decides(table), table.state()["closed"]) == ((2, "displace"), ["24"])


def test_a_lifted_bird_without_a_way_out_flies_off_at_once_b11(birds_table):
    table = birds_table(3, {2: "23 33"}, roll=[5, "hawk"], crows="13 14 24")
    play(table, "hawk_to 22-33", "scatter 23")
    assert decides(table) == (2, "scatter")
    assert reserve(table, 2) == 5
    play(table, "scatter 33", "displace 43")
    assert table.turn == 2


def test_a_crow_without_a_way_out_flies_to_the_supply_b11(birds_table):
    table = birds_table(3, roll=[5, "hawk"], crows="11", tokens="12 21")
    supply = table.state()["crow_supply"]
    play(table, "hawk_to 11-22", "scatter 11")
    assert table.state()["crow_supply"] == supply + 1
    assert table.state()["crows"] == []


def test_a_crow_that_scatters_displaces_birds_but_no_crow_b8(birds_table):
    table = birds_table(3, {3: "43"}, roll=[5, "hawk"], crows="33 44")
    play(table, "hawk_to 22-33", "scatter 33")
    assert options(table, "displace") == ["34", "43"]
    play(table, "displace 43")
    assert decides(table) == (3, "displace")


def test_a_moved_hawks_old_threat_is_gone_before_the_new_one_scatters_b6(birds_table):
    table = birds_table(3, {2: "33"}, roll=[5, "hawk"], hawks="24-35 44-55 66-77")
    play(table, "lift_hawk 24-35", "hawk_to 22-33", "scatter 33")
    assert options(table, "displace") == ["34", "43"]


def test_a_token_on_a_corner_stays(birds_table):
    table = birds_table(3, roll=[5, "hawk"], tokens="22")
    play(table, "hawk_to 22-33")
    assert table.state()["scattering"] == []
    assert table.state()["tokens"] == ["22"]


# --- special rolls ---


def test_a_hawk_and_a_crow_offer_both_the_crow_anywhere_b18(birds_table):
    table = birds_table(3, {2: "44"}, roll=["crow", "hawk"], crows="11", tokens="12", hands={1: "roll"})
    assert [next(iter(action)) for action in table.legal()] == ["crow_to"] * 47 + ["hawk_to"] * 18 + ["play"]


@pytest.mark.parametrize("roll", [["crow", 7], [7, "hawk"]])
def test_a_card_may_be_played_instead_of_a_special_bird(birds_table, roll):
    table = birds_table(3, roll=roll, hands={1: "roll"})
    assert table.legal()[-1] == {"play": "roll"}
    assert len(table.legal()) > 1


@pytest.mark.parametrize("roll", [["crow", 7], [7, "hawk"], ["crow", "hawk"]])
def test_without_cards_the_special_bird_is_forced_b17(birds_table, roll):
    """No own bird may be placed, and no token."""
    table = birds_table(3, roll=roll, token_supply=12)
    assert {next(iter(action)) for action in table.legal()} <= {"crow_to", "hawk_to"}


# --- landing under a hawk (Hawks, Note; B13) ---


def test_a_bird_rolled_under_a_hawk_slides_on(birds_table):
    """The hawk threatens 22, 23, 32 and 33. From 23 the way leads to 13, 14 and 24."""
    table = birds_table(3, roll=[2, 3], hawks="22-33")
    assert options(table, "place") == ["23", "32"]
    play(table, "place 23")
    assert decides(table) == (1, "slide")
    state = table.state()
    assert (state["moving"], state["closed"]) == ({"bird": 1, "from": "23"}, ["23"])
    assert (birds(table), reserve(table)) == ("", 5)
    assert options(table, "slide") == ["13", "14", "24"]
    play(table, "slide 14")
    assert birds(table) == "14"
    assert table.turn == 2


def test_the_slide_may_displace_and_not_enter_what_a_displaced_bird_may_not_b13(birds_table):
    table = birds_table(4, {1: "13", 2: "14", 3: "24"}, roll=[2, 3], hawks="22-33")
    play(table, "place 23")
    assert options(table, "slide") == ["13", "14"]
    play(table, "slide 14")
    assert decides(table) == (2, "displace")


def test_without_a_slide_it_is_no_place_to_land_b13(birds_table):
    table = birds_table(3, roll=[2, 3], hawks="22-33", crows="13 14 24")
    assert options(table, "place") == ["32"]


def test_a_relocated_bird_may_slide_back_b13(birds_table):
    table = birds_table(3, {1: "13 15 17 51 53 55"}, roll=[2, 3], hawks="22-33", crows="14 24 31 41 42")
    assert options(table, "lift") == ["13", "15", "17", "51", "53", "55"]
    play(table, "lift 13")
    assert table.legal() == [{"place": "23"}]
    play(table, "place 23")
    assert table.legal() == [{"slide": "13"}]
    play(table, "slide 13")
    assert birds(table) == "13 15 17 51 53 55"


def test_a_rolled_crow_slides_on_too_by_the_active_player_b13(birds_table):
    table = birds_table(4, {3: "14"}, roll=["crow", 2], active=2, hawks="22-33", crows="13")
    play(table, "crow_to 23")
    assert decides(table) == (2, "slide")
    assert table.state()["moving"] == {"crow": True, "from": "23"}
    assert options(table, "slide") == ["14", "24"]
    play(table, "slide 14")
    assert decides(table) == (3, "displace")


def test_a_rolled_crow_without_a_slide_may_not_land_b13(birds_table):
    table = birds_table(3, roll=["crow", 2], hawks="22-33", crows="13 14 24")
    assert "23" not in options(table, "crow_to")
    assert "22" in options(table, "crow_to")


def test_a_moved_crow_may_slide_back_b13(birds_table):
    """13 is the only way from 23; the crow that stands there may use it, no other may."""
    table = birds_table(3, roll=["crow", 2], hawks="22-33", crows="13 14 24 51 53 55")
    play(table, "lift_crow 13")
    assert "23" in options(table, "crow_to")
    table = birds_table(3, roll=["crow", 2], hawks="22-33", crows="13 14 24 51 53 55")
    play(table, "lift_crow 51")
    assert "23" not in options(table, "crow_to")


def test_hawks_may_have_no_dot_left(birds_table):
    """A 4x4 board has 5 dots."""
    rules = {"board_size": {"2": 4}, "hawks": 6}
    dots = "11-22 13-24 22-33 31-42 33-44"
    table = birds_table(2, rules=rules, roll=[1, "hawk"], hawks=dots, hawk_supply=1, hands={1: "roll shoo"})
    assert table.legal() == [{"play": "roll"}, {"play": "shoo"}]
    play(table, "play shoo")
    assert table.legal() == [{"remove_hawk": dot} for dot in dots.split()]
