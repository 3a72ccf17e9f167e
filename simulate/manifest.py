"""The manifest: what a run folder says of itself, and the one reader that believes it only after checking."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import FlocksimError

if TYPE_CHECKING:
    from .plan import Study

FORMAT = 3
"""Of the run folder; goes up when older folders can no longer be read."""
MANIFEST = "manifest.json"
_LARGEST = 64_000_000  # bytes; a study of thousands of cells takes a few of them


class _Model(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


class _GameEntry(_Model):
    name: str
    title: str
    version: int
    score_word: str = ""
    scored: bool = True
    standing_word: str = ""
    provenance: str = ""


class _VariantEntry(_Model):
    name: str
    population: str = ""
    presets: list[str] = []
    rules: dict[str, Any]
    differs: dict[str, Annotated[list[Any], Field(min_length=2, max_length=2)]] = {}


class _StrategyEntry(_Model):
    name: str
    line: str = ""
    noise: float = 0.0


class _CellEntry(_Model):
    variant: str
    players: Annotated[int, Field(ge=1)]
    blocks: Annotated[int, Field(ge=1)]
    games: Annotated[int, Field(ge=1)]


class _RulingEntry(_Model):
    ruling: str
    description: str
    values: dict[str, Any]


class _BoardEntry(_Model):
    """A board as in simulate.boards.Board, and what each value of the map's counter covers."""

    variant: str
    players: int
    places: dict[str, tuple[float, float]]
    links: list[tuple[str, str]]
    marks: dict[str, tuple[float, float]]
    covers: dict[int, list[str]]


class _BoardMapEntry(_Model):
    counter: str
    title: str
    what: str
    boards: list[_BoardEntry]


class _ChartEntry(_Model):
    """A chart as in simulate.game.Chart."""

    key: str
    title: str
    unit: str
    counters: dict[str, str]


class _StopEntry(_Model):
    """Of a study that stops when sure: most games a cell, batches so far, by player count the blocks of a unit."""

    at_most: Annotated[int, Field(ge=1)]
    batches: Annotated[int, Field(ge=1)]
    blocks_a_unit: dict[str, Annotated[int, Field(ge=1)]]


class Manifest(_Model):
    """What every reader of a run folder relies on."""

    format: int
    flocksim: str
    name: str
    question: str = ""
    game: _GameEntry
    seed: int
    games: int
    players: Annotated[list[int], Field(min_length=1)]
    variants: Annotated[list[_VariantEntry], Field(min_length=1)]
    strategies: Annotated[list[_StrategyEntry], Field(min_length=1)]
    counters: list[str] = []
    counter_words: dict[str, str] = {}
    counter_groups: dict[str, list[str]] = {}
    seat_counters: list[str] = []
    uses: list[str] = []
    win_kinds: dict[str, list[str]] = {}
    board_map: _BoardMapEntry | None = None
    charts: list[_ChartEntry] = []
    named_rulings: dict[str, _RulingEntry] = {}
    cells: Annotated[list[_CellEntry], Field(min_length=1)]
    stop: _StopEntry | None = None
    config: dict[str, Any]
    config_hash: str
    sources: str
    versions: dict[str, str] = {}
    complete: bool
    timings: dict[str, Any] = {}
    checksum: str


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder; raises FlocksimError, one line, when there is none or it is not one."""
    if not folder.exists():
        raise FlocksimError(f"{folder}: no such folder")
    file = folder / MANIFEST
    if not file.is_file():
        raise FlocksimError(f"{folder}: not a run folder (no {MANIFEST} in it)")
    try:
        with file.open("rb") as stream:
            content = stream.read(_LARGEST + 1)
    except OSError as error:
        raise FlocksimError(f"{file}: cannot be read ({error.strerror})") from None
    if len(content) > _LARGEST:
        raise FlocksimError(f"{file}: too large for a manifest (more than {_LARGEST:,} bytes)")
    _check_format(file, content)
    try:
        found = Manifest.model_validate_json(content).model_dump()
    except ValidationError as error:
        raise FlocksimError(f"{file}: {_fault(error)}") from None
    if checksum(json.loads(content)) != found["checksum"]:
        raise FlocksimError(f"{file}: damaged or edited (its checksum does not fit); run the study again with --fresh")
    return found


def belongs_to_a_run(folder: Path) -> bool:
    """Whether a folder holds a manifest of flocksim's, of whatever format and however damaged inside."""
    try:
        with (folder / MANIFEST).open("rb") as stream:
            found = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {"format", "flocksim", "config_hash"} <= set(found)


def manifest_text(content: Mapping[str, Any]) -> str:
    """A manifest as it is stored, with the checksum that tells whether it was changed since."""
    return json.dumps({**content, "checksum": checksum(content)}, indent=2) + "\n"


def checksum(content: Mapping[str, Any]) -> str:
    """Of all of a manifest but this and the timings, in which equal runs differ."""
    rest = {key: value for key, value in content.items() if key not in ("checksum", "timings")}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


class _Format(BaseModel):
    """Read first: a folder of another format need not have the other keys."""

    format: Any
    flocksim: Any = "unknown"


def _check_format(file: Path, content: bytes) -> None:
    try:
        found = _Format.model_validate_json(content)
    except ValidationError as error:
        if error.errors()[0]["type"] == "json_invalid":
            raise FlocksimError(f"{file}: cannot be read ({error.errors()[0]['msg']})") from None
        raise FlocksimError(f"{file}: not the manifest of a run (it has no 'format')") from None
    if found.format != FORMAT:
        raise FlocksimError(
            f"{file}: format {found.format!r} of flocksim {found.flocksim}; this flocksim reads format {FORMAT}: "
            "run the study again with --fresh or another --out"
        )


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"'{key}' is missing from it"
    return f"'{key}' is not what it should be ({str(first['input'])[:40]}: {first['msg'].lower()})"


def manifest(study: Study, complete: bool, timings: dict[str, Any]) -> dict[str, Any]:
    """What the folder of a study's run says of itself."""
    from .compiled import SOURCES

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
            "scored": game.scored,
            "standing_word": game.standing_word,
            "provenance": game.provenance,
        },
        "seed": study.seed,
        "games": study.games,
        "players": list(study.players),
        "variants": [
            {
                "name": variant.name,
                "population": variant.population,
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
        "counter_words": dict(game.counter_words),
        "seat_counters": list(game.seat_counters),
        "uses": list(game.uses),
        "win_kinds": {title: list(names) for title, names in game.win_kinds.items()},
        "board_map": _board_map(study),
        "charts": [
            {"key": chart.key, "title": chart.title, "unit": chart.unit, "counters": dict(chart.counters)}
            for chart in game.charts
        ],
        "counter_groups": {title: list(names) for title, names in game.counter_groups.items()},
        "named_rulings": _named_rulings(study),
        "cells": [
            {
                "variant": study.variants[cell.variant].name,
                "players": cell.players,
                "blocks": cell.blocks,
                "games": cell.games,
            }
            for cell in study.cells()
        ],
        "stop": _stop(study),
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


def _stop(study: Study) -> dict[str, Any] | None:
    """How far a study that stops when sure has come, and how its blocks make independent units."""
    if not study.at_most:
        return None
    units = {str(players): study.blocks_a_unit(players) for players in study.players}
    return {"at_most": study.at_most, "batches": study.batches, "blocks_a_unit": units}


def _differences(study: Study, rules: Any) -> dict[str, list[Any]]:
    standard = study.game.parameters.build(study.players[0])
    return {name: [_plain(theirs), _plain(mine)] for name, (mine, theirs) in rules.differences(standard).items()}


def _plain(value: Any) -> Any:
    from .data_files import DataFile

    return str(value) if isinstance(value, DataFile) else value


def _board_map(study: Study) -> dict[str, Any] | None:
    spec = study.game.board_map
    if spec is None:
        return None
    boards = []
    for cell in study.cells():
        variant = study.variants[cell.variant]
        board = variant.rules.board(cell.players)
        assert board is not None
        boards.append(
            {
                "variant": variant.name,
                "players": cell.players,
                "places": dict(board.places),
                "links": list(board.links),
                "marks": dict(board.marks),
                "covers": spec.covers(variant.rules, cell.players),
            }
        )
    return {"counter": spec.counter, "title": spec.title, "what": spec.what, "boards": boards}


def _named_rulings(study: Study) -> dict[str, Any]:
    named = {}
    for name in study.game.rulings:
        info = study.game.parameters.model_fields[name]
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        named[name] = {
            "ruling": extra.get("ruling", ""),
            "description": info.description,
            "values": {variant.name: _plain(getattr(variant.rules, name)) for variant in study.variants},
        }
    return named
