"""The shipped bots of 4 the Birds: they complete flocks and stop others', beat random play, and games end."""

from __future__ import annotations

import numpy as np
import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.layout import WIN
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue

from tests.rules import birds_positions
from tests.strategies.seating import Seated, games_of

GAME = load_game("4-the-birds")
SHIPPED = catalogue.shipped("4-the-birds")
ARCHETYPES = [strategy.name for strategy in catalogue.archetypes("4-the-birds")]
ODD_RULES = [
    {"board_size": {"3": 4}, "crows": 0, "crows_at_start": 0, "hawks": 0, "hawks_at_start": 0},
    {"branch_layout": "full", "win_check": "active", "cards": {"roll": 3, "peck": 0}},
    {"setup": "choose", "cards_onto_threat": True, "hawks": 6, "birds": 8},
    {"win_line": False, "tokens": 40, "cards": {"shoo": 0, "mock": 0, "swoop": 0, "flock": 0, "peck": 0, "roll": 0}},
]


def play(names, players, games, seed=3, **rules):
    """Games of these strategies in all rotations: (game rows, seat rows)."""
    return games_of(GAME, names, players, games, seed, rules)


def placed(birds, players=3, **where):
    """A table on which seat 1 is to move, with birds by seat."""
    table = Table(GAME, GAME.parameters.build(players), players)
    table.place(birds_positions.position(players, birds, **where))
    return table


def choice(table, name):
    """What the strategy chooses here, in words."""
    return Seated(GAME, SHIPPED[name]).action(table)


def finish_turn(table, name):
    """The strategy decides for everybody until the turn is over."""
    turn = table.turn
    while not table.over and table.turn == turn:
        table.apply(choice(table, name))
    return table


def test_there_are_seven_with_a_line_each():
    assert ARCHETYPES == [
        "all-rounder", "line-builder", "square-builder", "blocker", "disrupter", "card-saver", "opportunist",
    ]  # fmt: skip
    assert all(len(SHIPPED[name].line) > 20 for name in ARCHETYPES)
    assert len({SHIPPED[name].weights for name in ARCHETYPES}) == len(ARCHETYPES)


@pytest.mark.parametrize("name", ARCHETYPES)
@pytest.mark.parametrize(
    ("birds", "roll", "spot"),
    [("24 25 26", [2, 7], "27"), ("13 23 33", [3, 4], "43"), ("11 12 21", [2, 2], "22"), ("22 33 44", [5, 5], "55")],
)
def test_a_flock_that_the_roll_completes_is_completed(name, birds, roll, spot):
    table = placed({1: birds, 2: "61 67", 3: "77 71"}, roll=roll)
    assert choice(table, name) == {"place": spot}


@pytest.mark.parametrize("name", ARCHETYPES)
@pytest.mark.parametrize("hand", ["swoop", "shoo flock", "roll shoo mock peck swoop flock"])
def test_a_flock_that_a_card_completes_is_completed(name, hand):
    """The bird on 37 is a step from 27, and from 26, where it can push the others on to 23; the roll is of no use."""
    table = placed({1: "24 25 26 37", 2: "61 67", 3: "77 71"}, roll=[7, 6], hands={1: hand})
    finish_turn(table, name)
    assert table.over
    assert table.state()["flock"]["seat"] == 1


@pytest.mark.parametrize("name", ARCHETYPES)
def test_a_flock_that_stands_ready_for_the_next_player_is_stopped(name):
    """Seat 2 lacks spot 27, which its bird on 37 can reach by a card; seat 1 may place there and outranks it."""
    table = placed({1: "61", 2: "24 25 26 37", 3: "77 71"}, roll=[2, 7], hands={1: "roll", 2: "swoop flock"})
    finish_turn(table, name)
    assert not table.over
    held = set(table.state()["birds"]["2"])
    theirs = [spot for spot in ("24", "25", "26") if spot in held]
    blocked = any("27" in spots for seat, spots in table.state()["birds"].items() if seat != "2")
    assert blocked or len(theirs) < 3


@pytest.mark.parametrize("name", ARCHETYPES)
@pytest.mark.parametrize("players", [2, 4])
def test_each_beats_random_play(name, players):
    """Against a table of random players; a fair share is 1 / players."""
    _, seats = play([name, *["random"] * (players - 1)], players, 24)
    share = seats["win_share"][seats["strategy"] == 0].mean()
    assert share > 0.85


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_games_end_in_flocks(players):
    rows, seats = play(ARCHETYPES, players, 60)
    assert (rows["end_reason"] == WIN).all()
    assert rows["turns"].mean() < 30 * players
    names = list(GAME.counters)
    square, line = (seats["counters"][..., names.index(name)].sum() for name in ("won_square", "won_line"))
    assert square + line >= len(rows)
    assert line > 0


@pytest.mark.parametrize("rules", ODD_RULES)
def test_odd_rules_are_played_to_their_end(rules):
    rows, _ = play(ARCHETYPES, 3, 12, turn_cap=200, **rules)
    assert (rows["end_reason"] > 0).all()


def test_the_same_seed_plays_the_same_games():
    first, _ = play(ARCHETYPES, 3, 9)
    again, _ = play(ARCHETYPES, 3, 9)
    other, _ = play(ARCHETYPES, 3, 9, seed=4)
    assert np.array_equal(first, again)
    assert not np.array_equal(first["digest"], other["digest"])


def test_builders_build_what_they_are_named_for():
    _, seats = play(["line-builder", "square-builder"], 2, 300)
    names = list(GAME.counters)
    squares = seats["counters"][..., names.index("won_square")]
    lines = seats["counters"][..., names.index("won_line")]
    share = [
        squares[seats["strategy"] == who].sum() / (squares + lines)[seats["strategy"] == who].sum() for who in (0, 1)
    ]
    assert share[1] > 1.25 * share[0]
