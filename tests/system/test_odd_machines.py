"""Machines that are not set up as one would wish, and runs that are killed over and over."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.fuzz.profile import EXAMPLES
from tests.system.test_interruptions import files, finish, posix, start, whole, whole_folder  # noqa: F401 - fixtures

KILLS = 30 if EXAMPLES else 4

STUDY = """\
name: tiny
question: Größer ≥ 🐦?
game: flock-together
players: 2
variants: {standard: {}}
strategies: [random]
games: 60
seed: 3
"""

ENVIRONMENTS = {
    "no temporary folder": {"TMPDIR": "/proc/nothing", "TEMP": "/proc/nothing", "TMP": "/proc/nothing"},
    "no home": {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing", "USERPROFILE": "/proc/nothing"},
    "no UTF-8": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    "a dumb terminal": {"TERM": "dumb", "COLUMNS": "1"},
    "no terminal type": {"TERM": ""},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_a_run_and_its_report_work_anywhere(tmp_path, name):
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "flocksim", "run", "study.yaml", "--out", "run"],
        cwd=tmp_path,
        env={**os.environ, **ENVIRONMENTS[name]},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"run/report.html" in done.stdout.replace(b"\\", b"/")
    assert "Größer ≥ 🐦?" in (tmp_path / "run" / "report.html").read_text("utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"study.yaml", "run"}


def test_a_script_without_a_main_guard_plays_on_processes(tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    script = (
        'import flocksim\nrun = flocksim.run("study.yaml", out="run", backend="loky", jobs=2)\nprint(len(run.games))\n'
    )
    (tmp_path / "script.py").write_text(script, "utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "60\n", "")


@posix
def test_killed_again_and_again_with_other_workers_each_time(whole, tmp_path):  # noqa: F811 - a fixture
    """`make fuzz` kills it thirty times."""
    rng = random.Random(EXAMPLES)
    for _ in range(KILLS):
        process = start(tmp_path, "--jobs", rng.choice("123"), "--backend", rng.choice(["threading", "loky"]))
        time.sleep(rng.uniform(0, 4))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    finish(tmp_path, "--jobs", "2")
    assert files(tmp_path) == whole
