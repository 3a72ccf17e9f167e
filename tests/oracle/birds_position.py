"""The rules, the position and the chance of 4 the Birds as the oracle sees them: the words of a trace, nothing else."""

import pickle

from tests.oracle import replay
from tests.oracle.birds_board import board_of
from tests.oracle.replay import Complaint

CARDS = ("roll", "shoo", "mock", "peck", "swoop", "flock")
CROW, TOKEN = "crow", "token"
STATE_KEYS = (
    *("to_move", "decision", "turn", "round", "end_reason", "active", "roll", "birds", "reserve", "crows"),
    *("crow_supply", "hawks", "hawk_supply", "hands", "discards", "tokens", "token_supply", "card", "flown"),
    *("flock_moves", "lifted", "lifted_piece", "moving", "closed", "scattering", "flock"),
)
SHOWN_EVENTS = 40


def standard_rules(**changes):
    """Every rule parameter at its ruling's value, with `changes` on top; maps are changed key by key."""
    rules = {
        "branch_layout": {"name": "checkerboard"},
        "board_size": {"2": 7, "3": 7, "4": 9, "5": 9, "6": 9},
        "birds": 6,
        "cards": dict.fromkeys(CARDS, 1),
        "crows": 6,
        "crows_at_start": 2,
        "hawks": 3,
        "hawks_at_start": 1,
        "tokens": 12,
        "win_check": "any",
        "several_flocks": "active_first",
        "setup": "random",
        "cards_onto_threat": False,
        "shoo": {"move": True, "remove": True},
        "mock": {"move": True, "place": True},
        "win_square": True,
        "win_line": True,
        "turn_cap": 1000,
    }
    for name, value in changes.items():
        assert name in rules, f"no such rule parameter: {name}"
        merged = isinstance(value, dict) and name != "branch_layout"
        rules[name] = {**rules[name], **value} if merged else value
    return rules


# ------------------------------------------------------------------------------------------- position


class Position:
    """Everything on the table: `vars` of it is a trace's state, so that the two are compared at once.

    Beside that, in slots: `rules`, the `board`, `rolled_again` (ROLLs played this turn), `at` (spot -> seat, CROW or
    TOKEN), `threatened` (spots next to a hawk) and `prey` (piece -> what it may land on: nothing, its own, whom it
    outranks; B7, B8, B15).
    """

    __slots__ = ("__dict__", "at", "board", "players", "prey", "rolled_again", "rules", "threatened")

    def __init__(self, rules, state):
        if set(state) != set(STATE_KEYS):
            raise Complaint(f"the state has the keys {sorted(state)}")
        self.__dict__.update(copied(state))
        self.rules, self.players, self.rolled_again = rules, len(self.birds), 0
        self.board = board_of(rules, self.players)
        self.prey = {seat: {None, seat, self.left_of(seat)} for seat in self.seats()}
        self.prey[CROW] = {None, *self.seats()}
        self.at = {spot: int(seat) for seat, spots in self.birds.items() for spot in spots}
        self.at |= dict.fromkeys(self.crows, CROW) | dict.fromkeys(self.tokens, TOKEN)
        self.note_hawks()

    def to_state(self):
        return copied(vars(self))

    def copy(self):
        return Position(self.rules, vars(self))

    def seats(self):
        return range(1, self.players + 1)

    def left_of(self, seat):
        """Who sits to the left: next clockwise (B7)."""
        return seat % self.players + 1

    def ask(self, seat, decision):
        self.to_move, self.decision = seat, decision

    # --- pieces ---

    def put(self, piece, spot):
        self.at[spot] = piece
        self.add(self.crows if piece == CROW else self.birds[str(piece)], spot)

    def take_off(self, spot):
        """Lifts what stands there; returns it."""
        piece = self.at.pop(spot)
        (self.crows if piece == CROW else self.birds[str(piece)]).remove(spot)
        return piece

    def add(self, spots, spot):
        spots.append(spot)
        spots.sort(key=self.board.order.__getitem__)

    def into_supply(self, piece, number=1):
        """Back to the owner's reserve or the crows' supply (B11); a number below none takes from there."""
        if piece == CROW:
            self.crow_supply += number
        else:
            self.reserve[str(piece)] += number

    def note_hawks(self):
        """B1: a dot's adjacent spots are its corners."""
        self.threatened = {spot for dot in self.hawks for spot in self.board.corners[dot]}

    def put_hawk(self, dot):
        self.hawks.append(dot)
        self.hawks.sort(key=self.board.dots.index)
        self.note_hawks()

    def take_hawk(self, dot):
        self.hawks.remove(dot)
        self.note_hawks()

    def free_dots(self, lifted=None):
        return [dot for dot in self.board.dots if dot not in self.hawks and dot != lifted]

    # --- cards ---

    def own_birds(self):
        return self.birds[str(self.active)]

    def hand(self):
        return self.hands[str(self.active)]

    def discard(self):
        return self.discards[str(self.active)]

    def regain(self):
        """Rolling Doubles: the top of one's discard pile returns to the hand (B19)."""
        card = self.discard().pop()
        self.hand().append(card)
        self.hand().sort(key=CARDS.index)
        return card


def copied(state):
    """All of it, and quicker than by copy.deepcopy."""
    return pickle.loads(pickle.dumps(state))


def named(piece, spot=None):
    """A piece in the words of a trace, where it comes from if that is told."""
    words = {"crow": True} if piece == CROW else {"bird": piece}
    return words if spot is None else {**words, "from": spot}


def piece_of(words):
    return CROW if "crow" in words else words["bird"]


# --------------------------------------------------------------------------------------------- chance


class Dealt:
    """Chance out of a generator of random numbers."""

    def __init__(self, rng):
        self.rng, self.happened = rng, []

    @property
    def events(self):
        """What a trace lists: not the rolls from a certain place on, but how many, what they regained, and the last."""
        rolls = [place for place, event in enumerate(self.happened) if "roll" in event]
        left_out = [place for place in rolls[:-1] if place >= SHOWN_EVENTS]
        if not left_out:
            return self.happened
        shown, hidden = self.happened[: left_out[0]], self.happened[left_out[0] : rolls[-1]]
        regained = [event for event in hidden if "regain" in event]
        return [*shown, {"more_rolls": len(left_out)}, *regained, *self.happened[rolls[-1] :]]

    def pick(self, kind, places):
        place = self.rng.choice(places)
        self.happened.append({kind: place})
        return place

    def roll(self, position):
        """The next roll, and how many rolls that makes."""
        digits = list(position.board.axis)
        roll = [self.rng.choice([*digits, "crow"]), self.rng.choice([*digits, "hawk"])]
        self.happened.append({"roll": roll})
        return roll, 1

    def regain(self, position):
        self.happened.append({"regain": position.regain()})


class Listed(replay.Listed):
    """Chance as a trace tells it: each event is checked against what is due, all of them have to be used up."""

    def comes(self, wanted):
        """Whether that is the next event."""
        return self.used < len(self.events) and wanted in self.events[self.used]

    def due(self, wanted):
        event = self.next_event(wanted)
        if len(event) != 1 or wanted not in event:
            raise Complaint(f"chance: {wanted} is due, the trace has {event}")
        return event[wanted]

    def pick(self, kind, places):
        place = self.due(kind)
        if place not in places:
            raise Complaint(f"chance: a {kind} on {place}, which is not one of {places}")
        return place

    def roll(self, position):
        """The next roll listed, and how many rolls that makes with those left out before it."""
        left_out = self.left_out(position) if self.comes("more_rolls") else 0
        late = self.used >= SHOWN_EVENTS
        roll = self.due("roll")
        if late and any("roll" in event for event in self.events[self.used :]):
            raise Complaint("chance: more rolls are listed than should be")
        black, brown = roll
        if black not in (*position.board.axis, CROW) or brown not in (*position.board.axis, "hawk"):
            raise Complaint(f"chance: the dice cannot show {roll}")
        return roll, left_out + 1

    def left_out(self, position):
        """Passes over rolls not listed; what they regained is."""
        if self.used < SHOWN_EVENTS:
            raise Complaint(f"chance: rolls are left out after {self.used} events")
        rolls, regained = self.due("more_rolls"), 0
        while self.comes("regain"):
            self.regain(position)
            regained += 1
        if rolls < max(1, regained):
            raise Complaint(f"chance: {rolls} rolls left out, with {regained} cards regained")
        return rolls

    def regain(self, position):
        """Due with doubles."""
        if not position.discard():
            raise Complaint("chance: a card is regained, and none has been discarded")
        told, card = self.due("regain"), position.regain()
        if told != card:
            raise Complaint(f"chance: {card} is on top of the discards, {told} is regained")
