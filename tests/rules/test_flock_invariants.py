"""What holds in every position of Flock, whatever the rules and whoever plays."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.games.flock.parameters import COSTS, PLAYERS, RESOURCE_CARDS, SCORING
from flocksim.simulate.table import Table
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.rules.flock_positions import position

GAME = load_game("flock")
RESOURCES = ("nests", "eggs", "worms")


def some(keys, values):
    return st.dictionaries(st.sampled_from(keys), values, max_size=len(keys))


per_round = st.lists(st.integers(0, 3), min_size=1, max_size=6)
RULES = st.fixed_dictionaries(
    {},
    optional={
        "vp_first": some(SCORING, st.integers(0, 9)),
        "vp_second": some(SCORING, st.integers(0, 9)),
        "vp_pool": st.integers(0, 3),
        "competition_thresholds": some(PLAYERS, st.lists(st.integers(1, 9), min_size=1, max_size=6)),
        "rounds": st.integers(1, 6),
        "starting_birds": st.integers(1, 5),
        "bird_supply": st.integers(3, 15),
        "starting_worms": st.integers(0, 3),
        "resource_cap": st.integers(1, 7),
        "gain_single": some(RESOURCE_CARDS, st.integers(0, 4)),
        "gain_double": some(RESOURCE_CARDS, st.integers(0, 6)),
        "cost_single": some(COSTS, st.integers(0, 3)),
        "cost_double": some(COSTS, st.integers(0, 4)),
        "upkeep_costs": some(("nests", "worms"), per_round),
        "free_birds": st.integers(0, 8),
        "relocate_limit": st.integers(1, 5),
        "dominance_side": st.sampled_from(["by-players", "2-3", "4-5"]),
        "flocks_per_player": st.integers(1, 2),
        "protect_left_flock": st.booleans(),
        "deadlock": st.sampled_from(["end", "force_competition"]),
        "turn_cap": st.integers(1, 80),
    },
)


def birds_of(flock):
    return flock["pool"] + flock["stock"] + sum(flock["on"].values())


def check_state(state, rules):
    """Every bird is somewhere, nothing is negative, no limit is passed, the track holds every flock once."""
    flocks = state["flocks"].values()
    for flock in flocks:
        assert birds_of(flock) == rules.bird_supply
        assert min(flock["pool"], flock["stock"], *flock["on"].values(), 0) == 0
        assert all(0 <= flock[resource] <= rules.resource_cap for resource in RESOURCES)
    for resource in RESOURCES:
        assert sum(flock[resource] for flock in flocks) <= rules.token_supply
    assert sorted(state["initiative"]) == sorted(state["flocks"])


def check_step(before, after):
    """VP never fall and come only with the end of a round; turns and rounds go up by one at most."""
    gains = [after["vp"][seat] - before["vp"][seat] for seat in before["vp"]]
    assert min(gains) >= 0
    round_ended = after["round"] > before["round"] or after["end_reason"] == "win"
    assert round_ended or not any(gains)
    assert after["turn"] - before["turn"] in (0, 1)
    assert after["round"] - before["round"] in (0, 1)


def check_decision(state, legal):
    """The seat to move owns the flock; only a pass counts when there is nothing else."""
    assert str(state["to_move"]) == state["flock"][0]
    assert (state["activation"] is None) == (state["decision"] == "act")
    assert ({"pass": True} in legal) <= (len(legal) == 1)
    assert state["barred"] is None or state["acting"] is not None
    if state["activation"]:
        assert state["flock"] in state["activation"].get("upkeep_order", state["activation"]["order"])


@settings(deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
@given(changes=RULES, players=st.integers(2, 5), seed=st.integers(0, 10**6))
def test_birds_tokens_and_vp_are_accounted_for(changes, players, seed):
    try:
        rules = GAME.parameters.build(players, changes)
    except RulesError:
        assume(False)
    table = Table(GAME, rules, players)
    rng = np.random.default_rng(seed)
    assert table.deal(seed) == []
    state = table.state()
    while not table.over:
        check_state(state, rules)
        check_decision(state, table.legal())
        codes = table.legal_codes()
        assert len(set(codes)) == len(codes) > 0
        assert table.apply_code(codes[rng.integers(len(codes))]) == []
        before, state = state, table.state()
        check_step(before, state)
    check_state(state, rules)
    check_end(table, rules)


def check_end(table, rules):
    state, end = table.state(), table.end()
    assert end["end_reason"] in {"win", "deadlock", "turn_cap"}
    assert end["turns"] <= rules.turn_cap * len(state["vp"])
    assert (end["end_reason"] == "win") <= (end["rounds"] == rules.rounds)
    assert [place["rank"] for place in end["ranking"]] == list(range(1, len(state["vp"]) + 1))
    assert sum(place["win_share"] for place in end["ranking"]) == float(end["end_reason"] == "win")
    for place in end["ranking"]:
        assert place["score"] == state["vp"][str(place["seat"])]


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(preset=st.sampled_from(list(GAME.presets)), seed=st.integers(0, 10**6), stop=st.integers(0, 120))
def test_any_position_can_be_put_back_and_played_on_alike(preset, seed, stop):
    rules = GAME.parameters.build(2, GAME.presets[preset], {"dominance_side": "4-5"})
    table, twin = Table(GAME, rules, 2), Table(GAME, rules, 2)
    rng = np.random.default_rng(seed)
    table.deal(seed)
    for _ in range(stop):
        if not table.over:
            codes = table.legal_codes()
            table.apply_code(codes[rng.integers(len(codes))])
    assume(not table.over)
    twin.place(table.state())
    for _ in range(20):
        assert twin.state() == table.state()
        assert twin.legal_codes() == table.legal_codes()
        if table.over:
            break
        code = rng.choice(table.legal_codes())
        table.apply_code(code)
        twin.apply_code(code)


def test_the_counters_add_up():
    """VP by source are the score, and birds at the end of a round are those that the steps left."""
    table = Table(GAME, GAME.parameters.build(4), 4)
    rng = np.random.default_rng(3)
    table.deal(3)
    passes = activations = 0
    while not table.over:
        codes = table.legal_codes()
        action = table.game.words.action(code := int(rng.choice(codes)), table.states[0])
        passes += "pass" in action
        activations += "activate" in action
        before = table.round
        table.apply_code(code)
        if table.round != before:
            in_play = [8 - flock["stock"] for flock in table.state()["flocks"].values()]
            assert counters(table, f"birds_round_{before}") == in_play
    end, state = table.end(), table.state()
    sources = [name for name in GAME.counters if name.startswith("vp_")]
    assert [sum(column) for column in zip(*(counters(table, name) for name in sources), strict=True)] == list(
        state["vp"].values()
    )
    assert sum(counters(table, "passes")) == passes
    assert sum(sum(counters(table, name)) for name in GAME.counters if name.startswith("activated")) == activations
    for resource in RESOURCES:
        assert counters(table, resource) == [flock[resource] for flock in state["flocks"].values()]
    assert [state["initiative"].index(seat) + 1 for seat in state["flocks"]] == counters(table, "initiative")
    hatched, returned = counters(table, "birds_hatched"), counters(table, "birds_returned")
    assert [3 + more - less for more, less in zip(hatched, returned, strict=True)] == [
        8 - flock["stock"] for flock in state["flocks"].values()
    ]
    assert end["end_reason"] == "win"


def counters(table, name):
    return table.states["counters"][0][: table.players, GAME.counters.index(name)].tolist()


def test_resources_gained_are_those_that_fitted():
    table = Table(GAME, GAME.parameters.build(2), 2)
    table.place(position(2, {1: "feeding 4, worms 4"}))
    table.apply({"activate": "feeding"})
    table.apply({"singles": 0, "doubles": 2})
    name = GAME.counters.index("resources_gained")
    assert table.states["counters"][0][0, name] == 2
