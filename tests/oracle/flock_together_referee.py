"""Traces refereed by the oracle, action sequences counted, and the oracle as a table to step through by hand."""

import copy
import random
import re

from tests.oracle.flock_together import (
    SPECIES,
    STATE_KEYS,
    Certain,
    Complaint,
    Dealt,
    Listed,
    Position,
    apply,
    as_position,
    legal,
    ranking,
    set_up,
    standard_rules,
    tally,
    without_zeros,
)

# -------------------------------------------------------------------------------------------- referee


def referee(lines):
    """Replays a whole trace (its lines as dicts); returns complaints, an empty list if all is right."""
    complaints = []
    try:
        complaints.extend(replay(list(lines)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        complaints.append(f"the trace cannot be read: {error!r}")
    return complaints


def replay(lines):
    """Yields a complaint for each fault, in the order of the lines."""
    if [line["type"] for line in lines[:2]] != ["header", "setup"] or lines[-1]["type"] != "end":
        yield "a trace is a header, a set-up, decisions and an end"
        return
    header, setup, *decisions, end = lines
    unusable = list(header_faults(header))
    yield from unusable
    if unusable:
        return
    rules = header["rules"]
    yield from setup_faults(setup, rules, header["players"])
    state = setup["state"]
    for number, line in enumerate(decisions, start=1):
        yield from (f"decision {number}: {fault}" for fault in decision_faults(number, line, state, rules))
        state = line["state"]
    yield from (f"end: {fault}" for fault in end_faults(end, state, decisions))


def header_faults(header):
    if header.get("game") != "flock-together":
        yield f"header: game is {header.get('game')!r}"
    players = header.get("players")
    if players not in (2, 3, 4, 5):
        yield f"header: {players!r} players"
    elif [seat.get("seat") for seat in header.get("seats", [])] != list(range(1, players + 1)):
        yield f"header: seats should be 1 to {players}"
    rules = header.get("rules", {})
    missing = set(standard_rules()) - set(rules)
    if missing:
        yield f"header: rules lack {sorted(missing)}"
    for key in {"cards", "small_flock", "big_flock"} & set(rules):
        if set(rules[key]) != set(SPECIES):
            yield f"header: {key} does not name each species once"


def setup_faults(setup, rules, players):
    """What is wrong with the set-up line: its order of chance, its rows, its totals, its state (T1)."""
    faults = []
    try:
        expected = set_up(rules, players, Listed(setup["chance"]))
        faults += state_faults(expected, setup["state"])
    except Complaint as complaint:
        faults.append(str(complaint))
    state = setup["state"]
    faults += [
        f"row {number} repeats a species: {row}"
        for number, row in enumerate(state["rows"], start=1)
        if len(set(row)) != len(row)
    ]
    cards = tally(Position.from_state(state).all_cards())
    if cards != without_zeros(rules["cards"]):
        faults.append(f"the cards do not add up: {cards}")
    return [f"set-up: {fault}" for fault in faults]


def decision_faults(number, line, state, rules):
    """What is wrong with one decision line, given the state before it."""
    if line.get("type") != "decision":
        return [f"a line of type {line.get('type')!r} among the decisions"]
    before = Position.from_state(state)
    if before.end_reason is not None:
        return ["the game was over before it"]
    asked = {
        "n": number,
        "turn": before.turn,
        "round": before.round,
        "seat": before.to_move,
        "decision": before.decision,
    }
    faults = [f"{key} is {line.get(key)!r}, not {value!r}" for key, value in asked.items() if line.get(key) != value]
    faults += legal_faults(line["legal"], legal(before, rules), line["chosen"])
    try:
        faults += state_faults(apply(before, rules, line["chosen"], line["chance"]), line["state"])
    except Complaint as complaint:
        faults.append(str(complaint))
    if tally(Position.from_state(line["state"]).all_cards()) != without_zeros(rules["cards"]):
        faults.append("the cards do not add up")
    return faults


def legal_faults(told, expected, chosen):
    faults = [f"{action} is not listed as legal" for action in expected if action not in told]
    faults += [f"{action} is listed but not legal" for action in told if action not in expected]
    faults += [f"{action} is listed more than once" for place, action in enumerate(told) if action in told[:place]]
    if chosen not in told:
        faults.append(f"the chosen {chosen} is not in the list")
    return faults


def state_faults(expected, told):
    """Where a state differs from the position expected; of an unseen pile only the cards count."""
    right = expected.to_state()
    if set(told) != STATE_KEYS:
        return [f"the state has the keys {sorted(told)}"]
    if not expected.order_known:
        right["draw_pile"] = sorted(right["draw_pile"])
        told = {**told, "draw_pile": sorted(told["draw_pile"])}
    return [f"{key} is {told[key]}, not {right[key]}" for key in right if told[key] != right[key]]


def end_faults(end, state, decisions):
    """What is wrong with the end line, given the last state and the decision lines."""
    last = Position.from_state(state)
    if last.end_reason is None:
        return ["the game is not over"]
    right = {
        "end_reason": last.end_reason,
        "turns": last.turn,
        "rounds": last.round,
        "decisions": len(decisions),
    }
    faults = [f"{key} is {end.get(key)!r}, not {value!r}" for key, value in right.items() if end.get(key) != value]
    expected = ranking(last, winner=decisions[-1]["seat"] if decisions else None)
    told = end.get("ranking", [])
    if [{**place, "win_share": None} for place in told] != [{**place, "win_share": None} for place in expected]:
        faults.append(f"ranking is {told}, not {expected}")
    elif any(abs(a["win_share"] - b["win_share"]) > 1e-6 for a, b in zip(told, expected, strict=True)):
        faults.append(f"win shares are {[place['win_share'] for place in told]}, not those of {expected}")
    if not re.fullmatch("[0-9a-f]{16}", str(end.get("digest"))):
        faults.append(f"digest {end.get('digest')!r} is not 16 hex digits")
    return faults


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


class OracleTable:
    """The step API of the simulator's table on top of the oracle, so that the same tests can try both."""

    def __init__(self, rules, players):
        self.rules, self.players, self.position, self.last_seat = rules, players, None, None
        self.rng = random.Random(0)

    def deal(self, seed, block=0):
        self.rng = random.Random(f"{seed} {block}")
        chance = Dealt(self.rng)
        self.position = set_up(self.rules, self.players, chance)
        self.position.order_known = True
        return chance.events

    def place(self, state):
        self.position = Position.from_state(state)

    def stack(self, cards):
        pile = self.position.draw_pile
        for card in cards:
            pile.remove(card)
        pile[:0] = cards

    def legal(self):
        return legal(self.position, self.rules)

    def apply(self, action):
        chance = Dealt(self.rng)
        self.last_seat = self.position.to_move
        self.position = apply(self.position, self.rules, action, chance)
        return chance.events

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
            "ranking": ranking(self.position, self.last_seat),
        }

    def copy(self):
        return copy.deepcopy(self)
