"""4 the Birds: exact numbers, of the boards' parts and of sequences of decisions, counted by hand or by a few lines of
Python that know nothing of the engine."""

from __future__ import annotations

from itertools import permutations

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.games.four_the_birds.board import BranchLayout

from tests.rules.birds_positions import count_sequences, play

PARAMETERS = load_game("4-the-birds").parameters


@pytest.mark.parametrize(
    ("layout", "players", "dots", "lines", "squares", "branches"),
    [
        ("checkerboard", 2, 18, 72, 36, 120),
        ("checkerboard", 3, 18, 72, 36, 120),
        ("checkerboard", 4, 32, 144, 64, 208),
        ("full", 3, 36, 88, 36, 156),
        ("full", 6, 64, 180, 64, 272),
    ],
)
def test_the_parts_of_the_boards_b1(layout, players, dots, lines, squares, branches):
    rules = PARAMETERS.build(players, {"branch_layout": layout})
    tree = rules.branch_layout.tree(rules.board_size[str(players)])
    assert (len(tree.dots), len(tree.lines), len(tree.squares), len(tree.branches)) == (dots, lines, squares, branches)
    assert f"{branches} branches, {dots} red dots, {lines} lines, {squares} squares" in rules.board(players).title
    record = rules.record(players)
    shapes = record["shapes"][0].tolist()
    assert sum(shape & 1 for shape in shapes) == squares
    assert sum((shape >> 1).bit_count() for shape in shapes) == lines
    assert sum(mask.bit_count() for mask in record["branches"][0].tolist()) == 2 * branches
    assert sum(mask.bit_count() for mask in record["near"][0].tolist()) == 2 * branches
    assert record["n_dots"][0] == len(set(record["dots"][0, :dots].tolist())) == dots
    assert record["n_spots"][0] == (49 if players < 4 else 81)


# --- an independent tree ---


def neighbours(spot):
    """On the 7x7 checkerboard: orthogonally, and along the diagonals of cells whose digits have an even sum."""
    row, column = spot
    found = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
    ways = ((1, 1), (-1, -1)) if (row + column) % 2 == 0 else ((1, -1), (-1, 1))
    found |= {(row + down, column + right) for down, right in ways}
    return {near for near in found if all(1 <= digit <= 7 for digit in near)}


def within_two(spot):
    """Spots one or two steps away."""
    near = neighbours(spot)
    return near.union(*(neighbours(other) for other in near)) - {spot}


def spots(text):
    return {(int(name[0]), int(name[1])) for name in text.split()}


def test_swoop_from_every_spot_b23(birds_table):
    """A sequence is a spot to fly to, for each spot that a lone bird may stand on."""
    for row in range(1, 8):
        for column in range(1, 8):
            table = birds_table(3, {1: f"{row}{column}"}, hands={1: "swoop"})
            play(table, "play swoop")
            assert count_sequences(table, 2) == len(within_two((row, column)))


def test_peck_among_birds_and_crows(birds_table):
    """Birds of seats 2 and 3: where each can land by its rank, never on crows, the token nor the bird of seat 1."""
    others = {2: "22 44 55", 3: "33 34"}
    table = birds_table(3, {1: "11 32", **others}, hands={1: "peck"}, crows="23 43")
    play(table, "play peck")
    taken = spots("23 43")
    two, three, one = spots(others[2]), spots(others[3]), spots("11 32")
    expected = sum(len(within_two(spot) - taken - one) for spot in two)
    expected += sum(len(within_two(spot) - taken - two) for spot in three)
    # a landing on a bird is followed by the choice where that one slides, which the next depth counts
    assert count_sequences(table, 2) == expected


def slides(spot, board, seat, closed):
    """How many ways a chain of two players can go on with a bird of `seat` that must leave a spot. board: spot -> seat;
    both outrank each other, so that every spot but closed ones can be entered."""
    ways = neighbours(spot) - closed
    if not ways:
        return 1
    total = 0
    for near in ways:
        other = board.get(near)
        total += 1 if other is None else slides(near, board | {near: seat}, other, closed | {near})
    return total


@pytest.mark.parametrize(
    ("one", "two"), [("24", ""), ("", "24"), ("24 14", "13 23"), ("24 13 35", "14 25 34"), ("12 21", "11 22")]
)
def test_chains_of_two_players_in_full_b10(birds_table, one, two):
    """Every chain set off by a bird placed on a spot held, to its end."""
    board = dict.fromkeys(spots(one), 1) | dict.fromkeys(spots(two), 2)
    first = min(board, key=lambda spot: (spot not in spots("24 12"), spot))
    table = birds_table(2, {1: one, 2: two}, roll=list(first))
    name = f"{first[0]}{first[1]}"
    play(table, f"place {name}")
    assert count_sequences(table, 12) == slides(first, board | {first: 1}, board[first], {first})


def test_a_scatter_of_four_birds(birds_table):
    """Four birds of seat 2 under a hawk on 22-33 leave in any of 4! orders; from each corner three ways lead out, to
    spots that no other corner's lead to: 24 * 3 ** 4."""
    table = birds_table(3, {2: "22 23 32 33"}, roll=[1, "hawk"])
    play(table, "hawk_to 22-33")
    threatened = spots("22 23 32 33")
    ways = [neighbours(spot) - threatened for spot in threatened]
    assert [len(way) for way in ways] == [3] * 4
    assert len(set.union(*ways)) == 12
    assert count_sequences(table, 8) == len(list(permutations(range(4)))) * 3**4


def test_flock_with_two_birds_far_apart(birds_table):
    """Either bird first; one step, then done or the other's step: 2 * (n + n * m) with 11's 3 and 77's 3 ways. What
    ends the turn ends the sequence."""
    table = birds_table(3, {1: "11 77"}, hands={1: "flock"})
    play(table, "play flock")
    steps = len(neighbours((1, 1)))
    assert count_sequences(table, 4) == 2 * (steps + steps * steps)


def test_a_first_turn(birds_table):
    """Two players, roll 2 and 4, a hawk on 66-77, a crow on 55, all cards, nobody on the board: 2 spots; ROLL 1 (its
    dice are chance's); SHOO 17 dots and 1 removal; MOCK 49 - 1 - 4 spots, and the crow to 44 - 0 others."""
    table = birds_table(2, hands={1: "shoo mock"}, hawks="66-77", crows="55")
    free = 49 - 4 - 1
    assert count_sequences(table, 1) == 2 + 2
    assert count_sequences(table, 4) == 2 + (17 + 1) + (free + free)


def test_a_layout_is_the_same_tree_whatever_the_way_there():
    """The 7x7 board is the middle of the 9x9 one (Set Up, Note)."""
    for name in BranchLayout.names():
        layout = BranchLayout.load(name)
        assert layout.tree(9).inner(7) == layout.tree(7)
        assert layout.tree(7).inner(5) == layout.tree(5)
