"""A game's board as a picture: what `flocksim rules GAME --board` shows and reports draw results on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Board:
    """Places joined by links, with marks between them. Positions are (row, column), rows downwards."""

    title: str
    text: str
    places: Mapping[str, tuple[float, float]]
    links: tuple[tuple[str, str], ...]
    marks: Mapping[str, tuple[float, float]]
