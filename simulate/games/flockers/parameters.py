"""Flockers' rule parameters: the decks, every printed number and every open ruling, with bounds and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ...errors import RulesError
from ...parameters import Parameters
from .decks import FlockCards, TerrainCards
from .state import DISPLAY, HAND, PLACES

BANDS = ("good", "great", "gifted", "golden")

Points = Annotated[int, Field(ge=0, le=200)]


class FlockersParameters(Parameters):
    """The rules of one variant. K1..K28 are the rulings behind what the rulebook leaves open."""

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {"solo_bands": BANDS}

    flock_cards: FlockCards = Field(
        FlockCards.load("reconstructed"),
        description="The flock deck, a CSV file; the shipped one is reconstructed.",
    )
    terrain_cards: TerrainCards = Field(
        TerrainCards.load("reconstructed"),
        description="The terrain deck, a CSV file; the shipped one is reconstructed.",
    )
    iconless: Literal["skip", "stop"] = Field(
        "skip",
        description="A goose without an active icon behind the first icon: a flight skips it, or stops at it.",
        json_schema_extra={"ruling": "K3"},
    )
    mismatch: Literal["stop", "skip"] = Field(
        "stop",
        description="An icon that does not match the terrain ahead: a flight stops at it, or skips it.",
        json_schema_extra={"ruling": "K4"},
    )
    decoy_shape: Literal["choose", "keep"] = Field(
        "choose",
        description="After a decoy the player chooses the flock's shape unseen, or it stays as it was.",
        json_schema_extra={"ruling": "K10"},
    )
    draw_from_deck: bool = Field(
        False,
        description="Whether a hand may be replenished from the deck instead of the display.",
        json_schema_extra={"ruling": "K17"},
    )
    final_card: int = Field(
        10,
        ge=1,
        le=40,
        description="Card of the path that a token has to reach to end the game.",
        json_schema_extra={"ruling": "K22"},
    )
    turn_cap: int = Field(
        100,
        ge=1,
        le=10_000,
        description="Rounds after which an endless game is cut off, without a winner.",
        json_schema_extra={"ruling": "K25"},
    )
    hand_size: int = Field(5, ge=1, le=HAND, description="Cards in hand.")
    flock_size: int = Field(
        PLACES,
        ge=2,
        le=PLACES,
        description="Birds that make a flock full, which puts its player out of the game.",
        json_schema_extra={"ruling": "K21"},
    )
    flock_display: int = Field(3, ge=1, le=DISPLAY, description="Flock cards on display.")
    terrain_display: int = Field(
        3, ge=1, le=DISPLAY, description="Terrain cards on display; one more is flipped at set-up."
    )
    solo_tie_wins: bool = Field(
        False,
        description="Solo: whether being as far as the automa wins.",
        json_schema_extra={"ruling": "K28"},
    )
    automa_bottom_icons: bool = Field(
        True,
        description="Solo: whether the automa may fly by a card's bonus terrain.",
        json_schema_extra={"ruling": "K26"},
    )
    automa_tie: Literal["leftmost", "rightmost"] = Field(
        "leftmost",
        description="Solo: which of the cards that fly it equally far the automa takes.",
        json_schema_extra={"ruling": "K26"},
    )
    solo_bands: dict[str, Points] = Field(
        dict(zip(BANDS, (7, 11, 15, 19), strict=True)),
        description="Solo: least points of each kind of goose.",
        json_schema_extra={"low": 0, "high": 200, "ruling": "K28"},
    )

    def check(self, players: int) -> None:
        self._check_flock_deck(players)
        self._check_terrain_deck()
        for (low, least), (high, more) in pairwise(self.solo_bands.items()):
            if more < least:
                raise RulesError(
                    f"solo_bands.{high}: {more} points are fewer than the {least} of {low}", f"solo_bands.{high}"
                )

    def _check_flock_deck(self, players: int) -> None:
        """So many that deck and discard are never both empty when a card is needed."""
        cards = len(self.flock_cards.cards)
        needed = players * (self.hand_size + self.flock_size - 1) + self.flock_display
        if cards < needed:
            raise RulesError(
                f"flock_cards: {self.flock_cards} has {cards} cards; {players} players need {needed} "
                f"(hands of {self.hand_size}, flocks of {self.flock_size - 1}, a display of {self.flock_display})",
                "flock_cards",
            )

    def _check_terrain_deck(self) -> None:
        deck, cards = self.terrain_cards, len(self.terrain_cards.cards)
        if cards < self.terrain_display + 1:
            raise RulesError(
                f"terrain_cards: {deck} has {cards} cards; set-up flips {self.terrain_display + 1}", "terrain_cards"
            )
        if all(len(card.spaces) == 1 for card in deck.cards):
            raise RulesError(
                f"terrain_cards: no card of {deck} shows two terrains, and such a card begins the path", "terrain_cards"
            )
        if cards < self.final_card:
            raise RulesError(
                f"final_card: {self.final_card} can never be reached; the terrain deck ({deck}) has {cards} cards",
                "final_card",
            )
