"""Flock's oracle by itself: the rulebook's examples and the rulings, on tables laid by hand."""

import pytest

from tests.oracle import flock
from tests.oracle.flock import CARDS, RESOURCE_CARDS, SCORED, as_position, standard_rules
from tests.rules.flock_oracle_tables import (
    PASS,
    TWO_FLOCKS,
    YES,
    activatable,
    flocks_of_two,
    moment,
    on,
    placeable,
    played,
    pool,
    state,
)

# -------------------------------------------------------------------------- the rulebook's own examples


def test_set_up():
    start = flock.set_up(standard_rules(), 3).to_state()
    assert (start["flock"], start["initiative"], start["round"]) == ("1", ["1", "2", "3"], 1)
    assert [held["worms"] for held in start["flocks"].values()] == [1, 0, 0]
    assert all((held["pool"], held["stock"]) == (3, 5) for held in start["flocks"].values())


def test_set_up_of_two_flocks_each():
    """F3, F28; the start player's first turn is for the left flock only."""
    start = flock.set_up(standard_rules(**TWO_FLOCKS), 2)
    assert list(start.flocks) == ["1-right", "1-left", "2-right", "2-left"]
    assert start.initiative == ["1-left", "2-right", "2-left", "1-right"]
    assert [name for name, held in start.flocks.items() if held["worms"]] == ["1-left"]
    acted = []
    table = played(start.to_state(), **TWO_FLOCKS)
    for _ in range(6):
        acted.append((table.state()["turn"], table.state()["acting"]))
        table.apply({"place": placeable(table)[0]})
    assert acted == [(1, "1-left"), (2, "2-right"), (2, "2-left"), (3, "1-right"), (3, "1-left"), (4, "2-right")]


def test_hatching_example():
    """Two birds, 3 worms and 3 eggs make 3 birds; one bird, a worm and an egg make 1. Blue is 1, red is 3."""
    birds = {"1": "hatching 2", "2": "pool 3", "3": "hatching 1"}
    table = played(state(birds, {"1": "worms 3 eggs 3", "3": "worms 2 eggs 1"}), {"activate": "hatching"})
    assert table.legal()[-1] == {"singles": 2, "doubles": 0}
    table.apply({"singles": 0, "doubles": 1})
    blue = table.state()["flocks"]["1"]
    assert (blue["pool"], blue["on"], blue["worms"], blue["eggs"], blue["stock"]) == (5, {}, 0, 0, 3)
    assert moment(table) == ("3", "perform")
    assert table.legal() == [{"singles": 0, "doubles": 0}, {"singles": 1, "doubles": 0}]
    table.apply({"singles": 1, "doubles": 0})
    assert (pool(table, "3"), table.state()["flocks"]["3"]["worms"], moment(table)) == (2, 1, ("2", "act"))


def test_feeding_example():
    """Red's 4 birds bring 6 worms (F7), then yellow's 3 bring 4."""
    birds = {"1": "feeding 3", "2": "pool 1", "3": "feeding 4"}
    table = played(state(birds, acting="3"), {"activate": "feeding"})
    assert [tuple(action.values()) for action in table.legal()] == [
        *[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (4, 0)]
    ]
    table.apply({"singles": 0, "doubles": 2})
    assert table.state()["flocks"]["3"]["worms"] == 6
    table.apply({"singles": 1, "doubles": 1})
    assert table.state()["flocks"]["1"]["worms"] == 4
    assert (pool(table, "1"), pool(table, "3"), moment(table)) == (3, 4, ("1", "act"))


def test_dominance_example():
    """Blue (1) and yellow (2) tie; yellow is further right, so first. Blue moves to Feeding, red (3) to Hatching."""
    birds = {"1": "dominance 2 hatching 1", "2": "dominance 2 hatching 1", "3": "dominance 1"}
    table = played(state(birds, initiative=["1", "3", "2"]), {"activate": "dominance"})
    assert table.state()["initiative"] == ["2", "1", "3"]
    assert (pool(table, "2"), on(table, "2")) == (2, {"hatching": 1})
    assert moment(table) == ("1", "dominance")
    assert [action["relocate"] for action in table.legal()] == [*RESOURCE_CARDS, "competition"]
    table.apply({"relocate": "feeding"})
    assert moment(table) == ("3", "dominance")
    table.apply({"relocate": "hatching"})
    assert (moment(table), table.legal()) == (("3", "send_home"), [{"return": "1"}, {"return": "2"}])
    table.apply({"return": "2"})
    assert (pool(table, "2"), on(table, "2"), on(table, "3")) == (3, {}, {"hatching": 1})
    assert (moment(table), table.state()["turn"]) == (("2", "act"), 2)


def test_dominance_of_four_players():
    """F13: the second may take space 2, others may not; those between shift."""
    birds = {"1": "dominance 1", "2": "dominance 1", "3": "dominance 2", "4": "dominance 3"}
    table = played(state(birds), {"activate": "dominance"})
    assert table.state()["initiative"] == ["4", "1", "2", "3"]
    assert table.legal()[0] == {"initiative": 2}
    table.apply({"initiative": 2})
    assert (table.state()["initiative"], pool(table, "3")) == (["4", "3", "1", "2"], 2)
    assert (moment(table), table.legal()[0]) == (("2", "dominance"), {"relocate": "feeding"})


def test_competition_example():
    """Round 2 takes five birds of all players and one of one's own."""
    birds = {"1": "pool 2 competition 3", "2": "pool 2 competition 1", "3": "pool 3"}
    assert "competition" not in activatable(played(state(birds, round=2)))
    assert activatable(played(state(birds, round=1))) == ["competition"]
    birds["3"] = "pool 3 competition 1"
    assert activatable(played(state(birds, round=2))) == ["competition"]
    birds |= {"1": "pool 5", "2": "competition 4"}
    assert activatable(played(state(birds, round=2))) == []


def test_steps_of_competition():
    """F8 to F11: upkeep of those on the card by most birds and left space, then of the rest; relocation; scoring."""
    birds = {"1": "pool 1 competition 2 nesting 1", "2": "pool 4", "3": "competition 2 laying 1"}
    held = {"1": "nests 1 worms 2", "2": "nests 1 worms 1"}
    table = played(state(birds, held, initiative=["2", "3", "1"]), YES)
    assert table.state()["activation"]["upkeep_order"] == ["3", "1", "2"]
    assert (moment(table), table.legal()) == (("3", "upkeep"), [{"pay_for": 0}])
    table.apply({"pay_for": 0})
    assert table.legal() == [{"from": "laying", "birds": 0}, {"from": "laying", "birds": 1}]
    table.apply({"from": "laying", "birds": 0})
    assert table.legal() == [{"from": "competition", "birds": 1}]
    table.apply({"from": "competition", "birds": 1})
    assert (moment(table), table.legal()) == (("1", "upkeep"), [{"pay_for": 0}, {"pay_for": 1}])
    table.apply({"pay_for": 1})
    assert table.state()["activation"]["to_return"] == 1
    table.apply({"from": "pool", "birds": 1})
    table.apply({"pay_for": 1})
    assert (moment(table), table.legal()) == (("2", "give_up"), [{"from": "pool", "birds": 1}])
    table.apply({"from": "pool", "birds": 1})
    assert moment(table) == ("3", "relocate")
    table.apply({"to": "feeding", "birds": 1})
    assert table.legal() == [{"to": "feeding", "birds": number} for number in range(3)]
    table.apply({"to": "feeding", "birds": 1})
    table.apply({"to": "nesting", "birds": 0})
    table.apply({"to": "laying", "birds": 1})
    # Feeding: 3 before 1 by space; Nesting: 1; Laying: 3 before 1; pools: none, 3, none.
    assert table.state()["vp"] == {"1": 3 + 5 + 3, "2": 3, "3": 4 + 4}
    assert (table.state()["round"], moment(table)) == (2, ("2", "act"))


def test_relocation_of_the_rest_to_the_pool():
    birds = {"1": "competition 3", "2": "competition 1"}
    held = {"1": "nests 1 worms 1"}
    table = played(
        state(birds, held), YES, {"pay_for": 1}, {"to": "feeding", "birds": 1}, {"to": "nesting", "birds": 1}
    )
    assert (pool(table, "1"), moment(table)) == (1, ("2", "relocate"))
    for card in SCORED:
        assert table.legal() == [{"to": card, "birds": 0}, {"to": card, "birds": 1}]
        table.apply({"to": card, "birds": 0})
    assert (pool(table, "2"), table.state()["vp"]) == (1, {"1": 4 + 5 + 1, "2": 1})


def test_scoring_tie_example():
    """Red (3) and yellow (2) tie on Hatching; red is on space 2, yellow on 3."""
    birds = {"1": "hatching 1 competition 4", "2": "hatching 2", "3": "hatching 2"}
    position = as_position(state(birds, initiative=["1", "3", "2"]))
    flock.score(position, standard_rules())
    assert position.vp == {"1": 0, "2": 3, "3": 4}


def test_alone_on_a_card():
    """Only the first number; two flocks of one player may take both (F25)."""
    position = as_position(state({"1": "dominance 2", "2": "pool 2"}))
    flock.score(position, standard_rules())
    assert position.vp == {"1": 5, "2": 2}
    position = as_position(flocks_of_two("nesting 1", "nesting 2", "pool 1", "pool 0"))
    flock.score(position, standard_rules(**TWO_FLOCKS))
    assert position.vp == {"1": 7, "2": 1}


def test_final_ties():
    """F21: resources of all kinds and flocks, then the space."""
    over = {"end_reason": "win", "decision": None, "vp": {"1": 9, "2": 9, "3": 9}}
    birds = {"1": "pool 2", "2": "pool 2", "3": "pool 2"}
    told = state(birds, {"1": "eggs 1", "2": "worms 2", "3": "nests 1 eggs 1"}, ["1", "3", "2"], **over)
    ranked = flock.ranking(as_position(told))
    assert [(place["seat"], place["win_share"]) for place in ranked] == [(3, 1.0), (2, 0.0), (1, 0.0)]
    deadlocked = flock.ranking(as_position({**told, "end_reason": "deadlock"}))
    assert [(place["rank"], place["win_share"]) for place in deadlocked] == [(1, 0.0), (2, 0.0), (3, 0.0)]


# ---------------------------------------------------------------------------------------------- rulings


def test_hatching_with_a_short_stock():
    """F6: any affordable choice, paid in full; only (0, 0) at stock 0."""
    birds, held = {"1": "pool 4 hatching 3", "2": "pool 3"}, {"1": "eggs 6 worms 6"}
    table = played(state(birds, held), {"activate": "hatching"}, {"singles": 1, "doubles": 1})
    blue = table.state()["flocks"]["1"]
    assert (blue["stock"], blue["pool"], blue["eggs"], blue["worms"]) == (0, 8, 2, 2)
    birds["1"] = "pool 5 hatching 3"
    assert played(state(birds, held), {"activate": "hatching"}).legal() == [{"singles": 0, "doubles": 0}]


def test_cap():
    """F5: acting at the cap is legal."""
    table = played(state({"1": "nesting 2", "2": "pool 3"}, {"1": "nests 5"}), {"activate": "nesting"})
    table.apply({"singles": 0, "doubles": 1})
    assert table.state()["flocks"]["1"]["nests"] == 6


@pytest.mark.parametrize(
    ("left", "card", "open_to_right"),
    [
        ("nesting 3", "nesting", False),
        ("pool 1 nesting 2", "nesting", True),
        ("nesting 2 feeding 1", "nesting", True),
        ("nesting 2 competition 1", "nesting", False),
        ("nesting 2 competition 3", "nesting", True),
        ("competition 3", "competition", False),
        ("competition 2", "competition", True),
        ("nesting 3", "feeding", True),
        ("pool 0", "nesting", True),
    ],
)
def test_protected_left_flock(left, card, open_to_right):
    """F29: the right flock may not place where the left one's only legal actions are (seat 2 is on Competition too)."""
    told = flocks_of_two("pool 1 nesting 1", left, two_left="competition 1")
    table = played(told, **TWO_FLOCKS)
    assert (card in placeable(table)) == open_to_right
    assert "nesting" in activatable(table)
    assert placeable(played(told, protect_left_flock=False, **TWO_FLOCKS)) == list(CARDS)


def test_a_pass_for_want_of_the_closed_card_does_not_count():
    told = flocks_of_two("pool 1", "nesting 3", "pool 0", "pool 0")
    table = played(told, {"place": "nesting"}, protect_left_flock=False, **TWO_FLOCKS)
    assert table.legal() == [PASS]
    for passes in (0, 1, 2):
        table.apply(PASS)
        assert table.state()["passes"] == passes
    assert activatable(table) == ["nesting"]


def test_a_fourth_bird_of_the_right_flock():
    """F29: before it the left flock could do nothing either; after it only the closed card stands in the way."""
    told = flocks_of_two("pool 2", "competition 3", "pool 0", "pool 0")
    table = played(told, {"place": "competition"}, PASS, **TWO_FLOCKS)
    assert (table.state()["passes"], moment(table)) == (0, ("2-right", "act"))
    table = played(told, {"place": "feeding"}, PASS, **TWO_FLOCKS)
    assert table.state()["passes"] == 1


def test_right_flock_ends_a_round():
    """F30: the left flock still acts, not on Competition; not after the last round."""
    told = flocks_of_two("competition 2", "pool 2", "competition 2", "pool 2")
    table = played(told, YES, {"to": "feeding", "birds": 2}, {"to": "feeding", "birds": 2}, **TWO_FLOCKS)
    assert (moment(table), table.state()["round"], table.state()["turn"]) == (("1-left", "act"), 2, 1)
    assert placeable(table) == list(SCORED)
    table = played(told, YES, {"to": "feeding", "birds": 2}, {"to": "feeding", "birds": 2}, rounds=1, **TWO_FLOCKS)
    assert table.end()["end_reason"] == "win"


def test_cards_that_were_just_used():
    """F31: placing and activating close a card; relocating and performing on another's activation do not."""
    told = flocks_of_two("pool 1 dominance 1", "pool 3", "dominance 2", "feeding 1")
    table = played(told, {"activate": "dominance"}, {"relocate": "feeding"}, {"return": "2-left"}, **TWO_FLOCKS)
    assert (moment(table), placeable(table)) == (("1-left", "act"), [card for card in CARDS if card != "dominance"])
    table.apply({"place": "feeding"})
    assert (moment(table), placeable(table)) == (("2-right", "act"), list(CARDS))


def test_opponents_of_two_flocks():
    """F27: nobody sends home a bird of the same player."""
    told = flocks_of_two("pool 1 dominance 1", "feeding 1", "dominance 2", "feeding 2")
    table = played(told, {"activate": "dominance"}, {"relocate": "feeding"}, **TWO_FLOCKS)
    assert (moment(table), table.legal()) == (("1-right", "send_home"), [{"return": "2-left"}])


def test_deadlock():
    """F19: everybody in a row; F20: judged before the cap."""
    told = state({"1": "pool 1 competition 1", "2": "competition 1"}, turn=2)
    table = played(told, {"place": "competition"}, PASS, turn_cap=2)
    assert (table.state()["passes"], table.state()["turn"]) == (1, 4)
    table.apply(PASS)
    assert table.end()["end_reason"] == "deadlock"
    told["turn"] = 1
    assert played(told, {"place": "competition"}, PASS, turn_cap=1).end()["end_reason"] == "turn_cap"


def test_forced_competition():
    """F19: Steps 1 to 3 without an activator, then whoever was due; no bird anywhere is a deadlock."""
    told = state({"1": "competition 1", "2": "competition 2"})
    forced = {"deadlock": "force_competition"}
    table = played(told, PASS, PASS, **forced)
    assert (table.state()["activation"]["by"], moment(table)) == (None, ("2", "relocate"))
    table.apply({"to": "feeding", "birds": 2})
    table.apply({"to": "feeding", "birds": 1})
    assert (table.state()["vp"], moment(table)) == ({"1": 3, "2": 4}, ("1", "act"))
    assert (table.state()["round"], table.state()["turn"], table.state()["passes"]) == (2, 3, 0)
    assert played(state({"1": "pool 0", "2": "pool 0"}), PASS, PASS, **forced).end()["end_reason"] == "deadlock"
