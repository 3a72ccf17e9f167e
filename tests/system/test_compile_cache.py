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
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.simulate.compiled import CACHE
game = load_game("flock-together")
table = Table(game, game.parameters.build(2), 2)
table.deal(1)
print(CACHE.name, len(table.legal()), *table.state()["hands"]["1"].values())
"""


@pytest.fixture
def copied(tmp_path):
    """The packages laid out as installed, in a place where they can be edited."""
    package = tmp_path / "site" / "flocksim"
    shutil.copytree(ROOT / "flocksim", package)
    for folder in ("simulate", "strategies"):
        shutil.copytree(ROOT / folder, package / folder)
    return package


def answer(package: Path) -> list[str]:
    folder = package.parent
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); {SCRIPT}"],
        env={**os.environ, "FLOCKSIM_CACHE_DIR": str(folder.parent / "cache")},
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


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(copied, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("in the way")
    assert answer(copied)
