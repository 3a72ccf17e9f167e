"""Flockers: a turn (Playing a Turn), and the actions but for flying (Actions; K1, K2, K12 to K19)."""

from __future__ import annotations

import pytest

from tests.rules.flockers_positions import (
    acts,
    birds,
    end,
    flock_deck,
    fly,
    hand,
    moment,
    options,
    pass_by,
    play,
    remove,
    take,
    use,
    where,
)

# --- 1. Add a bird to your flock ---


def test_k1_the_first_bird_is_the_lead_bird(flockers_table):
    table = flockers_table(hands={1: "AW13 AB13"})
    assert table.legal() == [{"play": "AW13", "to": "lead"}, {"play": "AB13", "to": "lead"}]
    play(table, "AB13")
    assert birds(table) == "AB13"
    assert hand(table) == ["AW13"]


def test_k1_later_birds_go_to_the_end_of_a_row(flockers_table):
    table = flockers_table(flocks={1: "AW13 / AW01"}, hands={1: "AB13 JW13"})
    rows = ("top", "bottom")
    assert table.legal() == [{"play": card, "to": row} for card in ("AB13", "JW13") for row in rows]
    twin = table.copy()
    play(table, "JW13", "top")
    assert birds(table) == "AW13 / AW01 JW13"
    play(twin, "JW13", "bottom")
    assert birds(twin) == "AW13 / AW01 / JW13"


def test_k1_a_row_has_room_for_three(flockers_table):
    table = flockers_table(flocks={1: "AW13 / AW01 AW02 AW03 / AW04 AW05"}, hands={1: "AB13"})
    assert table.legal() == [{"play": "AB13", "to": "bottom"}]
    table = flockers_table(flocks={1: "AW13 / AW01 AW02 / AW03 AW04 AW05"}, hands={1: "AB13"})
    assert table.legal() == [{"play": "AB13", "to": "top"}]


def test_k2_adding_is_mandatory_and_every_action_optional(flockers_table):
    table = flockers_table(hands={1: "AW07"})
    assert [list(action) for action in table.legal()] == [["play", "to"]]
    play(table, "AW07")
    assert acts(table) == ["card main navigate"]
    end(table)
    assert table.decision == "replenish"


def test_the_end_is_asked_even_of_a_card_that_can_do_nothing(flockers_table):
    table = flockers_table(rules={"flock_cards": flock_deck()}, hands={1: "P01"})
    play(table, "P01")
    assert table.decision == "act"
    assert table.legal() == [{"end": True}]


# --- K2: actions that would do nothing ---


def test_k2_no_navigating_without_terrain_cards(flockers_table):
    table = flockers_table(hands={1: "AW07"}, no_terrain=True, path="T13")
    play(table, "AW07")
    assert acts(table) == []


def test_k2_no_flight_of_no_step(flockers_table):
    table = flockers_table(hands={1: "AW01"}, path="T19")
    play(table, "AW01")
    assert acts(table) == []
    table = flockers_table(hands={1: "AW01"}, path="T13", at={1: "1 forest"})
    play(table, "AW01")
    assert acts(table) == []


def test_k2_no_swap_with_one_bird(flockers_table):
    table = flockers_table(hands={1: "AW14"})
    play(table, "AW14")
    assert acts(table) == []
    table = flockers_table(flocks={1: "AB13"}, hands={1: "AW14"})
    play(table, "AW14", "top")
    assert acts(table) == ["card main swap"]


def test_k2_k15_no_lead_whose_bird_could_do_nothing(flockers_table):
    table = flockers_table(flocks={1: "AB01"}, hands={1: "AW16"}, path="T15")
    play(table, "AW16", "top")
    assert acts(table) == []


# --- 2. Replenish your hand ---


def test_k17_one_card_from_the_display_whose_slot_is_filled(flockers_table):
    table = flockers_table(hands={1: "AW13 JB01"}, display="AB03 AB01 AB02", top="JW05")
    play(table, "AW13")
    end(table)
    assert options(table, "take") == ["AB03", "AB01", "AB02"]
    assert len(table.legal()) == 3
    assert take(table, "AB01") == [{"show": "JW05"}]
    assert table.state()["flock_display"] == ["AB03", "JW05", "AB02"]
    assert hand(table) == ["AB01", "JB01"]
    assert moment(table) == (2, 2, "play")


@pytest.mark.parametrize("card", ["AB03", "AB02"])
def test_k17_at_both_ends_of_the_display(flockers_table, card):
    table = flockers_table(hands={1: "AW13"}, display="AB03 AB01 AB02", top="JW05")
    play(table, "AW13")
    end(table)
    take(table, card)
    assert table.state()["flock_display"] == ["JW05" if shown == card else shown for shown in ("AB03", "AB01", "AB02")]


def test_k17_or_one_from_the_deck(flockers_table):
    table = flockers_table(rules={"draw_from_deck": True}, hands={1: "AW13"}, display="AB03 AB01 AB02", top="JW05 JW06")
    play(table, "AW13")
    end(table)
    assert table.legal() == [{"take": "AB03"}, {"take": "AB01"}, {"take": "AB02"}, {"draw": True}]
    assert table.apply({"draw": True}) == [{"draw": "JW05"}]
    assert hand(table) == ["JW05"]
    assert table.state()["flock_display"] == ["AB03", "AB01", "AB02"]
    assert table.state()["draw_pile"][0] == "JW06"


def test_k17_a_draw_from_an_empty_deck_reshuffles_first(flockers_table):
    table = flockers_table(rules={"draw_from_deck": True}, hands={1: "AW13"}, rest="discard")
    before = table.state()["discard"]
    play(table, "AW13")
    end(table)
    shuffled, drawn = table.apply({"draw": True})
    assert shuffled == {"flock_deck": "shuffled"}
    state = table.state()
    assert sorted([drawn["draw"], *state["draw_pile"]]) == sorted(before)
    assert state["discard"] == []
    assert hand(table) == [drawn["draw"]]


def test_k18_the_discard_becomes_a_deck_when_a_card_is_needed(flockers_table):
    table = flockers_table(hands={1: "AW13"}, rest="discard", top="JW05")
    before = table.state()["discard"]
    play(table, "AW13")
    end(table)
    assert take(table) == [{"show": "JW05"}]  # the last card of the deck; nothing is shuffled yet
    assert table.state()["discard"] == before
    assert table.state()["draw_pile"] == []
    shuffled, shown = pass_by(table)
    assert shuffled == {"flock_deck": "shuffled"}
    state = table.state()
    assert state["discard"] == []
    assert sorted([shown["show"], *state["draw_pile"]]) == sorted(before)
    assert state["draw_pile"] != before[1:]


def test_a_display_that_nothing_can_fill_closes_up(flockers_table):
    """No deck that is allowed comes to this; a position may."""
    table = flockers_table(hands={1: "AW13"}, display="AB03 AB01 AB02", draw_pile=[], discard=[])
    play(table, "AW13")
    end(table)
    assert take(table, "AB03") == []
    assert table.state()["flock_display"] == ["AB01", "AB02"]


def test_nothing_to_replenish_from_is_not_asked(flockers_table):
    where_nothing_is = {"flock_display": [], "draw_pile": [], "discard": []}
    table = flockers_table(hands={1: "AW13"}, rules={"draw_from_deck": True}, **where_nothing_is)
    play(table, "AW13")
    end(table)
    assert moment(table) == (2, 2, "play")


# --- Navigate ---


def test_navigate_puts_a_terrain_card_at_the_end_of_the_path(flockers_table):
    table = flockers_table(hands={1: "AW07"}, path="T13", maps="T05 T01 T02", next_terrain="T28 T27")
    play(table, "AW07")
    use(table, "card main navigate")
    assert options(table, "add") == ["T05", "T01", "T02"]
    assert table.apply({"add": "T01"}) == [{"show_terrain": "T28"}]
    state = table.state()
    assert state["path"] == ["T13", "T01"]
    assert state["terrain_display"] == ["T05", "T28", "T02"]
    assert state["terrain_deck"][0] == "T27"
    assert acts(table) == []


def test_k19_without_a_terrain_deck_the_display_shrinks(flockers_table):
    table = flockers_table(flocks={1: "AW08 / AW09"}, hands={1: "AW06"}, path="T13", maps="T05 T12", no_terrain=True)
    play(table, "AW06", "top")
    use(table, "card main navigate")
    assert table.apply({"add": "T05"}) == []
    assert table.state()["terrain_display"] == ["T12"]


# --- Graze ---


def grazing(flockers_table, flocks, card="AW10", to="top", **more):
    table = flockers_table(flocks={1: flocks}, hands={1: card}, **more)
    play(table, card, to)
    use(table, "card main graze")
    return table


def test_matts_graze(flockers_table):
    """Graze: one bird without the icon from the top row and the lead bird, which shows it; the third stays."""
    table = grazing(flockers_table, "AB10 / JW01 JW02 / AB01")
    assert options(table, "remove") == ["lead", "top-1", "top-2", "top-3", "bottom-1"]
    table.apply({"remove": "lead"})
    assert table.legal()[-1] == {"stop": True}
    table.apply({"remove": "top-1"})
    assert table.legal() == [{"remove": "top-3"}, {"stop": True}]
    assert table.state()["chosen"] == ["lead", "top-1"]
    assert birds(table) == "AB10 / JW01 JW02 AW10 / AB01"
    table.apply({"stop": True})
    assert table.legal() == [{"slide": "top"}, {"slide": "bottom"}]
    table.apply({"slide": "top"})
    assert birds(table) == "JW02 / AW10 / AB01"
    assert table.state()["discard"][-2:] == ["AB10", "JW01"]
    assert table.state()["chosen"] == []


def test_k13_at_least_one_bird_grazes(flockers_table):
    table = grazing(flockers_table, "AW01 / AW02")
    assert {"stop": True} not in table.legal()


def test_k13_at_most_one_without_the_icon(flockers_table):
    table = grazing(flockers_table, "AW01 / AW02 / AW03")
    table.apply({"remove": "lead"})
    assert table.legal() == [{"remove": "top-2"}, {"stop": True}]


def test_k13_any_number_with_the_icon_and_none_without(flockers_table):
    table = grazing(flockers_table, "AB10 / JW10 / AW03")
    table.apply({"remove": "lead"})
    table.apply({"remove": "top-1"})
    table.apply({"remove": "top-2"})
    table.apply({"stop": True})
    assert table.decision == "slide"
    table.apply({"slide": "bottom"})
    assert birds(table) == "AW03"


def test_k13_the_icon_of_a_bonus_that_is_not_identified_counts(flockers_table):
    """JB14's graze needs two juvenile blue geese."""
    table = grazing(flockers_table, "AW01 / JB14 / AW03")
    table.apply({"remove": "lead"})
    assert options(table, "remove") == ["top-1", "top-2"]


def test_k13_birds_are_chosen_in_the_order_of_places(flockers_table):
    table = grazing(flockers_table, "AB10 / JW10 / AB13")
    table.apply({"remove": "top-1"})
    assert options(table, "remove") == ["top-2", "bottom-1"]


def test_k13_nothing_is_asked_when_none_can_go_along(flockers_table):
    """AW10 itself could, but comes before the one chosen."""
    table = grazing(flockers_table, "AB10 / JW01", to="top")
    table.apply({"remove": "top-2"})
    assert table.decision == "act"
    assert birds(table) == "AB10 / JW01"


def test_k13_the_card_just_played_may_go(flockers_table):
    table = grazing(flockers_table, "AW01")
    remove(table, "top-1")
    assert birds(table) == "AW01"


def test_k13_removed_together_then_one_slide(flockers_table):
    """The lead and the first of the top row leave at once: the second one slides up, not the first."""
    table = grazing(flockers_table, "AB10 / AB13 JW01")
    remove(table, "lead", "top-1")
    assert table.legal() == [{"slide": "top"}]
    table.apply({"slide": "top"})
    assert birds(table) == "JW01 / AW10"


def test_a_row_closes_up(flockers_table):
    table = grazing(flockers_table, "AW01 / AW02 / AW03 AW04 AW05")
    remove(table, "bottom-1")
    assert birds(table) == "AW01 / AW02 AW10 / AW04 AW05"


def test_k12_the_owner_chooses_the_row_that_slides(flockers_table):
    table = grazing(flockers_table, "AW01 / AW02 / AW03 AW04")
    remove(table, "lead")
    table.apply({"slide": "bottom"})
    assert birds(table) == "AW03 / AW02 AW10 / AW04"


def test_k12_after_an_empty_flock_the_next_card_leads(flockers_table):
    table = flockers_table(hands={1: "AW10 AW01", 2: "AB01"})
    play(table, "AW10")
    use(table, "card main graze")
    remove(table, "lead")
    assert birds(table) == ""
    end(table)
    take(table)
    pass_by(table)
    assert set(options(table, "to")) == {"lead"}
    play(table, "AW01")
    assert birds(table) == "AW01"


# --- Swap ---


def test_k16_any_two_cards_the_one_just_played_included(flockers_table):
    table = flockers_table(flocks={1: "AW01 / AW02 / AW03"}, hands={1: "AB14"})
    play(table, "AB14", "top")
    use(table, "card main swap")
    named = ("lead", "top-1", "top-2", "bottom-1")
    assert options(table, "swap") == [[a, b] for i, a in enumerate(named) for b in named[i + 1 :]]
    table.apply({"swap": ["lead", "top-2"]})
    assert birds(table) == "AB14 / AW02 AW01 / AW03"


def test_swapping_between_the_rows(flockers_table):
    table = flockers_table(flocks={1: "AW01 / AW02 / AW03"}, hands={1: "AB14"})
    play(table, "AB14", "top")
    use(table, "card main swap")
    table.apply({"swap": ["top-1", "bottom-1"]})
    assert birds(table) == "AW01 / AW03 AB14 / AW02"


# --- Identify, bonus actions ---


def test_k14_a_bonus_needs_the_stated_number_of_geese_of_its_type(flockers_table):
    """AW11 needs two adult white geese, itself included."""
    table = flockers_table(flocks={1: "AB13 / JW13"}, hands={1: "AW11"})
    play(table, "AW11", "top")
    assert acts(table) == ["card main graze"]
    table = flockers_table(flocks={1: "AB13 / AW13"}, hands={1: "AW11"})
    play(table, "AW11", "top")
    assert acts(table) == ["card main graze", "card bonus navigate"]


def test_k14_judged_when_it_is_used(flockers_table):
    table = flockers_table(flocks={1: "AB13 / AW13"}, hands={1: "AW11"})
    play(table, "AW11", "top")
    use(table, "card main graze")
    remove(table, "top-1")
    assert birds(table) == "AB13 / AW11"
    assert acts(table) == []


def test_k14_before_the_main_action_or_after_it(flockers_table):
    table = flockers_table(flocks={1: "AB13 / AW13"}, hands={1: "AW11"})
    play(table, "AW11", "top")
    use(table, "card bonus navigate")
    table.apply(table.legal()[0])
    assert acts(table) == ["card main graze"]


def test_k14_the_card_must_still_be_in_the_flock(flockers_table):
    table = flockers_table(flocks={1: "AB13 / AW13 AW01"}, hands={1: "AW11"})
    play(table, "AW11", "top")
    use(table, "card main graze")
    remove(table, "top-3")
    assert acts(table) == []


def test_k14_the_bonus_of_an_earlier_card_does_not_come_back(flockers_table):
    table = flockers_table(flocks={1: "AW11 / AW13"}, hands={1: "AW01"}, path="T13")
    play(table, "AW01", "top")
    assert acts(table) == []


def test_a_bonus_of_a_card_without_a_main_action(flockers_table):
    deck = flock_deck("B1,adult-white,,,1,navigate,")
    table = flockers_table(rules={"flock_cards": deck}, hands={1: "B1"})
    play(table, "B1")
    assert acts(table) == ["card bonus navigate"]


def test_several_bonus_actions_each_once(flockers_table):
    """Equal ones are listed once while one is unused; K14 lets them come in any order."""
    deck = flock_deck("B4,adult-white,graze,,1,navigate swap navigate graze,")
    table = flockers_table(rules={"flock_cards": deck}, flocks={1: "P01"}, hands={1: "B4"})
    play(table, "B4", "top")
    bonuses = ["card bonus navigate", "card bonus swap", "card bonus graze"]
    assert acts(table) == ["card main graze", *bonuses]
    use(table, "card bonus navigate")
    table.apply(table.legal()[0])
    assert table.state()["used"]["bonus"] == [0]
    assert acts(table) == ["card main graze", "card bonus swap", "card bonus navigate", "card bonus graze"]
    use(table, "card bonus navigate")
    table.apply(table.legal()[0])
    assert table.state()["used"]["bonus"] == [0, 2]
    assert acts(table) == ["card main graze", "card bonus swap", "card bonus graze"]


# --- Lead ---


def leading(flockers_table, flocks, card="AW16", to="top", **more):
    table = flockers_table(flocks={1: flocks}, hands={1: card}, **more)
    play(table, card, to)
    return table


def test_matts_lead(flockers_table):
    """Lead: three adult white geese in the flock: the lead bird's navigate first, then its bonus, a flight."""
    table = leading(flockers_table, "AW06 / AW01 / JB13", path="T04", at={1: "1 forest"}, maps="T01 T02 T05")
    use(table, "lead main navigate")
    table.apply({"add": "T01"})
    state = table.state()
    assert state["activated"] == "AW06"
    assert state["used"] == {"main": True, "bonus": [], "lead_main": True, "lead_bonus": []}
    use(table, "lead bonus fly")
    fly(table, 2, "mountain")
    assert where(table) == "2 mountain"
    assert table.state()["used"]["lead_bonus"] == [0]


def test_k15_either_part_of_the_lead_bird_first(flockers_table):
    table = leading(flockers_table, "AW11 / AW01", card="AW17", path="T13", at={1: "1 forest"})
    assert acts(table) == ["lead main graze", "lead bonus navigate"]
    use(table, "lead bonus navigate")
    table.apply(table.legal()[0])
    assert acts(table) == ["lead main graze"]


def test_k15_only_the_bonus_of_a_lead_card(flockers_table):
    """AW16 leads: its own Lead does not count, its bonus flight needs three adult white geese."""
    table = leading(flockers_table, "AW16 / AW01", card="AB16", path="T13")
    assert acts(table) == []
    table = leading(flockers_table, "AW16 / AW01 AW05", card="AB16", path="T13")
    assert acts(table) == ["lead bonus fly"]


def test_k15_a_lead_card_that_is_lead_activates_its_own_bonus(flockers_table):
    """It is the lead bird itself, so its bonus comes twice: as the card just played and by its Lead."""
    deck = flock_deck("L1,adult-white,lead,,1,navigate,")
    table = flockers_table(rules={"flock_cards": deck}, hands={1: "L1"})
    play(table, "L1")
    assert acts(table) == ["card bonus navigate", "lead bonus navigate"]
    use(table, "card bonus navigate")
    table.apply(table.legal()[0])
    assert acts(table) == ["lead bonus navigate"]
    assert table.state()["activated"] is None
    use(table, "lead bonus navigate")
    table.apply(table.legal()[0])
    assert table.state()["activated"] == "L1"
    assert acts(table) == []


def test_k15_the_bird_that_leads_when_the_first_part_is_used(flockers_table):
    """A swap by the card's own bonus brings another lead bird first."""
    deck = flock_deck("L1,adult-white,lead,,1,swap,", "N1,adult-blue,navigate,,,,", "G1,adult-blue,graze,,,,")
    table = flockers_table(rules={"flock_cards": deck}, flocks={1: "G1 / N1"}, hands={1: "L1"})
    play(table, "L1", "top")
    assert acts(table) == ["card bonus swap", "lead main graze"]
    use(table, "card bonus swap")
    table.apply({"swap": ["lead", "top-1"]})
    assert acts(table) == ["lead main navigate"]


def test_k15_fixed_from_then_on_wherever_swaps_move_it(flockers_table):
    deck = flock_deck("L1,adult-white,lead,,1,graze,", "S1,adult-blue,swap,,1,navigate,", "N1,adult-blue,graze,,,,")
    table = flockers_table(rules={"flock_cards": deck}, flocks={1: "S1 / N1"}, hands={1: "L1"})
    play(table, "L1", "top")
    use(table, "lead main swap")
    table.apply({"swap": ["lead", "top-1"]})
    assert birds(table) == "N1 / S1 L1"
    assert acts(table) == ["card bonus graze", "lead bonus navigate"]


def test_k15_beginning_it_needs_the_played_card_in_the_flock(flockers_table):
    deck = flock_deck("L1,adult-white,lead,,1,graze,", "N1,adult-blue,navigate,,,,")
    table = flockers_table(rules={"flock_cards": deck}, flocks={1: "N1"}, hands={1: "L1"})
    play(table, "L1", "top")
    use(table, "card bonus graze")
    remove(table, "top-1")
    assert acts(table) == []


def test_k15_its_later_part_needs_only_the_activated_bird(flockers_table):
    deck = flock_deck("L1,adult-white,lead,,,,", "G1,adult-blue,graze,,1,navigate,")
    rules = {"flock_cards": deck}
    table = leading(flockers_table, "G1", card="L1", rules=rules)
    use(table, "lead main graze")
    remove(table, "top-1")
    assert birds(table) == "G1"
    assert acts(table) == ["lead bonus navigate"]
    table = leading(flockers_table, "G1", card="L1", rules=rules)
    use(table, "lead main graze")
    remove(table, "lead")
    table.apply({"slide": "top"})
    assert acts(table) == []


def test_k15_parts_interleave_with_the_played_cards_own_bonus(flockers_table):
    deck = flock_deck("L1,adult-white,lead,,1,swap,", "G1,adult-blue,graze,,1,navigate,")
    table = leading(flockers_table, "G1 / P01", card="L1", rules={"flock_cards": deck})
    use(table, "lead bonus navigate")
    table.apply(table.legal()[0])
    use(table, "card bonus swap")
    table.apply({"swap": ["lead", "top-2"]})
    assert acts(table) == ["lead main graze"]


def test_k15_a_lead_once_begun_does_not_begin_again(flockers_table):
    """The activated bird has left; the played card is there still, and another bird leads."""
    deck = flock_deck("L1,adult-white,lead,,,,", "G1,adult-blue,graze,,,,", "N1,adult-blue,navigate,,,,")
    table = leading(flockers_table, "G1 / N1", card="L1", rules={"flock_cards": deck})
    use(table, "lead main graze")
    remove(table, "lead")
    table.apply({"slide": "top"})
    assert birds(table) == "N1 / L1"
    assert acts(table) == []


def test_k15_a_lead_bird_without_a_main_action(flockers_table):
    deck = flock_deck("L1,adult-white,lead,,,,", "B1,adult-blue,,,1,navigate,")
    table = leading(flockers_table, "B1", card="L1", rules={"flock_cards": deck})
    assert acts(table) == ["lead bonus navigate"]
