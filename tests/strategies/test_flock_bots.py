"""The shipped bots of Flock: what each feature measures, how games between them end, and whims."""

from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy
from flocksim.simulate.games import load_game
from flocksim.simulate.games.flock.parameters import PRESETS
from flocksim.simulate.layout import END_REASONS, WIN
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue
from flocksim.strategies.flock.features import FEATURES, choose

from tests.strategies.seating import Seated, games_of

GAME = load_game("flock")
SHIPPED = catalogue.shipped("flock")
ARCHETYPES = [strategy.name for strategy in catalogue.archetypes("flock")]
HUNGRY, FREE, TWO_EACH = (PRESETS[name] for name in ("hungry-birdies", "free-flight", "advanced-2-player"))
VARIANTS = {
    "standard": {},
    "hungry-birdies": HUNGRY,
    "free-flight": FREE,
    "hungry-birdies-and-free-flight": {**HUNGRY, **FREE},
    "advanced-2-player": TWO_EACH,
}
ODD_RULES = [
    {"starting_birds": 1, "bird_supply": 15, "resource_cap": 1},
    {"starting_birds": 15, "bird_supply": 15, "relocate_limit": 5, "rounds": 1},
    {"vp_pool": 0, "free_birds": 15, "upkeep_costs": {"nests": [0], "worms": [3]}},
    {"dominance_side": "4-5", "deadlock": "force_competition", "free_birds": 0},
    {"gain_double": {"feeding": 0, "hatching": 30}, "cost_single": {"laying_nests": 0, "hatching_eggs": 0}},
]


def new_table(players=2, **rules):
    return Table(GAME, GAME.parameters.build(players, rules), players)


def play(names, players=2, games=140, seed=3, **rules):
    """Games of these strategies in all rotations: (game rows, seat rows)."""
    return games_of(GAME, names, players, games, seed, rules)


def seat(*strategies):
    return Seated(GAME, *strategies)


@pytest.fixture(scope="module")
def everybody():
    return seat(*SHIPPED.values())


def weighing(**weights):
    return Strategy("judge", choose, catalogue.weight_vector("flock", weights))


def judge(**weights):
    """A bot with these weights alone."""
    return seat(weighing(**weights))


def chosen(table, **weights):
    return judge(**weights).action(table)


def position(*flocks, track=(), vp=(), rules=None, **more):
    """Seat 1 is to act. A flock is given by its birds per place and its resources; the others are in the stock."""
    players = len(flocks)
    table = new_table(players, **(rules or {}))
    words = {
        "to_move": 1,
        "decision": "act",
        "flock": "1",
        "flocks": {str(seat): held(**flock) for seat, flock in enumerate(flocks, 1)},
        "initiative": [str(seat) for seat in track or range(1, players + 1)],
        "vp": {str(seat): points for seat, points in enumerate(vp or [0] * players, 1)},
        "acting": "1",
        "barred": None,
        "passes": 0,
        "activation": None,
    }
    table.place(words | more)
    return table


def held(pool=0, nests=0, eggs=0, worms=0, **on):
    stock = 8 - pool - sum(on.values())
    return {"pool": pool, "stock": stock, "on": on, "nests": nests, "eggs": eggs, "worms": worms}


def at(table, **action):
    """The same table after an action."""
    table.apply(action)
    return table


# --- bots.yaml ---


def test_seven_archetypes_ship_and_each_says_what_it_does():
    assert len(ARCHETYPES) >= 6
    for name in ARCHETYPES:
        assert SHIPPED[name].line
        assert len(SHIPPED[name].weights) == len(FEATURES)


def test_every_feature_says_which_decisions_it_judges():
    for line in FEATURES.values():
        decisions = line.split(":")[0].split(", ")
        assert set(decisions) <= {*GAME.decisions, "every decision"}


# --- points ---


def test_card_points_take_the_best_place():
    table = position({"pool": 1}, {"feeding": 1, "nesting": 2, "hatching": 1})
    assert chosen(table, card_points=1, points_early=1) == {"place": "dominance"}
    assert chosen(table, card_points=-1, points_early=1) == {"place": "competition"}


def test_rival_points_are_taken_where_they_hurt_most():
    table = position({"pool": 1}, {"laying": 1, "nesting": 1})
    assert chosen(table, rival_points=-1, points_early=1) == {"place": "nesting"}


def test_pool_points_bring_birds_home():
    table = position({"pool": 1, "feeding": 1, "nesting": 2}, {"pool": 3})
    with_upkeep = {"pool_points": 1, "points_early": 1}
    assert chosen(table, **with_upkeep) == {"activate": "nesting"}


def test_points_count_late_in_a_round_unless_points_early_says_so():
    early, full = position({"pool": 1}, {"pool": 3}), position({"pool": 1}, {"competition": 4})
    judging = judge(card_points=1)
    assert len({judging.code(early) for _ in range(100)}) == 6
    assert judging.action(full)["place"] in ("nesting", "dominance")
    assert chosen(early, card_points=1, points_early=1)["place"] in ("nesting", "dominance")


def test_points_do_not_count_for_birds_that_cannot_be_kept():
    table = position({"pool": 1}, {"competition": 4}, rules=HUNGRY)
    judging = judge(card_points=1)
    assert len({judging.code(table) for _ in range(100)}) == 6


# --- holdings ---


def test_hatching_is_done_for_birds_and_left_for_eggs_or_worms():
    table = at(position({"hatching": 2, "eggs": 3, "worms": 3}, {"pool": 3}), activate="hatching")
    assert chosen(table, birds=1) == {"singles": 0, "doubles": 1}
    for weights in ({"birds": -1}, {"eggs": 1}, {"worms": 1}):
        assert chosen(table, **weights) == {"singles": 0, "doubles": 0}


def test_laying_is_done_for_eggs_and_left_for_nests():
    table = at(position({"laying": 2, "nests": 2}, {"pool": 3}), activate="laying")
    assert chosen(table, eggs=1) == {"singles": 0, "doubles": 1}
    assert chosen(table, nests=1) == {"singles": 0, "doubles": 0}


def test_eggs_count_only_while_the_stock_has_birds_for_them():
    table = at(position({"laying": 2, "pool": 6, "nests": 2}, {"pool": 3}), activate="laying")
    assert chosen(table, eggs=1, nests=0.01) == {"singles": 0, "doubles": 0}


def test_upkeep_ready_wants_what_is_short():
    table = position({"pool": 1, "feeding": 2, "nesting": 2, "nests": 3}, {"pool": 3})
    assert chosen(table, upkeep_ready=1) == {"activate": "feeding"}


def test_birds_missing_counts_while_competition_could_not_be_filled():
    holdings = {"hatching": 2, "eggs": 3, "worms": 3}
    few = at(position(holdings, {"pool": 3}, round=3), activate="hatching")
    assert chosen(few, birds_missing=1) != {"singles": 0, "doubles": 0}
    many = at(position(holdings, {"pool": 8}, round=3), activate="hatching")
    assert chosen(many, birds_missing=1, worms=0.01) == {"singles": 0, "doubles": 0}


def test_keep_birds_pays_upkeep_unless_resources_weigh_more():
    def upkeep(round_):
        flocks = {"pool": 1, "competition": 3, "nests": 2, "worms": 2}, {"competition": 3}
        return at(position(*flocks, round=round_), activate="competition")

    assert chosen(upkeep(1), keep_birds=1) == {"pay_for": 2}
    assert chosen(upkeep(1), keep_birds=1, nests=2) == {"pay_for": 0}
    assert chosen(upkeep(3), keep_birds=1, nests=2) == {"pay_for": 2}, "nothing to save for"


# --- work ---


def test_work_ahead_completes_a_pair():
    table = position({"pool": 1, "laying": 1, "nests": 2}, {"pool": 3})
    assert chosen(table, eggs=1, work_ahead=1) == {"place": "laying"}
    assert chosen(table, eggs=1) == {"activate": "laying"}


def test_initiative_is_sought_by_who_lacks_it():
    weights = {"initiative": 1, "work_ahead": 1}
    assert chosen(position({"pool": 3}, {"pool": 3}, track=(2, 1)), **weights) == {"place": "dominance"}
    first, judging = position({"pool": 3}, {"pool": 3}), judge(**weights)
    assert len({judging.code(first) for _ in range(100)}) == 6


def test_opponents_work_is_avoided():
    table = position({"feeding": 1, "nesting": 1}, {"feeding": 2})
    assert chosen(table, opponents_work=-1) == {"activate": "nesting"}


def test_the_leaders_bird_is_sent_home():
    flocks = {"dominance": 2, "feeding": 1}, {"dominance": 1}, {"feeding": 1}
    table = at(position(*flocks, vp=(5, 0, 9)), activate="dominance")
    assert table.decision == "dominance"
    assert chosen(at(table, relocate="feeding"), send_leader_home=1) == {"return": "3"}


def test_dominance_relocates_to_where_it_scores_most():
    flocks = {"dominance": 2, "nesting": 1}, {"dominance": 1}
    table = at(position(*flocks), activate="dominance")
    assert chosen(table, card_points=1, rival_points=-1) == {"relocate": "nesting"}, "5, and 5 less for the other"


# --- Competition ---


def test_competition_bird():
    table = position({"pool": 3}, {"pool": 3})
    assert chosen(table, competition_bird=1) == {"place": "competition"}
    assert chosen(table, competition_bird=-1) != {"place": "competition"}


def test_competition_is_filled_when_ahead():
    ahead = position({"pool": 1, "nesting": 1}, {"pool": 1})
    behind = position({"pool": 1}, {"nesting": 1, "feeding": 1})
    assert chosen(ahead, competition_when_ahead=1) == {"place": "competition"}
    assert chosen(behind, competition_when_ahead=1) != {"place": "competition"}


def test_relocation_ahead_sees_where_a_bird_would_go():
    table = position({"pool": 2}, {"nesting": 1, "competition": 3})
    assert chosen(table, relocation_ahead=1) == {"place": "competition"}


def test_competition_late_grows_with_the_turns():
    flocks = {"pool": 3}, {"pool": 3}
    weights = {"competition_late": 1, "competition_bird": -5}
    assert chosen(position(*flocks, turn=20), **weights) != {"place": "competition"}
    assert chosen(position(*flocks, turn=60), **weights) == {"place": "competition"}


def test_the_last_birds_stay_free_unless_they_fill_competition():
    weights = {"competition_bird": 1, "too_few_left": -10}
    assert chosen(position({"pool": 1, "competition": 1}, {"pool": 3}), **weights) != {"place": "competition"}
    filling = position({"pool": 1}, {"competition": 3})
    assert chosen(filling, **weights) == {"place": "competition"}
    by_itself = position({"pool": 2}, {"competition": 2})
    assert chosen(by_itself, **weights) == {"place": "competition"}


def test_a_round_is_ended_for_its_own_sake_or_when_ahead():
    full = {"competition": 2, "feeding": 1}, {"competition": 2}
    assert chosen(position(*full), end_round=1) == {"activate": "competition"}
    alone = {"competition": 4}, {"pool": 2}
    assert chosen(position(*alone), end_round_ahead=1, end_round=-1) == {"activate": "competition"}
    poor = {"competition": 1, "feeding": 1}, {"competition": 3, "nesting": 1, "nests": 6, "worms": 6}
    assert chosen(position(*poor, track=(2, 1)), end_round_ahead=1) != {"activate": "competition"}


def test_the_game_is_ended_by_who_leads():
    flocks = {"competition": 3, "feeding": 1, "pool": 1}, {"competition": 3}
    assert chosen(position(*flocks, round=3, vp=(30, 0)), end_game_ahead=1) == {"activate": "competition"}
    assert chosen(position(*flocks, round=3, vp=(0, 30)), end_game_ahead=1) != {"activate": "competition"}


def test_birds_lost_keep_a_round_going():
    weights = {"end_round": 1, "birds_lost": -1}
    flock = {"competition": 4, "feeding": 1}
    assert chosen(position(flock, {"pool": 3}), **weights) != {"activate": "competition"}
    assert chosen(position(flock | {"nests": 3, "worms": 3}, {"pool": 3}), **weights) == {"activate": "competition"}


def test_all_lost_keeps_a_flock_alive_except_at_the_end():
    weights = {"end_round": 1, "all_lost": -10}
    flocks = {"competition": 6, "feeding": 1}, {"pool": 3}
    assert chosen(position(*flocks, rules=HUNGRY), **weights) != {"activate": "competition"}
    assert chosen(position(*flocks, rules=HUNGRY, round=3), **weights) == {"activate": "competition"}


def test_a_bird_is_given_up_where_it_scores_least():
    flocks = {"pool": 1, "competition": 4, "nests": 2, "worms": 2, "feeding": 1}, {"pool": 2}
    table = at(at(position(*flocks), activate="competition"), pay_for=2)
    assert table.decision == "give_up"
    assert chosen(table, card_points=1, pool_points=1) == {"from": "pool", "birds": 1}
    assert chosen(table, card_points=0, pool_points=1) == {"from": "pool", "birds": 0}


def best_spread(table):
    """The most own VP, less half the opponent's, that any chain of relocations reaches."""
    if table.over or table.decision != "relocate":
        return vp_margin(table)
    values = []
    for action in table.legal():
        other = table.copy()
        other.apply(action)
        values.append(best_spread(other))
    return max(values)


def vp_margin(table):
    points = table.states["vp"][0]
    return points[0] - points[1] / 2


@pytest.mark.parametrize("rules", [{}, FREE])
@pytest.mark.parametrize("theirs", [{"feeding": 1, "nesting": 2}, {"dominance": 1, "hatching": 1}, {"laying": 3}])
def test_relocation_finds_the_best_spread(rules, theirs):
    table = position({"competition": 4, "laying": 1, "nests": 6, "worms": 6}, theirs, rules=rules, track=(2, 1))
    table.apply({"activate": "competition"})
    while table.decision == "upkeep":
        table.apply(table.legal()[-1])
    while table.decision == "give_up":
        table.apply(table.legal()[-1])
    most, judging = best_spread(table), judge(card_points=1, rival_points=-0.5, pool_points=1)
    while table.decision == "relocate":
        table.apply_code(judging.code(table))
    assert vp_margin(table) == most


# --- whims and ties ---


def test_ties_are_broken_by_the_bots_own_stream():
    table = position({"pool": 3}, {"pool": 3})
    assert_only_own_stream_moves(table, judge())


def test_whims_draw_from_the_bots_own_stream():
    table = position({"pool": 3}, {"pool": 3})
    assert_only_own_stream_moves(table, judge(whim=1))


def assert_only_own_stream_moves(table, judging):
    before = table.states["streams"][0].copy()
    assert {judging.code(table) for _ in range(300)} == set(table.legal_codes())
    moved = np.flatnonzero(before != table.states["streams"][0])
    assert list(moved) == [int(table.states["bot_stream"][0][0])]


def test_without_a_whim_unequal_choices_draw_nothing():
    table = at(position({"laying": 2, "nests": 2}, {"pool": 3}), activate="laying")
    before = table.states["streams"][0].copy()
    assert chosen(table, eggs=1) == {"singles": 0, "doubles": 1}
    assert (before == table.states["streams"][0]).all()


def test_a_small_whim_leaves_clear_choices_alone():
    table, judging = position({"pool": 3}, {"pool": 3}), judge(competition_bird=1, whim=0.5)
    assert {judging.code(table) for _ in range(100)} == {judging.code(table)}


def test_the_same_seed_plays_the_same_games_and_no_two_games_are_alike():
    digests = play(ARCHETYPES, 3, seed=5)[0]["digest"]
    assert (digests == play(ARCHETYPES, 3, seed=5)[0]["digest"]).all()
    assert len(set(digests)) == len(digests)
    assert not set(digests) & set(play(ARCHETYPES, 3, seed=6)[0]["digest"])


# --- whole games ---


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ARCHETYPES)
def test_every_archetype_beats_random(name, variant):
    _, seats = play([name, "random"], games=200, **VARIANTS[variant])
    assert seats["win_share"][seats["strategy"] == 0].mean() > 0.8


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_archetypes_end_their_games(players, variant):
    if variant == "advanced-2-player" and players > 2:
        pytest.skip("for 2 players only")
    rows, _ = play(ARCHETYPES, players, games=420, **VARIANTS[variant])
    ends = [END_REASONS[reason] for reason in rows["end_reason"] if reason != WIN]
    assert len(ends) < 0.01 * len(rows), ends


@pytest.mark.parametrize("rules", ODD_RULES)
@pytest.mark.parametrize("players", [2, 5])
def test_every_bot_plays_by_odd_rules(everybody, rules, players):
    table = new_table(players, turn_cap=20, **rules)
    for seed in range(2):
        table.deal(seed)
        line_up = list(islice(cycle(range(1 + seed, 1 + len(ARCHETYPES))), players))
        while not table.over:
            table.apply_code(everybody.code(table, line_up[table.to_move - 1]))


def test_the_page_about_the_bots_names_every_feature_and_archetype():
    page = (Path(__file__).parents[2] / "docs" / "strategies-flock.md").read_text("utf-8")
    for feature, line in FEATURES.items():
        decisions, meaning = line.split(": ", 1)
        assert f"| `{feature}` | {decisions} | {meaning} |" in page
    for name in ARCHETYPES:
        assert f"| {name} |" in page
