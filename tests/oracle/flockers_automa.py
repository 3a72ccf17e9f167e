"""Solo Play: the automa's turns (Automa Player's Turn; K26, K27)."""

from tests.oracle.flockers_position import refill_display, take_from_display


def follow(position, chance):
    """What the automa does after a turn of the human: one turn, or all that it still can if the human is out."""
    state, final = position.state, position.rules["final_card"]
    if state["last_turns"] == []:  # the human's final turn is over, the automa was at the final card before it
        return
    flew = fly(position, chance)
    if state["last_turns"] == ["automa"]:
        state["last_turns"] = []
        return
    while flew and state["out"] and state["tokens"]["automa"]["card"] < final:
        flew = fly(position, chance)
    if state["tokens"]["automa"]["card"] >= final:
        state["last_turns"] = [seat for seat in position.seats if seat not in state["out"]]


def fly(position, chance):
    """One turn of the automa; whether a card of the display matched."""
    state, token = position.state, position.state["tokens"]["automa"]
    steps, card = best_card(position)
    if not steps:
        chance.happens({"automa": "none"})
        return False
    slot = take_from_display(position, card)
    state["discard"].append(card)
    token.update(card=token["card"] + len(steps), terrain=steps[-1])
    chance.happens({"automa": "takes", "card": card, "flies": len(steps)})
    if state["terrain_deck"]:
        added = chance.top(position, "terrain_deck")
        state["path"].append(added)
        chance.happens({"path": added})
    refill_display(position, slot, chance)
    return True


def best_card(position):
    """The icons of the longest flight and its card; of equals the leftmost or rightmost in the display."""
    display = position.state["flock_display"]
    if position.rules["automa_tie"] == "rightmost":
        display = display[::-1]
    flights = [(best_icons(position, card), card) for card in display]
    return max(flights, key=lambda flown: len(flown[0]), default=((), None))


def best_icons(position, card):
    """The top icon or the bottom icons, whichever take the automa further; the top one of equals."""
    bird = position.birds[card]
    top = matching(position, [bird.terrain] if bird.terrain else [])
    bottom = matching(position, bird.bonus_terrain if position.rules["automa_bottom_icons"] else [])
    return max(top, bottom, key=len)


def matching(position, icons):
    """The icons at the front that match the next cards of the path, one after the other."""
    number, path = position.state["tokens"]["automa"]["card"], position.state["path"]
    matched = []
    for icon, card in zip(icons, path[number:], strict=False):
        if icon not in position.lands[card]:
            break
        matched.append(icon)
    return matched
