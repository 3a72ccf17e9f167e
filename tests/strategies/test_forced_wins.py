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
    """The last round ends when Competition is activated; 6 VP behind, only the best cards for its six birds win."""
    table = flock_position({"competition": 6, "feeding": 1}, {"pool": 2, "nesting": 1}, round=3, vp=(0, 6))
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


ENDGAMES = [flock_together, flock, flockers, four_the_birds]


def play_the_turn(table, name, stream):
    """Seat 1 plays its turn as a strategy of that name would. Returns what it chose, decision by decision."""
    team = Team(table.game, [catalogue.find(table.game.name, name), catalogue.find(table.game.name, "random")])
    table.states["streams"][0][int(table.states["bot_stream"][0][0])] = stream
    chosen, turn = [], table.turn
    while not table.over and table.turn == turn:
        mine = table.to_move == 1
        decision = table.decide(table.choose(team, 0 if mine else 1))
        chosen += [decision.chosen] if mine else []
    return chosen


def won_by_seat_1(table):
    return table.over and any(place["seat"] == 1 and place["win_share"] == 1 for place in table.end()["ranking"])


@pytest.mark.parametrize("endgame", ENDGAMES, ids=lambda made: made.__name__)
def test_search_finds_a_forced_win(endgame):
    for stream in range(3):
        table, needed = endgame()
        chosen = play_the_turn(table, "ismcts:2000", stream)
        assert won_by_seat_1(table), chosen
        assert all(action in chosen for action in needed)


@pytest.mark.parametrize("endgame", ENDGAMES, ids=lambda made: made.__name__)
def test_most_ways_to_play_those_endgames_do_not_win(endgame):
    """Else any search would find one."""
    table, _ = endgame()
    won = 0
    for stream in range(60):
        twin = table.copy()
        play_the_turn(twin, "random", stream)
        won += won_by_seat_1(twin)
    assert won < 40
