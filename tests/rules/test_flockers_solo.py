"""Flockers: solo play against the automa (Solo Play; K26 to K28)."""

from __future__ import annotations

import pytest

from tests.rules.flockers_positions import (
    end,
    end_reason,
    flock_deck,
    fly,
    moment,
    pass_by,
    places,
    play,
    take,
    terrain_deck,
    use,
    where,
)

SIX = "AB16 / AB17 AB18 JB16 / JB17 JB18"
LONG = "T13 T14 T15 T16 T17 T18 T20 T21 T22 T01"


def solo(flockers_table, display, path, automa="1 mountain", **more):
    """The player is about to pass by; nothing that is turned up matches unless `top` says so."""
    more = {"hands": {1: "AB13 JB13"}, "top": "JW13 AW13"} | more
    return flockers_table(players=1, display=display, path=path, at={"automa": automa} | more.pop("at", {}), **more)


def automa_plays(flockers_table, display, path, **more):
    """What the automa does after the player has added a bird and taken JB13's neighbour: the last card shown."""
    table = solo(flockers_table, f"{display} JW12", path, **more)
    play(table, "AB13", "lead")
    end(table)
    return table, take(table, "JW12")[1:]


def test_the_automas_double_icon(flockers_table):
    """Automa Player's Turn, note: mountain twice on the card and on the next two terrain cards."""
    table, chance = automa_plays(flockers_table, "AW01 JB12", "T13 T01 T02 T04", next_terrain="T09")
    assert chance == [{"automa": "takes", "card": "JB12", "flies": 2}, {"path": "T09"}, {"show": "AW13"}]
    assert where(table, "automa") == "3 mountain"
    state = table.state()
    assert state["path"][-1] == "T09"
    assert state["discard"] == ["JB12"]
    assert state["flock_display"] == ["AW01", "AW13", "JW13"]
    assert moment(table) == (2, 1, "play")


def test_a_double_icon_with_one_match(flockers_table):
    table, chance = automa_plays(flockers_table, "AW12 JB12", "T13 T01 T05 T04")
    assert chance[0] == {"automa": "takes", "card": "JB12", "flies": 1}
    assert where(table, "automa") == "2 mountain"


def test_a_double_icon_at_the_end_of_the_path(flockers_table):
    _, chance = automa_plays(flockers_table, "AW12 JB12", "T13 T01")
    assert chance[0] == {"automa": "takes", "card": "JB12", "flies": 1}


def test_k26_a_top_icon_flies_one(flockers_table):
    table, chance = automa_plays(flockers_table, "AW12 AW02", "T13 T16 T04", automa="2 field")
    assert chance[0] == {"automa": "takes", "card": "AW12", "flies": 1}  # forest forest, the first of two that fly one
    table, chance = automa_plays(flockers_table, "AW13 AW02", "T13 T16 T04", automa="2 field", top="JW13")
    assert chance[0] == {"automa": "takes", "card": "AW02", "flies": 1}
    assert where(table, "automa") == "3 forest"


def test_k26_the_furthest_then_the_leftmost(flockers_table):
    path = "T13 T01 T02 T04"
    assert automa_plays(flockers_table, "AW01 AB04", path)[1][0]["card"] == "AW01"
    assert automa_plays(flockers_table, "AB04 AW01", path)[1][0]["card"] == "AB04"
    assert automa_plays(flockers_table, "AW01 JB12", path)[1][0]["card"] == "JB12"


def test_k26_or_the_rightmost(flockers_table):
    path, rules = "T13 T01 T02 T04", {"automa_tie": "rightmost"}
    assert automa_plays(flockers_table, "AW01 AB04", path, rules=rules)[1][0]["card"] == "AB04"
    assert automa_plays(flockers_table, "JB12 AW01", path, rules=rules)[1][0]["card"] == "JB12"


def test_k26_top_and_bottom_icons_are_never_chained(flockers_table):
    deck = flock_deck("TB,adult-white,,mountain,2,,forest forest", "HA,adult-white,,,,,", "TA,adult-white,,,,,")
    more = {"rules": {"flock_cards": deck}, "hands": {1: "HA"}, "top": ""}

    def reach(path):
        table = solo(flockers_table, "TB P01 TA", path, **more)
        play(table, "HA")
        end(table)
        take(table, "TA")
        return where(table, "automa")

    assert reach("T13 T01 T04 T05 T07") == "2 mountain"
    assert reach("T13 T04 T05 T07") == "3 forest"


def test_k26_its_icons_end_at_the_first_that_does_not_match(flockers_table):
    """Whatever `mismatch` is for a player's flight."""
    deck = flock_deck("TB,adult-white,,,2,,lake mountain mountain", "HA,adult-white,,,,,", "TA,adult-white,,,,,")
    rules = {"flock_cards": deck, "mismatch": "skip"}
    table = solo(flockers_table, "TB P01 TA", "T13 T01 T02", rules=rules, hands={1: "HA"}, top="")
    play(table, "HA")
    end(table)
    assert take(table, "TA")[1] == {"automa": "none"}


def test_k26_without_bottom_icons(flockers_table):
    rules = {"automa_bottom_icons": False}
    _, chance = automa_plays(flockers_table, "AW01 JB12", "T13 T01 T02 T04", rules=rules)
    assert chance[0] == {"automa": "takes", "card": "AW01", "flies": 1}
    _, chance = automa_plays(flockers_table, "AW13 JB12", "T13 T01 T02 T04", rules=rules, top="JW13")
    assert chance == [{"automa": "none"}]


def test_it_stands_on_the_top_icons_terrain_where_both_lead_as_far(flockers_table):
    deck = flock_deck("TB,adult-white,,lake,2,,forest", "HA,adult-white,,,,,", "TA,adult-white,,,,,")
    table = solo(flockers_table, "P01 TB TA", "T13 T21 T02", rules={"flock_cards": deck}, hands={1: "HA"}, top="")
    play(table, "HA")
    end(table)
    take(table, "TA")
    assert where(table, "automa") == "2 lake"


def test_encounters_do_not_concern_the_automa(flockers_table):
    table, chance = automa_plays(flockers_table, "AW03 AW13", "T13 T27 T04", top="JW13")
    assert chance[0] == {"automa": "takes", "card": "AW03", "flies": 1}
    assert where(table, "automa") == "2 field"
    assert moment(table) == (2, 1, "play")


def test_k26_an_empty_terrain_deck_adds_nothing(flockers_table):
    more = {"no_terrain": True, "maps": "T05 T06 T07"}
    table, chance = automa_plays(flockers_table, "AW12 AW01", "T13 T01", **more)
    assert chance == [{"automa": "takes", "card": "AW01", "flies": 1}, {"show": "AW13"}]
    assert table.state()["path"] == ["T13", "T01"]
    assert table.state()["terrain_display"] == ["T05", "T06", "T07"]


def test_k18_the_automas_card_is_part_of_a_reshuffle(flockers_table):
    """The player takes the deck's last card; the automa's discard makes the new deck."""
    table = solo(flockers_table, "AW12 AW01 JW12", "T13 T01 T04", top="JW13", rest="discard")
    discarded = table.state()["discard"]
    play(table, "AB13", "lead")
    end(table)
    chance = take(table, "JW12")
    assert [next(iter(event)) for event in chance] == ["show", "automa", "path", "flock_deck", "show"]
    state = table.state()
    assert sorted([chance[-1]["show"], *state["draw_pile"]]) == sorted([*discarded, "AW01"])


def test_k27_without_a_match_nothing_changes(flockers_table):
    table, chance = automa_plays(flockers_table, "AW01 AW02", "T13 T12 T11")
    assert chance == [{"automa": "none"}]
    state = table.state()
    assert state["flock_display"] == ["AW01", "AW02", "JW13"]
    assert state["path"] == ["T13", "T12", "T11"]
    assert moment(table) == (2, 1, "play")


def test_the_automa_plays_after_the_player(flockers_table):
    """Turns are the player's; every one is a round."""
    table, _ = automa_plays(flockers_table, "AW01 AB04", "T13 T01 T02 T04")
    assert (table.turn, table.round) == (2, 2)


# --- End of Solo Game ---


def test_k27_it_plays_on_alone_until_nothing_matches(flockers_table):
    """A full flock: the automa goes on over both mountains, then to the lake by what is turned up, then waits."""
    table = solo(
        flockers_table,
        "AW01 AB04 AW13",
        "T13 T01 T02 T12",
        flocks={1: SIX},
        hands={1: "AB08"},
        top="JB01 JW13",
        no_terrain=True,
    )
    chance = pass_by(table)
    assert [event["flies"] if event["automa"] == "takes" else 0 for event in chance if "automa" in event] == [
        1,
        1,
        1,
        0,
    ]
    assert where(table, "automa") == "4 lake"
    assert end_reason(table) == "stuck"
    assert table.turn == 1


def test_k27_the_player_out_and_the_automa_at_the_final_card(flockers_table):
    table = solo(
        flockers_table, "AW01 AB04 AW13", LONG, automa="9 forest", flocks={1: SIX}, hands={1: "AB08"}, top="JW13"
    )
    pass_by(table)
    assert end_reason(table) == "win"
    assert where(table, "automa") == "10 mountain"
    assert places(table) == {1: (2, 0, 0.0)}


def test_the_automa_first_at_the_final_card_gives_the_player_one_turn(flockers_table):
    table = solo(flockers_table, "AW01 AB04 AW13", LONG, automa="9 forest", top="JB04 AB03")
    pass_by(table, "AB13")
    assert where(table, "automa") == "10 mountain"
    assert table.state()["last_turns"] == [1]
    assert moment(table) == (2, 1, "play")
    chance = pass_by(table)
    assert end_reason(table) == "win"
    assert not any("automa" in event for event in chance)
    assert where(table, "automa") == "10 mountain"


def test_k22_the_final_turn_replenishes(flockers_table):
    table = solo(flockers_table, "AW01 AB04 AW13", LONG, automa="9 forest", top="JB04 AB03")
    pass_by(table, "AB13")
    play(table, "JB13", "top")
    end(table)
    assert table.decision == "replenish"


def test_the_player_first_at_the_final_card_gives_the_automa_one_turn(flockers_table):
    table = solo(
        flockers_table, "AW02 AB01 AW13", LONG, automa="1 mountain", at={1: "9 forest"}, hands={1: "AW01"}, top="JW02"
    )
    play(table, "AW01")
    use(table, "card main fly")
    fly(table, 10, "mountain")
    chance = end(table)
    assert [event.get("flies") for event in chance if "automa" in event] == [1]
    assert end_reason(table) == "win"
    assert table.state()["last_turns"] == []
    assert where(table, "automa") == "2 forest"
    assert places(table) == {1: (1, 10 + 7, 1.0)}


def test_the_automas_final_turn_may_pass_the_player(flockers_table):
    table = solo(
        flockers_table,
        "AB01 JB12 AW13",
        LONG + " T02",
        automa="9 forest",
        at={1: "9 forest"},
        hands={1: "AW01"},
        top="",
    )
    play(table, "AW01")
    use(table, "card main fly")
    fly(table, 10, "mountain")
    end(table)
    assert where(table, "automa") == "11 mountain"
    assert places(table) == {1: (2, 0, 0.0)}


def test_k25_the_cap_in_solo_play(flockers_table):
    """After the automa's turn; recorded by K28, without a winner."""
    table = solo(
        flockers_table, "AW12 AB12 AW13", "T13 T14 T01", at={1: "3 mountain"}, rules={"turn_cap": 1}, top="JW13"
    )
    chance = pass_by(table, "AB13")
    assert {"automa": "none"} in chance
    assert end_reason(table) == "turn_cap"
    assert places(table) == {1: (1, 3 + 1, 0.0)}


def test_k25_the_automa_may_still_arrive_in_the_last_round(flockers_table):
    table = solo(flockers_table, "AW01 AB04 AW13", LONG, automa="9 forest", top="JB04 AB03", rules={"turn_cap": 1})
    pass_by(table, "AB13")
    assert moment(table) == (2, 1, "play")


# --- Solo Win & Final Score ---


def finished(flockers_table, mine, theirs, **rules):
    """The player's flock is full, and no card lets the automa fly on."""
    deck = terrain_deck(*(f"L{number} lake" for number in range(40)), "M1 mountain field")
    table = flockers_table(
        players=1,
        rules={"terrain_cards": deck, "final_card": 40, **rules},
        flocks={1: SIX},
        hands={1: "AB08"},
        display="AW13 AB14 AW01",
        path=" ".join(f"L{number}" for number in range(30)),
        at={1: f"{mine} lake" if mine else "", "automa": f"{theirs} lake" if theirs else ""},
    )
    pass_by(table)
    assert end_reason(table) == "stuck"
    counters = dict(zip(table.game.counters, table.states["counters"][0][0].tolist(), strict=True))
    return places(table)[1], counters["margin"], counters["band"]


@pytest.mark.parametrize(
    ("mine", "theirs", "points", "band"),
    [
        (1, 0, 1, 0),
        (2, 0, 3, 0),
        (5, 4, 5, 0),
        (6, 4, 7, 1),
        (10, 9, 10, 1),
        (10, 8, 11, 2),
        (10, 5, 14, 2),
        (10, 4, 15, 3),
        (10, 1, 18, 3),
        (10, 0, 19, 4),
    ],
)
def test_k28_position_and_the_cards_between(flockers_table, mine, theirs, points, band):
    assert finished(flockers_table, mine, theirs) == ((1, points, 1.0), mine - theirs, band)


@pytest.mark.parametrize(("mine", "theirs"), [(4, 4), (0, 0), (9, 10)])
def test_k28_otherwise_a_loss(flockers_table, mine, theirs):
    assert finished(flockers_table, mine, theirs) == ((2, 0, 0.0), mine - theirs, 0)


def test_k28_or_a_tie_wins(flockers_table):
    assert finished(flockers_table, 8, 8, solo_tie_wins=True) == ((1, 8, 1.0), 0, 1)
    assert finished(flockers_table, 7, 8, solo_tie_wins=True) == ((2, 0, 0.0), -1, 0)


def test_k28_other_bands(flockers_table):
    assert finished(flockers_table, 5, 3, solo_bands={"good": 2, "great": 6})[2] == 2
    assert finished(flockers_table, 5, 4, solo_bands={"good": 2, "great": 6})[2] == 1
