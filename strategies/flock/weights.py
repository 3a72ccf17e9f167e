"""The features by which the shipped bots of Flock judge a choice, in the order of the weights."""

from __future__ import annotations

FEATURES = {
    "place_in_list": "every decision: how late the choice stands in the list of legal actions.",
}
"""Feature -> what it measures, after the decisions that it judges."""
