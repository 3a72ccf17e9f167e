"""Flockers' referee notices games in which one ruling is wrong: the oracle plays them with that ruling broken."""

import random

import pytest

from tests.oracle import flockers, flockers_actions, flockers_automa, flockers_flight, flockers_position
from tests.oracle.flockers_cards import standard_rules
from tests.oracle.flockers_position import identified, members
from tests.oracle.flockers_referee import oracle_trace, referee
from tests.rules import flockers_broken_rules as broken
from tests.rules.flockers_broken_rules import after, before, filtered, instead, under
from tests.rules.flockers_odd_rules import WILD, odd_flock_deck

MODULES = (flockers, flockers_actions, flockers_automa, flockers_flight, flockers_position)
LONG = {**WILD, "final_card": 12, "turn_cap": 60}
STANDARD = {name: standard_rules()[name] for name in ("flock_cards", "terrain_cards", "mismatch", "final_card")}
CAPPED = {**LONG, "turn_cap": 3}
SHORT = {**WILD, "final_card": 2}
FEW_CARDS = {"flock_cards": odd_flock_deck(random.Random(1), 27)}

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
    "K4: a match may be declined": ("flown", broken.flown_declining, 2),
    "K5: only the row of the card played": ("reachable", broken.one_row_only, 2),
    "K5: a space twice": ("reachable", instead(broken.both_rows_twice), 2),
    "K6: bonus icons first": ("active_icons", instead(broken.icons_bonus_first), 2),
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
    "K8: no encounters": ("land", instead(broken.land_without_encounter), 2),
    "K9: the wind does not blow into encounters": ("land", broken.one_encounter_a_chain, 3),
    "K9: the wind chooses": ("north_wind_choices", lambda right: lambda at: right(at)[:1], 3),
    "K10: the card played is spared": ("scatter", broken.scatter_but_the_played, 3),
    "K10: two in a row at most": ("decoy_choices", filtered(lambda action, at: max(action["rows"]) < 3), 3),
    "K10: the shape is kept": ("meet_decoy", under(decoy_shape="keep"), 3),
    "K11: the fox spares the lead bird": ("fox_choices", filtered(lambda action, at: action["remove"] != "lead"), 3),
    "K11: the eagle takes one": ("meet_bald_eagle", broken.eagle_spares(lambda juveniles: juveniles[:1]), 3),
    "K11: the eagle spares the lead bird": (
        "meet_bald_eagle",
        broken.eagle_spares(lambda juveniles: [place for place in juveniles if place != "lead"]),
        3,
    ),
    "K12: slides unasked": ("depart", broken.slide_unasked, 2),
    "K12: any row slides": ("slide_choices", filtered(lambda action, at: action["slide"] == "bottom"), 2),
    "K13: two without the icon": ("may_go_along", instead(broken.two_without_the_icon), 2),
    "K13: an icon of main actions only": (
        "may_go_along",
        broken.graze_icon_only_if(lambda bird, counts: bird.action == "graze"),
        2,
    ),
    "K13: an icon that is not identified": (
        "may_go_along",
        broken.graze_icon_only_if(
            lambda bird, counts: bird.action == "graze" or (bird.grazes and identified(bird, counts)),
        ),
        2,
    ),
    "K13: the card played stays": ("graze_choices", filtered(broken.not_the_played), 2),
    "K14: bonus actions without enough geese": (
        "parts",
        lambda right: lambda at, use, card, used, counts: right(at, use, card, used, dict.fromkeys(counts, 9)),
        2,
    ),
    "K14: one bonus action a card": ("use", broken.used_first_index, 2),
    "K15: whoever leads when a part is used": ("led_bird", instead(broken.lead_never_fixed), 2),
    "K15: the lead card has to stay": ("led_bird", broken.led_needs(True), 3),
    "K15: nobody has to stay": ("led_bird", broken.led_needs(False), 2),
    "K15: its bonus only": (
        "act_choices",
        filtered(lambda action, at: (action.get("use"), action.get("part")) != ("lead", "main")),
        2,
    ),
    "K16: the card played is not swapped": ("swap_choices", filtered(broken.not_the_played), 2),
    "K17: the new card to the right end": ("refill_display", broken.at_the_right_end, 2),
    "K17: draws from the deck": ("replenish_choices", under(draw_from_deck=True), 2),
    "K18: the discard is shuffled at once": ("replenish", after(broken.reshuffle_at_once), 2, FEW_CARDS),
    "K19: the new terrain card to the right end": (
        "navigate",
        after(lambda at, action, chance: at.state["terrain_display"].sort()),
        2,
    ),
    "K21: judged before the actions": ("play", after(broken.end_when_full_at_once), 2),
    "K21: out until there is room": ("next_seat", broken.in_while_there_is_room, 2, {"flock_size": 3}),
    "K22: no final turns": ("pass_turn", before(broken.no_final_turns), 3, SHORT),
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
    "K24: no count of birds": ("standing", broken.standing_without(1), 3),
    "K24: no count of types": ("standing", broken.standing_without(2), 4, {**SHORT, "turn_cap": 9}),
    "K25: a winner by the cap": ("ranking", broken.all_win, 2, CAPPED),
    "K25: the cap a round late": (
        "pass_turn",
        lambda right: lambda at, chance: under(turn_cap=at.rules["turn_cap"] + 1)(right)(at, chance),
        2,
        CAPPED,
    ),
    "K25: final turns cut off": ("pass_turn", broken.cap_on_final_turns, 3, {**SHORT, "turn_cap": 2}),
    "K26: the first match": ("best_card", instead(broken.best_leftmost_match), 1),
    "K26: the rightmost of equals": ("best_card", under(automa_tie="rightmost"), 1),
    "K26: top and bottom chained": ("best_icons", instead(broken.top_and_bottom_chained), 1),
    "K26: bottom icons identified": ("best_icons", broken.identified_bottom_only, 1),
    "K26: no bottom icons": ("best_icons", under(automa_bottom_icons=False), 1),
    "K26: its card is lost": ("follow", after(broken.keeps_its_card), 1),
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
    "K27: it never ends the game": ("follow", after(broken.human_goes_on), 1),
    "K28: no cards between": ("solo_result", broken.points(lambda own, automa: own), 1),
    "K28: its own card counted between": ("solo_result", broken.points(lambda own, automa: own + own - automa), 1),
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
