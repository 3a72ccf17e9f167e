"""Traces of 4 the Birds refereed by the oracle, a turn's action sequences counted, and the oracle as a table."""

import random

from tests.oracle import four_the_birds as birds
from tests.oracle import replay
from tests.oracle.birds_board import SIDES, layout_faults
from tests.oracle.birds_position import CARDS, Dealt, Listed, Position, standard_rules
from tests.oracle.table import Table, trace_of

# -------------------------------------------------------------------------------------------- referee

MAPS = {
    "board_size": ("2", "3", "4", "5", "6"),
    "cards": CARDS,
    "shoo": ("move", "remove"),
    "mock": ("move", "place"),
}
YES_NO = (False, True)
VALUES = {
    "birds": range(4, 9),
    "crows": range(13),
    "crows_at_start": range(13),
    "hawks": range(7),
    "hawks_at_start": range(2),
    "tokens": range(100),
    "win_check": ("any", "active"),
    "several_flocks": ("active_first", "shared"),
    "setup": ("random", "choose"),
    "cards_onto_threat": YES_NO,
    "win_square": YES_NO,
    "win_line": YES_NO,
    "turn_cap": range(1, 1_000_000),
}
VALUES_OF_MAPS = {"board_size": SIDES, "cards": range(4), "shoo": YES_NO, "mock": YES_NO}


class BirdsOracle(replay.Oracle):
    game = "4-the-birds"
    seats = range(2, 7)

    @classmethod
    def header_faults(cls, header):
        faults = rule_faults(header.get("rules", {}))
        if not header.get("provenance"):
            faults.append("the branch map is reconstructed (B1), which the provenance has to say")
        return faults

    def set_up(self, chance):
        self.position = birds.set_up(self.rules, self.players, chance)

    def place(self, state):
        self.position = Position(self.rules, state)

    def legal(self):
        return birds.legal(self.position)

    def carry_out(self, action, chance):
        birds.carry_out(self.position, action, chance)

    def state(self):
        return vars(self.position)

    def ranking(self):
        return birds.ranking(self.position)

    def copy(self):
        twin = BirdsOracle(self.rules, self.players)
        twin.position = self.position.copy()
        return twin


def referee(lines):
    """Complaints about a whole trace (its lines as dicts), an empty list if all is right."""
    return replay.referee(lines, BirdsOracle, Listed)


def rule_faults(rules):
    """Rules that are not those of 4 the Birds, or that the pieces cannot serve."""
    known = standard_rules()
    if set(rules) != set(known):
        return [f"rules lack {sorted(set(known) - set(rules))} and have {sorted(set(rules) - set(known))} too many"]
    faults = [f"{name} names {list(rules[name])}" for name, keys in MAPS.items() if set(rules[name]) != set(keys)]
    faults += [f"{name} is {rules[name]!r}" for name, values in VALUES.items() if rules[name] not in values]
    faults += [
        f"{name} is {rules[name]!r}"
        for name, values in VALUES_OF_MAPS.items()
        if any(value not in values for value in rules[name].values())
    ]
    faults += [
        f"more {what} at the start than there are"
        for what in ("crows", "hawks")
        if rules[f"{what}_at_start"] > rules[what]
    ]
    return faults or layout_faults(rules["branch_layout"])


# ---------------------------------------------------------------------------------------------- perft


def count_sequences(position):
    """Number of action sequences of the rest of this turn; the dice of the next one do not matter, ROLL ends it."""
    if position.end_reason is not None:
        return 1
    total = 0
    for action in birds.legal(position):
        after = birds.apply(position, action, Dealt(random.Random(0)))
        over = after.turn != position.turn or action == {"play": "roll"}
        total += 1 if over else count_sequences(after)
    return total


# ---------------------------------------------------------------------------------------------- table


class OracleTable(Table):
    def __init__(self, rules, players):
        super().__init__(BirdsOracle(rules, players), Dealt)

    def state(self):
        return self.oracle.position.to_state()


def oracle_trace(players, seed, **changes):
    """The lines of a game that the oracle plays against itself at random, for tests of the referee."""
    rules = standard_rules(**changes)
    header = {"game": "4-the-birds", "players": players, "seed": seed, "rules": rules}
    yield from trace_of(OracleTable(rules, players), {**header, "provenance": "reconstructed: the oracle's own game"})
