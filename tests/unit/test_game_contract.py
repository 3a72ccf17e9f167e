"""What every game has to keep to, so that driver, traces, stores and bots can rely on it.

A new game joins by a line in GAMES.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from flocksim.simulate.bots import Team
from flocksim.simulate.driver import GameRow, seat_dtype
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games import load_game
from flocksim.simulate.layout import END_REASONS, MAX_ACTIONS
from flocksim.simulate.plan import Part, Study, Variant
from flocksim.simulate.player import BlockPlayer
from flocksim.simulate.table import Table
from flocksim.simulate.trace import pretty, trace_game
from flocksim.strategies.uniform import RANDOM

from tests.toy import TAKE_A, TAKE_B, TOY

GAMES = {"toy": TOY} | {name: load_game(name) for name in ("4-the-birds", "flock", "flock-together", "flockers")}
SEATS = [(name, n) for name, game in GAMES.items() for n in range(game.seats[0], game.seats[1] + 1)]


def play(game, players, blocks, strategies=(RANDOM,), seed=7, first=0, rules=None):
    """Play blocks in memory. Returns (games, seats)."""
    rules = rules or game.parameters.build(players)
    study = Study("test", game, (players,), (Variant("standard", rules),), tuple(strategies), 1, seed)
    games = np.zeros(blocks * players, GameRow)
    seats = np.zeros((blocks * players, players), seat_dtype(len(game.counters)))
    BlockPlayer(study, Part(0, players, 0, 0, blocks))(first, games, seats)
    return games, seats


def random_steps(table, seed, steps=10_000):
    """Play uniformly random legal actions, yielding before each."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if table.over:
            return
        yield table
        codes = table.legal_codes()
        table.apply_code(codes[rng.integers(len(codes))])


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_games_end_and_are_ranked(name, players):
    games, seats = play(GAMES[name], players, 40)
    assert set(games["end_reason"]) <= {1, 2, 3, 4}
    assert (games["decisions"] >= games["turns"]).all()
    won = games["winners"] > 0
    decided = np.isin(games["end_reason"], [1, 2])
    if players > 1:  # alone, a seat can lose to an opponent that has none
        assert (seats["rank"].min(axis=1) == 1).all()
        assert (won == decided).all()
    assert np.allclose(seats["win_share"].sum(axis=1), won)
    assert ((seats["win_share"] > 0).sum(axis=1) == games["winners"]).all()
    assert (games["margin"][games["winners"] != 1] == 0).all()


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_a_block_is_every_rotation_of_one_line_up(name, players):
    names = [TAKE_A, TAKE_B] if name == "toy" else [RANDOM] * 7
    _, seats = play(GAMES[name], players, 30, names)
    line_ups = seats["strategy"].reshape(30, players, players)
    for block in line_ups:
        for rotation in range(players):
            assert list(block[rotation]) == list(np.roll(block[0], -rotation))


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_rows_do_not_depend_on_how_blocks_are_batched(name, players):
    whole, seats = play(GAMES[name], players, 12)
    parts = [play(GAMES[name], players, blocks, first=first) for first, blocks in ((0, 5), (5, 1), (6, 6))]
    assert np.array_equal(whole, np.concatenate([part[0] for part in parts]))
    assert np.array_equal(seats, np.concatenate([part[1] for part in parts]))


@pytest.mark.parametrize(("name", "players"), SEATS)
def test_a_trace_is_the_game_of_its_row(name, players):
    game = GAMES[name]
    games, seats = play(game, players, 3)
    for index in (0, players, 3 * players - 1):
        lines = list(trace_game(game, game.parameters.build(players), players, [RANDOM], 7, index))
        end, row = lines[-1], games[index]
        assert end["digest"] == f"{row['digest']:016x}"
        assert (end["turns"], end["rounds"], end["decisions"]) == (
            row["turns"],
            row["rounds"],
            row["decisions"],
        )
        assert end["end_reason"] == END_REASONS[row["end_reason"]]
        for place in end["ranking"]:
            seat = seats[index, place["seat"] - 1]
            assert (place["rank"], place["score"], place["win_share"]) == (
                seat["rank"],
                seat["score"],
                seat["win_share"],
            )
        assert any(text for text in pretty(game, lines))


@pytest.mark.parametrize("name", GAMES)
def test_legal_lists_are_proper_and_words_go_both_ways(name):
    game = GAMES[name]
    players = game.seats[1]
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed=3)
    for step in random_steps(table, 3):
        codes, actions = step.legal_codes(), step.legal()
        assert 1 <= len(codes) <= MAX_ACTIONS
        assert len(set(codes)) == len(codes)
        assert [game.words.code(action) for action in actions] == codes
        assert step.decision in game.decisions
    assert table.legal() == []
    assert table.to_move is None


@pytest.mark.parametrize("name", GAMES)
def test_a_state_in_words_can_be_put_back(name):
    game = GAMES[name]
    players = game.seats[0]
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed=4)
    for step in random_steps(table, 4, steps=25):
        twin = Table(game, game.parameters.build(players), players)
        state = step.state()
        twin.place(state)
        again = twin.state()
        for hidden in ("draw_pile",):  # the order is chance's, the cards are the same
            if hidden in state:
                assert sorted(again.pop(hidden)) == sorted(state.pop(hidden))
        assert again == state
        assert twin.legal_codes() == step.legal_codes()


@pytest.mark.parametrize("name", GAMES)
def test_redealing_leaves_a_seat_what_it_sees(name):
    game = GAMES[name]
    players = game.seats[1]
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed=5)
    for step in random_steps(table, 5):
        twin = step.copy()
        twin.redeal(step.to_move)
        assert twin.legal_codes() == step.legal_codes()
        assert twin.to_move == step.to_move


@pytest.mark.parametrize("name", GAMES)
def test_standings_are_those_of_the_table_and_change_nothing(name):
    game = GAMES[name]
    players = game.seats[1]
    table = Table(game, game.parameters.build(players), players)
    table.deal(seed=8)
    seen = []
    for step in random_steps(table, 8):
        before = step.copy()
        seen.append(step.standings())
        assert len(seen[-1]) == players
        assert before.state() == step.state()
        assert before.copy().standings() == seen[-1]
    assert game.standing_word
    assert min(map(min, seen)) >= 0


@pytest.mark.parametrize("name", GAMES)
def test_copies_are_independent(name):
    game = GAMES[name]
    table = Table(game, game.parameters.build(2), 2)
    table.deal(seed=6)
    before = table.state()
    for _ in random_steps(table.copy(), 6):
        pass
    assert table.state() == before


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_is_refused(name):
    game = GAMES[name]
    table = Table(game, game.parameters.build(2), 2)
    table.deal(seed=6)
    action = table.legal()[0]
    for _ in random_steps(table, 6):
        pass
    with pytest.raises(FlocksimError, match="not legal"):
        table.apply(action)


@pytest.mark.parametrize("name", GAMES)
def test_the_player_count_is_checked(name):
    with pytest.raises(FlocksimError, match="players, not 9"):
        GAMES[name].check_players(9)


@pytest.mark.parametrize("name", GAMES)
def test_counters_have_words_and_a_place_in_the_report(name):
    game = GAMES[name]
    assert set(game.counter_words) <= set(game.counters)
    grouped = [counter for counters in game.counter_groups.values() for counter in counters]
    assert sorted(grouped) == sorted(set(grouped) & set(game.counters))
    if name != "toy":
        mapped = {game.board_map.counter} if game.board_map else set()
        assert set(game.counter_words) == set(grouped) | mapped == set(game.counters)
        assert set(game.uses) <= set(game.counters)
        assert {name for names in game.win_kinds.values() for name in names} <= set(game.counters)
    for chart in game.charts:
        assert set(chart.counters) <= set(game.counters)
        assert len(set(chart.counters.values())) == len(chart.counters)
        assert chart.title.endswith("?")
        assert re.fullmatch("[a-z]+", chart.key)


def test_the_toy_has_its_known_odds():
    games, seats = play(TOY, 2, 20_000, [TAKE_A, TAKE_B])
    a_wins = seats["win_share"][seats["strategy"] == 0].reshape(-1, 2).mean(axis=1)  # a block: both rotations
    error = a_wins.std() / np.sqrt(len(a_wins))
    assert abs(a_wins.mean() - 7 / 12) < 4 * error
    assert error < 0.003
    assert (games["winners"] == 1).all()


def test_equal_toy_dice_tie_as_often_as_they_should():
    games, _ = play(TOY, 2, 20_000, [TAKE_A])
    ties = (games["winners"] == 2).mean()
    assert abs(ties - 26 / 36) < 4 * np.sqrt(26 / 36 * 10 / 36 / 20_000)


@pytest.mark.parametrize(("bank", "chance"), [(0, 1), (3, 1), (5, 1 / 6), (6, 1 / 6), (7, 0)])
def test_a_bank_without_a_seat_takes_a_rank_of_its_own(bank, chance):
    """Die A alone, by itself and in pairs, against a roll that wins when it is higher."""
    rules = TOY.parameters.build(2, {"bank": bank})
    games, seats = play(TOY, 2, 5_000, [TAKE_A], rules=rules)
    best = seats["score"].max(axis=1)
    assert (games["winners"] == np.where(best >= bank, (seats["score"] == best[:, None]).sum(axis=1), 0)).all()
    assert (seats["rank"].min(axis=1) == np.where(best >= bank, 1, 2)).all()
    assert np.allclose(seats["win_share"].sum(axis=1), best >= bank)
    assert abs((best >= bank).mean() - (1 - (1 - chance) ** 2)) < 0.03


def test_positions_that_no_table_has_are_refused():
    table = Table(TOY, TOY.parameters.build(2), 2)
    table.deal(1)
    state = table.state()
    for change, word in (
        ({"to_move": 3}, "a seat from 1 to 2"),
        ({"to_move": 0}, "to_move"),
        ({"decision": "fly"}, "fly"),
    ):
        with pytest.raises(FlocksimError, match=word):
            table.place(state | change)


@pytest.mark.parametrize(
    ("change", "word"), [({"noise": 1.5}, "noise: 1.5"), ({"weights": (float("nan"),)}, "weights")]
)
def test_strategies_that_no_kernel_may_be_handed_are_refused(change, word):
    with pytest.raises(FlocksimError, match=word):
        Team(TOY, [dataclasses.replace(TAKE_A, **change)])
