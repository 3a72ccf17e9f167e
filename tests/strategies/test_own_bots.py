"""Bots from a file of the user's own: how they are read and asked, and what is said when they go wrong."""

from __future__ import annotations

import contextlib
import pickle

import numpy as np
import pytest
from flocksim.simulate.bots import Strategy, Team
from flocksim.simulate.engine import engine_of
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.own_bots import OwnBot, is_own, own_name
from flocksim.simulate.player import Unchosen
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game

from flocksim.study import load_study, make_study
from tests.toy import TAKE_A, TOY
from tests.unit.test_game_contract import play

FILE = """\
import numba
import numpy as np
from flocksim import bot, random_below


@numba.njit
def second():
    return 1


@bot
def takes_b(state, rules, choices, weights):
    return second()


@bot
def any_die(state, rules, choices, weights):
    return random_below(state, choices.count)


@bot
def multiplies(state, rules, choices, weights):
    return int((np.ones((2, 2)) @ np.ones(2))[0]) - 1


@bot
def too_far(state, rules, choices, weights):
    return choices.count


@bot
def lost(state, rules, choices, weights):
    if state.players > 1:
        raise ValueError("no idea")
    return 0


@bot
def outside(state, rules, choices, weights):
    return int(weights[len(weights) + state.turns])


@bot
def vandal(state, rules, choices, weights):
    state.roll[:] = 9
    choices.count = 1
    weights[:] = 7
    return 0


@bot
def peeks(state, rules, choices, weights):
    return int(state.streams[0] >> 63)


def chatty(view):
    return {"die": "B"} if view.state["rolls"] and view.actions[1] == {"die": "B"} else 0


def chance(view):
    return view.random.choice(view.actions)


def dreamer(view):
    return {"die": "C"}


def leaves(view):
    raise SystemExit(0)


def shrugs(view):
    return None


def breaks(view):
    return view.nothing


@bot(python=True, seconds=2.5)
def marked(view):
    return 1
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "my_bots.py").write_text(FILE, "utf-8")
    return tmp_path


def own(folder, function, name="own", **details):
    return Strategy(name, OwnBot.named(f"my_bots.py:{function}", folder), (0.0, 0.0), **details)


def refused(folder, text, function="f"):
    (folder / "bad.py").write_text(text, "utf-8")
    with pytest.raises(FlocksimError) as caught:
        engine_of(TOY).bot(OwnBot.named("bad.py:" + function, folder))
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(str(folder / "bad.py"))


def test_names_of_bots():
    assert is_own("my_bots.py:rusher")
    assert is_own("../bots/my_bots.py:rusher")
    assert not is_own("ismcts:10:rusher")
    assert own_name("a/b/my_bots.py:rusher") == "my_bots.py:rusher"
    assert own_name("rusher") == "rusher"


# --- asking ---


@pytest.mark.parametrize(
    ("function", "b_taken"), [("takes_b", 1), ("multiplies", 1), ("chatty", 1), ("marked", 1), ("vandal", 0)]
)
def test_a_bot_plays(file, function, b_taken):
    games, seats = play(TOY, 3, 4, [own(file, function), TAKE_A])
    assert (seats["counters"][seats["strategy"] == 0] == b_taken).all()
    rolled = seats["score"]
    assert set(np.unique(rolled)) <= {2, 3, 5, 6}, "what a bot writes is written on copies"
    again, _ = play(TOY, 3, 4, [own(file, function), TAKE_A])
    assert np.array_equal(games, again)


@pytest.mark.parametrize("function", ["any_die", "chance"])
def test_random_numbers_are_the_bots_own_and_the_same_again(file, function):
    team = [own(file, function), TAKE_A]
    games, seats = play(TOY, 2, 40, team)
    taken = seats["counters"][seats["strategy"] == 0].mean()
    assert 0.3 < taken < 0.7
    lines = list(trace_game(TOY, TOY.parameters.build(2), 2, team, 7, 5))
    assert lines[-1]["digest"] == f"{games[5]['digest']:016x}"


def test_noise_and_restrictions_hold_for_own_bots_too(file):
    _, seats = play(TOY, 2, 200, [own(file, "takes_b", noise=0.5), TAKE_A])
    assert 0.6 < seats["counters"][seats["strategy"] == 0].mean() < 0.9
    _, seats = play(TOY, 2, 20, [own(file, "any_die", without=("die-b",)), TAKE_A])
    assert (seats["counters"] == 0).all()


def test_the_dice_to_come_are_not_those_that_a_bot_can_look_up(file):
    """What `peeks` finds in the stream of the dice goes with the bot's own stream, not with the game's dice."""
    table, team = Table(TOY, TOY.parameters.build(2), 2), Team(TOY, [own(file, "peeks")])
    chosen = set()
    for dice in range(60):
        table.deal(3)
        table.states["streams"][0][1] = np.uint64(dice) << np.uint64(58)
        table.states["streams"][0][0] = np.uint64(dice) << np.uint64(58)
        chosen.add(table.choose(team, 0))
    assert len(chosen) == 1
    assert {table.choose(team, 0) for _ in range(60)} == {0, 1}


# --- going wrong in play ---


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("too_far", "own chose 2; allowed: 0 to 1, the index of one of 2 legal actions"),
        ("lost", "own raised ValueError: no idea ("),
        ("outside", "own raised IndexError: "),
        ("dreamer", "own answered {'die': 'C'}, which is not legal"),
        ("leaves", "own raised SystemExit: 0 ("),
        ("shrugs", "own answered None; allowed: a legal action or its index"),
        ("breaks", "own raised AttributeError: 'View' object has no attribute 'nothing' ("),
    ],
)
def test_a_bot_that_does_not_choose_is_named_with_its_game(file, function, told):
    with pytest.raises(Unchosen) as caught:
        play(TOY, 2, 4, [TAKE_A, own(file, function)])
    assert told in str(caught.value)
    assert caught.value.game == 0
    if "raised" in told:
        line = next(n for n, text in enumerate(FILE.splitlines(), 1) if f"def {function}(" in text)
        found = int(str(caught.value).rsplit(":", 1)[1].rstrip(")"))
        assert line < found <= line + 2
    with pytest.raises(FlocksimError) as traced:
        list(trace_game(TOY, TOY.parameters.build(2), 2, [TAKE_A, own(file, function)], 7, 0))
    assert told in str(traced.value)
    assert "; at decision " in str(traced.value)


def test_a_trace_tells_what_came_before_the_fault(file):
    lines = []
    told = trace_game(TOY, TOY.parameters.build(2), 2, [TAKE_A, own(file, "lost")], 7, 1)
    with contextlib.suppress(FlocksimError):
        for line in told:
            lines.append(line)
    first = lines[0]["seats"][0]["strategy"]
    assert len(lines) == (3 if first == "take-a" else 2), "header, set-up, what the other did"


# --- files that are no bots ---


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def f(:\n", ":1: not valid Python: invalid syntax"),
        ("x = 1\ny = x.z\n", ":2: AttributeError: 'int' object has no attribute 'z'"),
        ("import no_such_thing\n", ":1: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("raise SystemExit\n", ":1: SystemExit"),
        ("def g(view):\n    return 0\n", ": unknown function 'f'; known: g"),
        ("x = 1\n", ": has no function"),
        ("from flocksim import bot as f\n", ": has no function"),
        ("def f(state, rules, choices, weights):\n    return 0\n",
         ":1: f(state, rules, choices, weights) is not allowed; "
         "a plain Python bot is f(view); is '@bot' missing above it?"),
        ("from flocksim import bot\n\n@bot\ndef f(view):\n    return 0\n", ":3: f(view) is not allowed; "
         "a compiled bot is f(state, rules, choices, weights)"),
        ("from flocksim import bot\n@bot\ndef f(state, rules, choices, weights):\n    return state.rol[0]\n",
         ":4: unknown field of state 'rol' (did you mean 'roll'?); known: players, "),
        ("from flocksim import bot\n@bot\ndef f(state, rules, choices, weights):\n    return 0.5\n",
         ":2: f does not answer with a whole number on every way through it"),
        ("from flocksim import bot\n@bot\ndef f(state, rules, choices, weights):\n    x = 1\n    return x + 'a'\n",
         ":5: numba cannot compile f: "),
        ("from flocksim import bot\n@bot\ndef f(state, rules, choices, weights):\n    return nothing\n",
         ":2: numba cannot compile f: NameError: name 'nothing' is not defined"),
    ],
)  # fmt: skip
def test_what_is_no_bot_is_refused_with_file_and_line(tmp_path, text, told):
    assert refused(tmp_path, text).startswith(told)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FlocksimError, match=r"none\.py: cannot be read"):
        OwnBot.named("none.py:f", tmp_path)


# --- in studies ---


def config(*strategies):
    return f"""\
name: x
game: flock-together
players: 2
variants: {{standard: {{}}}}
strategies: [{", ".join(strategies)}]
games: 4
seed: 1
"""


def test_a_config_names_a_bot_beside_it(file):
    (file / "study.yaml").write_text(config("rusher", "./my_bots.py:takes_b", "{name: y, base: my_bots.py:any_die, "
                                            "noise: 0.2, weights: {fly: 2}, without: fly-big}"), "utf-8")  # fmt: skip
    study = load_study(file / "study.yaml")
    assert [strategy.name for strategy in study.strategies] == ["rusher", "my_bots.py:takes_b", "y"]
    assert study.strategies[2].noise == 0.2
    assert sum(study.strategies[2].weights) == 2
    again = make_study(study.config())
    assert again.hash() == study.hash(), "a config that stands for itself needs no file"
    assert pickle.loads(pickle.dumps(study)).hash() == study.hash()
    (file / "my_bots.py").write_text(FILE.replace("return 1", "return 0"), "utf-8")
    assert load_study(file / "study.yaml").hash() != study.hash()


def test_a_mistake_in_a_bot_stands_at_its_entry(file):
    (file / "study.yaml").write_text(config("rusher", "my_bots.py:taks_b"), "utf-8")
    with pytest.raises(FlocksimError) as caught:
        load_study(file / "study.yaml")
    told = str(caught.value)
    assert told.startswith(f"{file / 'study.yaml'}:5: strategies: entry 2: {file / 'my_bots.py'}: unknown function")
    assert "did you mean 'takes_b'?" in told


def test_a_plain_python_bot_takes_no_weights(file):
    (file / "study.yaml").write_text(config("{name: y, base: my_bots.py:chatty, weights: {fly: 2}}"), "utf-8")
    with pytest.raises(FlocksimError, match="a plain Python bot takes no weights"):
        load_study(file / "study.yaml")
