"""Tables of Flockers laid by hand from words, for the tests of its oracle and of its referee.

A flock is written "lead / top row / bottom row". Cards that nobody names are in the draw pile and the terrain deck, in
the order of the deck files.
"""

from tests.oracle.flockers_cards import standard_rules
from tests.oracle.flockers_position import empty_state, unused
from tests.oracle.flockers_referee import OracleTable

NOBODY = {"lead": None, "top": [], "bottom": []}


def flock(words):
    lead, top, bottom = (part.split() for part in (words + " / / ").split("/")[:3])
    return {"lead": lead[0] if lead else None, "top": top, "bottom": bottom}


def token(words):
    """ "3 lake"; "0" is the start."""
    number, *terrain = words.split()
    return {"card": int(number), "terrain": terrain[0] if terrain else None}


def listed(word):
    return [] if word == "-" else word.split(",")


def flock_deck(*cards):
    """The shipped deck and more cards: "Z1 adult-white graze lake 2 fly,fly mountain,lake", "-" for nothing."""
    more = []
    for words in cards:
        card, goose, action, terrain, identify, bonus_actions, bonus_terrain = words.split()
        more.append(
            {
                "card": card,
                "goose": goose,
                "action": None if action == "-" else action,
                "terrain": None if terrain == "-" else terrain,
                "identify": None if identify == "-" else int(identify),
                "bonus_actions": listed(bonus_actions),
                "bonus_terrain": listed(bonus_terrain),
            }
        )
    return {"name": "own.csv", "cards": [*standard_rules()["flock_cards"]["cards"], *more]}


def terrain_deck(*cards):
    """The shipped deck and more cards: "U1 lake:fox mountain"."""
    more = []
    for words in cards:
        card, *spaces = words.split()
        pairs = [(*space.split(":"), None)[:2] for space in spaces]
        more.append({"card": card, "spaces": [{"terrain": terrain, "encounter": what} for terrain, what in pairs]})
    return {"name": "own.csv", "cards": [*standard_rules()["terrain_cards"]["cards"], *more]}


def state(rules, flocks, hands, tokens, path, display="JB11 JB12 JB13", terrains="T01 T04 T07", **more):
    """A state in which it is seat 1's turn to play a card, unless `more` says otherwise.

    flocks, hands, tokens: words by seat (and "automa"), as many seats as there are flocks. pile, deck: the cards that
    the draw pile and the terrain deck are left with, all others if not given.
    """
    told = empty_state(len(flocks))
    for key, words in flocks.items():
        told["flocks"][key] = flock(words)
    for key, words in hands.items():
        told["hands"][key] = words.split()
    for key, words in tokens.items():
        told["tokens"][key] = token(words)
    told["path"], told["flock_display"], told["terrain_display"] = path.split(), display.split(), terrains.split()
    told["discard"] = more.pop("discard", "").split()
    used = [*told["hands"].values(), *[[own["lead"], *own["top"], *own["bottom"]] for own in told["flocks"].values()]]
    gone = {card for cards in (*used, told["flock_display"], told["discard"]) for card in cards}
    pile, deck = more.pop("pile", None), more.pop("deck", None)
    names = [card["card"] for card in rules["flock_cards"]["cards"]]
    told["draw_pile"] = [card for card in names if card not in gone] if pile is None else pile.split()
    names = [card["card"] for card in rules["terrain_cards"]["cards"]]
    laid = {*told["path"], *told["terrain_display"]}
    told["terrain_deck"] = [card for card in names if card not in laid] if deck is None else deck.split()
    told["used"] = {**unused(), **more.pop("used", {})}
    return {**told, **more}


def table(flock="", hand="JB10", at="0", path="T28", played=None, others=("JB01",), rules=None, cards=(), **more):
    """The oracle's table for seat 1, who has this flock and hand, and others with one lead bird each.

    played: the card just played, which asks for its actions. cards: flock cards beyond the shipped ones; lands: terrain
    cards likewise.
    """
    lands = more.pop("lands", ())
    rules = standard_rules(**(rules or {}), flock_cards=flock_deck(*cards), terrain_cards=terrain_deck(*lands))
    flocks = {"1": flock, **{str(seat): words for seat, words in enumerate(others, start=2)}}
    hands = {"1": hand, **{str(seat): f"JB0{seat}" for seat in range(2, len(flocks) + 1)}, **more.pop("hands", {})}
    tokens = {"1": at, **more.pop("tokens", {})}
    if played:
        more = {"decision": "act", "played": played, **more}
    laid = OracleTable(rules, len(flocks))
    laid.place(state(rules, flocks, hands, tokens, path, **more))
    return laid


def solo(flock="", automa="0", **more):
    """The same for a player alone with the automa."""
    return table(flock, others=(), tokens={"automa": automa}, **more)


# --- looking and doing, in words ---


def end(at):
    """Ends the actions of the turn."""
    return at.apply({"end": True})


def use(at, words):
    """ "card main fly"."""
    card, part, action = words.split()
    return at.apply({"use": card, "part": part, "action": action})


def uses(at):
    """The parts that can be used, as `use` takes them."""
    assert at.legal()[-1] == {"end": True}
    return [" ".join(action.values()) for action in at.legal()[:-1]]


def fly(at, words):
    return at.apply({"fly_to": token(words)})


def flights(at):
    return ["{card} {terrain}".format(**action["fly_to"]) for action in at.legal()]


def choices(at):
    """What each action is about: its values, lists as words."""
    values = [next(iter(action.values())) for action in at.legal()]
    return [" ".join(map(str, value)) if isinstance(value, list) else value for value in values]


def flock_of(at, seat="1"):
    own = at.state()["flocks"][seat]
    return f"{own['lead'] or '-'} / {' '.join(own['top'])} / {' '.join(own['bottom'])}".replace("  ", " ").strip()


def moment(at):
    return at.state()["to_move"], at.state()["decision"]
