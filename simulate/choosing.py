"""How a strategy comes to a choice: at random, through its kernel, or by searching with that kernel."""

from __future__ import annotations

import numpy as np

from .compiled import kernel
from .streams import below, unit

Bot = np.dtype([("kernel", "i8"), ("noise", "f8"), ("iterations", "i8"), ("exploration", "f8")], align=True)
"""Which kernel decides for a strategy, and how often a uniformly random choice replaces its decision. With iterations
the strategy searches, and what that kernel and noise choose is how its searches play games out."""


@kernel
def choose(s, rules, choices, bot, weights, decide):
    """The index into `choices` that a bot with the kernel `decide` picks; a forced decision asks nobody."""
    if choices.count == 1:
        return 0
    stream = s.bot_stream[s.seat]
    if bot.noise >= 1.0 or (bot.noise > 0.0 and unit(s.streams, stream) < bot.noise):
        return below(s.streams, stream, choices.count)
    return decide(s, rules, choices, weights)
