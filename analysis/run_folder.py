"""A run folder, opened for reading: its manifest and its tables as DuckDB views."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, Self

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from flocksim.simulate import receipts
from flocksim.simulate.errors import FlocksimError, unknown
from flocksim.simulate.manifest import read_manifest
from flocksim.simulate.receipts import TABLES, PartName, as_path
from flocksim.simulate.units import FIRST_GAMES, group_size, unit_size

from .memory import Memory
from .populations import baselines
from .stored import COLUMNS, Stored, check_counts, check_part, check_readable, find_parts, first_parts
from .units import Sums, define_units, sums_of

UNITS = 4000
"""Aim for at most so many independent units a cell; more blocks than that are added up (see `Run.blocks_a_unit`)."""


def load(path: str | Path, units: int = UNITS, names: Mapping[str, str] | None = None) -> Run:
    """Open a run folder. units: at most so many independent units a cell. names: strategies to be called otherwise,
    several by one name if that is asked.

    Raises FlocksimError, one line, when it is none or a file in it cannot be read."""
    folder = as_path(path, "run folder")
    manifest = read_manifest(folder)
    parts = find_parts(folder, manifest)
    receipts.check(folder, parts, manifest["config_hash"])
    for part in parts:
        check_part(folder, part)
    if manifest["complete"]:
        check_counts(folder, manifest, parts)
    return Run(folder, manifest, parts, units, called=names)


class Beside(NamedTuple):
    """Parts of another run (or of the same), told as games of a variant of that name."""

    folder: Path
    parts: list[PartName]
    variant: str


class Run:
    """What a study played: `manifest`, and `games`, `seats` and `arcs` as DuckDB relations (`.df()`, `.pl()`).

    Nothing in the folder is written to. Use it as a context manager, or call `close()`.
    """

    def __init__(
        self,
        folder: Path,
        manifest: Mapping[str, Any],
        parts: list[PartName],
        units: int = UNITS,
        beside: Beside | None = None,
        called: Mapping[str, str] | None = None,
        blocks: pd.DataFrame | None = None,
    ) -> None:
        """blocks: which ones of the first games count, (variant, players, block), and as which variant, `called`, which
        may be several; without the game's own columns. All blocks if not given.
        """
        self.path = folder
        self.manifest = {**manifest, "strategies": _renamed(manifest["strategies"], called or {})}
        self.parts = parts
        self._stored = [Stored(folder, part) for part in parts]
        if beside:
            self._stored += [Stored(beside.folder, part, beside.variant) for part in beside.parts]
        self._frames: dict[str, pd.DataFrame] = {}
        self._memory: Memory | None = None
        self._called = dict(called or {})
        self._judged = self._added_up = False
        spill = tempfile.mkdtemp(prefix="flocksim-")
        self._remove_spill = weakref.finalize(self, shutil.rmtree, spill, True)
        self._connection = _connect(spill)
        with self.reading():
            self._define_tables(blocks)
            _confine(self._connection, sorted({stored.folder for stored in self._stored}))
        self._units = units
        self.blocks_a_unit = self._blocks_a_unit()
        self._define_macros()

    def _define_tables(self, blocks: pd.DataFrame | None) -> None:
        """`games`, `seats` and `arcs`; `first_games` and `first_seats`, at most FIRST_GAMES of each cell; and
        `recorded_games` and `recorded_seats`, those of all parts that have a recorded game: few files to read.
        """
        self._chosen = blocks is not None
        if blocks is not None:
            self._connection.register("given", blocks)
            self._connection.execute("CREATE TABLE counted AS FROM given")
            self._connection.unregister("given")
        most = max(FIRST_GAMES, self.manifest["config"].get("arcs", 0))
        first = first_parts(self._stored, most)
        kept = [stored for stored in self._stored if stored.keeps_games]
        if not first:
            raise FlocksimError(f"{self.path}: its first games are not there yet; the same run again goes on from here")
        recorded = [stored for stored in kept if stored.records_games] or kept[:1]
        for table in TABLES:
            if blocks is None:
                rows = f"CREATE VIEW {table} AS FROM ({self._rows_of(table, recorded if table == 'arcs' else kept)})"
            else:  # few of many rows: picked once, without the game's own columns
                rows = f"SELECT {', '.join(COLUMNS[table])}, called FROM ({self._rows_of(table, first)})"
                rows = f"{rows} INNER JOIN counted USING (variant, players, block)"
                rows = f"CREATE TABLE {table} AS SELECT * EXCLUDE (called) REPLACE (called AS variant) FROM ({rows})"
            self._connection.execute(rows)
        for table in ("games", "seats"):
            for name, parts in {"first": first, "recorded": recorded}.items():
                rows = table if self._chosen else f"({self._rows_of(table, parts)})"
                only = f"WHERE game < {most}" if name == "first" else ""
                self._connection.execute(f"CREATE VIEW {name}_{table} AS FROM {rows} {only}")

    def _rows_of(self, table: str, stored: list[Stored]) -> str:
        """The rows of a table in these parts, in SQL."""
        named: dict[str, list[Path]] = {}
        for part in stored:
            named.setdefault(part.variant, []).append(part.file(table))
        rows = " UNION ALL BY NAME ".join(
            f"SELECT *{f' REPLACE ({_quoted(variant)} AS variant)' if variant else ''} FROM {_reading_of(files)}"
            for variant, files in named.items()
        )
        if self._called and table == "seats":
            cases = " ".join(f"WHEN {_quoted(name)} THEN {_quoted(new)}" for name, new in self._called.items())
            rows = f"SELECT * REPLACE (CASE strategy {cases} ELSE strategy END AS strategy) FROM ({rows})"
        return rows

    def _define_units(self) -> None:
        """The tables of units, made when one is first asked for."""
        if self._added_up:
            return
        self._added_up = True
        with self.reading():
            define_units(self._connection, self._sums())

    def _sums(self) -> Iterator[Callable[[], Sums]]:
        """The sums of every part, or of every cell of chosen blocks."""
        if self._chosen:
            for cell in self._connection.execute("SELECT DISTINCT variant, players FROM games ORDER BY ALL").fetchall():
                yield partial(self._sums_of, partial(self._chosen_rows, *cell))
        for stored in () if self._chosen else self._stored:
            if stored.keeps_games:
                yield partial(self._sums_of, partial(stored.rows, self._called))
            else:
                yield partial(stored.sums, self._called, self.blocks_a_unit)

    def _sums_of(self, rows: Callable[[], tuple[pl.DataFrame, pl.DataFrame]]) -> Sums:
        board = self.manifest.get("board_map") or {}
        return sums_of(rows(), self.blocks_a_unit, self.manifest.get("uses") or (), board.get("counter", ""))

    def _chosen_rows(self, variant: str, players: int) -> tuple[pl.DataFrame, pl.DataFrame]:
        where, cursor = f"WHERE variant = {_quoted(variant)} AND players = {players}", self._connection.cursor()
        games = cursor.sql(f"FROM games {where} ORDER BY game").pl()
        return games, cursor.sql(f"FROM seats {where} ORDER BY game, seat").pl()

    @property
    def games(self) -> duckdb.DuckDBPyRelation:
        """One row a game, in the order of variants, player counts and games."""
        return self._connection.table("games")

    @property
    def seats(self) -> duckdb.DuckDBPyRelation:
        """One row a game and seat, with the game's own counters as further columns."""
        return self._connection.table("seats")

    @property
    def arcs(self) -> duckdb.DuckDBPyRelation:
        """One row a turn of each recorded game; `standings` is a list, by seat."""
        return self._connection.table("arcs")

    @property
    def verdicts(self) -> duckdb.DuckDBPyRelation:
        """Whether each target is met (see verdicts.verdicts), by the targets in the manifest's config."""
        self._define_verdicts()
        return self._connection.table("verdicts")

    @property
    def complete(self) -> bool:
        """False while the run is still going, or when it was interrupted."""
        return bool(self.manifest["complete"])

    @property
    def sequential(self) -> bool:
        """Whether the run stopped, or is to stop, when sure: only sequences of intervals hold then."""
        return bool(self.manifest.get("stop"))

    def sql(self, query: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """The answer to one query over `games`, `seats`, `arcs` and `verdicts`; `$name` takes a keyword's value.

        Raises FlocksimError, one line, for SQL that cannot be understood or that would change something.
        Rows are read when asked for: `with run.reading():` around that gives one-line errors there too.
        """
        try:
            query.encode("utf-8")
        except (AttributeError, UnicodeEncodeError):
            raise FlocksimError(f"query: {query!r} is not text") from None
        if re.search(r"\bverdicts\b", query, re.IGNORECASE):
            self._define_verdicts()
        if re.search(r"\bunit_(?!of\b)", query, re.IGNORECASE):
            self._define_units()
        with self.reading():
            statements = self._connection.extract_statements(query)
            _check_reads_only(statements)
            relation = self._connection.sql(query.strip().rstrip(";"), params=parameters or None)
        if relation is None:
            raise FlocksimError("query: it has no rows to show; ask with SELECT")
        return relation

    def query(self, name: str, **parameters: Any) -> duckdb.DuckDBPyRelation:
        """The answer to a shipped query, by the name of its file without `.sql`."""
        return self.sql(query_text(name), **parameters)

    def frame(self, name: str, **parameters: Any) -> pd.DataFrame:
        """`query`, fetched as a pandas table; whole numbers too large for 64 bits come as floats.

        Each is asked once, however many tables are made of it.
        """
        key = f"{name} {sorted(parameters.items())}"
        if key not in self._frames:
            self._frames[key] = self._answer(name, key, parameters)
        return self._frames[key].copy()

    def _answer(self, name: str, key: str, parameters: Mapping[str, Any]) -> pd.DataFrame:
        def ask() -> dict[str, pd.DataFrame]:
            with self.reading():
                return {name: self.query(name, **parameters).df()}

        return self.remembered(f"{key}\n{query_text(name)}", (name,), ask)[name]

    def remembered(
        self, question: str, names: Sequence[str], answer: Callable[[], dict[str, pd.DataFrame]]
    ) -> dict[str, pd.DataFrame]:
        """The tables of these names that `answer` gives, or that it gave before; see `remembering`."""
        known = {name: self._memory.recall(f"{name}\n{question}") if self._memory else None for name in names}
        whole = {name: table for name, table in known.items() if table is not None}
        if len(whole) == len(known):
            return whole
        found = answer()
        for name in names if self._memory else ():
            assert self._memory
            self._memory.keep(f"{name}\n{question}", found[name])
        return found

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """Within this, answers are kept in the run folder and taken from there (see memory.Memory)."""
        from flocksim import __version__

        receipts_ = (
            f"{part.receipt(self.path).name} {part.receipt(self.path).read_text('utf-8')}" for part in self.parts
        )
        self._memory = Memory(self.path, (__version__, _code(), str(self.blocks_a_unit), *receipts_))
        try:
            yield
            self._memory.forget_the_rest()
        finally:
            self._memory = None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn DuckDB's errors into a FlocksimError of one line, which names a damaged part."""
        try:
            yield
        except _ASKED_WRONGLY as error:
            raise FlocksimError(f"query: {_first_line(error)}") from None
        except duckdb.Error as error:
            for file in (stored.file(table) for table in TABLES for stored in self._stored if stored.keeps_games):
                check_readable(file)
            raise FlocksimError(f"{self.path}: {_first_line(error)}") from None

    def close(self) -> None:
        """Let go of the files and of the room for spills."""
        self._connection.close()
        self._remove_spill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _blocks_a_unit(self) -> dict[int, int]:
        """By player count: sums of independent blocks are independent, and memory stays flat.

        The same in every variant, so that units can be paired.
        """
        found = self._last_blocks()
        if not found:
            raise FlocksimError(f"{self.path}: no finished games in it yet")
        self._blocks = {players: last + 1 for players, last in sorted(found.items())}
        if self.sequential:  # the same at every look, or looks would not be at one sequence
            fixed = self.manifest["stop"]["blocks_a_unit"]
            return {players: int(fixed[str(players)]) for players in self._blocks}
        return {
            players: max(unit_size(blocks, self._units), self._group_size(blocks - 1))
            for players, blocks in self._blocks.items()
        }

    def _last_blocks(self) -> dict[int, int]:
        """The last block there is, by player count."""
        last: dict[Any, Stored] = {}
        for stored in self._stored:
            if stored.keeps_games and stored.part.number >= last.get(stored.cell, stored).part.number:
                last[stored.cell] = stored
        games = "games" if self._chosen else f"({self._rows_of('games', list(last.values()))})"
        with self.reading():
            rows = self._connection.sql(f"SELECT players, max(block) FROM {games} GROUP BY players").fetchall()
        found = {int(players): int(block) for players, block in rows}
        for stored in self._without_games():
            block, games = stored.read("sums_games").select("block", "games").row(-1)
            players = stored.part.players
            found[players] = max(found.get(players, 0), int(block) + int(games) // players - 1)
        return found

    def _group_size(self, block: int) -> int:
        """How many blocks are stored together up to here: units are no smaller."""
        return int(group_size(np.array(block), 1 << 62)) if self._without_games() else 1

    def _without_games(self) -> list[Stored]:
        return [] if self._chosen else [stored for stored in self._stored if not stored.keeps_games]

    def _arc_blocks_a_unit(self) -> dict[int, int]:
        """By player count, of recorded blocks; of a study that stops when sure the same at every look."""
        recorded = self.manifest["config"].get("arcs", 0)
        sizes = {}
        for players, blocks in self.blocks_a_unit.items():
            most = -(-recorded // players)
            if not self.sequential:
                most = min(most, self._blocks[players])
            sizes[players] = min(blocks, -(-most // self._units) or 1)
        return sizes

    def _define_verdicts(self) -> None:
        """The table `verdicts`, made when it is first asked for."""
        from .verdicts import verdicts

        if not self._judged:
            self._judged = True
            self._connection.register("verdicts", verdicts(self))

    def _define_macros(self) -> None:
        """The queries' macros; `unit_of(players, block)`: which independent unit a block belongs to; `arc_unit_of`: the
        same among blocks whose games are recorded, the first ones; and `baseline_of(variant)`: what a variant is
        compared with.
        """
        self._connection.execute(_text("macros.sql"))
        for name, sizes in {"unit_of": self.blocks_a_unit, "arc_unit_of": self._arc_blocks_a_unit()}.items():
            cases = " ".join(f"WHEN {players} THEN {blocks}" for players, blocks in sizes.items())
            self._connection.execute(f"CREATE MACRO {name}(players, block) AS block // CASE players {cases} END")
        cases = " ".join(
            f"WHEN {_quoted(name)} THEN {_quoted(base)}" for name, base in baselines(self.manifest).items()
        )
        self._connection.execute(f"CREATE MACRO baseline_of(variant) AS CASE variant {cases} END")


_ASKED_WRONGLY = (
    duckdb.ParserException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ConversionException,
    duckdb.OutOfRangeException,
    duckdb.InvalidInputException,
    duckdb.PermissionException,
)


def _renamed(entries: list[dict[str, Any]], called: Mapping[str, str]) -> list[dict[str, Any]]:
    """The manifest's strategies by their new names, the first of each."""
    found = [{**entry, "name": called.get(entry["name"], entry["name"])} for entry in entries]
    return list({entry["name"]: entry for entry in reversed(found)}.values())[::-1]


def _first_line(error: Exception) -> str:
    """The first line of an error, with DuckDB's suggestion from further down."""
    text = str(error).strip()
    first = text.splitlines()[0]
    hint = re.search(r"(Candidate bindings|Did you mean)[^\n]*", text)
    return f"{first} ({hint.group(0)})" if hint and hint.group(0) not in first else first


def _code() -> str:
    """A hash of all that answers are made by."""
    texts = [entry.read_bytes() for entry in files(__package__).iterdir() if entry.name.endswith((".py", ".sql"))]
    texts.append(files("flocksim.simulate").joinpath("sums.py").read_bytes())
    return hashlib.sha256(b"".join(sorted(texts))).hexdigest()


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def query_names() -> list[str]:
    """The shipped queries, in alphabetical order."""
    folder = files("flocksim.analysis") / "queries"
    return sorted(entry.name[:-4] for entry in folder.iterdir() if entry.name.endswith(".sql"))


def query_text(name: str) -> str:
    """The SQL of a shipped query. Raises FlocksimError for a name that does not exist."""
    if name not in query_names():
        raise FlocksimError(unknown("query", name, query_names()))
    return (files("flocksim.analysis") / "queries" / f"{name}.sql").read_text(encoding="utf-8")


_READING = (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI)


def _check_reads_only(statements: list[Any]) -> None:
    if len(statements) != 1:
        raise FlocksimError(f"query: one statement at a time, not {len(statements)}")
    if statements[0].type not in _READING:
        raise FlocksimError(f"query: {statements[0].type.name} is not allowed; a run is only read (SELECT ...)")


def _connect(spill: str) -> duckdb.DuckDBPyConnection:
    """An in-memory database that spills to a folder of its own, outside the run's."""
    connection = duckdb.connect(
        config={
            "temp_directory": spill,
            "memory_limit": "600MB",
            "max_temp_directory_size": "20GB",
            "autoinstall_known_extensions": False,
        }
    )
    # DuckDB 2.0 narrows sums too far by what it knows of a table's columns ("out of range for INT8")
    connection.execute("SET disabled_optimizers = 'compressed_materialization'")
    return connection


def _confine(connection: duckdb.DuckDBPyConnection, folders: list[Path]) -> None:
    """From here on, queries read these runs' tables and no other file."""
    connection.execute("SET enable_progress_bar = false")
    spellings = {spelt(folder / table) for folder in folders for table in TABLES for spelt in (_quoted, _literal)}
    connection.execute(f"SET allowed_directories = [{', '.join(sorted(spellings))}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _reading_of(files: list[Path]) -> str:
    """The rows of Parquet files in SQL; columns go by name, because one may be NULL throughout, without a type."""
    names = ", ".join(_literal(file) for file in files)
    return f"read_parquet([{names}], hive_partitioning = false, union_by_name = true)"


def _literal(file: Path) -> str:
    """A path as an SQL string that DuckDB does not take for a pattern."""
    return _quoted("".join(f"[{letter}]" if letter in "[*?" else letter for letter in str(file)))


def _quoted(text: str | Path) -> str:
    return "'" + str(text).replace("'", "''") + "'"
