"""The strategy that every game has: a uniformly random choice among the legal actions."""

from __future__ import annotations

from flocksim.simulate.bots import Strategy


def never_asked(state, rules, choices, weights):
    """The kernel of a strategy whose noise is 1: the driver picks at random and does not call it."""
    return 0


RANDOM = Strategy("random", never_asked, noise=1.0, line="Picks any legal action with equal chance.")
