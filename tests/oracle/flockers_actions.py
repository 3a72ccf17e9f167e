"""Adding a bird and using its actions (1. Add a bird to your flock; Actions; Identify; K1, K2, K12-K16)."""

from tests.oracle import flockers_flight as flight
from tests.oracle.flockers_position import ROW_ROOM, ROWS, at, depart, geese_in, identified, members, occupied, put

END = {"end": True}
STOP = {"stop": True}


def play_choices(position):
    """The first bird leads; the others go to the right end of a row with room (K1)."""
    flock = position.flock
    rows = [row for row in ROWS if len(flock[row]) < ROW_ROOM] if flock["lead"] else ["lead"]
    return [{"play": card, "to": row} for card in position.hand for row in rows]


def play(position, action, chance):
    state, flock, card = position.state, position.flock, action["play"]
    position.hand.remove(card)
    if action["to"] == "lead":
        flock["lead"] = card
    else:
        flock[action["to"]].append(card)
    state["played"], state["decision"] = card, "act"


# ------------------------------------------------------------------------------ which parts can be used


def act_choices(position):
    """The parts of the card just played, then those of the bird that a Lead activates, then the end."""
    state = position.state
    inside, used, played = members(position.flock), state["used"], state["played"]
    counts = geese_in(position, position.flock)
    actions = []
    if played in inside:
        actions += parts(position, "card", played, (used["main"], used["bonus"]), counts)
    led = led_bird(position, inside)
    if led is not None:
        actions += parts(position, "lead", led, (used["lead_main"], used["lead_bonus"]), counts)
    return [*actions, END]


def led_bird(position, inside):
    """The bird whose parts a Lead on the played card opens now, or None.

    Before it is begun that is the lead bird, if the played card is still there; then the one it began with (K15).
    """
    state = position.state
    if position.birds[state["played"]].action != "lead":
        return None
    if state["activated"] is None:
        return position.flock["lead"] if state["played"] in inside else None
    return state["activated"] if state["activated"] in inside else None


def parts(position, use, card, used, counts):
    """The main action and the bonus actions of a card that are left and would do something (K2, K14).

    used: whether the main action was, and the indices of the bonus actions that were. A Lead is no action by itself.
    """
    bird, (main_used, bonus_used) = position.birds[card], used
    actions = []
    if bird.action not in (None, "lead") and not main_used and does_something(position, bird.action):
        actions.append({"use": use, "part": "main", "action": bird.action})
    if bird.bonus_actions and identified(bird, counts):
        left = [action for index, action in enumerate(bird.bonus_actions) if index not in bonus_used]
        for action in dict.fromkeys(left):
            if does_something(position, action):
                actions.append({"use": use, "part": "bonus", "action": action})
    return actions


def does_something(position, action):
    """K2: a flight needs a step, Navigate a terrain card, a swap two birds; a bird can always be grazed."""
    if action == "fly":
        return bool(flight.reachable(position))
    if action == "navigate":
        return bool(position.state["terrain_display"])
    return action != "swap" or len(members(position.flock)) > 1


def use(position, action):
    """A part is used up and its action asked about. Using a part of the lead begins the Lead (K15)."""
    state = position.state
    used, prefix, card = state["used"], "", state["played"]
    if action["use"] == "lead":
        if state["activated"] is None:
            state["activated"], used["main"] = position.flock["lead"], True
        prefix, card = "lead_", state["activated"]
    if action["part"] == "main":
        used[f"{prefix}main"] = True
    else:
        bonus, spent = position.birds[card].bonus_actions, used[f"{prefix}bonus"]
        spent.append(next(i for i, name in enumerate(bonus) if name == action["action"] and i not in spent))
        spent.sort()
    state["decision"] = action["action"]


# ------------------------------------------------------------------------- Navigate, Graze, Swap, slides


def navigate_choices(position):
    return [{"add": card} for card in position.state["terrain_display"]]


def navigate(position, action, chance):
    """To the end of the path; a new card takes its place until the deck is empty (K19)."""
    state, card = position.state, action["add"]
    slot = state["terrain_display"].index(card)
    del state["terrain_display"][slot]
    state["path"].append(card)
    if state["terrain_deck"]:
        new = chance.top(position, "terrain_deck")
        state["terrain_display"].insert(slot, new)
        chance.happens({"show_terrain": new})
    state["decision"] = "act"


def graze_choices(position):
    """Bird after bird in the order of places; at most one of them without the graze icon (K13)."""
    chosen = position.state["chosen"]
    return [{"remove": place} for place in may_go_along(position)] + ([STOP] if chosen else [])


def may_go_along(position):
    flock, chosen = position.flock, position.state["chosen"]
    grazes = lambda place: position.birds[at(flock, place)].grazes  # noqa: E731
    places = occupied(flock)
    if chosen:
        places = places[places.index(chosen[-1]) + 1 :]
    return places if all(map(grazes, chosen)) else [place for place in places if grazes(place)]


def graze(position, action, chance):
    """The chosen leave together, at will or when no other may go along."""
    state = position.state
    if action != STOP:
        state["chosen"].append(action["remove"])
        if may_go_along(position):
            return
    depart(position, state["chosen"])
    state["chosen"] = []


def swap_choices(position):
    places = occupied(position.flock)
    return [{"swap": [first, second]} for i, first in enumerate(places) for second in places[i + 1 :]]


def swap(position, action, chance):
    flock, (first, second) = position.flock, action["swap"]
    one, other = at(flock, first), at(flock, second)
    put(flock, first, other)
    put(flock, second, one)
    position.state["decision"] = "act"


def slide_choices(position):
    return [{"slide": row} for row in ROWS if position.flock[row]]


def slide(position, action, chance):
    """The nearest bird of a row becomes the lead bird (K12)."""
    flock = position.flock
    flock["lead"] = flock[action["slide"]].pop(0)
    position.state["decision"] = "act"
