"""Flockers' two decks as files that a designer can replace: read, checked by line and column, laid out for kernels."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ... import layout
from ...data_files import DataError, DataFile
from ...errors import LONGEST_WORD, one_line, unknown
from .state import CARDS, TERRAIN_CARDS

Goose = Literal["adult-white", "adult-blue", "juvenile-white", "juvenile-blue"]
BonusAction = Literal["fly", "navigate", "graze", "swap"]
Action = Literal["fly", "navigate", "graze", "swap", "lead"]
Terrain = Literal["mountain", "forest", "field", "lake"]
Encounter = Literal["decoy", "north-wind", "fox", "bald-eagle"]
GEESE: tuple[str, ...] = get_args(Goose)
ACTIONS: tuple[str, ...] = get_args(Action)
TERRAINS: tuple[str, ...] = get_args(Terrain)
ENCOUNTERS: tuple[str, ...] = get_args(Encounter)
MOST_BONUSES, MOST_IDENTIFIED = 4, 7
LONGEST_NAME = 40


class Row:
    """A line of a CSV file: its cells by header, and where they stand."""

    def __init__(self, line: int, cells: Mapping[str, str], columns: Mapping[str, int]) -> None:
        self.line, self._cells, self._columns = line, cells, columns

    def __getitem__(self, header: str) -> str:
        return self._cells[header]

    def error(self, header: str, message: str) -> DataError:
        """What is wrong with a cell."""
        return DataError(self.line, self._columns[header], f"{header}: {message}")

    def refuse(self, header: str, allowed: str) -> DataError:
        """That a cell's value is not allowed."""
        shown = one_line(self[header], LONGEST_WORD)
        return self.error(header, f"'{shown}' is not allowed; allowed: {allowed}")

    def name(self, header: str) -> str:
        name = self[header]
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise self.refuse(header, f"a name of 1 to {LONGEST_NAME} letters")
        return name

    def word(self, header: str, known: Sequence[str]) -> str | None:
        """One of the known words, None for an empty cell."""
        words = self.words(header, known, 1)
        return words[0] if words else None

    def words(self, header: str, known: Sequence[str], most: int) -> list[str]:
        """Known words, separated by spaces."""
        words = self[header].lower().split()
        for word in words:
            if word not in known:
                raise self.error(header, unknown(header.removesuffix("s").replace("_", " "), word, known))
        if len(words) > most:
            raise self.refuse(header, f"at most {most}" if most > 1 else "one word")
        return words

    def number(self, header: str, low: int, high: int) -> int | None:
        """A whole number, None for an empty cell."""
        text = self[header]
        if not text:
            return None
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else low - 1
        if not low <= number <= high:
            raise self.refuse(header, f"a whole number from {low} to {high}")
        return number


def rows(text: str, headers: Sequence[str]) -> Iterator[Row]:
    """The lines of a CSV file below its header, whose columns may stand in any order; empty lines are passed over."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip(" \t,;")]
    if not lines:
        raise DataError(1, 0, f"the file is empty; its first line is: {','.join(headers)}")
    first, (names, columns) = lines[0][0], _cells(*lines[0])
    names = [name.lower() for name in names]
    for name, column in zip(names, columns, strict=True):
        if name not in headers:
            raise DataError(first, column, unknown("column", name, headers))
        if names.count(name) > 1:
            raise DataError(first, column, f"column '{name}' stands there twice")
    for header in headers:
        if header not in names:
            raise DataError(first, 0, f"column '{header}' is missing; wanted: {', '.join(headers)}")
    for number, line in lines[1:]:
        cells, columns = _cells(number, line)
        if len(cells) != len(names):
            raise DataError(number, 0, f"{len(cells)} cells; the header has {len(names)}")
        yield Row(number, dict(zip(names, cells, strict=True)), dict(zip(names, columns, strict=True)))


def _cells(number: int, line: str) -> tuple[list[str], list[int]]:
    """A line's cells, without spaces around them, and the columns at which they begin."""
    try:
        cells = next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise DataError(number, 0, f"not a line of CSV: {error}") from None
    columns, quoted = [1], False
    for column, sign in enumerate(line, 1):
        quoted ^= sign == '"'
        if sign == "," and not quoted:
            columns.append(column + 1)
    return [cell.strip() for cell in cells], columns


class FlockCard(BaseModel):
    """A goose: its type, main action, top icon, and what it gives when enough of its type are identified."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str
    goose: Goose
    action: Action | None
    terrain: Terrain | None
    identify: Annotated[int, Field(ge=1, le=MOST_IDENTIFIED)] | None
    bonus_actions: Annotated[list[BonusAction], Field(max_length=MOST_BONUSES)]
    bonus_terrain: Annotated[list[Terrain], Field(max_length=MOST_BONUSES)]


class FlockCards(DataFile):
    """The flock deck."""

    kind: ClassVar[str] = "a CSV file of flock cards"
    shipped: ClassVar[Mapping[str, Path]] = {"reconstructed": Path(__file__).parent / "flock_cards.csv"}
    headers: ClassVar[tuple[str, ...]] = tuple(FlockCard.model_fields)

    cards: Annotated[list[FlockCard], Field(min_length=1, max_length=CARDS)]

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        cards: dict[str, FlockCard] = {}
        for row in rows(text, cls.headers):
            card = _flock_card(row)
            if card.card in cards:
                raise row.error("card", f"there are two cards '{card.card}'")
            if len(cards) == CARDS:
                raise DataError(row.line, 0, f"more than {CARDS} cards")
            cards[card.card] = card
        if not cards:
            raise DataError(0, 0, "there is no card")
        return cls.model_validate({"name": name, "cards": list(cards.values())})

    @classmethod
    def fields(cls) -> list[layout.Field]:
        """A card's icons: the top one, if any, then the bonus ones."""
        return [
            layout.Field("flock_deck", "i8"),
            layout.Field("goose", "u1", (CARDS,)),
            layout.Field("main", "u1", (CARDS,)),
            layout.Field("identify", "u1", (CARDS,)),
            layout.Field("bonuses", "u1", (CARDS,)),
            layout.Field("bonus_actions", "u1", (CARDS, MOST_BONUSES)),
            layout.Field("top_icons", "u1", (CARDS,)),
            layout.Field("all_icons", "u1", (CARDS,)),
            layout.Field("icons", "u1", (CARDS, 1 + MOST_BONUSES)),
            layout.Field("grazes", "u1", (CARDS,)),
        ]

    def fill(self, record: np.ndarray, players: int) -> None:
        record["flock_deck"][0] = len(self.cards)
        for number, card in enumerate(self.cards):
            icons = [TERRAINS.index(icon) for icon in (card.terrain, *card.bonus_terrain) if icon]
            record["goose"][0, number] = GEESE.index(card.goose)
            record["main"][0, number] = ACTIONS.index(card.action) + 1 if card.action else 0
            record["identify"][0, number] = card.identify or 0
            record["bonuses"][0, number] = len(card.bonus_actions)
            record["bonus_actions"][0, number, : len(card.bonus_actions)] = [
                ACTIONS.index(action) + 1 for action in card.bonus_actions
            ]
            record["top_icons"][0, number] = card.terrain is not None
            record["all_icons"][0, number] = len(icons)
            record["icons"][0, number, : len(icons)] = icons
            record["grazes"][0, number] = "graze" in (card.action, *card.bonus_actions)


def _flock_card(row: Row) -> FlockCard:
    if "lead" in row["bonus_actions"].lower().split():
        raise row.error("bonus_actions", f"a bonus cannot be a lead; allowed: {', '.join(ACTIONS[:-1])}")
    goose = row.word("goose", GEESE)
    if goose is None:
        raise row.refuse("goose", ", ".join(GEESE))
    values = {
        "card": row.name("card"),
        "goose": goose,
        "action": row.word("action", ACTIONS),
        "terrain": row.word("terrain", TERRAINS),
        "identify": row.number("identify", 1, MOST_IDENTIFIED),
        "bonus_actions": row.words("bonus_actions", ACTIONS[:-1], MOST_BONUSES),
        "bonus_terrain": row.words("bonus_terrain", TERRAINS, MOST_BONUSES),
    }
    bonus = "bonus_actions" if values["bonus_actions"] else "bonus_terrain" if values["bonus_terrain"] else ""
    if bonus and values["identify"] is None:
        raise row.error("identify", f"{bonus} needs a count; allowed: a whole number from 1 to {MOST_IDENTIFIED}")
    if values["identify"] is not None and not bonus:
        raise row.error("identify", f"{values['identify']} counts for nothing: the card has no bonus")
    return FlockCard.model_validate(values)


class Space(BaseModel):
    """A space of a terrain card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    terrain: Terrain
    encounter: Encounter | None


class TerrainCard(BaseModel):
    """A terrain card: one to four spaces, each of another terrain."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    card: str
    spaces: Annotated[list[Space], Field(min_length=1, max_length=len(TERRAINS))]


class TerrainCards(DataFile):
    """The terrain deck."""

    kind: ClassVar[str] = "a CSV file of terrain cards"
    shipped: ClassVar[Mapping[str, Path]] = {"reconstructed": Path(__file__).parent / "terrain_cards.csv"}
    headers: ClassVar[tuple[str, ...]] = ("card", "space", "terrain", "encounter")

    cards: Annotated[list[TerrainCard], Field(min_length=1, max_length=TERRAIN_CARDS)]

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        cards: dict[str, list[Space]] = {}
        last = ""
        for row in rows(text, cls.headers):
            card = row.name("card")
            if card in cards and card != last:
                raise row.error("card", f"there are two cards '{card}': the lines of a card stand together")
            if card not in cards and len(cards) == TERRAIN_CARDS:
                raise DataError(row.line, 0, f"more than {TERRAIN_CARDS} cards")
            spaces = cards.setdefault(card, [])
            spaces.append(_space(row, card, spaces))
            last = card
        if not cards:
            raise DataError(0, 0, "there is no card")
        shown = [TerrainCard(card=card, spaces=spaces) for card, spaces in cards.items()]
        return cls.model_validate({"name": name, "cards": shown})

    @classmethod
    def fields(cls) -> list[layout.Field]:
        """A card's terrains as bits, and what is met on each."""
        return [
            layout.Field("terrain_deck", "i8"),
            layout.Field("spaces", "u1", (TERRAIN_CARDS,)),
            layout.Field("encounter", "u1", (TERRAIN_CARDS, len(TERRAINS))),
        ]

    def fill(self, record: np.ndarray, players: int) -> None:
        record["terrain_deck"][0] = len(self.cards)
        for number, card in enumerate(self.cards):
            for space in card.spaces:
                terrain = TERRAINS.index(space.terrain)
                record["spaces"][0, number] |= 1 << terrain
                if space.encounter:
                    record["encounter"][0, number, terrain] = ENCOUNTERS.index(space.encounter) + 1


def _space(row: Row, card: str, before: Sequence[Space]) -> Space:
    terrain = row.word("terrain", TERRAINS)
    if terrain is None:
        raise row.refuse("terrain", ", ".join(TERRAINS))
    if terrain in [space.terrain for space in before]:
        raise row.error("terrain", f"'{terrain}' stands on {card} twice; allowed: each terrain once on a card")
    if row["space"] != str(len(before) + 1):
        raise row.refuse("space", f"{len(before) + 1}, the next of {card}")
    return Space.model_validate({"terrain": terrain, "encounter": row.word("encounter", ENCOUNTERS)})
