"""Files of weights: what `flocksim tune` writes, a config names and anybody may write by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flocksim.simulate.errors import FlocksimError, one_line, unknown
from flocksim.simulate.scalars import as_float

from .yaml_file import YamlFile, read_yaml

MADE = ("command", "players", "rules", "base", "against", "seed", "estimate")
"""What tells where weights come from; whoever reads them for play takes no notice."""
KEYS = ("game", "line", *MADE, "weights")
HEAD = "# Made by flocksim tune. A config can name this file: strategies: [{name: tuned, file: FILE}]\n"
LARGEST = 1e9


def text(game: str, weights: Mapping[str, float], made: Mapping[str, Any]) -> str:
    """The file as it is written: `made` are values of the keys in MADE, those it lacks left out."""
    import yaml

    told = {key: made[key] for key in MADE if key in made}
    origin = yaml.safe_dump(told, default_flow_style=None, sort_keys=False, width=1_000_000) if told else ""
    named = [f"  {name}: {weight:g}\n" for name, weight in weights.items() if weight]
    return "".join([HEAD, f"game: {game}\n", origin, "weights:\n" if named else "weights: {}\n", *named])


def read(path: Path, game: str) -> dict[str, float]:
    """Feature -> weight, of a file for that game.

    Raises FlocksimError: one line with file, line, key, value and what is allowed.
    """
    from flocksim.strategies import catalogue

    file = read_yaml(path)
    if not isinstance(file.data, dict):
        raise FlocksimError(f"{path}: a file of weights is a map with the keys game and weights")
    for key in file.data:
        if key not in KEYS:
            raise _error(file, (key,), unknown("key", key, KEYS))
    for key in ("game", "weights"):
        if key not in file.data:
            raise FlocksimError(f"{path}: '{key}' is missing")
    if file.data["game"] != game:
        raise _error(file, ("game",), f"'{one_line(str(file.data['game']), 60)}' is not allowed; allowed: {game}")
    weights = file.data["weights"]
    if not isinstance(weights, dict) or not weights:
        raise _error(file, ("weights",), "is not a map from features to numbers, e.g. {fly: 2}")
    return {name: _weight(file, name, value, catalogue.features(game)) for name, value in weights.items()}


def _weight(file: YamlFile, name: str, value: Any, features: Mapping[str, str]) -> float:
    key = ("weights", name)
    if name not in features:
        raise _error(file, key, unknown("feature", name, features))
    weight = as_float(value)
    if weight is None or abs(weight) > LARGEST:
        raise _error(file, key, f"{one_line(repr(value), 60)} is not allowed; allowed: a number from -1e9 to 1e9")
    return weight


def _error(file: YamlFile, key: tuple[str, ...], message: str) -> FlocksimError:
    return FlocksimError(f"{file.where(key)}: {one_line('.'.join(key), 100)}: {message}")
