"""Units: sums of whole blocks, which are independent of one another as the games of a block are not."""

from __future__ import annotations

import numpy as np

FIRST_GAMES = 100_000
"""Questions that need single games, such as whether any repeats another, look at the first so many of each cell; these
are kept in every run."""
ALONE = 4096
"""So many blocks of a cell are stored one by one, where blocks and not games are kept."""


def unit_size(blocks: int, most: int) -> int:
    """How many blocks make a unit, so that there are at most so many units: a power of two, so that the units of a
    longer run are whole units of a shorter one.
    """
    return 1 << max(0, (-(-blocks // most) - 1).bit_length())


def group_size(blocks: np.ndarray, most: int) -> np.ndarray:
    """How many blocks are stored together with each of these: 1 for the first ALONE, then 2 for as many, then 4 for
    twice as many, and so on, but no more than `most`, a power of two.

    So groups do not depend on how long a run becomes; any longer run has ALONE / 2 and not many more; and whole groups
    make the units of `unit_size` where that is asked for fewer than ALONE units.
    """
    doublings = np.frexp(np.maximum(blocks, 1))[1] - ALONE.bit_length() + 1
    return np.minimum(1 << np.maximum(doublings, 0).astype(np.int64), most)


def group_of(blocks: np.ndarray, most: int) -> np.ndarray:
    """The first block of the group of each of these blocks."""
    sizes = group_size(blocks, most)
    return np.asarray(blocks // sizes * sizes)
