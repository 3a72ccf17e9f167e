"""The shipped bots of Flockers: what each feature measures, and how games between them end."""

from functools import cache
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy
from flocksim.simulate.games import load_game
from flocksim.simulate.layout import STUCK, TURN_CAP, WIN
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue
from flocksim.strategies.flockers.features import FEATURES, choose

from tests.rules.flockers_positions import flock_deck, position, rules_of, terrain_deck
from tests.strategies.seating import Seated, games_of

GAME = load_game("flockers")
SHIPPED = catalogue.shipped("flockers")
ARCHETYPES = [strategy.name for strategy in catalogue.archetypes("flockers")]
MANY_BONUSES = flock_deck(
    *(f"B{n:02},adult-white,lead,field,1,fly navigate graze swap,lake lake lake lake" for n in range(20)), plain=40
)
ALL_FOXES = terrain_deck(*(f"T{n:02} mountain:fox forest:fox field:bald-eagle lake:north-wind" for n in range(40)))
ODD_RULES = [
    {"flock_size": 2, "hand_size": 1, "flock_display": 1, "terrain_display": 1},
    {"flock_display": 6, "terrain_display": 6, "hand_size": 8, "draw_from_deck": True, "final_card": 25},
    {"flock_cards": MANY_BONUSES, "terrain_cards": ALL_FOXES, "final_card": 40, "mismatch": "skip"},
    {"final_card": 1, "iconless": "stop", "decoy_shape": "keep"},
    {"solo_tie_wins": True, "automa_bottom_icons": False, "automa_tie": "rightmost"},
]


def new_table(players=2, **rules):
    return Table(GAME, GAME.parameters.build(players, rules), players)


def play(names, players=2, games=120, seed=3, **rules):
    """Games of these strategies in all rotations: (game rows, seat rows)."""
    return games_of(GAME, names, players, games, seed, rules)


def seat(*strategies):
    return Seated(GAME, *strategies)


@pytest.fixture(scope="module")
def everybody():
    return seat(*SHIPPED.values())


def judge(**weights):
    """A bot with these weights alone."""
    return seat(Strategy("judge", choose, catalogue.weight_vector("flockers", weights)))


def chosen(table, **weights):
    """What the judge picks, which is no matter of chance."""
    judging = judge(**weights)
    codes = {judging.code(table) for _ in range(40)}
    assert len(codes) == 1, [table.words.action(code, table.states[0]) for code in codes]
    return table.words.action(codes.pop(), table.states[0])


def picks(table, **weights):
    """All that the judge picks now and then."""
    judging = judge(**weights)
    codes = {judging.code(table) for _ in range(200)}
    return [action for action in table.legal() if table.words.code(action) in codes]


def place(players=2, rules=None, **words):
    """A table in a position; rules: changes to the standard ones."""
    built = rules_of(players, rules or {})
    table = Table(GAME, built, players)
    table.place(position(built, players, **words))
    return table


def after(table, *actions):
    for action in actions:
        table.apply(action)
    return table


def played(card, to="lead"):
    return {"play": card, "to": to}


def used(action, bird="card", part="main"):
    return {"use": bird, "part": part, "action": action}


# --- bots.yaml ---


def test_at_least_six_archetypes_ship_and_each_says_what_it_does():
    assert len(ARCHETYPES) >= 6
    for name in ARCHETYPES:
        assert SHIPPED[name].line
        assert len(SHIPPED[name].weights) == len(FEATURES)


def test_every_feature_says_which_decisions_it_judges():
    for line in FEATURES.values():
        decisions = line.split(":")[0].split(", ")
        assert set(decisions) <= {*GAME.decisions, "turn", "solo"}


# --- the journey ---


def furthest(table):
    """The card that some chain of actions of this turn reaches; what chance decides is left out."""
    seat = table.to_move - 1

    @cache
    def search(state):
        at(state)
        over = table.over or table.states["seat"][0] != seat or table.decision in ("replenish", "decoy")
        return int(table.states["distance"][0][seat]) if over else best(state, table.legal_codes())

    def at(state):
        table.states[:] = np.frombuffer(state, table.states.dtype)
        table._list()

    def best(state, codes):
        reached = []
        for code in codes:
            at(state)
            table.apply_code(code)
            table.states["n_events"] = 0
            table.states["counters"] = 0
            reached.append(search(table.states.tobytes()))
        return max(reached)

    state = table.states.tobytes()
    most = best(state, table.legal_codes())
    at(state)
    return most


@pytest.mark.parametrize("rules", [{}, {"mismatch": "skip", "iconless": "stop"}])
def test_distance_finds_the_furthest_card_of_a_turn(rules):
    judging, walking, far = judge(distance=1), judge(distance=1, flight_ahead=0.9, room=2, next_use=0.5), 0
    for seed in range(3):
        table = new_table(2, **rules)
        table.deal(seed)
        while not table.over and table.turn < 14:
            if table.decision == "play":
                before = int(table.states["distance"][0][table.to_move - 1])
                most, own = furthest(table.copy()), table.copy()
                while own.to_move == table.to_move and own.decision not in ("replenish", "decoy"):
                    own.apply_code(judging.code(own))
                assert own.states["distance"][0][table.to_move - 1] == most, (seed, table.turn)
                far += most - before
            table.apply_code(walking.code(table))
    assert far > 20


def test_a_flight_to_the_final_card_is_an_arrival():
    path = "T01 T02 T03 T04 T05 T06 T07 T08 T25 T26"
    hand = "JW03 AB12 JW12 JW13 AB13"
    table = place(flocks={1: "AW01 / AB04"}, hands={1: hand}, at={1: "8 field"}, path=path)
    assert {action["play"] for action in picks(table, arrival=1)} == {"JW03"}


def test_flight_ahead_needs_a_fly_card_and_adds_its_icon():
    def table(hand):
        words = {"flocks": {1: "AW01"}, "path": "T01", "maps": "T02 T04 T07", "decision": "navigate"}
        return place(hands={1: hand}, **words)

    assert chosen(table("JB03 AW13"), flight_ahead=1) == {"add": "T04"}, "JB03: forest"
    assert len(picks(table("JB01 AW13"), flight_ahead=1)) == 3, "JB01: lake"
    assert len(picks(table("JB06 AW13"), flight_ahead=1)) == 3


def test_a_full_row_cannot_be_longer():
    words = {"path": "T01", "maps": "T02 T04 T07", "decision": "navigate", "hands": {1: "JB03"}}
    full = place(flocks={1: "AW13 / AW01 AB13 JW13 / AB04 AW12 JB13"}, **words)
    assert len(picks(full, flight_ahead=1)) == 3
    assert chosen(place(flocks={1: "AW13 / AW01 AB13 JW13 / AB04 AW12"}, **words), flight_ahead=1) == {"add": "T04"}


def test_flight_later_is_for_hands_without_a_fly_card():
    words = {"flocks": {1: " / AW02 / AB04"}, "path": "T01 T04", "decision": "slide"}
    assert chosen(place(hands={1: "AW13 AB06"}, **words), flight_later=1) == {"slide": "bottom"}
    assert len(picks(place(hands={1: "AW13 AB01"}, **words), flight_later=1)) == 2
    assert chosen(place(hands={1: "AW13 AB01"}, **words), flight_ahead=1) == {"slide": "bottom"}


def test_a_flock_that_a_decoy_shuffles_is_half_as_good():
    words = {"flocks": {1: "AW13 / AB04 / AW02"}, "path": "T13 T26", "decision": "fly", "hands": {1: "AW01"}}
    assert chosen(place(**words), flight_ahead=1) == {"fly_to": {"card": 1, "terrain": "forest"}}


def test_runway_wants_up_to_three_cards_beyond_the_flight():
    hand = {"hands": {1: "AB08 AW13 AB13 JW13 JB13"}}
    assert chosen(place(path="T01 T02", **hand), runway=1) == played("AB08")
    assert len(picks(place(path="T01 T02 T04", **hand), runway=1)) == 5
    assert len(picks(place(flocks={1: "AW01"}, path="T01 T02 T04", **hand), runway=1, keep_graze=1)) == 2


def test_navigating():
    table = place(path="T01", hands={1: "AB08 AW13 AB13 JW13 JB13"})
    assert chosen(table, navigating=1) == played("AB08")
    assert chosen(after(table, played("AB08")), navigating=1) == used("navigate")
    assert chosen(table, navigating=-1) == {"end": True}


def test_rival_flight_sees_whom_new_terrain_helps():
    words = {"path": "T04", "at": {2: "1 forest"}, "maps": "T02 T05 T07", "decision": "navigate"}
    table = place(flocks={2: "AW01"}, **words)
    assert chosen(table, rival_flight=1) == {"add": "T02"}
    assert len(picks(table, rival_flight=-1)) == 2
    assert len(picks(place(flocks={2: "AW01"}, out=[2], **words), rival_flight=1)) == 3
    ahead = place(flocks={2: "AW01"}, **{**words, "at": {}})
    assert len(picks(ahead, rival_flight=1)) == 3, "it cannot get there"


# --- the flock ---


def grazing(flock):
    return place(flocks={1: flock}, path="T01", decision="graze", hands={1: "AW01"})


def all_removed(table, judging):
    birds = set(_birds(table))
    while table.decision in ("graze", "slide"):
        table.apply_code(judging.code(table))
    return birds - set(_birds(table))


def _birds(table):
    flock = table.state()["flocks"]["1"]
    return [bird for bird in (flock["lead"], *flock["top"], *flock["bottom"]) if bird]


def test_room_lets_all_graze_that_may():
    flock = "AW02 / AW10 AB01 JW13 / JB14 JB01"
    removed = all_removed(grazing(flock), judge(room=1))
    assert {"AW10", "JW13", "JB14"} < removed
    assert len(removed) == 4
    assert len(all_removed(grazing(flock), judge(room=-1))) == 1


def test_a_full_flock_has_no_future():
    table = place(flocks={1: "AW13 / AW01 AW02 / AB01 AB02 AB03"}, hands={1: "JW11 JB01"}, path="T01")
    assert chosen(table, room=1) == played("JW11", "top"), "only a graze can keep it going"


def test_graze_ready_keeps_the_last_graze_card_and_takes_one():
    hand = "AW13 AW01 AB01 JW01 JB01"
    assert "AW13" not in {action["play"] for action in picks(place(hands={1: hand}, path="T01"), graze_ready=1)}
    words = {"decision": "replenish", "display": "AW02 AB13 JW02", "path": "T01"}
    assert chosen(place(hands={1: "AW01 AB01"}, **words), graze_ready=1) == {"take": "AB13"}
    assert len(picks(place(hands={1: "AW01 AW13"}, **words), graze_ready=1)) == 3


def prey(flock, **words):
    return place(flocks={1: flock}, path="T01", decision="fox", **words)


def test_graze_icons_stay():
    assert chosen(prey("AW10 / AB13 / JB01"), graze_icons=1) == {"remove": "bottom-1"}
    assert chosen(prey("AB01 / AW01 / JB14"), graze_icons=-1) == {"remove": "bottom-1"}, "also as a bonus"


def test_kin_stays_and_is_taken():
    assert chosen(prey("AW10 / AB13 / AB01"), kin=1) == {"remove": "lead"}
    words = {"decision": "replenish", "display": "AW02 AB03 JW02", "path": "T01"}
    assert chosen(place(flocks={1: "AW10 / AB13 AB01"}, **words), kin=1) == {"take": "AB03"}


def test_bonuses_ready_are_identified():
    assert chosen(prey("AW05 / AW01 / JB01"), bonuses_ready=1) == {"remove": "bottom-1"}
    assert len(picks(prey("AW12 / AW01 / JB01"), bonuses_ready=1)) == 3, "AW12 wants three"


def test_lead_ready_needs_a_lead_card():
    words = {"flocks": {1: " / AW01 / AW11 AB18"}, "path": "T01", "decision": "slide"}
    assert chosen(place(hands={1: "AW16"}, **words), lead_ready=1) == {"slide": "bottom"}, "graze, and navigate"
    assert len(picks(place(hands={1: "AW13"}, **words), lead_ready=1)) == 2


def test_even_rows_after_a_decoy():
    words = {"flocks": {1: "AW01 / AW02 AW03"}, "path": "T13", "decision": "decoy"}
    assert chosen(place(**words), even_rows=1) == {"rows": [1, 1]}
    assert len(picks(place(**words), even_rows=-1)) == 2


def test_tie_break_counts_at_the_end_only():
    words = {"hands": {1: "AW13"}, "path": "T01"}
    last = after(place(flocks={1: "AB01 / AB02 / JW01"}, last_turns=[1], **words), played("AW13", "top"))
    assert chosen(last, tie_break=1) == {"end": True}
    assert chosen(prey("AB01 / AB02 / JW01", last_turns=[1]), tie_break=1) == {"remove": "bottom-1"}
    going_on = after(place(flocks={1: "AB01 / AB02 / JW01"}, **words), played("AW13", "top"))
    assert len(picks(going_on, tie_break=1)) == 2


# --- what is met and done ---


@pytest.mark.parametrize(
    ("feature", "card", "terrain"),
    [
        ("met_decoy", "T13", "mountain"),
        ("met_fox", "T14", "forest"),
        ("met_north_wind", "T20", "field"),
        ("met_bald_eagle", "T21", "forest"),
    ],
)
def test_encounters_are_sought_or_shunned(feature, card, terrain):
    icons = {"mountain": "AW01", "forest": "AW02", "field": "AW03", "lake": "AW04"}
    spaces = [
        space.terrain for deck in rules_of(2, {}).terrain_cards.cards if deck.card == card for space in deck.spaces
    ]
    other = next(space for space in spaces if space != terrain)
    flocks = {1: f"AW13 / {icons[terrain]} / {icons[other]}"}
    table = place(flocks=flocks, path=f"{card} T07", decision="fly")
    assert chosen(table, **{feature: 1}) == {"fly_to": {"card": 1, "terrain": terrain}}
    assert chosen(table, **{feature: -1}) == {"fly_to": {"card": 1, "terrain": other}}


def test_what_an_encounter_does_is_foreseen():
    flocks = {1: "AW13 / AW01 JW13 JW12 / AW02"}
    eagle = place(flocks=flocks, path="T21", decision="fly", hands={1: "JB01"})
    assert len(picks(eagle, room=1)) == 1, "one space only"
    both = place(flocks={1: "AW13 / AW02 JW13 JW12 / AW04"}, path="T21", decision="fly")
    assert chosen(both, room=1) == {"fly_to": {"card": 1, "terrain": "forest"}}, "the eagle makes room"
    assert chosen(both, room=-1) == {"fly_to": {"card": 1, "terrain": "lake"}}
    fox = place(flocks={1: "AW13 / AW02 / AW01"}, path="T14", decision="fly")
    assert chosen(fox, room=1) == {"fly_to": {"card": 1, "terrain": "forest"}}
    wind = place(flocks={1: "AW13 / AW02 / AW03"}, path="T20 T01", decision="fly")
    assert chosen(wind, distance=1) == {"fly_to": {"card": 1, "terrain": "field"}}


def test_swapping():
    table = after(place(flocks={1: "AW01"}, hands={1: "AB14"}, path="T07"), played("AB14", "top"))
    assert chosen(table, swapping=1) == used("swap")
    assert chosen(table, swapping=-1) != used("swap")


def test_a_swap_is_made_for_the_flight():
    words = {"flocks": {1: "AW02 / AB04 / AB13"}, "path": "T01 T04 T07", "hands": {1: "AW03"}, "decision": "swap"}
    assert chosen(place(**words), flight_ahead=1) == {"swap": ["lead", "top-1"]}


# --- the hand ---

HAND = {"fly": "AW01", "navigate": "AB08", "graze": "JW13", "swap": "AW15", "lead": "JB16"}


@pytest.mark.parametrize("action", HAND)
def test_cards_are_kept_and_taken_by_action(action):
    table = place(hands={1: " ".join(HAND.values())}, path="T07")
    assert {pick["play"] for pick in picks(table, **{f"keep_{action}": 1})} == set(HAND.values()) - {HAND[action]}
    assert chosen(table, **{f"keep_{action}": -1}) == played(HAND[action])
    others = [card for kind, card in HAND.items() if kind != action][:2]
    taking = place(display=" ".join([*others, HAND[action]]), decision="replenish", hands={1: "AW02"}, path="T07")
    assert chosen(taking, **{f"keep_{action}": 1}) == {"take": HAND[action]}


def test_a_second_card_of_an_action_is_worth_half():
    table = place(display="AW02 AB09 JW10", decision="replenish", hands={1: "AW01"}, path="T07")
    assert chosen(table, keep_fly=1, keep_navigate=0.6) == {"take": "AB09"}
    assert chosen(table, keep_fly=1, keep_navigate=0.4) == {"take": "AW02"}


def test_next_use_plays_the_card_in_thought():
    words = {"flocks": {1: "AB03 / AB04"}, "path": "T10 T01", "hands": {1: "AW13"}, "decision": "replenish"}
    table = place(display="AB09 JW02 AB13", **words)
    assert chosen(table, distance=1, next_use=1) == {"take": "JW02"}
    assert len(picks(table, distance=1)) == 3


def test_a_blind_draw_is_weighed_against_the_display():
    words = {"flocks": {1: "AB03 / AB04"}, "path": "T10 T01", "hands": {1: "AW13"}, "decision": "replenish"}
    table = place(display="AB09 JW02 AB13", rules={"draw_from_deck": True}, **words)
    assert chosen(table, distance=1, next_use=1, blind_draw=1.9) == {"take": "JW02"}, "two cards"
    assert chosen(table, distance=1, next_use=1, blind_draw=2.1) == {"draw": True}


def test_slow_automa_takes_its_best_card():
    words = {"path": "T01 T02 T07", "at": {"automa": ""}, "decision": "replenish"}
    table = place(1, display="AB09 AW05 JW02", **words)
    assert chosen(table, slow_automa=1) == {"take": "AW05"}, "two mountains, but AB09 has one"
    assert len(picks(place(1, display="AB09 AB04 JW02", **words), slow_automa=1)) == 3, "one as good as the other"


# --- ties ---


def test_ties_are_broken_by_the_bots_own_stream():
    table = new_table()
    table.deal(1)
    before = table.states["streams"][0].copy()
    assert len(picks(table)) == len(table.legal())
    moved = np.flatnonzero(before != table.states["streams"][0])
    assert list(moved) == [int(table.states["bot_stream"][0][0])]


def test_the_same_seed_plays_the_same_games():
    digests = play(ARCHETYPES, 3, games=60, seed=5)[0]["digest"]
    assert (digests == play(ARCHETYPES, 3, games=60, seed=5)[0]["digest"]).all()
    assert not set(digests) & set(play(ARCHETYPES, 3, games=60, seed=6)[0]["digest"])


# --- whole games ---


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ARCHETYPES)
def test_every_archetype_beats_random(name, players):
    _, seats = play([name, "random"], players, games=120)
    shares = [seats["win_share"][seats["strategy"] == who].mean() for who in (0, 1)]
    assert shares[0] > 20 * shares[1]


@pytest.mark.parametrize("name", ARCHETYPES)
def test_every_archetype_beats_the_automa_more_often_than_random(name):
    wins = [play([who], 1, games=150)[1]["win_share"].mean() for who in (name, "random")]
    assert wins[0] > 0.4
    assert wins[1] < 0.05


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_archetypes_finish_their_games(players):
    rows, seats = play(ARCHETYPES, players, games=420)
    ends = rows["end_reason"]
    assert (ends != TURN_CAP).all()
    assert (ends == WIN).mean() > 0.8
    stuck = seats["counters"][ends == STUCK]
    assert (stuck[:, :, GAME.counters.index("flock_size")] == 7).all()


@pytest.mark.parametrize("rules", ODD_RULES)
def test_every_bot_plays_by_odd_rules(everybody, rules):
    for players in (1, 3):
        table = new_table(players, turn_cap=20, **rules)
        for seed in range(2):
            table.deal(seed)
            line_up = list(islice(cycle(range(1 + seed, 1 + len(ARCHETYPES))), players))
            while not table.over:
                table.apply_code(everybody.code(table, line_up[table.to_move - 1]))


def test_plans_can_be_told_apart_by_what_they_do():
    _, seats = play(ARCHETYPES, 4, games=2400)

    def total(counter, name):
        counted = seats["counters"][seats["strategy"] == ARCHETYPES.index(name)]
        if counter == "one type":
            first = GAME.counters.index("adult_white")
            return counted[:, first : first + 4].max(axis=1).sum()
        return counted[:, GAME.counters.index(counter)].sum()

    def ranked(*counters, of="turns"):
        return sorted(ARCHETYPES, key=lambda name: sum(total(c, name) for c in counters) / total(of, name))

    assert ranked("spaces_flown", of="flights")[0] == "sprinter"
    assert ranked("navigates")[-1] == "navigator"
    assert ranked("navigates")[0] == "opportunist"
    assert ranked("flock_size")[0] == "grazer"
    assert ranked("grazed")[-1] == "grazer"
    assert ranked("one type", of="flock_size")[-1] == "specialist"
    assert ranked("met_north_wind", "met_fox", "met_bald_eagle")[-1] == "wind-rider"
    assert ranked("swaps")[-1] == ranked("leads")[-1] == ranked("bonus_actions")[-1] == "swap-and-lead"


def test_the_page_about_the_bots_names_every_feature_and_archetype():
    page = (Path(__file__).parents[2] / "docs" / "strategies-flockers.md").read_text("utf-8")
    for feature, line in FEATURES.items():
        decisions, meaning = line.split(": ", 1)
        assert f"| `{feature}` | {decisions} | {meaning} |" in page
    for name in ARCHETYPES:
        assert f"| {name} |" in page
