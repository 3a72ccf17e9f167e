"""A tree as text that a designer can draw, and back.

    1 2 3 4     the digits of the columns: 1 to 4, 5, 6 or 7, or 8 1 2 3 4 5 6 7 9
  1 o-o-o-o     a row: its digit, then `o` for a spot or `.` for one out of play, `-` for a branch between two
    |*| |*|     branches to the next row: `|` below a spot, and in a cell `\\`, `/`, `X` for both, `*` for both and
  2 o-o-o-o     a red dot where they cross

Lines that begin with # are remarks. Nothing else may stand there.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...data_files import DataError
from .tree import SIDES, Branch, Spot, Tree, axis_of

AXES = {axis_of(side): side for side in SIDES}
_ALLOWED_AXES = "1 to 4, 5, 6 or 7 in order, or 8 1 2 3 4 5 6 7 9, one blank between two"
_CELL_MARKS = {" ": "", "\\": "\\", "/": "/", "X": "\\/", "*": "\\/"}


def draw(tree: Tree) -> str:
    """The text that `parse` reads as this tree."""
    lines = ["  " + " ".join(tree.axis)]
    for row in range(tree.side):
        lines.append(f"{tree.axis[row]} {_spot_row(tree, row)}".rstrip())
        if row + 1 < tree.side:
            lines.append(f"  {_branch_row(tree, row)}".rstrip())
    return "\n".join(lines) + "\n"


def _spot_row(tree: Tree, row: int) -> str:
    marks = ""
    for column in range(tree.side):
        marks += "o" if (row, column) in tree.spots else "."
        marks += "-" if tree.has_branch((row, column), (row, column + 1)) else " "
    return marks


def _branch_row(tree: Tree, row: int) -> str:
    marks = ""
    for column in range(tree.side):
        marks += "|" if tree.has_branch((row, column), (row + 1, column)) else " "
        marks += _cell(tree, (row, column))
    return marks


def _cell(tree: Tree, cell: Spot) -> str:
    row, column = cell
    falling = tree.has_branch((row, column), (row + 1, column + 1))
    rising = tree.has_branch((row, column + 1), (row + 1, column))
    if falling and rising:
        return "*" if cell in tree.dots else "X"
    return "\\" if falling else "/" if rising else " "


@dataclass(frozen=True)
class _Line:
    """A line of the file and its number, from 1."""

    number: int
    text: str

    def mark(self, column: int) -> str:
        """The character in a column, from 0; blank beyond the end."""
        return self.text[column] if column < len(self.text) else " "

    def fault(self, column: int, message: str) -> DataError:
        return DataError(self.number, column + 1, message)


def parse(text: str) -> Tree:
    """The tree that a text draws; raises DataError with line and column."""
    lines = [_Line(number, line) for number, line in enumerate(text.splitlines(), 1)]
    for line in lines:
        if "\t" in line.text:
            raise line.fault(line.text.index("\t"), "a tab is not allowed; allowed: blanks")
    lines = [line for line in lines if not line.text.lstrip().startswith("#")]
    while lines and not lines[0].text.strip():
        del lines[0]
    while lines and not lines[-1].text.strip():
        del lines[-1]
    if not lines:
        raise DataError(0, 0, "no board is drawn; wanted: a line of column digits, then the rows")
    return _Reader(lines).tree()


class _Reader:
    """Reads the lines of a board, the first of which holds the digits of the columns."""

    def __init__(self, lines: list[_Line]) -> None:
        self.head, self.lines = lines[0], lines[1:]
        self.first = len(self.head.text) - len(self.head.text.lstrip())  # column of the file that holds column 1
        self.axis = self._axis()
        self.side = len(self.axis)

    def _axis(self) -> str:
        """The digits of the columns, two characters apart."""
        digits = self.head.text.strip()
        axis = digits.replace(" ", "")
        if axis not in AXES or " ".join(axis) != digits:
            raise self.head.fault(self.first, f"columns '{digits}' are not allowed; allowed: {_ALLOWED_AXES}")
        if self.first < 2:
            raise self.head.fault(self.first, "columns begin too far left; the digits of the rows stand left of them")
        return axis

    def tree(self) -> Tree:
        self._check_rows()
        rows, between = self.lines[::2], self.lines[1::2]
        spots = frozenset(
            (row, column) for row, line in enumerate(rows) for column in range(self.side) if self._spot(line, column)
        )
        branches: list[Branch] = []
        dots: list[Spot] = []
        for row, line in enumerate(rows):
            branches += self._across(line, row, spots)
        for row, line in enumerate(between):
            branches += self._down(line, row, spots)
            dots += [(row, column) for column in range(self.side - 1) if self._inside(line, column) == "*"]
        return Tree(self.axis, spots, frozenset(branches), frozenset(dots))

    def _check_rows(self) -> None:
        """Rows and lines of branches take turns, every row begins with its digit, nothing stands beside the board."""
        for index, line in enumerate(self.lines):
            row, is_row = index // 2, index % 2 == 0
            if row >= self.side or (row == self.side - 1 and not is_row):
                raise line.fault(0, f"'{line.text.strip()}' is not allowed below the last row, {self.axis[-1]}")
            self._check_margin(line, self.axis[row] if is_row else "", self.axis[row + 1] if not is_row else "")
            end = self.first + 2 * self.side - 1
            if beyond := line.text[end:].strip():
                column = line.text.index(beyond, end)
                raise line.fault(column, f"'{beyond}' is not allowed beyond column {self.axis[-1]}")
        if len(self.lines) < 2 * self.side - 1:
            last = self.lines[-1] if self.lines else self.head
            missing = self.axis[(len(self.lines) + 1) // 2]
            raise DataError(last.number, 0, f"row {missing} is missing below; wanted: rows {' '.join(self.axis)}")

    def _check_margin(self, line: _Line, digit: str, following: str) -> None:
        margin = line.text[: self.first].strip()
        if margin == digit:
            return
        column = len(line.text) - len(line.text.lstrip())
        if digit:
            raise line.fault(column, f"'{margin}' is not allowed; allowed: {digit}, the digit of this row")
        raise line.fault(column, f"'{margin}' is not allowed; allowed: blanks left of branches, above row {following}")

    def _spot(self, line: _Line, column: int) -> bool:
        at = self.first + 2 * column
        mark = line.mark(at)
        if mark not in ("o", "."):
            raise line.fault(at, f"'{mark}' is not allowed; allowed: o for a spot or . for one out of play")
        return mark == "o"

    def _across(self, line: _Line, row: int, spots: frozenset[Spot]) -> list[Branch]:
        found: list[Branch] = []
        for column in range(self.side - 1):
            at = self.first + 2 * column + 1
            mark = line.mark(at)
            if mark not in ("-", " "):
                raise line.fault(at, f"'{mark}' is not allowed; allowed: - for a branch or a blank")
            if mark == "-":
                found.append(self._branch(line, at, (row, column), (row, column + 1), spots))
        return found

    def _down(self, line: _Line, row: int, spots: frozenset[Spot]) -> list[Branch]:
        found: list[Branch] = []
        for column in range(self.side):
            at = self.first + 2 * column
            mark = line.mark(at)
            if mark not in ("|", " "):
                raise line.fault(at, f"'{mark}' is not allowed; allowed: | for a branch or a blank")
            if mark == "|":
                found.append(self._branch(line, at, (row, column), (row + 1, column), spots))
        for column in range(self.side - 1):
            at, diagonals = self.first + 2 * column + 1, _CELL_MARKS[self._inside(line, column)]
            if "\\" in diagonals:
                found.append(self._branch(line, at, (row, column), (row + 1, column + 1), spots))
            if "/" in diagonals:
                found.append(self._branch(line, at, (row, column + 1), (row + 1, column), spots))
        return found

    def _inside(self, line: _Line, column: int) -> str:
        """What stands in the cell right of a column."""
        at = self.first + 2 * column + 1
        mark = line.mark(at)
        if mark not in _CELL_MARKS:
            raise line.fault(
                at, f"'{mark}' is not allowed; allowed: \\, /, X for both, * for both with a red dot, or a blank"
            )
        return mark

    def _branch(self, line: _Line, at: int, spot: Spot, near: Spot, spots: frozenset[Spot]) -> Branch:
        for end in (spot, near):
            if end not in spots:
                name = self.axis[end[0]] + self.axis[end[1]]
                raise line.fault(at, f"'{line.mark(at)}' is not allowed; it leads to {name}, a spot out of play")
        return spot, near
