"""Tables of Flock, traced or laid by hand, for the tests of its oracle and of its referee."""

from itertools import combinations

from flocksim.simulate.games import load_game
from flocksim.simulate.trace import trace_game
from flocksim.strategies.uniform import RANDOM

from tests.oracle import flock
from tests.oracle.flock import RESOURCES, standard_rules
from tests.oracle.flock_referee import OracleTable

SEED = 2024
HUNGRY = {"free_birds": 0, "upkeep_costs": {"nests": [2, 1, 1], "worms": [2, 2, 1]}}
FREE = {"relocate_limit": 5}
TWO_FLOCKS = {"flocks_per_player": 2}
PRESETS = {"hungry-birdies": HUNGRY, "free-flight": FREE, "advanced-2-player": TWO_FLOCKS}
VARIANTS = {
    " + ".join(names) or "standard": {name: value for preset in names for name, value in PRESETS[preset].items()}
    for size in range(4)
    for names in combinations(PRESETS, size)
}


def variants(players):
    """The combinations of printed variants that so many can play."""
    return [name for name in VARIANTS if players == 2 or "advanced" not in name]


TABLES = [(players, variant) for players in (2, 3, 4, 5) for variant in variants(players)]


def traced(players, index, strategies=(RANDOM,), **changes):
    """The lines of one traced game, of uniformly random players unless others are named."""
    game = load_game("flock")
    rules = game.parameters.build(players, changes)
    return list(trace_game(game, rules, players, strategies, seed=SEED, index=index))


def counted(words):
    """ "pool 2 feeding 1" as {"pool": 2, "feeding": 1}."""
    parts = words.split()
    return dict(zip(parts[::2], map(int, parts[1::2]), strict=True))


def state(birds, held=(), initiative=None, **more):
    """A state from words: where each flock has its birds, and what else it holds; the first flock is to act."""
    flocks = {}
    for name, words in birds.items():
        on = counted(words)
        pool = on.pop("pool", 0)
        resources = {**dict.fromkeys(RESOURCES, 0), **counted(dict(held).get(name, ""))}
        flocks[name] = {"pool": pool, "stock": 8 - pool - sum(on.values()), "on": on, **resources}
    first = more.get("acting", next(iter(birds)))
    return {
        "to_move": flock.owner(first),
        "decision": "act",
        "turn": 1,
        "round": 1,
        "flock": first,
        "flocks": flocks,
        "initiative": initiative or list(birds),
        "vp": {str(seat): 0 for seat in sorted({flock.owner(name) for name in birds})},
        "acting": first,
        "barred": None,
        "passes": 0,
        "activation": None,
        "end_reason": None,
        **more,
    }


def flocks_of_two(one_right, one_left, two_right="pool 3", two_left="pool 3", **more):
    birds = {"1-right": one_right, "1-left": one_left, "2-right": two_right, "2-left": two_left}
    return state(birds, initiative=["1-left", "2-right", "2-left", "1-right"], **more)


def played(state, *actions, **changes):
    """The oracle's table after these actions."""
    players = len(state["vp"])
    table = OracleTable(standard_rules(**changes), players)
    table.place(state)
    for action in actions:
        table.apply(action)
    return table


def pool(table, name):
    return table.state()["flocks"][name]["pool"]


def on(table, name):
    return table.state()["flocks"][name]["on"]


def moment(table):
    """Who decides what."""
    return table.state()["flock"], table.state()["decision"]


def placeable(table):
    return [action["place"] for action in table.legal() if "place" in action]


def activatable(table):
    return [action["activate"] for action in table.legal() if "activate" in action]


YES = {"activate": "competition"}
PASS = {"pass": True}


# --- changing what was written ---


def change(line, **values):
    line.update(values)


def swap(items, a=0, b=1):
    items[a], items[b] = items[b], items[a]


def one_more(line, key, name="2"):
    line["state"]["flocks"][name][key] += 1
