"""4 the Birds: boards that a designer draws, what is refused in them, and pictures of boards."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.games.four_the_birds import board_text
from flocksim.simulate.games.four_the_birds.tree import SIDES
from flocksim.simulate.table import Table
from hypothesis import given, settings
from hypothesis import strategies as st

from flocksim.cli import cli
from tests.rules.birds_positions import options, over, play, position

GAME = load_game("4-the-birds")
OAK = """\
# an oak that has lost a branch, a spot and a dot

  1 2 3 4
1 o-o-o-o
  |*| |X|
2 o-o o-o
  | |*|
3 o-o-o .
  |\\|/|
4 o-o-o .
"""


@pytest.fixture
def draw(tmp_path):
    """A function text -> the path of a board file that holds it."""

    def write(text):
        path = tmp_path / "oak.txt"
        path.write_text(text, "utf-8")
        return str(path)

    return write


def rules_on(path, players=2, side=4, **more):
    return GAME.parameters.build(players, {"board_size": {str(players): side}, "branch_layout": path, **more})


def test_a_board_file_is_what_it_draws(draw):
    layout = rules_on(draw(OAK)).branch_layout
    assert layout.name == "oak.txt"
    assert layout.spots == tuple(["11", "12", "13", "14", "21", "22", "23", "24", "31", "32", "33", "41", "42", "43"])
    assert layout.dots == ("11-22", "22-33")
    rows = [
        "11-12 11-21 11-22 12-13 12-21 12-22 13-14 13-23 13-24 14-23 14-24",
        "21-22 21-31 22-32 22-33 23-24 23-32 23-33",
        "31-32 31-41 31-42 32-33 32-42 33-42 33-43",
        "41-42 42-43",
    ]
    assert layout.branches == tuple(" ".join(rows).split())
    assert set(rules_on(draw(OAK)).model_dump()["branch_layout"]) == {"name", "spots", "branches", "dots"}
    assert rules_on("full").model_dump()["branch_layout"] == {"name": "full"}


def test_what_is_drawn_is_played(draw):
    rules = rules_on(draw(OAK))
    table = Table(GAME, rules, 2)
    table.place(position(2, {1: "22"}, roll=[3, 4], hands={1: "swoop flock"}))
    assert options(table, "place") == ["43"]
    play(table, "play flock", "lift 22")
    assert options(table, "fly_to") == ["11", "12", "21", "32", "33"]  # no branch to 23
    table.place(position(2, roll=[1, "hawk"]))
    assert options(table, "hawk_to") == ["11-22", "22-33"]


def test_a_line_needs_its_three_branches_and_a_square_only_spots_b2(draw):
    rules = rules_on(draw(OAK))
    table = Table(GAME, rules, 2)
    table.place(position(2, {1: "21 22 24"}, roll=[2, 3]))
    play(table, "place 23")
    assert not table.over
    table.place(position(2, {1: "12 13 22"}, roll=[2, 3]))
    play(table, "place 23")
    assert over(table) == "win"
    table.place(position(2, {1: "11 12 13"}, roll=[1, 4]))
    play(table, "place 14")
    assert over(table) == "win"


@pytest.mark.parametrize(("players", "layout"), [(2, "checkerboard"), (5, "checkerboard"), (3, "full"), (4, "full")])
def test_a_file_that_equals_a_layout_plays_the_very_same_games(draw, players, layout):
    standard = GAME.parameters.build(players, {"branch_layout": layout})
    drawn = GAME.parameters.build(players, {"branch_layout": draw(standard.board(players).text)})
    assert (standard.record(players) == drawn.record(players)).all()
    assert standard.board(players).links == drawn.board(players).links


def test_a_bigger_file_serves_smaller_boards(draw):
    """One file of the full tree plays all player counts: what lies off the axes is out of play (Set Up, Note)."""
    path = draw(GAME.parameters.build(4).board(4).text)
    for players in range(2, 7):
        drawn, standard = GAME.parameters.build(players, {"branch_layout": path}), GAME.parameters.build(players)
        assert (drawn.record(players) == standard.record(players)).all()


@settings(deadline=None, max_examples=60)
@given(data=st.data(), side=st.sampled_from(SIDES))
def test_any_tree_can_be_drawn_and_read_back(data, side):
    whole = GAME.parameters.build(4, {"branch_layout": "full"}).branch_layout.tree(side)
    spots = frozenset(data.draw(st.sets(st.sampled_from(sorted(whole.spots)))))
    inside = [branch for branch in sorted(whole.branches) if set(branch) <= spots]
    branches = frozenset(data.draw(st.sets(st.sampled_from(inside)))) if inside else frozenset()
    crossings = [
        (row, column)
        for row, column in sorted(whole.dots)
        if {((row, column), (row + 1, column + 1)), ((row, column + 1), (row + 1, column))} <= branches
    ]
    dots = frozenset(data.draw(st.sets(st.sampled_from(crossings)))) if crossings else frozenset()
    tree = type(whole)(whole.axis, spots, branches, dots)
    assert board_text.parse(board_text.draw(tree)) == tree


# --- what is refused ---

FAULTS = {
    "empty": ("# nothing\n", "no board is drawn; wanted: a line of column digits, then the rows"),
    "tab": (OAK.replace("1 o-o", "1\to-o"), "4:2: a tab is not allowed; allowed: blanks"),
    "columns": (OAK.replace("1 2 3 4", "1 2 4 3", 1), "3:3: columns '1 2 4 3' are not allowed; allowed: 1 to 4, 5"),
    "spacing": (OAK.replace("1 2 3 4", "1 2  3 4", 1), "3:3: columns '1 2  3 4' are not allowed"),
    "margin": (OAK.replace("  1 2 3 4", " 1 2 3 4", 1), "3:2: columns begin too far left"),
    "row digit": (OAK.replace("\n2 o", "\n5 o"), "6:1: '5' is not allowed; allowed: 2, the digit of this row"),
    "no row digit": (OAK.replace("\n2 o", "\n  o"), "6:3: '' is not allowed; allowed: 2"),
    "two rows": (
        OAK.replace("  |*| |X|\n", ""),
        "5:1: '2' is not allowed; allowed: blanks left of branches, above row 2",
    ),
    "spot": (OAK.replace("3 o-o", "3 x-o"), "8:3: 'x' is not allowed; allowed: o for a spot or . for one out of play"),
    "short row": (OAK.replace("4 o-o-o .", "4 o-o-o"), "10:9: ' ' is not allowed; allowed: o for a spot"),
    "across": (OAK.replace("4 o-o", "4 o=o"), "10:4: '=' is not allowed; allowed: - for a branch or a blank"),
    "down": (OAK.replace("  |*| |X|", "  I*| |X|"), "5:3: 'I' is not allowed; allowed: | for a branch or a blank"),
    "cell": (
        OAK.replace("|X|", "|x|"),
        "5:8: 'x' is not allowed; allowed: \\, /, X for both, * for both with a red dot",
    ),
    "beyond": (OAK.replace("1 o-o-o-o", "1 o-o-o-o-o"), "4:10: '-o' is not allowed beyond column 4"),
    "across to nothing": (
        OAK.replace("4 o-o-o .", "4 o-o-o-."),
        "10:8: '-' is not allowed; it leads to 44, a spot out",
    ),
    "down to nothing": (OAK.replace("  | |*|", "  | |*| |"), "7:9: '|' is not allowed; it leads to 34, a spot out"),
    "dot at nothing": (OAK.replace("  | |*|", "  | |*|*"), "7:8: '*' is not allowed; it leads to 34, a spot out"),
    "falling to nothing": (OAK.replace("  |\\|/|", "  |\\|/|\\"), "9:8: '\\' is not allowed; it leads to 44"),
    "rising from nothing": (OAK.replace("  |\\|/|", "  |\\|/|/"), "9:8: '/' is not allowed; it leads to 34"),
    "below": (OAK + "  | |\n", "11:1: '| |' is not allowed below the last row, 4"),
    "missing row": (OAK.rsplit("\n", 2)[0] + "\n", "9: row 4 is missing below; wanted: rows 1 2 3 4"),
    "only columns": ("  1 2 3 4\n", "1: row 1 is missing below; wanted: rows 1 2 3 4"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_line_and_column(draw, name):
    text, message = FAULTS[name]
    path = draw(text)
    with pytest.raises(RulesError) as caught:
        rules_on(path)
    assert f"branch_layout: {path}:" in str(caught.value)
    assert re.sub(r".*oak\.txt:\s?", "", str(caught.value)).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "oak.txt draws a board of side 4, but 7 are played on"),
        (
            {"board_size": {"2": 4}, "hawks_at_start": 1, "crows_at_start": 11},
            "cannot start in the tree when there are 6",
        ),
        ({"board_size": {"2": 4}, "crows": 12, "crows_at_start": 11}, "11 crows cannot start on 10 spots"),
        ({"board_size": {"2": 8}}, "board_size.2: 8 is not allowed; allowed: 4 to 7, or 9"),
        ({"board_size": {"2": 4}, "hawks": 0}, "hawks_at_start: 1 cannot start in the tree when there are 0"),
        ({"board_size": {"2": 4}, "win_square": False, "win_line": False}, "no shape is left to win with"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(draw, changes, message):
    with pytest.raises(RulesError, match=re.escape(message)):
        GAME.parameters.build(2, {"branch_layout": draw(OAK)}, changes)


def test_a_board_without_dots_or_flocks_is_refused(draw):
    bare = "  1 2 3 4\n" + "\n".join(f"{row} o o o o\n" for row in range(1, 5))
    with pytest.raises(RulesError, match="hawks_at_start: the board has no red dot for a hawk"):
        rules_on(draw(bare))
    rules_on(draw(bare), hawks_at_start=0)
    with pytest.raises(RulesError, match=r"oak\.txt, 4x4, has no line to win with"):
        rules_on(draw(bare), hawks_at_start=0, win_square=False)


# --- pictures ---


def run(*words):
    return CliRunner().invoke(cli, ["rules", "4-the-birds", *words])


def test_the_board_is_drawn_as_text_that_is_a_board_file(draw):
    done = run("--board", "--players", "3")
    assert done.exit_code == 0
    assert done.output.startswith("# checkerboard, 7x7: 49 spots, 120 branches, 18 red dots, 72 lines, 36 squares\n")
    assert rules_on(draw(done.output), side=7).branch_layout.tree(7) == rules_on("checkerboard").branch_layout.tree(7)
    assert run("--board").output.startswith("# checkerboard, 9x9: 81 spots, 208 branches")
    assert run("--board", "--layout", "full").output.startswith("# full, 9x9: 81 spots, 272 branches, 64 red dots")


def test_the_board_is_drawn_as_a_picture(tmp_path):
    path = tmp_path / "tree.svg"
    assert run("--svg", str(path), "--players", "2").exit_code == 0
    text = path.read_text("utf-8")
    assert text.count("<svg") == 1
    assert all(f">{row}{column}<" in text for row in range(1, 8) for column in range(1, 8))
    assert run("--svg", str(path), "--players", "2").exit_code == 0
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--board", "--layout", "chekerboard"), "chekerboard"),
        (("--board", "--players", "7"), "takes 2 to 6 players, not 7"),
        (("--layout", "full"), "--layout: is for drawing a board"),
        (("--players", "3"), "--players: is for drawing a board"),
        (("--svg", "."), "--svg: '.' is a folder"),
    ],
)
def test_what_cannot_be_drawn_is_refused(words, message):
    done = run(*words)
    assert done.exit_code != 0
    assert message in str(done.exception) + done.output


def test_games_without_a_board_say_so():
    done = CliRunner().invoke(cli, ["rules", "flock", "--board"])
    assert "flock has no board" in str(done.exception) + done.output
