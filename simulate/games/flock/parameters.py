"""Flock's rule parameters: every printed number and every open ruling, with bounds and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ...errors import RulesError
from ...parameters import Parameters, filled
from .state import CARDS, FLOCKS, ROUNDS

SCORING = CARDS[:-1]
RESOURCE_CARDS = CARDS[:4]
COSTS = ("laying_nests", "hatching_eggs", "hatching_worms")
PLAYERS = ("2", "3", "4", "5")
MOST_BIRDS = 15

Points = Annotated[int, Field(ge=0, le=50)]
Amount = Annotated[int, Field(ge=0, le=30)]
Gathered = Annotated[int, Field(ge=1, le=FLOCKS * MOST_BIRDS)]


def _span(low: int, high: int, ruling: str = "") -> dict[str, Any]:
    """Bounds of a map's numbers, for messages, and the ruling behind it."""
    return {"low": low, "high": high} | ({"ruling": ruling} if ruling else {})


class FlockParameters(Parameters):
    """The rules of one variant. F1..F31 are the rulings behind what the rulebook leaves open."""

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "vp_first": SCORING,
        "vp_second": SCORING,
        "competition_thresholds": PLAYERS,
        "gain_single": RESOURCE_CARDS,
        "gain_double": RESOURCE_CARDS,
        "cost_single": COSTS,
        "cost_double": COSTS,
        "upkeep_costs": ("nests", "worms"),
    }
    list_lengths: ClassVar[Mapping[str, int]] = {"competition_thresholds": ROUNDS, "upkeep_costs": ROUNDS}

    vp_first: dict[str, Points] = Field(
        dict(zip(SCORING, (4, 5, 4, 4, 5), strict=True)),
        description="VP for the most birds on a card.",
        json_schema_extra=_span(0, 50),
    )
    vp_second: dict[str, Points] = Field(
        dict(zip(SCORING, (3, 2, 3, 3, 2), strict=True)),
        description="VP for the second most birds on a card.",
        json_schema_extra=_span(0, 50),
    )
    vp_pool: int = Field(1, ge=0, le=50, description="VP for each bird in the pool when a round is scored.")
    competition_thresholds: dict[str, list[Gathered]] = Field(
        {players: [4, 5, 6] for players in PLAYERS},
        description="Birds on Competition that its activation needs, by number of players, then by round.",
        json_schema_extra=_span(1, FLOCKS * MOST_BIRDS, "F2"),
    )
    rounds: int = Field(
        3,
        ge=1,
        le=ROUNDS,
        description="Rounds after which the game ends; a round ends when Competition is activated.",
        json_schema_extra={"ruling": "F17"},
    )
    starting_birds: int = Field(3, ge=1, le=MOST_BIRDS, description="Birds in each flock's pool at set-up.")
    bird_supply: int = Field(8, ge=1, le=MOST_BIRDS, description="Birds that a flock has in all, its stock included.")
    starting_worms: int = Field(
        1,
        ge=0,
        le=30,
        description="Worms of the start player at set-up; with two flocks they are the left one's.",
        json_schema_extra={"ruling": "F28"},
    )
    resource_cap: int = Field(
        6,
        ge=0,
        le=30,
        description="Nests, eggs and worms, of each, that a flock can hold; what would go beyond is lost.",
        json_schema_extra={"ruling": "F5"},
    )
    token_supply: int = Field(
        30,
        ge=0,
        le=300,
        description="Tokens in the box of each resource; they must suffice for every flock at its cap.",
        json_schema_extra={"ruling": "F5"},
    )
    gain_single: dict[str, Amount] = Field(
        dict.fromkeys(RESOURCE_CARDS, 1),
        description="What the action of one bird gains on each card: worms, nests, eggs, birds.",
        json_schema_extra=_span(0, 30),
    )
    gain_double: dict[str, Amount] = Field(
        dict.fromkeys(RESOURCE_CARDS, 3),
        description="What the action of two birds gains on each card: worms, nests, eggs, birds.",
        json_schema_extra=_span(0, 30),
    )
    cost_single: dict[str, Amount] = Field(
        dict(zip(COSTS, (1, 1, 1), strict=True)),
        description="What the action of one bird costs besides the bird.",
        json_schema_extra=_span(0, 30),
    )
    cost_double: dict[str, Amount] = Field(
        dict(zip(COSTS, (2, 3, 3), strict=True)),
        description="What the action of two birds costs besides the birds.",
        json_schema_extra=_span(0, 30),
    )
    upkeep_costs: dict[str, list[Amount]] = Field(
        {"nests": [1, 1, 1], "worms": [1, 1, 1]},
        description="What upkeep costs for each bird beyond the free ones, by round.",
        json_schema_extra=_span(0, 30, "F23"),
    )
    free_birds: int = Field(
        2,
        ge=0,
        le=MOST_BIRDS,
        description="Birds of a flock that need no upkeep.",
        json_schema_extra={"ruling": "F10"},
    )
    relocate_limit: int = Field(
        2,
        ge=1,
        le=len(SCORING),
        description="Cards over which a flock may spread its birds from Competition, besides its pool.",
        json_schema_extra={"ruling": "F11"},
    )
    dominance_side: Literal["by-players", "2-3", "4-5"] = Field(
        "by-players",
        description="Side of the Dominance card; on 4-5 the second in pecking order may take space 2.",
        json_schema_extra={"ruling": "F26"},
    )
    flocks_per_player: int = Field(
        1,
        ge=1,
        le=2,
        description="Flocks of a player; 2 is Advanced 2-player, for 2 players only.",
        json_schema_extra={"ruling": "F25"},
    )
    protect_left_flock: bool = Field(
        True,
        description="Whether a right flock may not place a bird where that leaves the left flock nothing to do.",
        json_schema_extra={"ruling": "F29"},
    )
    deadlock: Literal["end", "force_competition"] = Field(
        "end",
        description="What happens when everybody passes in a row: the game ends without a winner, or the round does.",
        json_schema_extra={"ruling": "F19"},
    )
    turn_cap: int = Field(
        200,
        ge=1,
        le=100_000,
        description="Turns per player after which an endless game is cut off, without a winner.",
        json_schema_extra={"ruling": "F20"},
    )

    def check(self, players: int) -> None:
        if self.flocks_per_player == 2 and players != 2:
            raise RulesError(
                f"flocks_per_player: two flocks each are for 2 players, not {players}", "flocks_per_player"
            )
        flocks = players * self.flocks_per_player
        self._check_supplies(flocks)
        self._check_thresholds(players, flocks)

    def _check_supplies(self, flocks: int) -> None:
        if self.starting_birds > self.bird_supply:
            raise RulesError(
                f"starting_birds: {self.starting_birds} birds cannot start when a flock has {self.bird_supply}",
                "starting_birds",
            )
        if self.starting_worms > self.resource_cap:
            raise RulesError(
                f"starting_worms: {self.starting_worms} worms are more than the {self.resource_cap} a flock can hold",
                "starting_worms",
            )
        needed = self.resource_cap * flocks
        if needed > self.token_supply:
            raise RulesError(
                f"resource_cap: {flocks} flocks with up to {self.resource_cap} of a resource need {needed} tokens, "
                f"but there are {self.token_supply}",
                "resource_cap",
            )

    def _check_thresholds(self, players: int, flocks: int) -> None:
        birds = flocks * self.bird_supply
        thresholds = filled(self.competition_thresholds[str(players)], ROUNDS)[: self.rounds]
        for number, threshold in enumerate(thresholds, 1):
            if threshold > birds:
                raise RulesError(
                    f"competition_thresholds.{players}: {threshold} birds in round {number} can never gather: "
                    f"{flocks} flocks have {birds} in all",
                    f"competition_thresholds.{players}",
                )


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "advanced-2-player": {"flocks_per_player": 2},
    "free-flight": {"relocate_limit": len(SCORING)},
    "hungry-birdies": {"free_birds": 0, "upkeep_costs": {"nests": [2, 1, 1], "worms": [2, 2, 1]}},
}

PRESET_LINES = {
    "advanced-2-player": "Each of 2 players has a right and a left flock that act in turn (Optional Rules).",
    "free-flight": "Birds leave Competition for any number of cards instead of two (Optional Rules).",
    "hungry-birdies": "No bird is free of upkeep, which costs more in rounds 1 and 2 (Optional Rules).",
}
