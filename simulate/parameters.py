"""Rule parameters: a pydantic model a game, checked for what each may be and for what cannot be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from .errors import RulesError, unknown
from .layout import Field, record_dtype
from .scalars import describe_type, read


class Parameters(BaseModel):
    """Base of every game's rule parameters.

    Fields are whole numbers, yes/no, or maps from a fixed set of keys to whole numbers. Each has a description;
    `json_schema_extra={"ruling": "T3"}` names the ruling behind it. Maps may be given in part: the rest keeps
    its value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    map_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Field name -> the keys of that map, in the order of the record."""

    @classmethod
    def build(cls, players: int, *layers: Mapping[str, Any]) -> Self:
        """Defaults, overlaid by each layer in turn (presets first, then a variant's own keys).

        Raises RulesError for an unknown key, a value out of range, or rules that cannot be played.
        """
        values: dict[str, Any] = {name: info.default for name, info in cls.model_fields.items()}
        for layer in layers:
            for key, value in layer.items():
                values[key] = cls._overlay(key, values.get(key), value)
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
    def _overlay(cls, key: str, before: Any, value: Any) -> Any:
        if key not in cls.model_fields:
            raise RulesError(unknown("rule", key, cls.model_fields), key)
        if key not in cls.map_keys:
            return read(value, cls.model_fields[key].annotation, key, cls.allowed(key))
        if not isinstance(value, Mapping):
            raise RulesError(
                f"{key}: {value!r} is not allowed; {cls.allowed(key)}, e.g. "
                f"{{{cls.map_keys[key][-1]}: {before[cls.map_keys[key][-1]]}}}",
                key,
            )
        merged = dict(before)
        for part, number in value.items():
            if part not in merged:
                raise RulesError(f"{key}: {unknown('entry', str(part), merged)}", f"{key}.{part}")
            merged[part] = read(number, int, f"{key}.{part}", cls.allowed(key))
        return merged

    @classmethod
    def allowed(cls, path: str) -> str:
        """What a parameter may be: 'allowed: a whole number from 1 to 25'."""
        name = path.split(".", maxsplit=1)[0]
        info = cls.model_fields[name]
        kind = f"a map from {', '.join(cls.map_keys[name])}" if name in cls.map_keys else ""
        return f"allowed: {describe_type(info, kind)}"

    def check(self, players: int) -> None:
        """Raise RulesError when no game could be played by these rules with so many players."""

    def record(self) -> np.ndarray:
        """The rules as an array of one record of dtype `dtype()`."""
        from .layout import new_records

        record = new_records(type(self).dtype())
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name in self.map_keys:
                record[name][0] = [value[key] for key in self.map_keys[name]]
            else:
                record[name][0] = int(value)
        return record

    @classmethod
    def dtype(cls) -> np.dtype:
        """The record that kernels read: maps of eight as bytes with a word, everything else as whole numbers."""
        fields = []
        for name in cls.model_fields:
            if len(cls.map_keys.get(name, ())) == 8:
                fields.append(Field(name, "u1", (8,), word=f"{name}_word"))
            elif name in cls.map_keys:
                fields.append(Field(name, "i8", (len(cls.map_keys[name]),)))
            else:
                fields.append(Field(name, "i8"))
        return record_dtype(fields)

    def differences(self, other: Self) -> dict[str, tuple[Any, Any]]:
        """The parameters in which two sets of rules differ: name -> (this one's value, the other's)."""
        mine, theirs = self.model_dump(), other.model_dump()
        return {name: (mine[name], theirs[name]) for name in mine if mine[name] != theirs[name]}
