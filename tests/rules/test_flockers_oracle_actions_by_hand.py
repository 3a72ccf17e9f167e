"""Flockers' oracle worked out by hand on laid tables: Navigate, Graze, Swap, Lead, bonus actions."""

from tests.rules.flockers_oracle_tables import choices, flock_of, fly, moment, table, use, uses

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
