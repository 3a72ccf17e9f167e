"""The tables of units that queries ask: games added up over independent units, once for all queries of a run.

See simulate.sums for their columns. `unit_games`, `unit_seats`, `unit_lengths`, `unit_uses` and `unit_values` have
`variant` and `players` besides, and a row for each case, unit and whatever else the table tells apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import duckdb
import polars as pl
from flocksim.simulate.sums import UNIT_TABLES, framed, unit_sums

_BATCH = 64
"""So many cells' rows are added up before their sums go into the database."""
_KEYS = {
    "games": (), "seats": ("seat", "strategy"), "lengths": ("turns", "won"), "uses": ("counter",), "values": ("value",),
}  # fmt: skip

Sizes = Mapping[int, int]
"""Blocks a unit, by player count."""
Sums = dict[str, pl.DataFrame]
"""The tables of UNIT_TABLES, with `variant`, `players` and `unit`."""


def sums_of(
    rows: tuple[pl.DataFrame, pl.DataFrame], blocks_a_unit: Sizes, uses: Sequence[str] = (), named: str = ""
) -> Sums:
    """The sums of the games and seats of a cell, over units.

    uses: counters that count uses; named: the one that names something on the board.
    """
    games, seats = rows
    variant, players = games["variant"][0], int(games["players"][0])
    size = blocks_a_unit[players]
    found = unit_sums(games, seats, lambda block: block // size, uses, named)
    cell = (pl.lit(variant, pl.String).alias("variant"), pl.lit(players, pl.Int64).alias("players"))
    return {name: framed(columns).select(*cell, pl.all()) for name, columns in found.items()}


def define_units(connection: duckdb.DuckDBPyConnection, sources: Iterable[Callable[[], Sums]]) -> None:
    """Create the tables from the sums of cells, or of parts of them."""
    batches = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for some in _batches(sources):
            found = list(pool.map(lambda source: source(), some))
            for name in UNIT_TABLES:
                connection.register("more", pl.concat([sums[name] for sums in found], how="diagonal").to_arrow())
                connection.execute(f"CREATE TABLE sums_{name}_{batches} AS FROM more")
                connection.unregister("more")
            batches += 1
    for name in UNIT_TABLES:
        keys = ", ".join(("variant", "players", "unit", *_KEYS[name]))
        tables = [f"sums_{name}_{batch}" for batch in range(batches)]
        connection.execute(
            f"CREATE TABLE unit_{name} AS SELECT {keys}, CAST(sum(COLUMNS(* EXCLUDE ({keys}))) AS BIGINT) "
            f"FROM ({' UNION ALL BY NAME '.join(f'FROM {table}' for table in tables)}) GROUP BY ALL"
        )
        for table in tables:
            connection.execute(f"DROP TABLE {table}")


def _batches(sources: Iterable[Callable[[], Sums]]) -> Iterator[list[Callable[[], Sums]]]:
    rest = iter(sources)
    while some := list(islice(rest, _BATCH)):
        yield some
