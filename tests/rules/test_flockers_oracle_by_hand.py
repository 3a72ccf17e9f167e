"""Flockers' oracle worked out by hand on laid tables: cards, set-up, adding a bird, flights, encounters."""

import pytest

from tests.oracle import flockers, flockers_flight
from tests.oracle.flockers_cards import rule_faults, standard_rules
from tests.oracle.flockers_position import Dealt
from tests.rules.flockers_oracle_tables import (
    choices,
    end,
    flights,
    flock_deck,
    flock_of,
    fly,
    moment,
    table,
    terrain_deck,
    use,
    uses,
)

# ------------------------------------------------------------------------------ cards and set-up


def test_the_decks():
    """72 geese, 18 of each type; 28 terrain cards, 12 of them with one terrain (The Bits)."""
    rules = standard_rules()
    geese = [card["goose"] for card in rules["flock_cards"]["cards"]]
    sizes = [len(card["spaces"]) for card in rules["terrain_cards"]["cards"]]
    assert sorted(map(geese.count, set(geese))) == [18] * 4
    assert [sizes.count(size) for size in (1, 2, 3)] == [12, 12, 4]
    assert rules["flock_cards"]["cards"][71] == {
        "card": "JB18",
        "goose": "juvenile-blue",
        "action": "lead",
        "terrain": None,
        "identify": 3,
        "bonus_actions": [],
        "bonus_terrain": ["field", "field"],
    }
    assert rule_faults(rules, 4) == []


class Stacked(Dealt):
    """Decks that lie in this order whenever they are shuffled."""

    def __init__(self, *orders):
        super().__init__(rng=None)
        self.orders = list(orders)

    def shuffle(self, position, pile):
        first = self.orders.pop(0).split()
        position.state[pile] = first + [card for card in position.state[pile] if card not in first]
        self.happens({"flock_deck" if pile == "draw_pile" else "terrain_deck": "shuffled"})


def set_up(players, *orders, **rules):
    chance = Stacked(*orders)
    return flockers.set_up(standard_rules(**rules), players, chance).state, chance.events


def test_set_up():
    """The first card with 2+ terrains starts the path, the display keeps the order of flipping; hands, then geese."""
    state, events = set_up(2, "AW03 AW01 AW02 AW04 AW05 JB18", "T03 T13 T02 T20")
    assert (state["path"], state["terrain_display"]) == (["T13"], ["T03", "T02", "T20"])
    assert state["hands"]["1"] == ["AW01", "AW02", "AW03", "AW04", "AW05"]  # in the order of the deck
    assert state["hands"]["2"] == ["AW06", "AW07", "AW08", "AW09", "JB18"]
    assert state["flock_display"] == ["AW10", "AW11", "AW12"]
    assert (len(state["draw_pile"]), len(state["terrain_deck"])) == (72 - 13, 24)
    assert state["tokens"] == {seat: {"card": 0, "terrain": None} for seat in "12"}
    assert events[:6] == [
        {"flock_deck": "shuffled"},
        {"terrain_deck": "shuffled"},
        {"show_terrain": "T03"},
        {"start": "T13"},
        {"show_terrain": "T02"},
        {"show_terrain": "T20"},
    ]
    assert events[6:12] == [
        *[{"deal": card, "to": 1} for card in ("AW03", "AW01", "AW02", "AW04", "AW05")],
        {"deal": "JB18", "to": 2},
    ]
    assert events[16:] == [{"show": card} for card in ("AW10", "AW11", "AW12")]


def test_k20_no_card_with_two_terrains_among_those_flipped():
    state, events = set_up(1, "", "T01 T02 T03 T04", "T05 T06 T07 T08", "T01 T02 T03 T25")
    assert [event for event in events if "terrain_deck" in event] == [{"terrain_deck": "shuffled"}] * 3
    assert (state["path"], state["terrain_display"]) == (["T25"], ["T01", "T02", "T03"])
    assert state["tokens"]["automa"] == {"card": 0, "terrain": None}


def test_sizes_of_hand_and_displays():
    state, _ = set_up(3, "", "T13", hand_size=2, flock_display=1, terrain_display=5)
    assert [len(state[name]) for name in ("flock_display", "terrain_display")] == [1, 5]
    assert [len(hand) for hand in state["hands"].values()] == [2, 2, 2]


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (4, {"flock_cards": {"name": "", "cards": standard_rules()["flock_cards"]["cards"][: 4 * 11 + 2]}}),
        (1, {"terrain_cards": {"name": "", "cards": standard_rules()["terrain_cards"]["cards"][:12]}}),
        (1, {"final_card": 29}),
        (2, {"flock_size": 8}),
        (2, {"flock_cards": flock_deck("Z1 adult-white fly - 2 lead -")}),
        (2, {"flock_cards": flock_deck("AW01 adult-white fly - - - -")}),
        (2, {"flock_cards": flock_deck("Z1 adult-white fly - - graze -")}),
        (2, {"terrain_cards": terrain_deck("U1 lake lake")}),
        (2, {"terrain_cards": terrain_deck("U1 lake:wolf")}),
    ],
)
def test_rules_that_cannot_be(players, rules):
    assert rule_faults(standard_rules(**rules), players)


# --------------------------------------------------------------------------- 1. Add a bird to your flock


def test_k1_where_a_bird_goes():
    """The lead first; then the right end of a row with room."""
    assert table("", "AB01 AW01").legal() == [{"play": "AB01", "to": "lead"}, {"play": "AW01", "to": "lead"}]
    at = table("AW01 / AW02 / AW03 AW04 AW05", "AB01 AB02")
    assert at.legal() == [{"play": "AB01", "to": "top"}, {"play": "AB02", "to": "top"}]
    assert choices(table("AW01", "AB01 AB02")) == ["AB01", "AB01", "AB02", "AB02"]
    assert [action["to"] for action in table("AW01", "AB01").legal()] == ["top", "bottom"]
    at.apply({"play": "AB02", "to": "top"})
    assert flock_of(at) == "AW01 / AW02 AB02 / AW03 AW04 AW05"
    assert (at.state()["played"], at.state()["hands"]["1"], moment(at)) == ("AB02", ["AB01"], (1, "act"))


def test_k2_every_action_is_optional_and_nothing_useless_is_offered():
    assert uses(table("AW01 / AB10 /", path="T28", at="1 lake", played="AW01")) == []  # no card ahead
    assert uses(table("AW01", path="T28", played="AW01")) == ["card main fly"]
    assert uses(table("AW01", path="T10", played="AW01")) == []  # a mountain icon before a lake
    assert uses(table("AW14", played="AW14")) == []  # a swap takes two
    assert uses(table("AW14 / AB01", played="AW14")) == ["card main swap"]
    assert uses(table("AW07", played="AW07")) == ["card main navigate"]
    assert uses(table("AW07", played="AW07", terrains="", deck="")) == []  # K19
    assert uses(table("AW10", played="AW10")) == ["card main graze"]


# ----------------------------------------------------------------------------------------- Actions: Fly


def reached(flock, path, at="0", rules=None, **more):
    """Where a fly action on a card of this flock gets to."""
    return [
        f"{number} {terrain}"
        for number, terrain in flockers_flight.reachable(
            table(flock, at=at, path=path, rules=rules, **more).oracle.position
        )
    ]


def test_the_example_of_flying():
    """To the mountain and then the forest, in the row chosen; both rows start with the lead bird."""
    assert reached("AW01 / AB13 / AW02", "T28 T14 T10") == ["1 mountain", "2 forest"]
    assert reached("AW01 / AW04 / AW02", "T28 T22 T10") == ["1 mountain", "2 forest", "2 lake"]
    assert reached("AW01 / AW04 AW02 / AW02 AW03", "T28 T28 T27") == ["1 mountain", *("2 forest", "2 lake"), *THIRD]


THIRD = ("3 forest", "3 field")


def test_k3_a_goose_without_an_icon():
    """AB13 has none, JB05 (2 lakes for 2 juvenile blues) none that is active."""
    assert reached("AB13 / JB05 AW01 JW13 / ", "T01 T01") == ["1 mountain"]
    assert reached("AB13 / AW01 JW13 AW01 / ", "T01 T01") == ["1 mountain", "2 mountain"]
    stop = {"iconless": "stop"}
    assert reached("AB13 / JW13 AW01 AB04 / ", "T01 T02", rules=stop) == ["1 mountain", "2 mountain"]
    assert reached("AB13 / AW01 JW13 AB04 / ", "T01 T02", rules=stop) == ["1 mountain"]
    assert reached("AB13 / AW02 JW13 AW01 / ", "T01 T02", rules={**stop, "mismatch": "skip"}) == []
    assert reached("AB13 / AW02 AW01 JW13 / ", "T01 T02", rules={**stop, "mismatch": "skip"}) == ["1 mountain"]


def test_k4_an_icon_that_does_not_match():
    assert reached("AW02 / AW01 / AB04", "T01 T02") == []
    assert reached("AW01 / AW02 AB04 / ", "T01 T02") == ["1 mountain"]
    skip = {"mismatch": "skip"}
    assert reached("AW02 / AW01 / AB04", "T01 T02", rules=skip) == ["1 mountain"]
    assert reached("AW01 / AW02 AB04 / ", "T01 T02", rules=skip) == ["1 mountain", "2 mountain"]
    # The forest may not be declined for the mountain of the same card.
    assert reached("AW02 / AW01 / ", "T14 T10", rules=skip) == ["1 forest"]


def test_k5_the_same_space_by_both_rows_is_one_option():
    at = table("AW01 / AB04 / JW03", path="T01 T02 T03", played="AB04")
    use(at, "card main fly")
    assert at.legal() == [{"fly_to": {"card": n, "terrain": "mountain"}} for n in (1, 2)]


def test_k6_k7_the_order_of_icons_and_bonus_terrain():
    """Top icon, then the bonus icons from left to right, if the type is identified when flying."""
    own = ["Z1 adult-white fly lake 2 - forest,field"]
    assert reached("Z1 / AW13", "T10 T04 T07 T01", cards=own) == ["1 lake", "2 forest", "3 field"]
    assert reached("Z1 / AB13", "T10 T04 T07 T01", cards=own) == ["1 lake"]
    assert reached("AW05 / JW13 / AW13", "T01 T02 T03") == ["1 mountain", "2 mountain"]
    assert reached("AW12 / AW13 / AB01", "T04 T05 T06") == ["1 forest"]  # by AB01; AW12 needs three
    assert reached("AW12 / AW13 AW10 / AB01", "T04 T05 T06") == ["1 forest", "2 forest", "3 forest"]


def test_a_token_flies_on_from_where_it_stands():
    assert reached("AW01 / AW02 / ", "T28 T10 T13 T04", at="2 lake") == ["3 mountain", "4 forest"]
    assert reached("AW01 / AW02 / ", "T28 T10 T13", at="2 lake") == ["3 mountain"]  # the end of the path


def test_k23_beyond_the_final_card():
    path = "T28 " + " ".join(f"T{n:02}" for n in range(1, 13))
    assert reached("AW04 / AB03 JW02", path, at="10 lake") == ["11 lake", "12 lake", "13 lake"]
    assert uses(table("AW07 / AB01", path=path, at="12 lake", played="AW07")) == ["card main navigate"]


# ------------------------------------------------------------------------------------------- Encounters


def landed(flock, space, path, played=None, **more):
    """The table after the card played took this flock to that space."""
    at = table(flock, path=path, played=played or flock.split()[0], **more)
    use(at, "card main fly")
    fly(at, space)
    return at


def test_k8_encounters_only_on_the_last_space():
    at = landed("AW02 / AW01", "2 mountain", "T14 T15 T03")  # over the fox to the north wind
    assert moment(at) == (1, "north_wind")
    assert at.state()["tokens"]["1"] == {"card": 2, "terrain": "mountain"}
    assert moment(landed("AW02 / AW01", "1 forest", "T14 T15 T03")) == (1, "fox")
    at = landed("AW02 / AW01", "1 forest", "T13 T15 T03")
    assert (moment(at), uses(at)) == ((1, "act"), [])  # no encounter there, and the card has nothing more
    assert uses(table("JB10", at="1 forest", path="T14", played="JB10")) == ["card main graze"]  # standing on a fox


def test_k9_north_wind():
    """Any terrain of the next card, again and again; nothing without a next card."""
    at = landed("AW01", "1 mountain", "T15 T26 T14")
    assert flights(at) == ["2 mountain", "2 forest", "2 field"]
    fly(at, "2 forest")
    assert (moment(at), flights(at)) == ((1, "north_wind"), ["3 mountain", "3 forest"])
    fly(at, "3 forest")
    assert (moment(at), at.state()["tokens"]["1"]) == ((1, "fox"), {"card": 3, "terrain": "forest"})
    assert moment(landed("AW01", "1 mountain", "T15")) == (1, "act")
    assert flights(landed("AW01", "1 mountain", "T15 U1", lands=["U1 lake field"])) == ["2 field", "2 lake"]


def test_k10_decoy():
    at = landed("AW01 / AW02 AB01 / AB02", "1 mountain", "T13")
    assert at.legal() == [{"rows": [0, 3]}, {"rows": [1, 2]}, {"rows": [2, 1]}, {"rows": [3, 0]}]
    events = at.apply({"rows": [1, 2]})
    assert [event["at"] for event in events] == ["lead", "top-1", "bottom-1", "bottom-2"]
    fallen = [event["decoy"] for event in events]
    assert sorted(fallen) == ["AB01", "AB02", "AW01", "AW02"]
    assert flock_of(at) == f"{fallen[0]} / {fallen[1]} / {fallen[2]} {fallen[3]}"
    full = landed("AW01 / AW02 AB01 JB02 / AB02 JB03 JB04", "1 mountain", "T13")
    assert full.legal() == [{"rows": [3, 3]}]


def test_k10_decoy_of_one_bird_and_of_a_shape_kept():
    assert moment(landed("AW01", "1 mountain", "T13")) == (1, "act")
    at = table("AW01 / AW02 AB01", path="T13", played="AW01", rules={"decoy_shape": "keep"})
    use(at, "card main fly")
    events = fly(at, "1 mountain")
    assert [event["at"] for event in events] == ["lead", "top-1", "top-2"]
    assert moment(at) == (1, "act")
    alone = table("AW01", path="T13", played="AW01", rules={"decoy_shape": "keep"})
    use(alone, "card main fly")
    assert fly(alone, "1 mountain") == []


def test_k11_fox():
    at = landed("AW02 / AB01 JB02 / JB03", "1 forest", "T14")
    assert choices(at) == ["lead", "top-1", "top-2", "bottom-1"]
    at.apply({"remove": "top-1"})
    assert (flock_of(at), at.state()["discard"]) == ("AW02 / JB02 / JB03", ["AB01"])
    at = landed("AW02 / AB01 JB02 / JB03", "1 forest", "T14")
    at.apply({"remove": "lead"})
    assert (moment(at), choices(at)) == ((1, "slide"), ["top", "bottom"])  # K12
    at.apply({"slide": "bottom"})
    assert flock_of(at) == "JB03 / AB01 JB02 /"
    alone = landed("AW02", "1 forest", "T14")
    alone.apply({"remove": "lead"})
    assert (moment(alone), uses(alone), flock_of(alone)) == ((1, "act"), [], "- / /")


def test_k11_bald_eagle():
    """Every juvenile at once, the lead bird too, then one slide."""
    at = landed("JW01 / JB01 AW02 / AB01 JB02", "1 field", "T16", others=("",))
    assert at.state()["discard"] == ["JW01", "JB01", "JB02"]
    assert flock_of(at) == "- / AW02 / AB01"
    assert choices(at) == ["top", "bottom"]
    at.apply({"slide": "top"})
    assert (flock_of(at), moment(at)) == ("AW02 / / AB01", (1, "act"))
    assert landed("AW03 / AW02", "1 field", "T16").state()["discard"] == []


def test_k12_an_empty_flock_starts_anew():
    at = landed("JW01", "1 field", "T16")
    assert (flock_of(at), moment(at)) == ("- / /", (1, "act"))
    end(at)
    at.apply({"take": "JB11"})
    assert moment(at) == (2, "play")
    assert choices(table("", "AW01 AB01")) == ["AW01", "AB01"]
