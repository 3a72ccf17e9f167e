"""The tree of 4 the Birds as the oracle sees it: spots, branches, red dots, what counts as a Flock, and rolled spots.

Written from the rulebook and the rulings alone (B1, B2); the branch map is RULINGS' reconstruction. A board is built
once for each layout and never changed: what lies on it is in a `Position`.
"""

import json
from functools import cache
from itertools import pairwise

SIDES = (4, 5, 6, 7, 9)


def axis(side):
    """The digits along a side, in order: on the full board 8 and 9 are the outer ring (B1)."""
    return (8, 1, 2, 3, 4, 5, 6, 7, 9) if side == 9 else tuple(range(1, side + 1))


def board_of(rules, players):
    """The board of so many players by these rules."""
    return built(rules["board_size"][str(players)], json.dumps(rules["branch_layout"], sort_keys=True))


@cache
def built(side, layout):
    return Board(side, json.loads(layout))


class Board:
    """What never changes: every list in board order, spots and dots by their names."""

    def __init__(self, side, layout):
        self.side, self.axis = side, axis(side)
        self.grid = [[f"{row}{column}" for column in self.axis] for row in self.axis]
        spots, dots, branches = drawn(self.grid, layout)
        self.spots = tuple(spots)
        self.order = {spot: place for place, spot in enumerate(spot for row in self.grid for spot in row)}
        self.branches = frozenset(branches)
        self.neighbours = {spot: tuple(other for other in spots if joined(branches, spot, other)) for spot in spots}
        self.corners = {
            dot: tuple(spot for spot in corners if spot in self.order and spot in self.neighbours)
            for dot, corners in cells(self.grid).items()
            if dot in dots
        }
        self.dots = tuple(self.corners)
        self.squares = [corners for corners in cells(self.grid).values() if set(corners) <= set(spots)]
        self.lines = [
            run
            for run in sorted(straight_runs(self.grid), key=lambda run: [self.order[spot] for spot in run])
            if all(joined(branches, *pair) for pair in pairwise(run))
        ]
        self.rolled = {(a, b): self.present(f"{a}{b}", f"{b}{a}") for a in self.axis for b in self.axis}
        self.with_digit = {digit: tuple(spot for spot in spots if str(digit) in spot) for digit in self.axis}
        self.flocks_from = {spot: self.flocks_that_begin(spot) for spot in spots}

    def present(self, *names):
        return tuple(spot for spot in self.spots if spot in names)

    def flocks_that_begin(self, spot):
        """The Flocks whose first spot in board order this is: (shape, the other three)."""
        shapes = [("square", flock) for flock in self.squares] + [("line", flock) for flock in self.lines]
        return [(shape, *flock[1:]) for shape, flock in shapes if flock[0] == spot]

    def in_order(self, spots):
        return sorted(spots, key=self.order.__getitem__)


def drawn(grid, layout):
    """Spots, dots and branches of a layout: all orthogonal branches, and diagonals where it has them, or its lists.

    A board file may have more than the board played on: what is off that is out of play.
    """
    if "branches" in layout:
        spots = [spot for row in grid for spot in row if spot in layout["spots"]]
        pairs = [branch.split("-") for branch in layout["branches"]]
        return spots, set(layout["dots"]), {frozenset(pair) for pair in pairs if set(pair) <= set(spots)}
    spots = [spot for row in grid for spot in row]
    branches = {
        frozenset(pair) for rows in (grid, list(zip(*grid, strict=True))) for row in rows for pair in pairwise(row)
    }
    crossed = {
        dot: corners
        for dot, corners in cells(grid).items()
        if layout["name"] == "full" or on_checkerboard(grid, corners)
    }
    for upper_left, upper_right, lower_left, lower_right in crossed.values():
        branches |= {frozenset((upper_left, lower_right)), frozenset((upper_right, lower_left))}
    return spots, set(crossed), branches


def on_checkerboard(grid, corners):
    """Every second cell, those on the diagonal from 11 to 77 among them."""
    ((row, column),) = [(row, names.index(corners[0])) for row, names in enumerate(grid) if corners[0] in names]
    return (row + column) % 2 == 0


def cells(grid):
    """Each 2x2 cell by the name that its dot has (upper left and lower right corner), with its corners."""
    found = {}
    for upper, lower in pairwise(grid):
        for place in range(len(grid) - 1):
            corners = (*upper[place : place + 2], *lower[place : place + 2])
            found[f"{corners[0]}-{corners[3]}"] = corners
    return found


def straight_runs(grid):
    """Four consecutive spots along a row, a column or a diagonal, whichever branches there are."""
    size = len(grid)
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + step * down, column + step * right) for step in range(4)]
                if all(0 <= place < size for pair in places for place in pair):
                    yield tuple(grid[r][c] for r, c in places)


def joined(branches, one, other):
    return frozenset((one, other)) in branches


def layout_faults(layout):
    """What is wrong with a board file's lists: names, neighbours, order (that of the full board is any board's)."""
    if "branches" not in layout:
        return [] if layout.get("name") in ("checkerboard", "full") else [f"branch_layout is {layout!r}"]
    grid = [[f"{row}{column}" for column in axis(9)] for row in axis(9)]
    order = [spot for row in grid for spot in row]
    where = {spot: divmod(place, len(grid)) for place, spot in enumerate(order)}
    faults = []
    if list(layout["spots"]) != [spot for spot in order if spot in layout["spots"]]:
        faults.append("the spots are not those of the board in its order")
    if list(layout["dots"]) != [dot for dot in cells(grid) if dot in layout["dots"]]:
        faults.append("the dots are not those of the board in its order")
    for branch in layout["branches"]:
        one, _, other = branch.partition("-")
        if not {one, other} <= set(layout["spots"]) or one == other:
            faults.append(f"branch {branch} does not join two spots of the board")
        elif max(abs(a - b) for a, b in zip(where[one], where[other], strict=True)) != 1:
            faults.append(f"branch {branch} does not join neighbours")
        elif where[one] > where[other]:
            faults.append(f"branch {branch} is named the wrong way round")
    return faults
