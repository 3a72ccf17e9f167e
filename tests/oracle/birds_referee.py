"""Traces of 4 the Birds refereed by the oracle, a turn's action sequences counted, and the oracle as a table."""

import random
import re

from tests.oracle import four_the_birds as birds
from tests.oracle.birds_board import SIDES, board_of, layout_faults
from tests.oracle.birds_position import CARDS, STATE_KEYS, Complaint, Dealt, Listed, Position, standard_rules

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


def referee(lines):
    """Replays a whole trace (its lines as dicts); returns complaints, an empty list if all is right."""
    complaints = []
    try:
        complaints.extend(replay(list(lines)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        complaints.append(f"the trace cannot be read: {error!r}")
    except Complaint as complaint:
        complaints.append(str(complaint))
    return complaints


def replay(lines):
    """Yields a complaint for each fault, in the order of the lines.

    The oracle plays along from its own position; a choice or an event that the rules do not allow ends the replay.
    """
    if [line["type"] for line in lines[:2]] != ["header", "setup"] or lines[-1]["type"] != "end":
        yield "a trace is a header, a set-up, decisions and an end"
        return
    header, setup, *decisions, end = lines
    unusable = header_faults(header)
    yield from unusable
    if unusable:
        return
    chance = Listed(setup["chance"], setup["state"])
    position = birds.set_up(header["rules"], header["players"], chance)
    chance.close()
    yield from (f"set-up: {fault}" for fault in state_faults(position, setup["state"]))
    for number, line in enumerate(decisions, start=1):
        legal = birds.legal(position)
        faults = decision_faults(number, line, position, legal)
        if line["chosen"] not in legal:
            yield f"decision {number}: {[*faults, 'what was chosen is not legal']}"
            return
        chance = Listed(line["chance"], line["state"])
        birds.carry_out(position, line["chosen"], chance)
        chance.close()
        faults += state_faults(position, line["state"])
        if faults:
            yield f"decision {number}: {faults}"
    yield from (f"end: {fault}" for fault in end_faults(end, position, decisions))


def header_faults(header):
    players = header.get("players")
    if header.get("game") != "4-the-birds":
        return [f"header: game is {header.get('game')!r}"]
    if players not in (2, 3, 4, 5, 6):
        return [f"header: {players!r} players"]
    faults = rule_faults(header.get("rules", {}), players)
    if [seat.get("seat") for seat in header.get("seats", [])] != list(range(1, players + 1)):
        faults.append(f"seats should be 1 to {players}")
    if not header.get("provenance"):
        faults.append("the branch map is reconstructed (B1), which the provenance has to say")
    return [f"header: {fault}" for fault in faults]


def rule_faults(rules, players):
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
    faults += [f"more {what} at the start than there are" for what in ("crows", "hawks")
               if rules[f"{what}_at_start"] > rules[what]]
    return faults or layout_faults(rules["branch_layout"], rules["board_size"][str(players)])


def decision_faults(number, line, position, legal):
    """What is wrong with one decision line up to the choice, given the position before it."""
    if line.get("type") != "decision":
        return [f"a line of type {line.get('type')!r} among the decisions"]
    right = (number, position.turn, position.round, position.to_move, position.decision)
    told = (line["n"], line["turn"], line["round"], line["seat"], line["decision"])
    faults = [] if told == right else [f"n, turn, round, seat, decision are {told}, not {right}"]
    return faults + legal_faults(line["legal"], legal, line["chosen"])


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
    right = vars(expected)
    if told == right:
        return []
    if set(told) != set(STATE_KEYS):
        return [f"the state has the keys {sorted(told)}"]
    return [f"{key} is {told[key]}, not {right[key]}" for key in STATE_KEYS if told[key] != right[key]]


def end_faults(end, last, decisions):
    """What is wrong with the end line, given the last position and the decision lines."""
    if last.end_reason is None:
        return ["the game is not over"]
    right = {
        "end_reason": last.end_reason,
        "turns": last.turn,
        "rounds": last.round,
        "decisions": len(decisions),
        "ranking": birds.ranking(last),
    }
    told = {**end, "ranking": rounded(end["ranking"])}
    right["ranking"] = rounded(right["ranking"])
    faults = [f"{key} is {told.get(key)!r}, not {value!r}" for key, value in right.items() if told.get(key) != value]
    if not re.fullmatch("[0-9a-f]{16}", str(end.get("digest"))):
        faults.append(f"digest {end.get('digest')!r} is not 16 hex digits")
    return faults


def rounded(ranking):
    """Shares like a third are told as the nearest number of 32 bits."""
    return [{**place, "win_share": round(place["win_share"], 6)} for place in ranking]


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


class OracleTable:
    """The step API of the simulator's table on top of the oracle, so that the same tests can try both."""

    def __init__(self, rules, players):
        self.rules, self.players, self.position, self.decisions = rules, players, None, 0
        self.rng = random.Random(0)

    def deal(self, seed=0, block=0):
        self.rng = random.Random(f"{seed} {block}")
        chance = Dealt(self.rng)
        self.position = birds.set_up(self.rules, self.players, chance)
        return chance.listed()

    def place(self, state):
        self.position = Position(self.rules, state)

    def legal(self):
        return birds.legal(self.position)

    def apply(self, action):
        chance = Dealt(self.rng)
        if action not in self.legal():
            raise Complaint(f"{action} is not a legal action")
        birds.carry_out(self.position, action, chance)
        self.decisions += 1
        return chance.listed()

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
            "ranking": birds.ranking(self.position),
        }

    def copy(self):
        twin = OracleTable(self.rules, self.players)
        twin.position, twin.decisions = self.position.copy(), self.decisions
        twin.rng.setstate(self.rng.getstate())
        return twin


def oracle_trace(players, seed, **changes):
    """The lines of a game that the oracle plays against itself at random, for tests of the referee."""
    rng, rules = random.Random(f"{players} {seed}"), standard_rules(**changes)
    table = OracleTable(rules, players)
    seats = [{"seat": seat, "strategy": "random", "noise": 1.0} for seat in range(1, players + 1)]
    header = {"game": "4-the-birds", "players": players, "seats": seats, "seed": seed, "rules": rules}
    yield {"type": "header", **header, "provenance": "reconstructed: the oracle's own game"}
    yield {"type": "setup", "chance": table.deal(seed), "state": table.state()}
    while not table.end():
        yield oracle_line(table, rng)
    yield {**table.end(), "digest": f"{seed:016x}"}


def oracle_line(table, rng):
    """One decision of `oracle_trace`."""
    at, actions = table.position, table.legal()
    line = {"type": "decision", "n": table.decisions + 1, "turn": at.turn, "round": at.round, "seat": at.to_move}
    line |= {"decision": at.decision, "legal": actions, "chosen": rng.choice(actions)}
    return {**line, "chance": table.apply(line["chosen"]), "state": table.state()}
