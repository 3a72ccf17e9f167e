"""Two variants as one small run, whether they were played in the same run or in two: so that they can be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flocksim.simulate.errors import FlocksimError, unknown
from flocksim.simulate.receipts import PartName

from .run_folder import Beside, Run, load


def together(folder: Path, one: str, two: str, other: Path | None = None) -> tuple[Run, bool]:
    """A run of variant `one` of a run folder as the baseline and of `two`, of the same folder or of `other`.

    And whether block b faces the same deal in both, so that blocks may be paired.
    Only player counts that both were played with are in it. Raises FlocksimError, one line.
    """
    with load(folder) as first, load(other or folder) as second:
        named = two if one != two else f"{two} ({'again' if other is None else 'the other run'})"
        mine, theirs = _parts(first, one), _parts(second, two)
        if first.manifest["game"]["name"] != second.manifest["game"]["name"]:
            games = " and ".join(run.manifest["game"]["title"] for run in (first, second))
            raise FlocksimError(f"{second.path}: {games} cannot be compared; two runs of one game can")
        common = {part.players for part in mine} & {part.players for part in theirs}
        if not common:
            raise FlocksimError(f"{one} and {two} have no number of players in common")
        manifest = _manifest(first.manifest, second.manifest, (one, two, named), common)
        paired = first.manifest["seed"] == second.manifest["seed"]
        mine, theirs = ([part for part in parts if part.players in common] for parts in (mine, theirs))
        return Run(first.path, manifest, mine, beside=Beside(second.path, theirs, named)), paired


def _parts(run: Run, variant: str) -> list[PartName]:
    names = [entry["name"] for entry in run.manifest["variants"]]
    if variant not in names:
        raise FlocksimError(f"{run.path}: {unknown('variant', variant, names)}")
    parts = [part for part in run.parts if part.variant == variant]
    if not parts:
        raise FlocksimError(f"{run.path}: no finished games of {variant} in it yet")
    return parts


def _manifest(
    first: dict[str, Any], second: dict[str, Any], names: tuple[str, str, str], common: set[int]
) -> dict[str, Any]:
    """What a run of the two would say of itself, as far as tables need it."""
    one, two, named = names
    variants = [_named(first["variants"], one), {**_named(second["variants"], two), "name": named}]
    variants = [{**entry, "population": ""} for entry in variants]  # compared whoever plays them
    cells = [
        {**cell, "variant": name}
        for manifest, variant, name in ((first, one, one), (second, two, named))
        for cell in manifest["cells"]
        if cell["variant"] == variant and cell["players"] in common
    ]
    strategies = {entry["name"]: entry for manifest in (second, first) for entry in manifest["strategies"]}
    order = dict.fromkeys(entry["name"] for manifest in (first, second) for entry in manifest["strategies"])
    return first | {
        "players": sorted(common),
        "variants": variants,
        "cells": cells,
        "strategies": [strategies[name] for name in order],
        "counters": list(dict.fromkeys([*first["counters"], *second["counters"]])),
        "complete": first["complete"] and second["complete"],
        "config": {"targets": "none"},
        "uses": [],
        "win_kinds": {},
        "board_map": None,
    }


def _named(entries: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(entry for entry in entries if entry["name"] == name)
