"""Real processes, really interrupted: what is finished stays, what comes out is the same."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from flocksim.simulate.backends import CLUSTERS

CONFIG = """\
name: interrupted
game: flock-together
players: [2, 4]
variants: {standard: {}, quick-game: {preset: quick-game}}
strategies: [random, all-rounder, rusher]
games: 60_000
seed: 3
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


def command(folder: Path, *extra: str) -> list[str]:
    return [
        sys.executable, "-m", "flocksim", "run", str(folder / "study.yaml"),
        "--out", str(folder / "run"), "--no-report", *extra,
    ]  # fmt: skip


def start(folder: Path, *extra: str, **environment: str) -> subprocess.Popen:
    folder.mkdir(exist_ok=True)
    (folder / "study.yaml").write_text(CONFIG, "utf-8")
    return subprocess.Popen(
        command(folder, *extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def finish(folder: Path, *extra: str, **environment: str) -> str:
    process = start(folder, *extra, **environment)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / "run").rglob("*.parquet"))
    } | {"run/manifest.json": hashlib.sha256(manifest(folder).encode()).hexdigest()}


def manifest(folder: Path) -> str:
    content = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))
    assert content["complete"]
    content.pop("timings")
    return json.dumps(content)


@pytest.fixture(scope="module")
def whole_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    finish(folder, "--jobs", "1")
    return folder


@pytest.fixture(scope="module")
def whole(whole_folder):
    return files(whole_folder)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_backends_workers_and_hash_seeds_do_not_change_a_byte(whole, tmp_path, backend):
    finish(tmp_path, "--jobs", "2", "--backend", backend, PYTHONHASHSEED="12345")
    assert files(tmp_path) == whole


@posix
def test_killed_at_any_moment_a_run_resumes_to_the_same_bytes(whole, tmp_path):
    """Killed early (starting, compiling, writing the manifest), then while it plays, then resumed."""
    for delay in (0.05, 0.4, 0.8):
        process = start(tmp_path, "--jobs", "2")
        time.sleep(delay)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    for wanted in (1, 3, 4):
        process = start(tmp_path, "--jobs", "2")
        wait_for_parts(process, tmp_path, wanted)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    out = finish(tmp_path, "--jobs", "2")
    assert "were there already" in out
    assert files(tmp_path) == whole


def wait_for_parts(process: subprocess.Popen, folder: Path, wanted: int) -> None:
    """Wait until so many parts are stored, while the run is still going."""
    deadline = time.monotonic() + 120
    while parts(folder) < wanted and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    assert process.poll() is None, "the run was over before it could be interrupted"


def parts(folder: Path) -> int:
    return len(list((folder / "run" / "games").glob("*.parquet")))


@posix
@pytest.mark.parametrize("backend", ["threading", "loky", "dask", "ray"])
def test_ctrl_c_ends_a_run_within_a_second_and_it_resumes(whole, tmp_path, backend):
    if backend in CLUSTERS:
        pytest.importorskip(CLUSTERS[backend])
    process = start(tmp_path, "--jobs", "2", "--backend", backend)
    wait_for_parts(process, tmp_path, 1)
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does
    _, err = process.communicate(timeout=30)
    seconds = time.monotonic() - pressed
    assert process.returncode == 130
    assert seconds < 3  # a second on an idle machine
    assert "same command again goes on" in err
    assert err.count("\n") == 1
    assert not alive(process.pid)
    finish(tmp_path, "--jobs", "2", "--backend", backend)
    assert files(tmp_path) == whole


FOREVER = "SELECT count(*) FROM games a, games b, games c, games d WHERE a.turns + b.turns < c.turns - d.turns"
LONG = {
    "compiling": ("run", "study.yaml", "--out", "again", "--jobs", "2"),
    "bench": ("bench", "flock-together", "--games", "1e8", "--jobs", "2"),
    "sql": ("sql", "run", FOREVER),
}


@posix
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_any_command_with_one_line(tmp_path_factory, whole_folder, name):
    cold = {"FLOCKSIM_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))} if name == "compiling" else {}
    process = subprocess.Popen(
        [sys.executable, "-m", "flocksim", *LONG[name]],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=whole_folder,
        env={**os.environ, **cold}, start_new_session=True,
    )  # fmt: skip
    time.sleep(3)
    assert process.poll() is None
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - pressed < 3  # a second on an idle machine
    assert process.returncode == 130
    assert err.startswith("flocksim: interrupted")
    assert err.count("\n") == 1
    assert not alive(process.pid)


def alive(group: int) -> bool:
    """Whether any process of the group is left after a moment."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True


@posix
def test_a_full_disk_is_one_line_and_keeps_what_was_written(whole, tmp_path):
    folder = tmp_path
    (folder / "study.yaml").write_text(CONFIG, "utf-8")
    script = f"ulimit -f 100; exec {' '.join(command(folder, '--jobs', '1'))}"
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert process.returncode == 2, process.stderr
    assert process.stderr.count("\n") == 1
    assert "cannot be written" in process.stderr
    assert "make room and run the same command again" in process.stderr
    assert not list(folder.rglob("*.tmp"))
    finish(folder, "--jobs", "1")
    assert files(folder) == whole


def test_an_unwritable_folder_is_one_line(tmp_path):
    blocker = tmp_path / "run"
    blocker.write_text("in the way")
    (tmp_path / "study.yaml").write_text(CONFIG, "utf-8")
    process = subprocess.run(command(tmp_path), capture_output=True, text=True, timeout=60, check=False)
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert "is a file" in process.stderr
    assert blocker.read_text() == "in the way"
