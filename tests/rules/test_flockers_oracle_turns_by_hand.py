"""Flockers' oracle worked out by hand on laid tables: replenishing, turns, the end, solo play."""

import pytest

from tests.oracle.flockers_cards import standard_rules
from tests.oracle.flockers_position import members
from tests.oracle.flockers_referee import OracleTable
from tests.rules.flockers_oracle_tables import end, fly, moment, solo, table, use

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
