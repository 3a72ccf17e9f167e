"""4 the Birds against the independent oracle: refereed games, board files, and every way to play a turn.

A quarter of FLOCKSIM_ORACLE_GAMES (`make referee`: 500) is about how many traced games are refereed in all; a game
takes some 300 to 900 decisions. They are shared out over the numbers of players, the rules as printed, each parameter
by itself and rules that nobody printed; each of them gets a few at least.
"""

import os
import random
from itertools import pairwise

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies.catalogue import shipped
from flocksim.strategies.uniform import RANDOM

from tests.oracle.birds_board import axis
from tests.oracle.birds_position import CARDS, Listed, standard_rules
from tests.oracle.birds_referee import BirdsOracle, OracleTable, referee
from tests.oracle.replay import end_line
from tests.rules.birds_board_files import Drawn
from tests.rules.birds_oracle_tables import state

GAMES = int(os.environ.get("FLOCKSIM_ORACLE_GAMES", "30")) // 20  # for each number of players
SEED = 2024
PLAYERS = (2, 3, 4, 5, 6)
NO_CARDS = dict.fromkeys(CARDS, 0)


def traced(players, index, strategies=(RANDOM,), **changes):
    """The lines of one traced game, of uniformly random players unless others are named."""
    game = load_game("4-the-birds")
    rules = game.parameters.build(players, changes)
    return list(trace_game(game, rules, players, strategies, seed=SEED, index=index))


# ----------------------------------------------------------------------------------------- refereed games


@pytest.mark.refereed
@pytest.mark.parametrize("share", range(2))
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_traced_games(players, share):
    """Every line of every traced game agrees with the oracle, random and every shipped strategy in turn: a half."""
    strategies = list(shipped("4-the-birds").values())
    for index in range(share, max(4, GAMES // 2), 2):
        assert referee(traced(players, index, [RANDOM] if index % 4 < 2 else strategies)) == []


SIDES = {"2": 5, "3": 6, "4": 7, "5": 4, "6": 7}
VARIANTS = {
    "full": {"branch_layout": "full"},
    "other boards": {"board_size": SIDES},
    "4 birds": {"birds": 4},
    "8 birds": {"birds": 8},
    "no cards": {"cards": NO_CARDS},
    "three cards of each": {"cards": dict.fromkeys(CARDS, 3)},
    "12 crows": {"crows": 12, "crows_at_start": 8},
    "no crows": {"crows": 0, "crows_at_start": 0},
    "6 hawks": {"hawks": 6},
    "no hawks": {"hawks": 0, "hawks_at_start": 0},
    "no hawk at the start": {"hawks_at_start": 0},
    "no tokens": {"tokens": 0, "cards": {"roll": 0}},
    "many tokens": {"tokens": 40, "cards": NO_CARDS},
    "active": {"win_check": "active"},
    "shared": {"several_flocks": "shared"},
    "choose": {"setup": "choose"},
    "cards onto threat": {"cards_onto_threat": True, "hawks": 5, "cards": dict.fromkeys(CARDS, 2)},
    "shoo moves": {"shoo": {"remove": False}},
    "shoo removes": {"shoo": {"move": False}},
    "no shoo": {"shoo": {"move": False, "remove": False}},
    "mock moves": {"mock": {"place": False}},
    "mock places": {"mock": {"move": False}},
    "no mock": {"mock": {"move": False, "place": False}},
    "lines only": {"win_square": False},
    "squares only": {"win_line": False},
    "short": {"turn_cap": 7},
}


@pytest.mark.refereed
@pytest.mark.parametrize("variant", VARIANTS)
def test_oracle_replays_games_of_each_parameter(variant):
    """Each parameter by itself, random players, the numbers of players in turn: a quarter of the games."""
    for index in range(max(2, GAMES * len(PLAYERS) // 4 // len(VARIANTS))):
        players = PLAYERS[(list(VARIANTS).index(variant) + index) % len(PLAYERS)]
        assert referee(traced(players, index, **{"turn_cap": 200, **VARIANTS[variant]})) == [], players


def odd_rules(rng, players, folder):
    """Rules that nobody printed: every parameter somewhere else, now and then, and boards from files."""
    yes_no = lambda: rng.random() < 0.5  # noqa: E731
    crows, hawks, square = rng.randint(0, 12), rng.randint(0, 6), yes_no()
    odd = {
        "branch_layout": rng.choice(["full", str(board_file(rng, folder))]),
        "board_size": {str(number): rng.choice([4, 5, 6, 7]) for number in PLAYERS},
        "birds": rng.randint(4, 8),
        "cards": {card: rng.randint(0, 3) for card in CARDS},
        "tokens": rng.randint(0, 20),
        "win_check": "active",
        "several_flocks": "shared",
        "setup": "choose",
        "cards_onto_threat": True,
        "shoo": {"move": yes_no(), "remove": yes_no()},
        "mock": {"move": yes_no(), "place": yes_no()},
        "turn_cap": rng.choice([3, 30, 100]),
    }
    kept = rng.choice([0.2, 0.5, 0.9])
    return {
        **{name: value for name, value in odd.items() if rng.random() < kept},
        **{"crows": crows, "crows_at_start": rng.randint(0, min(4, crows)), "hawks": hawks},
        **{"hawks_at_start": rng.randint(0, min(1, hawks)), "win_square": square, "win_line": not square or yes_no()},
        "turn_cap": odd["turn_cap"],
    }


def board_file(rng, folder, side=9):
    path = folder / f"{rng.random()}.txt"
    path.write_text(Drawn(side, rng, missing=rng.choice([0, 0.05, 0.2])).text)
    return path


@pytest.mark.refereed
@pytest.mark.parametrize("players", PLAYERS)
def test_oracle_replays_games_by_odd_rules(players, tmp_path):
    """A quarter of the games; a board that cannot be played (no flock, no dot) is refused, and another one tried."""
    refereed = number = 0
    while refereed < max(4, GAMES // 4):
        changes = odd_rules(random.Random(f"{players} {number}"), players, tmp_path)
        number += 1
        try:
            lines = traced(players, number, **changes)
        except RulesError:
            continue
        refereed += 1
        assert referee(lines) == [], changes
    assert number < 3 * refereed


BARREN = {"cards": NO_CARDS, "tokens": 40, "birds": 4, "win_square": False, "turn_cap": 250}
BARREN |= {"board_size": dict.fromkeys(map(str, PLAYERS), 4)}
BARREN |= {"crows": 0, "crows_at_start": 0, "hawks": 0, "hawks_at_start": 0}


@pytest.mark.refereed
def test_oracle_replays_games_full_of_re_rolls():
    """B26: on a small board full of tokens; some rolls are left out of the lists, some games are a deadlock."""
    reasons, events = set(), set()
    for index in range(max(8, GAMES // 4)):
        lines = traced(PLAYERS[index % len(PLAYERS)], index, **BARREN)
        assert referee(lines) == []
        reasons.add(lines[-1]["end_reason"])
        events |= {kind for line in lines[1:-1] for event in line["chance"] for kind in event}
    assert reasons >= {"win", "deadlock"}
    assert events == {"roll", "more_rolls"}


# -------------------------------------------------------------------------------------------- board files


@pytest.mark.parametrize(("side", "players"), [(4, 2), (7, 3), (9, 2), (9, 4)])
def test_board_files_are_read_as_they_are_drawn(side, players, tmp_path):
    """B1: spots, branches and dots of a file, and a game on it; on the 7x7 board of a 9x9 file what is on it."""
    for seed in range(3):
        drawn = Drawn(side, random.Random(f"{side} {seed}"))
        path = tmp_path / f"oak-{seed}.txt"
        path.write_text(drawn.text)
        sizes = {"board_size": {"2": 4}} if side == 4 else {}
        lines = traced(players, seed, branch_layout=str(path), hawks_at_start=0, turn_cap=60, **sizes)
        told = lines[0]["rules"]["branch_layout"]
        assert {key: list(told[key]) for key in drawn.layout} == drawn.layout
        assert referee(lines) == []


# --------------------------------------------------------------------------- every way to play a turn

FEW, SOME = ("12 33 34", "22 44 45"), {"crows": "23", "hawks": "11-22"}
ALL_BIRDS = ("12 23 34 45 56 67", "13 24 35 46 57 71")
LATE = {"crows": "16 33 42 51 66 77", "hawks": "11-22 26-37 64-75"}
ONTO = {"cards_onto_threat": True}
TURNS = {
    **{f"a roll of {roll}": (FEW, {**SOME, "roll": roll}, {}) for roll in ("1 2", "crow 4", "4 hawk", "crow hawk")},
    **{card: (FEW, {**SOME, "roll": "7 7", "hands": {1: card}}, {}) for card in CARDS},
    **{f"{card} onto threat": (FEW, {**SOME, "roll": "7 7", "hands": {1: card}}, ONTO) for card in CARDS[2:]},
    "a bird to relocate": (ALL_BIRDS, LATE, {}),
    "a crow to relocate": (ALL_BIRDS, {**LATE, "roll": "crow 7"}, {}),
    "swoop, all in play": (ALL_BIRDS, {**LATE, "roll": "7 7", "hands": {1: "swoop"}}, {}),
    "three players": (("33 34", "43 44", "22 55"), {"roll": "3 hawk", "crows": "23 54", "hawks": "66-77"}, {}),
    "tokens": (("33 43 54", "34 45 55"), {"tokens": "21 44", "roll": "1 3"}, {}),
}


def whole_turns(table, first=None):
    """Every sequence of actions up to the end of the turn (ROLL ends it too): where the pieces are after each."""
    now = table.state()
    first = first or now["turn"]
    if now["end_reason"] or now["turn"] != first:
        yield {key: now[key] for key in ("birds", "reserve", "crows", "hawks", "tokens", "flock")}
        return
    for action in table.legal():
        yield action
        if action != {"play": "roll"}:
            after = table.copy()
            after.apply(action)
            yield from whole_turns(after, first)


@pytest.mark.parametrize("name", TURNS)
def test_every_way_to_play_a_turn(name):
    """From a fixed position the simulator and the oracle list the same actions, all the way, to the same ends."""
    on, told, changes = TURNS[name]
    game, players, start = load_game("4-the-birds"), len(on), state(on, rules=changes, **{"hands": {1: ""}, **told})
    engine = Table(game, game.parameters.build(players, changes), players=players)
    oracle = OracleTable(standard_rules(**changes), players)
    engine.place(start)
    oracle.place(start)
    assert engine.state() == oracle.state()
    assert list(whole_turns(engine)) == list(whole_turns(oracle))


# --------------------------------------------------------------------------------- fixed positions, played on


def tables(start, **changes):
    """The simulator's table and the oracle with a position on them."""
    players = len(start["birds"])
    game = load_game("4-the-birds")
    rules = game.parameters.build(players, changes)
    engine, oracle = Table(game, rules, players=players), BirdsOracle(rules.model_dump(), players)
    engine.place(start)
    oracle.place(start)
    return engine, oracle


def both_play(engine, oracle, action):
    """Both play it, the oracle with the simulator's dice: the same actions before, alike after. What chance did."""
    assert engine.legal() == oracle.legal()
    chance = Listed(engine.apply(action))
    oracle.carry_out(action, chance)
    chance.close()
    assert engine.state() == oracle.state()
    return chance.events


FLOCKS = ("11 12 21 22", "16 17 26 27", "61 62 71 72")


@pytest.mark.parametrize("rules", [{}, {"several_flocks": "shared"}, {"win_check": "active"}])
@pytest.mark.parametrize("active", [1, 2, 3])
@pytest.mark.parametrize("without", [None, 0, 1, 2])
def test_several_flocks(without, active, rules):
    """B3, B4: who wins, and who shares."""
    on = tuple("" if seat == without else spots for seat, spots in enumerate(FLOCKS))
    engine, oracle = tables(state(on, roll="4 5", active=active), **rules)
    both_play(engine, oracle, {"place": "45"})
    if oracle.position.end_reason:
        assert engine.end()["ranking"] == end_line(oracle, 1)["ranking"]


@pytest.mark.parametrize("side", [6, 7, 9])
def test_cards_regained_in_rolls_that_are_left_out(side):
    """B19, B26: one spot is left, and the cards that doubles bring back do nothing."""
    changes = {"board_size": {"2": side}, "crows": 0, "crows_at_start": 0, "hawks": 0, "hawks_at_start": 0}
    useless = ("shoo", "mock", "peck", "swoop", "flock")
    changes |= {"cards": dict.fromkeys(useless, 3), "tokens": side * side - 1}
    tokens = " ".join(f"{row}{column}" for row in axis(side) for column in axis(side) if (row, column) != (1, 1))
    discards = dict.fromkeys((1, 2), " ".join(useless * 3))
    told = {"roll": "1 1", "hands": {1: "", 2: ""}, "discards": discards, "tokens": tokens}
    engine, oracle = tables(state(("", ""), rules=changes, **told), **changes)
    left_out = [both_play(engine, oracle, {"place": "11"}) for _ in range(6)]
    assert any(
        two[0].keys() | two[1].keys() == {"more_rolls", "regain"} for events in left_out for two in pairwise(events)
    )
