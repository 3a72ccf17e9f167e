"""Random streams: keyed by purpose, independent, uniform."""

from __future__ import annotations

import numpy as np
import pytest
from flocksim.simulate.bots import line_ups
from flocksim.simulate.compiled import kernel
from flocksim.simulate.streams import BOTS, DECK, DICE, below, next_word, stream_seed, unit

SEEDS = [
    (seed, players, block, purpose)
    for seed in (0, 1)
    for players in (2, 3)
    for block in (0, 1)
    for purpose in (DECK, DICE, BOTS)
]


@kernel
def draws(count, n, streams):
    result = np.zeros(count, np.int64)
    for i in range(count):
        result[i] = below(streams, 0, n)
    return result


@kernel
def units(count, streams):
    result = np.zeros(count)
    for i in range(count):
        result[i] = unit(streams, 0)
    return result


def test_every_part_of_the_key_counts():
    seeds = {int(stream_seed(*key)) for key in SEEDS}
    assert len(seeds) == len(SEEDS)


def test_split_mix_64_gives_its_published_numbers():
    """The first outputs of SplitMix64 from state 1234567 (Vigna's reference implementation)."""
    streams = np.array([1234567], np.uint64)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(next_word(streams, 0)) for _ in expected] == expected


@pytest.mark.parametrize("n", [2, 3, 7, 104])
def test_below_is_uniform(n):
    count = 70_000
    streams = np.array([stream_seed(9, 2, n, DICE)], np.uint64)
    numbers = np.bincount(draws(count, n, streams), minlength=n)
    assert len(numbers) == n
    chi_square = ((numbers - count / n) ** 2 / (count / n)).sum()
    assert chi_square < (n - 1) + 5 * np.sqrt(2 * (n - 1))


def test_unit_stays_inside_and_has_its_mean():
    values = units(100_000, np.array([5], np.uint64))
    assert values.min() >= 0
    assert values.max() < 1
    assert abs(values.mean() - 0.5) < 5 / np.sqrt(12 * 100_000)


def test_neighbouring_streams_do_not_correlate():
    first = units(50_000, np.array([stream_seed(1, 4, 0, DECK)], np.uint64))
    second = units(50_000, np.array([stream_seed(1, 4, 1, DECK)], np.uint64))
    assert abs(np.corrcoef(first, second)[0, 1]) < 5 / np.sqrt(50_000)


def test_a_line_up_has_no_bot_twice_while_others_wait():
    for members in line_ups(1, 4, first=0, blocks=50, strategies=7):
        assert len(set(members)) == 4
    for members in line_ups(1, 5, first=0, blocks=50, strategies=2):
        assert sorted(np.bincount(members, minlength=2)) == [2, 3]


def test_line_ups_give_every_bot_its_share():
    seen = np.bincount(line_ups(3, 4, first=0, blocks=7000, strategies=7).ravel(), minlength=7)
    assert abs(seen - 4000).max() < 5 * np.sqrt(7000 * 4 / 7 * 3 / 7)
