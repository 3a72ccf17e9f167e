"""Search finds the win in endgames made by hand, one a game, in which nothing else wins for sure."""

from __future__ import annotations

import pytest
from flocksim.simulate.bots import Team
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue

from tests.rules import birds_positions, flockers_positions, positions
from tests.strategies.test_flock_bots import position as flock_position


def flock_together():
    """Six species are collected and Q is ready to fly; laying Q, or flying nothing, gives it away."""
    game = load_game("flock-together")
    rules = game.parameters.build(2)
    table = Table(game, rules, 2)
    queens = " ".join(["Q"] * rules.small_flock["Q"])
    table.place(positions.position(2, hands={1: f"{queens} 3-4 5-6"}, birds={1: "A-2 3-4 5-6 7-8 J K"}))
    return table, [{"fly": "Q"}]


def flock():
    """The last round ends when Competition is activated; 2 VP behind, only birds moved to the right cards win."""
    flocks = {"competition": 3, "feeding": 1}, {"competition": 1, "nesting": 1, "laying": 1}
    table = flock_position(*flocks, round=3, vp=(18, 20))
    return table, [{"activate": "competition"}]


def flockers():
    """The last turn of the game: who does not fly to the tenth card is on the ninth with fewer birds."""
    game = load_game("flockers")
    rules = flockers_positions.rules_of(2, {})
    table = Table(game, rules, 2)
    path = "T13 T14 T15 T16 T17 T18 T20 T21 T22 T01"
    where = {"at": {1: "9 forest", 2: "9 forest"}, "hands": {1: "AW01 AB10 AB12"}, "last_turns": [1]}
    where["flocks"] = {2: "AB01 / AB02 AB03"}
    table.place(flockers_positions.position(rules, 2, path=path, **where))
    return table, [{"fly_to": {"card": 10, "terrain": "mountain"}}]


def four_the_birds():
    """Three in a line, and the roll allows the fourth, or a spot far from it."""
    game = load_game("4-the-birds")
    table = Table(game, game.parameters.build(2), 2)
    table.place(birds_positions.position(2, {1: "11 12 13", 2: "66 67 76"}, roll=[1, 4]))
    return table, [{"place": "14"}]


@pytest.mark.parametrize("endgame", [flock_together, flock, flockers, four_the_birds], ids=lambda made: made.__name__)
def test_search_finds_a_forced_win(endgame):
    for stream in range(3):
        table, needed = endgame()
        team = Team(table.game, [catalogue.find(table.game.name, "ismcts:2000")])
        table.states["streams"][0][int(table.states["bot_stream"][0][0])] = stream
        chosen = []
        while table.to_move == 1:
            decision = table.decide(table.choose(team, 0))
            chosen.append(decision.chosen)
        assert table.over, chosen
        assert won_by_seat_1(table)
        assert all(action in chosen for action in needed)


@pytest.mark.parametrize("endgame", [flock_together, flock, flockers, four_the_birds], ids=lambda made: made.__name__)
def test_most_ways_to_play_those_endgames_do_not_win(endgame):
    """Else any search would find one."""
    table, _ = endgame()
    team = Team(table.game, [catalogue.find(table.game.name, "random")])
    won = 0
    for stream in range(60):
        twin = table.copy()
        twin.states["streams"][0][int(twin.states["bot_stream"][0][0])] = stream
        while twin.to_move == 1:
            twin.decide(twin.choose(team, 0))
        won += won_by_seat_1(twin)
    assert won < 40


def won_by_seat_1(table):
    return table.over and any(place["seat"] == 1 and place["win_share"] == 1 for place in table.end()["ranking"])
