"""A run folder, opened for reading: its manifest and its games and seats as DuckDB views."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import duckdb
import pandas as pd
from flocksim.simulate.errors import FlocksimError, unknown
from pyarrow import parquet

FORMAT = 1
TABLES = ("games", "seats")
COLUMNS = {
    "games": (
        *("variant", "players", "game", "block", "rotation", "turns", "rounds", "decisions"),
        *("end_reason", "winners", "margin", "digest"),
    ),
    "seats": (
        *(
            "variant",
            "players",
            "game",
            "block",
            "rotation",
            "seat",
            "strategy",
            "score",
            "rank",
            "win_share",
        ),
    ),
}
UNITS = 4000
"""Aim for at most so many independent units a cell; more blocks than that are bundled (see `Run.bundle`)."""

_PART = re.compile(r"(?P<variant>.+)-(?P<players>\d+)p-(?P<batch>\d+)\.parquet")
_KINDS = {"name": str, "game": dict, "players": list, "variants": list, "strategies": list, "cells": list}
_NEEDED = ("name", "game", "players", "variants", "strategies", "cells", "complete")


def load(path: str | Path) -> Run:
    """Open a run folder. Raises FlocksimError, one line, when it is none or a file in it cannot be read."""
    folder = Path(path)
    manifest = _read_manifest(folder)
    parts = _find_parts(folder, manifest)
    for part in parts:
        _check_part(folder, part)
    if manifest["complete"]:
        _check_counts(folder, manifest, parts)
    return Run(folder, manifest, parts)


class Run:
    """What a study played: `manifest`, and `games` and `seats` as DuckDB relations (`.df()`, `.pl()`).

    Nothing in the folder is written to. Use it as a context manager, or call `close()`.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], parts: list[str]) -> None:
        self.path = folder
        self.manifest = dict(manifest)
        self.parts = parts
        spill = tempfile.mkdtemp(prefix="flocksim-")
        self._remove_spill = weakref.finalize(self, shutil.rmtree, spill, True)
        self._connection = _connect(spill)
        self._connection.execute("SET enable_progress_bar = false")
        for table in TABLES:
            names = ", ".join(_literal(folder / table / part) for part in parts)
            with self.reading():
                self._connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet([{names}], hive_partitioning = false)"
                )
        self.bundle = self._bundle()

    @property
    def games(self) -> duckdb.DuckDBPyRelation:
        """One row a game, in the order of variants, player counts and games."""
        return self._connection.table("games")

    @property
    def seats(self) -> duckdb.DuckDBPyRelation:
        """One row a game and seat, with the game's own counters as further columns."""
        return self._connection.table("seats")

    @property
    def complete(self) -> bool:
        """False while the run is still going, or when it was interrupted."""
        return bool(self.manifest["complete"])

    def sql(self, query: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """The answer to one query over the views `games` and `seats`; `$name` takes a keyword's value.

        Raises FlocksimError, one line, for SQL that cannot be understood or that would change something.
        Rows are read when asked for: `with run.reading():` around that gives one-line errors there too.
        """
        with self.reading():
            statements = self._connection.extract_statements(query)
            _check_reads_only(statements)
            relation = self._connection.sql(query.strip().rstrip(";"), params=parameters or None)
        if relation is None:
            raise FlocksimError("query: it has no rows to show; ask with SELECT")
        return relation

    def query(self, name: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """The answer to a shipped query, by the name of its file without `.sql`; `$bundle` is filled in."""
        text = query_text(name)
        if "$bundle" in text:
            parameters.setdefault("bundle", self.bundle)
        return self.sql(text, **parameters)

    def frame(self, name: str, **parameters: Any) -> pd.DataFrame:
        """`query`, fetched as a pandas table; whole numbers too large for 64 bits come as floats."""
        with self.reading():
            return self.query(name, **parameters).df()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn DuckDB's errors into a FlocksimError of one line, which names a damaged part."""
        try:
            yield
        except _ASKED_WRONGLY as error:
            raise FlocksimError(f"query: {_first_line(error)}") from None
        except duckdb.Error as error:
            for file in (self.path / table / part for table in TABLES for part in self.parts):
                _check_readable(file)
            raise FlocksimError(f"{self.path}: {_first_line(error)}") from None

    def close(self) -> None:
        """Let go of the files and of the room for spills."""
        self._connection.close()
        self._remove_spill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _bundle(self) -> int:
        """Blocks to a unit: sums of independent blocks are independent, and memory stays flat."""
        with self.reading():
            last = self._connection.sql("SELECT max(block) FROM games").fetchall()[0][0]
        if last is None:
            raise FlocksimError(f"{self.path}: no finished games in it yet")
        return int(last) // UNITS + 1


_ASKED_WRONGLY = (
    duckdb.ParserException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ConversionException,
    duckdb.OutOfRangeException,
    duckdb.InvalidInputException,
)


def _first_line(error: Exception) -> str:
    """The first line of an error, with DuckDB's suggestion from further down."""
    text = str(error).strip()
    first = text.splitlines()[0]
    hint = re.search(r"(Candidate bindings|Did you mean)[^\n]*", text)
    return f"{first} ({hint.group(0)})" if hint and hint.group(0) not in first else first


def _check_readable(file: Path) -> None:
    try:
        parquet.read_table(file)
    except Exception as error:
        raise FlocksimError(f"{file}: corrupt Parquet file ({' '.join(str(error).split())})") from None


def query_names() -> list[str]:
    """The shipped queries, in alphabetical order."""
    folder = files("flocksim.analysis") / "queries"
    return sorted(entry.name[:-4] for entry in folder.iterdir() if entry.name.endswith(".sql"))


def query_text(name: str) -> str:
    """The SQL of a shipped query. Raises FlocksimError for a name that does not exist."""
    if name not in query_names():
        raise FlocksimError(unknown("query", name, query_names()))
    return (files("flocksim.analysis") / "queries" / f"{name}.sql").read_text(encoding="utf-8")


def _read_manifest(folder: Path) -> dict[str, Any]:
    if not folder.exists():
        raise FlocksimError(f"{folder}: no such folder")
    file = folder / "manifest.json"
    if not file.is_file():
        raise FlocksimError(f"{folder}: not a run folder (no manifest.json in it)")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FlocksimError(f"{file}: cannot be read ({' '.join(str(error).split())})") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise FlocksimError(f"{file}: not the manifest of a run (it has no 'format')")
    if manifest["format"] != FORMAT:
        raise FlocksimError(
            f"{file}: format {manifest['format']!r} of flocksim {manifest.get('flocksim', 'unknown')}; "
            f"this flocksim reads format {FORMAT}: run the study again"
        )
    missing = [key for key in _NEEDED if key not in manifest]
    if missing:
        raise FlocksimError(f"{file}: '{missing[0]}' is missing from it")
    for key, kind in _KINDS.items():
        if not isinstance(manifest[key], kind):
            raise FlocksimError(f"{file}: '{key}' is not what it should be ({str(manifest[key])[:40]})")
    return manifest


def _find_parts(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Names of the parts present in both tables, in the order of cells and batches."""
    order = {(cell["variant"], int(cell["players"])): place for place, cell in enumerate(manifest["cells"])}
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for table in TABLES:
        found[table] = {}
        for file in (folder / table).glob("*.parquet"):
            match = _PART.fullmatch(file.name)
            cell = (match["variant"], int(match["players"])) if match else None
            if match and cell in order:
                found[table][file.name] = (order[cell], int(match["batch"]))
    both = found["games"].keys() & found["seats"].keys()
    single = sorted(found["games"].keys() ^ found["seats"].keys())
    if manifest["complete"] and single:
        table = "seats" if single[0] in found["games"] else "games"
        raise FlocksimError(f"{folder / table / single[0]}: missing; run the study again to restore it")
    if not both:
        raise FlocksimError(f"{folder}: no finished games in it yet")
    return sorted(both, key=lambda name: found["games"][name])


def _check_part(folder: Path, part: str) -> None:
    match = _PART.fullmatch(part)
    players = int(match["players"]) if match else 0
    rows = {table: _rows(folder / table / part, COLUMNS[table]) for table in TABLES}
    if rows["seats"] != rows["games"] * players:
        raise FlocksimError(
            f"{folder / 'seats' / part}: {rows['seats']} rows for {rows['games']} games of {players} players"
        )


def _rows(file: Path, columns: tuple[str, ...]) -> int:
    try:
        metadata = parquet.read_metadata(file)
    except Exception as error:
        text = " ".join(str(error).split())
        raise FlocksimError(f"{file}: corrupt or truncated Parquet file ({text})") from None
    missing = [column for column in columns if column not in metadata.schema.names]
    if missing:
        raise FlocksimError(f"{file}: column '{missing[0]}' is missing; was it written by another version?")
    return int(metadata.num_rows)


def _check_counts(folder: Path, manifest: Mapping[str, Any], parts: list[str]) -> None:
    for cell in manifest["cells"]:
        prefix = f"{cell['variant']}-{cell['players']}p-"
        mine = [part for part in parts if part.startswith(prefix) and part[len(prefix) :].split(".")[0].isdigit()]
        games = sum(parquet.read_metadata(folder / "games" / part).num_rows for part in mine)
        if games != cell["games"]:
            raise FlocksimError(
                f"{folder / 'games'}: {games} of {cell['games']} games of {cell['variant']} with "
                f"{cell['players']} players; run the study again to restore them"
            )


_READING = (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI)


def _check_reads_only(statements: list[Any]) -> None:
    if len(statements) != 1:
        raise FlocksimError(f"query: one statement at a time, not {len(statements)}")
    if statements[0].type not in _READING:
        raise FlocksimError(f"query: {statements[0].type.name} is not allowed; a run is only read (SELECT ...)")


def _connect(spill: str) -> duckdb.DuckDBPyConnection:
    """An in-memory database that spills to a folder of its own, outside the run's."""
    return duckdb.connect(
        config={
            "temp_directory": spill,
            "memory_limit": "2GB",
            "autoinstall_known_extensions": False,
        }
    )


def _literal(file: Path) -> str:
    """A path as an SQL string that DuckDB does not take for a pattern."""
    plain = "".join(f"[{letter}]" if letter in "[*?" else letter for letter in str(file))
    return "'" + plain.replace("'", "''") + "'"
