"""`flocksim tune` as a user calls it: what it writes, prints and refuses, and what Ctrl-C leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from flocksim.simulate.errors import FlocksimError
from flocksim.strategies import catalogue

from flocksim import weights_file
from flocksim.cli import cli

GAME = "flock-together"
SMALL = ("--players", "2", "--games", "40", "--candidates", "4", "--generations", "2", "--final", "400")


def tune(*words: str, cwd: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "flocksim", "tune", GAME, *words],
        capture_output=True, text=True, cwd=cwd, check=False, timeout=120,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("tune")


@pytest.fixture(scope="module")
def tuned(folder) -> str:
    done = tune(*SMALL, "--base", "rusher", "--keep", "fly,fly_big", "--set", "hand_size=7", "--jobs", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_it_prints_an_estimate_and_writes_where_the_weights_come_from(folder, tuned):
    lines = tuned.splitlines()
    assert lines[0].split()[:2] == ["players", "fair,"]
    assert "rusher, %" in lines[0]
    assert lines[1].split()[:2] == ["2", "50.0"]
    assert lines[-1] == "Weights: tuned-flock-together.yaml"
    file = yaml.safe_load((folder / "tuned-flock-together.yaml").read_text("utf-8"))
    assert file["players"] == [2]
    assert file["base"] == "rusher"
    assert file["against"] == [strategy.name for strategy in catalogue.archetypes(GAME)]
    estimate = file["estimate"][2]
    assert estimate["low"] < estimate["wins"] < estimate["high"]
    assert estimate["gain"] == pytest.approx(estimate["wins"] - estimate["base_wins"], abs=0.02)
    weights = weights_file.read(folder / "tuned-flock-together.yaml", GAME)
    rusher = dict(zip(catalogue.features(GAME), catalogue.find(GAME, "rusher").weights, strict=True))
    assert weights["fly"] == rusher["fly"]
    assert weights["fly_win"] == rusher["fly_win"]
    assert weights["flight_ahead"] != rusher["flight_ahead"]


def test_the_command_in_the_file_finds_the_same_with_any_number_of_workers(folder, tuned):
    path = folder / "tuned-flock-together.yaml"
    command = yaml.safe_load(path.read_text("utf-8"))["command"]
    assert command.startswith(f"flocksim tune {GAME} ")
    done = tune(*command.split()[3:], "--jobs", "3", "--out", "again.yaml", "--quiet", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "again.yaml").read_bytes() == path.read_bytes()


def test_a_file_that_is_there_is_kept_unless_told(folder, tuned):
    path = folder / "tuned-flock-together.yaml"
    before = path.read_bytes()
    done = tune(*SMALL, cwd=folder)
    assert done.returncode == 2
    assert done.stderr == f"flocksim: {path.name}: is there already; --force replaces it, --out writes elsewhere\n"
    assert path.read_bytes() == before
    (folder / "other.yaml").write_text("mine", "utf-8")
    assert tune(*SMALL, "--force", "--out", "other.yaml", cwd=folder).returncode == 0
    assert weights_file.read(folder / "other.yaml", GAME)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["flok"], "unknown game 'flok' (did you mean 'flock'?)"),
        ([GAME, "--players", "6"], "takes 2 to 5 players, not 6"),
        ([GAME, "--base", "random"], "--base: unknown strategy with weights 'random'"),
        ([GAME, "--base", "rushr"], "did you mean 'rusher'"),
        ([GAME, "--against", "rushr"], "unknown strategy 'rushr' (did you mean 'rusher'?)"),
        ([GAME, "--against", ","], "at least one name is needed"),
        ([GAME, "--keep", "flie"], "--keep: unknown feature 'flie'"),
        ([GAME, "--keep", ",".join(catalogue.features(GAME))], "--keep: no weight is left"),
        ([GAME, "--set", "hand_size=70"], "--set: hand_size: 70 is not allowed"),
        ([GAME, "--variant", "quick"], "did you mean 'quick-game'"),
        ([GAME, "--candidates", "3"], "'3' is not allowed; allowed: a whole number from 4"),
        ([GAME, "--generations", "0"], "'0' is not allowed"),
        ([GAME, "--out", "."], "--out: '.' is a folder; a file is wanted"),
        ([GAME, "--out", "nowhere/x.yaml"], "--out: there is no folder 'nowhere'"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(words, expected):
    error = CliRunner().invoke(cli, ["tune", *words], standalone_mode=False).exception
    assert expected in str(getattr(error, "message", error))
    assert isinstance(error, FlocksimError) or hasattr(error, "message")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_ctrl_c_keeps_the_best_so_far(folder, tuned):
    path = folder / "long.yaml"
    process = subprocess.Popen(
        [sys.executable, "-m", "flocksim", "tune", GAME, "--games", "400", "--generations", "1e6", "--out", path.name],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not path.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    assert process.poll() is None
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - pressed < 3  # a second on an idle machine
    assert process.returncode == 130
    assert (out, err) == ("", "flocksim: interrupted; long.yaml holds the best so far, not measured\n")
    assert weights_file.read(path, GAME)
    assert "estimate" not in path.read_text("utf-8")
    assert not list(folder.glob("*.tmp"))
