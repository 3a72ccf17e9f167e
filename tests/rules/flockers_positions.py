"""Positions of Flockers for the tests of its rules, and short words to play them with.

Every card that a test does not name is put somewhere harmless, so that all cards are on the table.
"""

from __future__ import annotations

from flocksim.simulate.games import load_game

FLOCK_HEADER = "card,goose,action,terrain,identify,bonus_actions,bonus_terrain"
TERRAIN_HEADER = "card,space,terrain,encounter"
PLACES = ("lead", "top-1", "top-2", "top-3", "bottom-1", "bottom-2", "bottom-3")
NOTHING_USED = {"main": False, "bonus": [], "lead_main": False, "lead_bonus": []}


def flock_deck(*rows, plain=60):
    """A deck of these cards and of so many juvenile blue geese that can do nothing."""
    filling = [f"P{number:02},juvenile-blue,,,,," for number in range(1, plain + 1)]
    return {"name": "deck.csv", "text": "\n".join([FLOCK_HEADER, *rows, *filling])}


def terrain_deck(*cards, plain=12):
    """A deck of these cards ('T1 mountain field:fox') and of so many with all four terrains."""
    cards = [*cards, *(f"A{number:02} mountain forest field lake" for number in range(1, plain + 1))]
    lines = [TERRAIN_HEADER]
    for card in cards:
        name, *spaces = card.split()
        for number, space in enumerate(spaces, 1):
            terrain, _, encounter = space.partition(":")
            lines.append(f"{name},{number},{terrain},{encounter}")
    return {"name": "terrain.csv", "text": "\n".join(lines)}


def rules_of(players, changes):
    return load_game("flockers").parameters.build(players, changes)


def flock(text):
    """'AW13 / AW01 AW02 / AB01' as lead, top and bottom."""
    lead, top, bottom = (part.split() for part in (text + " / / ").split("/")[:3])
    return {"lead": lead[0] if lead else None, "top": top, "bottom": bottom}


def token(text):
    """'3 field'; '' is the start."""
    card, _, terrain = text.partition(" ")
    return {"card": int(card or 0), "terrain": terrain or None}


class Cards:
    """The cards of a deck that are not yet anywhere."""

    def __init__(self, names):
        self.names = list(names)

    def claim(self, names):
        for name in names:
            self.names.remove(name)
        return list(names)

    def some(self, count):
        """The last ones of the deck."""
        return self.claim(self.names[len(self.names) - count :])

    def rest(self):
        return self.claim(list(self.names))


def position(
    rules, players, flocks=None, at=None, hands=None, path="", display="", maps="", top="", next_terrain="", **more
):
    """A state at seat 1's choice of a card to play.

    flocks: {seat: 'lead / top / bottom'}; at: {seat or 'automa': '3 field'}; hands: {seat: cards}, five others where
    none are named; display and maps: the flock and terrain displays; top and next_terrain: the tops of the decks;
    rest='discard' puts the cards not named there instead of into the deck; no_terrain=True leaves the terrain deck
    empty.
    """
    seats = [str(seat) for seat in range(1, players + 1)]
    flocks, at, hands = ({str(key): value for key, value in (given or {}).items()} for given in (flocks, at, hands))
    geese, terrain = Cards(c.card for c in rules.flock_cards.cards), Cards(c.card for c in rules.terrain_cards.cards)
    formations = {seat: flock(flocks.get(seat, "")) for seat in seats}
    for formation in formations.values():
        geese.claim([bird for bird in (formation["lead"], *formation["top"], *formation["bottom"]) if bird])
    named = {seat: geese.claim(hand.split()) for seat, hand in hands.items()}
    shown, first, discarded = (geese.claim(part.split()) for part in (display, top, more.pop("discarded", "")))
    dealt = {seat: named[seat] if seat in named else geese.some(rules.hand_size) for seat in seats}
    shown += geese.some(rules.flock_display - len(shown))
    rest = geese.rest()
    to_discard = more.pop("rest", "") == "discard"
    route, ahead = terrain.claim(path.split()), terrain.claim(next_terrain.split())
    map_display = terrain.claim(maps.split())
    if not more.pop("no_terrain", False):
        map_display += terrain.some(rules.terrain_display - len(map_display))
        ahead += terrain.rest()
    order = [card.card for card in rules.flock_cards.cards]
    names = [*seats, "automa"] if players == 1 else seats
    return {
        "to_move": 1,
        "decision": "play",
        "turn": 1,
        "round": 1,
        "path": route,
        "terrain_display": map_display,
        "terrain_deck": ahead,
        "flock_display": shown,
        "draw_pile": first + ([] if to_discard else rest),
        "discard": discarded + (rest if to_discard else []),
        "hands": {seat: sorted(hand, key=order.index) for seat, hand in dealt.items()},
        "flocks": formations,
        "tokens": {name: token(at.get(name, "")) for name in names},
        "out": [],
        "last_turns": None,
        "played": None,
        "used": NOTHING_USED,
        "activated": None,
        "chosen": [],
        "during": None,
        "end_reason": None,
        **more,
    }


# --- playing ---


def play(table, card, to="lead"):
    return table.apply({"play": card, "to": to})


def use(table, text):
    """'card main fly', 'lead bonus navigate'."""
    bird, part, action = text.split()
    return table.apply({"use": bird, "part": part, "action": action})


def fly(table, card, terrain):
    return table.apply({"fly_to": {"card": card, "terrain": terrain}})


def remove(table, *places):
    """Choose these to graze; those chosen leave at the end."""
    chance = []
    for place in places:
        chance = table.apply({"remove": place})
    return table.apply({"stop": True}) if {"stop": True} in table.legal() else chance


def end(table):
    return table.apply({"end": True})


def take(table, card=None):
    """A card from the display, the leftmost if it is not named."""
    return table.apply({"take": card or table.state()["flock_display"][0]})


def pass_by(table, card=None, to=None):
    """A whole turn without an action: play a card, the first in hand if it is not named, and take the leftmost."""
    options = [action for action in table.legal() if card in (None, action["play"]) and to in (None, action["to"])]
    table.apply(options[0])
    chance = end(table)
    return chance + take(table) if not table.over and table.decision == "replenish" else chance


# --- looking ---


def acts(table):
    """The parts that may be used: ['card main fly', ...]; 'end' is left out."""
    assert table.decision == "act"
    options = table.legal()
    assert options[-1] == {"end": True}
    return [f"{option['use']} {option['part']} {option['action']}" for option in options[:-1]]


def spaces(table):
    """Where a flight or the north wind may go: ['2 mountain', ...]."""
    return [f"{option['fly_to']['card']} {option['fly_to']['terrain']}" for option in table.legal()]


def options(table, word):
    """The values of the legal actions of one kind."""
    return [action[word] for action in table.legal() if word in action]


def birds(table, seat=1):
    """A flock as the tests write it."""
    formation = table.state()["flocks"][str(seat)]
    parts = [formation["lead"] or "", " ".join(formation["top"]), " ".join(formation["bottom"])]
    return " / ".join(parts).rstrip(" /")


def where(table, name=1):
    """The space that a token stands on: '3 field', '0' at the start."""
    space = table.state()["tokens"][str(name)]
    return f"{space['card']} {space['terrain'] or ''}".strip()


def hand(table, seat=1):
    return table.state()["hands"][str(seat)]


def moment(table):
    state = table.state()
    return state["turn"], state["to_move"], state["decision"]


def end_reason(table):
    return table.end()["end_reason"] if table.end() else None


def places(table):
    """The ranking as seat: (rank, score, win share)."""
    return {place["seat"]: (place["rank"], place["score"], place["win_share"]) for place in table.end()["ranking"]}


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
