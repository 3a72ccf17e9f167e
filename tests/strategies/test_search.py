"""Search on games whose best choices are known, and what it may not know."""

from __future__ import annotations

import numpy as np
import pytest
from flocksim.simulate.bench import search_cost
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import never_asked

from flocksim.study import make_study
from tests.toy import TAKE_B, TOY
from tests.unit.test_game_contract import play

SEARCH = Strategy("search", never_asked, noise=1.0, iterations=400)


@pytest.fixture(scope="module")
def team():
    return Team(TOY, [SEARCH])


def second_seat(rolled, seed, **rules):
    """The second player's decision of two, when the first has rolled so."""
    table = Table(TOY, TOY.parameters.build(2, rules), 2)
    table.deal(seed)
    table.place({**table.state(), "rolls": [rolled, 0], "to_move": 2, "turn": 2})
    return table


@pytest.mark.parametrize(
    ("rolled", "best"),
    [
        (2, "A"),  # A always wins, B ties half the time
        (3, "A"),  # A ties 5 times of 6 and wins once: 7/12 of a win; B wins half
        (5, "B"),  # B ties half the time, A wins once in 6
        (6, "A"),  # only A can tie
    ],
)
def test_the_better_die_is_taken_whatever_it_will_show(team, rolled, best):
    """The rolls to come differ from seed to seed; a search that saw them would take B where B is about to win."""
    chosen = {second_seat(rolled, seed).choose(team, 0) for seed in range(12)}
    assert chosen == {"AB".index(best)}


def test_an_opponent_without_a_seat_counts(team):
    """Against a bank that rolls 5 and loses ties, only a 5 or more wins; the other player has rolled 2."""
    table = second_seat(2, 1, bank=5)
    assert table.choose(team, 0) == 1


def test_a_forced_decision_is_not_searched(team):
    table = second_seat(5, 3)
    table.choices["count"] = 1
    before = table.states["streams"].copy()
    assert table.choose(team, 0) == 0
    assert (table.states["streams"] == before).all()


def test_searching_changes_nothing_but_the_bots_own_stream(team):
    table = second_seat(3, 5)
    before = table.states.copy()
    table.choose(team, 0)
    after = table.states.copy()
    stream = int(before["bot_stream"][0][1])
    assert after["streams"][0][stream] != before["streams"][0][stream]
    after["streams"][0][stream] = before["streams"][0][stream]
    assert all(np.array_equal(after[name], before[name]) for name in TOY.state.names)


def test_searched_games_are_the_same_again_and_traced_alike():
    games, _ = play(TOY, 2, 5, [SEARCH, TAKE_B])
    again, _ = play(TOY, 2, 5, [SEARCH, TAKE_B])
    assert np.array_equal(games, again)
    lines = list(trace_game(TOY, TOY.parameters.build(2), 2, [SEARCH, TAKE_B], 7, 3))
    assert lines[-1]["digest"] == f"{games[3]['digest']:016x}"


def test_what_an_iteration_adds_to_a_play_out_is_measured():
    """Two rolls are soon played out: growing a tree costs more than they do."""
    cost = search_cost(TOY, 2, SEARCH)
    assert 0 < cost["microseconds_per_play_out"] < cost["microseconds_per_iteration"] < 50
    quotient = cost["microseconds_per_iteration"] / cost["microseconds_per_play_out"]
    assert cost["iteration_per_play_out"] == pytest.approx(quotient)


def test_playing_out_changes_nothing_but_the_bots_own_stream(team):
    table = second_seat(3, 5)
    before = table.states.copy()
    table.steps.play_outs(table.states, table.rules, team, 0)
    stream = int(before["bot_stream"][0][1])
    assert table.states["streams"][0][stream] != before["streams"][0][stream]
    table.states["streams"][0][stream] = before["streams"][0][stream]
    assert all(np.array_equal(table.states[name], before[name]) for name in TOY.state.names)


def test_a_search_is_named_in_a_config():
    config = {
        "name": "x", "game": "flock-together", "players": 2, "variants": {"standard": {}}, "games": 2, "seed": 1,
        "strategies": ["random", "ismcts:20", "ismcts:1e3:rusher",
                       {"name": "thinker", "base": "ismcts:5"}],
    }  # fmt: skip
    study = make_study(config)
    assert [strategy.iterations for strategy in study.strategies] == [0, 20, 1000, 5]
    assert study.strategies[2].weights == catalogue.find("flock-together", "rusher").weights
    assert make_study(study.config()).hash() == study.hash()
    fewer = make_study({**config, "strategies": ["random", "ismcts:19"]})
    more = make_study({**config, "strategies": ["random", "ismcts:20"]})
    assert fewer.hash() != more.hash()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ismcts", "'' is not allowed; allowed: ismcts:N or ismcts:N:STRATEGY, N a whole number from 1 to"),
        ("ismcts:0", "'0' is not allowed"),
        ("ismcts:many", "'many' is not allowed"),
        ("ismcts:10:radnom", "unknown strategy 'radnom' (did you mean 'random'?)"),
        ("ismtcs:10", "did you mean 'ismcts:N'?"),
    ],
)
def test_a_search_that_is_none_is_refused_in_a_line(name, words):
    with pytest.raises(FlocksimError) as caught:
        catalogue.find("flock-together", name)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_search_takes_no_noise():
    with pytest.raises(FlocksimError, match="takes no noise and no weights"):
        catalogue.variation("flock-together", "sloppy", "ismcts:10", noise=0.5)
