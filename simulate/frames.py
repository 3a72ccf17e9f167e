"""The tables of a part as frames, each with its one schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl

from .layout import END_REASONS
from .plan import Part, Study
from .sums import framed, unit_sums

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

_ARCS: dict[str, Any] = {
    "variant": pl.String,
    "players": pl.UInt8,
    "game": pl.Int64,
    "block": pl.Int64,
    "turn": pl.Int32,
    "seat": pl.UInt8,
    "decisions": pl.Int32,
    "options": pl.Int32,
    "forced": pl.Int32,
    "standings": pl.List(pl.Int32),
}
ARCS_SCHEMA = pl.Schema(_ARCS)


def seats_schema(counters: tuple[str, ...]) -> pl.Schema:
    """The columns of `seats`: the common ones, then the game's counters."""
    return pl.Schema({**_SEATS_START, **dict.fromkeys(counters, pl.Int32)})


def tables(study: Study, part: Part, games: np.ndarray, seats: np.ndarray, arcs: np.ndarray) -> dict[str, pl.DataFrame]:
    """What is stored of a part, by the names of its tables: its rows, or sums over groups of its blocks."""
    by_game, by_seat = games_table(study, part, games), seats_table(study, part, games, seats)
    if study.keeps_games(part):
        return {"arcs": arcs_table(study, part, arcs), "seats": by_seat, "games": by_game}
    return sums_tables(study, part, by_game, by_seat)


def sums_tables(study: Study, part: Part, games: pl.DataFrame, seats: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """See sums.unit_sums; `block` is the first one of a group."""
    board = study.game.board_map
    sums = unit_sums(games, seats, study.groups(part.players), study.game.uses, board.counter if board else "")
    variant = pl.lit(study.variants[part.variant].name).alias("variant")
    return {
        f"sums_{name}": framed(columns)
        .rename({"unit": "block"})
        .select(variant, pl.lit(part.players, pl.Int64).alias("players"), pl.all())
        for name, columns in sums.items()
    }


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


def arcs_table(study: Study, part: Part, rows: np.ndarray) -> pl.DataFrame:
    """The `arcs` rows of a part, turn by turn, from the driver's records; `standings` by seat."""
    columns: dict[str, Any] = {name: np.ascontiguousarray(rows[name]) for name in rows.dtype.names or ()}
    columns["variant"] = _words([study.variants[part.variant].name], np.zeros(len(rows), np.uint8))
    columns["players"] = np.full(len(rows), part.players, np.uint8)
    columns["block"] = columns["game"] // part.players
    columns["seat"] += 1
    columns["standings"] = pl.Series(columns["standings"][:, : part.players].copy()).arr.to_list()
    return pl.DataFrame({name: columns[name] for name in ARCS_SCHEMA}, schema=ARCS_SCHEMA)


def _words(words: Any, codes: np.ndarray) -> pl.Series:
    return pl.Series(list(words), dtype=pl.String).gather(pl.Series(codes.astype(np.uint32)))


def write_parquet(frame: pl.DataFrame, target: Path | BinaryIO) -> None:
    """A table as every part is written. Raises OSError when it cannot be."""
    try:
        frame.write_parquet(target, compression="zstd", compression_level=3, row_group_size=1 << 20)
    except pl.exceptions.PolarsError as error:
        raise OSError(str(error)) from error
