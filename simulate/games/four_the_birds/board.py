"""The board as a rule parameter: generated, or drawn by a designer (Set Up; B1)."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import SerializerFunctionWrapHandler, model_serializer

from ...boards import Board
from ...data_files import DataFile
from ...errors import RulesError
from ...layout import Field
from . import board_text
from .flocks import ACROSS, DOWN, DOWN_LEFT, DOWN_RIGHT, SQUARE
from .pecking import STEPS
from .state import CELLS, EMPTY, MOST_DOTS, MOST_SPOTS, OUT, WIDTH
from .tree import Spot, Tree, axis_of, grown, is_any, is_crossing_of_checkerboard

GENERATED = {"checkerboard": is_crossing_of_checkerboard, "full": is_any}
FULL_AXIS = axis_of(9)
_SHAPES = {(0, 1): ACROSS, (1, -1): DOWN_LEFT, (1, 0): DOWN, (1, 1): DOWN_RIGHT}


@cache
def _generated(name: str, side: int) -> Tree:
    return grown(side, GENERATED[name])


class BranchLayout(DataFile):
    """Which spots, branches and red dots there are: `checkerboard`, `full`, or a board file (board_text.py)."""

    kind: ClassVar[str] = "a board file"

    spots: tuple[str, ...] | None = None
    branches: tuple[str, ...] | None = None
    dots: tuple[str, ...] | None = None

    @model_serializer(mode="wrap")
    def _only_what_is_drawn(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}

    @classmethod
    def named(cls, name: str) -> Self | None:
        return cls(name=name, text="") if name in GENERATED else None

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(GENERATED)

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        tree = board_text.parse(text)
        return cls(
            name=name,
            text=text,
            spots=tuple(tree.name(spot) for spot in tree),
            branches=tuple(f"{tree.name(spot)}-{tree.name(near)}" for spot, near in sorted(tree.branches)),
            dots=tuple(tree.dot_name(dot) for dot in sorted(tree.dots)),
        )

    def tree(self, side: int) -> Tree:
        """The board of that side; raises RulesError when the file draws a smaller one."""
        if self.spots is None:
            return _generated(self.name, side)
        drawn = board_text.parse(self.text)
        if drawn.side < side:
            raise RulesError(
                f"branch_layout: {self.name} draws a board of side {drawn.side}, but {side} are played on (board_size)",
                "branch_layout",
            )
        return drawn.inner(side)

    @classmethod
    def fields(cls) -> list[Field]:
        """What kernels see of the board: see state.py for cells."""
        return [
            Field("side", "i8"),
            Field("first", "i8"),  # the first row and column in play
            Field("n_spots", "i8"),
            Field("n_dots", "i8"),
            Field("spots", "i2", (MOST_SPOTS,)),  # in board order
            Field("dots", "i2", (MOST_DOTS,)),
            Field("grid", "i1", (CELLS,)),  # the board without pieces: EMPTY or OUT
            Field("branches", "i2", (CELLS,)),  # bit d: a branch along STEPS[d]
            Field("near", "i4", (CELLS,)),  # the neighbours as bits, see cards.reach
            Field("shapes", "i1", (CELLS,)),  # the flocks that begin there, see flocks.OFFSETS
            Field("digits", "i2", (CELLS,)),  # bit n: row or column n
        ]

    def fill(self, record: np.ndarray, players: int) -> None:
        side = int(record["board_size"][0][players - 2])
        tree = self.tree(side)
        shift = 1 + FULL_AXIS.index(tree.axis[0])

        def cell(spot: Spot) -> int:
            return WIDTH * (spot[0] + shift) + spot[1] + shift

        record["side"], record["first"] = side, shift
        _fill_places(record, [cell(spot) for spot in tree], [cell(dot) for dot in sorted(tree.dots)])
        for spot, near in tree.branches:
            _fill_branch(record, cell(spot), cell(near))
        for square in tree.squares:
            record["shapes"][0, cell(square[0])] |= 1 << SQUARE
        for line in tree.lines:
            way = (line[1][0] - line[0][0], line[1][1] - line[0][1])
            record["shapes"][0, cell(line[0])] |= 1 << _SHAPES[way]

        for shape, rule in ((SQUARE, "win_square"), *((line, "win_line") for line in _SHAPES.values())):
            if not record[rule][0]:
                record["shapes"][0] &= ~(1 << shape)

    def board(self, side: int) -> Board:
        """The board as a picture."""
        tree = self.tree(side)
        counts = f"{len(tree.spots)} spots, {len(tree.branches)} branches, {len(tree.dots)} red dots"
        return Board(
            title=f"{self}, {side}x{side}: {counts}, {len(tree.lines)} lines, {len(tree.squares)} squares",
            text=board_text.draw(tree),
            places={tree.name(spot): spot for spot in tree},
            links=tuple((tree.name(spot), tree.name(near)) for spot, near in sorted(tree.branches)),
            marks={tree.dot_name((row, column)): (row + 0.5, column + 0.5) for row, column in sorted(tree.dots)},
        )


def flock_places(rules: Any, players: int) -> dict[int, tuple[str, ...]]:
    """What each value of the counter `flock_at` stands for: the spots of a square or line."""
    tree = rules.branch_layout.tree(rules.board_size[str(players)])
    covers = {}
    for flock in (*tree.squares, *tree.lines):
        shape = SQUARE if flock in tree.squares else _SHAPES[flock[1][0] - flock[0][0], flock[1][1] - flock[0][1]]
        covers[10 * int(tree.name(flock[0])) + shape + 1] = tuple(tree.name(spot) for spot in flock)
    return covers


def _fill_places(record: np.ndarray, spots: list[int], dots: list[int]) -> None:
    record["n_spots"], record["n_dots"] = len(spots), len(dots)
    record["spots"][0, : len(spots)] = spots
    record["dots"][0, : len(dots)] = dots
    record["grid"][0] = OUT
    record["grid"][0, spots] = EMPTY
    for spot in spots:
        row, column = divmod(spot, WIDTH)
        record["digits"][0, spot] = 1 << row | 1 << column


def _fill_branch(record: np.ndarray, cell: int, near: int) -> None:
    """Both ways."""
    for start, step in ((cell, near - cell), (near, cell - near)):
        row, column = divmod(step + CELLS // 2, WIDTH)
        record["branches"][0, start] |= 1 << STEPS.tolist().index(step)
        record["near"][0, start] |= 1 << (5 * (row - WIDTH // 2) + column - WIDTH // 2 + 12)
