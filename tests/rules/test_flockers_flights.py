"""Flockers: flying along the flock (Fly; Identify; K3 to K8)."""

from __future__ import annotations

import pytest

from tests.rules.flockers_positions import (
    acts,
    birds,
    flock_deck,
    fly,
    options,
    play,
    spaces,
    terrain_deck,
    use,
    where,
)


def about_to_fly(flockers_table, flocks, card, to, path, **more):
    """Seat 1 on card 1 of the path has played a card and uses its fly action."""
    table = flockers_table(flocks={1: flocks}, hands={1: card}, path=path, at={1: "1 mountain"}, **more)
    play(table, card, to)
    use(table, "card main fly")
    return table


def test_matts_fly_along_the_bottom_row(flockers_table):
    """Actions, Fly: the action goes to the top row, the flight to mountain and then forest along the bottom row."""
    table = about_to_fly(flockers_table, "AW13 / AB13 / AW01 AW02", "AW04", "top", "T13 T15 T20 T12")
    assert spaces(table) == ["2 mountain", "3 forest"]
    fly(table, 3, "forest")
    assert where(table) == "3 forest"
    assert table.decision == "act"


def test_a_flight_begins_with_the_lead_bird(flockers_table):
    table = about_to_fly(flockers_table, "AW02 / AW01", "AW04", "top", "T13 T04 T01 T12 T07")
    assert spaces(table) == ["2 forest", "3 mountain", "4 lake"]


def test_a_flight_may_stop_short_anywhere(flockers_table):
    table = about_to_fly(flockers_table, "AW02 / AW01", "AW04", "top", "T13 T04 T01 T12 T07")
    fly(table, 2, "forest")
    assert where(table) == "2 forest"


def test_a_flight_ends_with_the_path(flockers_table):
    table = about_to_fly(flockers_table, "AW02 / AW01", "AW04", "top", "T13 T04 T01")
    assert spaces(table) == ["2 forest", "3 mountain"]


def test_from_the_start_the_first_card_is_the_paths_first(flockers_table):
    table = flockers_table(flocks={1: "AW02"}, hands={1: "AW01"}, path="T13 T01")
    play(table, "AW01", "top")
    use(table, "card main fly")
    assert spaces(table) == ["1 forest", "2 mountain"]


def test_several_tokens_share_a_space(flockers_table):
    table = flockers_table(flocks={1: "AW02"}, hands={1: "AW01"}, path="T13 T01", at={2: "1 forest"})
    play(table, "AW01", "top")
    use(table, "card main fly")
    fly(table, 1, "forest")
    assert (where(table, 1), where(table, 2)) == ("1 forest", "1 forest")


def test_k5_the_row_is_chosen_for_each_flight(flockers_table):
    """Both rows reach card 2 by the lead bird: one option; then each goes on by itself, mountain before field."""
    table = about_to_fly(flockers_table, "AB01 / AW03 / AB04 AW09", "AW04", "bottom", "T13 T04 T15 T12 T18")
    assert spaces(table) == ["2 forest", "3 mountain", "3 field", "4 lake", "5 lake"]


def test_k5_spaces_of_one_card_are_listed_as_the_terrains_are(flockers_table):
    table = about_to_fly(flockers_table, "AW13 / AW04 / AW01", "AW03", "top", "T13 T25 T08")
    assert spaces(table) == ["2 mountain", "2 lake", "3 field"]


def test_k5_the_other_row_than_the_one_reached_still_counts_its_own_terrain(flockers_table):
    """The top row's lake ends at card 2; only the bottom row's second goose reaches card 3."""
    table = about_to_fly(flockers_table, "AW13 / AW04 / AW01 AW02", "AW03", "top", "T13 T25 T04")
    assert spaces(table) == ["2 mountain", "2 lake", "3 forest"]


# --- K3: geese without an icon ---


def test_k3_geese_without_an_icon_are_skipped(flockers_table):
    table = about_to_fly(flockers_table, "AW13 / AW01 AB13", "AW02", "top", "T13 T15 T20")
    assert spaces(table) == ["2 mountain", "3 forest"]


def test_k3_or_they_stop_a_flight_that_has_begun(flockers_table):
    flocks, path = "AW13 / AW01 AB13", "T13 T15 T20"
    table = about_to_fly(flockers_table, flocks, "AW02", "top", path, rules={"iconless": "stop"})
    assert spaces(table) == ["2 mountain"]


def test_k3_a_bonus_that_is_not_identified_is_no_icon(flockers_table):
    """JB05 needs two juvenile blue geese for its lakes."""
    flocks, path = "AW01 / JB05", "T13 T15 T20 T12"
    assert spaces(about_to_fly(flockers_table, flocks, "AW02", "top", path)) == ["2 mountain", "3 forest"]
    stopping = about_to_fly(flockers_table, flocks, "AW02", "top", path, rules={"iconless": "stop"})
    assert spaces(stopping) == ["2 mountain"]


# --- K4: icons that do not match ---


def test_k4_an_icon_that_does_not_match_ends_the_flight(flockers_table):
    table = about_to_fly(flockers_table, "AW01 / AB02", "AW02", "top", "T13 T15 T04 T05")
    assert spaces(table) == ["2 mountain"]


def test_k4_before_any_step_too(flockers_table):
    table = flockers_table(flocks={1: "AB02"}, hands={1: "AW02"}, path="T13 T04", at={1: "1 mountain"})
    play(table, "AW02", "top")
    assert acts(table) == []


def test_k4_or_it_is_passed_over(flockers_table):
    flocks, path = "AW01 / AB02", "T13 T15 T04 T05"
    table = about_to_fly(flockers_table, flocks, "AW02", "top", path, rules={"mismatch": "skip"})
    assert spaces(table) == ["2 mountain", "3 forest"]


def test_k4_a_matching_icon_is_never_declined(flockers_table):
    """Declining AW02's forest on card 2 would let AW01 fly to its mountain and AB02 to the field of card 3."""
    flocks, path = "AW02 / AW01 AB02", "T13 T14 T12 T07"
    table = about_to_fly(flockers_table, flocks, "AW04", "top", path, rules={"mismatch": "skip"})
    assert spaces(table) == ["2 forest", "3 lake"]


def test_k3_k4_an_icon_passed_over_is_the_first_icon_too(flockers_table):
    both = {"iconless": "stop", "mismatch": "skip"}
    table = about_to_fly(flockers_table, "AB02 / AB13 / AW02", "AW04", "bottom", "T13 T04 T12", rules=both)
    assert spaces(table) == ["2 forest", "3 lake"]
    table = flockers_table(
        flocks={1: "AB02 / AB13"}, hands={1: "AW02"}, path="T13 T04", at={1: "1 mountain"}, rules=both
    )
    play(table, "AW02", "top")
    assert acts(table) == []


# --- K6, K7: bonus terrain ---


def test_k7_bonus_terrain_counts_when_enough_geese_are_identified(flockers_table):
    """AW05 needs two adult white geese, itself included."""
    table = about_to_fly(flockers_table, "AW05", "AW02", "top", "T13 T15 T16 T04")
    assert spaces(table) == ["2 mountain", "3 mountain", "4 forest"]
    table = about_to_fly(flockers_table, "AW05", "AB01", "top", "T13 T14 T16 T04")
    assert spaces(table) == ["2 forest"]


def test_k7_of_any_bird_of_the_row_flown(flockers_table):
    table = about_to_fly(flockers_table, "AB13 / AW17 / AW01", "AW02", "bottom", "T13 T15 T16 T04")
    assert spaces(table) == ["2 mountain", "2 field", "3 field"]


def test_a_flight_may_stop_in_the_middle_of_bonus_terrain(flockers_table):
    table = about_to_fly(flockers_table, "AW05", "AW02", "top", "T13 T15 T16 T04")
    fly(table, 2, "mountain")
    assert where(table) == "2 mountain"


def test_k4_a_bonus_icon_that_does_not_match_ends_the_flight(flockers_table):
    table = about_to_fly(flockers_table, "AW05", "AW02", "top", "T13 T15 T04 T05")
    assert spaces(table) == ["2 mountain"]
    table = about_to_fly(flockers_table, "AW05", "AW02", "top", "T13 T15 T04 T06", rules={"mismatch": "skip"})
    assert spaces(table) == ["2 mountain", "3 forest"]


RICH = flock_deck(
    "RICH,adult-white,fly,lake,1,,mountain forest field",
    "POOR,adult-white,fly,lake,2,,mountain forest field",
)


def test_k6_the_top_icon_comes_first_then_the_bonus_from_left_to_right(flockers_table):
    table = flockers_table(rules={"flock_cards": RICH}, hands={1: "RICH"}, path="T21 T01 T04 T07 T12")
    play(table, "RICH")
    use(table, "card main fly")
    assert spaces(table) == ["1 lake", "2 mountain", "3 forest", "4 field"]


def test_k6_a_card_that_identifies_nothing_has_its_top_icon_only(flockers_table):
    table = flockers_table(rules={"flock_cards": RICH}, hands={1: "POOR"}, path="T21 T01 T04 T07")
    play(table, "POOR")
    use(table, "card main fly")
    assert spaces(table) == ["1 lake"]


def test_a_flight_of_all_the_steps_that_cards_allow(flockers_table):
    """Four birds of five icons each."""
    cards = [f"C{number},adult-white,fly,lake,4,,forest forest forest forest" for number in range(4)]
    deck = terrain_deck(*(f"L{number} {'lake' if number % 5 == 0 else 'forest'}" for number in range(20)))
    table = flockers_table(
        rules={"flock_cards": flock_deck(*cards), "terrain_cards": deck},
        flocks={1: "C0 / C1 C2"},
        hands={1: "C3"},
        path=" ".join(f"L{number}" for number in range(20)),
    )
    play(table, "C3", "top")
    use(table, "card main fly")
    assert spaces(table) == [f"{number + 1} {'lake' if number % 5 == 0 else 'forest'}" for number in range(20)]


# --- K8: where a flight ends ---


def test_matts_stop_at_the_fox(flockers_table):
    """Encounters: the flock shows field, field, mountain; the flight could go on but stops at the fox."""
    table = about_to_fly(flockers_table, "AW03 / AB02", "AW01", "top", "T13 T07 T27 T01")
    assert spaces(table) == ["2 field", "3 field", "4 mountain"]
    fly(table, 3, "field")
    assert table.decision == "fox"
    assert options(table, "remove") == ["lead", "top-1", "top-2"]
    table.apply({"remove": "top-1"})
    assert birds(table) == "AW03 / AW01"
    assert table.state()["discard"][-1] == "AB02"


def test_k8_an_encounter_flown_over_is_not_met(flockers_table):
    table = about_to_fly(flockers_table, "AW03 / AB02", "AW01", "top", "T13 T07 T27 T01")
    fly(table, 4, "mountain")
    assert table.decision == "act"


def test_k8_nor_is_one_beside_the_terrain_flown_to(flockers_table):
    table = about_to_fly(flockers_table, "AB01", "AW02", "top", "T13 T27")
    fly(table, 2, "forest")
    assert table.decision == "act"


def test_k8_nor_the_one_that_a_token_stays_on(flockers_table):
    """Navigating from a fox does not bring it again."""
    table = flockers_table(flocks={1: "AW13"}, hands={1: "AW07"}, path="T27", at={1: "1 field"})
    play(table, "AW07", "top")
    use(table, "card main navigate")
    table.apply(table.legal()[0])
    assert acts(table) == []


@pytest.mark.parametrize("action", ["card main fly", "card bonus fly"])
def test_every_way_to_fly_meets_what_is_there(flockers_table, action):
    deck = flock_deck("MAIN,adult-white,fly,field,1,fly,")
    table = flockers_table(rules={"flock_cards": deck}, hands={1: "MAIN"}, path="T27")
    play(table, "MAIN")
    use(table, action)
    fly(table, 1, "field")
    assert table.decision == "fox"
