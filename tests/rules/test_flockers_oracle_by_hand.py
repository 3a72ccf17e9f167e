"""Flockers' oracle against what the rulebook and the rulings say, worked out by hand on laid tables."""

import pytest

from tests.oracle import flockers, flockers_flight
from tests.oracle.flockers_cards import rule_faults, standard_rules
from tests.oracle.flockers_position import Dealt, members
from tests.oracle.flockers_referee import OracleTable
from tests.rules.flockers_oracle_tables import (
    choices,
    end,
    flights,
    flock_deck,
    flock_of,
    fly,
    moment,
    solo,
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


# -------------------------------------------------------------------------- Navigate, Graze, Swap, Lead


def test_navigate():
    """To the end of the path; the new card in the vacant place (K19: none when the deck is empty)."""
    at = table("AW07", played="AW07", deck="T05 T06")
    use(at, "card main navigate")
    assert choices(at) == ["T01", "T04", "T07"]
    assert at.apply({"add": "T04"}) == [{"show_terrain": "T05"}]
    told = at.state()
    assert (told["path"], told["terrain_display"], told["terrain_deck"]) == (
        ["T28", "T04"],
        ["T01", "T05", "T07"],
        ["T06"],
    )
    at = table("AW07", played="AW07", deck="")
    use(at, "card main navigate")
    assert at.apply({"add": "T01"}) == []
    assert at.state()["terrain_display"] == ["T04", "T07"]


def grazing(flock, played, **more):
    at = table(flock, played=played, **more)
    use(at, "card main graze")
    return at


def test_k13_graze_at_most_one_without_the_icon():
    """AW11 and AW14 have the icon (the latter as a bonus that is not identified), AB01 and JB01 none."""
    at = grazing("AB01 / AW14 JW01 / AW11", "AW11")
    assert choices(at) == ["lead", "top-1", "top-2", "bottom-1"]
    at.apply({"remove": "lead"})
    assert at.legal() == [{"remove": "top-1"}, {"remove": "bottom-1"}, {"stop": True}]
    at.apply({"remove": "bottom-1"})  # nothing after it: they leave
    assert (flock_of(at), at.state()["discard"]) == ("- / AW14 JW01 /", ["AB01", "AW11"])
    assert (moment(at), choices(at)) == ((1, "slide"), ["top"])
    at.apply({"slide": "top"})
    assert flock_of(at) == "AW14 / JW01 /"
    assert uses(at) == []  # the card just played has gone


def test_k13_graze_stops_at_will():
    at = grazing("AB01 / AW14 JW01 / AW11", "AW11")
    at.apply({"remove": "top-1"})
    assert at.state()["chosen"] == ["top-1"]
    assert at.legal() == [{"remove": "top-2"}, {"remove": "bottom-1"}, {"stop": True}]
    at.apply({"stop": True})
    assert (flock_of(at), at.state()["discard"], at.state()["chosen"]) == ("AB01 / JW01 / AW11", ["AW14"], [])
    assert moment(at) == (1, "act")


def test_k13_graze_all_of_a_flock():
    at = grazing("AW10 / AB10", "AB10")
    at.apply({"remove": "lead"})
    at.apply({"remove": "top-1"})
    assert (flock_of(at), moment(at)) == ("- / /", (1, "act"))


def test_the_example_of_grazing():
    """Only one goose without the icon, and of those with it only the lead bird; the rest slide."""
    at = grazing("AW10 / AB01 AB02 AB10 / JW01", "AB10")
    at.apply({"remove": "lead"})
    at.apply({"remove": "top-1"})
    assert at.legal() == [{"remove": "top-3"}, {"stop": True}]
    at.apply({"stop": True})
    at.apply({"slide": "top"})
    assert flock_of(at) == "AB02 / AB10 / JW01"


def test_k16_swap():
    at = table("AW14 / AB01 / JB02 JW01", played="JW01", cards=["Z1 adult-white swap - - - -"])
    at = table("AW14 / AB01 / JB02 Z1", played="Z1", cards=["Z1 adult-white swap - - - -"])
    use(at, "card main swap")
    assert choices(at) == [
        "lead top-1",
        "lead bottom-1",
        "lead bottom-2",
        "top-1 bottom-1",
        "top-1 bottom-2",
        "bottom-1 bottom-2",
    ]
    at.apply({"swap": ["lead", "bottom-2"]})
    assert (flock_of(at), moment(at)) == ("Z1 / AB01 / JB02 AW14", (1, "act"))


def test_k14_bonus_actions_need_the_card_and_the_count_when_used():
    """AW11: graze, and for two adult whites navigate."""
    assert uses(table("AW11 / AW01", played="AW11")) == ["card main graze", "card bonus navigate"]
    assert uses(table("AW11 / AB01", played="AW11")) == ["card main graze"]
    at = table("AW11 / AW01", played="AW11")
    use(at, "card main graze")
    at.apply({"remove": "top-1"})
    assert (flock_of(at), uses(at)) == ("AW11 / /", [])  # one adult white is left
    at = table("AW01 / AW02 / AW11", played="AW11")
    use(at, "card bonus navigate")
    at.apply({"add": "T01"})
    assert uses(at) == ["card main graze"]
    assert uses(table("AW01 / AW11", played="AW01", path="T04")) == []  # not the bonus of another card


def test_several_equal_bonus_actions_are_listed_once_and_used_one_by_one():
    own = ["Z1 adult-white - lake 1 navigate,graze,navigate -"]
    at = table("Z1", played="Z1", cards=own)
    assert uses(at) == ["card bonus navigate", "card bonus graze"]
    for used, left in (([0], ["graze", "navigate"]), ([0, 2], ["graze"])):
        use(at, "card bonus navigate")
        at.apply({"add": choices(at)[0]})
        assert at.state()["used"]["bonus"] == used
        assert uses(at) == [f"card bonus {action}" for action in left]


def test_the_example_of_lead():
    """Three adult whites: navigate first, then the lead bird's bonus."""
    at = table("AW06 / AW13 / AW17", path="T28", played="AW17")
    assert uses(at) == ["lead main navigate", "lead bonus fly"]
    use(at, "lead main navigate")
    at.apply({"add": "T01"})
    assert at.state()["used"] == {"main": True, "bonus": [], "lead_main": True, "lead_bonus": []}
    assert (at.state()["activated"], uses(at)) == ("AW06", ["lead bonus fly"])
    use(at, "lead bonus fly")
    fly(at, "1 mountain")
    assert (at.state()["used"]["lead_bonus"], uses(at)) == ([0], [])


def test_k15_a_lead_card_as_the_lead_bird_has_its_bonus_only():
    """AW16: lead, and for three adult whites fly; also itself, twice then (A Few Hints)."""
    assert uses(table("AW16 / AW01 / AW17", path="T01", played="AW17")) == ["lead bonus fly"]
    at = table("AW16 / AW01 AW02", path="T01 T04 T02", played="AW16")
    assert uses(at) == ["card bonus fly", "lead bonus fly"]
    use(at, "lead bonus fly")
    fly(at, "1 mountain")
    assert uses(at) == []  # the mountain icon comes first and does not match
    assert uses(table("AW17", played="AW17")) == []


def test_k15_the_lead_bird_is_fixed_once_begun_wherever_it_goes():
    """Z1 has swap and two bonuses; the lead card's own bonus may come in between."""
    own = ["Z1 adult-white swap - 2 navigate -", "Z2 adult-white lead - 2 graze -"]
    at = table("Z1 / Z2 / AB07", played="Z2", cards=own)
    assert uses(at) == ["card bonus graze", "lead main swap", "lead bonus navigate"]
    use(at, "lead main swap")
    at.apply({"swap": ["lead", "bottom-1"]})
    assert flock_of(at) == "AB07 / Z2 / Z1"
    assert uses(at) == ["card bonus graze", "lead bonus navigate"]  # Z1's, not that of AB07
    use(at, "card bonus graze")
    at.apply({"remove": "top-1"})
    at.apply({"stop": True})
    assert flock_of(at) == "AB07 / / Z1"
    assert uses(at) == []  # one adult white is left
    at = table("Z1 / Z2 AW13 / AB07", played="Z2", cards=own)
    use(at, "lead main swap")
    at.apply({"swap": ["lead", "bottom-1"]})
    use(at, "card bonus graze")
    at.apply({"remove": "top-1"})
    at.apply({"stop": True})
    assert uses(at) == ["lead bonus navigate"]  # begun, so the lead card need not stay


def test_k15_beginning_needs_the_lead_card_and_going_on_the_activated_bird():
    own = ["Z1 adult-white graze - 1 navigate -", "Z2 adult-white lead - 1 graze -"]
    at = table("Z1 / Z2 / AB07", played="Z2", cards=own)
    use(at, "card bonus graze")
    at.apply({"remove": "top-1"})
    at.apply({"stop": True})
    assert (flock_of(at), uses(at)) == ("Z1 / / AB07", [])  # gone before it began
    at = table("Z1 / Z2 / AB07", played="Z2", cards=own)
    use(at, "lead main graze")
    at.apply({"remove": "lead"})
    at.apply({"stop": True})
    at.apply({"slide": "bottom"})
    assert (flock_of(at), at.state()["activated"]) == ("AB07 / Z2 /", "Z1")
    assert uses(at) == ["card bonus graze"]


def test_k15_the_lead_bird_is_the_one_when_the_first_part_is_used():
    own = ["Z2 adult-white lead - 1 swap -"]
    at = table("AW10 / Z2 / AB07", played="Z2", cards=own)
    assert uses(at) == ["card bonus swap", "lead main graze"]
    use(at, "card bonus swap")
    at.apply({"swap": ["lead", "bottom-1"]})
    assert uses(at) == ["lead main navigate"]


# -------------------------------------------------------------------------------- 2. Replenish your hand


def after_end(flock="AW01", played="AW01", **more):
    at = table(flock, played=played, path=more.pop("path", "T10"), **more)
    end(at)
    return at


def test_k17_one_card_of_the_display_and_the_slot_is_filled():
    at = after_end(pile="AB05 AB06")
    assert (moment(at), at.legal()) == ((1, "replenish"), [{"take": c} for c in ("JB11", "JB12", "JB13")])
    assert at.apply({"take": "JB12"}) == [{"show": "AB05"}]
    told = at.state()
    assert (told["flock_display"], told["hands"]["1"]) == (["JB11", "AB05", "JB13"], ["JB10", "JB12"])
    assert (moment(at), told["turn"], told["round"], told["played"]) == ((2, "play"), 2, 1, None)


def test_k17_draws_from_the_deck():
    at = after_end(pile="AB05 AB06", rules={"draw_from_deck": True})
    assert at.legal()[-1] == {"draw": True}
    assert at.apply({"draw": True}) == [{"draw": "AB05"}]
    assert (at.state()["hands"]["1"], at.state()["flock_display"]) == (["AB05", "JB10"], ["JB11", "JB12", "JB13"])
    at = after_end(pile="", discard="AW09", rules={"draw_from_deck": True})
    assert at.apply({"draw": True}) == [{"flock_deck": "shuffled"}, {"draw": "AW09"}]
    assert {"draw": True} not in after_end(pile="", rules={"draw_from_deck": True}).legal()


def test_k18_the_discard_is_shuffled_when_a_card_is_needed():
    at = after_end(pile="AB05", discard="AW09")
    assert at.apply({"take": "JB11"}) == [{"show": "AB05"}]
    assert (at.state()["draw_pile"], at.state()["discard"]) == ([], ["AW09"])  # not before
    at = after_end(pile="", discard="AW09")
    assert at.apply({"take": "JB11"}) == [{"flock_deck": "shuffled"}, {"show": "AW09"}]
    assert (at.state()["flock_display"], at.state()["discard"]) == (["AW09", "JB12", "JB13"], [])


# ------------------------------------------------------------------------------------------ End of Game

SEVEN = "AW01 / AW02 AW03 AW04 / AB01 AB02 AB03"
TEN = "T28 " + " ".join(f"T{n:02}" for n in range(1, 10))


def test_k21_a_full_flock_is_out_without_replenishing():
    at = after_end(SEVEN, "AB03")
    assert (moment(at), at.state()["out"], at.state()["last_turns"]) == ((2, "play"), [1], None)
    assert after_end(SEVEN.replace(" AB03", ""), "AB02").state()["out"] == []
    assert after_end("AW01 / AW02", "AW02", rules={"flock_size": 2}).state()["out"] == [1]


def test_k21_judged_after_all_actions():
    at = table(SEVEN.replace("AB03", "AB10"), played="AB10", path="T10")
    use(at, "card main graze")
    at.apply({"remove": "lead"})
    at.apply({"stop": True})
    at.apply({"slide": "top"})
    end(at)
    assert (moment(at), at.state()["out"]) == ((1, "replenish"), [])


def test_k21_the_last_one_in_plays_on_and_all_out_is_stuck():
    at = after_end("AW01", "AW01", out=[2], round=3, turn=6)
    at.apply({"take": "JB11"})
    assert (moment(at), at.state()["round"], at.state()["turn"]) == ((1, "play"), 4, 7)
    at = after_end(SEVEN, "AB03", out=[2], tokens={"2": "3 lake"})
    assert (at.state()["end_reason"], at.state()["out"], moment(at)) == ("stuck", [1, 2], (None, None))
    assert at.end()["ranking"] == [
        {"seat": 2, "rank": 1, "score": 3, "win_share": 1},
        {"seat": 1, "rank": 2, "score": 0, "win_share": 0},
    ]


def test_k22_each_other_player_still_in_has_one_final_turn():
    at = after_end("AW01", "AW01", at="10 field", path=TEN, others=("JB01", "JB05", "JB06"), out=[3])
    told = at.state()
    assert (moment(at), told["out"], told["last_turns"]) == ((2, "play"), [1, 3], [2, 4])
    at.apply(at.legal()[0])
    end(at)
    assert moment(at) == (2, "replenish")  # as usual
    at.apply(at.legal()[0])
    assert (moment(at), at.state()["last_turns"]) == ((4, "play"), [4])
    at.apply(at.legal()[0])
    end(at)
    at.apply(at.legal()[0])
    assert (at.state()["end_reason"], at.state()["last_turns"], at.end()["rounds"]) == ("win", [], 1)


def test_k22_final_turns_are_clockwise():
    at = after_end(
        "AW01", "JB05", at="0", path=TEN, others=("JB01", "JB05 /", "JB06"), to_move=3, tokens={"3": "10 lake"}
    )
    assert (moment(at), at.state()["last_turns"], at.state()["round"]) == ((4, "play"), [1, 2, 4], 1)
    at.apply(at.legal()[0])
    end(at)
    at.apply(at.legal()[0])
    assert (moment(at), at.state()["last_turns"], at.state()["round"]) == ((1, "play"), [1, 2], 2)


def test_k22_another_at_the_final_card_adds_no_turn():
    state = {"last_turns": [1], "out": [2], "to_move": 1, "round": 7, "turn": 15}
    at = table("AW01", at="11 lake", path=TEN + " T10", played="AW01", tokens={"2": "10 field"}, **state)
    end(at)
    told = at.state()
    assert (told["end_reason"], told["out"], told["round"], told["turn"]) == ("win", [1, 2], 7, 15)
    assert [place["seat"] for place in at.end()["ranking"]] == [1, 2]


def test_k22_the_final_card_is_judged_after_all_actions():
    at = table("AW01 / AW10", at="9 field", path=TEN.replace("T09", "T01"), played="AW01", lands=[])
    use(at, "card main fly")
    fly(at, "10 mountain")
    assert (moment(at), at.state()["last_turns"], at.state()["out"]) == ((1, "act"), None, [])
    end(at)
    assert (at.state()["last_turns"], at.state()["out"]) == ([2], [1])
    at = after_end("AW01", "AW01", at="4 lake", path=TEN, rules={"final_card": 4})
    assert at.state()["last_turns"] == [2]
    at = after_end("AW01", "AW01", at="10 field", path=TEN, out=[2])
    assert at.state()["end_reason"] == "win"  # nobody else is in


RANKS = {
    "the furthest": ({"1": "4 lake", "2": "5 lake"}, {"1": "AW01 / AW02", "2": "AB01"}, [(2, 1), (1, 2)]),
    "the largest flock": ({"1": "5 lake", "2": "5 field"}, {"1": "AW01", "2": "AB01 / JB01"}, [(2, 1), (1, 2)]),
    "most of one type": (
        {"1": "5 lake", "2": "5 field"},
        {"1": "AW01 / AB02 / JW02", "2": "AB01 / JB01 / AB03"},
        [(2, 1), (1, 2)],
    ),
    "shared": ({"1": "5 lake", "2": "5 field"}, {"1": "AW01 / AB02", "2": "AB01 / JB01"}, [(1, 1), (2, 1)]),
    "shared behind": (
        {"1": "5 lake", "2": "6 lake", "3": "5 lake"},
        {"1": "AW01", "2": "AW02", "3": "AW03"},
        [(2, 1), (1, 2), (3, 2)],
    ),
}


@pytest.mark.parametrize("name", RANKS)
def test_k24_ties(name):
    tokens, flocks, ranks = RANKS[name]
    own, *others = flocks.values()
    at = table(own, tokens=tokens, others=others, end_reason="win", decision=None, to_move=None, path=TEN)
    ranking = at.end()["ranking"]
    assert [(place["seat"], place["rank"]) for place in ranking] == ranks
    first = sum(rank == 1 for _, rank in ranks)
    assert [place["win_share"] for place in ranking] == [1 / first] * first + [0] * (len(ranks) - first)
    assert ranking[0]["score"] == max(int(words[0]) for words in tokens.values())
    capped = table(own, tokens=tokens, others=others, end_reason="turn_cap", decision=None, to_move=None, path=TEN)
    assert [(place["seat"], place["rank"], place["win_share"]) for place in capped.end()["ranking"]] == [
        (*place, 0) for place in ranks
    ]


def test_k25_the_cap_of_rounds():
    """A round ends when the turn passes the start seat, whoever is out; final turns are played all the same."""
    last = {"to_move": 2, "turn": 9, "rules": {"turn_cap": 5}, "hand": "AW02", "path": "T10"}
    ended = table("AW01", round=5, **last, decision="act", played="JB01", pile="AB05 AB06 AB07")
    end(ended)
    ended.apply({"take": "JB11"})
    told = ended.state()
    assert (told["end_reason"], told["round"], told["turn"], moment(ended)) == ("turn_cap", 5, 9, (None, None))
    running = table("AW01", round=4, **last, decision="act", played="JB01")
    end(running)
    running.apply({"take": "JB11"})
    assert (running.state()["end_reason"], running.state()["round"]) == (None, 5)
    final = table("AW01", round=5, **{**last, "path": TEN}, decision="act", played="JB01", tokens={"2": "10 lake"})
    end(final)
    assert (moment(final), final.state()["round"], final.state()["last_turns"]) == ((1, "play"), 6, [1])
    over = table("AW01", round=5, **last, decision="act", played="JB01", out=[1], others=("JB01", "JB05"))
    end(over)
    over.apply({"take": "JB11"})
    assert (moment(over), over.state()["round"]) == ((3, "play"), 5)


# -------------------------------------------------------------------------------------------- Solo Play


def automa_turn(display, path, automa="0", rules=None, **more):
    """What the automa does after the human has ended a turn and taken the first card, which AW10 replaces."""
    more = {"deck": "T11 T12", "pile": "AW10 AB04 AB05", **more}
    at = solo("JB01", automa, display="JB10 " + display, path=path, played="JB01", hand="JB02", rules=rules, **more)
    end(at)
    return at, at.apply({"take": "JB10"})[1:]


def test_k26_the_automa_takes_the_card_that_gets_furthest():
    """Identify does not matter; after a match a terrain card is added and the display filled."""
    at, events = automa_turn("AW03 JW05", "T07 T08 T01")  # field; two fields
    assert events == [{"automa": "takes", "card": "JW05", "flies": 2}, {"path": "T11"}, {"show": "AB04"}]
    told = at.state()
    assert told["tokens"]["automa"] == {"card": 2, "terrain": "field"}
    assert (told["path"], told["flock_display"]) == (["T07", "T08", "T01", "T11"], ["AW10", "AW03", "AB04"])
    assert (told["discard"], moment(at), told["round"], told["turn"]) == (["JW05"], (1, "play"), 2, 2)
    _, events = automa_turn("AW03 JW05", "T07 T01")
    assert events[0] == {"automa": "takes", "card": "AW03", "flies": 1}  # ties: leftmost
    _, events = automa_turn("AW03 JW05", "T07 T01", rules={"automa_tie": "rightmost"})
    assert events[0] == {"automa": "takes", "card": "JW05", "flies": 1}
    _, events = automa_turn("AW03 JW05", "T07 T08", rules={"automa_bottom_icons": False})
    assert events[0] == {"automa": "takes", "card": "AW03", "flies": 1}


def test_k26_top_or_bottom_never_both():
    own = ["Z1 adult-white fly field 2 - lake,forest"]
    at, events = automa_turn("AW01 Z1", "T07 T10 T04", cards=own)
    assert events[0] == {"automa": "takes", "card": "Z1", "flies": 1}
    assert at.state()["tokens"]["automa"] == {"card": 1, "terrain": "field"}
    at, events = automa_turn("AW02 Z1", "T10 T04 T07", cards=own)
    assert events[0] == {"automa": "takes", "card": "Z1", "flies": 2}
    assert at.state()["tokens"]["automa"] == {"card": 2, "terrain": "forest"}
    _, events = automa_turn("AW02 Z1", "T10 T07 T04", cards=own, rules={"mismatch": "skip"})
    assert events[0] == {"automa": "takes", "card": "Z1", "flies": 1}
    at, _ = automa_turn("AW01 Z1", "T24 T22", cards=["Z1 adult-white fly field 2 - lake"])
    assert at.state()["tokens"]["automa"] == {"card": 1, "terrain": "field"}  # the top of equals


def test_the_automa_ignores_encounters_and_an_empty_terrain_deck():
    at, events = automa_turn("AW03 AB13", "T20 T15", deck="")
    assert events == [{"automa": "takes", "card": "AW03", "flies": 1}, {"show": "AB04"}]
    assert (moment(at), at.state()["path"]) == ((1, "play"), ["T20", "T15"])


def test_the_automas_card_is_part_of_a_reshuffle():
    _, events = automa_turn("AW03 AB13", "T20 T15", pile="AW10")
    assert events[2:] == [{"flock_deck": "shuffled"}, {"show": "AW03"}]


def test_k27_no_match():
    at, events = automa_turn("AW03 AB13", "T10 T11")
    assert (events, moment(at)) == ([{"automa": "none"}], (1, "play"))
    told = at.state()
    assert (told["flock_display"], told["path"], told["discard"]) == (["AW10", "AW03", "AB13"], ["T10", "T11"], [])
    _, events = automa_turn("AW03 AB13", "T10", automa="1 lake")
    assert events == [{"automa": "none"}]  # no card ahead


def human_out(automa, path, display="AW01 AW04 AW12", **more):
    """The human's seventh bird, and what the automa does alone then."""
    full = "JB01 / JB02 JB03 JB04 / JB05 JB06 JB07"
    at = solo(full, automa, display=display, path=path, played="JB07", hand="JB08", **{"round": 6, "turn": 6, **more})
    return at, end(at)


def test_k27_the_player_out_and_the_automa_flies_on():
    at, events = human_out("0", "T01 T10 T07", pile="AB13 AB12 JB13", deck="T03")
    assert [event for event in events if "automa" in event] == [
        {"automa": "takes", "card": "AW01", "flies": 1},
        {"automa": "takes", "card": "AW04", "flies": 1},
        {"automa": "takes", "card": "AB12", "flies": 1},
        {"automa": "none"},
    ]
    told = at.state()
    assert (told["end_reason"], told["round"], told["turn"]) == ("stuck", 6, 6)
    assert told["tokens"]["automa"] == {"card": 3, "terrain": "field"}
    assert at.end()["ranking"] == [{"seat": 1, "rank": 2, "score": 0, "win_share": 0}]


def test_k27_over_at_once_with_the_player_out_and_the_automa_at_the_final_card():
    path = TEN.replace("T09", "T01 T02")
    at, events = human_out("9 field", path, display="AW01 AB04 AW12")
    assert [event for event in events if "automa" in event] == [{"automa": "takes", "card": "AW01", "flies": 1}]
    assert (at.state()["end_reason"], at.state()["last_turns"]) == ("win", [])


def test_the_automa_reaches_the_final_card_first():
    """One final turn for the human, and the automa does not move again."""
    path = TEN.replace("T09", "T01 T02")
    at, _ = automa_turn("AW01 AB04", path, automa="9 field", round=100)
    assert (moment(at), at.state()["last_turns"], at.state()["round"]) == ((1, "play"), [1], 101)
    at.apply({"play": "JB02", "to": "top"})
    end(at)
    events = at.apply({"take": "AB04"})
    assert [list(event) for event in events] == [["show"]]
    assert (at.state()["end_reason"], at.state()["last_turns"]) == ("win", [])


def test_the_human_reaches_the_final_card_first():
    path = TEN.replace("T09", "T01 T02")
    at = solo("JB01", "7 field", at="10 mountain", path=path, display="JW02 JB11 JW13", played="JB01")
    assert at.state()["terrain_deck"]
    events = end(at)
    assert [event for event in events if "automa" in event] == [{"automa": "none"}]
    assert (at.state()["end_reason"], at.state()["out"], at.state()["last_turns"]) == ("win", [1], [])
    assert at.end()["ranking"] == [{"seat": 1, "rank": 1, "score": 10 + 2, "win_share": 1}]


@pytest.mark.parametrize(
    ("human", "automa", "rules", "rank", "points"),
    [
        ("10 lake", "9 lake", {}, 1, 10),
        ("10 lake", "3 lake", {}, 1, 16),
        ("4 lake", "0", {}, 1, 7),
        ("12 lake", "10 lake", {}, 1, 13),
        ("10 lake", "10 lake", {}, 2, 0),
        ("10 lake", "10 lake", {"solo_tie_wins": True}, 1, 10),
        ("9 lake", "10 lake", {"solo_tie_wins": True}, 2, 0),
    ],
)
def test_k28_solo_score(human, automa, rules, rank, points):
    for reason, share in (("win", 2 - rank), ("stuck", 2 - rank), ("turn_cap", 0)):
        over = {"end_reason": reason, "decision": None, "to_move": None}
        at = solo("AW01", automa, at=human, path=TEN, rules=rules, **over)
        assert at.end()["ranking"] == [{"seat": 1, "rank": rank, "score": points, "win_share": share}]


def test_k25_the_cap_in_solo_comes_after_the_automas_turn():
    at, events = automa_turn("AW03 AB13", "T07 T11", rules={"turn_cap": 3}, round=3, turn=3)
    assert events[0] == {"automa": "takes", "card": "AW03", "flies": 1}
    assert (at.state()["end_reason"], at.state()["round"]) == ("turn_cap", 3)
    at, _ = automa_turn("AW03 AB13", "T07 T11", rules={"turn_cap": 3}, round=2, turn=2)
    assert (at.state()["end_reason"], at.state()["round"]) == (None, 3)


def test_a_game_can_be_copied_and_dealt():
    at = OracleTable(standard_rules(), 4)
    at.deal(3)
    twin = at.copy()
    twin.apply(twin.legal()[0])
    assert at.state()["decision"] == "play"
    assert [len(members(own)) for own in twin.state()["flocks"].values()] == [1, 0, 0, 0]
