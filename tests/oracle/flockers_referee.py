"""The oracle of Flockers behind the replay of traces, and as a table to step through."""

import copy

from tests.oracle import flockers, replay
from tests.oracle.flockers_cards import rule_faults, standard_rules
from tests.oracle.flockers_position import Dealt, Listed, Position
from tests.oracle.table import Table, at_random, trace_of


class FlockersOracle(replay.Oracle):
    game = "flockers"
    seats = range(1, 5)

    @classmethod
    def header_faults(cls, header):
        faults = rule_faults(header["rules"], header["players"])
        return faults if header.get("provenance") else [*faults, "the decks are reconstructed and have to say so"]

    def set_up(self, chance):
        self.position = flockers.set_up(self.rules, self.players, chance)

    def place(self, state):
        self.position = Position(self.rules, copy.deepcopy(state))

    def legal(self):
        return flockers.legal(self.position)

    def carry_out(self, action, chance):
        flockers.carry_out(self.position, action, chance)

    def state(self):
        return self.position.state

    def settle(self, told):
        """A shuffled pile is what the trace shows of it from now on, if it has the right cards."""
        own, unseen = self.position.state, self.position.unseen
        for pile in tuple(unseen):
            if sorted(told[pile]) == sorted(own[pile]):
                own[pile] = list(told[pile])
                unseen.remove(pile)

    def ranking(self):
        return flockers.ranking(self.position)


def referee(lines):
    """Complaints about a whole trace (its lines as dicts), an empty list if all is right."""
    return replay.referee(lines, FlockersOracle, Listed)


class OracleTable(Table):
    def __init__(self, rules, players):
        super().__init__(FlockersOracle(rules, players), Dealt)


def oracle_trace(players, seed, pick=at_random, **changes):
    """The lines of a game that the oracle plays against itself, for tests of the referee."""
    table = OracleTable(standard_rules(**changes), players)
    yield from trace_of(table, seed, "reconstructed: the oracle's own game", pick)
