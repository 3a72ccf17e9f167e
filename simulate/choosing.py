"""How a strategy comes to a choice: at random, through its kernel, or by searching with that kernel."""

from __future__ import annotations

import numpy as np

from .compiled import kernel
from .streams import N_STREAMS, below, next_word, unit

Bot = np.dtype(
    [
        ("kernel", "i8"),
        ("noise", "f8"),
        ("iterations", "i8"),
        ("exploration", "f8"),
        ("forbidden", "i8"),
        ("guest", "i8"),
    ],
    align=True,
)
"""Which kernel decides for a strategy, and how often a uniformly random choice replaces its decision. With iterations
the strategy searches, and what that kernel and noise choose is how its searches play games out. `forbidden` are bits of
kinds of action that it never takes (Game.action_kinds).
A guest is a bot of the user's own."""


@kernel
def allowed(kinds, s, rules, choices, forbidden):
    """Put the choices that are of no forbidden kind first. Returns how many; all when every one is forbidden."""
    count = 0
    for index in range(choices.count):
        action = np.int64(choices.actions[index])
        if kinds(s, rules, action) & forbidden == 0:
            choices.actions[index] = choices.actions[count]
            choices.actions[count] = action
            count += 1
    return count if count else np.int64(choices.count)


@kernel
def choose(s, rules, choices, bot, weights, decide):
    """The index into `choices` that a bot with the kernel `decide` picks; a forced decision asks nobody."""
    if choices.count == 1:
        return 0
    if is_random(s, bot):
        return below(s.streams, s.bot_stream[s.seat], choices.count)
    return decide(s, rules, choices, weights)


@kernel
def is_random(s, bot):
    """Whether noise makes this choice."""
    return bot.noise >= 1.0 or (bot.noise > 0.0 and unit(s.streams, s.bot_stream[s.seat]) < bot.noise)


@kernel
def random_below(state, n):
    """A random whole number from 0 to n - 1 for the bot to move, from a stream of its own."""
    return below(state.streams, state.bot_stream[state.seat], n)


@kernel
def ask_guest(tools, s, rules, choices, bot, weights, decide):
    """As `choose`, of a bot that is not trusted: what its seat cannot see is dealt anew in the copy that it is shown.

    Less than 0 where it does not choose. The first records of the copies in the tools stay as they were shown.
    """
    redeal, views, shown = tools[1], tools[2], tools[3]
    if choices.count == 1:
        return 0
    stream = s.bot_stream[s.seat]
    if is_random(s, bot):
        return below(s.streams, stream, choices.count)
    views[0] = s
    seen = views[0]
    seen.traced = 0
    seen.n_events = 0
    seen.events[:] = 0
    for purpose in range(N_STREAMS):
        seen.streams[purpose] = next_word(s.streams, stream)
    redeal(seen, rules, np.int64(s.seat))
    views[1] = views[0]
    shown[0] = choices
    shown[1] = choices
    choice = decide(views[1], rules, shown[1], weights)
    return choice if 0 <= choice < choices.count else -1
