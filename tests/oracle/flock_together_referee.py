"""Flock Together's oracle behind the replay of traces, action sequences counted, and the oracle as a table."""

from tests.oracle import replay
from tests.oracle.flock_together import (
    SPECIES,
    Certain,
    Dealt,
    Listed,
    Position,
    apply,
    as_position,
    carry_out,
    legal,
    ranking,
    set_up,
    standard_rules,
)
from tests.oracle.table import Table

# -------------------------------------------------------------------------------------------- referee


class FlockTogetherOracle(replay.Oracle):
    game = "flock-together"
    seats = range(2, 6)

    @classmethod
    def header_faults(cls, header):
        rules = header.get("rules", {})
        missing = set(standard_rules()) - set(rules)
        if missing:
            return [f"rules lack {sorted(missing)}"]
        tables = ("cards", "small_flock", "big_flock")
        return [f"{key} does not name each species once" for key in tables if set(rules[key]) != set(SPECIES)]

    def set_up(self, chance):
        self.position = set_up(self.rules, self.players, chance)

    def place(self, state):
        self.position = Position.from_state(state)

    def legal(self):
        return legal(self.position, self.rules)

    def carry_out(self, action, chance):
        carry_out(self.position, self.rules, action, chance)

    def state(self):
        return self.position.to_state()

    def settle(self, told):
        """Of a shuffled pile nobody has seen only the cards count."""
        if not self.position.order_known and sorted(told["draw_pile"]) == sorted(self.position.draw_pile):
            self.position.draw_pile, self.position.order_known = list(told["draw_pile"]), True

    def ranking(self):
        return ranking(self.position)


def referee(lines):
    """Complaints about a whole trace (its lines as dicts), an empty list if all is right."""
    return replay.referee(lines, FlockTogetherOracle, Listed)


# ---------------------------------------------------------------------------------------------- perft


def count_sequences(state, rules, depth):
    """Number of action sequences of `depth` decisions; a game that ends sooner counts as one sequence.

    Only for states in which chance cannot matter; an AssertionError says so otherwise.
    """
    position = as_position(state)
    if depth == 0 or position.end_reason is not None:
        return 1
    return sum(
        count_sequences(apply(position, rules, action, Certain()), rules, depth - 1)
        for action in legal(position, rules)
    )


# ---------------------------------------------------------------------------------------------- table


class OracleTable(Table):
    def __init__(self, rules, players):
        super().__init__(FlockTogetherOracle(rules, players), Dealt)

    def deal(self, seed=0, block=0):
        events = super().deal(seed, block)
        self.oracle.position.order_known = True
        return events

    def stack(self, cards):
        pile = self.oracle.position.draw_pile
        for card in cards:
            pile.remove(card)
        pile[:0] = cards
