"""The record of a game of 4 the Birds, its codes, and pieces on and off the board.

Spots lie on a grid eleven wide: the nine rows and columns of the full tree inside a margin, so that every neighbour of
a spot is a cell of the grid. A dot is called by the upper left corner of its cell. Cell 0 is nobody's: NOWHERE.
"""

from __future__ import annotations

import numpy as np

from ...compiled import kernel
from ...layout import MAX_SEATS, Field, state_dtype

WIDTH, CELLS = 11, 121
NOWHERE = 0
CORNERS = np.array([0, 1, WIDTH, WIDTH + 1])
"""From a dot to its adjacent spots, in board order."""
MOST_SPOTS, MOST_DOTS, MOST_BIRDS, MOST_CROWS, MOST_HAWKS, MOST_COPIES = 81, 64, 8, 12, 6, 3

EMPTY, CROW, TOKEN, OUT = 0, 7, 8, 9
"""What a cell of the grid holds; a bird is its seat + 1."""
HAWK, NOBODY = 8, 0  # pieces, too: one stands on dots, the other nowhere
PIECES = 8

TURN, LAND, SLIDE, DISPLACE, SCATTER = range(5)
SHOOING, MOCKING, PECKING, SWOOPING, FLOCKING = range(5, 10)
FLY, PLACE_HAWK, PLACE_CROW = range(10, 13)
DECISIONS = (
    *("turn", "land", "slide", "displace", "scatter", "shoo", "mock", "peck", "swoop", "flock", "fly"),
    *("place_hawk", "place_crow"),
)
DONE_WITH = 13  # within `apply`: the action is carried out, the next decision is still to be found

(PLACE, LIFT, CROW_TO, LIFT_CROW, HAWK_TO, LIFT_HAWK, REMOVE_HAWK, PLAY, TOKEN_ON, SLIDE_TO, DISPLACE_TO, SCATTERED) = (
    128 * verb for verb in range(12)
)
FLY_TO, DONE = 128 * 12, 128 * 13
"""Action codes: a verb + a spot, dot or card."""

CARDS = ("roll", "shoo", "mock", "peck", "swoop", "flock")
ROLL, SHOO, MOCK, PECK, SWOOP, FLOCK = range(6)
NO_CARD = -1

SPECIAL = 0  # a die's crow or hawk; else the row or column of its digit

ANY, ACTIVE = 0, 1  # rules.win_check
ACTIVE_FIRST, SHARED = 0, 1  # rules.several_flocks
RANDOM, CHOOSE = 0, 1  # rules.setup
MOVE, OTHERWISE = 0, 1  # rules.shoo (move, remove) and rules.mock (move, place)

RE_ROLLS = 1000  # in a row, or by ROLL in a turn, after which nothing else is expected to become legal any more (B26)

EVENTS, LISTED = 64, 40  # beyond those listed: how many, up to 18 cards regained, the last roll
HAWK_AT, CROW_AT, ROLLED, REGAINED, MORE_ROLLS = 0, 128, 256, 512, 1024
"""What chance did, for traces: HAWK_AT + dot, CROW_AT + spot, ROLLED + black * 16 + brown, REGAINED + card,
MORE_ROLLS + how many."""

COUNTERS = (
    *("won_square", "won_line", "won_own_turn", "won_other_turn", "flock_at"),
    *(f"played_{card}" for card in CARDS),
    *(f"won_with_{card}" for card in CARDS),
    *("birds_placed", "birds_relocated", "birds_displaced", "birds_scattered", "birds_flown_off"),
    *("crows_placed", "crows_moved", "hawks_placed", "hawks_moved", "hawks_removed"),
    *("tokens_placed", "doubles", "cards_regained", "re_rolls"),
)
WON_SHAPE, WON_OWN_TURN, WON_OTHER_TURN, FLOCK_AT = 0, 2, 3, 4
PLAYED, WON_WITH = 5, 11
BIRDS_PLACED, BIRDS_RELOCATED, BIRDS_DISPLACED, BIRDS_SCATTERED, BIRDS_FLOWN_OFF = range(17, 22)
CROWS_PLACED, CROWS_MOVED, HAWKS_PLACED, HAWKS_MOVED, HAWKS_REMOVED = range(22, 27)
TOKENS_PLACED, DOUBLES, CARDS_REGAINED, RE_ROLLED = range(27, 31)

State = state_dtype(
    [
        Field("on", "i1", (CELLS,)),  # what stands where
        Field("threat", "i1", (CELLS,)),  # how many hawks threaten a spot
        # a row per piece, `piece - 1`: spots, or dots of hawks, in board order
        Field("spots", "i2", (PIECES, MOST_CROWS)),
        Field("on_board", "i1", (PIECES,)),
        Field("reserve", "i1", (PIECES,)),  # that of crows and hawks is their supply
        Field("hand", "i1", (MAX_SEATS, len(CARDS))),
        Field("held", "i1", (MAX_SEATS,)),  # cards in hand
        Field("discard", "i1", (MAX_SEATS, len(CARDS) * MOST_COPIES)),  # oldest first
        Field("discarded", "i1", (MAX_SEATS,)),
        Field("token_supply", "i1"),
        Field("active", "i8"),  # whose turn it is
        Field("black", "i8"),
        Field("brown", "i8"),
        Field("changed", "i8"),  # a bit per seat that may have a flock that was not looked at
        Field("last_card", "i8"),  # played this turn
        Field("rolled_again", "i8"),  # by ROLL, this turn
        # the action at hand:
        Field("card", "i8"),
        Field("flown", "i8"),  # where FLOCK's first bird stands
        Field("flock_moves", "i8"),
        Field("lifted", "i8"),
        Field("lifted_piece", "i8"),
        Field("moving", "i8"),  # piece that slides
        Field("moving_from", "i8"),
        Field("scattering", "i8"),  # how many are lifted by a hawk
        Field("scattered", "i2", (4,)),  # from which spots, in board order
        Field("scattered_piece", "i1", (4,)),
        Field("n_closed", "i8"),
        Field("closed", "i2", (MOST_SPOTS,)),
        # the end:
        Field("winners", "i8"),  # a bit per seat
        Field("flock_seat", "i8"),
        Field("flock_spot", "i8"),
        Field("flock_shape", "i8"),
    ],
    counters=len(COUNTERS),
    events=EVENTS,
)


@kernel
def ask(s, seat, kind):
    """The next decision is this seat's."""
    s.seat = seat
    s.kind = kind


# --- pieces on and off the board ---


@kernel
def threaten(s, dot, change):
    """A hawk comes to a dot or leaves it (Hawks)."""
    for corner in CORNERS:
        s.threat[dot + corner] += change


@kernel
def put(s, piece, place):
    """A bird or crow comes to stand on an empty spot, a hawk on a free dot."""
    row, at = piece - 1, np.int64(s.on_board[piece - 1])
    while at > 0 and s.spots[row, at - 1] > place:
        s.spots[row, at] = s.spots[row, at - 1]
        at -= 1
    s.spots[row, at] = place
    s.on_board[row] += 1
    if piece == HAWK:
        threaten(s, place, 1)
        return
    s.on[place] = piece
    s.changed |= 1 << row


@kernel
def take(s, piece, place):
    """A piece leaves its spot or dot, a hawk's threat with it (B6)."""
    row, at = piece - 1, np.int64(s.on_board[piece - 1]) - 1
    following = s.spots[row, at]
    while following != place:
        at -= 1
        following, s.spots[row, at] = s.spots[row, at], following
    s.on_board[row] -= 1
    if piece == HAWK:
        threaten(s, place, -1)
        return
    s.on[place] = EMPTY
    if place == s.flown:
        s.flown = NOWHERE


@kernel
def fly_off(s, piece):
    """A piece without a way out goes to its owner's reserve, a crow to the supply (Bird Movement; B11)."""
    s.reserve[piece - 1] += 1
    if piece != CROW:
        s.counters[piece - 1, BIRDS_FLOWN_OFF] += 1


@kernel
def lift(s, piece, place):
    """Take a piece up; where it lands is the next decision (B6)."""
    s.lifted = place
    s.lifted_piece = piece
    take(s, piece, place)


@kernel
def set_down(s):
    """The lifted piece. It is in hand no more."""
    piece = s.lifted_piece
    s.lifted = NOWHERE
    s.lifted_piece = NOBODY
    return piece
