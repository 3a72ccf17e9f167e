"""What is to be played: a study, its cells (variant x player count) and the parts they are played in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from .bots import Strategy
from .data_files import DataFile
from .game import Game
from .manifest import FORMAT
from .own_bots import kernel_name
from .parameters import Parameters
from .units import FIRST_GAMES, group_of, unit_size

PART_GAMES = 10_000
MOST_UNITS = 4000
"""A study that stops when sure looks at no more independent units of a cell than about so many."""
SAMPLED = 0.1
"""The share of further parts that a sample keeps the games of."""


def _up(number: int, by: int) -> int:
    """A quotient, rounded up."""
    return -(-number // by)


@dataclass(frozen=True)
class Variant:
    """A named set of rules; `rules` holds every parameter."""

    name: str
    rules: Parameters
    presets: tuple[str, ...] = ()
    players: tuple[int, ...] = ()  # player counts that it is played with; empty: all of the study's
    population: str = ""  # a tier or a level of noise whose players play it; the end of its name
    strategies: tuple[int, ...] = ()  # indices of those in the study; empty: all

    @property
    def rules_name(self) -> str:
        """What the same rules are called at every population."""
        return self.name.removesuffix(f"-{self.population}") if self.population else self.name


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
        return _up(self.blocks, self.part_blocks)

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
    targets: Any = None  # what is wanted of the game, as a config states it; None: nothing in particular
    at_most: int = 0  # of a study that stops when sure: most games per cell; `games` is then what comes between looks
    batches: int = 1  # ... and how often so many are played
    luck: int = 0  # games of each cell that tell luck from skill, beside the others; see luck.py
    noise: tuple[float, ...] = ()  # levels at which every variant is played by the same strategies
    part_games: int = PART_GAMES
    arcs: int = 0  # at most so many games of each cell have their course recorded, turn by turn
    keep: str = (
        "games"  # a row a game and seat, or sums over blocks (`blocks`), or these and a sample of rows (`sample`)
    )

    def blocks(self, players: int) -> int:
        """How many blocks each cell with so many players has."""
        if not self.at_most:
            return _up(self.games, players)
        return min(self.batches, self._looks(players)) * self._batch(players)[0]

    @property
    def looks(self) -> int:
        """How many batches there may be, until all cells are at `at_most`; 1 for a study that does not stop early."""
        return max(map(self._looks, self.players)) if self.at_most else 1

    def _looks(self, players: int) -> int:
        """After how many batches cells with so many players are at `at_most`."""
        return _up(self.at_most, players * self._batch(players)[0])

    @property
    def batch_parts(self) -> int:
        """How many parts of a cell a batch has."""
        return _up(self.games, self.part_games)

    def after(self, batches: int) -> Study:
        """The same study as it is after so many batches."""
        return replace(self, batches=batches)

    def blocks_a_unit(self, players: int) -> int:
        """How many blocks are added up to one independent unit; the same after every batch."""
        return unit_size(_up(self.at_most or self.games, self.games) * _up(self.games, players), MOST_UNITS)

    def recorded(self, players: int, first: int, blocks: int) -> np.ndarray:
        """Which of so many blocks from `first` on have the course of their games recorded, as yes or no.

        The first ones: blocks are independent of one another, so these are a sample like any other, the same in every
        variant and however many are played.
        """
        return np.arange(first, first + blocks) < _up(self.arcs, players)

    @property
    def first_games(self) -> int:
        """So many games of each cell are kept in any case, rounded up to whole parts."""
        return max(FIRST_GAMES, self.arcs)

    def keeps_games(self, part: Part) -> bool:
        """Whether the games of a part are stored, and not just sums over groups of its blocks.

        Those of the first parts always are. What is in the sample is the same in every variant.
        """
        if self.keep == "games" or part.first * part.players < self.first_games:
            return True
        place = (self.seed, part.players, part.number)
        return self.keep == "sample" and bool(np.random.default_rng(place).random() < SAMPLED)

    def groups(self, players: int) -> Callable[[np.ndarray], np.ndarray]:
        """What group each block of an array is stored in, where groups are: its first block."""
        return partial(group_of, most=self.blocks_a_unit(players) if self.at_most else 1 << 62)

    def most_with_units(self, units: Mapping[int, int]) -> int:
        """The largest `at_most` with so many blocks a unit, by player count."""
        looks = min(unit * MOST_UNITS // _up(self.games, players) for players, unit in units.items())
        return looks * self.games

    def _batch(self, players: int) -> tuple[int, int]:
        """The blocks of a batch and of a part, whole units and whole parts."""
        unit = self.blocks_a_unit(players)
        part = _up(_up(self.games, players), self.batch_parts * unit) * unit
        return part * self.batch_parts, part

    def cells(self) -> list[Cell]:
        """Every variant with every number of players that it is played with."""
        return [
            Cell(index, players, self.blocks(players), self._part_blocks(players))
            for index, variant in enumerate(self.variants)
            for players in self.players
            if players in (variant.players or self.players)
        ]

    def team(self, variant: Variant) -> tuple[Strategy, ...]:
        """Who plays a variant."""
        return tuple(self.strategies[index] for index in variant.strategies) or self.strategies

    def _part_blocks(self, players: int) -> int:
        return self._batch(players)[1] if self.at_most else max(1, self.part_games // players)

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
            "variants": {variant.rules_name: self._entry(variant) for variant in self.variants},
            **self._who(),
            "games": self.games,
            "seed": self.seed,
            "arcs": self.arcs,
            **({} if self.keep == "games" else {"keep": self.keep}),
            **({} if self.targets is None else {"targets": self.targets}),
            **({"luck": self.luck} if self.luck else {}),
            **({"stop": {"when": "decided", "at_most": self.at_most}} if self.at_most else {}),
        }

    def _who(self) -> dict[str, Any]:
        if self.noise:
            team = self.team(self.variants[0])
            return {"strategies": [strategy.entry for strategy in team], "noise": list(self.noise)}
        tiers = dict.fromkeys(variant.population for variant in self.variants if variant.population)
        return (
            {"tiers": list(tiers)}
            if tiers
            else {"strategies": [strategy.entry or strategy.name for strategy in self.strategies]}
        )

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
        """Changes with anything that decides a row of the result or which part it is in.

        Not with the question or the targets. Nor with how many games there are, since more only come on top (of a
        study that stops when sure: with the games of a batch and the blocks of a unit).
        """
        decides = {**self.config(), "question": "", "format": FORMAT, "part_games": self.part_games}
        decides.pop("targets", None)
        decides.pop("luck", None)  # games beside the result's
        if self.at_most:
            decides["stop"] = {str(players): self.blocks_a_unit(players) for players in self.players}
        else:
            decides.pop("games")
        decides["game_version"] = self.game.version
        decides["strategies"] = self.players_in_full()
        decides["variants"] = {
            variant.name: [list(variant.players), list(variant.strategies), variant.rules.model_dump()]
            for variant in self.variants
        }
        text = json.dumps(decides, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
