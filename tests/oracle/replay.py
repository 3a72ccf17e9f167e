"""Replays the trace of any game with that game's oracle playing along, and says what is wrong with it.

A game brings an `Oracle`: its rules as the replay needs them. The oracle keeps a position of its own, so a state told
wrong is a fault of the line that tells it only; a choice or a chance that the rules do not allow ends the replay.
"""

import copy
import re

UNREADABLE = (KeyError, TypeError, ValueError, IndexError, AttributeError)

ASKED = ("n", "turn", "round", "seat", "decision")


class Complaint(Exception):
    """Something in a trace that the rules do not allow."""


class Oracle:
    """The rules of one game on one table. A game's own class fills in what raises NotImplementedError here.

    Its `position` has the attributes to_move, decision, turn, round and end_reason.
    """

    game = ""
    seats = range(0)  # the numbers of players

    def __init__(self, rules, players):
        self.rules, self.players, self.position = rules, players, None

    @classmethod
    def header_faults(cls, header):
        """What is wrong with a header beyond its game, players and seats."""
        raise NotImplementedError

    def set_up(self, chance):
        raise NotImplementedError

    def place(self, state):
        """Starts from the state of a trace."""
        raise NotImplementedError

    def legal(self):
        """Every legal action in the words and the order of a trace; none once the game is over."""
        raise NotImplementedError

    def carry_out(self, action, chance):
        """Plays a legal action."""
        raise NotImplementedError

    def state(self):
        """The position in the words of a trace; may change with the position."""
        raise NotImplementedError

    def settle(self, told):
        """Takes the order of what was shuffled from the state told; where that cannot be, `state` will differ."""

    def state_faults(self, told):
        """Where a state differs from the position."""
        right = self.state()
        if told == right:
            return []
        if set(told) != set(right):
            return [f"the state has the keys {sorted(told)}"]
        return [f"{key} is {told[key]}, not {right[key]}" for key in right if told[key] != right[key]]

    def ranking(self):
        """The ranking as the end line of a trace lists it."""
        raise NotImplementedError

    def copy(self):
        twin = copy.copy(self)
        twin.position = copy.deepcopy(self.position)
        return twin


class Listed:
    """Chance as a trace tells it: the rules ask for one event after the other, and each has to be there."""

    def __init__(self, events):
        self.events, self.used = events, 0

    def next_event(self, wanted):
        if self.used == len(self.events):
            raise Complaint(f"chance: {wanted} is missing")
        self.used += 1
        return self.events[self.used - 1]

    def close(self):
        if self.used < len(self.events):
            raise Complaint(f"chance: {self.events[self.used :]} happened although nothing called for it")


def referee(lines, game, listed=Listed):
    """Replays a whole trace (its lines as dicts) of a game, an Oracle class; complaints, an empty list if all is right.

    listed: the class that checks the lists of what chance did.
    """
    complaints = []
    try:
        complaints.extend(replay(list(lines), game, listed))
    except UNREADABLE as error:
        complaints.append(f"the trace cannot be read: {error!r}")
    return complaints


def replay(lines, game, listed):
    """Yields a complaint for each fault, in the order of the lines."""
    if [line["type"] for line in lines[:2]] != ["header", "setup"] or lines[-1]["type"] != "end":
        yield "a trace is a header, a set-up, decisions and an end"
        return
    header, setup, *decisions, end = lines
    unusable = header_faults(header, game)
    yield from unusable
    if unusable:
        return
    oracle = game(header["rules"], header["players"])
    try:
        yield from (f"set-up: {fault}" for fault in setup_faults(setup, oracle, listed))
        for number, line in enumerate(decisions, start=1):
            for fault in decision_faults(number, line, oracle, listed):
                yield f"decision {number}: {fault}"
    except Complaint as complaint:
        yield str(complaint)
        return
    yield from (f"end: {fault}" for fault in end_faults(end, oracle, len(decisions)))


def header_faults(header, game):
    players = header.get("players")
    if header.get("game") != game.game:
        return [f"header: game is {header.get('game')!r}"]
    if players not in game.seats:
        return [f"header: {players!r} players"]
    faults = list(game.header_faults(header))
    if [seat.get("seat") for seat in header.get("seats", [])] != list(range(1, players + 1)):
        faults.append(f"seats should be 1 to {players}")
    return [f"header: {fault}" for fault in faults]


def setup_faults(setup, oracle, listed):
    chance = listed(setup["chance"])
    in_words("set-up", oracle.set_up, chance)
    in_words("set-up", chance.close)
    oracle.settle(setup["state"])
    return oracle.state_faults(setup["state"])


def decision_faults(number, line, oracle, listed):
    """What is wrong with one decision line; raises Complaint where the replay cannot go on behind it."""
    where = f"decision {number}"
    if line.get("type") != "decision":
        raise Complaint(f"{where}: a line of type {line.get('type')!r} among the decisions")
    legal = oracle.legal()
    faults = asked_faults(number, line, oracle.position)
    told, chosen = line["legal"], line["chosen"]
    if told != legal or chosen not in legal:
        faults += legal_faults(told, legal, chosen)
        if chosen not in legal:
            raise Complaint(f"{where}: " + "; ".join([*faults, f"{chosen} is not a legal action"]))
    chance = listed(line["chance"])
    in_words(where, oracle.carry_out, chosen, chance)
    in_words(where, chance.close)
    oracle.settle(line["state"])
    return faults + oracle.state_faults(line["state"])


def in_words(where, function, *given):
    """Calls it; a complaint says where."""
    try:
        function(*given)
    except Complaint as complaint:
        raise Complaint(f"{where}: {complaint}") from complaint


def asked_faults(number, line, before):
    """Who is asked what, and when."""
    asked = (number, before.turn, before.round, before.to_move, before.decision)
    return [
        f"{key} is {line[key]!r}, not {value!r}" for key, value in zip(ASKED, asked, strict=True) if line[key] != value
    ]


def legal_faults(told, expected, chosen):
    """Where the list of actions differs, its order included."""
    faults = [f"{action} is not listed as legal" for action in expected if action not in told]
    faults += [f"{action} is listed but not legal" for action in told if action not in expected]
    faults += [f"{action} is listed more than once" for place, action in enumerate(told) if action in told[:place]]
    if not faults and told != expected:
        faults.append(f"the actions are listed as {told}, not as {expected}")
    if chosen not in told:
        faults.append(f"the chosen {chosen} is not in the list")
    return faults


def end_line(oracle, decisions):
    """The end line of a trace but for its type and digest."""
    last = oracle.position
    return {
        "end_reason": last.end_reason,
        "turns": last.turn,
        "rounds": last.round,
        "decisions": decisions,
        "ranking": oracle.ranking(),
    }


def end_faults(end, oracle, decisions):
    """What is wrong with the end line, given the last position and how many decision lines there were."""
    if oracle.position.end_reason is None:
        return ["the game is not over"]
    right = end_line(oracle, decisions)
    expected = right.pop("ranking")
    faults = [f"{key} is {end.get(key)!r}, not {value!r}" for key, value in right.items() if end.get(key) != value]
    told = end.get("ranking", [])
    if [{**place, "win_share": None} for place in told] != [{**place, "win_share": None} for place in expected]:
        faults.append(f"ranking is {told}, not {expected}")
    elif any(abs(a["win_share"] - b["win_share"]) > 1e-6 for a, b in zip(told, expected, strict=True)):
        faults.append(f"win shares are {[place['win_share'] for place in told]}, not those of {expected}")
    if not re.fullmatch("[0-9a-f]{16}", str(end.get("digest"))):
        faults.append(f"digest {end.get('digest')!r} is not 16 hex digits")
    return faults
