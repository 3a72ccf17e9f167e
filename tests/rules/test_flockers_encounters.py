"""Flockers: what is met at the end of a movement (Encounters; K8 to K12)."""

from __future__ import annotations

import pytest

from tests.rules.flockers_positions import (
    acts,
    birds,
    end,
    end_reason,
    fly,
    moment,
    options,
    play,
    spaces,
    use,
    where,
)

FOX, EAGLE, DECOY = "T27", "T25", "T19"  # field, mountain and forest


def met(flockers_table, flocks, card, space, to="top", **more):
    """Seat 1 has played a card and flown to a space of the path's only card."""
    table = flockers_table(flocks={1: flocks}, hands={1: card}, **more)
    play(table, card, to)
    use(table, "card main fly")
    fly(table, 1, space)
    return table


# --- Decoy ---


@pytest.mark.parametrize(
    ("flocks", "shapes"),
    [
        ("AW02", [[0, 1], [1, 0]]),
        ("AW02 / AB13 AB01", [[0, 3], [1, 2], [2, 1], [3, 0]]),
        ("AW02 / AB13 AB01 AB02", [[1, 3], [2, 2], [3, 1]]),
        ("AW02 / AB13 AB01 AB02 / AB03 AB04", [[3, 3]]),
    ],
)
def test_k10_any_split_with_three_in_a_row_at_most(flockers_table, flocks, shapes):
    table = met(flockers_table, flocks, "AW01", "forest", to="bottom", path=DECOY)
    assert table.decision == "decoy"
    assert options(table, "rows") == shapes


def test_k10_cards_fall_at_random_the_one_just_played_too(flockers_table):
    table = met(flockers_table, "AW02 / AB13 AB01", "AW01", "forest", path=DECOY)
    chance = table.apply({"rows": [1, 2]})
    formation = table.state()["flocks"]["1"]
    assert [len(formation[row]) for row in ("top", "bottom")] == [1, 2]
    fallen = [formation["lead"], *formation["top"], *formation["bottom"]]
    assert sorted(fallen) == ["AB01", "AB13", "AW01", "AW02"]
    named = ("lead", "top-1", "bottom-1", "bottom-2")
    assert chance == [{"decoy": bird, "at": place} for bird, place in zip(fallen, named, strict=True)]
    assert table.decision == "act"


def test_k10_a_flock_of_one_is_not_asked(flockers_table):
    table = flockers_table(hands={1: "AW02"}, path=DECOY)
    play(table, "AW02")
    use(table, "card main fly")
    assert fly(table, 1, "forest") == []
    assert table.decision == "act"


def test_k10_or_the_flock_keeps_its_shape(flockers_table):
    flocks = "AW02 / AB13 / AB01 JW01"
    table = flockers_table(flocks={1: flocks}, hands={1: "AW01"}, path=DECOY, rules={"decoy_shape": "keep"})
    play(table, "AW01", "bottom")
    use(table, "card main fly")
    chance = fly(table, 1, "forest")
    assert [event["at"] for event in chance] == ["lead", "top-1", "bottom-1", "bottom-2", "bottom-3"]
    assert table.decision == "act"
    assert len(birds(table).split()) == 5 + 2  # two strokes
    assert [len(part.split()) for part in birds(table).split("/")] == [1, 1, 3]


# --- North Wind ---


def test_k9_the_north_wind_blows_to_any_terrain_of_the_next_card(flockers_table):
    table = met(flockers_table, "AW01", "AW02", "mountain", path="T15 T28")
    assert table.decision == "north_wind"
    assert spaces(table) == ["2 mountain", "2 forest", "2 lake"]
    fly(table, 2, "forest")
    assert where(table) == "2 forest"
    assert table.decision == "act"


def test_k9_if_there_is_a_next_card(flockers_table):
    table = met(flockers_table, "AW01", "AW02", "mountain", path="T15")
    assert table.decision == "act"
    assert where(table) == "1 mountain"


def test_k9_it_chains(flockers_table):
    """Wind, wind again, then the fox; the parts left over come after."""
    table = met(flockers_table, "AW01 / JW13", "AW02", "mountain", path="T15 T18 T22")
    fly(table, 2, "lake")
    assert table.decision == "north_wind"
    assert spaces(table) == ["3 forest", "3 lake"]
    fly(table, 3, "lake")
    assert table.decision == "fox"


def test_k9_an_encounter_of_the_terrain_not_chosen_is_not_met(flockers_table):
    table = met(flockers_table, "AW01 / JW13", "AW02", "mountain", path="T15 T18 T22")
    fly(table, 2, "mountain")
    assert table.decision == "act"


def test_k9_it_may_reach_the_final_card(flockers_table):
    table = met(flockers_table, "AW01", "AW02", "mountain", path="T15 T28", rules={"final_card": 2})
    fly(table, 2, "lake")
    table.apply({"rows": [1, 0]})
    end(table)
    assert table.state()["out"] == [1]
    assert table.state()["last_turns"] == [2]


# --- Fox ---


def test_k11_the_owner_picks_the_foxs_bird(flockers_table):
    table = met(flockers_table, "AW03 / AB13 / AB01", "AW02", "field", path=FOX)
    assert table.decision == "fox"
    assert options(table, "remove") == ["lead", "top-1", "top-2", "bottom-1"]
    table.apply({"remove": "bottom-1"})
    assert birds(table) == "AW03 / AB13 AW02"


def test_k12_the_fox_takes_the_lead_bird(flockers_table):
    table = met(flockers_table, "AW03 / AB13 / AB01", "AW02", "field", path=FOX)
    table.apply({"remove": "lead"})
    assert options(table, "slide") == ["top", "bottom"]
    table.apply({"slide": "top"})
    assert birds(table) == "AB13 / AW02 / AB01"
    assert table.decision == "act"


def test_the_fox_takes_the_only_bird(flockers_table):
    table = flockers_table(hands={1: "AW03 AB01"}, path=FOX)
    play(table, "AW03")
    use(table, "card main fly")
    fly(table, 1, "field")
    assert table.legal() == [{"remove": "lead"}]
    table.apply({"remove": "lead"})
    assert birds(table) == ""
    assert acts(table) == []


def test_k14_the_foxs_bird_may_be_the_one_that_acts(flockers_table):
    """AW15's flight is a bonus; its swap is lost with it."""
    table = flockers_table(flocks={1: "AW03"}, hands={1: "AW15"}, path=FOX)
    play(table, "AW15", "top")
    use(table, "card bonus fly")
    fly(table, 1, "field")
    table.apply({"remove": "top-1"})
    assert acts(table) == []
    table = flockers_table(flocks={1: "AW03 / AB01"}, hands={1: "AW15"}, path=FOX)
    play(table, "AW15", "top")
    assert acts(table) == ["card main swap", "card bonus fly"]
    use(table, "card bonus fly")
    fly(table, 1, "field")
    table.apply({"remove": "top-1"})
    assert acts(table) == ["card main swap"]


# --- Bald Eagle ---


def test_k11_the_eagle_takes_every_juvenile_at_once(flockers_table):
    table = met(flockers_table, "AW13 / JW01 AB13 JB01 / JB02 AB14", "AW01", "mountain", to="bottom", path=EAGLE)
    assert table.decision == "act"
    assert birds(table) == "AW13 / AB13 / AB14 AW01"
    assert table.state()["discard"][-3:] == ["JW01", "JB01", "JB02"]


def test_k11_lead_included_then_one_slide(flockers_table):
    table = met(flockers_table, "JW03 / JW01 AB13 / JB02", "AW01", "mountain", to="bottom", path=EAGLE)
    assert options(table, "slide") == ["top", "bottom"]
    table.apply({"slide": "bottom"})
    assert birds(table) == "AW01 / AB13"


def test_k12_a_slide_is_asked_with_one_row_too(flockers_table):
    table = met(flockers_table, "JW03 / JW01 AB13", "AW01", "mountain", path=EAGLE)
    assert table.legal() == [{"slide": "top"}]


def test_the_eagle_finds_nobody(flockers_table):
    table = met(flockers_table, "AB04", "AW01", "mountain", path=EAGLE)
    assert birds(table) == "AB04 / AW01"
    assert table.decision == "act"


def test_the_eagle_takes_the_whole_flock(flockers_table):
    """The next card leads again (K12)."""
    table = flockers_table(hands={1: "JW03"}, path=EAGLE)
    play(table, "JW03")
    use(table, "card main fly")
    fly(table, 1, "mountain")
    assert birds(table) == ""
    assert acts(table) == []


def test_k21_a_fox_keeps_a_full_flock_in_the_game(flockers_table):
    """Seven birds are judged after all actions."""
    table = met(flockers_table, "AW03 / AB13 AB01 AB02 / AB03 AB04", "AW02", "field", to="bottom", path=FOX)
    table.apply({"remove": "top-1"})
    end(table)
    assert table.decision == "replenish"
    assert end_reason(table) is None


def test_k8_an_encounter_is_resolved_before_anything_else(flockers_table):
    """The bonus of the card waits until the lead bird that the fox took is replaced."""
    table = flockers_table(flocks={1: "AW03 / AB01"}, hands={1: "AW15"}, path=FOX)
    play(table, "AW15", "top")
    use(table, "card bonus fly")
    fly(table, 1, "field")
    assert moment(table) == (1, 1, "fox")
    table.apply({"remove": "lead"})
    assert moment(table) == (1, 1, "slide")
    table.apply({"slide": "top"})
    assert acts(table) == ["card main swap"]
