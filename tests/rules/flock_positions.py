"""Positions of Flock for the tests of its rules, and short words to play them with."""

CARDS = ("feeding", "nesting", "laying", "hatching", "dominance", "competition")
OTHERS = CARDS[:4] + CARDS[5:]  # where birds on Dominance can go
RESOURCES = ("nests", "eggs", "worms")
TWO_EACH = ("1-right", "1-left", "2-right", "2-left")


def words(text):
    """'pool 2, feeding 1' as a dict."""
    pairs = (part.split() for part in text.split(",") if part.strip())
    return {word: int(number) for word, number in pairs}


def flock(text, supply=8):
    """A flock from 'pool 2, feeding 1, worms 3'; the birds not named are in its stock."""
    told = words(text)
    on = {card: told[card] for card in CARDS if card in told}
    pool = told.get("pool", 0)
    stock = supply - pool - sum(on.values())
    assert stock >= 0
    return {"pool": pool, "stock": stock, "on": on, **{name: told.get(name, 0) for name in RESOURCES}}


def position(players, flocks=None, supply=8, two_each=False, track="", **more):
    """A state at the action of the first flock; flocks that are not named have three birds in the pool.

    track: the initiative track from the left, by default in the order of play.
    """
    names = TWO_EACH if two_each else [str(seat) for seat in range(1, players + 1)]
    given = {str(name): text for name, text in (flocks or {}).items()}
    acting = str(more.pop("acting", names[0]))
    return {
        "to_move": int(acting[0]),
        "decision": "act",
        "turn": 1,
        "round": 1,
        "flock": acting,
        "flocks": {name: flock(given.get(name, "pool 3"), supply) for name in names},
        "initiative": track.split() or list(names),
        "vp": {str(seat): 0 for seat in range(1, players + 1)},
        "acting": acting,
        "barred": None,
        "passes": 0,
        "activation": None,
        "end_reason": None,
        **more,
    }


def place(table, card):
    return table.apply({"place": card})


def activate(table, card):
    return table.apply({"activate": card})


def perform(table, singles=0, doubles=0):
    return table.apply({"singles": singles, "doubles": doubles})


def skip(table):
    return table.apply({"pass": True})


def pay(table, birds=0):
    return table.apply({"pay_for": birds})


def spread(table, **birds):
    """Answer a whole chain of relocations of one flock: birds per card, the rest to the pool."""
    who = table.state()["flock"]
    while table.decision == "relocate" and table.state()["flock"] == who:
        card = table.legal()[0]["to"]
        table.apply({"to": card, "birds": birds.get(card, 0)})


def spread_nothing(table):
    """Everybody takes their birds from Competition to the pool."""
    while table.decision == "relocate":
        spread(table)


def options(table, word):
    """The values of the legal actions of one kind: options(table, 'place') -> cards."""
    return [action[word] for action in table.legal() if word in action]


def birds(table, name=1):
    """A flock's birds by place, its stock left out."""
    held = table.state()["flocks"][str(name)]
    return {"pool": held["pool"], **held["on"]} if held["pool"] else held["on"]


def stock(table, name=1):
    return table.state()["flocks"][str(name)]["stock"]


def goods(table, name=1):
    held = table.state()["flocks"][str(name)]
    return {resource: held[resource] for resource in RESOURCES if held[resource]}


def track(table):
    return " ".join(table.state()["initiative"])


def vp(table):
    return tuple(table.state()["vp"].values())


def decides(table):
    state = table.state()
    return state["flock"], state["decision"]


def end_reason(table):
    return table.end()["end_reason"] if table.end() else None


def ranking(table):
    """The seats from the best to the worst."""
    return [place["seat"] for place in table.end()["ranking"]]


def count_sequences(table, depth):
    """How many sequences of `depth` decisions there are from here; a game that ends early counts once."""
    if table.over:
        return 1
    actions = table.legal()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = table.copy()
        twin.apply(action)
        total += count_sequences(twin, depth - 1)
    return total
