"""Positions of 4 the Birds for the tests of its rules, and short words to play them with.

Branches of the checkerboard: a spot whose digits have an even sum has the falling diagonals through it (11-22, 22-33),
any other the rising ones (12-21, 23-14), besides its orthogonal neighbours.
"""

from __future__ import annotations

from functools import partial
from itertools import starmap

from flocksim.simulate.streams import DICE

CARDS = ("roll", "shoo", "mock", "peck", "swoop", "flock")
ALL = " ".join(CARDS)


def seats_of(players, told, default):
    """{1: 'x y'} as {'1': ['x', 'y'], '2': default, ...}."""
    given = {str(seat): text.split() for seat, text in (told or {}).items()}
    return {str(seat): given.get(str(seat), default.split()) for seat in range(1, players + 1)}


def position(players, birds=None, hands=None, discards=None, **more):
    """A state at the turn of seat 1, who rolled 2 and 4. Nobody holds a card unless `hands` says so.

    birds, hands, discards: texts by seat. crows, hawks, tokens: texts. Birds and pieces that are not named are in
    reserve or supply: of 6 birds, 6 crows and 3 hawks, unless `box` says otherwise. No token is left, unless
    `token_supply` says so.
    """
    box = {"birds": 6, "crows": 6, "hawks": 3} | more.pop("box", {})
    on_board = seats_of(players, birds, "")
    crows, hawks, tokens = (sorted_on_board(more.pop(name, "")) for name in ("crows", "hawks", "tokens"))
    away = {str(more["lifted_piece"]["bird"]): 1} if "bird" in (more.get("lifted_piece") or {}) else {}
    for piece in [more.get("moving"), *more.get("scattering", [])]:
        if piece and "bird" in piece:
            away[str(piece["bird"])] = away.get(str(piece["bird"]), 0) + 1
    active = more.pop("active", 1)
    return {
        "to_move": more.pop("to_move", active),
        "decision": "turn",
        "turn": 1,
        "round": 1,
        "active": active,
        "roll": more.pop("roll", [2, 4]),
        "birds": {seat: sorted_on_board(" ".join(spots)) for seat, spots in on_board.items()},
        "reserve": {
            seat: more.get("reserve", {}).get(int(seat), box["birds"] - len(spots) - away.get(seat, 0))
            for seat, spots in on_board.items()
        },
        "crows": crows,
        "crow_supply": more.pop("crow_supply", box["crows"] - len(crows)),
        "hawks": hawks,
        "hawk_supply": more.pop("hawk_supply", box["hawks"] - len(hawks)),
        "hands": seats_of(players, hands, ""),
        "discards": seats_of(players, discards, ""),
        "tokens": tokens,
        "token_supply": more.pop("token_supply", 0),
        "card": None,
        "flown": None,
        "flock_moves": 0,
        "lifted": None,
        "lifted_piece": None,
        "moving": None,
        "closed": [],
        "scattering": [],
        "flock": None,
        "end_reason": None,
        **{name: value for name, value in more.items() if name != "reserve"},
    }


def sorted_on_board(text):
    """Names in board order: the digits run 8, 1 to 7, 9."""
    return sorted(text.split(), key=lambda name: ["812345679".index(digit) for digit in name if digit != "-"])


def options(table, word):
    """The values of the legal actions of one kind: options(table, 'place') -> spots."""
    return [action[word] for action in table.legal() if word in action]


def play(table, *actions):
    """Play 'place 24', 'play roll', 'done' one after the other. Returns what chance did in the last."""
    chance = []
    for text in actions:
        word, _, value = text.partition(" ")
        chance = table.apply({word: value or True})
    return chance


def rolls_of(chance):
    return [tuple(event["roll"]) for event in chance if "roll" in event]


def with_roll(table, action, *wanted):
    """The table after an action that is followed by these rolls, each (black, brown), and what chance did."""
    twin = table.copy()
    twin.states["streams"][0][DICE] = dice_for(int(table.rules["side"][0]), wanted)
    chance = play(twin, action)
    assert rolls_of(chance)[: len(wanted)] == list(wanted)
    return twin, chance


def dice_for(side, wanted):
    """The state of the stream of dice that these rolls come next from."""
    axis = "812345679" if side == 9 else "1234567"[:side]
    faces = [axis.find(str(value)) % (side + 1) for roll in wanted for value in roll]
    return next(start for start in range(10**7) if all(starmap(partial(shows, side + 1, start), enumerate(faces, 1))))


def shows(faces, start, number, face):
    """Whether the die thrown as the `number`-th from there on shows a face (SplitMix64, see streams.py)."""
    word = (start + number * 0x9E3779B97F4A7C15) % 2**64
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return ((word ^ (word >> 31)) >> 32) * faces >> 32 == face


def birds(table, seat=1):
    return " ".join(table.state()["birds"][str(seat)])


def reserve(table, seat=1):
    return table.state()["reserve"][str(seat)]


def hand(table, seat=1):
    return " ".join(table.state()["hands"][str(seat)])


def discards(table, seat=1):
    return " ".join(table.state()["discards"][str(seat)])


def decides(table):
    return table.to_move, table.decision


def over(table):
    return table.end()["end_reason"] if table.over else None


def winners(table):
    return {place["seat"]: place["win_share"] for place in table.end()["ranking"] if place["win_share"]}


def counters(table, name):
    return table.states["counters"][0][: table.players, table.game.counters.index(name)].tolist()


def count_sequences(table, depth):
    """How many sequences of `depth` decisions there are from here, within one turn: a turn's end ends a sequence."""
    if depth == 0 or table.over or table.turn > 1:
        return 1
    total = 0
    for action in table.legal():
        twin = table.copy()
        twin.apply(action)
        total += count_sequences(twin, depth - 1)
    return total
