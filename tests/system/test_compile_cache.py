"""An edited rule, in whichever module, takes effect on the next run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
from flocksim.simulate.bots import line_ups
from flocksim.simulate.compiled import CACHE
print(CACHE and CACHE.name, *line_ups(1, 2, 0, 3, 3).ravel())
"""


@pytest.fixture
def copied(tmp_path):
    """The packages laid out as installed, in a place where they can be edited."""
    package = tmp_path / "site" / "flocksim"
    shutil.copytree(ROOT / "flocksim", package)
    for folder in ("simulate", "strategies"):
        shutil.copytree(ROOT / folder, package / folder)
    return package


def answer(package: Path, script: str = SCRIPT) -> list[str]:
    folder = package.parent
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {script}"],
        env={**os.environ, "FLOCKSIM_CACHE_DIR": str(folder.parent / "cache"), "PYTHONPATH": str(folder)},
        cwd=folder.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.split()


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def test_an_edited_helper_in_another_module_counts(copied):
    first = answer(copied)
    assert answer(copied) == first
    edit(copied / "simulate" / "streams.py", "0x94D049BB133111EB", "0x94D049BB133111ED")
    second = answer(copied)
    assert second[0] != first[0]
    assert second[1:] != first[1:]
    assert answer(copied) == second


def test_edited_weights_compile_nothing_but_are_another_study(copied):
    tell = "from flocksim.simulate.compiled import CACHE, SOURCES; print(CACHE.name, SOURCES)"
    cache, sources = answer(copied, tell)
    edit(copied / "strategies" / "flock" / "bots.yaml", "weights", "weights ")
    assert answer(copied, tell)[0] == cache
    assert answer(copied, tell)[1] != sources


def test_the_first_time_bots_compile_in_a_second_process(copied):
    """The first process finds them in the cache."""
    tell = """
import joblib
joblib.cpu_count = lambda: 2
from flocksim.simulate.games import load_game
from flocksim.simulate.engine import engine_of
from flocksim.simulate.precompile import bots_compiled_beside
from flocksim.strategies.uniform import RANDOM
engine = engine_of(load_game("flock-together"))
with bots_compiled_beside(engine, [RANDOM.kernel]):
    pass
print(*(sum(f.stats.cache_hits.values()) for f in (engine.score, engine.bot(RANDOM.kernel))))
"""
    assert answer(copied, tell) == ["0", "1"]
    assert answer(copied, tell) == ["1", "1"]


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(copied, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("in the way")
    assert answer(copied)


@pytest.mark.parametrize("damage", ["emptied", "cut off", "scribbled over"])
def test_a_damaged_cache_is_dropped(copied, damage):
    expected = answer(copied)
    for path in (copied.parent.parent / "cache").rglob("*.nb?"):
        content = path.read_bytes()
        half = content[: len(content) // 2]
        path.write_bytes({"emptied": b"", "cut off": half, "scribbled over": b"\x80\x05" + b"?" * 500}[damage])
    assert answer(copied) == expected
    assert answer(copied) == expected


def test_with_no_folder_to_write_there_is_no_cache(copied, tmp_path):
    """No home, no temporary folder: everything is compiled anew, and nothing is said about it."""
    nowhere = str(tmp_path / "cache")
    (tmp_path / "cache").write_text("in the way")
    script = f"import sys; sys.path.insert(0, {str(copied.parent)!r}); import tempfile; tempfile.tempdir = {nowhere!r}"
    done = subprocess.run(
        [sys.executable, "-c", f"{script}; {SCRIPT}"],
        env={**os.environ, **dict.fromkeys(("FLOCKSIM_CACHE_DIR", "XDG_CACHE_HOME", "HOME"), nowhere)},
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert done.stdout.startswith("None ")
    assert done.stderr == ""
