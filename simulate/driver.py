"""The generic driver: plays blocks of games of any game between any bots. It knows no game's rules.

Every function here is compiled once per game. A game's functions and the bots come in as function values and are
called through their pointers, so a new bot never recompiles a driver.
"""

from __future__ import annotations

import numpy as np

from .compiled import kernel
from .layout import RUNNING, STUCK, WIN
from .search import decide
from .streams import BOTS, DECK, DICE, LINE_UP, MAX_SEATS, N_STREAMS, REDEAL, below, mix, stream_seed

GameRow = np.dtype(
    [
        ("digest", "u8"),
        ("game", "i8"),
        ("block", "i8"),
        ("turns", "i4"),
        ("rounds", "i4"),
        ("decisions", "i4"),
        ("margin", "i4"),
        ("rotation", "u1"),
        ("end_reason", "u1"),
        ("winners", "u1"),
    ],
    align=True,
)
"""What the driver notes of a game; `game` counts from 0 within its cell."""

ArcRow = np.dtype(
    [
        ("game", "i8"),
        ("turn", "i4"),
        ("decisions", "i4"),
        ("options", "i4"),
        ("forced", "i4"),
        ("standings", "i4", (MAX_SEATS,)),
        ("seat", "u1"),
    ],
    align=True,
)
"""What the driver notes of a turn of a recorded game: who decided first in it (from 0), how many decisions it had, how
many legal actions these had together and how many of them had just one, and the standings after it."""
NO_ROOM = -1


SET_UP, PLAY, CHOOSE = range(3)
"""Places of a game's seeds: of set-up, of draws during play, of what bots choose by. Equal ones make one game's streams
go on from set-up; one of its own makes a stream begin anew after it."""
_DIGEST_PRIME = np.uint64(0x100000001B3)
_S29 = np.uint64(29)


def seat_dtype(counters: int) -> np.dtype:
    """What the driver notes of a seat; the counters are the game's own."""
    return np.dtype(
        [
            ("win_share", "f8"),
            ("score", "i4"),
            ("strategy", "u2"),
            ("rank", "u1"),
            ("counters", "i4", (counters,)),
        ],
        align=True,
    )


@kernel
def digest_step(digest, action):
    """One step of the 64-bit hash of a game's action sequence."""
    digest = (digest ^ np.uint64(action + 1)) * _DIGEST_PRIME
    return digest ^ (digest >> _S29)


def draw_line_ups(seed, first, strategies, line_ups):
    """Who plays in the blocks from `first` on: every strategy as often as any other or once more, in random order.

    line_ups: array (blocks, players) to fill with indices of strategies.
    """
    players = line_ups.shape[1]
    order = np.empty(strategies, np.int64)
    streams = np.zeros(N_STREAMS, np.uint64)
    for index in range(len(line_ups)):
        streams[LINE_UP] = stream_seed(seed, players, first + index, LINE_UP)
        for strategy in range(strategies):
            order[strategy] = strategy
        left = 0
        for member in range(players):
            if left == 0:
                left = strategies
            pick = below(streams, LINE_UP, left)
            left -= 1
            order[pick], order[left] = order[left], order[pick]
            line_ups[index, member] = order[left]


@kernel
def begin(s, seed, players, block, rotation):
    """Seed the streams of a game. Member m of the line-up sits `rotation` seats before seat m."""
    s.players = players
    for purpose in range(N_STREAMS):
        s.streams[purpose] = stream_seed(seed, players, block, purpose)
    for seat in range(players):
        s.bot_stream[seat] = BOTS + (seat + rotation) % players


@kernel
def renew(s, seeds, players, block):
    """After set-up, begin the streams anew that have a seed of their own."""
    if seeds[PLAY] != seeds[SET_UP]:
        s.streams[DECK] = stream_seed(seeds[PLAY], players, block, DECK)
        s.streams[DICE] = stream_seed(seeds[PLAY], players, block, DICE)
    if seeds[CHOOSE] != seeds[SET_UP]:
        s.streams[REDEAL] = stream_seed(seeds[CHOOSE], players, block, REDEAL)
        for purpose in range(BOTS, N_STREAMS):
            s.streams[purpose] = stream_seed(seeds[CHOOSE], players, block, purpose)


@kernel
def finish(s, seats):
    """Rank the seats by standing and share the win among the best. Returns (winners, margin).

    The margin is the winner's score less the best score of the other seats, 0 when the win is shared or there are none.
    """
    winners = rank(s, seats)
    if s.end_reason != WIN and s.end_reason != STUCK:
        return 0, 0
    best, others = 0, -(2**31)
    for seat in range(s.players):
        if seats[seat].rank == 1:
            seats[seat].win_share = 1.0 / winners
            best = s.score[seat]
        else:
            others = max(others, s.score[seat])
    return winners, best - others if winners == 1 and s.players > 1 else 0


@kernel
def rank(s, seats):
    """Fill in ranks and scores; equal standings share the better rank. Returns how many are first.

    An opponent without a seat takes a rank like any other.
    """
    first = 0
    for seat in range(s.players):
        better = np.int64(s.rival > s.standing[seat])
        for other in range(s.players):
            better += s.standing[other] > s.standing[seat]
        seats[seat].rank = 1 + better
        seats[seat].score = s.score[seat]
        seats[seat].win_share = 0.0
        first += better == 0
    return first


@kernel
def note_decision(turn, s, options):
    """One decision more of a turn (ArcRow), which begins as zeros."""
    if turn.turn == 0:
        turn.turn, turn.seat = s.turns, s.seat
    turn.decisions += 1
    turn.options += options
    turn.forced += options == 1


def play_blocks(
    functions, tools, kernels, states, rules, choices, bots, weights, seeds, first, line_ups, games, seats, arcs, now
):
    """Play the blocks from `first` on, one a row of `line_ups`, and note every game and seat.

    functions: (setup, legal, apply, score, standings) as function values; tools: what bots decide with
    (search.tools_for); kernels: tuple of bot functions; states, rules, choices: arrays of one record; bots, weights: a
    row a strategy; seeds: of SET_UP, PLAY and CHOOSE, all the study's in its own games; line_ups: (blocks, players)
    indices of strategies; games: array of GameRow, blocks * players long; seats: array (games, players) of the game's
    seat rows; arcs: array of ArcRow, zeros, to note every turn of these games in, or an empty one; now: room for
    MAX_SEATS standings. Returns how many games were played: fewer than there is room for when the bot to move does not
    choose; NO_ROOM when there are more turns than `arcs` has room for.
    """
    setup, legal, apply, score, standings = functions
    s, r, c = states[0], rules[0], choices[0]
    players = line_ups.shape[1]
    recorded, turn = len(arcs) > 0, 0
    for index in range(len(games)):
        block, rotation = index // players, index % players
        begin(s, seeds[SET_UP], players, first + block, rotation)
        setup(s, r)
        renew(s, seeds, players, first + block)
        digest, decisions = np.uint64(0), 0
        while s.end_reason == RUNNING:
            legal(s, r, c)
            bot = line_ups[block, (s.seat + rotation) % players]
            choice = decide(tools, s, r, c, bots[bot], weights[bot], kernels[bots[bot].kernel])
            if choice < 0:
                return index
            action = c.actions[choice]
            digest = digest_step(digest, action)
            decisions += 1
            if recorded:
                if turn == len(arcs):
                    return NO_ROOM
                note_decision(arcs[turn], s, c.count)
            apply(s, r, action)
            if recorded and (s.turns != arcs[turn].turn or s.end_reason != RUNNING):
                standings(s, r, now)
                arcs[turn].game = (first + block) * players + rotation
                for seat in range(MAX_SEATS):
                    arcs[turn].standings[seat] = now[seat]
                turn += 1
        score(s, r)
        row = games[index]
        row.winners, row.margin = finish(s, seats[index])
        row.game = (first + block) * players + rotation
        row.block, row.rotation = first + block, rotation
        row.turns, row.rounds, row.decisions = s.turns, s.rounds, decisions
        row.end_reason, row.digest = s.end_reason, mix(digest)
        for seat in range(players):
            seats[index, seat].strategy = line_ups[block, (seat + rotation) % players]
            for counter in range(s.counters.shape[1]):
                seats[index, seat].counters[counter] = s.counters[seat, counter]
    return len(games)
