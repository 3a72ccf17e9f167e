"""Flock's oracle behind the replay of traces, action sequences counted, and the oracle as a table to step through."""

from tests.oracle import flock, replay
from tests.oracle.flock import RESOURCE_CARDS, SCORED, STATE_KEYS, Position, as_position, standard_rules
from tests.oracle.table import Table, trace_of

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


class FlockOracle(replay.Oracle):
    """Flock; nothing is random once the seats are set (F1)."""

    game = "flock"
    seats = range(2, 6)

    @classmethod
    def header_faults(cls, header):
        faults = rule_faults(header.get("rules", {}), header["players"])
        if not header.get("provenance"):
            faults.append("Competition's second side is unknown (F2), which the provenance has to say")
        return faults

    def set_up(self, chance):
        self.position = flock.set_up(self.rules, self.players)

    def place(self, state):
        self.position = Position.from_state(state)

    def legal(self):
        return flock.legal(self.position, self.rules)

    def carry_out(self, action, chance):
        flock.carry_out(self.position, self.rules, action)

    def state(self):
        values = vars(self.position)
        return {key: values[key] for key in STATE_KEYS}

    def state_faults(self, told):
        """The flocks are told in turn order, too."""
        faults = super().state_faults(told)
        if list(told["flocks"]) != list(self.position.flocks):
            faults.append(f"flocks are listed as {list(told['flocks'])}")
        return faults

    def ranking(self):
        return flock.ranking(self.position)


def referee(lines):
    """Complaints about a whole trace (its lines as dicts), an empty list if all is right."""
    return replay.referee(lines, FlockOracle)


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


class NoChance:
    """Flock's chance: nothing happens."""

    def __init__(self, rng):
        self.events = []


class OracleTable(Table):
    def __init__(self, rules, players):
        super().__init__(FlockOracle(rules, players), NoChance)


def oracle_trace(players, seed, **changes):
    """The lines of a game that the oracle plays against itself at random, for tests of the referee."""
    played = OracleTable(standard_rules(**changes), players)
    yield from trace_of(played, seed, "reconstructed: the oracle's own game")
