"""Random streams: a game's chance is a pure function of (seed, players, block, purpose).

Each purpose has a SplitMix64 generator of its own (Steele, Lea and Flood 2014), seeded by hashing its key, so
that what one bot draws never shifts the deck, and two variants of one block face the same deck.
"""

from __future__ import annotations

import numpy as np

from .compiled import kernel

MAX_SEATS = 6

DECK, DICE, REDEAL, LINE_UP, BOTS = 0, 1, 2, 3, 4
"""Purposes. BOTS + m is the stream of the line-up's member m, wherever it sits."""
N_STREAMS = BOTS + MAX_SEATS

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)


@kernel
def mix(word):
    """SplitMix64's finaliser: a bijection of 64-bit words whose every output bit depends on every input bit."""
    word = (word ^ (word >> _S30)) * _MIX1
    word = (word ^ (word >> _S27)) * _MIX2
    return word ^ (word >> _S31)


@kernel
def stream_seed(seed, players, block, purpose):
    """The starting state of one stream. All arguments are whole numbers; the result is a 64-bit word."""
    word = mix(np.uint64(seed) + _GOLDEN)
    word = mix(word + np.uint64(players) * _GOLDEN)
    word = mix(word + np.uint64(block) * _GOLDEN)
    return mix(word + np.uint64(purpose) * _GOLDEN)


@kernel
def next_word(streams, purpose):
    """The next 64 random bits of a stream."""
    word = streams[purpose] + _GOLDEN
    streams[purpose] = word
    return mix(word)


@kernel
def below(streams, purpose, n):
    """A whole number in 0..n-1, uniform to within n / 2**32 (Lemire 2019, without the rejection)."""
    return np.int64(((next_word(streams, purpose) >> _S32) * np.uint64(n)) >> _S32)


@kernel
def unit(streams, purpose):
    """A number in [0, 1) with 53 random bits."""
    return np.float64(next_word(streams, purpose) >> _S11) * (1.0 / 9007199254740992.0)
