"""Ways to get a rule of Flockers wrong, for tests of its referee: each takes a function of the oracle and breaks it."""

from tests.oracle import flockers, flockers_automa, flockers_flight
from tests.oracle.flockers_cards import TERRAINS
from tests.oracle.flockers_position import ROWS, at, depart, geese_in, identified, members, occupied, put

# --------------------------------------------------------------------------------------- ways to be wrong


def instead(function):
    """A wrong version that does without the right one."""
    return lambda right: function


def filtered(keep):
    """The right list without what `keep(action, position)` refuses; never empty."""
    return lambda right: (
        lambda position: [action for action in right(position) if keep(action, position)] or right(position)
    )


def under(**rules):
    """The right version by other rules."""

    def wrong(right):
        def other(position, *more):
            kept, position.rules = position.rules, {**position.rules, **rules}
            try:
                return right(position, *more)
            finally:
                position.rules = kept

        return other

    return wrong


def after(change):
    """The right version, and then something more to the position."""

    def wrong(right):
        def both(position, *more):
            result = right(position, *more)
            change(position, *more)
            return result

        return both

    return wrong


def before(change):
    """Something to the position, and then the right version."""

    def wrong(right):
        def both(position, *more):
            change(position, *more)
            return right(position, *more)

        return both

    return wrong


# ------------------------------------------------------------------------------------ flights, encounters


def one_row_only(right):
    """The row that the card just played was added to."""

    def wrong(position):
        flock, played = position.flock, position.state["played"]
        kept = {row: flock[row] for row in ROWS}
        if any(played in cards for cards in kept.values()):
            flock.update({row: cards if played in cards else [] for row, cards in kept.items()})
        spaces = right(position)
        flock.update(kept)
        return spaces

    return wrong


def both_rows_twice(position):
    counts, flock = geese_in(position, position.flock), position.flock
    lead = [flock["lead"]] if flock["lead"] else []
    spaces = [s for row in ROWS if flock[row] for s in flockers_flight.flown(position, lead + flock[row], counts)]
    return sorted(spaces, key=lambda space: (space[0], TERRAINS.index(space[1])))


def flown_declining(right):
    """Matching icons may be passed over, too."""

    def wrong(position, line, counts):
        spaces = list(right(position, line, counts))
        for start in range(1, len(line)):
            spaces += right(position, line[start:], counts)
        return spaces

    return wrong


def icons_bonus_first(bird, counts):
    top = (bird.terrain,) if bird.terrain else ()
    return bird.bonus_terrain + top if identified(bird, counts) else top


def land_without_encounter(position, action, chance):
    position.token.update(action["fly_to"])
    position.state["decision"] = "act"


def one_encounter_a_chain(right):
    def wrong(position, action, chance):
        again = position.state["decision"] == "north_wind"
        (land_without_encounter if again else right)(position, action, chance)

    return wrong


def scatter_but_the_played(right):
    """The card just played stays where it is."""

    def wrong(position, action, chance):
        right(position, action, chance)
        flock, played = position.flock, position.state["played"]
        lead, place = flock["lead"], next((p for p in occupied(flock) if at(flock, p) == played), None)
        if place:
            put(flock, place, lead)
            put(flock, "lead", played)

    return wrong


def eagle_spares(keep):
    def wrong(right):
        def spare(position, chance):
            flock = position.flock
            juveniles = [p for p in occupied(flock) if position.birds[at(flock, p)].goose.startswith("juvenile")]
            depart(position, keep(juveniles))

        return spare

    return wrong


def slide_unasked(right):
    """The top row, or else the bottom row, slides without a question."""

    def wrong(position, places):
        right(position, places)
        flock = position.flock
        if position.state["decision"] == "slide":
            flock["lead"] = flock["top" if flock["top"] else "bottom"].pop(0)
            position.state["decision"] = "act"

    return wrong


# ----------------------------------------------------------------------------------------------- actions


def two_without_the_icon(position):
    flock, chosen = position.flock, position.state["chosen"]
    places = occupied(flock)
    if chosen:
        places = places[places.index(chosen[-1]) + 1 :]
    grazes = lambda place: position.birds[at(flock, place)].grazes  # noqa: E731
    return places if sum(not grazes(p) for p in chosen) < 2 else [p for p in places if grazes(p)]


def graze_icon_only_if(holds):
    """The graze icon counts only under a condition."""

    def wrong(right):
        def narrower(position):
            flock, chosen = position.flock, position.state["chosen"]
            counts = geese_in(position, flock)
            grazes = lambda place: holds(position.birds[at(flock, place)], counts)  # noqa: E731
            places = occupied(flock)
            if chosen:
                places = places[places.index(chosen[-1]) + 1 :]
            return places if all(map(grazes, chosen)) else [place for place in places if grazes(place)]

        return narrower

    return wrong


def not_the_played(action, position):
    flock, places = position.flock, [action.get("remove"), *action.get("swap", [])]
    return position.state["played"] not in [at(flock, place) for place in places if place]


def lead_never_fixed(position, inside):
    begun = position.state["activated"] is not None
    if position.birds[position.state["played"]].action != "lead" or not (begun or position.state["played"] in inside):
        return None
    return position.flock["lead"]


def led_needs(both):
    def wrong(right):
        def stricter(position, inside):
            led = right(position, inside)
            return led if position.state["played"] in inside else None

        def laxer(position, inside):
            if position.birds[position.state["played"]].action != "lead":
                return None
            return position.state["activated"] or position.flock["lead"]

        return stricter if both else laxer

    return wrong


def used_first_index(right):
    """Of several equal bonus actions only one is ever used up, and with it all."""

    def wrong(position, action):
        right(position, action)
        key = "bonus" if action["use"] == "card" else "lead_bonus"
        card = position.state["played" if action["use"] == "card" else "activated"]
        if action["part"] == "bonus":
            names = position.birds[card].bonus_actions
            position.state["used"][key] = [
                i for i, name in enumerate(names) if name == action["action"] or i in position.state["used"][key]
            ]

    return wrong


# ------------------------------------------------------------------------- replenishing, turns, the automa


def at_the_right_end(right):
    return lambda position, slot, chance: right(position, len(position.state["flock_display"]), chance)


def reshuffle_at_once(position, *more):
    """The discard becomes the deck as soon as that is empty."""
    state = position.state
    if not state["draw_pile"] and state["discard"]:
        state["draw_pile"], state["discard"] = state["discard"], []
        more[-1].shuffle(position, "draw_pile")


def end_when_full_at_once(position, action, chance):
    if position.end_reason is None and len(members(position.flock)) >= position.rules["flock_size"]:
        flockers.end_actions(position, chance)


def no_final_turns(position, chance):
    if position.state["last_turns"] and position.end_reason is None:
        position.state["last_turns"] = []


def in_while_there_is_room(right):
    def wrong(position, seat):
        out, hands, flocks = (position.state[name] for name in ("out", "hands", "flocks"))
        position.state["out"] = [
            other for other in out if len(members(flocks[str(other)])) == 7 or not hands[str(other)]
        ]
        following = right(position, seat)
        position.state["out"] = out
        return following

    return wrong


def standing_without(place):
    return lambda right: (
        lambda position, seat: tuple(0 if i == place else value for i, value in enumerate(right(position, seat)))
    )


def all_win(right):
    return lambda position: [{**line, "win_share": float(line["rank"] == 1)} for line in right(position)]


def cap_on_final_turns(right):
    def wrong(position, chance):
        last = position.state["last_turns"]
        right(position, chance)
        running = position.end_reason is None
        if running and last and position.state["round"] > position.rules["turn_cap"]:
            position.state["round"] -= 1
            flockers.end_game(position, "turn_cap")

    return wrong


def best_leftmost_match(position):
    """The first card that matches at all."""
    for card in position.state["flock_display"]:
        icons = flockers_automa.best_icons(position, card)
        if icons:
            return icons, card
    return (), None


def top_and_bottom_chained(position, card):
    bird = position.birds[card]
    return flockers_automa.matching(position, [*([bird.terrain] if bird.terrain else []), *bird.bonus_terrain])


def identified_bottom_only(right):
    def wrong(position, card):
        counts = {}
        for other in position.state["flock_display"]:
            goose = position.birds[other].goose
            counts[goose] = counts.get(goose, 0) + 1
        top = under(automa_bottom_icons=False)(right)(position, card)
        return right(position, card) if identified(position.birds[card], counts) else top

    return wrong


def keeps_its_card(position, chance):
    """The automa's card goes out of the game and not to the discard."""
    taken = [event["card"] for event in getattr(chance, "events", []) if event.get("automa") == "takes"]
    position.state["discard"] = [card for card in position.state["discard"] if card not in taken]


def human_goes_on(position, chance):
    if position.state["last_turns"] == [1]:
        position.state["last_turns"] = None


def points(wrong_points):
    def wrong(right):
        def other(position):
            won, _ = right(position)
            tokens = position.state["tokens"]
            return won, wrong_points(tokens["1"]["card"], tokens["automa"]["card"]) if won else 0

        return other

    return wrong
