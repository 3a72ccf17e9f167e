"""Opening a run folder: what it gives, and one clear line for everything that can be wrong with it.

`Game`, `write_run` and `play` make small run folders by hand; other tests of analysis and reports use them.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from flocksim.analysis.run_folder import load, query_names
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.manifest import FORMAT, manifest_text
from flocksim.simulate.receipts import PartName, receipt_text

GAMES = {
    "variant": pl.String, "players": pl.UInt8, "game": pl.Int64, "block": pl.Int64, "rotation": pl.UInt8,
    "turns": pl.Int32, "rounds": pl.Int32, "decisions": pl.Int32, "end_reason": pl.String, "winners": pl.UInt8,
    "margin": pl.Int32, "digest": pl.UInt64,
}  # fmt: skip
ARCS = {
    "variant": pl.String, "players": pl.UInt8, "game": pl.Int64, "block": pl.Int64, "turn": pl.Int32, "seat": pl.UInt8,
    "decisions": pl.Int32, "options": pl.Int32, "forced": pl.Int32, "standings": pl.List(pl.Int32),
}  # fmt: skip
SEATS = {
    "variant": pl.String, "players": pl.UInt8, "game": pl.Int64, "block": pl.Int64, "rotation": pl.UInt8,
    "seat": pl.UInt8, "strategy": pl.String, "score": pl.Int32, "rank": pl.UInt8, "win_share": pl.Float64,
    "laid": pl.Int32, "caught": pl.Int32,
}  # fmt: skip


@dataclass(frozen=True)
class Game:
    """One game as a test states it: who sat where, which seats won, how and when it ended."""

    strategies: tuple[str, ...]
    winners: tuple[int, ...]
    turns: int = 10
    end: str = "win"
    block: int = 0
    rotation: int = 0
    margin: int = 3
    digest: int | None = None
    variant: str = "standard"
    caught: tuple[int, ...] = ()  # by seat; the number of the seat if not given
    course: tuple[tuple[int, ...], ...] = ()  # standings by seat after each turn; nothing: not recorded


def write_run(path: Path, games: Sequence[Game], parts: int = 1, **changes: Any) -> Path:
    """Write a run folder of these games (in this order within a cell); `changes` replace keys of the manifest."""
    cells: dict[tuple[str, int], list[Game]] = {}
    for game in games:
        cells.setdefault((game.variant, len(game.strategies)), []).append(game)
    for folder in ("games", "seats", "arcs", "parts"):
        (path / folder).mkdir(parents=True)
    for (variant, players), mine in cells.items():
        for part, chunk in enumerate(np.array_split(np.arange(len(mine)), parts)):
            name = PartName(variant, players, part)
            rows = [(int(place), mine[place]) for place in chunk]
            _games(variant, players, rows).write_parquet(name.table(path, "games"))
            _seats(variant, players, rows).write_parquet(name.table(path, "seats"))
            _arcs(variant, players, rows).write_parquet(name.table(path, "arcs"))
            sign(path, name)
    write_manifest(path, _manifest(path.name, cells) | changes)
    return path


def sign(path: Path, name: PartName) -> None:
    """Write a part's receipt anew, for its files as they are."""
    name.receipt(path).write_text(receipt_text(path, name, "c0ffee"), encoding="utf-8")


def write_manifest(path: Path, manifest: dict[str, Any]) -> None:
    (path / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8")


def _games(variant: str, players: int, rows: list[tuple[int, Game]]) -> pl.DataFrame:
    made = [
        (variant, players, place, game.block, game.rotation, game.turns, game.turns // 5, game.turns * 3, game.end,
         len(game.winners), 0 if len(game.winners) > 1 else game.margin,
         game.digest if game.digest is not None else _digest(place, game))
        for place, game in rows
    ]  # fmt: skip
    return pl.DataFrame(made, schema=GAMES, orient="row")


def _digest(place: int, game: Game) -> int:
    """Games that went alike in two variants have equal digests, as when they are really played."""
    return hash((place, game.strategies, game.winners, game.turns, game.end)) % 2**63


def _seats(variant: str, players: int, rows: list[tuple[int, Game]]) -> pl.DataFrame:
    made = [
        (variant, players, place, game.block, game.rotation, seat, strategy, 7 + (seat in game.winners),
         1 if seat in game.winners else 2, 1 / len(game.winners) if seat in game.winners else 0.0,
         game.turns + seat, game.caught[seat - 1] if game.caught else seat)
        for place, game in rows
        for seat, strategy in enumerate(game.strategies, 1)
    ]  # fmt: skip
    return pl.DataFrame(made, schema=SEATS, orient="row")


def _arcs(variant: str, players: int, rows: list[tuple[int, Game]]) -> pl.DataFrame:
    """Two decisions a turn, the first without a choice, the second with as many as the turn's number and one."""
    made = [
        (variant, players, place, game.block, turn, (turn - 1) % players + 1, 2, 2 + turn, 1, list(standings))
        for place, game in rows
        for turn, standings in enumerate(game.course, 1)
    ]
    return pl.DataFrame(made, schema=ARCS, orient="row")


def _manifest(name: str, cells: dict[tuple[str, int], list[Game]]) -> dict[str, Any]:
    variants = list(dict.fromkeys(variant for variant, _ in cells))
    strategies = sorted({word for games in cells.values() for game in games for word in game.strategies})
    return {
        "format": FORMAT,
        "flocksim": "0.1.0",
        "name": name,
        "question": "Does it matter?",
        "game": {"name": "toy", "title": "Toy", "version": 1, "score_word": "chips", "provenance": ""},
        "seed": 5,
        "games": 4,
        "players": sorted({players for _, players in cells}),
        "variants": [
            {"name": variant, "presets": [], "rules": {"size": place},
             "differs": {"size": [0, place], "map": [{"J": 2, "K": 2}, {"J": 3, "K": 2}]} if place else {}}
            for place, variant in enumerate(variants)
        ],
        "strategies": [{"name": word, "line": f"Plays {word}.", "noise": 0.0} for word in strategies],
        "counters": ["laid", "caught"],
        "named_rulings": {
            "draw_first": {"ruling": "T3", "description": "May draw first.", "values": dict.fromkeys(variants, True)}
        },
        "cells": [
            {"variant": variant, "players": players, "blocks": len({game.block for game in games}),
             "games": len(games)}
            for (variant, players), games in cells.items()
        ],
        "config": {"name": name, "game": "toy"},
        "config_hash": "c0ffee",
        "sources": "abcdef",
        "versions": {"python": "3.11.0"},
        "complete": True,
        "timings": {"play_seconds": 1.0},
    }  # fmt: skip


def play(
    strength: Callable[[str, int], float] = lambda strategy, seat: 1.0,
    strategies: Sequence[str] = ("a", "b", "c"),
    players: Sequence[int] = (3,),
    blocks: int = 100,
    variants: Sequence[str] = ("standard",),
    turns: Callable[[str], int] = lambda variant: 30,
    stuck: float = 0.0,
    capped: float = 0.0,
    ties: float = 0.0,
    seed: int = 1,
) -> list[Game]:
    """Simulated games in full blocks: every variant meets the same luck; a seat wins in proportion to its strength."""
    games = []
    for variant in variants:
        for count in players:
            random = np.random.default_rng([seed, count])
            for block in range(blocks):
                lineup, luck = random.integers(0, len(strategies), count), int(random.integers(-8, 9))
                for rotation in range(count):
                    sat = tuple(strategies[lineup[(seat + rotation) % count]] for seat in range(count))
                    weights = np.cumsum([strength(word, seat) for seat, word in enumerate(sat, 1)])
                    dice = random.random(3)
                    first = 1 + int(np.searchsorted(weights / weights[-1], dice[0]))
                    end = "turn_cap" if dice[1] < capped else "stuck" if dice[1] < capped + stuck else "win"
                    won = () if end == "turn_cap" else (first,)
                    if won and dice[2] < ties and count > 1:
                        won = tuple(sorted((first, first % count + 1)))
                    length = turns(variant) + luck + int(dice[2] * 7)
                    games.append(Game(sat, won, length, end, block, rotation, variant=variant))
    return games


PAIR = [
    Game(("a", "b"), (1,), 10, block=0, rotation=0),
    Game(("b", "a"), (1, 2), 14, block=0, rotation=1),
    Game(("a", "b"), (2,), 12, "stuck", block=1, rotation=0),
    Game(("b", "a"), (), 20, "turn_cap", block=1, rotation=1),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", PAIR, parts=2)


def fails(path: Path) -> str:
    with pytest.raises(FlocksimError) as caught:
        load(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    return text


def change(path: Path, **changes: Any) -> None:
    manifest = json.loads((path / "manifest.json").read_text())
    write_manifest(path, manifest | changes)


def test_views_hold_all_parts_in_order(folder: Path) -> None:
    with load(folder) as run:
        assert run.games.df().game.tolist() == [0, 1, 2, 3]
        assert run.seats.pl()["seat"].to_list() == [1, 2] * 4
        assert run.manifest["name"] == "run"
        assert run.complete


def test_asking_changes_nothing(folder: Path) -> None:
    before = {file: (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.rglob("*") if file.is_file()}
    with load(folder) as run:
        run.query("seat_wins").df()
    assert before == {
        file: (file.stat().st_mtime_ns, file.read_bytes()) for file in folder.rglob("*") if file.is_file()
    }


def test_spill_room_is_elsewhere_and_goes(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    run = load(folder)
    assert [item.name.startswith("flocksim-") for item in room.iterdir()] == [True]
    run.close()
    assert not list(room.iterdir())


@pytest.mark.parametrize("name", ["a[b]", "star*", "what?", "it's", "zwölf é", "two words"])
def test_any_folder_name(tmp_path: Path, name: str) -> None:
    with load(write_run(tmp_path / name, PAIR)) as run:
        assert len(run.games.df()) == 4


def test_no_such_folder(tmp_path: Path) -> None:
    assert "no such folder" in fails(tmp_path / "nowhere")


def test_not_a_run_folder(tmp_path: Path) -> None:
    assert "not a run folder" in fails(tmp_path)


def test_unreadable_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("{ not json")
    assert "manifest.json: cannot be read" in fails(folder)


def test_manifest_of_something_else(folder: Path) -> None:
    (folder / "manifest.json").write_text('["a list"]')
    assert "not the manifest of a run" in fails(folder)


def test_another_format(folder: Path) -> None:
    change(folder, format=1, flocksim="9.9")
    text = fails(folder)
    assert "format 1" in text
    assert "9.9" in text


def test_manifest_without_a_key(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    del manifest["variants"]
    write_manifest(folder, manifest)
    assert "'variants' is missing" in fails(folder)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"players": "two"}, "'players'"),
        ({"players": ["2"]}, "'players.0'"),
        ({"cells": [{"variant": "standard", "players": 0, "blocks": 1, "games": 1}]}, "'cells.0.players'"),
        ({"variants": [{"name": "standard", "rules": {}, "differs": {"size": 3}}]}, "'variants.0.differs.size'"),
        ({"strategies": [{"line": "nameless"}]}, "'strategies.0.name' is missing"),
        ({"complete": "yes"}, "'complete'"),
        ({"game": {"name": "toy", "title": None, "version": 1}}, "'game.title'"),
        ({"cells": []}, "'cells'"),
    ],
)
def test_manifest_with_wrong_types_inside(folder: Path, changes: dict[str, Any], word: str) -> None:
    change(folder, **changes)
    assert f"manifest.json: {word}" in fails(folder)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": ' * 3_000, "\0", '{"format": 2, "name": "\ud800"}'])
def test_manifest_that_no_reader_survives(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert "manifest.json: " in fails(folder)


@pytest.mark.parametrize("table", ["games", "seats", "arcs"])
def test_any_flipped_bit_is_noticed_before_anything_is_decoded(folder: Path, table: str) -> None:
    part = folder / table / "standard-2p-000001.parquet"
    whole = part.read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        part.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert f"{part}: damaged or edited" in fails(folder)
    for shorter in (whole[:-20], b""):
        part.write_bytes(shorter)
        assert f"{part}: damaged or edited" in fails(folder)


def test_edited_values_are_noticed(folder: Path) -> None:
    part = folder / "games" / "standard-2p-000001.parquet"
    pl.read_parquet(part).with_columns(turns=pl.col("turns") + 1).write_parquet(part)
    assert "damaged or edited" in fails(folder)


def test_a_part_under_another_name_is_noticed(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [*PAIR, Game(("a", "b", "a"), (1,))])
    for table in ("games", "seats", "arcs"):
        (folder / table / "standard-2p-000000.parquet").write_bytes(
            (folder / table / "standard-3p-000000.parquet").read_bytes()
        )
    assert "standard-2p-000000.parquet: damaged or edited" in fails(folder)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"run": "c0ffee"}', '{"run": "c0ffee", "games": 1, "seats": 2, "arcs": 3}']
)
def test_damaged_receipt(folder: Path, text: str) -> None:
    (folder / "parts" / "standard-2p-000001.json").write_text(text)
    assert "damaged" in fails(folder)


def test_parts_that_changed_places_are_noticed(folder: Path) -> None:
    for table, suffix in (("games", "parquet"), ("seats", "parquet"), ("arcs", "parquet"), ("parts", "json")):
        one, other = (folder / table / f"standard-2p-00000{number}.{suffix}" for number in (0, 1))
        other.write_bytes(one.read_bytes())
    assert "of another part ('standard-2p-000000')" in fails(folder)


@pytest.mark.parametrize("changes", [{"seed": 6}, {"question": "Really?"}, {"complete": False}, {"counters": []}])
def test_an_edited_manifest_is_noticed(folder: Path, changes: dict[str, Any]) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes), encoding="utf-8")
    assert "manifest.json: damaged or edited" in fails(folder)


@pytest.mark.parametrize("path", [None, 5, b"run", "a\0b", []])
def test_what_is_no_path(path: Any) -> None:
    with pytest.raises(FlocksimError, match="is not allowed"):
        load(path)


def test_a_part_of_another_run_is_noticed(folder: Path) -> None:
    receipt = folder / "parts" / "standard-2p-000001.json"
    receipt.write_text(receipt.read_text().replace("c0ffee", "decaf"))
    assert f"{receipt}: of another run" in fails(folder)


@pytest.mark.parametrize("name", ["standard-02p-000001", "standard-2p-1", "nonsense", "standard-2p-0000001"])
def test_an_alias_of_a_part_is_noticed(folder: Path, name: str) -> None:
    (folder / "parts" / "standard-2p-000001.json").rename(folder / "parts" / f"{name}.json")
    assert f"{name}.json: is not part of this run" in fails(folder)


def test_missing_part(folder: Path) -> None:
    (folder / "seats" / "standard-2p-000001.parquet").unlink()
    assert "standard-2p-000001.parquet: missing" in fails(folder)


def test_missing_games(folder: Path) -> None:
    (folder / "parts" / "standard-2p-000001.json").unlink()
    assert "2 of 4 games" in fails(folder)


def test_missing_column(folder: Path) -> None:
    part = folder / "games" / "standard-2p-000001.parquet"
    pl.read_parquet(part).drop("digest").write_parquet(part)
    sign(folder, PartName("standard", 2, 1))
    assert "column 'digest' is missing" in fails(folder)


def test_tables_that_do_not_match(folder: Path) -> None:
    part = folder / "seats" / "standard-2p-000001.parquet"
    pl.read_parquet(part).head(3).write_parquet(part)
    sign(folder, PartName("standard", 2, 1))
    assert "3 rows for 2 games of 2 players" in fails(folder)


def test_unfinished_run_gives_what_is_there(folder: Path) -> None:
    change(folder, complete=False)
    (folder / "parts" / "standard-2p-000001.json").unlink()
    with load(folder) as run:
        assert not run.complete
        assert len(run.games.df()) == 2


def test_run_without_games(folder: Path) -> None:
    change(folder, complete=False)
    for file in folder.glob("parts/*"):
        file.unlink()
    assert "no finished games" in fails(folder)


def test_strangers_among_the_parts_are_left_out(folder: Path) -> None:
    (folder / "games" / "other-2p-000000.parquet").write_bytes(b"nonsense")
    (folder / "games" / "standard-2p-000000.parquet.17.tmp").write_bytes(b"nonsense")
    with load(folder) as run:
        assert len(run.games.df()) == 4


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("SELEKT 1", "SELEKT"),
        ("SELECT nothing FROM games", "nothing"),
        ("SELECT * FROM birds", "birds"),
        ("", "statement"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("DROP VIEW games", "DROP is not allowed"),
        ("COPY games TO 'x.csv'", "COPY is not allowed"),
        ("SET threads = 1", "SET is not allowed"),
        ("SELECT $missing", "missing"),
        ("SELECT * FROM read_text('/etc/hostname')", "Permission"),
        ("SELECT * FROM glob('/*')", "Permission"),
        ("SELECT * FROM 'elsewhere.csv'", "elsewhere.csv"),
        ("SELECT * FROM read_parquet('/tmp/*.parquet')", "Permission"),
    ],
)
def test_queries_that_cannot_be(folder: Path, query: str, word: str) -> None:
    with load(folder) as run, pytest.raises(FlocksimError) as caught:
        run.sql(query)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_errors_while_reading_rows(folder: Path) -> None:
    with load(folder) as run, pytest.raises(FlocksimError, match="Conversion"), run.reading():
        run.sql("SELECT end_reason::INTEGER FROM games").fetchall()


def test_queries_that_can(folder: Path) -> None:
    with load(folder) as run:
        assert run.sql("SELECT count(*) AS n FROM games;").fetchall() == [(4,)]
        assert run.sql("SELECT count(*) FROM seats WHERE seat = $seat", seat=2).fetchall() == [(4,)]
        assert len(run.sql("DESCRIBE games").fetchall()) == 12
        assert run.sql("PIVOT games ON end_reason USING count(*) GROUP BY players").df().shape == (1, 4)


def test_unknown_query_names_the_nearest(folder: Path) -> None:
    with load(folder) as run, pytest.raises(FlocksimError, match="did you mean 'seat_wins'"):
        run.query("seat_win")


def test_every_query_says_what_it_asks() -> None:
    from flocksim.analysis.run_folder import query_text

    assert len(query_names()) >= 11
    for name in query_names():
        lines = query_text(name).splitlines()
        assert lines[0].startswith("-- Question: ")
        assert any(line.startswith("-- Grain: ") for line in lines)
        assert any(line.startswith("-- Columns: ") for line in lines)


def test_answers_are_remembered_while_the_games_stay_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with load(folder) as run:
        plain = run.frame("seat_wins")
        assert not (folder / "aggregates").exists()
    with load(folder) as run, run.remembering():
        pd.testing.assert_frame_equal(run.frame("seat_wins"), plain)
        counters = run.frame("counters")
    kept = sorted((folder / "aggregates").iterdir())
    assert len(kept) == 2
    with monkeypatch.context() as patched, load(folder) as run, run.remembering():
        patched.setattr(run, "query", None)  # nothing is asked of the games
        pd.testing.assert_frame_equal(run.frame("seat_wins"), plain)
        pd.testing.assert_frame_equal(run.frame("counters"), counters)
    kept[0].write_bytes(b"damaged")
    whole = kept[1].read_bytes()
    kept[1].write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    with load(folder) as run, run.remembering():
        pd.testing.assert_frame_equal(run.frame("seat_wins"), plain)
        pd.testing.assert_frame_equal(run.frame("counters"), counters)
    assert sorted((folder / "aggregates").iterdir()) == kept
    assert kept[0].stat().st_size > 100
    assert kept[1].read_bytes() == whole
    kept[0].write_bytes(whole)  # undamaged, but another question's
    with load(folder) as run, run.remembering():
        pd.testing.assert_frame_equal(run.frame("seat_wins"), plain)
        pd.testing.assert_frame_equal(run.frame("counters"), counters)


def test_other_games_are_asked_anew(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", PAIR, parts=2)
    with load(folder) as run, run.remembering():
        before = run.frame("endings")
    for part in ("games", "seats", "parts", "manifest.json"):
        place = folder / part
        shutil.rmtree(place) if place.is_dir() else place.unlink()
    write_run(tmp_path / "other", [replace(game, turns=99, end="stuck") for game in PAIR])
    for part in ("games", "seats", "parts", "manifest.json"):
        (tmp_path / "other" / part).rename(folder / part)
    with load(folder) as run, run.remembering():
        after = run.frame("endings")
    assert after.total.tolist() != before.total.tolist()
    assert len(list((folder / "aggregates").iterdir())) == 1
