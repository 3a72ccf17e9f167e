"""A slow, obvious referee for Flock Together, written from the rulebook and the rulings alone.

It shares no code with the simulator: piles, rows and hands are plain lists of species words, and a turn
is told in the order of the rulebook. What replays traces with it is in `flock_together_referee`.
Section names are those of the rulebook; T1 to T15 are rulings.
"""

from dataclasses import dataclass, replace

from tests.oracle import replay
from tests.oracle.replay import Complaint

SPECIES = ("A-2", "3-4", "5-6", "7-8", "9-10", "J", "Q", "K")
RARE = ("J", "Q", "K")


# ---------------------------------------------------------------------------------------------- rules


def standard_rules(**changes):
    """Every rule parameter at its rulebook value, with `changes` on top."""
    rules = {
        "cards": by_rarity(16, 8),
        "small_flock": by_rarity(5, 2),
        "big_flock": by_rarity(7, 3),
        "small_gain": 1,
        "big_gain": 2,
        "hand_size": 8,
        "rows": 4,
        "row_cards": 3,
        "first_birds": 1,
        "draw_cards": 2,
        "win_species": 7,
        "win_sets": 2,
        "win_set_size": 3,
        "draw_before_empty_check": True,
        "exhaustion_ends_game": False,
        "turn_cap": 500,
    }
    unknown = set(changes) - set(rules)
    assert not unknown, f"no such rule parameter: {sorted(unknown)}"
    return {**rules, **changes}


def by_rarity(common, rare):
    """A map of all eight species: one value for the number cards, another for J, Q and K."""
    return {species: rare if species in RARE else common for species in SPECIES}


# ------------------------------------------------------------------------------------------- position


@dataclass
class Position:
    """Everything on the table. A pile whose order nobody has seen yet has `order_known` false."""

    rows: list
    hands: dict
    collections: dict
    draw_pile: list
    discard: list
    to_move: int | None = 1
    decision: str | None = "play"
    turn: int = 1
    round: int = 1
    end_reason: str | None = None
    order_known: bool = True
    winner: int | None = None

    @classmethod
    def from_state(cls, state):
        return cls(
            rows=[list(row) for row in state["rows"]],
            hands={int(seat): spread(hand) for seat, hand in state["hands"].items()},
            collections={int(seat): spread(birds) for seat, birds in state["collections"].items()},
            draw_pile=list(state["draw_pile"]),
            discard=spread(state["discard"]),
            **{key: state[key] for key in ("to_move", "decision", "turn", "round", "end_reason")},
        )

    def to_state(self):
        return {
            "to_move": self.to_move,
            "decision": self.decision,
            "turn": self.turn,
            "round": self.round,
            "rows": [list(row) for row in self.rows],
            "hands": {str(seat): tally(hand) for seat, hand in self.hands.items()},
            "collections": {str(seat): tally(birds) for seat, birds in self.collections.items()},
            "draw_pile": list(self.draw_pile),
            "discard": tally(self.discard),
            "end_reason": self.end_reason,
        }

    def copy(self):
        return replace(
            self,
            rows=[list(row) for row in self.rows],
            draw_pile=list(self.draw_pile),
            discard=list(self.discard),
            hands={seat: list(hand) for seat, hand in self.hands.items()},
            collections={seat: list(birds) for seat, birds in self.collections.items()},
        )

    @property
    def players(self):
        return len(self.hands)

    @property
    def hand(self):
        """The hand of the player whose turn it is."""
        return self.hands[self.to_move]

    @property
    def collection(self):
        return self.collections[self.to_move]

    def clockwise_from(self, seat):
        return [(seat - 1 + step) % self.players + 1 for step in range(self.players)]

    def all_cards(self):
        piles = [*self.rows, *self.hands.values(), *self.collections.values(), self.draw_pile, self.discard]
        return [card for pile in piles for card in pile]


def spread(counts):
    """{"Q": 2, "J": 1} as the list of its cards."""
    return [species for species, count in counts.items() for _ in range(count)]


def tally(cards):
    """A list of cards as counts by species, in species order and without zeros."""
    return {species: cards.count(species) for species in SPECIES if species in cards}


def without_zeros(counts):
    return {species: count for species, count in counts.items() if count}


def as_position(state):
    return state if isinstance(state, Position) else Position.from_state(state)


# --------------------------------------------------------------------------------------------- chance


class Listed(replay.Listed):
    """Chance as a trace tells it: each event is checked against the piles when it is used."""

    def reshuffle(self, discard):
        event = self.next_event("a reshuffle")
        if event != {"reshuffle": len(discard)}:
            raise Complaint(f"chance: a reshuffle of {len(discard)} cards is due, the trace has {event}")
        return sorted(discard), False

    def turn_up(self, pile, order_known):
        self.event = self.next_event("a card")
        card = self.event.get("card")
        if card is None:
            raise Complaint(f"chance: a card is due from a draw pile of {len(pile)}, the trace has {self.event}")
        if order_known and card != pile[0]:
            raise Complaint(f"chance: the top card is {pile[0]}, the trace turns up {card}")
        if card not in pile:
            raise Complaint(f"chance: the trace turns up {card}, which is not in the draw pile")
        pile.remove(card)
        return card

    def lands(self, **where):
        told = {key: value for key, value in self.event.items() if key != "card"}
        if told != where:
            raise Complaint(f"chance: {self.event['card']} belongs to {where}, the trace puts it to {told}")


class Dealt:
    """Chance that happens here: cards come off the top, a reshuffle is random, all of it is noted."""

    def __init__(self, rng):
        self.rng, self.events = rng, []

    def reshuffle(self, discard):
        self.events.append({"reshuffle": len(discard)})
        return self.rng.sample(discard, len(discard)), True

    def turn_up(self, pile, order_known):
        if not order_known:
            self.rng.shuffle(pile)
        self.events.append({"card": pile[0]})
        return pile.pop(0)

    def lands(self, **where):
        self.events[-1].update(where)

    def close(self):
        pass


class Certain(Dealt):
    """Chance that cannot matter: whatever a card is turned up from is all of one species."""

    def __init__(self):
        super().__init__(rng=None)

    def reshuffle(self, discard):
        assert len(set(discard)) == 1, "a reshuffle of several species: chance matters here"
        return list(discard), True

    def turn_up(self, pile, order_known):
        assert len(set(pile)) == 1, "a draw from several species: chance matters here"
        return super().turn_up(pile, True)


def turn_up(position, chance):
    """The next card of the draw pile, or None if both piles are empty (Empty draw pile; T7)."""
    if not position.draw_pile and not position.discard:
        return None
    if not position.draw_pile:
        position.draw_pile, position.order_known = chance.reshuffle(position.discard)
        position.discard = []
    return chance.turn_up(position.draw_pile, position.order_known)


# --------------------------------------------------------------------------------------------- set-up


def set_up(rules, players, chance):
    """Setup: rows one after the other, then hands, then collections, from seat 1 on (T1)."""
    seats = range(1, players + 1)
    position = Position(
        rows=[[] for _ in range(rules["rows"])],
        hands={seat: [] for seat in seats},
        collections={seat: [] for seat in seats},
        draw_pile=spread(rules["cards"]),
        discard=[],
        order_known=False,
    )
    for number, row in enumerate(position.rows, start=1):
        while len(row) < rules["row_cards"]:
            deal_to_row(position, number, row, chance)
    deal_hands(position, rules, 1, chance)
    for seat in seats:
        for _ in range(rules["first_birds"]):
            position.collections[seat].append(must_turn_up(position, chance))
            chance.lands(to="collection", seat=seat)
    chance.close()
    return position


def deal_to_row(position, number, row, chance):
    card = must_turn_up(position, chance)
    if card in row:
        position.discard.append(card)
        chance.lands(to="discard")
    else:
        row.append(card)
        chance.lands(to="row", row=number)


def deal_hands(position, rules, dealer, chance):
    """All of a hand at once, the dealer's first, then clockwise (T1)."""
    for seat in position.clockwise_from(dealer):
        for _ in range(rules["hand_size"]):
            position.hands[seat].append(must_turn_up(position, chance))
            chance.lands(to="hand", seat=seat)


def must_turn_up(position, chance):
    card = turn_up(position, chance)
    if card is None:
        raise Complaint("a deal runs out of cards")
    return card


# ---------------------------------------------------------------------------------------------- turns


def legal(state, rules):
    """Every legal action, in the words of a trace; none once the game is over."""
    position = as_position(state)
    if position.decision == "play":
        return [
            {"play": species, "row": row, "end": end}
            for species in SPECIES
            if species in position.hand
            for row in range(1, len(position.rows) + 1)
            for end in ("left", "right")
        ]
    if position.decision == "draw":
        return [{"draw": "no"}, {"draw": "yes"}]
    if position.decision == "fly":
        return [{"fly": "none"}] + [{"fly": species} for species in flyable(position, rules)]
    return []


def flyable(position, rules):
    """The species of which the player to move holds a small flock or more."""
    return [
        species
        for species in SPECIES
        if species in position.hand and position.hand.count(species) >= rules["small_flock"][species]
    ]


def apply(state, rules, action, chance):
    """The position after `action`; `chance` is a list of events to check and use, or a source of chance.

    The state given is left as it was. Raises Complaint if the action or the chance is not allowed.
    """
    position = as_position(state).copy()
    if action not in legal(position, rules):
        raise Complaint(f"{action} is not a legal action")
    chance = Listed(chance) if isinstance(chance, list) else chance
    carry_out(position, rules, action, chance)
    chance.close()
    return position


def carry_out(position, rules, action, chance):
    """Changes the position as a legal action does."""
    if "play" in action:
        play_cards(position, rules, action, chance)
    elif "draw" in action:
        draw(position, rules, action, chance)
    else:
        fly(position, rules, action, chance)


def play_cards(position, rules, action, chance):
    """Step 1: lay all cards of a species at one end of a row; catch, or perhaps draw."""
    species, end = action["play"], action["end"]
    laid = [card for card in position.hand if card == species]
    kept = [card for card in position.hand if card != species]
    caught, rest = split_row(position.rows[action["row"] - 1], species, end)
    position.rows[action["row"] - 1] = laid + rest if end == "left" else rest + laid
    position.hands[position.to_move] = kept + caught
    if caught:
        refill(position, rules, action["row"], chance)
    elif draw_is_offered(position, rules):
        position.decision = "draw"
    else:
        after_step_one(position, rules, chance)


def split_row(row, species, end):
    """The cards caught when `species` is laid at `end` of `row`, and the cards that stay (T2)."""
    if species not in row:
        return [], row
    where = [place for place, card in enumerate(row) if card == species]
    if end == "left":
        nearest = where[0]
        return row[:nearest], row[nearest:]
    nearest = where[-1]
    return row[nearest + 1 :], row[: nearest + 1]


def refill(position, rules, number, chance):
    """Refilling a row after a catch: cards to its right end until it holds two species (T6, T7)."""
    row = position.rows[number - 1]
    while len(set(row)) < 2:
        card = turn_up(position, chance)
        if card is None:
            break
        row.append(card)
        chance.lands(to="row", row=number)
    if len(set(row)) < 2 and rules["exhaustion_ends_game"]:
        end_game(position, "stuck")
    else:
        after_step_one(position, rules, chance)


def draw_is_offered(position, rules):
    """Nothing caught: a draw is offered unless no card can come of it (T14) or by T3."""
    cards_left = position.draw_pile or position.discard
    may_draw = position.hand or rules["draw_before_empty_check"]
    return bool(rules["draw_cards"] and cards_left and may_draw)


def draw(position, rules, action, chance):
    """Nothing caught: the draw, all of it or nothing, as far as the piles go (T7, T14)."""
    for _ in range(rules["draw_cards"] if action["draw"] == "yes" else 0):
        card = turn_up(position, chance)
        if card is None and rules["exhaustion_ends_game"]:
            end_game(position, "stuck")
            return
        if card is None:
            break
        position.hand.append(card)
        chance.lands(to="hand", seat=position.to_move)
    after_step_one(position, rules, chance)


def after_step_one(position, rules, chance):
    """An empty hand ends the turn here (T4); the flight is asked only if a species can fly (T14)."""
    if position.hand and flyable(position, rules):
        position.decision = "fly"
    else:
        end_turn(position, rules, chance)


def fly(position, rules, action, chance):
    """Step 2: show all cards of a species, keep one or two, discard the rest (T10)."""
    species = action["fly"]
    if species != "none":
        shown = position.hand.count(species)
        big = shown >= rules["big_flock"][species]
        gain = rules["big_gain"] if big else rules["small_gain"]
        position.hands[position.to_move] = [card for card in position.hand if card != species]
        position.collection.extend([species] * gain)
        position.discard.extend([species] * (shown - gain))
    end_turn(position, rules, chance)


def end_turn(position, rules, chance):
    """The win check, the end of a round, the stuck test and the cap, in this order (T5, T8, T12, T15)."""
    dealt_anew = not position.hand
    if has_won(position.collection, rules):
        end_game(position, "win")
        return
    if dealt_anew and not new_round(position, rules, chance):
        end_game(position, "stuck")
        return
    if position.turn >= rules["turn_cap"]:
        end_game(position, "turn_cap")
        return
    position.turn += 1
    position.decision = "play"
    if not dealt_anew:
        position.to_move = position.clockwise_from(position.to_move)[1]


def has_won(collection, rules):
    """Winning the game: enough species, or enough species with enough cards each."""
    counts = tally(collection)
    sets = [species for species, count in counts.items() if count >= rules["win_set_size"]]
    return len(counts) >= rules["win_species"] or len(sets) >= rules["win_sets"]


def new_round(position, rules, chance):
    """End of a round: hands to the discard and a new deal; False if there are too few cards (T8, T13)."""
    for hand in position.hands.values():
        position.discard.extend(hand)
    position.hands = {seat: [] for seat in position.hands}
    if len(position.draw_pile) + len(position.discard) < rules["hand_size"] * position.players:
        return False
    deal_hands(position, rules, position.to_move, chance)
    position.round += 1
    return True


def end_game(position, reason):
    position.winner = position.to_move if reason == "win" else None
    position.to_move, position.decision, position.end_reason = None, None, reason


def ranking(position):
    """The ranking as the end line of a trace lists it: whoever won, then the larger collections (T9)."""
    scores = {seat: len(birds) for seat, birds in position.collections.items()}
    winner = position.winner

    def ahead(seat):
        if seat == winner:
            return 0
        return sum(scores[other] > scores[seat] or other == winner for other in scores if other != seat)

    ranks = {seat: 1 + ahead(seat) for seat in scores}
    first = [seat for seat in scores if ranks[seat] == 1]
    share = 0 if position.end_reason == "turn_cap" else 1 / len(first)
    return [
        {"seat": seat, "rank": ranks[seat], "score": scores[seat], "win_share": share if seat in first else 0}
        for seat in sorted(scores, key=lambda seat: (ranks[seat], seat))
    ]
