"""The oracle of 4 the Birds by itself: boards, placing, pecking order, chains and hawks, on tables laid by hand.

On the 7x7 board a spot whose digits add up to an even number has branches to its four orthogonal neighbours, up-left
and down-right; one whose digits add up to an odd number up-right and down-left.
"""

import json

import pytest

from tests.oracle.birds_board import board_of, built
from tests.oracle.birds_position import standard_rules
from tests.rules.birds_oracle_tables import table

CHECKERBOARD, FULL = json.dumps({"name": "checkerboard"}), json.dumps({"name": "full"})

# ------------------------------------------------------------------------------------------ the board


@pytest.mark.parametrize(
    ("side", "layout", "counts"),
    [
        (7, CHECKERBOARD, (18, 72, 36, 120)),
        (9, CHECKERBOARD, (32, 144, 64, 208)),
        (7, FULL, (36, 88, 36, 156)),
        (9, FULL, (64, 180, 64, 272)),
        (4, CHECKERBOARD, (5, 10, 9, 34)),  # by hand: 5 cells, 4 + 4 + 2 lines, 24 + 10 branches
    ],
)
def test_counts_of_dots_lines_squares_and_branches(side, layout, counts):
    """B1's numbers."""
    board = built(side, layout)
    assert (len(board.dots), len(board.lines), len(board.squares), len(board.branches)) == counts


def test_which_board_by_number_of_players():
    """Set Up: 7x7 for 2 and 3, else 9x9 with 8 and 9 as the outer ring (B1)."""
    sides = [board_of(standard_rules(), players).side for players in (2, 3, 4, 5, 6)]
    assert sides == [7, 7, 9, 9, 9]
    full = board_of(standard_rules(), 4)
    assert full.spots[:10] == ("88", "81", "82", "83", "84", "85", "86", "87", "89", "18")
    assert full.neighbours["88"] == ("81", "18", "11")
    assert full.neighbours["99"] == ("77", "79", "97")
    assert full.neighbours["97"] == ("77", "79", "96", "99")
    assert full.corners["88-11"] == ("88", "81", "18", "11")
    assert full.with_digit[9] == (
        "89",
        *(f"{row}9" for row in range(1, 8)),
        "98",
        *(f"9{column}" for column in range(1, 8)),
        "99",
    )


def test_the_inner_board_is_the_same():
    inner, full = board_of(standard_rules(), 2), board_of(standard_rules(), 4)
    assert inner.branches == {branch for branch in full.branches if not set("".join(branch)) & set("89")}
    assert set(inner.dots) == set(full.dots) & set(inner.dots) == {dot for dot in full.dots if not set(dot) & set("89")}


def test_branches_of_checkerboard():
    """B1: diagonals in every second cell."""
    board = built(7, CHECKERBOARD)
    assert board.neighbours["33"] == ("22", "23", "32", "34", "43", "44")
    assert board.neighbours["34"] == ("24", "25", "33", "35", "43", "44")
    assert board.neighbours["11"] == ("12", "21", "22")
    assert board.neighbours["17"] == ("16", "27")
    assert board.dots[:4] == ("11-22", "13-24", "15-26", "22-33")
    assert built(7, FULL).neighbours["33"] == ("22", "23", "24", "32", "34", "42", "43", "44")


def test_lines():
    """B2: four consecutive spots, each pair joined."""
    lines = built(7, CHECKERBOARD).lines
    assert {
        ("11", "22", "33", "44"),
        ("16", "25", "34", "43"),
        ("14", "15", "16", "17"),
        ("43", "53", "63", "73"),
    } < set(lines)
    assert ("12", "23", "34", "45") not in lines
    assert ("12", "23", "34", "45") in built(7, FULL).lines


def board_file(without_spots=(), without_branches=(), dots=("11-22",)):
    """The 4x4 board without some of it, in the words of a header."""
    full = built(4, CHECKERBOARD)
    spots = [spot for spot in full.spots if spot not in without_spots]
    branches = ["-".join(full.in_order(branch)) for branch in full.branches]
    kept = [branch for branch in branches if branch not in without_branches and set(branch.split("-")) <= set(spots)]
    return {"name": "oak.txt", "spots": spots, "branches": kept, "dots": list(dots)}


def test_a_board_file():
    """B1: a square needs its four spots, a line its three branches."""
    layout = board_file(without_spots=("44",), without_branches=("21-22", "11-22"))
    board = built(4, json.dumps(layout))
    assert (len(board.spots), len(board.squares), board.dots) == (15, 8, ("11-22",))
    assert board.neighbours["11"] == ("12", "21")
    assert ("21", "22", "23", "24") not in board.lines
    assert ("11", "22", "33", "44") not in board.lines
    assert ("14", "24", "34", "44") not in board.lines
    assert ("31", "32", "33", "34") in board.lines
    assert board.rolled[4, 4] == ()
    assert board.corners == {"11-22": ("11", "12", "21", "22")}


# ------------------------------------------------------------------------------ placing, pecking order


def test_first_turn():
    """The Rules are Simple; cards that would do nothing are not offered (B27)."""
    assert table(roll="2 4").can() == "place 24 42, play roll mock"
    assert table(roll="4 4").can() == "place 44, play roll mock"
    assert table(roll="4 2").of("place") == "24 42"


@pytest.mark.parametrize(
    ("on", "more", "spots"),
    [
        (("12", "", ""), {}, "12 21"),  # one's own
        (("", "12", ""), {}, "12 21"),  # the left neighbour's
        (("", "", "12"), {}, "21"),
        (("", "", "12"), {"active": 2}, "12 21"),
        (("12", "", ""), {"active": 2}, "21"),
        (("12", "", ""), {"active": 3}, "12 21"),
        (("", "", ""), {"crows": "12"}, "21"),
        (("", "", ""), {"tokens": "12"}, "21"),
        (("12", ""), {"active": 2}, "12 21"),  # with two each displaces the other
        (("", "12"), {}, "12 21"),
    ],
)
def test_pecking_order(on, more, spots):
    """B7, B15."""
    assert table(on, **more).of("place") == spots


def test_relocating_once_all_are_in_play():
    """Placing Birds; B6: elsewhere than it was, only with none in reserve."""
    own = "12 33 35 53 55 77"
    assert table((own, ""), crows="21").of("lift") == "33 35 53 55 77"
    assert table((own, "")).of("lift") == own
    assert table((own, ""), roll="3 3").of("lift") == "12 35 53 55 77"
    assert table((own[:-3], "")).can().startswith("place 12 21, play")
    at = table((own, ""), "lift 33")
    assert (at.moment(), at.can(), at.where(1)) == ((1, "land"), "place 12 21", "12 35 53 55 77")
    assert (at.position.lifted, at.position.lifted_piece) == ("33", {"bird": 1})
    assert at.do("place 12").moment() == (1, "displace")
    assert table((own, ""), "lift 12").can() == "place 21"


def displaced(**more):
    return table(("32", "22 33", "23"), "place 33", roll="3 3", crows="34", tokens="43", hawks="44-55", **more)


def test_ways_out_of_a_displaced_bird():
    """B8: not a crow, a token, a threatened spot or a bird it does not outrank."""
    at = displaced()
    assert (at.moment(), at.can()) == ((2, "displace"), "displace 22 23")
    assert at.position.moving == {"bird": 2, "from": "33"}
    free = table(("", "22 33", ""), "place 33", roll="3 3")
    assert free.of("displace") == "22 23 32 34 43 44"  # B9: an empty spot need not be preferred


def test_chains():
    """Pecking Order: the process continues; B10: spots entered are closed."""
    at = displaced().do("displace 23")
    assert (at.moment(), at.can(), at.position.closed) == ((3, "displace"), "displace 13 14 24 32", ["23", "33"])
    at.do("displace 32")
    assert (at.moment(), at.can()) == ((1, "displace"), "displace 22 31 41 42")
    at.do("displace 22")
    assert (at.moment(), at.can()) == ((2, "displace"), "displace 11 12 21")
    at.do("displace 11")
    assert (at.moment(), at.position.turn, at.position.closed) == ((2, "turn"), 2, [])
    assert [at.where(seat) for seat in (1, 2, 3)] == ["22 33", "11 23", "32"]


def test_no_way_out():
    """B11: to the reserve, and nobody is asked."""
    at = table(("22", "11", ""), "place 11", roll="1 1", crows="12", tokens="21")
    assert (at.moment(), at.where(2), at.position.reserve) == ((2, "turn"), "", {"1": 4, "2": 6, "3": 6})


def test_displacing_birds_of_ones_own():
    """Bird Movement, Reminder."""
    at = table(("12", ""), "place 12")
    assert (at.moment(), at.position.moving, at.of("displace")) == (
        (1, "displace"),
        {"bird": 1, "from": "12"},
        "11 13 21 22",
    )


# -------------------------------------------------------------------------------------- crows and hawks


def test_where_a_crow_goes():
    """Crows; B15, B16: any spot with the digit, over birds but not over crows and tokens."""
    at = table(("37", "47"), roll="crow 7", crows="17", tokens="27", hawks="66-77")
    # 77 is threatened and without a way out: 66, 67, 76 are threatened too; 67 and 76 have one (B13).
    assert at.of("crow_to") == "37 47 57 67 71 72 73 74 75 76"
    assert at.do("crow_to 37").moment() == (1, "displace")
    assert at.position.crow_supply == 4


def test_moving_a_crow():
    """B6: once all are in play."""
    at = table(roll="crow 7", crows="17 22", rules={"crows": 2})
    assert at.of("lift_crow") == "17 22"
    assert at.do("lift_crow 17").of("crow_to") == "27 37 47 57 67 71 72 73 74 75 76 77"
    assert at.position.lifted_piece == {"crow": True}


def test_a_crow_slides_back_to_where_it_was():
    """B13: only if it is the crow that was lifted from there."""
    more = {"crows": "43 77", "tokens": "33 34", "hawks": "44-55", "rules": {"crows": 2}}
    at = table(("", ""), "lift_crow 43", roll="crow 4", **more)
    assert "44" in at.of("crow_to")
    assert at.do("crow_to 44").can() == "slide 43"
    assert at.position.moving == {"crow": True, "from": "44"}
    assert at.do("slide 43").position.crows == ["43", "77"]
    assert "44" not in table(("", ""), "lift_crow 77", roll="crow 4", **more).of("crow_to")


def test_rolling_into_a_threatened_spot():
    """Hawks, Note; B13: land, then slide to a spot that is legal and not threatened."""
    at = table(("", "43", "34"), roll="4 4", crows="33", hawks="44-55")
    assert at.of("place") == "44"
    at.do("place 44")
    assert (at.moment(), at.can(), at.where(1)) == ((1, "slide"), "slide 43", "")
    at.do("slide 43")
    assert (at.moment(), at.where(1)) == ((2, "displace"), "43")
    assert at.of("displace") == "34 42 52 53"
    assert table(("", "", "34"), roll="4 4", crows="33", tokens="43", hawks="44-55").of("place") == ""


def test_sliding_back():
    """B13: to the spot lifted from."""
    own = "43 11 13 15 17 71"
    at = table((own, ""), "lift 43", "place 44", "slide 43", roll="4 4", crows="33 34", hawks="44-55")
    assert (at.moment(), at.where(1)) == ((2, "turn"), "11 13 15 17 43 71")


def test_where_a_hawk_goes():
    """B16: to any free dot, whatever the other die; B6: moved when all are in play."""
    at = table(roll="5 hawk", hawks="11-22")
    assert len(at.of("hawk_to").split()) == 17
    assert "11-22" not in at.of("hawk_to").split()
    full = table(roll="5 hawk", hawks="11-22 13-24 66-77")
    assert full.of("lift_hawk") == "11-22 13-24 66-77"
    full.do("lift_hawk 13-24")
    assert len(full.of("hawk_to").split()) == 15
    assert full.moment() == (1, "land")
    full.do("hawk_to 22-33")
    assert (full.moment(), full.position.hawks) == ((2, "turn"), ["11-22", "22-33", "66-77"])


def test_scatter():
    """B12: all are lifted, then from the left on, the active player, crows last and placed by the active player."""
    at = table(("33", "34", "43"), "hawk_to 33-44", roll="5 hawk", crows="44")
    assert [words["from"] for words in at.position.scattering] == ["33", "34", "43", "44"]
    assert at.position.birds == {"1": [], "2": [], "3": []}
    for seat, spot, ways in (
        (2, "34", "24 25 35"),
        (3, "43", "42 52 53"),
        (1, "33", "22 23 32"),
        (1, "44", "45 54 55"),
    ):
        assert (at.moment(), at.can()) == ((seat, "scatter"), f"scatter {spot}")
        at.do(f"scatter {spot}")
        assert (at.moment(), at.can()) == ((seat, "displace"), f"displace {ways}")
        at.do(f"displace {ways[:2]}")
    assert (at.moment(), at.position.crows) == ((2, "turn"), ["45"])
    assert [at.where(seat) for seat in (1, 2, 3)] == ["22", "24", "42"]


def test_choosing_the_next_to_scatter():
    """B12: its owner chooses which; one that has no way out flies off at once."""
    at = table(("", "33 43"), "hawk_to 33-44", roll="5 hawk", crows="42 52", tokens="53")
    assert at.can() == "scatter 33 43"
    at.do("scatter 43")
    assert (at.moment(), at.can(), at.position.reserve["2"]) == ((2, "scatter"), "scatter 33", 5)


def test_chains_within_a_scatter():
    """B12: whoever is displaced on the way moves before the next lifted bird; B10: each lifted bird starts anew."""
    at = table(("24", "33", "23"), "hawk_to 33-44", "scatter 33", roll="5 hawk", crows="34")
    at.do("displace 23")
    assert (at.moment(), at.can()) == ((3, "displace"), "displace 13 14 22 24 32")
    at.do("displace 13")
    assert (at.moment(), at.position.closed) == ((1, "scatter"), [])
    at.do("scatter 34").do("displace 24")
    assert (at.moment(), at.can()) == ((1, "displace"), "displace 14 23 25 35")


def test_old_threat_is_gone():
    """B6: of a hawk that is moved."""
    at = table(
        ("", "24"), "lift_hawk 33-44", "hawk_to 13-24", "scatter 24", roll="5 hawk", hawks="33-44", rules={"hawks": 1}
    )
    assert at.of("displace") == "25 34 35"
