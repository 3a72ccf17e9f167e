"""Search for any game on the engine's function protocol: single-observer information set Monte-Carlo tree search.

Cowling, Powley and Whitehouse (2012), Information Set Monte Carlo Tree Search, algorithm 1: one tree of what the
searching seat can tell apart; every iteration re-deals what that seat cannot see and all chance to come, descends
through choices that are legal in that deal by UCB1 with availability counts, adds one node, plays the game out with
the bot's kernel, and credits every seat with its own share of the win (max^n).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .choosing import allowed, ask_guest, choose
from .compiled import kernel, overload
from .layout import RUNNING, STUCK, WIN
from .streams import N_STREAMS, below, next_word

Node = np.dtype(
    [
        ("action", "i4"),  # that leads here
        ("child", "i4"),  # the newest one, 0 for none
        ("sibling", "i4"),  # the next older one, 0 for none
        ("visits", "i4"),
        ("available", "i4"),  # how often it could have been chosen
        ("seat", "i4"),  # who chose it
        ("won", "f8"),  # by that seat, summed over visits
    ],
    align=True,
)
ROOT, ACTIONS = 0, 2**16
MOST_DEPTH = 4096
ALWAYS = 4  # of the tools, what is there without search
MOST_ITERATIONS = 1_000_000


PLAIN, AIDED, SEARCHING = range(3)
"""What bots decide with: nothing; tools of bots that are kept from actions or not trusted; those of searches, too."""


def tools_for(
    state: np.dtype, aid: int, kinds: Any, redeal: Any, searching: tuple[Any, ...], iterations: int
) -> tuple[Any, ...]:
    """What deciding works with: nothing for PLAIN; the game's `kinds` and `redeal` and room for what bots are shown for
    AIDED; and for SEARCHING, of up to so many iterations, also (legal, apply, score) and room.
    """
    from .layout import Choices, new_records

    if aid == PLAIN:
        return ()
    always = (kinds, redeal, new_records(state, 2), new_records(Choices, 3))
    if aid == AIDED:
        return always
    return (
        *always,
        *searching,
        new_records(state),
        new_records(Choices),
        new_records(Node, iterations + 1),
        np.zeros((ACTIONS, 2), np.int64),
        np.zeros(MOST_DEPTH, np.int64),
    )


def decide(tools, s, rules, choices, bot, weights, kernel_):
    """The index into `choices` that a bot picks; less than 0 where a bot of the user's own does not choose."""
    if len(tools):
        return decide_aided(tools, s, rules, choices, bot, weights, kernel_)
    return choose(s, rules, choices, bot, weights, kernel_)


@overload(decide)
def _decide(tools, s, rules, choices, bot, weights, kernel_):
    if len(tools) == 0:
        return lambda tools, s, rules, choices, bot, weights, kernel_: choose(s, rules, choices, bot, weights, kernel_)
    return decide_aided.py_func


@kernel
def decide_aided(tools, s, rules, choices, bot, weights, kernel_):
    """The same with tools. A bot that is forbidden some is shown a list of the others."""
    if not bot.forbidden:
        return ask(tools, s, rules, choices, bot, weights, kernel_)
    lists = tools[3]
    lists[2] = choices
    others = lists[2]
    others.count = allowed(tools[0], s, rules, others, bot.forbidden)
    choice = ask(tools, s, rules, others, bot, weights, kernel_)
    return index_of(choices, others.actions[choice]) if choice >= 0 else choice


@kernel
def ask(tools, s, rules, choices, bot, weights, kernel_):
    if bot.guest:
        return ask_guest(tools, s, rules, choices, bot, weights, kernel_)
    return pick(tools, s, rules, choices, bot, weights, kernel_)


@kernel
def index_of(choices, action):
    """Where an action that is among the choices stands."""
    index = 0
    while choices.actions[index] != action:
        index += 1
    return index


def pick(tools, s, rules, choices, bot, weights, kernel_):
    """By search where the bot has iterations and there are tools for it."""
    if len(tools) > ALWAYS and bot.iterations and choices.count > 1:
        return search(tools, s, rules, choices, bot, weights, kernel_)
    return choose(s, rules, choices, bot, weights, kernel_)


@overload(pick)
def _pick(tools, s, rules, choices, bot, weights, kernel_):
    if len(tools) == ALWAYS:
        return lambda tools, s, rules, choices, bot, weights, kernel_: choose(s, rules, choices, bot, weights, kernel_)
    return pick


# --- the search ---


@kernel
def play_outs(tools, s, rules, bot, weights, kernel_):
    """What a search costs at the least: as many games played out from a state as it has iterations."""
    kinds, _, _, _, legal, apply, score, states, lists, _, _, _ = tools
    stream = s.bot_stream[s.seat]
    for _ in range(bot.iterations):
        d = begin(states, s, stream)
        play_out(kinds, legal, apply, score, d, rules, lists[0], bot, weights, kernel_, s.seat)


@kernel
def search(tools, s, rules, choices, bot, weights, kernel_):
    """The index of the choice that most iterations began with. Draws from the bot's own stream alone."""
    kinds, redeal, _, _, legal, apply, score, states, lists, nodes, marks, path = tools
    stream = s.bot_stream[s.seat]
    nodes[ROOT].child = 0
    used = 1
    for _ in range(bot.iterations):
        d, c = begin(states, s, stream), lists[0]
        redeal(d, rules, np.int64(s.seat))
        depth, used = descend(kinds, legal, apply, d, rules, c, nodes, marks, path, used, bot, s, stream)
        play_out(kinds, legal, apply, score, d, rules, c, bot, weights, kernel_, s.seat)
        for place in range(depth):
            node = path[place]
            nodes[node].visits += 1
            nodes[node].won += win_share(d, nodes[node].seat)
    return most_visited(choices, nodes)


@kernel
def begin(states, s, stream):
    """A copy of the state with streams of its own, drawn from the bot's."""
    states[0] = s
    d = states[0]
    d.traced = 0
    for purpose in range(N_STREAMS):
        d.streams[purpose] = next_word(s.streams, stream)
    return d


@kernel
def play_out(kinds, legal, apply, score, d, rules, c, bot, weights, kernel_, searcher):
    """Play a game on to its end the way the bot's kernel and noise would in every seat, and score it."""
    while d.end_reason == RUNNING:
        list_legal(kinds, legal, d, rules, c, searcher, bot.forbidden)
        apply(d, rules, np.int64(c.actions[choose(d, rules, c, bot, weights, kernel_)]))
    score(d, rules)


@kernel
def list_legal(kinds, legal, d, rules, c, searcher, forbidden):
    """The legal actions, for the searching seat without those that it may not take."""
    legal(d, rules, c)
    if forbidden and d.seat == searcher:
        c.count = allowed(kinds, d, rules, c, forbidden)


@kernel
def descend(kinds, legal, apply, d, rules, c, nodes, marks, path, used, bot, s, stream):
    """Follow the tree from the root until a choice that no iteration has made yet, and make that.

    Forced decisions have no nodes. Returns (nodes on the path, nodes in use).
    """
    node, depth = ROOT, 0
    while d.end_reason == RUNNING and depth < MOST_DEPTH:
        list_legal(kinds, legal, d, rules, c, s.seat, bot.forbidden)
        if c.count == 1:
            apply(d, rules, np.int64(c.actions[0]))
            continue
        new = mark_children(node, c, nodes, marks)
        if new:
            action = nth_unmarked(c, marks, below(s.streams, stream, new))
            chosen, used = used, used + 1
            add_child(nodes, node, chosen, action, d.seat)
        else:
            chosen = best_child(c, nodes, marks, bot.exploration, s, stream)
        path[depth] = chosen
        depth += 1
        apply(d, rules, np.int64(nodes[chosen].action))
        node = chosen
        if new:
            break
    return depth, used


@kernel
def mark_children(node, c, nodes, marks):
    """Stamp the actions that the node has children for, count them available. Returns how many legal ones have none."""
    stamp = marks[ACTIONS, 0] + 1
    marks[ACTIONS, 0] = stamp
    child = nodes[node].child
    while child:
        action = nodes[child].action
        marks[action, 0], marks[action, 1] = stamp, child
        child = nodes[child].sibling
    new = 0
    for index in range(c.count):
        action = c.actions[index]
        if marks[action, 0] == stamp:
            nodes[marks[action, 1]].available += 1
        else:
            new += 1
    return new


@kernel
def nth_unmarked(c, marks, nth):
    """The nth legal action, from 0, among those without a child."""
    stamp = marks[ACTIONS, 0]
    for index in range(c.count):
        if marks[c.actions[index], 0] != stamp:
            if nth == 0:
                return np.int64(c.actions[index])
            nth -= 1
    return np.int64(-1)


@kernel
def add_child(nodes, parent, child, action, seat):
    nodes[child].action = action
    nodes[child].child = 0
    nodes[child].sibling = nodes[parent].child
    nodes[child].visits = 0
    nodes[child].available = 1
    nodes[child].seat = seat
    nodes[child].won = 0.0
    nodes[parent].child = child


@kernel
def best_child(c, nodes, marks, exploration, s, stream):
    """The legal child with the best upper confidence bound (UCB1, with availability for the parent's visits).

    Of equal ones any, whatever their order.
    """
    chosen, best, ties = np.int64(0), -np.inf, 0
    for index in range(c.count):
        child = marks[c.actions[index], 1]
        visits = nodes[child].visits
        bound = nodes[child].won / visits + exploration * np.sqrt(np.log(nodes[child].available) / visits)
        if bound > best:
            chosen, best, ties = child, bound, 1
        elif bound == best:
            ties += 1
            if below(s.streams, stream, ties) == 0:
                chosen = child
    return chosen


@kernel
def win_share(d, seat):
    """A seat's share of the win at a game's end; a game that nobody won counts as shared by all, alone as lost."""
    if d.end_reason != WIN and d.end_reason != STUCK:
        return 1.0 / d.players if d.players > 1 else 0.0
    mine, equal = d.standing[seat], 0
    if d.rival > mine:
        return 0.0
    for other in range(d.players):
        if d.standing[other] > mine:
            return 0.0
        equal += d.standing[other] == mine
    return 1.0 / equal


@kernel
def most_visited(choices, nodes):
    """The index of the choice whose child was visited most; of equal ones the one that won more."""
    chosen, visits, won = 0, -1, 0.0
    child = nodes[ROOT].child
    while child:
        node = nodes[child]
        if node.visits > visits or (node.visits == visits and node.won > won):
            for index in range(choices.count):
                if choices.actions[index] == node.action:
                    chosen, visits, won = index, node.visits, node.won
        child = node.sibling
    return chosen
