"""Faults of the machine while a run is under way: its clock, its disk, its cores."""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.runner import run_study

from tests.system.test_odd_machines import STUDY as CONFIG
from tests.unit.test_run_folder_store import STUDY, files, manifest


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    run_study(STUDY, tmp_path / "whole", jobs=1)
    return tmp_path / "whole"


def test_a_clock_that_runs_backwards_changes_nothing(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    back = itertools.count()
    monkeypatch.setattr(time, "time", lambda: now - 3600 * next(back))
    run_study(STUDY, tmp_path / "run", jobs=2)
    assert files(tmp_path / "run") == files(whole)
    for year, name in ((0, "games"), (4e9, "seats"), (0, "parts")):
        for path in (tmp_path / "run" / name).iterdir():
            os.utime(path, (year, year))
    missing = min((tmp_path / "run" / "parts").iterdir())
    missing.unlink()
    run_study(STUDY, tmp_path / "run", jobs=1)
    assert missing.exists()
    assert files(tmp_path / "run") == files(whole)


def test_a_folder_that_becomes_read_only_keeps_what_is_stored(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a disk fails and is mounted anew: after a few files nothing can be written any more."""
    stored, put = itertools.count(), os.replace

    def replace(source: str, target: str) -> None:
        if next(stored) >= 6:
            raise OSError(errno.EROFS, "Read-only file system", str(target))
        put(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        with pytest.raises(FlocksimError, match=r"cannot be written: Read-only file system$") as caught:
            run_study(STUDY, tmp_path / "run", jobs=1)
    assert "\n" not in str(caught.value)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "parts").iterdir()}
    assert kept
    run_study(STUDY, tmp_path / "run", jobs=1)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert files(tmp_path / "run") == files(whole)
    assert manifest(tmp_path / "run") == manifest(whole)
    assert not list((tmp_path / "run").rglob("*.tmp"))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores are not given out like that here")
def test_a_run_goes_on_with_another_number_of_cores(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(CONFIG.replace("games: 60", "games: 30_000"), "utf-8")

    def run(out: str, cores: int) -> None:
        command = [sys.executable, "-m", "flocksim", "run", "study.yaml", "--out", out, "--no-report", "--quiet"]
        some = sorted(os.sched_getaffinity(0))[:cores]
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
            preexec_fn=lambda: os.sched_setaffinity(0, some),
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")

    run("one", 1)
    run("two", 2)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    for path in sorted((tmp_path / "two" / "parts").iterdir())[1:]:
        path.unlink()
    run("two", 1)
    assert files(tmp_path / "one") == files(tmp_path / "two")
