"""The run folder: same bytes however it is played, resumed where it stopped, never mixed, never overwritten."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from pathlib import Path

import polars as pl
import pytest
from flocksim.analysis.run_folder import load
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.frames import ARCS_SCHEMA, GAMES_SCHEMA, seats_schema
from flocksim.simulate.manifest import manifest_text
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.receipts import TABLES
from flocksim.simulate.runner import Progress, play_part, run_study
from flocksim.simulate.store import RunFolder, write_atomically

from tests.toy import TAKE_A, TAKE_B, TOY

STANDARD = Variant("standard", TOY.parameters.build(2))
STUDY = Study(
    name="tiny",
    game=TOY,
    players=(2, 3),
    variants=(STANDARD, Variant("higher", TOY.parameters.build(2, {"high": 9}))),
    strategies=(TAKE_A, TAKE_B),
    games=120,
    seed=11,
    part_games=60,
    arcs=50,
)


def files(folder: Path) -> dict[str, str]:
    """Name -> hash of every Parquet file."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.parquet"))
    }


def manifest(folder: Path) -> dict:
    content = json.loads((folder / "manifest.json").read_text("utf-8"))
    content.pop("timings")
    return content


@pytest.fixture
def played(tmp_path):
    run_study(STUDY, tmp_path / "run", jobs=1)
    return tmp_path / "run"


def test_a_run_holds_every_game_once(played):
    games = pl.read_parquet(played / "games" / "*.parquet")
    seats = pl.read_parquet(played / "seats" / "*.parquet")
    assert games.schema == GAMES_SCHEMA
    assert seats.schema == seats_schema(TOY.counters)
    assert games.height == STUDY.total_games == 480
    assert games.select("variant", "players", "game").is_duplicated().sum() == 0
    assert seats.height == sum(games["players"])
    assert set(seats["seat"]) == {1, 2, 3}
    shares = seats.group_by("variant", "players", "game").agg(pl.col("win_share").sum())
    assert shares["win_share"].round(9).unique().to_list() == [1.0]


def test_a_sample_of_games_has_its_course_recorded(played):
    arcs = pl.read_parquet(played / "arcs" / "*.parquet").sort("variant", "players", "game", "turn")
    games = pl.read_parquet(played / "games" / "*.parquet")
    seats = pl.read_parquet(played / "seats" / "*.parquet")
    assert arcs.schema == ARCS_SCHEMA
    for _, cell in arcs.group_by("variant", "players"):
        players = cell["players"][0]
        blocks = cell["block"].unique().sort()
        assert len(blocks) == -(-50 // players)  # whole blocks
        assert blocks.to_list() == list(range(len(blocks)))
        assert cell["game"].n_unique() == players * len(blocks)
    assert arcs.filter(variant="higher")["block"].to_list() == arcs.filter(variant="standard")["block"].to_list()
    turns = arcs.group_by("variant", "players", "game").agg(
        pl.len().alias("turns"), pl.col("turn"), pl.sum("decisions"), pl.col("standings").last()
    )
    whole = turns.join(games, on=["variant", "players", "game"])
    assert whole["turns"].to_list() == whole["turns_right"].to_list()
    assert (whole["decisions"] == whole["decisions_right"]).all()
    assert all(row == list(range(1, len(row) + 1)) for row in whole["turn"].to_list())
    scores = seats.sort("seat").group_by("variant", "players", "game").agg(pl.col("score"))
    ends = turns.join(scores, on=["variant", "players", "game"])
    assert ends["standings"].to_list() == ends["score"].to_list()
    assert set(arcs["options"]) == {2}
    assert set(arcs["forced"]) == {0}
    assert (arcs["seat"] == arcs["turn"]).all()


@pytest.mark.parametrize(("arcs", "recorded"), [(0, 0), (1, 3), (10**6, 120)])
def test_as_many_courses_are_recorded_as_are_asked_for(tmp_path, arcs, recorded):
    study = dataclasses.replace(STUDY, players=(3,), variants=(STANDARD,), arcs=arcs)
    run_study(study, tmp_path, jobs=1)
    assert pl.read_parquet(tmp_path / "arcs" / "*.parquet")["game"].n_unique() == recorded


def test_recorded_blocks_have_units_enough_of_their_own(played):
    """25 of 60 blocks of 2 players are recorded: five units of five, where units of all have sixteen."""
    with load(played, units=5) as run:
        sizes = run.sql(
            "SELECT count(*) FROM arcs WHERE players = 2 AND variant = 'standard' AND turn = 1 "
            "GROUP BY arc_unit_of(players, block)"
        ).fetchall()
        assert sizes == [(10,)] * 5
        assert run.blocks_a_unit[2] == 16


def test_recording_changes_no_row_of_games_and_seats(played, tmp_path):
    run_study(dataclasses.replace(STUDY, arcs=0), tmp_path / "plain", jobs=1)
    plain, recorded = files(tmp_path / "plain"), files(played)
    assert {name for name in recorded if recorded[name] != plain[name]} == {
        name for name in recorded if name.startswith("arcs") and name.endswith("-000000.parquet")
    }


def test_games_longer_than_there_is_room_for_are_recorded_whole(played, tmp_path, monkeypatch):
    monkeypatch.setattr("flocksim.simulate.player.ARC_TURNS", 5)
    run_study(STUDY, tmp_path / "small", jobs=1)
    assert files(tmp_path / "small") == files(played)


def test_games_are_rounded_up_to_whole_blocks(tmp_path):
    study = dataclasses.replace(STUDY, games=100)
    run_study(study, tmp_path, jobs=1)
    games = pl.read_parquet(tmp_path / "games" / "*.parquet")
    counts = dict(games.group_by("players").len().iter_rows())
    assert counts == {2: 2 * 100, 3: 2 * 102}


@pytest.mark.parametrize("jobs", [2, 3])
def test_workers_do_not_change_a_byte(played, tmp_path, jobs):
    run_study(STUDY, tmp_path / "again", jobs=jobs)
    assert files(tmp_path / "again") == files(played)
    assert manifest(tmp_path / "again") == manifest(played)


def test_part_size_does_not_change_a_row(played, tmp_path):
    run_study(dataclasses.replace(STUDY, part_games=1000), tmp_path / "big", jobs=1)
    for table, also in (("games", []), ("seats", ["seat"]), ("arcs", ["turn"])):
        order = ["variant", "players", "game", *also]
        small, big = (
            pl.read_parquet(folder / table / "*.parquet").sort(order) for folder in (played, tmp_path / "big")
        )
        assert small.equals(big)


def test_variants_face_the_same_chance(tmp_path):
    """A/A: two names for the same rules give the same games."""
    study = dataclasses.replace(STUDY, variants=(STANDARD, Variant("again", STANDARD.rules)))
    run_study(study, tmp_path, jobs=1)
    one, other = (
        pl.read_parquet(tmp_path / "games" / f"{name}-*.parquet").drop("variant").sort("players", "game")
        for name in ("standard", "again")
    )
    assert one.equals(other)


def test_another_seed_is_another_run(played, tmp_path):
    run_study(dataclasses.replace(STUDY, seed=12), tmp_path / "other", jobs=1)
    assert files(tmp_path / "other") != files(played)


class Counting(Progress):
    def __init__(self) -> None:
        self.reused = self.now = 0

    def started(self, total: int, reused: int) -> None:
        self.reused = reused

    def played(self, games: int) -> None:
        self.now += games


def test_missing_parts_are_played_again_and_come_out_the_same(played):
    before = files(played)
    (played / "games" / "standard-2p-000001.parquet").unlink()
    (played / "parts" / "higher-3p-000000.json").unlink()
    (played / "games" / "standard-3p-000000.parquet.123.tmp").write_bytes(b"half")
    progress = Counting()
    summary = run_study(STUDY, played, jobs=1, progress=progress)
    assert progress.now == 120
    assert summary.reused == progress.reused == 480 - 120
    assert files(played) == before
    assert not list(played.rglob("*.tmp"))


def test_a_finished_run_is_left_alone(played):
    stamps = {path: path.stat().st_mtime_ns for path in played.rglob("*.parquet")}
    assert run_study(STUDY, played, jobs=1).reused == 480
    assert {path: path.stat().st_mtime_ns for path in played.rglob("*.parquet")} == stamps


def test_stopping_keeps_what_is_finished(tmp_path):
    stop = threading.Event()

    class StopAfterTwo(Counting):
        def played(self, games: int) -> None:
            super().played(games)
            if self.now >= 120:
                stop.set()

    run_folder = tmp_path / "run"
    with pytest.raises(FlocksimError, match="stopped"):
        run_study(STUDY, run_folder, jobs=1, progress=StopAfterTwo(), stop=stop)
    assert not json.loads((run_folder / "manifest.json").read_text("utf-8"))["complete"]
    run_study(STUDY, run_folder, jobs=1)
    run_study(STUDY, tmp_path / "whole", jobs=1)
    assert files(run_folder) == files(tmp_path / "whole")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 12}, "seed (11, now 12)"),
        ({"strategies": (TAKE_B, TAKE_A)}, "strategies"),
        ({"variants": (STANDARD,)}, "variants"),
    ],
)
def test_a_changed_config_is_noticed_and_nothing_is_touched(played, changes, named):
    before = files(played)
    with pytest.raises(FlocksimError) as caught:
        run_study(dataclasses.replace(STUDY, **changes), played, jobs=1)
    assert named in str(caught.value)
    assert "--fresh" in str(caught.value)
    assert files(played) == before


def test_the_question_may_be_reworded(played):
    run_study(dataclasses.replace(STUDY, question="Why?"), played, jobs=1)
    assert manifest(played)["question"] == "Why?"


def test_fresh_starts_over_but_removes_only_what_is_a_run(played):
    (played / "notes.txt").write_text("mine")
    study = dataclasses.replace(STUDY, seed=12, games=10)
    run_study(study, played, jobs=1, fresh=True)
    assert (played / "notes.txt").read_text() == "mine"
    assert pl.read_parquet(played / "games" / "*.parquet").height == study.total_games


def damage(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "truncated":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "another part":
        path.write_bytes(path.with_name(path.name.replace("000001", "000000")).read_bytes())
    else:
        pl.DataFrame({"a": [1]}).write_parquet(path)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("how", ["truncated", "empty", "another part", "foreign"])
def test_a_damaged_part_is_named(played, table, how):
    path = played / table / "standard-2p-000001.parquet"
    damage(path, how)
    content = path.read_bytes()
    with pytest.raises(FlocksimError) as caught:
        run_study(STUDY, played, jobs=1)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_strange_part_is_named(played):
    stranger = played / "games" / "other-2p-000000.parquet"
    stranger.write_bytes((played / "games" / "standard-2p-000000.parquet").read_bytes())
    with pytest.raises(FlocksimError, match="is not part of this run"):
        run_study(STUDY, played, jobs=1)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("format", 99, "format 99"),
        ("flocksim", "0.0.1", "flocksim 0.0.1"),
        ("sources", "0", "changed since"),
    ],
)
def test_a_run_of_another_version_is_refused(played, key, value, expected):
    path = played / "manifest.json"
    path.write_text(manifest_text(json.loads(path.read_text("utf-8")) | {key: value}), "utf-8")
    with pytest.raises(FlocksimError, match=expected):
        run_study(STUDY, played, jobs=1)


def test_a_damaged_manifest_is_named(played):
    (played / "manifest.json").write_text("{", "utf-8")
    with pytest.raises(FlocksimError, match=r"manifest\.json"):
        run_study(STUDY, played, jobs=1)


def test_parts_without_a_manifest_are_never_taken_over(played):
    (played / "manifest.json").unlink()
    before = files(played)
    for fresh in (False, True):
        with pytest.raises(FlocksimError, match="not a run folder"):
            run_study(dataclasses.replace(STUDY, seed=12), played, jobs=1, fresh=fresh)
    assert files(played) == before


def test_what_a_killed_start_leaves_is_no_stranger(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "manifest.json.7.tmp").write_text("{", "utf-8")
    assert run_study(STUDY, tmp_path, jobs=1).games == 480


def test_fresh_spares_a_folder_with_another_manifest(tmp_path):
    folder = tmp_path / "web"
    (folder / "tables").mkdir(parents=True)
    (folder / "manifest.json").write_text('{"name": "my page", "format": 2}')
    (folder / "tables" / "customers.csv").write_text("precious")
    (folder / "report.html").write_text("precious")
    before = sorted((path, path.read_bytes()) for path in folder.rglob("*") if path.is_file())
    with pytest.raises(FlocksimError, match="not the manifest of a run"):
        run_study(STUDY, folder, jobs=1, fresh=True)
    assert sorted((path, path.read_bytes()) for path in folder.rglob("*") if path.is_file()) == before


def test_fresh_follows_no_link_out_of_the_folder(played, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.csv").write_text("precious")
    try:
        (played / "tables").symlink_to(elsewhere, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    run_study(STUDY, played, jobs=1, fresh=True)
    assert (elsewhere / "mine.csv").read_text() == "precious"


@pytest.mark.parametrize("stop_at", ["parts", "games", "report.html", "tables"])
def test_starting_over_can_be_killed_at_any_file(played, monkeypatch, stop_at):
    """The manifest stays until the end, so the folder is a run's at every moment."""
    (played / "tables").mkdir()
    (played / "tables" / "seats.csv").write_text("x")
    (played / "report.html").write_text("x")
    unlink = Path.unlink

    def killed(path, *args, **kwargs):
        if stop_at in (path.name, path.parent.name):
            raise KeyboardInterrupt
        unlink(path, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            run_study(STUDY, played, jobs=1, fresh=True)
    assert run_study(STUDY, played, jobs=1, fresh=True).reused == 0


def test_fresh_leaves_other_files_beside_the_tables(played):
    (played / "tables").mkdir()
    (played / "tables" / "mine.xlsx").write_text("mine")
    run_study(STUDY, played, jobs=1, fresh=True)
    assert (played / "tables" / "mine.xlsx").read_text() == "mine"


def test_a_worker_that_outlived_its_run_stores_nothing(tmp_path):
    part = next(iter(STUDY.parts()))
    for table in TABLES:
        (tmp_path / table).mkdir()
    nobody = 2**30  # no process has this id
    assert play_part(STUDY, tmp_path, part, None, nobody) == 0
    assert not files(tmp_path)


def test_a_pipe_or_a_device_is_written_to_and_not_replaced(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes here")
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text("utf-8")))
    reader.start()
    write_atomically(pipe, "hello")
    reader.join(10)
    assert got == ["hello"]
    assert pipe.is_fifo()
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    write_atomically(link, "through")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "through"


def test_a_folder_of_something_else_is_not_written_into(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(FlocksimError, match="not a run folder"):
        run_study(STUDY, tmp_path, jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_not_a_folder(tmp_path):
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(FlocksimError, match="is a file"):
        run_study(STUDY, path, jobs=1)
    with pytest.raises(FlocksimError, match="cannot be written"):
        run_study(STUDY, path / "below", jobs=1)


def test_two_runs_do_not_share_a_folder(played):
    with RunFolder(played, STUDY).opened(fresh=False), pytest.raises(FlocksimError, match="another run"):
        run_study(STUDY, played, jobs=1)


def test_a_variant_may_be_kept_to_some_player_counts(tmp_path):
    study = dataclasses.replace(STUDY, variants=(STANDARD, dataclasses.replace(STUDY.variants[1], players=(3,))))
    run_study(study, tmp_path, jobs=1)
    games = pl.read_parquet(tmp_path / "games" / "*.parquet")
    cells = games.group_by("variant", "players").len().sort("variant", "players").rows()
    assert cells == [("higher", 3, 120), ("standard", 2, 120), ("standard", 3, 120)]
    assert study.total_games == 360


def test_a_study_of_a_million_million_games_plans_in_no_time():
    study = dataclasses.replace(STUDY, games=10**12, part_games=10_000)
    parts = study.parts()
    assert [next(parts).number for _ in range(5)] == [0, 0, 0, 0, 1]
    assert study.cells()[1].part(study.cells()[1].parts - 1).blocks == 10**12 // 3 + 1 - 3333 * (10**12 // 3 // 3333)


@pytest.mark.parametrize("jobs", [0, -2, 1.5, "two", True])
def test_a_strange_number_of_jobs_is_named(tmp_path, jobs):
    with pytest.raises(FlocksimError, match="jobs: "):
        run_study(STUDY, tmp_path / "run", jobs=jobs)
    assert not (tmp_path / "run").exists()


def test_an_unknown_backend_is_named(tmp_path):
    with pytest.raises(FlocksimError, match="unknown backend 'dusk'"):
        run_study(STUDY, tmp_path, backend="dusk")


def test_more_games_come_on_top_of_those_that_are_there(tmp_path):
    """Of 3 players a part of 60 games and one of 60; 150 make a third, and the half one of 90 becomes whole."""
    more = dataclasses.replace(STUDY, games=150)
    for games in (90, 150):
        progress = Counting()
        run_study(dataclasses.replace(STUDY, games=games), tmp_path / "grown", jobs=1, progress=progress)
    assert progress.reused == 4 * 60  # the whole parts of four cases
    assert progress.now == more.total_games - progress.reused
    run_study(more, tmp_path / "fresh", jobs=1)
    assert files(tmp_path / "grown") == files(tmp_path / "fresh")
    assert manifest(tmp_path / "grown") == manifest(tmp_path / "fresh")


def test_games_are_never_taken_back(played):
    before = files(played)
    with pytest.raises(FlocksimError, match="120 games of standard with 2 players are there already, more than the 60"):
        run_study(dataclasses.replace(STUDY, games=60), played, jobs=1)
    assert files(played) == before


def test_growing_that_is_interrupted_goes_on(played, tmp_path):
    stop = threading.Event()

    class StopSoon(Counting):
        def played(self, games: int) -> None:
            super().played(games)
            stop.set()

    more = dataclasses.replace(STUDY, games=330)
    with pytest.raises(FlocksimError, match="goes on from there"):
        run_study(more, played, jobs=1, progress=StopSoon(), stop=stop)
    run_study(more, played, jobs=1)
    run_study(more, tmp_path / "fresh", jobs=1)
    assert files(played) == files(tmp_path / "fresh")
