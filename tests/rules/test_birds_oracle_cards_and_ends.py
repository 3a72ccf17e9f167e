"""The oracle of 4 the Birds by itself: set-up, dice, cards, tokens, re-rolls and ends, on tables laid by hand."""

import random

import pytest

from tests.oracle import four_the_birds as birds
from tests.oracle.birds_position import Dealt, standard_rules
from tests.oracle.birds_referee import OracleTable
from tests.rules.birds_oracle_tables import ALL, Rolled, table

# --------------------------------------------------------------------------------------------- set-up


def test_set_up_at_random():
    """Set Up; B5: the hawk anywhere, then the crows off its corners."""
    dots, spots = set(), set()
    for seed in range(300):
        at = birds.set_up(standard_rules(), 3, Dealt(random.Random(seed)))
        (dot,), board = at.hawks, at.board
        assert len(set(at.crows) - set(board.corners[dot])) == 2
        dots.add(dot)
        spots |= set(at.crows)
        assert (at.hawk_supply, at.crow_supply, at.token_supply) == (2, 4, 12)
        assert (at.reserve, at.hands["3"]) == ({"1": 6, "2": 6, "3": 6}, ALL.split())
    assert (len(dots), len(spots)) == (18, 49)


def test_the_start_seat_chooses():
    """B5."""
    at = OracleTable(standard_rules(setup="choose"), 3)
    assert at.deal() == []
    assert (at.oracle.position.to_move, at.oracle.position.decision, at.oracle.position.roll) == (1, "place_hawk", None)
    assert at.legal() == [{"hawk_to": dot} for dot in at.oracle.position.board.dots]
    assert at.apply({"hawk_to": "11-22"}) == []
    assert at.state()["decision"] == "place_crow"
    assert [action["crow_to"] for action in at.legal()][:7] == ["13", "14", "15", "16", "17", "23", "24"]
    at.apply({"crow_to": "13"})
    assert len(at.legal()) == 49 - 4 - 1
    (event,) = at.apply({"crow_to": "77"})[:1]
    assert (at.state()["decision"], at.state()["turn"], list(event)) == ("turn", 1, ["roll"])


def test_a_start_without_hawk_and_crows():
    at = birds.set_up(standard_rules(hawks_at_start=0, crows_at_start=0, setup="choose"), 2, Rolled("1 2"))
    assert (at.hawks, at.crows, at.decision) == ([], [], "turn")


# ------------------------------------------------------------------------------------------- the dice


@pytest.mark.parametrize(
    ("roll", "discards", "regained"),
    [
        ("3 3", "shoo peck", ["peck"]),  # B19: the top is the most recently played
        ("3 3", "", []),
        ("3 4", "shoo peck", []),
        ("crow hawk", "shoo peck", ["peck"]),  # B18
        ("crow 3", "shoo", []),
        ("3 hawk", "shoo", []),
    ],
)
def test_doubles(roll, discards, regained):
    at = table(("", ""), "place 12", rolls=[roll], discards={2: discards}, hands={2: "roll"})
    assert at.position.hands["2"] == ["roll", *regained]
    assert at.position.discards["2"] == discards.split()[: len(discards.split()) - len(regained)]
    assert at.chance.events == [{"roll": at.position.roll}, *({"regain": card} for card in regained)]


def test_hawk_and_crow():
    """B18: crow options, the crow on any spot, then hawk options, then cards."""
    at = table(roll="crow hawk", hands={1: "roll"})
    assert len(at.of("crow_to").split()) == 49
    assert len(at.of("hawk_to").split()) == 18
    assert [next(iter(action)) for action in at.legal()] == ["crow_to"] * 49 + ["hawk_to"] * 18 + ["play"]
    moved = table(roll="crow hawk", crows="11", hawks="11-22", rules={"crows": 1, "hawks": 1}, hands={1: "roll"})
    assert moved.can() == "lift_crow 11, lift_hawk 11-22, play roll"
    # 12, 21, 22 and the crow's own spot are threatened, but have a way out; it leaves 11.
    assert len(moved.do("lift_crow 11").of("crow_to").split()) == 48


def test_special_rolls_without_cards():
    """B17: forced."""
    assert table(roll="crow 7", hands={1: ""}).can().startswith("crow_to 17 27")
    assert table(roll="crow 7", hands={1: ""}).can().count(",") == 0
    assert table(roll="7 hawk", hands={1: ""}).can().count(",") == 0


# ------------------------------------------------------------------------------------------ the cards


def test_roll():
    """B20: discarded, then a full roll in the same turn; doubles bring it back; no win check."""
    flock = ("", "11 12 21 22")
    at = table(flock, "play roll", rolls=["3 5"], discards={1: "shoo"})
    assert (at.moment(), at.position.turn, at.can()) == ((1, "turn"), 1, "place 35 53, play mock peck")
    assert (at.position.discards["1"], at.position.card) == (["shoo", "roll"], None)
    double = table(flock, "play roll", rolls=["3 3"], discards={1: "shoo"})
    assert (double.position.discards["1"], "roll" in double.position.hands["1"]) == (["shoo"], True)


def test_shoo():
    """B21: to another free dot, or off the tree."""
    at = table(("23", ""), "play shoo", hawks="11-22 66-77")
    assert (at.moment(), at.can()) == ((1, "shoo"), "lift_hawk 11-22 66-77, remove_hawk 11-22 66-77")
    assert (at.position.card, at.position.discards["1"]) == ("shoo", ["shoo"])
    moved = at.copy().do("lift_hawk 11-22")
    assert len(moved.of("hawk_to").split()) == 16
    assert moved.do("hawk_to 22-33").moment() == (1, "scatter")
    at.do("remove_hawk 11-22")
    assert (at.moment(), at.position.hawks, at.position.hawk_supply, at.position.card) == (
        (2, "turn"),
        ["66-77"],
        2,
        None,
    )
    only_moved = table(("", ""), "play shoo", hawks="11-22", rules={"shoo": {"remove": False}})
    assert only_moved.can() == "lift_hawk 11-22"
    assert table(("", ""), "play shoo", hawks="11-22", rules={"shoo": {"move": False}}).can() == "remove_hawk 11-22"
    assert "shoo" not in table(hawks="11-22", rules={"shoo": {"move": False, "remove": False}}).can()
    assert "shoo" not in table().can()


def test_mock():
    """B22: moves a crow, or places one from the supply; B14: never to a threatened spot; B15: over birds."""
    at = table(("12", ""), "play mock", crows="77", hawks="33-44", tokens="11")
    assert (at.moment(), at.of("lift_crow")) == ((1, "mock"), "77")
    assert len(at.of("crow_to").split()) == 49 - 4 - 2
    assert {"12"} < set(at.of("crow_to").split())
    moved = at.copy().do("lift_crow 77")
    assert len(moved.of("crow_to").split()) == 49 - 4 - 2
    assert moved.do("crow_to 12").moment() == (1, "displace")
    assert at.do("crow_to 76").position.crow_supply == 4
    assert table(("", ""), "play mock", crows="77", rules={"mock": {"place": False}}).can() == "lift_crow 77"
    assert "lift" not in table(("", ""), "play mock", crows="77", rules={"mock": {"move": False}}).can()
    assert "mock" not in table(crows="77", rules={"crows": 1, "mock": {"move": False}}).can()
    assert "mock" not in table(rules={"mock": {"place": False}}).can()


@pytest.mark.parametrize(
    ("more", "spots"),
    [
        ({}, "12 13 21 22 23 31 32 33"),
        ({"crows": "22"}, "12 13 21 23 31 32 33"),  # over it
        ({"tokens": "22"}, "12 13 21 31"),  # not over it
        ({"hawks": "22-33"}, "12 13 21 31"),  # B14
        ({"hawks": "22-33", "rules": {"cards_onto_threat": True}}, "12 13 21 22 23 31 32 33"),
    ],
)
def test_swoop(more, spots):
    """B23, B24: one or two steps, turns allowed, by destination."""
    at = table(("11", "", "77"), "play swoop", **more)
    assert (at.moment(), at.can()) == ((1, "swoop"), "lift 11")
    assert (at.do("lift 11").moment(), at.can()) == ((1, "fly"), f"fly_to {spots}")
    assert (at.position.lifted, at.position.lifted_piece, at.where(1)) == ("11", {"bird": 1}, "")


def test_flying_over_threatened_spots():
    """B14: 25 by way of 34 only."""
    more = {"hawks": "33-44", "tokens": "14 24", "rules": {"branch_layout": {"name": "full"}}}
    assert "25" in table(("23", ""), "play swoop", "lift 23", **more).of("fly_to").split()


def test_peck():
    """B23: an opponent's bird, never a crow, with that bird's own rank; who cannot move is not offered."""
    at = table(("13 77", "11 22", "12"), "play peck", crows="44", hawks="33-44")
    assert (at.moment(), at.can()) == ((1, "peck"), "lift 11 12 22")
    at.do("lift 11")
    # 2 outranks 3 on 12 and may land on its own 22, not on 1's 13.
    assert (at.moment(), at.of("fly_to")) == ((1, "fly"), "12 21 22 23 31 32")
    assert at.do("fly_to 12").moment() == (3, "displace")
    shut_in = table(("", "11", ""), crows="12 13 21 22 23 31 32 33", rules={"crows": 8}, hands={1: "peck"})
    assert "peck" not in shut_in.can()


def test_flock_moves_two_different_birds():
    """B24: in sequence, one step each, the second optional; also one just displaced."""
    at = table(("33 34", ""), "play flock")
    assert (at.moment(), at.can(), at.position.flock_moves) == ((1, "flock"), "lift 33 34", 0)
    at.do("lift 33")
    assert at.can() == "fly_to 22 23 32 34 43 44"
    at.do("fly_to 34")
    assert (at.moment(), at.position.flown, at.position.flock_moves) == ((1, "displace"), "34", 1)
    at.do("displace 24")
    assert (at.moment(), at.can()) == ((1, "flock"), "lift 24, done")
    at.do("lift 24").do("fly_to 34")
    assert (at.moment(), at.position.flown, at.position.flock_moves) == ((1, "displace"), None, 2)
    at.do("displace 33")
    assert (at.moment(), at.where(1), at.position.flock_moves) == ((2, "turn"), "33 34", 0)


def test_flock_with_one_bird():
    at = table(("33", ""), "play flock", "lift 33", "fly_to 34")
    assert at.can() == "done"
    assert at.do("done").moment() == (2, "turn")


def test_cards_onto_threatened_spots():
    """B14: land, then slide by the active player, back to the start if one likes (B13)."""
    more = {"hawks": "44-55", "rules": {"cards_onto_threat": True}}
    at = table(("", "43", "34"), "play peck", "lift 43", "fly_to 44", **more)
    assert (at.moment(), at.can()) == ((1, "slide"), "slide 33 34 43")
    assert at.do("slide 34").moment() == (3, "displace")
    first = table(("43", ""), "play flock", "lift 43", "fly_to 44", **more)
    assert (first.position.flown, first.position.flock_moves) == (None, 1)
    first.do("slide 33")
    assert (first.moment(), first.can(), first.position.flown) == ((1, "flock"), "done", "33")
    crow = table(("", ""), "play mock", crows="77", **more)
    assert "44" in crow.of("crow_to")


# ------------------------------------------------------------------------------------ tokens, re-rolls


def test_tokens():
    """B25: without cards, on a rolled spot that is empty, threatened or not, while there are any."""
    at = table(("21", ""), hands={1: ""}, hawks="11-22")
    assert at.can() == "place 12 21, token 12"
    at.do("token 12")
    assert (at.position.tokens, at.position.token_supply, at.moment()) == (["12"], 11, (2, "turn"))
    assert at.of("place") == "21"
    assert "token" not in table(hands={1: "shoo"}).can()
    assert "token" not in table(hands={1: ""}, rules={"tokens": 0}).can()
    assert "token" not in table(roll="crow 3", hands={1: ""}).can()
    assert table(hands={1: ""}, roll="3 3").can() == "place 33, token 33"


def test_re_rolls():
    """B26: the same turn goes on, doubles count; B27: a useless card is not legal."""
    at = table(("", ""), "place 12", tokens="11", rolls=["1 1", "1 3"], hands={2: ""}, discards={2: "shoo shoo"})
    assert (at.moment(), at.position.turn, at.position.hands["2"]) == ((2, "turn"), 2, ["shoo"])
    assert at.chance.events == [{"roll": [1, 1]}, {"regain": "shoo"}, {"roll": [1, 3]}]


@pytest.mark.parametrize(("useless", "over"), [(1000, False), (1001, True)])
def test_deadlock(useless, over):
    """B26: a roll and 1,000 re-rolls without anything legal."""
    at = table(
        ("", ""), "place 12", tokens="11", rolls=["1 1"] * useless + ["1 3"], hands={2: ""}, discards={2: "shoo"}
    )
    assert at.position.end_reason == ("deadlock" if over else None)
    shown = [{"roll": [1, 1]}, {"regain": "shoo"}, *[{"roll": [1, 1]}] * 38]
    assert at.chance.events == [*shown, {"more_rolls": useless - 39 - over}, {"roll": [1, 1] if over else [1, 3]}]
    assert {place["rank"] for place in birds.ranking(at.position)} == {1}
    assert {place["win_share"] for place in birds.ranking(at.position)} == {0}


# ------------------------------------------------------------------------------------------- the ends


def test_a_flock_made_by_being_displaced():
    """B3: any player wins at the end of any turn; with `active` only at the end of an own one, if it still stands."""
    moves = (("", "11 12 21 33"), "place 33", "displace 22")
    at = table(*moves, roll="3 3")
    assert at.position.end_reason == "win"
    assert at.position.flock == {"seat": 2, "shape": "square", "spots": ["11", "12", "21", "22"]}
    later = table(*moves, roll="3 3", rolls=["5 6"], rules={"win_check": "active"})
    assert later.moment() == (2, "turn")
    assert later.do("place 56").position.flock["seat"] == 2


@pytest.mark.parametrize(
    ("spots", "rules", "won"),
    [
        ("11 22 33", {}, "line 11 22 33 44"),
        ("41 42 43", {}, "line 41 42 43 44"),
        ("34 43 33", {}, "square 33 34 43 44"),
        ("34 45 54", {}, None),
        ("45 46 17", {}, None),
        ("34 43 33", {"win_square": False}, None),
        ("41 42 43", {"win_line": False}, None),
        ("34 43 33 42 41", {}, "square 33 34 43 44"),  # squares before lines
    ],
)
def test_flocks(spots, rules, won):
    """How To Win; B2."""
    at = table((spots, ""), "place 44", roll="4 4", rules=rules)
    flock = at.position.flock
    assert (flock and " ".join([flock["shape"], *flock["spots"]])) == won
    assert at.position.end_reason == ("win" if won else None)


def test_a_hawk_breaks_no_branch():
    """B2."""
    at = table(("11 22 33", ""), "place 44", roll="4 4", hawks="13-24")
    assert at.position.end_reason == "win"
    through = table(("11 22 33", ""), "place 44", roll="4 4", hawks="66-77", rules={"win_square": False})
    assert through.position.flock["shape"] == "line"


FOUR_FLOCKS = ("11 12 21 22", "16 17 26 27", "61 62 71 72")


@pytest.mark.parametrize(
    ("on", "active", "seat"),
    [
        (FOUR_FLOCKS, 1, 1),
        (FOUR_FLOCKS, 3, 3),
        (("", *FOUR_FLOCKS[1:]), 1, 2),
        ((FOUR_FLOCKS[0], "", FOUR_FLOCKS[2]), 2, 3),
        ((*FOUR_FLOCKS[:2], ""), 3, 1),
    ],
)
def test_several_flocks(on, active, seat):
    """B4: the active player first, then the nearest clockwise; or shared."""
    at = table(on, "place 45", roll="4 5", active=active)
    assert (at.position.end_reason, at.position.flock["seat"]) == ("win", seat)
    ranks = {place["seat"]: (place["rank"], place["score"], place["win_share"]) for place in birds.ranking(at.position)}
    assert ranks == {who: (1, 1, 1.0) if who == seat else (2, 0, 0.0) for who in (1, 2, 3)}
    shared = table(on, "place 45", roll="4 5", active=active, rules={"several_flocks": "shared"})
    first = [who for who, spots in enumerate(on, start=1) if spots]
    assert shared.position.flock["seat"] == seat
    assert birds.ranking(shared.position) == [
        *({"seat": who, "rank": 1, "score": 1, "win_share": 1 / len(first)} for who in first),
        *({"seat": who, "rank": 1 + len(first), "score": 0, "win_share": 0.0} for who in (1, 2, 3) if who not in first),
    ]


def test_rounds():
    """A round ends when the turn passes seat 1 again."""
    at = table(("", ""), "place 12", "place 21", rolls=["1 2"])
    assert (at.position.turn, at.position.round, at.position.active) == (3, 2, 1)


def test_turn_cap():
    """B28: judged after the win."""
    at = table(("", ""), "place 12", rules={"turn_cap": 1})
    assert (at.position.end_reason, at.position.to_move, at.position.roll) == ("turn_cap", None, None)
    assert {(place["rank"], place["win_share"]) for place in birds.ranking(at.position)} == {(1, 0.0)}
    assert table(("11 12 21", ""), "place 22", roll="2 2", rules={"turn_cap": 1}).position.end_reason == "win"
    assert table(("", ""), "place 12", rules={"turn_cap": 2}).position.end_reason is None
