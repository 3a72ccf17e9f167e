"""How the shipped bots of Flock choose: the best weighted sum of features (weights.py); bots.yaml holds the bots."""

from __future__ import annotations

from .weights import FEATURES

__all__ = ["FEATURES", "choose"]


def choose(s, rules, choices, weights):
    """The first or the last choice, whichever weighs more."""
    return choices.count - 1 if weights[0] > 0.0 else 0
