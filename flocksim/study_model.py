"""What a study's config file may say, key by key; docs/config.md describes every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from flocksim.simulate.own_bots import own_name
from flocksim.simulate.scalars import as_float, as_int

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}


def _whole(value: Any) -> Any:
    number = as_int(value)
    if number is None:
        raise ValueError  # _ALLOWED says what is wanted
    return number


def _real(value: Any) -> Any:
    number = as_float(value)
    if number is None:
        raise ValueError
    return number


MOST_GAMES = 10**12
MOST_LUCK = 10**7
ARCS, MOST_ARCS = 2_000, 10**6
"""How many games of each variant and player count have their course recorded, usually and at most."""

Whole = Annotated[int, BeforeValidator(_whole)]
Real = Annotated[float, BeforeValidator(_real)]


def check_name(name: str) -> str:
    """A name that is also a file name on every system."""
    if not _SLUG.fullmatch(name) or name.endswith(".") or name.split(".", maxsplit=1)[0].lower() in _RESERVED:
        raise ValueError("allowed: up to 80 letters, digits, '-', '_' and '.', beginning with a letter or digit")
    return name


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class StrategyEntry(_Model):
    """A strategy of the study's own: a shipped one with other noise or weights, weights alone or those of a file."""

    name: str
    base: str | None = None
    file: str | None = None
    noise: Annotated[Real, Field(ge=0, le=1)] | None = None
    weights: dict[str, Annotated[Real, Field(ge=-1e9, le=1e9)]] | None = None
    without: list[str] = []
    text: str | None = None  # of a bot's file, in configs that stand for themselves

    @field_validator("without", mode="before")
    @classmethod
    def _one_kind(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) and value else value

    @field_validator("name")
    @classmethod
    def _name(cls, name: str) -> str:
        """The parts of a search's name, ismcts:100:collector, are names."""
        for part in name.split(":"):
            check_name(part)
        return name

    @property
    def is_plain(self) -> bool:
        return (
            own_name(self.base or "") == self.name
            and (self.noise, self.weights, self.file) == (None, None, None)
            and not self.without
        )


class StopEntry(_Model):
    """Play on, `games` at a time, until every target is decided."""

    when: Literal["decided"] = "decided"
    at_most: Annotated[Whole, Field(ge=1, le=MOST_GAMES)]


class StudyConfig(_Model):
    """What a config file may say."""

    name: str
    question: Annotated[str, Field(max_length=2000)] = ""
    game: str
    players: Annotated[list[Whole], Field(min_length=1)]
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    strategies: Annotated[list[StrategyEntry], Field(min_length=1, max_length=200)] | None = None
    tiers: Annotated[list[str], Field(min_length=1)] | None = None
    noise: Annotated[list[Annotated[Real, Field(ge=0, le=1)]], Field(min_length=1)] | None = None
    games: Annotated[Whole, Field(ge=1, le=MOST_GAMES)]
    seed: Annotated[Whole, Field(ge=0, lt=2**63)]
    arcs: Annotated[Whole, Field(ge=0, le=MOST_ARCS)] = ARCS
    luck: Annotated[Whole, Field(ge=0, le=MOST_LUCK)] = 0
    keep: Literal["games", "blocks", "sample"] = "games"
    targets: Any = None
    stop: StopEntry | None = None

    _name = field_validator("name")(check_name)

    @field_validator("players", "noise", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return [value] if isinstance(value, int | float | str) and value != "" else value

    @field_validator("strategies", mode="before")
    @classmethod
    def _plain_names(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [{"name": own_name(entry), "base": entry} if isinstance(entry, str) else entry for entry in value]

    @field_validator("variants", mode="before")
    @classmethod
    def _empty_variants(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {name: {} if rules in ("", None) else rules for name, rules in value.items()}

    @field_validator("variants")
    @classmethod
    def _variant_names(cls, value: dict[str, Any]) -> dict[str, Any]:
        for name in value:
            try:
                check_name(name)
            except ValueError as error:
                raise ValueError(f"'{name}' cannot name a variant; {error}") from None
        folded = [name.lower() for name in value]
        for name in value:
            if folded.count(name.lower()) > 1:
                raise ValueError(
                    f"two variants are named '{name.lower()}' but for capitals; files need more difference"
                )
        return value
