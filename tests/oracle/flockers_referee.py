"""The oracle of Flockers behind the replay of traces, and as a table to step through."""

import copy

from tests.oracle import flockers, replay
from tests.oracle.flockers_cards import birds_of, rule_faults, standard_rules
from tests.oracle.flockers_position import Dealt, Listed, Position, members
from tests.oracle.table import Table, trace_of


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

    def solo_counters(self):
        return flockers.solo_counters(self.oracle.position)


class Keen:
    """A player for trials who gets somewhere: plays what helps now, uses what can be used and flies far, mostly."""

    def __init__(self, rules, share=0.8):
        self.birds, self.share = birds_of(rules), share

    def __call__(self, state, actions, rng):
        kind = state["decision"]
        if rng.random() >= self.share:
            return rng.choice(actions)
        if kind in ("act", "graze") and len(actions) > 1:
            return rng.choice(actions[:-1])
        if kind == "play":
            wanted = self.wanted_action(state)
            actions = [action for action in actions if self.birds[action["play"]].action == wanted] or actions
        return actions[-1] if kind == "fly" else rng.choice(actions)

    def wanted_action(self, state):
        """Graze out of a large flock, navigate while the path is short, else fly."""
        seat = str(state["to_move"])
        if len(members(state["flocks"][seat])) >= 4:
            return "graze"
        return "fly" if len(state["path"]) > state["tokens"][seat]["card"] + 1 else "navigate"


def header_of(players, seed, rules):
    return {"game": "flockers", "players": players, "seed": seed, "rules": rules, "provenance": "reconstructed decks"}


def oracle_trace(players, seed, **changes):
    """The lines of a game that the oracle plays against itself, for tests of the referee."""
    rules = standard_rules(**changes)
    yield from trace_of(OracleTable(rules, players), header_of(players, seed, rules), Keen(rules))
