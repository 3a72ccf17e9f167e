"""Board files of 4 the Birds for tests: drawn at random, with what they should be read as."""

from itertools import pairwise

from tests.oracle.birds_board import axis, cells


class Drawn:
    """A board with some spots, branches and dots missing: `text` is its file, `layout` what a header tells of it."""

    def __init__(self, side, rng, missing=0.1):
        self.digits, self.grid = axis(side), [[f"{row}{column}" for column in axis(side)] for row in axis(side)]
        self.keep = lambda: rng.random() > missing
        spots = [spot for row in self.grid for spot in row]
        self.spots = [spot for spot in spots if self.keep()]
        self.branches, self.dots = set(), set()
        self.lines = ["  " + " ".join(map(str, self.digits))]
        for number, row in enumerate(self.grid):
            self.lines.append(f"{self.digits[number]} {self.spots_row(row)}".rstrip())
            if number + 1 < side:
                self.lines.append(f"  {self.branches_row(row, self.grid[number + 1], rng)}".rstrip())
        self.text = "\n".join(["# drawn for a test", "", *self.lines, ""])
        self.layout = {
            "spots": self.spots,
            "branches": sorted(self.branches, key=lambda branch: [spots.index(spot) for spot in branch.split("-")]),
            "dots": [dot for dot in cells(self.grid) if dot in self.dots],
        }

    def branch(self, one, other):
        """Draws it unless a spot is missing or it falls out; true if it is there."""
        there = one in self.spots and other in self.spots and self.keep()
        if there:
            self.branches.add(f"{one}-{other}")
        return there

    def spots_row(self, row):
        drawn = "o" if row[0] in self.spots else "."
        for one, other in pairwise(row):
            drawn += "-" if self.branch(one, other) else " "
            drawn += "o" if other in self.spots else "."
        return drawn

    def branches_row(self, upper, lower, rng):
        drawn = "|" if self.branch(upper[0], lower[0]) else " "
        for (a, b), (c, d) in zip(pairwise(upper), pairwise(lower), strict=True):
            down, up = rng.random() < 0.5, rng.random() < 0.5
            crossing = (down and self.branch(a, d), up and self.branch(b, c))
            drawn += {(True, True): "X", (True, False): "\\", (False, True): "/"}.get(crossing, " ")
            if all(crossing) and rng.random() < 0.8:
                drawn = drawn[:-1] + "*"
                self.dots.add(f"{a}-{d}")
            drawn += "|" if self.branch(b, d) else " "
        return drawn
