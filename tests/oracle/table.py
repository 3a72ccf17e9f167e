"""The step API of the simulator's table on top of any oracle, so that the same tests can try both."""

import copy
import pickle
import random

from tests.oracle.replay import Complaint, end_line


class Table:
    """A game in progress. `dealt(rng)` makes the chance of a game, with a list of its `events`."""

    def __init__(self, oracle, dealt):
        self.oracle, self.dealt = oracle, dealt
        self.rng, self.decisions = random.Random(0), 0

    over = property(lambda self: self.oracle.position.end_reason is not None)
    to_move = property(lambda self: self.oracle.position.to_move)
    decision = property(lambda self: self.oracle.position.decision)
    turn = property(lambda self: self.oracle.position.turn)
    round = property(lambda self: self.oracle.position.round)

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
        return pickle.loads(pickle.dumps(self.oracle.state()))  # a quick deep copy

    def end(self):
        return end_line(self.oracle, self.decisions) if self.over else None

    def copy(self):
        twin = copy.copy(self)
        twin.oracle = self.oracle.copy()
        return twin


def at_random(state, actions, rng):
    return rng.choice(actions)


def trace_of(table, header, pick=at_random):
    """The lines of a game on a table, the simulator's or an oracle's; `pick(state, actions, rng)` is every player.

    header: game, players, seed, rules and provenance.
    """
    seed, rng = header["seed"], random.Random(f"{header['players']} {header['seed']}")
    seats = [{"seat": seat, "strategy": "any", "noise": 1.0} for seat in range(1, header["players"] + 1)]
    yield {"type": "header", **header, "seats": seats}
    chance = table.deal(seed)
    state, decisions = table.state(), 0
    yield {"type": "setup", "chance": chance, "state": state}
    while state["end_reason"] is None:
        decisions, actions = decisions + 1, table.legal()
        line = {"type": "decision", "n": decisions, "turn": state["turn"], "round": state["round"]}
        line |= {"seat": state["to_move"], "decision": state["decision"], "legal": actions}
        line["chosen"] = pick(state, actions, rng)
        line["chance"] = table.apply(line["chosen"])
        line["state"] = state = table.state()
        yield line
    yield {"type": "end", **table.end(), "digest": f"{seed:016x}"}
