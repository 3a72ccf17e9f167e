"""Flockers' referee notices games in which one ruling is wrong: the oracle plays them with that ruling broken."""

import random

import pytest

from tests.oracle import flockers, flockers_actions, flockers_automa, flockers_flight, flockers_position
from tests.oracle.flockers_cards import TERRAINS, standard_rules
from tests.oracle.flockers_position import ROWS, at, depart, geese_in, identified, members, occupied, put
from tests.oracle.flockers_referee import oracle_trace, referee
from tests.rules.flockers_odd_rules import WILD, odd_flock_deck

MODULES = (flockers, flockers_actions, flockers_automa, flockers_flight, flockers_position)
LONG = {**WILD, "final_card": 12, "turn_cap": 60}
STANDARD = {name: standard_rules()[name] for name in ("flock_cards", "terrain_cards", "mismatch", "final_card")}
CAPPED = {**LONG, "turn_cap": 3}
SHORT = {**WILD, "final_card": 2}
FEW_CARDS = {"flock_cards": odd_flock_deck(random.Random(1), 27)}

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


MUTANTS = {
    "Setup: the last card with 2 terrains starts the path": (
        "flip",
        lambda right: (
            lambda position, chance: (
                right(position, chance),
                position.state["path"].reverse(),
                position.state["terrain_display"].reverse(),
            )
        ),
        2,
    ),
    "K1: the top row first": ("play_choices", filtered(lambda action, at: action["to"] != "bottom"), 2),
    "K1: hands in another order": ("play_choices", lambda right: lambda at: right(at)[::-1], 2),
    "K2: an action has to be used": (
        "act_choices",
        lambda right: lambda at: right(at)[:-1] or right(at),
        2,
    ),
    "K2: two birds do not swap": (
        "does_something",
        lambda right: lambda at, action: right(at, action) and (action != "swap" or len(members(at.flock)) > 2),
        2,
    ),
    "K3: an inactive icon ends the flight": ("flown", under(iconless="stop"), 2),
    "K4: a mismatch ends the flight": ("flown", under(mismatch="stop"), 2),
    "K4: a mismatch does not": ("flown", under(mismatch="skip"), 2, STANDARD),
    "K4: a match may be declined": ("flown", flown_declining, 2),
    "K5: only the row of the card played": ("reachable", one_row_only, 2),
    "K5: a space twice": ("reachable", instead(both_rows_twice), 2),
    "K6: bonus icons first": ("active_icons", instead(icons_bonus_first), 2),
    "K6: one step a card": ("active_icons", lambda right: lambda bird, counts: right(bird, counts)[:1], 2),
    "K7: bonus terrain unidentified": (
        "active_icons",
        instead(lambda bird, counts: ((bird.terrain,) if bird.terrain else ()) + bird.bonus_terrain),
        2,
    ),
    "K7: no bonus terrain": (
        "active_icons",
        instead(lambda bird, counts: (bird.terrain,) if bird.terrain else ()),
        2,
    ),
    "K8: no encounters": ("land", instead(land_without_encounter), 2),
    "K9: the wind does not blow into encounters": ("land", one_encounter_a_chain, 3),
    "K9: the wind chooses": ("north_wind_choices", lambda right: lambda at: right(at)[:1], 3),
    "K10: the card played is spared": ("scatter", scatter_but_the_played, 3),
    "K10: two in a row at most": ("decoy_choices", filtered(lambda action, at: max(action["rows"]) < 3), 3),
    "K10: the shape is kept": ("meet_decoy", under(decoy_shape="keep"), 3),
    "K11: the fox spares the lead bird": ("fox_choices", filtered(lambda action, at: action["remove"] != "lead"), 3),
    "K11: the eagle takes one": ("meet_bald_eagle", eagle_spares(lambda juveniles: juveniles[:1]), 3),
    "K11: the eagle spares the lead bird": (
        "meet_bald_eagle",
        eagle_spares(lambda juveniles: [place for place in juveniles if place != "lead"]),
        3,
    ),
    "K12: slides unasked": ("depart", slide_unasked, 2),
    "K12: any row slides": ("slide_choices", filtered(lambda action, at: action["slide"] == "bottom"), 2),
    "K13: two without the icon": ("may_go_along", instead(two_without_the_icon), 2),
    "K13: an icon of main actions only": (
        "may_go_along",
        graze_icon_only_if(lambda bird, counts: bird.action == "graze"),
        2,
    ),
    "K13: an icon that is not identified": (
        "may_go_along",
        graze_icon_only_if(
            lambda bird, counts: bird.action == "graze" or (bird.grazes and identified(bird, counts)),
        ),
        2,
    ),
    "K13: the card played stays": ("graze_choices", filtered(not_the_played), 2),
    "K14: bonus actions without enough geese": (
        "parts",
        lambda right: lambda at, use, card, used, counts: right(at, use, card, used, dict.fromkeys(counts, 9)),
        2,
    ),
    "K14: one bonus action a card": ("use", used_first_index, 2),
    "K15: whoever leads when a part is used": ("led_bird", instead(lead_never_fixed), 2),
    "K15: the lead card has to stay": ("led_bird", led_needs(True), 3),
    "K15: nobody has to stay": ("led_bird", led_needs(False), 2),
    "K15: its bonus only": (
        "act_choices",
        filtered(lambda action, at: (action.get("use"), action.get("part")) != ("lead", "main")),
        2,
    ),
    "K16: the card played is not swapped": ("swap_choices", filtered(not_the_played), 2),
    "K17: the new card to the right end": ("refill_display", at_the_right_end, 2),
    "K17: draws from the deck": ("replenish_choices", under(draw_from_deck=True), 2),
    "K18: the discard is shuffled at once": ("replenish", after(reshuffle_at_once), 2, FEW_CARDS),
    "K19: the new terrain card to the right end": (
        "navigate",
        after(lambda at, action, chance: at.state["terrain_display"].sort()),
        2,
    ),
    "K21: judged before the actions": ("play", after(end_when_full_at_once), 2),
    "K21: out until there is room": ("next_seat", in_while_there_is_room, 2, {"flock_size": 3}),
    "K22: no final turns": ("pass_turn", before(no_final_turns), 3, SHORT),
    "K22: final turns that others add": (
        "pass_turn",
        before(
            lambda at, chance: (
                at.state["last_turns"].append(at.to_move % 3 + 1)
                if at.state["last_turns"] and at.token["card"] >= 2
                else None
            )
        ),
        3,
        SHORT,
    ),
    "K22: not replenished in a final turn": (
        "end_actions",
        lambda right: lambda at, chance: (flockers.pass_turn if at.state["last_turns"] else right)(at, chance),
        3,
        SHORT,
    ),
    "K23: flights end at the final card": (
        "reachable",
        lambda right: lambda at: [space for space in right(at) if space[0] <= at.rules["final_card"]],
        3,
        SHORT,
    ),
    "K24: the furthest only": ("standing", lambda right: lambda at, seat: right(at, seat)[:1], 3),
    "K24: no count of birds": ("standing", standing_without(1), 3),
    "K24: no count of types": ("standing", standing_without(2), 4, {**SHORT, "turn_cap": 9}),
    "K25: a winner by the cap": ("ranking", all_win, 2, CAPPED),
    "K25: the cap a round late": (
        "pass_turn",
        lambda right: lambda at, chance: under(turn_cap=at.rules["turn_cap"] + 1)(right)(at, chance),
        2,
        CAPPED,
    ),
    "K25: final turns cut off": ("pass_turn", cap_on_final_turns, 3, {**SHORT, "turn_cap": 2}),
    "K26: the first match": ("best_card", instead(best_leftmost_match), 1),
    "K26: the rightmost of equals": ("best_card", under(automa_tie="rightmost"), 1),
    "K26: top and bottom chained": ("best_icons", instead(top_and_bottom_chained), 1),
    "K26: bottom icons identified": ("best_icons", identified_bottom_only, 1),
    "K26: no bottom icons": ("best_icons", under(automa_bottom_icons=False), 1),
    "K26: its card is lost": ("follow", after(keeps_its_card), 1),
    "K26: any icon of the card": (
        "matching",
        lambda right: lambda at, icons: next((m for m in map(lambda i: right(at, [i]), icons) if m), []),
        1,
    ),
    "K27: it rests when the player is out": (
        "follow",
        lambda right: lambda at, chance: None if at.state["out"] else right(at, chance),
        1,
    ),
    "K27: it never ends the game": ("follow", after(human_goes_on), 1),
    "K28: no cards between": ("solo_result", points(lambda own, automa: own), 1),
    "K28: its own card counted between": ("solo_result", points(lambda own, automa: own + own - automa), 1),
    "K28: ties won": ("solo_result", under(solo_tie_wins=True), 1),
}


def put_wrong(patch, name, wrong):
    """The oracle with another version of one of its functions, wherever it is used."""
    right = next(getattr(module, name) for module in MODULES if hasattr(module, name))
    for module in MODULES:
        if getattr(module, name, None) is right:
            patch.setattr(module, name, wrong(right))
    for table in (flockers.CHOICES, flockers.EFFECTS, flockers_flight.ENCOUNTERS):
        for kind in [kind for kind, function in table.items() if function is right]:
            patch.setitem(table, kind, wrong(right))


@pytest.mark.parametrize("ruling", MUTANTS)
def test_referee_notices_games_with_a_ruling_wrong(monkeypatch, ruling):
    """Games played by an oracle that has one rule wrong: the referee has to complain of some of them."""
    name, wrong, players, *changes = MUTANTS[ruling]
    for seed in range(150):
        with monkeypatch.context() as patch:
            put_wrong(patch, name, wrong)
            lines = list(oracle_trace(players, seed, **{**LONG, **dict(*changes)}))
        if referee(lines):
            return
    pytest.fail("no game gave it away")
