"""How bots choose among scored choices, whatever the game."""

from __future__ import annotations

from flocksim.simulate.compiled import kernel
from flocksim.simulate.streams import below


@kernel
def better(s, index, score, chosen, best, ties):
    """The better of two choices; the k-th of equal ones replaces the others with chance 1/k."""
    if score > best:
        return index, score, 1
    if score == best:
        ties += 1
        if below(s.streams, s.bot_stream[s.seat], ties) == 0:
            chosen = index
    return chosen, best, ties
