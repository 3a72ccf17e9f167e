"""Bots of the user's own, from the command line: the worked example of the docs, and bots that never choose."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.system.test_cli import ROOT, flocksim, ok

PAGE = (ROOT / "docs" / "own-bots.md").read_text("utf-8")

STUCK = """\
from flocksim import bot


@bot(seconds=0.5)
def waits(state, rules, choices, weights):
    n = 0
    while state.turns > 3:
        n = n ^ 1
    return 0


@bot(python=True, seconds=0.5)
def sleeps(view):
    while view.turn > 3:
        pass
    return 0
"""


STUCK_AT_TWELVE = """\
from flocksim import bot


@bot(seconds=0.5)
def waits(state, rules, choices, weights):
    n = 0
    while rules.hand_size == 12:
        n = n ^ 1
    return 0
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Path:
    """The files of the page, written as it says."""
    folder = tmp_path_factory.mktemp("example")
    (folder / "mine.yaml").write_text(blocks("yaml")[0], "utf-8")
    (folder / "my_bots.py").write_text(blocks("python")[0], "utf-8")
    return folder


def test_the_worked_example_works(example):
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    commands = {line.split()[1]: shlex.split(line)[1:] for line in lines}
    assert list(commands) == ["run", "league", "trace", "play"]
    assert "Report: " in ok(*commands["run"], "--games", "60", cwd=example)
    report = (example / "results" / "mine" / "report.md").read_text("utf-8")
    assert "catcher" in report
    ladder = ok(*commands["league"], "--games", "300", cwd=example)
    assert re.search(r"my_bots\.py:hasty", ladder)
    assert "lays all" in ok(*commands["trace"], cwd=example)
    played = flocksim(*commands["play"], cwd=example, stdin="1\nq\n")
    seated = sorted(re.findall(r"seat \d ([\w.:]+)", played.stdout.splitlines()[0]))
    assert seated == ["my_bots.py:hasty", "rusher", "you"]  # each once, whatever the seed


@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.parametrize("function", ["waits", "sleeps"])
def test_a_bot_that_never_chooses_ends_the_run_and_is_named(tmp_path, function, backend):
    (tmp_path / "stuck.py").write_text(STUCK, "utf-8")
    (tmp_path / "study.yaml").write_text(
        "name: stuck\ngame: flock-together\nplayers: 2\nvariants: {standard: {}}\ngames: 4\nseed: 3\n"
        f"strategies: [random, stuck.py:{function}]\n",
        "utf-8",
    )
    planned = flocksim("plan", "study.yaml", cwd=tmp_path)
    assert (planned.returncode, planned.stderr.splitlines()[-1]) == (
        2,
        f"flocksim: stuck.py:{function} has not chosen after 0.5 s",
    )
    done = flocksim("run", "study.yaml", "--backend", backend, "--quiet", cwd=tmp_path)
    assert done.returncode == 2
    told = done.stderr.splitlines()[-1]
    assert told.startswith(
        f"flocksim: stuck.py:{function} has not chosen after 0.5 s; seed 3, standard with 2 players, game 0. "
        "Finished parts are kept. The moment: flocksim trace results/stuck --variant standard --players 2 --game 0"
    )
    if backend == "threading":
        shown = flocksim(*shlex.split(told.partition("flocksim ")[2].rpartition("flocksim ")[2]), cwd=tmp_path)
        assert shown.returncode == 2
        assert "Turn 3" in shown.stdout
        assert f"stuck.py:{function} has not chosen after 0.5 s; at decision" in shown.stderr


@pytest.mark.parametrize(("backend", "jobs"), [("dask", 1), ("dask", 2), ("ray", 2)])
def test_it_does_so_on_a_cluster_too(tmp_path, backend, jobs):
    """joblib plays in the run's own process where there is one worker. Eight variants are over before the ninth."""
    pytest.importorskip("distributed" if backend == "dask" else backend)
    (tmp_path / "stuck.py").write_text(STUCK_AT_TWELVE, "utf-8")
    variants = ", ".join(f"hand-{size}: {{hand_size: {size}}}" for size in range(4, 13))
    (tmp_path / "study.yaml").write_text(
        f"name: stuck\ngame: flock-together\nplayers: 2\nvariants: {{{variants}}}\ngames: 4\nseed: 3\n"
        "strategies: [random, stuck.py:waits]\n",
        "utf-8",
    )
    words = ("--backend", backend, "--jobs", str(jobs), "--quiet")
    done = flocksim("run", "study.yaml", *words, cwd=tmp_path)
    told = [line for line in done.stderr.splitlines() if line.startswith("flocksim: ")]
    path = tmp_path / "results" / "stuck"
    assert told == [
        "flocksim: stuck.py:waits has not chosen after 0.5 s; seed 3, hand-12 with 2 players, game 0. Finished parts "
        f"are kept. The moment: flocksim trace {path} --variant hand-12 --players 2 --game 0 --pretty"
    ]
    assert done.returncode == 2
    assert len(list(path.glob("games/*.parquet"))) == 8
    assert not (path / ".note").exists()


def test_a_run_goes_on_after_a_bot_that_fails_now_and_then(tmp_path):
    """What is stored when a bot raises stays, and the games are those of a bot that never raised."""
    bot = (
        "import os\n\n\ndef f(view):\n"
        "    if view.turn == 4 and os.path.exists('fail') and view.random.random() < 0.02:\n"
        "        raise ValueError('now')\n    return 0\n"
    )
    (tmp_path / "moody.py").write_text(bot, "utf-8")
    (tmp_path / "study.yaml").write_text(
        "name: moody\ngame: flock-together\nplayers: [2, 3]\nvariants: {standard: {}, quick: {preset: quick-game}}\n"
        "games: 60\nseed: 3\nstrategies: [random, moody.py:f]\n",
        "utf-8",
    )
    (tmp_path / "fail").touch()
    words = ("run", "study.yaml", "--quiet", "--jobs", "1", "--no-report")
    done = flocksim(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert "raised ValueError: now (moody.py:6)" in done.stderr
    kept = {path.name: path.read_bytes() for path in (tmp_path / "results" / "moody" / "games").glob("*.parquet")}
    (tmp_path / "fail").unlink()
    assert ok(*words, cwd=tmp_path) == ""
    assert ok(*words, "--out", "other", cwd=tmp_path) == ""
    whole = {path.name: path.read_bytes() for path in (tmp_path / "other" / "games").glob("*.parquet")}
    assert kept.items() <= whole.items()
    assert {path.name: path.read_bytes() for path in (tmp_path / "results/moody/games").glob("*.parquet")} == whole


@pytest.mark.parametrize(("does", "told"), [("pass", "has not chosen after 0.5 s"), ("raise ValueError", "ValueError")])
def test_one_that_fails_in_a_game_of_luck_is_told_so(tmp_path, does, told):
    (tmp_path / "tired.py").write_text(
        "from flocksim import bot\n\ncalls = 0\n\n\n@bot(python=True, seconds=0.5)\ndef f(view):\n"
        f"    global calls\n    calls += 1\n    while calls > 1000:\n        {does}\n    return 0\n",
        "utf-8",
    )
    (tmp_path / "study.yaml").write_text(
        "name: tired\ngame: flock-together\nplayers: 2\nvariants: {standard: {}}\ngames: 4\nluck: 540\nseed: 3\n"
        "strategies: [random, tired.py:f]\n",
        "utf-8",
    )
    done = flocksim("run", "study.yaml", "--quiet", "--jobs", "1", "--no-report", cwd=tmp_path)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert told in last
    assert "seed 3, standard with 2 players, in a game that tells luck from skill. Finished parts are kept" in last
    assert len(list((tmp_path / "results" / "tired" / "games").glob("*.parquet"))) == 1
