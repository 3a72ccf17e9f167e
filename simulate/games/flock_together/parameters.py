"""Flock Together's rule parameters: every printed number and every open ruling, with bounds and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ...errors import RulesError
from ...parameters import Parameters
from .rules import MOST_CARDS, ROWS

SPECIES_WORDS = ("A-2", "3-4", "5-6", "7-8", "9-10", "J", "Q", "K")

Count = Annotated[int, Field(ge=0, le=40)]
Flock = Annotated[int, Field(ge=1, le=40)]


def _per_species(common: int, rare: int) -> dict[str, int]:
    return {species: rare if species in ("J", "Q", "K") else common for species in SPECIES_WORDS}


class FlockTogetherParameters(Parameters):
    """The rules of one variant. T1..T15 are the rulings behind what the rulebook leaves open."""

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "cards": SPECIES_WORDS,
        "small_flock": SPECIES_WORDS,
        "big_flock": SPECIES_WORDS,
    }

    cards: dict[str, Count] = Field(
        _per_species(16, 8),
        description="Cards of each species in the deck; 0 leaves a species out.",
        json_schema_extra={"low": 0, "high": 40},
    )
    small_flock: dict[str, Flock] = Field(
        _per_species(5, 2),
        description="Cards of a species in hand that make a small flock.",
        json_schema_extra={"low": 1, "high": 40},
    )
    big_flock: dict[str, Flock] = Field(
        _per_species(7, 3),
        description="Cards of a species in hand that make a big flock.",
        json_schema_extra={"low": 1, "high": 40},
    )
    small_gain: int = Field(1, ge=1, le=10, description="Cards that a small flock puts into the collection.")
    big_gain: int = Field(2, ge=1, le=10, description="Cards that a big flock puts into the collection.")
    hand_size: int = Field(8, ge=1, le=25, description="Cards dealt to each hand at the start of a round.")
    rows: int = Field(4, ge=1, le=ROWS, description="Rows in the middle of the table.")
    row_cards: int = Field(3, ge=1, le=8, description="Cards in a row at set-up, all of different species.")
    first_birds: int = Field(1, ge=0, le=5, description="Cards dealt to each collection at set-up.")
    draw_cards: int = Field(
        2,
        ge=0,
        le=10,
        description="Cards that a player who caught nothing may draw; 0 takes the choice away.",
    )
    win_species: int = Field(
        7, ge=1, le=9, description="Different species in a collection that win; more than there are: never."
    )
    win_sets: int = Field(2, ge=1, le=9, description="Species with a full set that win; more than there are: never.")
    win_set_size: int = Field(3, ge=1, le=40, description="Cards of a species that make a full set.")
    draw_before_empty_check: bool = Field(
        True,
        description="Whether a hand emptied by laying may still draw before the round ends.",
        json_schema_extra={"ruling": "T3"},
    )
    exhaustion_ends_game: bool = Field(
        False,
        description="Whether the game ends at once when a card must be turned up and both piles are empty.",
        json_schema_extra={"ruling": "T7"},
    )
    turn_cap: int = Field(
        500,
        ge=1,
        le=100_000,
        description="Turns after which an endless game is cut off, without a winner.",
        json_schema_extra={"ruling": "T15"},
    )

    def check(self, players: int) -> None:
        for species in SPECIES_WORDS:
            small, big = self.small_flock[species], self.big_flock[species]
            if big < small:
                raise RulesError(
                    f"big_flock.{species}: a big flock of {big} is smaller than the small flock of {small}",
                    f"big_flock.{species}",
                )
            for name, gain, size in (("small", self.small_gain, small), ("big", self.big_gain, big)):
                if gain > size:
                    raise RulesError(
                        f"{name}_gain: {gain} cards cannot be kept of a {name} flock of {size} {species}",
                        f"{name}_gain",
                    )
        self._check_deal(players)
        self._check_wins()

    def _check_deal(self, players: int) -> None:
        total = sum(self.cards.values())
        if total > MOST_CARDS:
            raise RulesError(f"cards: {total} cards in all; flocksim's decks hold at most {MOST_CARDS}", "cards")
        needed = self.rows * self.row_cards + players * (self.hand_size + self.first_birds)
        if needed > total:
            raise RulesError(
                f"hand_size: {needed} cards to deal to {players} players, their collections and {self.rows} rows, "
                f"but the deck has {total}",
                "hand_size",
            )
        plenty = sum(number >= self.rows for number in self.cards.values())
        if plenty < self.row_cards:
            raise RulesError(
                f"row_cards: {self.rows} rows of {self.row_cards} different species cannot always be dealt: "
                f"only {plenty} species have {self.rows} cards or more",
                "row_cards",
            )

    def _check_wins(self) -> None:
        different = sum(number > 0 for number in self.cards.values())
        sets = sum(number >= self.win_set_size for number in self.cards.values())
        if self.win_species > different and self.win_sets > sets:
            raise RulesError(
                f"win_species: nobody could ever win: the deck has {different} species, and {sets} of them have "
                f"{self.win_set_size} cards",
                "win_species",
            )


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "rarer-rare-birds": {
        "small_flock": {"J": 3, "Q": 3, "K": 3},
        "big_flock": {"J": 4, "Q": 4, "K": 4},
    },
    "quick-game": {"win_species": 6},
}

PRESET_LINES = {
    "rarer-rare-birds": "Flocks of Jacks, Queens and Kings need 3 and 4 cards (Variants).",
    "quick-game": "6 different species win instead of 7 (Variants).",
}
