"""4 the Birds' rule parameters: every printed number and every open ruling, with bounds and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ...boards import Board
from ...errors import RulesError
from ...parameters import Parameters
from .board import BranchLayout
from .state import CARDS, MOST_BIRDS, MOST_COPIES, MOST_CROWS, MOST_HAWKS, MOST_SPOTS
from .tree import SIDES

PLAYERS = ("2", "3", "4", "5", "6")

Side = Annotated[int, Field(ge=4, le=9)]
Copies = Annotated[int, Field(ge=0, le=MOST_COPIES)]


def _ruling(ruling: str, **bounds: int) -> dict[str, Any]:
    """The ruling behind a parameter, and the bounds of a map's numbers, for messages."""
    return {"ruling": ruling} | bounds


class FourTheBirdsParameters(Parameters):
    """The rules of one variant. B1..B28 are the rulings behind what the rulebook leaves open."""

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "board_size": PLAYERS,
        "cards": CARDS,
        "shoo": ("move", "remove"),
        "mock": ("move", "place"),
    }

    board_size: dict[str, Side] = Field(
        {"2": 7, "3": 7, "4": 9, "5": 9, "6": 9},
        description="Rows and columns of the board, by number of players: 4 to 7 (digits 1 to 7) or 9 (8 1..7 9).",
        json_schema_extra={"low": 4, "high": 9},
    )
    win_square: bool = Field(True, description="Whether four adjacent spots in a square are a flock.")
    win_line: bool = Field(
        True,
        description="Whether four spots in a straight line along unbroken branches are a flock.",
        json_schema_extra=_ruling("B2"),
    )
    branch_layout: BranchLayout = Field(
        BranchLayout.load("checkerboard"),
        description="Spots, branches and red dots: diagonals in every second cell, in all, or as a board file draws.",
        json_schema_extra=_ruling("B1"),
    )
    birds: int = Field(6, ge=4, le=MOST_BIRDS, description="Birds of each player.")
    cards: dict[str, Copies] = Field(
        dict.fromkeys(CARDS, 1),
        description="Copies of each action card in every hand at the start.",
        json_schema_extra={"low": 0, "high": MOST_COPIES},
    )
    crows: int = Field(6, ge=0, le=MOST_CROWS, description="Crows in the box.")
    crows_at_start: int = Field(2, ge=0, le=MOST_CROWS, description="Crows in the tree before play begins.")
    hawks: int = Field(3, ge=0, le=MOST_HAWKS, description="Hawks in the box.")
    hawks_at_start: int = Field(1, ge=0, le=1, description="Hawks in the tree before play begins.")
    tokens: int = Field(
        12,
        ge=0,
        le=MOST_SPOTS,
        description="Tokens in the box, for all players together.",
        json_schema_extra=_ruling("B25"),
    )
    win_check: Literal["any", "active"] = Field(
        "any",
        description="Whose flocks win at the end of a turn: anybody's, or only the active player's.",
        json_schema_extra=_ruling("B3"),
    )
    several_flocks: Literal["active_first", "shared"] = Field(
        "active_first",
        description="Who wins when several players have flocks: the active one, then the nearest clockwise, or all.",
        json_schema_extra=_ruling("B4"),
    )
    setup: Literal["random", "choose"] = Field(
        "random",
        description="Who places the first hawk and crows: chance, or the first player.",
        json_schema_extra=_ruling("B5"),
    )
    cards_onto_threat: bool = Field(
        False,
        description="Whether a card may bring a bird or crow to a threatened spot, to slide on as after a roll.",
        json_schema_extra=_ruling("B14"),
    )
    shoo: dict[str, bool] = Field(
        {"move": True, "remove": True},
        description="What SHOO may do with a hawk.",
        json_schema_extra=_ruling("B21"),
    )
    mock: dict[str, bool] = Field(
        {"move": True, "place": True},
        description="What MOCK may do: move a crow, place one from the supply.",
        json_schema_extra=_ruling("B22"),
    )
    turn_cap: int = Field(
        1000,
        ge=1,
        le=100_000,
        description="Turns over all seats after which an endless game is cut off, without a winner.",
        json_schema_extra=_ruling("B28"),
    )

    def board(self, players: int) -> Board:
        """The board that so many players play on."""
        return self.branch_layout.board(self.board_size[str(players)])

    def check(self, players: int) -> None:
        for key, side in self.board_size.items():
            if side not in SIDES:
                raise RulesError(f"board_size.{key}: {side} is not allowed; allowed: 4 to 7, or 9", f"board_size.{key}")
        self._check_start("crows", self.crows_at_start, self.crows)
        self._check_start("hawks", self.hawks_at_start, self.hawks)
        self._check_board(players)

    def _check_start(self, name: str, at_start: int, in_all: int) -> None:
        if at_start > in_all:
            raise RulesError(
                f"{name}_at_start: {at_start} cannot start in the tree when there are {in_all} (rule {name})",
                f"{name}_at_start",
            )

    def _check_board(self, players: int) -> None:
        """There is a flock to be made, and room for the pieces that start in the tree."""
        side = self.board_size[str(players)]
        tree = self.branch_layout.tree(side)
        if not (self.win_square and tree.squares) and not (self.win_line and tree.lines):
            wanted = [word for word, wins in (("square", self.win_square), ("line", self.win_line)) if wins]
            raise RulesError(
                f"branch_layout: {self.branch_layout.name}, {side}x{side}, has no {' and no '.join(wanted)} to win with"
                if wanted
                else "win_line: no shape is left to win with; win_square or win_line must be yes",
                "branch_layout" if wanted else "win_line",
            )
        if self.hawks_at_start and not tree.dots:
            raise RulesError("hawks_at_start: the board has no red dot for a hawk", "hawks_at_start")
        room = len(tree.spots) - 4 * self.hawks_at_start
        if self.crows_at_start > room:
            raise RulesError(
                f"crows_at_start: {self.crows_at_start} crows cannot start on {room} spots off the hawk's corners",
                "crows_at_start",
            )


PRESETS: Mapping[str, Mapping[str, Any]] = {"choose-set-up": {"setup": "choose"}}

PRESET_LINES = {"choose-set-up": "The first player places the first hawk and crows (Set Up)."}
