"""Rule parameters that are files: decks and boards that a designer can replace."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from . import layout
from .errors import FlocksimError, RulesError, nearest
from .text_file import read_text


class DataError(Exception):
    """What is wrong in a data file, and where: line and column from 1, 0 where none is meant."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column

    def at(self, name: str) -> str:
        """'file:line:column: message'."""
        place = ":".join(str(number) for number in (self.line, self.column) if number)
        return f"{name}:{place}: {self}" if place else f"{name}: {self}"


class DataFile(BaseModel):
    """The content of a file that a rule parameter names. Its fields are what is dumped into traces and manifests.

    A config names a shipped file by name and any other by its path, relative to the config; a config that stands for
    itself holds {name, text} instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    text: str = Field("", exclude=True, repr=False)
    """What was parsed; empty for what ships."""

    shipped: ClassVar[Mapping[str, Path]] = {}
    """Names that need no path -> the files that come with the game."""
    kind: ClassVar[str] = "a data file"

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        """The content of a text; raises DataError."""
        raise NotImplementedError

    @classmethod
    def named(cls, name: str) -> Self | None:
        """What a name stands for that needs no path, None for any other."""
        path = cls.shipped.get(name)
        if path is None:
            return None
        content: Self = _shipped(cls, name, path)
        return content

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Every name that needs no path."""
        return tuple(cls.shipped)

    @classmethod
    def fields(cls) -> list[layout.Field]:
        """What it adds to the record of the rules."""
        raise NotImplementedError

    def fill(self, record: np.ndarray, players: int) -> None:
        """Write it into an array of one record of rules."""
        raise NotImplementedError

    @classmethod
    def load(cls, value: Any, key: str = "file", folder: Path | None = None) -> Self:
        """What a config says: a shipped name, a path relative to `folder`, or {name, text}.

        Raises RulesError naming `key`, file, line and column.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, Mapping) and set(value) == {"name", "text"}:
            return cls._parsed(str(value["name"]), str(value["name"]), str(value["text"]), key)
        if not isinstance(value, str) or not value.strip():
            raise RulesError(f"{key}: {value!r} is not allowed; allowed: {cls.allowed()}", key)
        return cls.named(value) or cls._read((folder or Path()) / value, key)

    @classmethod
    def allowed(cls) -> str:
        """'reconstructed, or the path of another such file'."""
        return f"{', '.join(cls.names())}, or the path of another such file"

    @classmethod
    def _read(cls, path: Path, key: str) -> Self:
        try:
            text = read_text(path, cls.kind)
        except FlocksimError as error:
            hint = "" if path.exists() else f"{nearest(path.name, cls.names())} (allowed: {cls.allowed()})"
            raise RulesError(f"{key}: {error}{hint}", key) from None
        return cls._parsed(path.name, str(path), text, key)

    @classmethod
    def _parsed(cls, name: str, place: str, text: str, key: str) -> Self:
        try:
            return cls.parse(name, text).model_copy(update={"text": text})
        except DataError as error:
            raise RulesError(f"{key}: {error.at(place)}", key) from None

    def in_config(self) -> Any:
        """What a config says to get the same: a shipped name, or the file's name and text."""
        return {"name": self.name, "text": self.text} if self.text else self.name

    def __str__(self) -> str:
        """The name, and for a file of the user's a digest that tells two of the same name apart."""
        if not self.text:
            return self.name
        return f"{self.name} ({hashlib.sha256(self.text.encode()).hexdigest()[:8]})"


@cache
def _shipped(cls: type[DataFile], name: str, path: Path) -> Any:
    return cls.parse(name, read_text(path, cls.kind))
