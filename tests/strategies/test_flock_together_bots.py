"""The shipped bots of Flock Together: what each feature measures, and puzzles."""

from collections import Counter
from math import exp
from pathlib import Path

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy
from flocksim.simulate.games import load_game
from flocksim.simulate.games.flock_together.parameters import SPECIES_WORDS
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue
from flocksim.strategies.flock_together.features import FEATURES, choose

from tests.strategies.seating import Seated

GAME = load_game("flock-together")
SHIPPED = catalogue.shipped("flock-together")
SMALL = {species: 2 if species in "JQK" else 5 for species in SPECIES_WORDS}
BIG = {species: 3 if species in "JQK" else 7 for species in SPECIES_WORDS}
ODD_RULES = [
    {"rows": 8, "row_cards": 1, "first_birds": 0, "draw_cards": 0, "win_species": 9},
    {"rows": 1, "row_cards": 8, "hand_size": 1, "draw_cards": 10, "big_gain": 1},
    {"cards": {"K": 0, "A-2": 0}, "win_species": 3, "win_sets": 9, "win_set_size": 1},
    {"small_flock": dict.fromkeys(SPECIES_WORDS, 1), "big_flock": dict.fromkeys(SPECIES_WORDS, 2)},
    {"big_flock": SMALL, "draw_before_empty_check": False, "exhaustion_ends_game": True, "hand_size": 15},
    {"small_flock": dict.fromkeys(SPECIES_WORDS, 40), "big_flock": dict.fromkeys(SPECIES_WORDS, 40)},
]


def new_table(players=3, **rules):
    return Table(GAME, GAME.parameters.build(players, rules), players)


def seat(*strategies):
    return Seated(GAME, *strategies)


@pytest.fixture(scope="module")
def everybody():
    return seat(*SHIPPED.values())


@pytest.fixture(scope="module", params=list(SHIPPED))
def seated(request):
    return seat(SHIPPED[request.param])


def judge(**weights):
    """A bot with these weights alone."""
    return seat(Strategy("judge", choose, catalogue.weight_vector("flock-together", weights)))


def play_out(table, seated, strategies, look=lambda table: None, decisions=400):
    """Play a dealt game with a strategy per seat; call `look` before every real decision."""
    for _ in range(decisions):
        if table.over:
            return
        if len(table.legal_codes()) > 1:
            look(table)
        table.apply_code(seated.code(table, strategies[table.to_move - 1]))


# --- bots.yaml ---


def test_at_least_seven_archetypes_ship_and_each_says_what_it_does():
    assert len(SHIPPED) >= 8
    for strategy in SHIPPED.values():
        assert strategy.line
        assert len(strategy.weights) == (0 if strategy.name == "random" else len(FEATURES))


def test_every_feature_says_which_decisions_it_judges():
    for line in FEATURES.values():
        decisions = line.split(":")[0].split(", ")
        assert set(decisions) <= {"play", "draw", "fly"}


# --- odd rules ---


@pytest.mark.parametrize("rules", ODD_RULES)
def test_every_bot_plays_by_odd_rules(everybody, rules):
    for players in (2, 5):
        table = new_table(players, turn_cap=60, **rules)
        table.deal(7)
        play_out(table, everybody, [1, 2, 3, 4, 5, 6, 7][-players:])
        table.deal(8)
        play_out(table, everybody, [1, 2, 3, 4, 5, 6, 7][:players])


# --- every play feature, against a slow and plain reading of its line ---


def after_play(table, action):
    """(laid species, how many, caught cards, row before, row after, hand after) by the rulebook."""
    state = table.state()
    hand = Counter(state["hands"][str(table.to_move)])
    row = state["rows"][action["row"] - 1]
    species, number = action["play"], hand.pop(action["play"])
    near = row if action["end"] == "left" else row[::-1]
    caught = near[: near.index(species)] if species in near else []
    new = [species] * number + near[len(caught) :]
    return species, number, caught, row, new, hand + Counter(caught)


def progress(hand, species, worth=1.0):
    return worth * (min(hand[species], SMALL[species]) / SMALL[species]) ** 2


def chance(table, species):
    """That the next player holds the species (the kernel cuts exp's series off after its third power)."""
    state, s = table.state(), table.states[0]
    me, after = table.to_move - 1, table.to_move % table.players
    known = s["known"][after][SPECIES_WORDS.index(species)]
    if known:
        return 1.0
    unseen = Counter(state["draw_pile"])
    for seat in range(table.players):
        if seat != me:
            unseen += Counter(state["hands"][str(seat + 1)])
            unseen -= Counter(dict(zip(SPECIES_WORDS, map(int, s["known"][seat]), strict=True)))
    hidden = int(s["hand"][after].sum()) - int(s["known"][after].sum())
    e = hidden * unseen[species] / max(1, unseen.total())
    return 1 - 1 / (1 + e + e**2 / 2 + e**3 / 6)


def offered(table, row):
    """Expected catches of the next player: each species' chance times its catch, from both ends."""
    return sum(chance(table, one) * (row.index(one) + row[::-1].index(one)) for one in set(row))


def offered_by(table, action):
    *_, row, new, _ = after_play(table, action)
    return offered(table, new) - offered(table, row)


def collection(table, seat):
    return Counter(table.state()["collections"][str(seat)])


def need(owned):
    return (owned + 1) / 3 if owned < 3 else 0.0


def change(table, action, worth):
    """How far a play moves the hand, by what a species' cards are worth in it."""
    before = Counter(table.state()["hands"][str(table.to_move)])
    after = after_play(table, action)[5]
    return sum(worth(after, one) - worth(before, one) for one in SPECIES_WORDS)


def set_progress(table, action):
    mine = collection(table, table.to_move)
    return change(table, action, lambda hand, one: progress(hand, one, need(mine[one])))


def new_species_progress(table, action):
    mine = collection(table, table.to_move)
    return change(table, action, lambda hand, one: progress(hand, one, float(mine[one] == 0)))


def big_flock_progress(table, action):
    def worth(hand, one):
        return max(0, min(hand[one], BIG[one]) - SMALL[one]) / (BIG[one] - SMALL[one])

    return change(table, action, worth)


def caught_from_next(table, action):
    species, number, caught, *_ = after_play(table, action)
    theirs = collection(table, table.to_move % table.players + 1)
    wanted = {one: (1.0 if theirs[one] == 0 else need(theirs[one])) / SMALL[one] for one in SPECIES_WORDS}
    return sum(wanted[one] for one in caught) - number * wanted[species]


PLAIN = {
    "cards_laid": lambda table, action: after_play(table, action)[1],
    "cards_caught": lambda table, action: len(after_play(table, action)[2]),
    "species_left": lambda table, action: len(table.state()["hands"][str(table.to_move)]) - 1,
    "flock_progress": lambda table, action: change(table, action, progress),
    "new_species_progress": new_species_progress,
    "set_progress": set_progress,
    "big_flock_progress": big_flock_progress,
    "cards_offered": offered_by,
    "caught_from_next": caught_from_next,
}


@pytest.mark.parametrize("feature", PLAIN)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_bot_with_one_feature_plays_what_is_best_by_a_plain_reading(everybody, feature, sign):
    judging = judge(**{feature: sign})
    looked = 0

    def look(table):
        nonlocal looked
        if table.decision == "play" and table.turn % 5 == 0:
            looked += 1
            value = [sign * PLAIN[feature](table, action) for action in table.legal()]
            chosen = table.legal_codes().index(judging.code(table.copy()))
            assert value[chosen] == pytest.approx(max(value), abs=1e-9)

    table = new_table(3)
    table.deal(11)
    play_out(table, everybody, [1, 5, 3], look)
    assert looked >= 3


def test_the_guessed_chance_is_near_the_exponential():
    for e in np.linspace(0, 3, 31):
        assert 1 - 1 / (1 + e + e**2 / 2 + e**3 / 6) == pytest.approx(1 - exp(-e), abs=0.03)


# --- puzzles ---


def position(decision="play", rows=(), hands=(), birds=(), players=2, discard=""):
    """A table in the middle of a game; cards that are not named are in the draw pile."""
    table = new_table(players)
    rows = [row.split() for row in [*rows, *["A-2 5-6 9-10"] * (4 - len(rows))]]
    hands = [hand.split() for hand in [*hands, *["A-2 5-6"] * (players - len(hands))]]
    birds = [bird.split() for bird in [*birds, *["9-10"] * (players - len(birds))]]
    left = Counter({species: 8 if species in "JQK" else 16 for species in SPECIES_WORDS})
    left.subtract(Counter(card for part in [*rows, *hands, *birds, discard.split()] for card in part))
    assert min(left.values()) >= 0
    table.place(
        {
            "to_move": 1,
            "decision": decision,
            "rows": rows,
            "hands": {str(seat): dict(Counter(hand)) for seat, hand in enumerate(hands, 1)},
            "collections": {str(seat): dict(Counter(bird)) for seat, bird in enumerate(birds, 1)},
            "draw_pile": list(left.elements()),
            "discard": dict(Counter(discard.split())),
        }
    )
    return table


ARCHETYPES = [strategy.name for strategy in catalogue.archetypes("flock-together")]


@pytest.mark.parametrize("name", ARCHETYPES)
def test_every_archetype_flies_the_flock_that_wins(everybody, name):
    who = list(SHIPPED).index(name)
    seventh = position("fly", hands=["J J 3-4 3-4 3-4 3-4 3-4 3-4 3-4"], birds=["A-2 3-4 5-6 7-8 Q K"])
    assert everybody.action(seventh, who) == {"fly": "J"}
    second_set = position("fly", hands=["Q Q J J 9-10 9-10 9-10 9-10 9-10 9-10 9-10"], birds=["K K K Q Q"])
    assert everybody.action(second_set, who) == {"fly": "Q"}


def test_the_bigger_catch_is_taken():
    table = position(rows=["K 3-4 5-6 7-8 K 9-10", "K J J J J Q"], hands=["K"])
    assert judge(cards_caught=1).action(table) == {"play": "K", "row": 2, "end": "right"}


def test_a_flight_ahead_is_caught_for():
    table = position(rows=["K 3-4 5-6 7-8", "Q J A-2"], hands=["K Q J"], birds=["3-4"])
    ahead = judge(flight_ahead=1, fly=1).action(table)
    assert (ahead["play"], ahead["row"], ahead["end"]) == ("Q", 2, "right")


def test_a_known_hand_is_not_fed():
    """The next player's known Kings would catch whatever is laid at the left of row 1."""
    table = position(rows=["J K 9-10", "A-2 5-6 9-10"], hands=["3-4 3-4 3-4", "K K"])
    table.states["known"][0][1][SPECIES_WORDS.index("K")] = 2
    assert judge(cards_offered=-1).action(table)["row"] != 1


def test_a_rusher_flies_what_a_hoarder_keeps():
    table = position("fly", hands=["9-10 9-10 9-10 9-10 9-10 9-10 J", "A-2 A-2 A-2 A-2 A-2 A-2 5-6 5-6"])
    everybody = seat(SHIPPED["rusher"], SHIPPED["hoarder"])
    assert everybody.action(table, 0) == {"fly": "9-10"}
    assert everybody.action(table, 1) == {"fly": "none"}


def test_collectors_differ_in_what_they_fly():
    table = position("fly", hands=["J J Q Q 3-4"], birds=["J K"])
    collectors = seat(SHIPPED["collector-wide"], SHIPPED["collector-deep"])
    assert collectors.action(table, 0) == {"fly": "Q"}
    assert collectors.action(table, 1) == {"fly": "J"}


def test_an_emptier_ends_the_round_where_others_draw():
    table = position("draw", hands=["", "A-2 A-2 A-2 5-6 5-6 5-6 7-8 7-8"])
    assert seat(SHIPPED["emptier"]).action(table) == {"draw": "no"}
    assert judge(draw=1).action(table) == {"draw": "yes"}


def test_an_emptied_hand_counts_by_what_the_others_lose():
    rich = position("draw", hands=["", "A-2 " * 8])
    poor = position("draw", hands=["", "A-2"])
    judging = judge(ends_round_on_full_hands=1, draw=0.5)
    assert judging.action(rich) == {"draw": "no"}
    assert judging.action(poor) == {"draw": "yes"}


def test_ties_are_broken_by_the_bots_own_stream():
    table = position(hands=["K Q J"])
    before = table.states["streams"][0].copy()
    judging = judge()
    seen = {judging.code(table) for _ in range(400)}
    assert seen == set(table.legal_codes())
    changed = np.flatnonzero(before != table.states["streams"][0])
    assert list(changed) == [int(table.states["bot_stream"][0][0])]


def test_the_page_about_the_bots_names_every_feature_and_archetype():
    page = (Path(__file__).parents[2] / "docs" / "strategies-flock-together.md").read_text("utf-8")
    for feature, line in FEATURES.items():
        decisions, meaning = line.split(": ", 1)
        assert f"| `{feature}` | {decisions} | {meaning} |" in page
    for name in ARCHETYPES:
        assert f"| {name} |" in page
