"""Strategies that are kept from kinds of action."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import RANDOM, never_asked

from flocksim.study import make_study
from tests.toy import TAKE_A, TOY
from tests.unit.test_game_contract import GAMES, play, random_steps

SEARCH = Strategy("search", never_asked, noise=1.0, iterations=200)


def without(strategy, *kinds, name="kept"):
    return replace(strategy, name=name, without=kinds)


def config(*strategies):
    return {
        "name": "x", "game": "flock-together", "players": 2, "variants": {"standard": {}}, "games": 2, "seed": 1,
        "strategies": list(strategies),
    }  # fmt: skip


@pytest.mark.parametrize("strategy", [RANDOM, TAKE_A, SEARCH], ids=lambda s: s.name)
def test_a_forbidden_kind_is_never_taken(strategy):
    _, seats = play(TOY, 3, 40, [without(strategy, "die-a"), without(strategy, "die-b", name="other")])
    taken = seats["counters"][..., 0]
    assert (taken[seats["strategy"] == 0] == 1).all()
    assert (taken[seats["strategy"] == 1] == 0).all()


def test_what_is_forbidden_is_taken_when_nothing_else_is_legal():
    free, _ = play(TOY, 2, 20, [RANDOM])
    kept, _ = play(TOY, 2, 20, [without(RANDOM, "die-a", "die-b")])
    assert np.array_equal(free["digest"], kept["digest"])


def test_what_is_forbidden_is_told_as_legal_all_the_same():
    table = Table(TOY, TOY.parameters.build(2), 2)
    table.deal(2)
    assert table.choose(Team(TOY, [without(SEARCH, "die-a")]), 0) == 1
    assert table.legal_codes() == [0, 1]


def test_a_trace_tells_all_legal_actions_and_is_the_game_of_its_row():
    team = [without(RANDOM, "die-a"), TAKE_A]
    games, _ = play(TOY, 2, 4, team)
    for index in range(8):
        lines = list(trace_game(TOY, TOY.parameters.build(2), 2, team, 7, index))
        assert lines[-1]["digest"] == f"{games[index]['digest']:016x}"
        for line in lines[2:-1]:
            assert [action["die"] for action in line["legal"]] == ["A", "B"]


@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_of_kinds_that_have_names(name):
    game = GAMES[name]
    players = game.seats[1]
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed=8)
    seen = 0
    for step in random_steps(table, 8):
        before = step.states.copy()
        for code in step.legal_codes():
            bits = step.steps.kinds(step.states, step.rules, code)
            assert 0 <= bits < 1 << len(game.action_kinds)
            seen |= bits
        assert all(np.array_equal(before[name], step.states[name]) for name in game.state.names)
    assert bin(seen).count("1") >= len(game.action_kinds) / 2
    assert len(game.action_kinds) <= 60


KINDS = [
    ("flock", {"place": "feeding"}, {"place-feeding", "use-feeding"}),
    ("flock", {"activate": "competition"}, {"activate-competition", "use-competition"}),
    ("flock", {"relocate": "laying"}, {"move-laying", "use-laying"}),
    ("flock", {"to": "nesting", "birds": 2}, {"move-nesting", "use-nesting"}),
    ("flock", {"to": "nesting", "birds": 0}, set()),
    ("flock", {"to": "pool", "birds": 2}, set()),
    ("flock", {"from": "laying", "birds": 1}, set()),
    ("flock", {"singles": 1, "doubles": 0}, {"singles"}),
    ("flock", {"singles": 2, "doubles": 1}, {"singles", "doubles"}),
    ("flock", {"pay_for": 0}, set()),
    ("flock", {"pay_for": 3}, {"pay-upkeep"}),
    ("flock", {"initiative": 2}, {"space-2"}),
    ("flock", {"return": "2"}, set()),
    ("flock", {"pass": True}, set()),
    ("flock-together", {"play": "J", "row": 2, "end": "left"}, {"lay-left", "lay-J"}),
    ("flock-together", {"play": "A-2", "row": 1, "end": "right"}, {"lay-right", "lay-A-2"}),
    ("flock-together", {"draw": "yes"}, {"draw"}),
    ("flock-together", {"draw": "no"}, set()),
    ("flock-together", {"fly": "none"}, set()),
    ("flock-together", {"fly": "K"}, {"fly", "fly-small", "fly-K"}),
    ("flockers", {"end": True}, set()),
    ("flockers", {"draw": True}, {"draw"}),
    ("flockers", {"use": "card", "part": "main", "action": "fly"}, {"use-fly", "main-fly"}),
    ("flockers", {"use": "lead", "part": "bonus", "action": "graze"}, {"use-graze", "bonus-graze", "bonus"}),
    ("4-the-birds", {"play": "peck"}, {"play-peck", "play-card"}),
    ("4-the-birds", {"place": "24"}, {"place-bird"}),
    ("4-the-birds", {"lift": "24"}, {"relocate-bird"}),
    ("4-the-birds", {"crow_to": "24"}, {"use-crow"}),
    ("4-the-birds", {"remove_hawk": "11-22"}, {"use-hawk", "remove-hawk"}),
    ("4-the-birds", {"token": "24"}, {"token"}),
    ("4-the-birds", {"slide": "24"}, set()),
]


@pytest.mark.parametrize(("name", "action", "kinds"), KINDS)
def test_kinds_of_action(name, action, kinds):
    game = GAMES[name]
    table = Table(game, game.parameters.build(2), 2)
    table.deal(1)
    bits = table.steps.kinds(table.states, table.rules, game.words.code(action))
    assert {kind for place, kind in enumerate(game.action_kinds) if bits >> place & 1} == kinds


def test_a_big_flock_is_told_from_a_small_one():
    game = GAMES["flock-together"]
    table = Table(game, game.parameters.build(2), 2)
    table.deal(1)
    code = game.words.code({"fly": "K"})
    kinds = list(game.action_kinds)
    for size, kind in (("big_flock", "fly-big"), ("small_flock", "fly-small")):
        number = table.rules[size][0][7]
        table.states["hand"][0][0][7] = number
        bits = table.steps.kinds(table.states, table.rules, code)
        assert bits >> kinds.index(kind) & 1


def test_a_config_names_what_a_strategy_does_without():
    entry = {"name": "small-only", "base": "rusher", "without": "fly-big"}
    study = make_study(config("rusher", entry, {**entry, "name": "still", "without": ["fly-big", "draw"]}))
    assert [strategy.without for strategy in study.strategies] == [(), ("fly-big",), ("fly-big", "draw")]
    assert study.strategies[1].line == "rusher, never: fly-big"
    assert study.strategies[1].weights == catalogue.find("flock-together", "rusher").weights
    assert make_study(study.config()).hash() == study.hash()
    assert (
        make_study(config("rusher", {**entry, "without": "draw"})).hash() != make_study(config("rusher", entry)).hash()
    )


def test_a_kind_that_is_none_is_refused_in_a_line():
    with pytest.raises(FlocksimError) as caught:
        make_study(config({"name": "x", "base": "rusher", "without": ["fly-bigg"]}))
    assert "unknown kind of action 'fly-bigg' (did you mean 'fly-big'?); known: lay-left" in str(caught.value)
    with pytest.raises(FlocksimError, match="without: 7 is not allowed; allowed: kinds of action"):
        make_study(config({"name": "x", "base": "rusher", "without": 7}))
