"""A strategy (Hypothesis) for rules that a game allows, its own bounds first of all."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from flocksim.simulate.data_files import DataFile
from flocksim.simulate.game import Game
from hypothesis import strategies as st
from pydantic.fields import FieldInfo


def odd_rules(game: Game) -> st.SearchStrategy[dict[str, Any]]:
    """Some parameters somewhere within their bounds; files stay."""
    kind = game.parameters
    fields = {name: info for name, info in kind.model_fields.items() if not _is_file(info)}
    return st.fixed_dictionaries({}, optional={name: _values(kind, name, info) for name, info in fields.items()})


def _is_file(info: FieldInfo) -> bool:
    return isinstance(info.annotation, type) and issubclass(info.annotation, DataFile)


def _values(kind: Any, name: str, info: FieldInfo) -> st.SearchStrategy[Any]:
    one = _one(info)
    if name in kind.list_lengths:
        one |= st.lists(one, min_size=1, max_size=kind.list_lengths[name])
    return st.dictionaries(st.sampled_from(kind.map_keys[name]), one) if name in kind.map_keys else one


def _one(info: FieldInfo) -> st.SearchStrategy[Any]:
    if get_origin(info.annotation) is Literal:
        return st.sampled_from(get_args(info.annotation))
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    bounds = {key: getattr(mark, key) for mark in info.metadata for key in ("ge", "le") if hasattr(mark, key)}
    low, high = bounds.get("ge", extra.get("low")), bounds.get("le", extra.get("high"))
    if low is None or high is None:
        return st.booleans()
    near = {low, low + 1, (low + high) // 2, high - 1, high}
    return st.sampled_from(sorted(value for value in near if low <= value <= high)) | st.integers(low, high)
