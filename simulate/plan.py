"""What is to be played: a study, its cells (variant x player count) and the parts they are played in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .bots import Strategy
from .data_files import DataFile
from .game import Game
from .manifest import FORMAT
from .own_bots import kernel_name
from .parameters import Parameters

PART_GAMES = 10_000


@dataclass(frozen=True)
class Variant:
    """A named set of rules; `rules` holds every parameter."""

    name: str
    rules: Parameters
    presets: tuple[str, ...] = ()
    players: tuple[int, ...] = ()  # player counts that it is played with; empty: all of the study's


@dataclass(frozen=True)
class Part:
    """A run of whole blocks of one cell, played and stored together."""

    variant: int
    players: int
    number: int
    first: int  # block
    blocks: int

    @property
    def games(self) -> int:
        return self.blocks * self.players


@dataclass(frozen=True)
class Cell:
    """A variant played by so many players."""

    variant: int
    players: int
    blocks: int
    part_blocks: int  # blocks of a part; the last one may have fewer

    @property
    def games(self) -> int:
        return self.blocks * self.players

    @property
    def parts(self) -> int:
        return -(-self.blocks // self.part_blocks)

    def part(self, number: int) -> Part:
        """The cell's part of that number, from 0."""
        first = number * self.part_blocks
        return Part(self.variant, self.players, number, first, min(self.part_blocks, self.blocks - first))


@dataclass(frozen=True)
class Study:
    """A question put to a game: which variants, player counts and strategies, how many games, which seed."""

    name: str
    game: Game
    players: tuple[int, ...]
    variants: tuple[Variant, ...]
    strategies: tuple[Strategy, ...]
    games: int  # per cell, before rounding up to whole blocks
    seed: int
    question: str = ""
    part_games: int = PART_GAMES

    def blocks(self, players: int) -> int:
        return -(-self.games // players)

    def cells(self) -> list[Cell]:
        """Every variant with every number of players that it is played with."""
        return [
            Cell(index, players, self.blocks(players), max(1, self.part_games // players))
            for index, variant in enumerate(self.variants)
            for players in self.players
            if players in (variant.players or self.players)
        ]

    @property
    def total_games(self) -> int:
        return sum(cell.games for cell in self.cells())

    def parts(self) -> Iterator[Part]:
        """Every part, block by block across the cells, so that an interrupted run has some of each."""
        cells = self.cells()
        for number in range(max(cell.parts for cell in cells)):
            for cell in cells:
                if number < cell.parts:
                    yield cell.part(number)

    def config(self) -> dict[str, Any]:
        """The study as a config file says it: what such a file needs to play the same games again."""
        return {
            "name": self.name,
            "question": self.question,
            "game": self.game.name,
            "players": list(self.players),
            "variants": {variant.name: self._entry(variant) for variant in self.variants},
            "strategies": [strategy.entry or strategy.name for strategy in self.strategies],
            "games": self.games,
            "seed": self.seed,
        }

    def _entry(self, variant: Variant) -> dict[str, Any]:
        players = {"players": list(variant.players)} if variant.players else {}
        return players | self.changes(variant)

    def changes(self, variant: Variant) -> dict[str, Any]:
        """The rules in which a variant differs from the standard ones, with its values."""
        standard = self.game.parameters.build(self.players[0])
        return {
            name: mine.in_config() if isinstance(mine, DataFile) else mine
            for name, (mine, _) in variant.rules.differences(standard).items()
        }

    def players_in_full(self) -> list[dict[str, Any]]:
        """The strategies with all that decides what they choose."""
        return [
            {
                "name": strategy.name,
                "kernel": kernel_name(strategy.kernel),
                "weights": list(strategy.weights),
                "noise": strategy.noise,
                "iterations": strategy.iterations,
                "exploration": strategy.exploration,
                "without": list(strategy.without),
            }
            for strategy in self.strategies
        ]

    def hash(self) -> str:
        """Changes with anything that decides a row of the result: not with the question."""
        decides = {**self.config(), "question": "", "format": FORMAT, "part_games": self.part_games}
        decides["game_version"] = self.game.version
        decides["strategies"] = self.players_in_full()
        decides["variants"] = {
            variant.name: [list(variant.players), variant.rules.model_dump()] for variant in self.variants
        }
        text = json.dumps(decides, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
