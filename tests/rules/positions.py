"""Positions of Flock Together for the tests of its rules, and short words to play them with.

Every card that a test does not name is put somewhere harmless, so that all 104 are on the table.
"""

from collections import Counter

import pytest

from tests.oracle.flock_together import by_rarity

RARE = ("J", "Q", "K")
PLAIN_ROW = "A-2 5-6 9-10"
SIX_SPECIES = "A-2 3-4 5-6 7-8 J K"


def position(players, rows=(), hands=None, birds=None, top="", discard="", rest="draw pile", cards=None, **more):
    """A state from words: unnamed rows, hands and collections get plain cards.

    `top` is the top of the draw pile; the remaining cards go below it or, with rest="row", into row 4.
    """
    seats = range(1, players + 1)
    rows = [row.split() for row in [*rows, *[PLAIN_ROW] * (4 - len(rows))]]
    hands = {seat: (hands or {}).get(seat, "A-2 5-6").split() for seat in seats}
    birds = {seat: (birds or {}).get(seat, "9-10").split() for seat in seats}
    pile, discard = top.split(), discard.split()
    left = Counter(cards or by_rarity(16, 8))
    left.subtract(Counter(card for part in [*rows, *hands.values(), *birds.values(), pile, discard] for card in part))
    assert min(left.values()) >= 0, f"more cards than there are: {left}"
    (pile if rest == "draw pile" else rows[-1]).extend(left.elements())
    return {
        "to_move": 1,
        "decision": "play",
        "turn": 1,
        "round": 1,
        "rows": rows,
        "hands": {str(seat): dict(Counter(hand)) for seat, hand in hands.items()},
        "collections": {str(seat): dict(Counter(birds[seat])) for seat in seats},
        "draw_pile": pile,
        "discard": dict(Counter(discard)),
        "end_reason": None,
        **more,
    }


def play(table, species, row=1, end="right"):
    return table.apply({"play": species, "row": row, "end": end})


def draw(table, answer="yes"):
    return table.apply({"draw": answer})


def fly(table, species):
    return table.apply({"fly": species})


def flights(table):
    return [action["fly"] for action in table.legal()]


def row(table, number=1):
    return " ".join(table.state()["rows"][number - 1])


def hand(table, seat=1):
    return table.state()["hands"][str(seat)]


def collection(table, seat=1):
    return table.state()["collections"][str(seat)]


def moment(table):
    state = table.state()
    return state["turn"], state["to_move"], state["decision"]


def end_reason(table):
    return table.end()["end_reason"] if table.end() else None


def cards_on(table):
    state = table.state()
    piles = [
        *state["hands"].values(),
        *state["collections"].values(),
        state["discard"],
        Counter(state["draw_pile"]),
        *map(Counter, state["rows"]),
    ]
    return sum((Counter(pile) for pile in piles), Counter())


def places(table):
    """The ranking as seat: (rank, score, win share)."""
    return {
        place["seat"]: (place["rank"], place["score"], pytest.approx(place["win_share"]))
        for place in table.end()["ranking"]
    }


def about_to_fly(new_table, cards, laid="9-10", caught="5-6", **more):
    """A table at the flight of seat 1, who holds `cards` and what laying one card has caught."""
    table = new_table(rows=[f"J {laid} {caught}"], hands={1: f"{laid} {cards}"}, **more)
    play(table, laid)
    return table


def about_to_fly_only(new_table, species, size):
    """The same for a flock of `size`, with `3-4` and `A-2` laid and caught where they must differ from it."""
    laid, caught = ("3-4", "A-2") if species in ("5-6", "9-10") else ("9-10", "5-6")
    return about_to_fly(new_table, " ".join([species] * size), laid, caught), {caught: 1}


def nearly_stuck(new_table, pile=5, discard=3, **more):
    """Seat 1 of two lays its last card; seat 2 throws away eight cards."""
    birds = {"birds": {1: "K K", 2: "9-10"}, **more}
    table = new_table(
        players=2,
        rows=["J K"],
        hands={1: "3-4", 2: "A-2 A-2 A-2 A-2 5-6 5-6 5-6 5-6"},
        top=" ".join(["7-8"] * pile),
        discard=" ".join(["Q"] * discard),
        rest="row",
        **birds,
    )
    return table, empty_hand_by_laying(table)


def empty_hand_by_laying(table):
    """Seat to move lays its only card and declines the draw if it is asked."""
    events = play(table, "3-4")
    return events + (draw(table, "no") if moment(table)[2] == "draw" else [])
