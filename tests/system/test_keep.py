"""What a study keeps: every game, or sums over blocks, or these and a sample; reports agree."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from flocksim.analysis import metagame, robustness, run_folder
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.simulate import plan, units
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.receipts import SUMS, TABLES
from flocksim.simulate.runner import play_part, run_study

from tests.toy import TAKE_A, TAKE_B, TOY

FIRST = 200
STUDY = Study(
    name="kept",
    game=TOY,
    players=(2, 3),
    variants=(Variant("standard", TOY.parameters.build(2)), Variant("higher", TOY.parameters.build(2, {"high": 9}))),
    strategies=(TAKE_A, TAKE_B, dataclasses.replace(TAKE_A, name="noisy", noise=0.5)),
    games=12_000,
    seed=11,
    part_games=300,
    arcs=50,
    targets={"seats": 3, "turns": [1, 9]},
)
KINDS = ("games", "blocks", "sample")


@pytest.fixture(scope="module")
def short_start() -> Iterator[None]:
    """Single games are looked at among the first few only."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (plan, run_folder, metagame, robustness):
            patch.setattr(module, "FIRST_GAMES", FIRST)
        patch.setattr(plan, "SAMPLED", 0.3)
        yield


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, short_start: None) -> dict[str, Path]:
    path = tmp_path_factory.mktemp("keep")
    for kind in KINDS:
        run_study(dataclasses.replace(STUDY, keep=kind), path / kind, jobs=1)
    return {kind: path / kind for kind in KINDS}


@pytest.fixture(scope="module")
def results(folders: dict[str, Path]) -> dict[str, Results]:
    found = {}
    for kind, folder in folders.items():
        with load(folder) as run:
            found[kind] = summarise(run)
    return found


@pytest.mark.parametrize("kind", ["blocks", "sample"])
def test_reports_agree(results: dict[str, Results], kind: str) -> None:
    every, kept = results["games"].tables(), results[kind].tables()
    assert set(every) == set(kept)
    shown = ("verdicts", "variant_measures", "seats", "strategies", "payoffs", "mix", "robustness", "notable", "arc",
             "curve", "survival", "counters", "variant_counters", "endings", "spread")  # fmt: skip
    assert [name for name in shown if every[name].empty] == []
    for name, table in every.items():
        pd.testing.assert_frame_equal(kept[name], table, check_dtype=False, obj=name)
    assert [str(finding) for finding in results[kind].findings] == [str(item) for item in results["games"].findings]


def test_what_is_stored(folders: dict[str, Path]) -> None:
    numbers = {kind: {table: _parts(folder / table) for table in (*TABLES, *SUMS)} for kind, folder in folders.items()}
    every = set(range(40))
    assert all(numbers["games"][table] == (every if table in TABLES else set()) for table in (*TABLES, *SUMS))
    assert all(numbers["blocks"][table] == {0} for table in TABLES)
    assert all(numbers["blocks"][table] == every - {0} for table in SUMS)
    sampled = numbers["sample"]["games"]
    assert {0} < sampled < every
    assert all(numbers["sample"][table] == every - sampled for table in SUMS)


def _parts(folder: Path) -> set[int]:
    return {int(file.stem.rpartition("-")[2]) for file in folder.glob("standard-2p-*.parquet")}


def test_a_sample_is_the_same_in_every_variant_and_differs_by_seed(short_start: None) -> None:
    study = dataclasses.replace(STUDY, keep="sample", games=3_000_000, part_games=10_000)
    cells = study.cells()
    kept = [[study.keeps_games(cell.part(number)) for number in range(300)] for cell in cells]
    assert kept[0] == kept[2] != kept[1]
    assert 0.2 <= sum(kept[0]) / 300 <= 0.4
    other = dataclasses.replace(study, seed=12)
    assert [other.keeps_games(cells[0].part(number)) for number in range(300)] != kept[0]


def test_few_rows_are_stored_of_many_blocks() -> None:
    """Groups grow: 2**20 blocks are some ten thousand rows, and the units of any run are made of whole groups."""
    import numpy as np

    blocks = np.arange(1 << 20)
    groups = units.group_of(blocks, 1 << 62)
    firsts, sizes = np.unique(groups, return_counts=True)
    assert len(firsts) == 4096 + 8 * 2048
    assert (sizes == units.group_size(firsts, 1 << 62)).all()
    for played in (4000, 4001, 5000, 8192, 8193, 100_000, 1 << 20):
        size = units.unit_size(played, plan.MOST_UNITS)
        starts = np.unique(np.arange(played) // size * size)
        assert set(starts) <= set(firsts)
    assert (np.unique(units.group_of(blocks, 8), return_counts=True)[1] <= 8).all()


def test_an_interrupted_run_of_sums_goes_on(folders: dict[str, Path], tmp_path: Path, short_start: None) -> None:
    study = dataclasses.replace(STUDY, keep="blocks")
    whole = folders["blocks"]
    run_study(dataclasses.replace(study, games=3_000), tmp_path / "run", jobs=1)
    file = tmp_path / "run" / "sums_seats" / "higher-3p-000004.parquet"
    (tmp_path / "run" / "parts" / "higher-3p-000004.json").unlink()
    file.unlink()
    run_study(study, tmp_path / "run", jobs=2)
    assert _bytes(tmp_path / "run") == _bytes(whole)


def test_a_part_of_sums_that_was_damaged_is_told(folders: dict[str, Path], tmp_path: Path) -> None:
    import shutil

    shutil.copytree(folders["blocks"], tmp_path / "run")
    file = tmp_path / "run" / "sums_games" / "standard-2p-000007.parquet"
    content = bytearray(file.read_bytes())
    content[40] ^= 1
    file.write_bytes(content)
    with pytest.raises(FlocksimError, match=r"sums_games/standard-2p-000007\.parquet: damaged or edited"):
        load(tmp_path / "run")
    file.unlink()
    with pytest.raises(FlocksimError, match="standard-2p-000007"):
        load(tmp_path / "run")


def test_what_is_kept_is_part_of_a_study(folders: dict[str, Path], short_start: None) -> None:
    with pytest.raises(FlocksimError, match=r"the config changed since that run: keep \(blocks, now games\)"):
        run_study(STUDY, folders["blocks"], jobs=1)


def test_units_are_no_smaller_than_what_is_stored(folders: dict[str, Path]) -> None:
    with load(folders["blocks"], units=1_000_000) as run:
        assert run.blocks_a_unit == {2: 2, 3: 1}
        assert dict(run.frame("seat_wins").groupby("players").units.first()) == {2: 3000, 3: 4000}


def test_two_runs_of_sums_are_compared(folders: dict[str, Path]) -> None:
    from flocksim.analysis.compare import compare

    found: dict[str, Any] = {}
    for kind in ("games", "blocks"):
        found[kind] = compare(folders[kind], "standard", "higher")
    assert str(found["blocks"]) == str(found["games"])


def test_some_of_a_run_of_sums(tmp_path: Path, short_start: None) -> None:
    """Only parts far from the start are there yet: units are what was stored, and every game counts."""
    from flocksim.simulate.store import RunFolder

    study = dataclasses.replace(STUDY, keep="blocks", players=(2,), variants=STUDY.variants[:1])
    folder = RunFolder(tmp_path, study)
    with folder.opened(fresh=False):
        folder.write_manifest(complete=False, timings={})
        for number in (0, 20, 39):
            play_part(study, tmp_path, study.cells()[0].part(number), None, None)
    with load(tmp_path) as run:
        assert summarise(run).cells.games.tolist() == [900]
    (tmp_path / "parts" / "standard-2p-000000.json").unlink()
    with pytest.raises(FlocksimError, match="first games are not there yet"):
        load(tmp_path)


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}
