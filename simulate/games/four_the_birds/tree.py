"""The tree as plain data: spots, branches and red dots, and the flocks that they allow (Set Up, How To Win; B1, B2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

Spot = tuple[int, int]
"""Row and column, from 0, in board order: the order of the axis."""
Branch = tuple[Spot, Spot]
"""Two neighbours, the one that is first in board order first."""

SIDES = (4, 5, 6, 7, 9)
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
"""From a spot to its neighbours that are later in board order."""


def axis_of(side: int) -> str:
    """The digits of the rows and columns: 8 and 9 are the outer ring of the full tree."""
    return "812345679" if side == 9 else "1234567"[:side]


@dataclass(frozen=True)
class Tree:
    """A board. `dots` are cells, each by its upper left corner."""

    axis: str
    spots: frozenset[Spot]
    branches: frozenset[Branch]
    dots: frozenset[Spot]

    @property
    def side(self) -> int:
        return len(self.axis)

    def name(self, spot: Spot) -> str:
        """'24': the digits of row and column."""
        return self.axis[spot[0]] + self.axis[spot[1]]

    def dot_name(self, dot: Spot) -> str:
        """'11-22': the upper left and the lower right corner of the dot's cell."""
        return f"{self.name(dot)}-{self.name((dot[0] + 1, dot[1] + 1))}"

    def has_branch(self, spot: Spot, near: Spot) -> bool:
        return (min(spot, near), max(spot, near)) in self.branches

    @cached_property
    def squares(self) -> list[list[Spot]]:
        """Four adjacent spots each, in board order."""
        corners = ([(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)] for row, column in self)
        return [square for square in corners if self.spots.issuperset(square)]

    @cached_property
    def lines(self) -> list[list[Spot]]:
        """Four spots in a straight line, joined by unbroken branches, in board order."""
        return [line for spot in self for way in DIRECTIONS if self._is_line(line := _straight(spot, way))]

    def _is_line(self, line: list[Spot]) -> bool:
        return all(self.has_branch(spot, near) for spot, near in pairwise(line))

    def __iter__(self) -> Iterator[Spot]:
        """The spots in board order."""
        return iter(sorted(self.spots))

    def inner(self, side: int) -> Tree:
        """The part of it that a smaller board has: what lies off its axis is out of play (Set Up, Note)."""
        axis = axis_of(side)
        shift = self.axis.index(axis[0])

        def moved(spot: Spot) -> Spot:
            return spot[0] - shift, spot[1] - shift

        def inside(spot: Spot) -> bool:
            return all(0 <= line < side for line in moved(spot))

        return Tree(
            axis,
            frozenset(moved(spot) for spot in self.spots if inside(spot)),
            frozenset((moved(a), moved(b)) for a, b in self.branches if inside(a) and inside(b)),
            frozenset(moved(dot) for dot in self.dots if inside(dot) and inside((dot[0] + 1, dot[1] + 1))),
        )


def _straight(spot: Spot, way: tuple[int, int]) -> list[Spot]:
    return [(spot[0] + number * way[0], spot[1] + number * way[1]) for number in range(4)]


def is_crossing_of_checkerboard(cell: Spot) -> bool:
    """Every second cell, those on the diagonal from 11 among them (B1)."""
    return (cell[0] + cell[1]) % 2 == 0


def is_any(cell: Spot) -> bool:
    """Every cell."""
    return True


def grown(side: int, is_crossing: Callable[[Spot], bool]) -> Tree:
    """A tree with all spots and orthogonal branches, and both diagonals and a dot in the cells with a crossing."""
    spots = [(row, column) for row in range(side) for column in range(side)]
    cells = frozenset(cell for cell in spots if max(cell) < side - 1 and is_crossing(cell))
    across = [((row, column), (row, column + 1)) for row, column in spots if column + 1 < side]
    down = [((row, column), (row + 1, column)) for row, column in spots if row + 1 < side]
    falling = [((row, column), (row + 1, column + 1)) for row, column in cells]
    rising = [((row, column + 1), (row + 1, column)) for row, column in cells]
    return Tree(axis_of(side), frozenset(spots), frozenset(across + down + falling + rising), cells)
