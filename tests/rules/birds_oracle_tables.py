"""Tables of 4 the Birds laid by hand, for the tests of its oracle and of its referee."""

from tests.oracle.birds_board import board_of
from tests.oracle.birds_position import CARDS, Dealt, standard_rules
from tests.oracle.birds_referee import OracleTable

ALL = " ".join(CARDS)


class Rolled(Dealt):
    """Chance that rolls what it is told, the last roll for ever, and picks the first place there is."""

    def __init__(self, *rolls):
        super().__init__(None)
        self.rolls = [dice(roll) for roll in rolls]

    def pick(self, kind, places):
        self.happened.append({kind: places[0]})
        return places[0]

    def roll(self, position):
        roll = self.rolls.pop(0) if len(self.rolls) > 1 else self.rolls[0]
        self.happened.append({"roll": roll})
        return list(roll), 1


def dice(roll):
    """ "3 crow" as [3, "crow"]."""
    return [int(face) if face.isdigit() else face for face in roll.split()]


def state(on=("", ""), roll="1 2", hands=None, discards=None, rules=None, **more):
    """A state from words: each seat's birds on the tree, the rest of everything in reserve and supply.

    Seat 1 is to move; hands are full of one card each unless they are told.
    """
    rules, seats = standard_rules(**(rules or {})), [str(seat) for seat in range(1, len(on) + 1)]
    spread = {key: more.pop(key, "").split() for key in ("crows", "hawks", "tokens")}
    told = {
        **{
            "to_move": more.get("active", 1),
            "decision": "turn",
            "turn": 1,
            "round": 1,
            "end_reason": None,
            "active": 1,
        },
        "roll": dice(roll),
        "birds": {seat: spots.split() for seat, spots in zip(seats, on, strict=True)},
        "hands": {seat: dict(hands or {}).get(int(seat), ALL).split() for seat in seats},
        "discards": {seat: dict(discards or {}).get(int(seat), "").split() for seat in seats},
        **spread,
        "crow_supply": rules["crows"] - len(spread["crows"]),
        "hawk_supply": rules["hawks"] - len(spread["hawks"]),
        "token_supply": rules["tokens"] - len(spread["tokens"]),
        **dict.fromkeys(("card", "flown", "lifted", "lifted_piece", "moving", "flock")),
        **{"flock_moves": 0, "closed": [], "scattering": [], **more},
    }
    reserve = {seat: rules["birds"] - len(spots) for seat, spots in told["birds"].items()}
    for spots in told["birds"].values():
        spots.sort(key=board_of(rules, len(on)).order.__getitem__)
    return {"reserve": reserve, **told}


class Played(OracleTable):
    """The oracle's table, with actions told as words: "place 12"; every roll after the first is 1 and 2."""

    def __init__(self, told, *actions, rolls=("1 2",), rules=None):
        super().__init__(standard_rules(**(rules or {})), len(told["birds"]))
        self.chance = Rolled(*rolls)
        self.place(told)
        for action in actions:
            self.do(action)

    def do(self, words):
        action = as_action(words)
        assert action in self.legal(), f"{action} is not one of {self.legal()}"
        self.oracle.carry_out(action, self.chance)
        return self

    @property
    def position(self):
        return self.oracle.position

    def can(self):
        """The legal actions, in words, their verbs told once: "place 12 21, play roll"."""
        told = {}
        for action in self.legal():
            ((verb, what),) = action.items()
            told.setdefault(verb, []).append("" if what is True else what)
        return ", ".join(f"{verb} {' '.join(places)}".strip() for verb, places in told.items())

    def of(self, verb):
        """What that verb can be done with."""
        return " ".join(action[verb] for action in self.legal() if verb in action)

    def moment(self):
        """Who decides what."""
        return self.position.to_move, self.position.decision

    def where(self, seat):
        return " ".join(self.position.birds[str(seat)])


def as_action(words):
    verb, _, what = words.partition(" ")
    return {verb: what or True}


def table(on=("", ""), *actions, rolls=("1 2",), rules=None, **told):
    """A table with that state on it, after these actions."""
    return Played(state(on, rules=rules, **told), *actions, rolls=rolls, rules=rules)


# --- changing what was written ---


def change(line, **values):
    line.update(values)


def swap(items, a=0, b=1):
    items[a], items[b] = items[b], items[a]
