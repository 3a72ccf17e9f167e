"""Traces of Flock refereed by the oracle, action sequences counted, and the oracle as a table to step through."""

import copy
import random
import re

from tests.oracle import flock
from tests.oracle.flock import RESOURCE_CARDS, SCORED, STATE_KEYS, Position, as_position, standard_rules

# -------------------------------------------------------------------------------------------- referee

MAPS = {
    "vp_first": SCORED,
    "vp_second": SCORED,
    "competition_thresholds": ("2", "3", "4", "5"),
    "gain_single": RESOURCE_CARDS,
    "gain_double": RESOURCE_CARDS,
    "cost_single": ("laying_nests", "hatching_eggs", "hatching_worms"),
    "cost_double": ("laying_nests", "hatching_eggs", "hatching_worms"),
    "upkeep_costs": ("nests", "worms"),
}
VALUES = {
    "rounds": range(1, 7),
    "relocate_limit": range(1, 6),
    "dominance_side": ("by-players", "2-3", "4-5"),
    "flocks_per_player": (1, 2),
    "protect_left_flock": (False, True),
    "deadlock": ("end", "force_competition"),
}


def referee(lines):
    """Replays a whole trace (its lines as dicts); returns complaints, an empty list if all is right."""
    complaints = []
    try:
        complaints.extend(replay(list(lines)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        complaints.append(f"the trace cannot be read: {error!r}")
    return complaints


def replay(lines):
    """Yields a complaint for each fault, in the order of the lines.

    The oracle plays along from its own position, so a wrong state is a fault of the line that tells it only;
    a choice that the rules do not allow ends the replay.
    """
    if [line["type"] for line in lines[:2]] != ["header", "setup"] or lines[-1]["type"] != "end":
        yield "a trace is a header, a set-up, decisions and an end"
        return
    header, setup, *decisions, end = lines
    unusable = header_faults(header)
    yield from unusable
    if unusable:
        return
    rules = header["rules"]
    position = flock.set_up(rules, header["players"])
    yield from (f"set-up: {fault}" for fault in chance_faults(setup) + state_faults(position, setup["state"]))
    for number, line in enumerate(decisions, start=1):
        legal = flock.legal(position, rules)
        yield from (f"decision {number}: {fault}" for fault in decision_faults(number, line, position, legal))
        if line["chosen"] not in legal:
            yield f"decision {number}: {line['chosen']} is not a legal action"
            return
        flock.carry_out(position, rules, line["chosen"])
        yield from (f"decision {number}: {fault}" for fault in state_faults(position, line["state"]))
    yield from (f"end: {fault}" for fault in end_faults(end, position, decisions))


def header_faults(header):
    players = header.get("players")
    if header.get("game") != "flock":
        return [f"header: game is {header.get('game')!r}"]
    if players not in (2, 3, 4, 5):
        return [f"header: {players!r} players"]
    faults = rule_faults(header.get("rules", {}), players)
    if [seat.get("seat") for seat in header.get("seats", [])] != list(range(1, players + 1)):
        faults.append(f"seats should be 1 to {players}")
    if not header.get("provenance"):
        faults.append("Competition's second side is unknown (F2), which the provenance has to say")
    return [f"header: {fault}" for fault in faults]


def rule_faults(rules, players):
    """Rules that are not those of Flock, or that the components cannot serve (F2, F5, F25)."""
    known = standard_rules()
    if set(rules) != set(known):
        return [f"rules lack {sorted(set(known) - set(rules))} and have {sorted(set(rules) - set(known))} too many"]
    faults = [f"{name} names {list(rules[name])}" for name, keys in MAPS.items() if set(rules[name]) != set(keys)]
    faults += [f"{name} is {rules[name]!r}" for name, values in VALUES.items() if rules[name] not in values]
    if rules["flocks_per_player"] == 2 and players != 2:
        faults.append(f"two flocks each for {players} players")
    if rules["resource_cap"] * players * rules["flocks_per_player"] > rules["token_supply"]:
        faults.append("the cap lets the flocks hold more tokens than there are")
    if rules["starting_birds"] > rules["bird_supply"]:
        faults.append("more birds to start with than there are")
    return faults


def chance_faults(line):
    """Nothing is random once the seats are set (F1)."""
    return [] if line["chance"] == [] else [f"chance did {line['chance']}"]


def decision_faults(number, line, position, legal):
    """What is wrong with one decision line up to the choice, given the position before it."""
    if line.get("type") != "decision":
        return [f"a line of type {line.get('type')!r} among the decisions"]
    asked = {
        "n": number,
        "turn": position.turn,
        "round": position.round,
        "seat": position.to_move,
        "decision": position.decision,
    }
    faults = [f"{key} is {line.get(key)!r}, not {value!r}" for key, value in asked.items() if line.get(key) != value]
    return faults + legal_faults(line["legal"], legal, line["chosen"]) + chance_faults(line)


def legal_faults(told, expected, chosen):
    """Where the list of actions differs, its order included."""
    if told == expected and chosen in expected:
        return []
    faults = [f"{action} is not listed as legal" for action in expected if action not in told]
    faults += [f"{action} is listed but not legal" for action in told if action not in expected]
    faults += [f"{action} is listed more than once" for place, action in enumerate(told) if action in told[:place]]
    if not faults and told != expected:
        faults.append(f"the actions are listed as {told}, not as {expected}")
    if chosen not in told:
        faults.append(f"the chosen {chosen} is not in the list")
    return faults


def state_faults(expected, told):
    """Where a state differs from the position expected."""
    if set(told) != set(STATE_KEYS):
        return [f"the state has the keys {sorted(told)}"]
    right = vars(expected)
    faults = [f"{key} is {told[key]}, not {right[key]}" for key in STATE_KEYS if told[key] != right[key]]
    if list(told["flocks"]) != list(right["flocks"]):
        faults.append(f"flocks are listed as {list(told['flocks'])}")
    return faults


def end_faults(end, last, decisions):
    """What is wrong with the end line, given the last position and the decision lines."""
    if last.end_reason is None:
        return ["the game is not over"]
    right = {
        "end_reason": last.end_reason,
        "turns": last.turn,
        "rounds": last.round,
        "decisions": len(decisions),
        "ranking": flock.ranking(last),
    }
    faults = [f"{key} is {end.get(key)!r}, not {value!r}" for key, value in right.items() if end.get(key) != value]
    if not re.fullmatch("[0-9a-f]{16}", str(end.get("digest"))):
        faults.append(f"digest {end.get('digest')!r} is not 16 hex digits")
    return faults


# ---------------------------------------------------------------------------------------------- perft


def count_sequences(state, rules, depth):
    """Number of action sequences of `depth` decisions; a game that ends sooner counts as one sequence."""
    position = as_position(state)
    if depth == 0 or position.end_reason is not None:
        return 1
    return sum(
        count_sequences(flock.apply(position, rules, action), rules, depth - 1)
        for action in flock.legal(position, rules)
    )


# ---------------------------------------------------------------------------------------------- table


class OracleTable:
    """The step API of the simulator's table on top of the oracle, so that the same tests can try both."""

    def __init__(self, rules, players):
        self.rules, self.players, self.position, self.decisions = rules, players, None, 0

    def deal(self, seed=0, block=0):
        self.position = flock.set_up(self.rules, self.players)
        return []

    def place(self, state):
        self.position = Position.from_state(state)

    def legal(self):
        return flock.legal(self.position, self.rules)

    def apply(self, action):
        self.position = flock.apply(self.position, self.rules, action)
        self.decisions += 1
        return []

    def state(self):
        return self.position.to_state()

    def end(self):
        if self.position.end_reason is None:
            return None
        return {
            "type": "end",
            "end_reason": self.position.end_reason,
            "turns": self.position.turn,
            "rounds": self.position.round,
            "decisions": self.decisions,
            "ranking": flock.ranking(self.position),
        }

    def copy(self):
        return copy.deepcopy(self)


def oracle_trace(players, seed, **changes):
    """The lines of a game that the oracle plays against itself at random, for tests of the referee."""
    rng, rules = random.Random(f"{players} {seed}"), standard_rules(**changes)
    table = OracleTable(rules, players)
    seats = [{"seat": seat, "strategy": "random", "noise": 1.0} for seat in range(1, players + 1)]
    header = {"game": "flock", "players": players, "seats": seats, "seed": seed, "rules": rules}
    yield {"type": "header", **header, "provenance": "reconstructed: the oracle's own game"}
    yield {"type": "setup", "chance": table.deal(), "state": table.state()}
    while not table.end():
        yield oracle_line(table, rng)
    yield {**table.end(), "digest": f"{seed:016x}"}


def oracle_line(table, rng):
    """One decision of `oracle_trace`."""
    at, actions = table.position, table.legal()
    line = {"type": "decision", "n": table.decisions + 1, "turn": at.turn, "round": at.round, "seat": at.to_move}
    line |= {"decision": at.decision, "legal": actions, "chosen": rng.choice(actions)}
    return {**line, "chance": table.apply(line["chosen"]), "state": table.state()}
