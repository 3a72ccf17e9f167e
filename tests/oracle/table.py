"""The step API of the simulator's table on top of any oracle, so that the same tests can try both."""

import copy
import random

from tests.oracle.replay import Complaint, end_line


class Table:
    """A game in progress. `dealt(rng)` makes the chance of a game, with a list of its `events`."""

    def __init__(self, oracle, dealt):
        self.oracle, self.dealt = oracle, dealt
        self.rng, self.decisions = random.Random(0), 0

    def deal(self, seed=0, block=0):
        self.rng = random.Random(f"{seed} {block}")
        chance = self.dealt(self.rng)
        self.oracle.set_up(chance)
        return chance.events

    def place(self, state):
        self.oracle.place(state)

    def legal(self):
        return self.oracle.legal()

    def apply(self, action):
        if action not in self.oracle.legal():
            raise Complaint(f"{action} is not a legal action")
        chance = self.dealt(self.rng)
        self.oracle.carry_out(action, chance)
        self.decisions += 1
        return chance.events

    def state(self):
        return copy.deepcopy(self.oracle.state())

    def end(self):
        if self.oracle.position.end_reason is None:
            return None
        return {"type": "end", **end_line(self.oracle, self.decisions)}

    def copy(self):
        twin = copy.copy(self)
        twin.oracle = self.oracle.copy()
        return twin


def at_random(position, actions, rng):
    return rng.choice(actions)


def trace_of(table, seed, provenance="", pick=at_random):
    """The lines of a game that an oracle plays against itself; `pick(position, actions, rng)` is every player."""
    oracle, rng = table.oracle, random.Random(f"{table.oracle.players} {seed}")
    seats = [{"seat": seat, "strategy": "random", "noise": 1.0} for seat in range(1, oracle.players + 1)]
    header = {"game": oracle.game, "players": oracle.players, "seats": seats, "seed": seed, "rules": oracle.rules}
    yield {"type": "header", **header, "provenance": provenance}
    yield {"type": "setup", "chance": table.deal(seed), "state": table.state()}
    while not table.end():
        at, actions = oracle.position, table.legal()
        line = {"type": "decision", "n": table.decisions + 1, "turn": at.turn, "round": at.round}
        line |= {"seat": at.to_move, "decision": at.decision, "legal": actions}
        line["chosen"] = pick(at, actions, rng)
        yield {**line, "chance": table.apply(line["chosen"]), "state": table.state()}
    yield {**table.end(), "digest": f"{seed:016x}"}
