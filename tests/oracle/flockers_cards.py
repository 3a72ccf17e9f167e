"""The cards and the rule parameters of Flockers as its oracle knows them, typed and not read from files."""

from functools import cache
from typing import NamedTuple

GEESE = ("adult-white", "adult-blue", "juvenile-white", "juvenile-blue")
JUVENILES = GEESE[2:]
ACTIONS = ("fly", "navigate", "graze", "swap", "lead")
TERRAINS = ("mountain", "forest", "field", "lake")
ENCOUNTERS = ("decoy", "north-wind", "fox", "bald-eagle")

# The adult whites: action, top icon, number to identify, bonus action or bonus terrain (which is always double).
# The other geese have the same 18 cards with every terrain one, two and three further on in TERRAINS.
WHITES = """
fly mountain -        fly forest -          fly field -           fly lake -            fly - 2 mountain
navigate mountain 3 fly                     navigate forest -     navigate field -      navigate lake -
graze mountain -      graze field 2 navigate                      graze - 3 forest      graze - -
swap forest 2 graze   swap lake 2 fly       lead - 3 fly          lead - 2 field        lead - 3 lake
"""
SPACES = """
mountain / mountain / mountain / forest / forest / forest / field / field / field / lake / lake / lake
mountain:decoy forest / mountain forest:fox / mountain:north-wind field / mountain field:bald-eagle
mountain:fox lake / mountain lake:north-wind / forest:decoy field / forest field:north-wind
forest:bald-eagle lake / forest lake:fox / field:decoy lake / field lake:bald-eagle
mountain:bald-eagle field lake / mountain forest:north-wind field / forest field:fox lake / mountain forest lake:decoy
"""


class Bird(NamedTuple):
    """A flock card; `order` is its place in the deck file."""

    order: int
    goose: str
    action: str | None
    terrain: str | None
    identify: int | None
    bonus_actions: tuple
    bonus_terrain: tuple

    @property
    def grazes(self):
        """The graze icon anywhere on the card (Graze; K13)."""
        return self.action == "graze" or "graze" in self.bonus_actions


def whites():
    """The words of WHITES, card by card."""
    cards = []
    for word in WHITES.split():
        if word in ACTIONS and (not cards or len(cards[-1]) != 3 or cards[-1][2] == "-"):
            cards.append([])
        cards[-1].append(word)
    return cards


def flock_card(goose, number, action, terrain, identify, bonus=None):
    """One card as the rules of a trace write it, with the terrains of its goose."""
    step = GEESE.index(goose)
    turned = {old: TERRAINS[(place + step) % 4] for place, old in enumerate(TERRAINS)}
    initials = "".join(word[0].upper() for word in goose.split("-"))
    return {
        "card": f"{initials}{number:02}",
        "goose": goose,
        "action": action,
        "terrain": turned.get(terrain),
        "identify": None if identify == "-" else int(identify),
        "bonus_actions": [bonus] if bonus in ACTIONS else [],
        "bonus_terrain": [turned[bonus]] * 2 if bonus in TERRAINS else [],
    }


@cache
def standard_flock_cards():
    cards = [flock_card(goose, number, *words) for goose in GEESE for number, words in enumerate(whites(), start=1)]
    return {"name": "flock_cards.csv", "cards": cards}


@cache
def standard_terrain_cards():
    cards = [terrain_card(number, words) for number, words in enumerate(terrain_words(), start=1)]
    return {"name": "terrain_cards.csv", "cards": cards}


def terrain_words():
    return [words for line in SPACES.strip().splitlines() for words in line.split(" / ")]


def terrain_card(number, words):
    spaces = [(*word.split(":"), None)[:2] for word in words.split()]
    return {"card": f"T{number:02}", "spaces": [{"terrain": terrain, "encounter": what} for terrain, what in spaces]}


def standard_rules(**changes):
    """Every rule parameter at its rulebook value, with `changes` on top."""
    rules = {
        "flock_cards": standard_flock_cards(),
        "terrain_cards": standard_terrain_cards(),
        "iconless": "skip",
        "mismatch": "stop",
        "decoy_shape": "choose",
        "draw_from_deck": False,
        "final_card": 10,
        "turn_cap": 100,
        "hand_size": 5,
        "flock_size": 7,
        "flock_display": 3,
        "terrain_display": 3,
        "solo_tie_wins": False,
        "automa_bottom_icons": True,
        "automa_tie": "leftmost",
        "solo_bands": {"good": 7, "great": 11, "gifted": 15, "golden": 19},
    }
    unknown = set(changes) - set(rules)
    assert not unknown, f"no such rule parameter: {sorted(unknown)}"
    return {**rules, **changes}


def birds_of(rules):
    """The flock cards of the rules by name."""
    return {
        card["card"]: Bird(
            order,
            card["goose"],
            card["action"],
            card["terrain"],
            card["identify"],
            tuple(card["bonus_actions"]),
            tuple(card["bonus_terrain"]),
        )
        for order, card in enumerate(rules["flock_cards"]["cards"])
    }


def lands_of(rules):
    """The terrain cards of the rules by name: {terrain: encounter or None} in the order of TERRAINS."""
    return {
        card["card"]: {
            space["terrain"]: space["encounter"]
            for space in sorted(card["spaces"], key=lambda space: TERRAINS.index(space["terrain"]))
        }
        for card in rules["terrain_cards"]["cards"]
    }


# ------------------------------------------------------------------------------------- rules of a header

VALUES = {
    "iconless": ("skip", "stop"),
    "mismatch": ("stop", "skip"),
    "decoy_shape": ("choose", "keep"),
    "draw_from_deck": (False, True),
    "flock_size": range(2, 8),
    "flock_display": range(1, 7),
    "terrain_display": range(1, 7),
    "solo_tie_wins": (False, True),
    "automa_bottom_icons": (False, True),
    "automa_tie": ("leftmost", "rightmost"),
}


def rule_faults(rules, players):
    """Rules that are not those of Flockers, or that the decks cannot serve."""
    known = standard_rules()
    if set(rules) != set(known):
        return [f"rules lack {sorted(set(known) - set(rules))} and have {sorted(set(rules) - set(known))} too many"]
    faults = [f"{name} is {rules[name]!r}" for name, values in VALUES.items() if rules[name] not in values]
    for fault in map(card_fault, rules["flock_cards"]["cards"]):
        faults += fault
    for fault in map(land_fault, rules["terrain_cards"]["cards"]):
        faults += fault
    return faults + deck_faults(rules, players)


def card_fault(card):
    bonus, bonus_terrain = card["bonus_actions"], card["bonus_terrain"]
    right = (
        card["goose"] in GEESE
        and (card["action"] is None or card["action"] in ACTIONS)
        and (card["terrain"] is None or card["terrain"] in TERRAINS)
        and all(action in ACTIONS[:4] for action in bonus)
        and all(terrain in TERRAINS for terrain in bonus_terrain)
        and (card["identify"] or not (bonus or bonus_terrain))
    )
    return [] if right else [f"a flock card like {card} cannot be"]


def land_fault(card):
    terrains, encounters = zip(*map(dict.values, card["spaces"]), strict=True)
    right = set(terrains) <= set(TERRAINS) and len(set(terrains)) == len(terrains)
    return [] if right and set(encounters) <= {None, *ENCOUNTERS} else [f"a terrain card like {card} cannot be"]


def deck_faults(rules, players):
    """Decks with a name twice, or too small for the table."""
    faults = []
    for deck in ("flock_cards", "terrain_cards"):
        names = [card["card"] for card in rules[deck]["cards"]]
        if len(set(names)) < len(names):
            faults.append(f"{deck} has a card twice")
    cards, terrain = rules["flock_cards"]["cards"], rules["terrain_cards"]["cards"]
    held = players * (rules["hand_size"] + rules["flock_size"] - 1)
    if len(cards) < held + rules["flock_display"]:
        faults.append("too few flock cards")
    if len(terrain) <= rules["terrain_display"] or all(len(card["spaces"]) < 2 for card in terrain):
        faults.append("too few terrain cards")
    return faults
