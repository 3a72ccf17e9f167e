"""Which of equal choices comes first in a list decides nothing: ties are broken at random, by the bot's own stream."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.compiled import kernel
from flocksim.simulate.engine import engine_of
from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.table import Table
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import RANDOM, never_asked

from tests.toy import DIE_A, DIE_B, TOY
from tests.unit.test_game_contract import play

ASKED = 60


@kernel
def backwards(s, rules, choices):
    choices.actions[0] = DIE_B
    choices.actions[1] = DIE_A
    choices.count = 2


def takes_the_first(s, rules, choices, weights):
    return 0


def turned_round(game):
    """The game with its lists of legal actions turned round."""
    legal = engine_of(game).legal  # compiled already

    def backwards_(s, rules, choices):
        legal(s, rules, choices)
        for index in range(choices.count // 2):
            other = choices.count - 1 - index
            action = choices.actions[index]
            choices.actions[index] = choices.actions[other]
            choices.actions[other] = action

    return replace(game, legal=backwards_)


def wins(game, strategies):
    """Mean and standard error of what the first of two strategies wins."""
    _, seats = play(game, 2, 1_000, strategies)
    blocks = np.where(seats["strategy"] == 0, seats["win_share"], 0).sum(axis=1).reshape(-1, 2).mean(axis=1)
    return blocks.mean(), blocks.std() / np.sqrt(len(blocks))


def shift(game, *pair):
    """By how many standard errors turning the lists round changes what the first of two strategies wins."""
    (one, error), (other, other_error) = wins(game, pair), wins(turned_round(game), pair)
    return abs(one - other) / np.hypot(error, other_error)


@pytest.mark.parametrize("name", GAMES)
def test_win_rates_are_the_same_with_lists_turned_round(name):
    archetype = catalogue.archetypes(name)[-1]
    assert shift(load_game(name), catalogue.find(name, catalogue.TUNED), archetype) < 5


def test_they_are_not_for_who_takes_the_first_choice():
    assert shift(load_game("flock-together"), Strategy("first", takes_the_first), RANDOM) > 20


@pytest.mark.parametrize("iterations", [1, 3, 6])
def test_a_search_takes_either_die_as_often_in_either_order(iterations):
    """With so few iterations most are ties."""
    search = Strategy("search", never_asked, noise=1.0, iterations=iterations)
    taken = [play(game, 2, 1500, [search])[1]["counters"].mean() for game in (TOY, replace(TOY, legal=backwards))]
    assert abs(taken[0] - taken[1]) < 5 * np.sqrt(2 * 0.25 / 3000)


def front(table, team, who, backwards_):
    """How often a strategy picks from the front half of the list, less how often from the back half."""
    asked = table.copy()
    count = len(asked.legal_codes())
    if backwards_:
        asked.choices["actions"][0, :count] = asked.choices["actions"][0, :count][::-1].copy()
    places = np.array([asked.choose(team, who) for _ in range(ASKED)])
    return np.sign((count - 1) / 2 - places).sum()


@pytest.mark.parametrize("name", GAMES)
def test_no_archetype_prefers_what_comes_first(name):
    """Turning a list round turns a choice's place round, so that what a bot picks from the front one way it picks from
    the back the other way; who takes the first of equal choices picks from the front both ways.
    """
    game = load_game(name)
    shipped = [strategy for key, strategy in catalogue.shipped(name).items() if key != "random"]
    team = Team(game, shipped)
    leaning, asked = 0, 0
    for seed in range(3):
        table = Table(game, game.parameters.build(2), 2)
        table.deal(seed)
        rng = np.random.default_rng(seed)
        for _ in range(12):
            if table.over:
                break
            codes = table.legal_codes()
            if len(codes) > 1:
                for who in range(len(shipped)):
                    leaning += front(table, team, who, False) + front(table, team, who, True)
                    asked += 2 * ASKED
            table.apply_code(codes[rng.integers(len(codes))])
    assert asked > 50 * ASKED
    assert abs(leaning) < 5 * np.sqrt(asked)
