"""Flockers: exact numbers of sequences of decisions from fixed positions, worked out by hand in the comments."""

from __future__ import annotations

import pytest

from tests.rules.flockers_positions import count_sequences, flock_deck, play, terrain_deck, use

PLAIN = {
    "flock_cards": flock_deck("N1,adult-white,navigate,,,,", "G1,adult-white,graze,,1,swap,", "S1,adult-blue,swap,,,,")
}


def test_two_first_turns_with_plain_geese(flockers_table):
    """5 leads, the end, 3 cards to take, then seat 2 alike; then seat 1 has 5 cards and 2 rows."""
    table = flockers_table(rules=PLAIN, hands={1: "P01 P02 P03 P04 P05", 2: "P06 P07 P08 P09 P10"})
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 6, 7)] == [5, 5, 15, 225, 2250]


def test_navigating(flockers_table):
    """Navigate or end; one of 3 terrain cards, then the end; 3 cards to take: 3 + 3 * 3 ways to end the turn."""
    table = flockers_table(rules=PLAIN, hands={1: "N1"}, path="T13")
    assert [count_sequences(table, depth) for depth in (1, 2, 3)] == [1, 2, 3 + 3]
    play(table, "N1")
    twin = table.copy()
    use(twin, "card main navigate")
    assert [count_sequences(twin, depth) for depth in (1, 2, 3)] == [3, 3, 9]


@pytest.mark.parametrize(
    ("flocks", "grazes"),
    [
        ("P01", 2 + 1),  # P01 or G1 alone, or both
        ("P01 / P02", 3 + 2),  # one of three, or G1 with either
        ("P01 / P02 / P03", 4 + 3),
        ("P01 / S1 P03 / P02 P04", 6 + 5),
    ],
)
def test_ways_to_graze(flockers_table, flocks, grazes):
    """Sets with at most one bird without the icon: with G1 and n others n + 1 single ones and n pairs.

    As G1 stands last in the top row, a set is one sequence: chosen one by one, with a stop unless nothing may follow.
    """
    table = flockers_table(rules=PLAIN, flocks={1: flocks}, hands={1: "G1"})
    play(table, "G1", "top")
    use(table, "card main graze")
    assert _sets(table) == grazes


def _sets(table):
    """Sequences until the birds have left."""
    if table.decision != "graze":
        return 1
    total = 0
    for action in table.legal():
        twin = table.copy()
        twin.apply(action)
        total += _sets(twin)
    return total


def test_sequences_of_a_graze_with_its_bonus(flockers_table):
    """P01 leads, G1 behind it. Graze, swap or end (3).

    Then: graze 2 (lead or G1); swap 1 pair; after the end 3 cards to take: 6.
    Then: lead first: G1 or stop, 2; G1 alone ends the graze, and nothing of it is left but the end, 1; after the swap:
    graze or end, 2; each card taken leads to seat 2's one card, 3: 8.
    """
    table = flockers_table(rules=PLAIN, flocks={1: "P01"}, hands={1: "G1", 2: "P02"})
    play(table, "G1", "top")
    assert [count_sequences(table, depth) for depth in (1, 2, 3)] == [3, 6, 8]


@pytest.mark.parametrize(("birds", "pairs"), [("P01", 1), ("P01 / P02", 3), ("P01 / P02 P03 / P04 P05 P06", 21)])
def test_ways_to_swap(flockers_table, birds, pairs):
    table = flockers_table(rules=PLAIN, flocks={1: birds}, hands={1: "S1"})
    play(table, "S1", "top")
    use(table, "card main swap")
    assert count_sequences(table, 1) == pairs


def test_flights_and_the_wind(flockers_table):
    """One row, three spaces: the wind on the second blows to either terrain of the third card.

    Depth 1: 3 spaces. Depth 2: end after the first and the third, 2 winds after the second. Depth 3: 3 cards to take
    after each end, and the end after each wind.
    """
    deck = flock_deck("L1,adult-white,,lake,,,", "L2,adult-white,,lake,,,", "F1,adult-white,fly,lake,,,")
    terrain = terrain_deck("A lake", "B lake:north-wind", "C lake field")
    table = flockers_table(
        rules={"flock_cards": deck, "terrain_cards": terrain}, flocks={1: "L1 / L2"}, hands={1: "F1"}, path="A B C"
    )
    play(table, "F1", "top")
    use(table, "card main fly")
    assert [count_sequences(table, depth) for depth in (1, 2, 3)] == [3, 1 + 2 + 1, 3 + 2 + 3]


def test_shapes_after_a_decoy(flockers_table):
    """With 4 birds behind the lead 3 shapes; the end; 3 cards."""
    deck = flock_deck("F1,adult-white,fly,lake,,,")
    table = flockers_table(
        rules={"flock_cards": deck, "terrain_cards": terrain_deck("A lake:decoy")},
        flocks={1: "P01 / P02 P03 / P04"},
        hands={1: "F1"},
        path="A",
    )
    play(table, "F1", "top")
    use(table, "card main fly")
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 4)] == [1, 3, 3, 9]


def test_the_eagle_and_the_slide(flockers_table):
    """The lead bird is the only juvenile: 2 rows may slide, then the end, then 3 cards."""
    deck = flock_deck("J1,juvenile-white,,,,,", "A1,adult-white,,,,,", "F1,adult-white,fly,lake,,,")
    table = flockers_table(
        rules={"flock_cards": deck, "terrain_cards": terrain_deck("A lake:bald-eagle")},
        flocks={1: "J1 / A1"},
        hands={1: "F1"},
        path="A",
    )
    play(table, "F1", "bottom")
    use(table, "card main fly")
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 4)] == [1, 2, 2, 6]
