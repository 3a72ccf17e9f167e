"""The features by which the shipped bots of 4 the Birds judge a choice, in the order of the weights."""

from __future__ import annotations

FEATURES = {
    # --- own shapes: squares and lines that no crow, token, hawk or other player's bird spoils ---
    "square_one": "every decision: squares that hold an own bird and nothing else.",
    "square_two": "every decision: squares that hold two own birds, the other two spots free.",
    "square_three": "every decision: squares that lack one own bird.",
    "line_one": "every decision: lines that hold an own bird and nothing else.",
    "line_two": "every decision: lines that hold two own birds, the other two spots free.",
    "line_three": "every decision: lines that lack one own bird.",
    "flock": "every decision: completing an own flock.",
    "ready": "every decision: a shape that lacks one own bird and that a card in hand could complete.",
    # --- the other players' shapes ---
    "rival_two": "every decision: shapes with two birds of another player and two free spots that are spoiled or "
    "broken (or that come about, which counts against the choice).",
    "rival_three": "every decision: shapes that lack one bird of another player that are spoiled or broken.",
    "rival_ready": "every decision: those of them that their player could complete with a card in hand.",
    "rival_flock": "every decision: another player's flock that is broken, or that comes about.",
    "weak_block": "every decision: how much a bird counts that stands in the way of a player who may displace it (0: "
    "nothing, 1: as much as any).",
    # --- pieces ---
    "bird_out": "turn: a bird placed from the reserve.",
    "crow_out": "turn: a crow placed or moved by the roll.",
    "hawk_out": "turn: a hawk placed or moved by the roll.",
    "token_out": "turn: a token placed.",
    "displaced": "every decision: another player's bird that is displaced.",
    "flown_off": "every decision: another player's bird that finds no way out (an own one counts against the choice).",
    # --- cards ---
    "keep_roll": "turn: ROLL kept in hand.",
    "keep_shoo": "turn: SHOO kept in hand.",
    "keep_mock": "turn: MOCK kept in hand.",
    "keep_peck": "turn: PECK kept in hand.",
    "keep_swoop": "turn: SWOOP kept in hand.",
    "keep_flock": "turn: FLOCK kept in hand.",
    "new_roll": "turn: how much a roll to come counts of what an average spot would bring.",
    # --- and chance ---
    "whim": "every decision: a random number from 0 to 1, drawn anew for every choice.",
}
"""Feature -> what it measures, after the decisions that it judges."""

(
    SQUARE_ONE,
    SQUARE_TWO,
    SQUARE_THREE,
    LINE_ONE,
    LINE_TWO,
    LINE_THREE,
    FLOCK_DONE,
    READY,
    RIVAL_TWO,
    RIVAL_THREE,
    RIVAL_READY,
    RIVAL_FLOCK,
    WEAK_BLOCK,
    BIRD_OUT,
    CROW_OUT,
    HAWK_OUT,
    TOKEN_OUT,
    DISPLACED,
    FLOWN_OFF,
    KEEP_ROLL,
    KEEP_SHOO,
    KEEP_MOCK,
    KEEP_PECK,
    KEEP_SWOOP,
    KEEP_FLOCK,
    NEW_ROLL,
    WHIM,
) = range(len(FEATURES))
