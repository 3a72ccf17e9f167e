"""Eight small counts in one 64-bit word, one byte each: counted, compared and picked from all at once.

The word is the same eight bytes that a state's counts read one by one (see layout.Field).
"""

from __future__ import annotations

import numpy as np

from .compiled import kernel

ONE = np.uint64(1)
ONES = np.uint64(0x0101010101010101)  # 1 in every byte
EMPTY = np.uint64(0)
_HIGH = np.uint64(0x8080808080808080)  # the top bit of every byte
_BYTE = np.uint64(255)
_TO_TOP, _7, _8 = np.uint64(56), np.uint64(7), np.uint64(8)


@kernel
def one(index):
    """The word that counts 1 at an index (from 0) and nothing elsewhere."""
    return ONE << (np.uint64(index) * _8)


@kernel
def total(word):
    """The sum of a word's eight counts (at most 255)."""
    return np.int64((word * ONES) >> _TO_TOP)


@kernel
def at_least(counts, needed):
    """Where the count reaches what is needed, as set top bits of those bytes (counts below 128)."""
    return ((counts | _HIGH) - needed) & _HIGH


@kernel
def how_many(top_bits):
    """How many top bits a word holds."""
    return np.int64(((top_bits >> _7) * ONES) >> _TO_TOP)


@kernel
def pick(counts, nth):
    """The index of the nth thing when all that a word counts lies sorted: how many running totals nth has reached."""
    reached = ((np.uint64(nth) * ONES) | _HIGH) - counts * ONES
    return how_many(reached & _HIGH)


@kernel
def only(word, index):
    """Whether a word counts nothing at any other index."""
    return word & ~(_BYTE << (np.uint64(index) * _8)) == EMPTY
