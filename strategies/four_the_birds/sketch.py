"""Scratch paper of one decision: the board as the bot that decides sees it, and what a piece is worth on a spot."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.compiled import kernel
from flocksim.simulate.games.four_the_birds.cards import reach
from flocksim.simulate.games.four_the_birds.flocks import ACROSS, OFFSETS
from flocksim.simulate.games.four_the_birds.pecking import STEPS
from flocksim.simulate.games.four_the_birds.state import (
    CELLS,
    CROW,
    EMPTY,
    FLOCK,
    FLOCKING,
    FLY,
    MOCK,
    MOST_BIRDS,
    NOWHERE,
    SWOOP,
    WIDTH,
)

from .weights import (
    FLOCK_DONE,
    LINE_ONE,
    LINE_THREE,
    LINE_TWO,
    READY,
    RIVAL_FLOCK,
    RIVAL_READY,
    RIVAL_THREE,
    RIVAL_TWO,
    SQUARE_ONE,
    SQUARE_THREE,
    SQUARE_TWO,
    WEAK_BLOCK,
)

WALL = 1 << 24
"""What no bird can pass into: a crow, a token, a hawk's threat, a spot out of play. Birds of a seat are 1 << 4 * seat,
so that the sum over a shape counts every player's birds in it."""
NO_SHAPE = 1 << 28
MANY = 0x666666
"""The bits of such a sum that tell whether anybody has two birds or more in the shape."""
MOST_HOT = 16
SPAN, FIRST = 160, 36
"""A row of sums: the first spots of one kind of shape, from 36 before the grid on, as far as a line goes back."""
SPOTS = np.hstack([np.zeros((len(OFFSETS), 1), OFFSETS.dtype), OFFSETS])
"""From the first spot of a shape to all four."""
THROUGH = np.array([[SPAN * shape + FIRST - spot for spot in SPOTS[shape]] for shape in range(len(SPOTS))]).ravel()
"""From a spot to the sums of the shapes through it."""

Sketch = np.dtype(
    (
        np.record,
        [
            ("seen", "i4", (SPAN,)),
            ("sums", "i4", (len(SPOTS) * SPAN,)),  # over the four spots of a shape
            ("many", "i4", (CELLS,)),  # not 0 where a shape begins in which somebody has two birds
            # what shapes are worth by birds in them, and what one bird more brings (squares, lines):
            ("own", "f8", (2, 5)),
            ("own_gain", "f8", (2, 4)),
            ("rival", "f8", (5,)),
            ("rival_gain", "f8", (4,)),
            ("ready", "f8"),
            ("rival_ready", "f8"),
            ("weak_block", "f8"),
            # what the scan of all shapes found (scan.py), by spot:
            ("mine", "f8", (CELLS,)),  # an own bird more
            ("hope", "f8", (CELLS,)),  # what a card in hand might add to an own bird more
            ("block", "f8", (CELLS,)),  # an own bird in others' way
            ("wall", "f8", (CELLS,)),  # a crow, token or hawk in anybody's way, to come or there
            ("theirs", "f8", (CELLS,)),  # another player's bird that leaves
            ("most_wall", "f8"),
            ("most_hope", "f8"),
            # shapes that lack one bird: whose, which, and the spot where it lacks
            ("n_hot", "i8"),
            ("own_hot", "i8"),  # how many of them are the deciding seat's
            ("hot_seat", "i8", (MOST_HOT,)),
            ("hot_first", "i8", (MOST_HOT,)),
            ("hot_shape", "i8", (MOST_HOT,)),
            ("hot_spot", "i8", (MOST_HOT,)),
            # spots that one push after another leads through
            ("chain", "i8", (MOST_BIRDS + 2,)),
            ("queue", "i8", (MOST_BIRDS + 2,)),
            ("mock_spot", "i8"),  # of a crow that MOCK can drive an own bird to in its own stead, to complete a flock
            ("flock_wins", "i8"),  # whether FLOCK can bring in two birds that an own shape lacks
        ],
    )
)


@kernel
def draw(s, rules, sketch, weights):
    """The board and the weights, ready for use."""
    look(s, rules, sketch)
    for kind, one, two, three in ((0, SQUARE_ONE, SQUARE_TWO, SQUARE_THREE), (1, LINE_ONE, LINE_TWO, LINE_THREE)):
        sketch.own[kind, 0] = 0.0
        sketch.own[kind, 1] = weights[one]
        sketch.own[kind, 2] = weights[two]
        sketch.own[kind, 3] = weights[three]
        sketch.own[kind, 4] = weights[FLOCK_DONE]
        for number in range(4):
            sketch.own_gain[kind, number] = sketch.own[kind, number + 1] - sketch.own[kind, number]
    sketch.rival[0] = sketch.rival[1] = 0.0
    sketch.rival[2] = weights[RIVAL_TWO]
    sketch.rival[3] = weights[RIVAL_THREE]
    sketch.rival[4] = weights[RIVAL_FLOCK]
    for number in range(4):
        sketch.rival_gain[number] = sketch.rival[number + 1] - sketch.rival[number]
    sketch.ready = weights[READY]
    sketch.rival_ready = weights[RIVAL_READY]
    sketch.weak_block = weights[WEAK_BLOCK]


@kernel
def look(s, rules, sketch):
    """What stands on every spot, and the sums over all shapes."""
    seen, sums = sketch.seen, sketch.sums
    seen[:] = WALL
    for index in range(rules.n_spots):
        spot = rules.spots[index]
        if s.threat[spot] == 0:
            seen[spot] = sight(np.int64(s.on[spot]))
    sums[:] = NO_SHAPE
    sketch.many[:] = 0
    for shape in range(len(SPOTS)):
        one, two, three = OFFSETS[shape, 0], OFFSETS[shape, 1], OFFSETS[shape, 2]
        for first in range(CELLS):
            birds = seen[first] + seen[first + one] + seen[first + two] + seen[first + three]
            birds = birds if (rules.shapes[first] >> shape) & 1 else NO_SHAPE
            sums[SPAN * shape + FIRST + first] = birds
            sketch.many[first] |= birds & MANY


@kernel
def put(sketch, spot, sight):
    """Something else comes to be on a spot of the sketch."""
    change = sight - sketch.seen[spot]
    sketch.seen[spot] = sight
    for number in range(20):
        sketch.sums[spot + THROUGH[number]] += change


@kernel
def sight(piece):
    """What a piece is to the sum over a shape."""
    if piece == EMPTY:
        return 0
    return 1 << (4 * (piece - 1)) if piece < CROW else WALL


# --- shapes ---


@kernel
def is_in(first, shape, spot):
    """Whether a spot belongs to a shape."""
    found = spot == first
    for other in range(3):
        found |= spot == first + OFFSETS[shape, other]
    return found


@kernel
def lacking(sketch, first, shape, taken):
    """A free spot of a shape beside the one to be taken."""
    found = first
    for number in range(4):
        spot = first + SPOTS[shape, number]
        if sketch.seen[spot] == 0 and spot != taken:
            found = spot
    return found


# --- what a piece is worth on a spot ---


@kernel
def worth(s, rules, sketch, piece, spot):
    """What it is worth to the seat that decides that a bird, crow or token stands on a spot, by the shapes there."""
    total, alone, here = 0.0, 0.0, np.int64(sketch.seen[spot])
    telling = MANY | 1 << (4 * s.seat)
    for number in range(20):
        others, shape = sketch.sums[spot + THROUGH[number]] - here, number >> 2
        if others == 0:
            alone += sketch.own[int(shape >= ACROSS), 1]
        elif others & telling and others < WALL:
            total += part(s, rules, sketch, piece, spot, spot - SPOTS[shape, number & 3], shape, others)
    return total + alone if piece == s.seat + 1 else total


@kernel
def part(s, rules, sketch, piece, spot, first, shape, others):
    """The part of one shape, the other three spots of which hold `others`."""
    kind, seat = int(shape >= ACROSS), np.int64(s.seat)
    mine = (others >> (4 * seat)) & 7
    if others == mine << (4 * seat):
        if piece != seat + 1:
            return -share(s, sketch, seat + 1, piece) * sketch.own[kind, mine]
        value = sketch.own_gain[kind, mine]
        if mine == 2:
            value += soon(s, rules, sketch, seat, first, shape, lacking(sketch, first, shape, spot), spot)
        return value
    if mine or others & MANY == 0:
        return 0.0
    return rival_part(s, rules, sketch, piece, spot, first, shape, others)


@kernel
def rival_part(s, rules, sketch, piece, spot, first, shape, others):
    """The part of a shape in which another player has several birds, and the seat that decides has none."""
    seat = owner(others)
    birds = (others >> (4 * seat)) & 7
    if others != birds << (4 * seat):
        return 0.0
    if piece == seat + 1:
        value = sketch.rival_gain[birds]
        if birds == 2:
            value += soon(s, rules, sketch, seat, first, shape, lacking(sketch, first, shape, spot), spot)
        return -value
    value = sketch.rival[birds]
    if birds == 3:
        value += soon(s, rules, sketch, seat, first, shape, spot, NOWHERE)
    return share(s, sketch, seat + 1, piece) * value


@kernel
def owner(birds):
    """The first seat that has two birds or more in a shape."""
    seat = 0
    while (birds >> (4 * seat)) & 6 == 0:
        seat += 1
    return seat


@kernel
def share(s, sketch, bird, piece):
    """How much a piece counts as being in a bird's way."""
    return sketch.weak_block if outranks(s, bird, piece) else 1.0


@kernel
def outranks(s, bird, piece):
    """Whether a bird may displace a piece: one of the player to its left, or its own (Pecking Order; B7)."""
    return piece in (bird, bird + 1 if bird < s.players else 1)


# --- shapes that a card could complete ---


@kernel
def soon(s, rules, sketch, seat, first, shape, spot, taken):
    """What it adds to a seat's shape that will lack one spot, once another is taken, that a card could fill it."""
    own = seat == s.seat
    if own and second_to_come(s):
        return sketch.own[0, 4] if feeders(s, rules, sketch, seat, first, shape, spot, taken) else 0.0
    bonus = sketch.ready if own else sketch.rival_ready
    card = SWOOP if s.hand[seat, SWOOP] else FLOCK
    if bonus == 0.0 or (card == FLOCK and s.hand[seat, FLOCK] == 0 and s.hand[seat, MOCK] == 0):
        return 0.0
    for index in range(s.on_board[seat]):
        bird = np.int64(s.spots[seat, index])
        if sketch.seen[bird] and not is_in(first, shape, bird) and is_near(s, rules, bird, spot, card):
            return bonus
    return 0.0


@kernel
def feeders(s, rules, sketch, seat, first, shape, spot, taken):
    """The birds outside a shape that can push a bird into its last free spot, other birds of the seat between them.

    The number of them, times 128, and the spot of one. `taken` will hold a bird, too.
    """
    found = 0
    for index in range(1, flood(rules, sketch, seat, spot, taken)):
        bird = sketch.queue[index]
        if bird != taken and not is_in(first, shape, bird):
            found = (found & ~127) + 128 + bird
    return found


@kernel
def flood(rules, sketch, seat, spot, taken):
    """Fills the queue with the spot and all birds of the seat that branches join to it, other such birds between."""
    queue, bird, length, at = sketch.queue, 1 << (4 * seat), 1, 0
    queue[0] = spot
    while at < length:
        ways, step = np.int64(rules.branches[queue[at]]), 0
        while ways:
            near = queue[at] + STEPS[step]
            if ways & 1 and (sketch.seen[near] == bird or near == taken):
                length = enqueue(queue, length, near)
            ways >>= 1
            step += 1
        at += 1
    return length


@kernel
def enqueue(queue, length, spot):
    """Adds a spot that is not there yet; how many there are now."""
    for index in range(length):
        if queue[index] == spot:
            return length
    queue[length] = spot
    return length + 1


@kernel
def second_to_come(s):
    """Whether FLOCK's first bird is about to move, so that another one can follow."""
    return s.card == FLOCK and s.flock_moves == 0 and s.kind in (FLOCKING, FLY)


@kernel
def is_near(s, rules, start, spot, card):
    """Whether the card's branch steps lead from one spot to the other (cards.reach)."""
    rows = spot // WIDTH - start // WIDTH + 2
    columns = spot % WIDTH - start % WIDTH + 2
    if min(rows, columns) < 0 or max(rows, columns) > 4:
        return False
    return (reach(s, rules, start, card) >> (5 * rows + columns)) & 1 == 1
