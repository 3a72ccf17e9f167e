"""Reads what a person wrote as the type that is wanted: 40_000, 1e6 and 012 are numbers, yes and no are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from .errors import RulesError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

_YES = {"yes", "y", "true", "on"}
_NO = {"no", "n", "false", "off"}
_WHOLE = re.compile(r"[+-]?\d[\d_]*(\.0*)?([eE]\+?\d{1,2})?")
_NUMBER = re.compile(r"[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")


def read(value: Any, wanted: Any, key: str, allowed: str) -> Any:
    """`value` as bool, int, float, str or one of a Literal's words; raises RulesError naming `key` otherwise."""
    words = choices_of(wanted)
    reader = {bool: as_bool, int: as_int, float: as_float}.get(wanted)
    if reader is None and not words:
        return value
    result = reader(value) if reader else as_choice(value, words)
    if result is None:
        raise RulesError(f"{key}: {value!r} is not allowed; {allowed}", key)
    return result


def read_list(value: Any, longest: int, key: str, allowed: str) -> list[int]:
    """One to `longest` whole numbers, from a list, from text such as '4,5,6', or from a plain number."""
    items = _items(value) if isinstance(value, str) else value
    items = list(items) if isinstance(items, list | tuple) else [items]
    numbers = [as_int(item) for item in items]
    if None in numbers or not 1 <= len(numbers) <= longest:
        raise RulesError(f"{key}: {value!r} is not allowed; {allowed}", key)
    return [number for number in numbers if number is not None]


def _items(text: str) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return text.split(",")


def choices_of(wanted: Any) -> tuple[str, ...]:
    """The words of a Literal, nothing for any other type."""
    return get_args(wanted) if get_origin(wanted) is Literal else ()


def as_choice(value: Any, words: tuple[str, ...]) -> str | None:
    """One of the words, None for anything else."""
    word = str(value).strip().lower()
    return word if word in words else None


def as_bool(value: Any) -> bool | None:
    """True or False for what says yes or no, None for anything else."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    return True if word in _YES else False if word in _NO else None


def as_int(value: Any) -> int | None:
    """A whole number, also from text such as 40_000, 1e6, 012 or 3.0; None for anything else."""
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) > 10**40):
        return None
    text = str(value).strip()
    if not _WHOLE.fullmatch(text) or len(text) > 40:
        return None
    mantissa, _, exponent = text.lower().replace("_", "").partition("e")
    return int(mantissa.split(".")[0]) * 10 ** int(exponent or 0)


def as_float(value: Any) -> float | None:
    """A finite number, also from text; None for anything else."""
    if isinstance(value, bool):
        return None
    text = str(value).strip()
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else None
    number = float(text.replace("_", "")) if _NUMBER.fullmatch(text) else None
    return None if number is None or abs(number) >= 1e300 else number


def entry_type(info: FieldInfo) -> type:
    """What the values of a map are: bool for yes/no, else int."""
    return bool if get_args(info.annotation)[1:] == (bool,) else int


def describe_type(info: FieldInfo, kind: str = "", longest: int = 0) -> str:
    """What a field may hold, in words: 'a whole number from 1 to 24'.

    kind: 'a map from a, b' for maps; longest: how many numbers a map's lists may have, 0 if it holds no lists.
    """
    if info.annotation is bool:
        return "yes or no"
    if words := choices_of(info.annotation):
        return ", ".join(words)
    if kind and entry_type(info) is bool:
        return f"{kind} to yes or no"
    low = next((m.ge for m in info.metadata if hasattr(m, "ge")), None)
    high = next((m.le for m in info.metadata if hasattr(m, "le")), None)
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    low, high = extra.get("low", low), extra.get("high", high)
    number = "whole numbers" if kind else "a whole number"
    span = f" from {low} to {high}" if low is not None and high is not None else ""
    lists = f", one or a list of up to {longest} (the last one stays)" if longest else ""
    return f"{kind} to {number}{span}{lists}" if kind else f"{number}{span}"
