"""Whatever became of a run folder's files, reading it gives what was played or one line, and playing on mends it."""

from __future__ import annotations

import shutil

import pytest
from flocksim.analysis.run_folder import load
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.runner import run_study
from hypothesis import given

from flocksim.study import make_study
from tests.fuzz.hostile import broken, broken_bytes
from tests.fuzz.profile import FUZZ, check_line

STUDY = make_study(
    {
        "name": "tiny",
        "game": "flock-together",
        "players": [2],
        "variants": {"standard": {}},
        "strategies": ["random"],
        "games": 40,
        "seed": 1,
    }
)


def rows(folder):
    with load(folder) as run:
        return [table.order("ALL").fetchall() for table in (run.games, run.seats)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz") / "run"
    run_study(STUDY, folder, jobs=1)
    return folder


@pytest.mark.parametrize("kind", ["manifest.json", "*/*.json", "games/*.parquet", "seats/*.parquet"])
def test_a_damaged_file_is_noticed_or_does_no_harm(whole, tmp_path, kind):
    played, copy = rows(whole), tmp_path / "run"
    shutil.copytree(whole, copy)
    (path,) = copy.glob(kind)
    content = path.read_bytes()
    damage = broken_bytes(content)
    if path.suffix == ".json":
        damage |= broken(content.decode()).map(lambda text: text.encode("utf-8", "surrogatepass"))

    @FUZZ
    @given(damage)
    def tried(damaged):
        path.write_bytes(damaged)
        try:
            assert rows(copy) == played
        except FlocksimError as error:
            check_line(error)
        try:
            run_study(STUDY, copy, jobs=1)
            assert rows(copy) == played
        except FlocksimError as error:
            check_line(error)

    tried()
