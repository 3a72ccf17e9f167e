"""The parts of a run folder, as they are stored: found, checked, read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from flocksim.simulate import receipts
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.plurals import counted
from flocksim.simulate.receipts import SUMS, TABLES, PartName, tables_of
from flocksim.simulate.sums import UNIT_TABLES
from pyarrow import parquet

from .units import Sizes, Sums

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
    "arcs": ("variant", "players", "game", "block", "turn", "seat", "decisions", "options", "forced", "standings"),
}


class Stored(NamedTuple):
    """A part in a run folder, told as games of another variant if `variant` names one."""

    folder: Path
    part: PartName
    variant: str = ""

    @property
    def cell(self) -> tuple[Path, str, int]:
        return self.folder, self.part.variant, self.part.players

    def file(self, table: str) -> Path:
        return self.part.table(self.folder, table)

    @property
    def games(self) -> int:
        """How many it holds, or has summed up."""
        if self.keeps_games:
            return _rows_in(self.file("games"))
        return int(self.read("sums_games")["games"].sum())

    @property
    def keeps_games(self) -> bool:
        """Whether it holds rows of games, and not just sums over its blocks."""
        return self.file("games").exists()

    @property
    def records_games(self) -> bool:
        """Whether it holds a game whose course is recorded."""
        return _rows_in(self.file("arcs")) > 0

    def rows(self, called: Mapping[str, str]) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Its games and seats. called: strategies by other names."""
        games, seats = (self.read(table) for table in ("games", "seats"))
        return games.with_columns(self._told), seats.with_columns(pl.col("strategy").replace(called))

    def sums(self, called: Mapping[str, str], blocks_a_unit: Sizes) -> Sums:
        """Its sums over units, made of sums over groups of blocks."""
        found = {}
        for name, table in zip(UNIT_TABLES, SUMS, strict=True):
            rows = self.read(table).with_columns(self._told, pl.col("block") // blocks_a_unit[self.part.players])
            found[name] = rows.rename({"block": "unit"})
        found["seats"] = found["seats"].with_columns(pl.col("strategy").replace(called))
        return found

    @property
    def _told(self) -> pl.Expr:
        return pl.lit(self.variant or self.part.variant).alias("variant")

    def read(self, table: str) -> pl.DataFrame:
        try:
            return pl.read_parquet(self.file(table))
        except (pl.exceptions.PolarsError, OSError) as error:
            raise FlocksimError(f"{self.file(table)}: corrupt Parquet file ({_plain(error)})") from None


def first_parts(stored: list[Stored], games: int) -> list[Stored]:
    """The parts that hold the first so many games of each cell; parts of a cell are alike but for the last."""
    sizes: dict[Any, int] = {}
    rows = {part: part.games for part in stored if part.keeps_games}
    for part, count in rows.items():
        sizes[part.cell] = max(count, sizes.get(part.cell, 0))
    return [part for part in rows if part.part.number * sizes[part.cell] < games]


def find_parts(folder: Path, manifest: Mapping[str, Any]) -> list[PartName]:
    """The parts that have a receipt, in the order of cells and numbers."""
    order = {(cell["variant"], cell["players"]): place for place, cell in enumerate(manifest["cells"])}
    found = [name for name in receipts.received(folder) if (name.variant, name.players) in order]
    if not found:
        raise FlocksimError(f"{folder}: no finished games in it yet")
    return sorted(found, key=lambda name: (order[name.variant, name.players], name.number))


def check_part(folder: Path, part: PartName) -> None:
    tables = tables_of(folder, part)
    rows = {table: _rows(part.table(folder, table), COLUMNS.get(table, ())) for table in tables}
    if tables == TABLES and rows["seats"] != rows["games"] * part.players:
        raise FlocksimError(
            f"{part.table(folder, 'seats')}: {rows['seats']} rows for {rows['games']} games of "
            f"{counted(part.players, 'players')}"
        )


def _rows_in(file: Path) -> int:
    """How many rows a file has; looked up once for as long as it stays the same."""
    status = file.stat()
    return _counted(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=1 << 16)
def _counted(file: Path, _changed: int, _size: int) -> int:
    return int(parquet.read_metadata(file).num_rows)


def _rows(file: Path, columns: tuple[str, ...]) -> int:
    try:
        metadata = parquet.read_metadata(file)
    except Exception as error:
        text = " ".join(str(error).split())
        raise FlocksimError(f"{file}: corrupt or truncated Parquet file ({text})") from None
    names = set(metadata.schema.to_arrow_schema().names)
    missing = [column for column in columns if column not in names]
    if missing:
        raise FlocksimError(f"{file}: column '{missing[0]}' is missing; was it written by another version?")
    return int(metadata.num_rows)


def check_counts(folder: Path, manifest: Mapping[str, Any], parts: list[PartName]) -> None:
    games: dict[tuple[str, int], int] = {}
    for part in parts:
        cell = part.variant, part.players
        games[cell] = games.get(cell, 0) + Stored(folder, part).games
    for cell in manifest["cells"]:
        there = games.get((cell["variant"], cell["players"]), 0)
        if there != cell["games"]:
            raise FlocksimError(
                f"{folder / 'games'}: {there} of {cell['games']} games of {cell['variant']} with "
                f"{counted(cell['players'], 'players')}; run the study again to restore them"
            )


def check_readable(file: Path) -> None:
    try:
        parquet.read_table(file)
    except Exception as error:
        raise FlocksimError(f"{file}: corrupt Parquet file ({' '.join(str(error).split())})") from None


def _plain(error: Exception) -> str:
    return " ".join(str(error).split())
