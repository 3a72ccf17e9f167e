"""All shapes of the board at once: what every spot is worth, and where a single bird is lacking."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.flocks import ACROSS
from flocksim.simulate.games.four_the_birds.state import FLOCK, NOWHERE

from .sketch import (
    FIRST,
    MANY,
    MOST_HOT,
    SPAN,
    SPOTS,
    WALL,
    is_in,
    is_near,
    lacking,
    outranks,
    owner,
    second_to_come,
    share,
    soon,
)


@kernel
def scan(s, rules, sketch):
    """Fill in the maps and the list of shapes that lack one bird. Shapes in which nobody has two birds do not count."""
    sketch.mine[:] = 0.0
    sketch.hope[:] = 0.0
    sketch.block[:] = 0.0
    sketch.wall[:] = 0.0
    sketch.theirs[:] = 0.0
    sketch.n_hot = sketch.own_hot = sketch.flock_wins = 0
    sketch.most_wall = sketch.most_hope = 0.0
    for index in range(rules.n_spots):
        first = np.int64(rules.spots[index])
        if sketch.many[first]:
            for shape in range(len(SPOTS)):
                birds = np.int64(sketch.sums[SPAN * shape + FIRST + first])
                if birds & MANY and birds < 2 * WALL:
                    add(s, rules, sketch, first, shape, birds)
    note_most(rules, sketch)


@kernel
def note_most(rules, sketch):
    """The most that a crow, token or hawk's corner and that an own bird's landing could bring."""
    for index in range(rules.n_spots):
        spot = rules.spots[index]
        hope = sketch.mine[spot] + sketch.hope[spot] + sketch.block[spot] + sketch.theirs[spot]
        sketch.most_wall = max(sketch.most_wall, sketch.wall[spot])
        sketch.most_hope = max(sketch.most_hope, hope)


@kernel
def add(s, rules, sketch, first, shape, birds):
    """A shape in which somebody has two birds or more, and that lacks no more than one spot."""
    walled, birds = birds >= WALL, birds & (WALL - 1)
    seat = owner(birds)
    number = (birds >> (4 * seat)) & 7
    if birds != number << (4 * seat):
        if number == 3 and not walled:
            add_held(s, rules, sketch, first, shape, seat)
    elif seat == s.seat:
        add_own(s, rules, sketch, first, shape, number, walled)
    else:
        add_rival(s, rules, sketch, first, shape, seat, number, walled)


@kernel
def add_own(s, rules, sketch, first, shape, number, walled):
    """A shape that holds own birds only."""
    kind = int(shape >= ACROSS)
    spoiled = sketch.own[kind, number]
    for at in range(4):
        spot = first + SPOTS[shape, at]
        if sketch.seen[spot] == WALL or not walled:
            sketch.wall[spot] -= spoiled
        if sketch.seen[spot] == 0 and not walled:
            sketch.mine[spot] += sketch.own_gain[kind, number]
            if number == 2:
                sketch.hope[spot] += sketch.own[0, 4] if second_to_come(s) else sketch.ready
            else:
                add_hot(s, sketch, s.seat, first, shape, spot)
    if number == 2 and not walled and s.hand[s.seat, FLOCK] and flock_completes(s, rules, sketch, first, shape):
        sketch.flock_wins = 1


@kernel
def flock_completes(s, rules, sketch, first, shape):
    """Whether two own birds from outside a shape are a step each from its two free spots (FLOCK)."""
    one = lacking(sketch, first, shape, NOWHERE)
    other = lacking(sketch, first, shape, one)
    to_one, to_other, movers = 0, 0, 0
    for index in range(s.on_board[s.seat]):
        bird = np.int64(s.spots[s.seat, index])
        if not is_in(first, shape, bird):
            near_one, near_other = is_near(s, rules, bird, one, FLOCK), is_near(s, rules, bird, other, FLOCK)
            to_one += near_one
            to_other += near_other
            movers += near_one or near_other
    return to_one > 0 and to_other > 0 and movers > 1


@kernel
def add_rival(s, rules, sketch, first, shape, seat, number, walled):
    """A shape that holds birds of another player only."""
    value, kept = sketch.rival[number], sketch.rival_gain[number - 1]
    if number == 3 and not walled:
        spot = lacking(sketch, first, shape, NOWHERE)
        add_hot(s, sketch, seat, first, shape, spot)
        bonus = soon(s, rules, sketch, seat, first, shape, spot)
        value += bonus
        kept += bonus
    for at in range(4):
        spot = first + SPOTS[shape, at]
        if sketch.seen[spot] == WALL or not walled:
            sketch.wall[spot] += value
            if sketch.seen[spot] == 0:
                sketch.block[spot] += share(s, sketch, seat + 1, s.seat + 1) * value
            else:
                sketch.theirs[spot] += kept


@kernel
def add_held(s, rules, sketch, first, shape, seat):
    """A shape with three birds of a seat and one of another player's, whom it may displace."""
    bird, spot = 1 << (4 * seat), first
    for at in range(4):
        place = first + SPOTS[shape, at]
        if sketch.seen[place] != bird:
            spot = place
    if not outranks(s, seat + 1, np.int64(s.on[spot])):
        return
    add_hot(s, sketch, seat, first, shape, spot)
    if seat == s.seat:
        sketch.mine[spot] += sketch.own_gain[int(shape >= ACROSS), 3]
        return
    kept = sketch.rival_gain[2] + soon(s, rules, sketch, seat, first, shape, spot)
    for at in range(4):
        held = first + SPOTS[shape, at]
        if held != spot:
            sketch.theirs[held] += kept
            sketch.wall[held] += kept


@kernel
def add_hot(s, sketch, seat, first, shape, spot):
    number = sketch.n_hot
    if number < MOST_HOT:
        sketch.hot_seat[number] = seat
        sketch.hot_first[number] = first
        sketch.hot_shape[number] = shape
        sketch.hot_spot[number] = spot
        sketch.n_hot = number + 1
        sketch.own_hot += seat == s.seat
