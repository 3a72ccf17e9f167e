"""Rule parameters: a pydantic model a game, checked for what each may be and for what cannot be played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from .boards import Board
from .data_files import DataFile
from .errors import RulesError, unknown
from .layout import Field, record_dtype
from .scalars import choices_of, describe_type, entry_type, read, read_list


class Parameters(BaseModel):
    """Base of every game's rule parameters.

    Fields are whole numbers, yes/no, one of a few words (Literal), maps from a fixed set of keys to whole numbers,
    to lists of them, one a round, or to yes/no, or files (data_files.DataFile). Each has a description;
    `json_schema_extra={"ruling": "T3"}` names the ruling behind it. Maps may be given in part: the rest keeps its
    value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Field name -> the keys of that map, in the order of the record."""

    list_lengths: ClassVar[Mapping[str, int]] = {}
    """Name of a map of lists -> how many numbers they may have. The last one given holds from there on."""

    @classmethod
    def build(cls, players: int, *layers: Mapping[str, Any], folder: Path | None = None) -> Self:
        """Defaults, overlaid by each layer in turn (presets first, then a variant's own keys).

        folder: what the paths of files are relative to, the current folder if None. Raises RulesError for an unknown
        key, a value out of range, or rules that cannot be played.
        """
        values: dict[str, Any] = {name: info.default for name, info in cls.model_fields.items()}
        for layer in layers:
            for key, value in layer.items():
                values[key] = cls._overlay(key, values.get(key), value, folder)
        try:
            parameters = cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(part) for part in first["loc"])
            shown = first["input"]
            raise RulesError(f"{path}: {shown!r} is not allowed; {cls.allowed(path)}", path) from None
        parameters.check(players)
        return parameters

    @classmethod
    def _overlay(cls, key: str, before: Any, value: Any, folder: Path | None) -> Any:
        if key not in cls.model_fields:
            raise RulesError(unknown("rule", key, cls.model_fields), key)
        if kind := cls._file(key):
            return kind.load(value, key, folder)
        if key not in cls.map_keys:
            return read(value, cls.model_fields[key].annotation, key, cls.allowed(key))
        if not isinstance(value, Mapping):
            raise RulesError(
                f"{key}: {value!r} is not allowed; {cls.allowed(key)}, e.g. "
                f"{{{cls.map_keys[key][-1]}: {before[cls.map_keys[key][-1]]}}}",
                key,
            )
        merged = dict(before)
        for name, given in value.items():
            part = str(name)
            if part not in merged:
                raise RulesError(f"{key}: {unknown('entry', part, merged)}", f"{key}.{part}")
            merged[part] = cls._entry(key, part, given)
        return merged

    @classmethod
    def _file(cls, key: str) -> type[DataFile] | None:
        """What reads a parameter that is a file, None for any other."""
        kind = cls.model_fields[key].annotation
        return kind if isinstance(kind, type) and issubclass(kind, DataFile) else None

    @classmethod
    def _entry(cls, key: str, part: str, value: Any) -> int | list[int]:
        path, allowed = f"{key}.{part}", cls.allowed(key)
        if key in cls.list_lengths:
            return read_list(value, cls.list_lengths[key], path, allowed)
        number: int = read(value, entry_type(cls.model_fields[key]), path, allowed)
        return number

    @classmethod
    def allowed(cls, path: str) -> str:
        """What a parameter may be: 'allowed: a whole number from 1 to 25'."""
        name = path.split(".", maxsplit=1)[0]
        info = cls.model_fields[name]
        if file := cls._file(name):
            return f"allowed: {file.allowed()}"
        kind = f"a map from {', '.join(cls.map_keys[name])}" if name in cls.map_keys else ""
        return f"allowed: {describe_type(info, kind, cls.list_lengths.get(name, 0))}"

    def check(self, players: int) -> None:
        """Raise RulesError when no game could be played by these rules with so many players."""

    def board(self, players: int) -> Board | None:
        """The board that so many players play on, for games that have one."""
        return None

    def record(self, players: int) -> np.ndarray:
        """The rules for so many players as an array of one record of dtype `dtype()`."""
        from .layout import new_records

        record = new_records(type(self).dtype())
        for name, info in type(self).model_fields.items():
            value = getattr(self, name)
            if isinstance(value, DataFile):
                value.fill(record, players)
            elif name in self.list_lengths:
                record[name][0] = [filled(value[key], self.list_lengths[name]) for key in self.map_keys[name]]
            elif name in self.map_keys:
                record[name][0] = [value[key] for key in self.map_keys[name]]
            elif words := choices_of(info.annotation):
                record[name][0] = words.index(value)
            else:
                record[name][0] = int(value)
        return record

    @classmethod
    def dtype(cls) -> np.dtype:
        """The record that kernels read: maps of eight as bytes with a word, everything else as whole numbers.

        A choice is the index of its word; a map of lists has a row per key, filled up with its last number; a file
        has fields of its own.
        """
        fields = []
        for name in cls.model_fields:
            keys = cls.map_keys.get(name, ())
            if file := cls._file(name):
                fields.extend(file.fields())
            elif name in cls.list_lengths:
                fields.append(Field(name, "i8", (len(keys), cls.list_lengths[name])))
            elif len(keys) == 8:
                fields.append(Field(name, "u1", (8,), word=f"{name}_word"))
            elif keys:
                fields.append(Field(name, "i8", (len(keys),)))
            else:
                fields.append(Field(name, "i8"))
        return record_dtype(fields)

    def differences(self, other: Self) -> dict[str, tuple[Any, Any]]:
        """The parameters in which two sets of rules differ: name -> (this one's value, the other's)."""
        mine, theirs = self.model_dump(), other.model_dump()
        return {name: (getattr(self, name), getattr(other, name)) for name in mine if mine[name] != theirs[name]}


def filled(numbers: list[int], length: int) -> list[int]:
    """A list drawn out to a length by repeating its last number."""
    return numbers + numbers[-1:] * (length - len(numbers))
