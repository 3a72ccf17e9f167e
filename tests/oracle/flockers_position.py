"""What is on the table in a game of Flockers, and the chance that touches it.

The position's `state` has the shape of a trace's state, and the rules change it in place: comparing it with what a
trace tells is then one comparison of two dicts, and refereeing thousands of games stays cheap.
"""

import copy

from tests.oracle import replay
from tests.oracle.flockers_cards import birds_of, lands_of
from tests.oracle.replay import Complaint

ROWS = ("top", "bottom")
ROW_ROOM = 3
PLACES = ("lead", "top-1", "top-2", "top-3", "bottom-1", "bottom-2", "bottom-3")
SHUFFLED = {"draw_pile": {"flock_deck": "shuffled"}, "terrain_deck": {"terrain_deck": "shuffled"}}


class Position:
    """A state, the rules it is played by and the cards by name. `unseen`: shuffled piles whose order nobody knows."""

    def __init__(self, rules, state):
        self.rules, self.state, self.unseen = rules, state, set()
        self.birds, self.lands = birds_of(rules), lands_of(rules)

    to_move = property(lambda self: self.state["to_move"])
    decision = property(lambda self: self.state["decision"])
    turn = property(lambda self: self.state["turn"])
    round = property(lambda self: self.state["round"])
    end_reason = property(lambda self: self.state["end_reason"])
    hand = property(lambda self: self.state["hands"][str(self.state["to_move"])])
    flock = property(lambda self: self.state["flocks"][str(self.state["to_move"])])
    token = property(lambda self: self.state["tokens"][str(self.state["to_move"])])

    @property
    def seats(self):
        return [int(seat) for seat in self.state["hands"]]

    @property
    def solo(self):
        return len(self.state["hands"]) == 1

    def __deepcopy__(self, memo):
        twin = copy.copy(self)
        twin.state, twin.unseen = copy.deepcopy(self.state, memo), set(self.unseen)
        return twin


def unused():
    """Which parts have been used before the first is."""
    return {"main": False, "bonus": [], "lead_main": False, "lead_bonus": []}


def empty_state(players):
    """A table with nothing on it, before the first turn of seat 1."""
    seats = [str(seat) for seat in range(1, players + 1)]
    return {
        "to_move": 1,
        "decision": "play",
        "turn": 1,
        "round": 1,
        "path": [],
        "terrain_display": [],
        "terrain_deck": [],
        "flock_display": [],
        "draw_pile": [],
        "discard": [],
        "hands": {seat: [] for seat in seats},
        "flocks": {seat: {"lead": None, "top": [], "bottom": []} for seat in seats},
        "tokens": {seat: {"card": 0, "terrain": None} for seat in (*seats, *(["automa"] if players == 1 else []))},
        "out": [],
        "last_turns": None,
        "played": None,
        "used": unused(),
        "activated": None,
        "chosen": [],
        "during": None,
        "end_reason": None,
    }


# ---------------------------------------------------------------------------------------------- flocks


def members(flock):
    """The birds of a flock in the order of places."""
    lead = flock["lead"]
    return flock["top"] + flock["bottom"] if lead is None else [lead, *flock["top"], *flock["bottom"]]


def occupied(flock):
    """The places of a flock that are taken, in order."""
    lead = PLACES[:1] if flock["lead"] else ()
    return [*lead, *PLACES[1 : 1 + len(flock["top"])], *PLACES[4 : 4 + len(flock["bottom"])]]


def at(flock, place):
    """The bird in a place."""
    if place == "lead":
        return flock["lead"]
    row, number = place.split("-")
    return flock[row][int(number) - 1]


def put(flock, place, card):
    if place == "lead":
        flock["lead"] = card
    else:
        row, number = place.split("-")
        flock[row][int(number) - 1] = card


def geese_in(position, flock):
    """How many geese of each type a flock has."""
    counts = {}
    for card in members(flock):
        goose = position.birds[card].goose
        counts[goose] = counts.get(goose, 0) + 1
    return counts


def identified(bird, counts):
    """Identify: as many geese of the card's type as it states, itself included."""
    return bird.identify is not None and counts.get(bird.goose, 0) >= bird.identify


def depart(position, places):
    """Birds leave for the discard together, the rows close up, and a lost lead bird is replaced (Graze; K11-K13)."""
    state, flock = position.state, position.flock
    gone = [at(flock, place) for place in places]
    state["discard"] += gone
    for row in ROWS:
        flock[row] = [card for card in flock[row] if card not in gone]
    if flock["lead"] in gone:
        flock["lead"] = None
    state["decision"] = "slide" if flock["lead"] is None and (flock["top"] or flock["bottom"]) else "act"


# --------------------------------------------------------------------------------------------- chance


class Listed(replay.Listed):
    """Chance as a trace tells it: each event is checked against the piles when it is used."""

    def shuffle(self, position, pile):
        self.happens(SHUFFLED[pile])
        position.unseen.add(pile)

    def top(self, position, pile):
        """The next card of a pile; of one that is unseen, what the trace says if it is in there."""
        cards = position.state[pile]
        if pile not in position.unseen:
            return cards.pop(0)
        return self.any_of(cards)

    def any_of(self, cards):
        """The card that the next event names, taken out of these."""
        named = list(self.events[self.used].values())[:1] if self.used < len(self.events) else []
        if not named or named[0] not in cards:
            raise Complaint(f"chance: a card of {cards} is due, the trace has {self.events[self.used :][:1]}")
        cards.remove(named[0])
        return named[0]

    def happens(self, event):
        """The next event has to be this one."""
        told = self.next_event(event)
        if told != event:
            raise Complaint(f"chance: {event} is due, the trace has {told}")

    def flips_in_vain(self, position, flips):
        """Whether the terrain cards flipped had one terrain each: then the trace tells of another shuffle (K20)."""
        if self.events[self.used : self.used + 1] != [SHUFFLED["terrain_deck"]]:
            return False
        if sum(len(land) == 1 for land in position.lands.values()) < flips:
            raise Complaint("chance: the terrain deck is shuffled again although any flip finds 2 terrains")
        return True


class Dealt:
    """Chance that happens here: shuffles are random, cards come off the top, all of it is noted."""

    def __init__(self, rng):
        self.rng, self.events = rng, []

    def shuffle(self, position, pile):
        self.rng.shuffle(position.state[pile])
        self.happens(SHUFFLED[pile])

    def top(self, position, pile):
        return position.state[pile].pop(0)

    def any_of(self, cards):
        return cards.pop(self.rng.randrange(len(cards)))

    def happens(self, event):
        self.events.append(event)

    def flips_in_vain(self, position, flips):
        return all(len(position.lands[card]) == 1 for card in position.state["terrain_deck"][:flips])


def next_flock_card(position, chance):
    """The next card of the flock deck, which the discard becomes when a card is needed (K18); None without cards."""
    state = position.state
    if not state["draw_pile"]:
        if not state["discard"]:
            return None
        state["draw_pile"], state["discard"] = state["discard"], []
        chance.shuffle(position, "draw_pile")
    return chance.top(position, "draw_pile")


def take_from_display(position, card):
    """A flock card leaves the display; returns its slot."""
    slot = position.state["flock_display"].index(card)
    del position.state["flock_display"][slot]
    return slot


def refill_display(position, slot, chance):
    """The vacant space is filled from the flock deck (Replenish your hand; K17)."""
    card = next_flock_card(position, chance)
    if card is not None:
        position.state["flock_display"].insert(slot, card)
        chance.happens({"show": card})
