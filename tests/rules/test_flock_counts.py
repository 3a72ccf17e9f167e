"""Flock: exact numbers of sequences of decisions from fixed positions. Where a number is small enough to be worked
out by hand, the comment does so."""

from __future__ import annotations

import pytest

from tests.rules.flock_positions import activate, count_sequences

NO_UPKEEP = {"competition_thresholds": {"2": 1}, "free_birds": 15}


def test_the_first_four_decisions_of_two_players(empty_flock_table):
    """6 places, 6 places, then 6 places and the own first card, if that is not Competition: 6 * (5 * 7 + 6).

    At depth 4, after a third placement seat 2 has its 6 or 7 actions: 36 * (5 * 7 + 6). After an activation of Feeding
    or Nesting (6 cards of seat 2 each) there are 2 performances, of Laying or Hatching one. Dominance asks nothing
    unless seat 2 has a bird there too: then seat 1, who stands further left, relocates to one of 5 cards. In all
    12 + 12 + 6 + 6 + (5 + 4 * 7 + 6).
    """
    table = empty_flock_table(2)
    table.deal(1)
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 4)] == [6, 36, 246, 1476 + 75]


def test_the_first_decisions_of_advanced_2_player(empty_flock_table):
    """1-left 6, 2-right 6, 2-left 5 (one card is barred), 1-right 6."""
    table = empty_flock_table(2, flocks_per_player=2)
    table.deal(1)
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 4)] == [6, 36, 180, 1080]


@pytest.mark.parametrize(("limit", "outcomes"), [(1, 16), (2, 46), (5, 56)])
def test_ways_to_relocate_three_birds(flock_table, limit, outcomes):
    """To no card, one (5 * 3 ways) or two (10 pairs * 3 ways); without a limit C(8, 5) = 56. Each is one sequence."""
    table = flock_table(2, {1: "competition 3", 2: ""}, {**NO_UPKEEP, "relocate_limit": limit, "rounds": 1})
    activate(table, "competition")
    assert count_sequences(table, 6) == outcomes


def test_ways_to_give_up_birds(flock_table):
    """Of 2 in the pool, 1 on Feeding and 1 on Competition two must go: 2+0+0, 1+1+0, 1+0+1, 0+1+1. After the first
    two the bird on Competition is relocated to one of 5 cards or to the pool."""
    rules = {"competition_thresholds": {"2": 1}, "rounds": 1, "relocate_limit": 1}
    table = flock_table(2, {1: "pool 2, feeding 1, competition 1", 2: ""}, rules)
    activate(table, "competition")
    assert count_sequences(table, 12) == 2 * 6 + 2 * 1


def test_ways_to_perform_with_eight_birds(flock_table):
    """Singles and doubles with s + 2d <= 8: 9 + 7 + 5 + 3 + 1."""
    table = flock_table(2, {1: "feeding 8"})
    activate(table, "feeding")
    assert count_sequences(table, 1) == 25


MIDDLE = {
    1: "pool 1, feeding 1, laying 2, dominance 1, nests 2, eggs 1",
    2: "hatching 2, dominance 2, competition 1, eggs 3, worms 4",
    3: "pool 2, nesting 1, competition 2, nests 1, worms 2",
}
CLOSE = {
    1: "feeding 1, competition 2, nests 1, worms 2",
    2: "pool 1, hatching 1, competition 2",
}


def test_sequences_from_the_middle_of_a_game(flock_table):
    """Depth 1: 6 places, 3 activations. Depth 2: seat 2 activates one of 2 cards after each placement; Feeding has 2
    performances, Laying with 2 nests 4, and on Dominance seat 1 is second and relocates to one of 5 cards."""
    table = flock_table(3, MIDDLE, track="2 3 1", round=2)
    assert [count_sequences(table, depth) for depth in (1, 2, 3, 4)] == [9, 6 * 2 + 2 + 4 + 5, 84, 419]


def test_sequences_through_the_end_of_a_round(flock_table):
    """Seat 2 can pay for none and returns 2 of 4 birds: pool 0 or 1, Hatching 0 or 1 each, then what is left from
    Competition, or, after 1 + 1, seat 1's upkeep with 2 choices."""
    table = flock_table(2, CLOSE, track="2 1")
    activate(table, "competition")
    assert [count_sequences(table, depth) for depth in range(1, 8)] == [1, 2, 4, 3 + 2, 11, 25, 62]
