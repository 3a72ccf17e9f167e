"""All shapes of the board at once: what every spot is worth, and where a single bird is lacking."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.flocks import ACROSS
from flocksim.simulate.games.four_the_birds.state import CROW, FLOCK, NOWHERE

from .sketch import (
    FIRST,
    MANY,
    MOST_HOT,
    SPAN,
    SPOTS,
    WALL,
    feeders,
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
    sketch.mock_spot = NOWHERE
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
        if (
            number == 3
            and s.on[spot] == CROW
            and feeders(s, rules, sketch, np.int64(s.seat), first, shape, spot, NOWHERE)
        ):
            sketch.mock_spot = spot
        if sketch.seen[spot] == 0 and not walled:
            sketch.mine[spot] += sketch.own_gain[kind, number]
            if number == 2:
                sketch.hope[spot] += sketch.own[0, 4] if second_to_come(s) else sketch.ready
            else:
                add_hot(s, sketch, np.int64(s.seat), first, shape, spot)
    if number == 2 and not walled and s.hand[s.seat, FLOCK] and flock_completes(s, rules, sketch, first, shape):
        sketch.flock_wins = 1


@kernel
def flock_completes(s, rules, sketch, first, shape):
    """Whether FLOCK can bring two birds from outside a shape into its two free spots."""
    one = lacking(sketch, first, shape, NOWHERE)
    for _ in range(2):
        other = lacking(sketch, first, shape, one)
        to_one = feeders(s, rules, sketch, np.int64(s.seat), first, shape, one, NOWHERE)
        to_other = feeders(s, rules, sketch, np.int64(s.seat), first, shape, other, one)
        if to_one and to_other and (to_one != to_other or to_one > 255):
            return True
        one = other
    return False


@kernel
def add_rival(s, rules, sketch, first, shape, seat, number, walled):
    """A shape that holds birds of another player only."""
    value, kept = sketch.rival[number], sketch.rival_gain[number - 1]
    if number == 3 and not walled:
        spot = lacking(sketch, first, shape, NOWHERE)
        add_hot(s, sketch, seat, first, shape, spot)
        bonus = soon(s, rules, sketch, seat, first, shape, spot, NOWHERE)
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
    """A shape with three birds of a seat and one of another player's: one that it may displace, or PECK away."""
    bird, spot = 1 << (4 * seat), first
    for at in range(4):
        place = first + SPOTS[shape, at]
        if sketch.seen[place] != bird:
            spot = place
    enters = outranks(s, seat + 1, np.int64(s.on[spot]))
    if enters or seat == s.seat:
        add_hot(s, sketch, seat, first, shape, spot)
    if seat == s.seat or not enters:
        sketch.mine[spot] += sketch.own_gain[int(shape >= ACROSS), 3] if enters else 0.0
        return
    kept = sketch.rival_gain[2] + soon(s, rules, sketch, seat, first, shape, spot, NOWHERE)
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
