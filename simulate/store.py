"""The run folder: Parquet parts that appear whole or not at all, and a manifest that says what they are."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from filelock import FileLock, Timeout

from .compiled import SOURCES
from .errors import FlocksimError
from .layout import END_REASONS
from .plan import FORMAT, Part, Study

TABLES = ("games", "seats")
MANIFEST = "manifest.json"
_OURS = (*TABLES, MANIFEST, "report.html", "report.md", "tables", "figures")
_FILES_OF = {"games": "*.parquet", "seats": "*.parquet", "tables": "*.csv", "figures": "*.svg"}
_TEMPORARY = ".tmp"

GAMES_SCHEMA = pl.Schema(
    {
        "variant": pl.String,
        "players": pl.UInt8,
        "game": pl.Int64,
        "block": pl.Int64,
        "rotation": pl.UInt8,
        "turns": pl.Int32,
        "rounds": pl.Int32,
        "decisions": pl.Int32,
        "end_reason": pl.String,
        "winners": pl.UInt8,
        "margin": pl.Int32,
        "digest": pl.UInt64,
    }
)
_SEATS_START = {
    "variant": pl.String,
    "players": pl.UInt8,
    "game": pl.Int64,
    "block": pl.Int64,
    "rotation": pl.UInt8,
    "seat": pl.UInt8,
    "strategy": pl.String,
    "score": pl.Int32,
    "rank": pl.UInt8,
    "win_share": pl.Float64,
}


def seats_schema(counters: tuple[str, ...]) -> pl.Schema:
    """The columns of `seats`: the common ones, then the game's counters."""
    return pl.Schema({**_SEATS_START, **dict.fromkeys(counters, pl.Int32)})


def games_table(study: Study, part: Part, rows: np.ndarray) -> pl.DataFrame:
    """The `games` rows of a part from the driver's records."""
    columns: dict[str, Any] = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()}
    columns["end_reason"] = _words(END_REASONS, columns["end_reason"])
    columns["variant"] = _words([study.variants[part.variant].name], np.zeros(len(rows), np.uint8))
    columns["players"] = np.full(len(rows), part.players, np.uint8)
    return pl.DataFrame({name: columns[name] for name in GAMES_SCHEMA}, schema=GAMES_SCHEMA)


def seats_table(study: Study, part: Part, games: np.ndarray, seats: np.ndarray) -> pl.DataFrame:
    """The `seats` rows of a part, game by game, seat 1 first."""
    players = part.players
    count = seats.size
    flat = seats.reshape(-1)
    names = [strategy.name for strategy in study.strategies]
    columns: dict[str, Any] = {
        "variant": _words([study.variants[part.variant].name], np.zeros(count, np.uint8)),
        "players": np.full(count, players, np.uint8),
        "seat": np.tile(np.arange(1, players + 1, dtype=np.uint8), len(games)),
        "strategy": _words(names, flat["strategy"]),
    }
    for name in ("game", "block", "rotation"):
        columns[name] = np.repeat(games[name], players)
    for name in ("score", "rank", "win_share"):
        columns[name] = np.ascontiguousarray(flat[name])
    for index, name in enumerate(study.game.counters):
        columns[name] = np.ascontiguousarray(flat["counters"][:, index])
    schema = seats_schema(study.game.counters)
    return pl.DataFrame({name: columns[name] for name in schema}, schema=schema)


def _words(words: Any, codes: np.ndarray) -> pl.Series:
    return pl.Series(list(words), dtype=pl.String).gather(pl.Series(codes.astype(np.uint32)))


class RunFolder:
    """One run's folder, locked while in use."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path, self.study = path, study
        self._lock = FileLock(path / ".lock", timeout=0)

    # --- opening ---

    @contextlib.contextmanager
    def opened(self, fresh: bool) -> Iterator[None]:
        """Hold the folder for this run; raises FlocksimError if it holds anything else."""
        with writing(self.path):
            self._check_strangers()
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except Timeout:
                raise FlocksimError(f"{self.path}: another run is writing here; wait for it or use --out") from None
        try:
            if fresh:
                self._clear()
            self._check_manifest()
            with writing(self.path):
                for table in TABLES:
                    (self.path / table).mkdir(exist_ok=True)
                for left in self.path.glob(f"*/*{_TEMPORARY}"):
                    left.unlink()
            yield
        finally:
            self._lock.release()

    def _check_strangers(self) -> None:
        """A folder that is not a run's is never written into."""
        if self.path.exists() and not self.path.is_dir():
            raise FlocksimError(f"{self.path}: is a file; --out wants a folder")
        if not self.path.exists() or (self.path / MANIFEST).exists():
            return
        others = [item.name for item in self.path.iterdir() if not _left_by_a_start(item)]
        if others:
            raise FlocksimError(f"{self.path}: not a run folder (it holds '{sorted(others)[0]}'); use another --out")

    def _clear(self) -> None:
        with writing(self.path):
            for name in _OURS:
                item = self.path / name
                if name not in _FILES_OF:
                    item.unlink(missing_ok=True)
                elif item.is_dir():
                    for file in (*item.glob(_FILES_OF[name]), *item.glob(f"*{_TEMPORARY}")):
                        file.unlink()

    def _check_manifest(self) -> None:
        path = self.path / MANIFEST
        if not path.exists():
            return
        old = read_manifest(self.path)
        hint = "--fresh starts over, --out writes elsewhere"
        if old.get("flocksim") != version("flocksim"):
            raise FlocksimError(
                f"{path}: made by flocksim {old.get('flocksim')}, this is {version('flocksim')}; {hint}"
            )
        if old.get("config_hash") != self.study.hash():
            raise FlocksimError(f"{path}: {self._what_changed(old)}; {hint}")
        if old.get("sources") != SOURCES:
            raise FlocksimError(f"{path}: flocksim's own code or numba changed since that run; {hint}")

    def _what_changed(self, old: dict[str, Any]) -> str:
        before, now = old.get("config", {}), self.study.config()
        changed = [key for key in now if key != "question" and before.get(key) != now[key]]
        detail = ""
        if changed and not isinstance(now[changed[0]], dict | list):
            detail = f" ({before.get(changed[0])}, now {now[changed[0]]})"
        return f"the config changed since that run: {', '.join(changed) or 'part size'}{detail}"

    # --- parts ---

    def part_path(self, table: str, part: Part) -> Path:
        variant = self.study.variants[part.variant].name
        return self.path / table / f"{variant}-{part.players}p-{part.number:06d}.parquet"

    def finished(self, parts: list[Part]) -> set[Part]:
        """The parts that are there and whole; raises FlocksimError for one that is there and is not."""
        expected = {self.part_path(table, part) for table in TABLES for part in parts}
        for table in TABLES:
            for path in sorted((self.path / table).iterdir()):
                if path not in expected and not path.name.endswith(_TEMPORARY):
                    raise FlocksimError(f"{path}: is not part of this run; remove it or use --out")
        done = set()
        for part in parts:
            if self.stored(part):
                self._check_part(part)
                done.add(part)
        return done

    def stored(self, part: Part) -> bool:
        """Whether both files of a part are there."""
        return all(self.part_path(table, part).exists() for table in TABLES)

    def _check_part(self, part: Part) -> None:
        first = part.first * part.players
        games = np.arange(first, first + part.games)
        self._check_table("games", part, GAMES_SCHEMA, games)
        self._check_table("seats", part, seats_schema(self.study.game.counters), np.repeat(games, part.players))

    def _check_table(self, table: str, part: Part, schema: pl.Schema, games: np.ndarray) -> None:
        path = self.part_path(table, part)
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise FlocksimError(f"{path}: damaged ({_first_line(error)}); delete it and run again") from None
        same = frame.schema == schema and np.array_equal(frame["game"].to_numpy(), games)
        if not same or frame["variant"].unique().to_list() != [self.study.variants[part.variant].name]:
            raise FlocksimError(f"{path}: does not hold the games it should; delete it and run again")

    def write_part(self, part: Part, games: np.ndarray, seats: np.ndarray) -> None:
        """Store a part; `games` last, so that a part with both files is whole."""
        self._write("seats", part, seats_table(self.study, part, games, seats))
        self._write("games", part, games_table(self.study, part, games))

    def _write(self, table: str, part: Part, frame: pl.DataFrame) -> None:
        path = self.part_path(table, part)
        temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
        with writing(path):
            try:
                frame.write_parquet(temporary, compression="zstd", compression_level=3, row_group_size=1 << 20)
                os.replace(temporary, path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

    # --- manifest ---

    def write_manifest(self, complete: bool, timings: dict[str, Any]) -> None:
        write_atomically(self.path / MANIFEST, json.dumps(manifest(self.study, complete, timings), indent=2) + "\n")


def _left_by_a_start(item: Path) -> bool:
    """Whether a run that was killed before its manifest was written can have left this."""
    if item.is_dir():
        return item.name in TABLES and not any(item.iterdir())
    return item.name == ".lock" or (item.name.startswith(MANIFEST) and item.name.endswith(_TEMPORARY))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what a file system may refuse into one line that names the path."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        full = getattr(error, "errno", -1) in (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", None))
        hint = "; the finished parts are kept: make room and run the same command again" if full else ""
        reason = getattr(error, "strerror", None) or _first_line(error)
        raise FlocksimError(f"{path}: cannot be written: {reason}{hint}") from None


def write_atomically(path: Path, text: str) -> None:
    """Write a text so that it appears whole or not at all; a device or a pipe is written to, never replaced."""
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():
        with writing(path):
            path.write_text(text, encoding="utf-8", newline="\n")
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
    with writing(path):
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a run folder; raises FlocksimError when it cannot be read as one of this format."""
    file = path / MANIFEST
    try:
        manifest_ = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise FlocksimError(f"{file}: cannot be read as a manifest: {_first_line(error)}") from None
    if not isinstance(manifest_, dict) or manifest_.get("format") != FORMAT:
        found = manifest_.get("format") if isinstance(manifest_, dict) else None
        raise FlocksimError(f"{file}: run folder of format {found}; this flocksim reads format {FORMAT}")
    return manifest_


def manifest(study: Study, complete: bool, timings: dict[str, Any]) -> dict[str, Any]:
    """What a run folder says of itself."""
    game = study.game
    return {
        "format": FORMAT,
        "flocksim": version("flocksim"),
        "name": study.name,
        "question": study.question,
        "game": {
            "name": game.name,
            "title": game.title,
            "version": game.version,
            "score_word": game.score_word,
            "provenance": game.provenance,
        },
        "seed": study.seed,
        "games": study.games,
        "players": list(study.players),
        "variants": [
            {
                "name": variant.name,
                "presets": list(variant.presets),
                "rules": variant.rules.model_dump(),
                "differs": _differences(study, variant.rules),
            }
            for variant in study.variants
        ],
        "strategies": [
            {**entry, "line": strategy.line}
            for entry, strategy in zip(study.players_in_full(), study.strategies, strict=True)
        ],
        "counters": list(game.counters),
        "named_rulings": _named_rulings(study),
        "cells": [
            {
                "variant": variant.name,
                "players": players,
                "blocks": study.blocks(players),
                "games": study.blocks(players) * players,
            }
            for variant in study.variants
            for players in study.players
        ],
        "config": study.config(),
        "config_hash": study.hash(),
        "sources": SOURCES,
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("numba", "numpy", "polars", "duckdb")},
        },
        "complete": complete,
        "timings": timings,
    }


def _differences(study: Study, rules: Any) -> dict[str, list[Any]]:
    standard = study.game.parameters.build(study.players[0])
    return {name: [theirs, mine] for name, (mine, theirs) in rules.differences(standard).items()}


def _named_rulings(study: Study) -> dict[str, Any]:
    named = {}
    for name in study.game.rulings:
        info = study.game.parameters.model_fields[name]
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        named[name] = {
            "ruling": extra.get("ruling", ""),
            "description": info.description,
            "values": {variant.name: getattr(variant.rules, name) for variant in study.variants},
        }
    return named
