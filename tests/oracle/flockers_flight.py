"""Flying and what waits at the end of a flight (Actions, Fly; Bonus Terrain; Encounters; K3-K12)."""

from tests.oracle.flockers_cards import JUVENILES, TERRAINS
from tests.oracle.flockers_position import PLACES, ROW_ROOM, ROWS, at, depart, geese_in, identified, members, occupied


def reachable(position):
    """The spaces that some row reaches, nearest first, each (number of the card, terrain) once (K5)."""
    flock = position.flock
    lead = [flock["lead"]] if flock["lead"] else []
    counts = geese_in(position, flock)
    spaces = flown(position, lead + flock["top"], counts)
    if flock["bottom"]:
        spaces += flown(position, lead + flock["bottom"], counts)
    return sorted(set(spaces), key=lambda space: (space[0], TERRAINS.index(space[1])))


def flown(position, line, counts):
    """The spaces on the way of one flight through these birds, from the lead on; it may stop at any of them."""
    rules, path, lands = position.rules, position.state["path"], position.lands
    spaces, number, begun = [], position.token["card"], False
    for card in line:
        icons = active_icons(position.birds[card], counts)
        if not icons and begun and rules["iconless"] == "stop":  # K3; the geese before the first icon are passed over
            break
        for icon in icons:
            begun = True
            if number == len(path):
                return spaces
            if icon in lands[path[number]]:
                number += 1
                spaces.append((number, icon))
            elif rules["mismatch"] == "stop":  # K4
                return spaces
    return spaces


def active_icons(bird, counts):
    """Top icon, then the bonus icons if they are identified (K6, K7)."""
    icons = (bird.terrain,) if bird.terrain else ()
    return icons + bird.bonus_terrain if bird.bonus_terrain and identified(bird, counts) else icons


def to_space(number, terrain):
    return {"fly_to": {"card": number, "terrain": terrain}}


def fly_choices(position):
    return [to_space(*space) for space in reachable(position)]


def north_wind_choices(position):
    number = position.token["card"] + 1
    return [to_space(number, terrain) for terrain in position.lands[position.state["path"][number - 1]]]


def decoy_choices(position):
    """Any split with at most 3 birds in a row (K10)."""
    birds = len(members(position.flock)) - 1
    shapes = [[top, birds - top] for top in range(ROW_ROOM + 1)]
    return [{"rows": rows} for rows in shapes if 0 <= rows[1] <= ROW_ROOM]


def fox_choices(position):
    return [{"remove": place} for place in occupied(position.flock)]


def land(position, action, chance):
    """A flight ends, or the north wind: the token moves, and an encounter there comes at once (K8)."""
    state = position.state
    position.token.update(action["fly_to"])
    state["decision"] = "act"
    meet = position.lands[state["path"][position.token["card"] - 1]][position.token["terrain"]]
    if meet:
        ENCOUNTERS[meet](position, chance)


def meet_decoy(position, chance):
    """Nobody asks or draws for a flock of one; the shape may be kept (K10)."""
    flock = position.flock
    if len(members(flock)) < 2:
        return
    if position.rules["decoy_shape"] == "choose":
        position.state["decision"] = "decoy"
    else:
        scatter(position, {"rows": [len(flock[row]) for row in ROWS]}, chance)


def scatter(position, action, chance):
    """Decoy: the flock shuffled into the rows chosen."""
    flock, (top, bottom) = position.flock, action["rows"]
    cards = members(flock)
    fallen = [fall(cards, place, chance) for place in (PLACES[0], *PLACES[1 : 1 + top], *PLACES[4 : 4 + bottom])]
    flock["lead"], flock["top"], flock["bottom"] = fallen[0], fallen[1 : 1 + top], fallen[1 + top :]
    position.state["decision"] = "act"


def fall(cards, place, chance):
    card = chance.any_of(cards)
    chance.happens({"decoy": card, "at": place})
    return card


def meet_north_wind(position, chance):
    """Mandatory, if there is a next card (K9)."""
    if position.token["card"] < len(position.state["path"]):
        position.state["decision"] = "north_wind"


def meet_fox(position, chance):
    if members(position.flock):
        position.state["decision"] = "fox"


def lose_to_fox(position, action, chance):
    depart(position, [action["remove"]])


def meet_bald_eagle(position, chance):
    """Every juvenile at once, the lead bird too (K11)."""
    flock = position.flock
    depart(position, [place for place in occupied(flock) if position.birds[at(flock, place)].goose in JUVENILES])


ENCOUNTERS = {
    "decoy": meet_decoy,
    "north-wind": meet_north_wind,
    "fox": meet_fox,
    "bald-eagle": meet_bald_eagle,
}
