"""Confidence sequences: intervals that hold at all numbers of games at once, however often one looks and whenever one
stops.

A fixed interval misses the truth in one of 20 cases at one look; looked at again and again until it says what one hopes
for, it misses far more often. A sequence's intervals are wider, by half to two thirds, and all of them together miss it
in one of 20. Behind each stands a martingale: the evidence against a value, which begins at 1 and, if the value is
true, exceeds 20 at any time with a chance of 1/20 at most (Ville 1939). Its inverse is a p value at all times.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from scipy import special

TUNED = 400
"""Sequences of averages are tightest at about so many units."""
_STEPS = 60
_ON: ContextVar[bool] = ContextVar("sequential", default=False)


@contextmanager
def sequential(on: bool) -> Iterator[None]:
    """Whether the intervals and p values of `statistics` are those of sequences, within the block."""
    token = _ON.set(on)
    try:
        yield
    finally:
        _ON.reset(token)


def is_sequential() -> bool:
    """Whether they are."""
    return _ON.get()


def average_reach(level: float, units: np.ndarray | float) -> np.ndarray:
    """How many standard errors the sequence of an average reaches to either side after so many units.

    The asymptotic normal mixture: sqrt((t r + 1) / (t r) * (2 log(1 / a) + log(t r + 1))) for t units, level 1 - a
    (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, with r their rho squared; after Robbins 1970).
    """
    spread = np.asarray(units, float) * _rho()
    return np.sqrt((spread + 1) / spread * (-2 * np.log(1 - level) + np.log1p(spread)))


def average_chance(z: np.ndarray, units: np.ndarray | float) -> np.ndarray:
    """The p value at all times of an average z standard errors away: 1 / evidence, the same mixture."""
    spread = np.asarray(units, float) * _rho()
    with np.errstate(all="ignore"):
        return np.minimum(np.exp(0.5 * np.log1p(spread) - np.square(z) * spread / (2 * (spread + 1))), 1.0)


def _rho(level: float = 0.95) -> float:
    """The mixture's variance that makes it tightest at TUNED units (the same paper, appendix on tuning)."""
    wide = -2 * np.log(1 - level)
    return float((wide + np.log1p(wide)) / TUNED)


def share_chance(hits: np.ndarray, size: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The p value at all times of a share of `hits` in `size` against the expected one.

    1 / evidence, with a Beta(1/2, 1/2) mixture of likelihoods over the expected one's (Robbins 1970).
    """
    with np.errstate(all="ignore"):
        log = special.xlogy(hits, expected) + special.xlog1py(size - hits, -expected) - _mixture(hits, size)
        return np.where(np.isfinite(expected), np.minimum(np.exp(log), 1.0), np.nan)


def share_limits(hits: np.ndarray, size: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The sequence's limits of a share: the values whose p value exceeds 1 - level."""
    middle = np.where(size > 0, hits / np.maximum(size, 1e-300), 0.5)
    limits = []
    for end in (0.0, 1.0):
        far, near = np.full(middle.shape, end), middle.copy()
        for _ in range(_STEPS):
            half = (far + near) / 2
            out = share_chance(hits, size, half) <= 1 - level
            far, near = np.where(out, half, far), np.where(out, near, half)
        reached = share_chance(hits, size, np.full(middle.shape, end)) > 1 - level
        limits.append(np.where(reached, end, near))
    return limits[0], limits[1]


def unseen_share(units: np.ndarray, level: float) -> np.ndarray:
    """The upper limit of a share that none of so many units showed."""
    return -np.expm1((np.log(1 - level) + _mixture(np.zeros_like(units), units)) / units)


def _mixture(hits: np.ndarray, size: np.ndarray) -> np.ndarray:
    """The logarithm of the mixture's likelihood."""
    return special.betaln(hits + 0.5, size - hits + 0.5) - special.betaln(0.5, 0.5)
