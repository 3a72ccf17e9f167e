"""The strategies that ship with a game, and how a study makes its own out of named weights.

A game's folder holds `features.py`, which scores a choice as a weighted sum of features that a designer can read
(`FEATURES`: name -> explanation; `choose`: the kernel), `bots.yaml`, the archetypes as weights of those features, and
`tuned.yaml`, weights that `flocksim tune` found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from types import ModuleType
from typing import Any

from flocksim.simulate.bots import Strategy
from flocksim.simulate.errors import FlocksimError, unknown
from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.own_bots import OwnBot, is_own, own_name
from flocksim.simulate.scalars import as_int
from flocksim.simulate.search import MOST_ITERATIONS

from .uniform import RANDOM

SEARCH = "ismcts"
TUNED = "tuned"
TIERS = ("beginner", "casual", "strong", "expert")
"""Populations of graded strength; a game's `tiers.yaml` says who is in which."""
_NO_ARCHETYPES = (RANDOM.name, TUNED)


@cache
def _module(game: str) -> ModuleType:
    return import_module(f"{__package__}.{GAMES[game]}.features")


def features(game: str) -> Mapping[str, str]:
    """Feature -> what it measures, in the order of the weights."""
    return _module(game).FEATURES


def _load(text: str) -> Any:
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # the fast one where there is one


@cache
def shipped(game: str) -> Mapping[str, Strategy]:
    """Every strategy that ships with the game, by name, `random` first."""
    folder = resources.files(f"{__package__}.{GAMES[game]}")
    entries = _load(folder.joinpath("bots.yaml").read_text("utf-8"))
    if (tuned := folder.joinpath("tuned.yaml")).is_file():
        found = _load(tuned.read_text("utf-8"))
        entries[TUNED] = {"line": "Weighs what a search by self-play found.", "weights": found["weights"]}
    strategies = {"random": RANDOM}
    for name, entry in entries.items():
        weights = weight_vector(game, entry["weights"])
        strategies[name] = Strategy(name, _module(game).choose, weights, line=entry["line"])
    return strategies


def archetypes(game: str) -> list[Strategy]:
    """The shipped strategies that stand for a plan."""
    return [strategy for name, strategy in shipped(game).items() if name not in _NO_ARCHETYPES]


@cache
def tier(game: str, name: str) -> tuple[Strategy, ...]:
    """Who plays in a tier."""

    text = resources.files(f"{__package__}.{GAMES[game]}").joinpath("tiers.yaml").read_text("utf-8")
    entry = _load(text)[name]
    noise = entry.get("noise")
    if noise is None:
        return tuple(find(game, member) for member in entry["strategies"])
    return tuple(variation(game, f"{name}-{member}", member, noise) for member in entry["strategies"])


def population(game: str, name: str, folder: Path | None = None, text: str | None = None) -> tuple[Strategy, ...]:
    """Whom a name in a list of strategies stands for: a tier's, or one; folder and text: as of `find`."""
    return tier(game, name) if name in TIERS else (find(game, name, folder, text),)


def weight_vector(game: str, weights: Mapping[str, float], base: tuple[float, ...] = ()) -> tuple[float, ...]:
    """Named weights as a vector, over those of `base` (0 where neither names a feature)."""
    names = list(features(game))
    vector = list(base) or [0.0] * len(names)
    for name, weight in weights.items():
        if name not in names:
            raise FlocksimError(unknown("feature", name, names))
        vector[names.index(name)] = float(weight)
    return tuple(vector)


def find(game: str, name: str, folder: Path | None = None, text: str | None = None) -> Strategy:
    """A shipped strategy, a search, 'ismcts:N' or 'ismcts:N:STRATEGY', or a bot of the user's own, 'my_bots.py:rusher'.

    folder: what the path of such a file is relative to; text: its content, which is then not read.
    Raises FlocksimError with the nearest match for an unknown one.
    """
    if is_own(name):
        return _own(game, OwnBot.named(name, folder, text))
    known = shipped(game)
    if name in known:
        return known[name]
    if name.split(":", maxsplit=1)[0] == SEARCH:
        return _search(game, name)
    raise FlocksimError(unknown("strategy", name, [*known, f"{SEARCH}:N", *TIERS]))


def _own(game: str, bot: OwnBot) -> Strategy:
    python = bot.loaded.python
    line = f"A bot of your own{', in plain Python, which is slow' if python else ''}."
    weights = () if python else weight_vector(game, {})
    entry = {"name": bot.name, "base": bot.name, "text": bot.text}
    return Strategy(bot.name, bot, weights, line=line, entry=entry)


def _search(game: str, name: str) -> Strategy:
    """N iterations a decision, games played out by a shipped strategy, random if none is named."""
    _, _, rest = name.partition(":")
    number, _, player = rest.partition(":")
    iterations = as_int(number)
    if iterations is None or not 1 <= iterations <= MOST_ITERATIONS:
        raise FlocksimError(
            f"'{name}': '{number}' is not allowed; allowed: {SEARCH}:N or {SEARCH}:N:STRATEGY, N a whole number "
            f"from 1 to {MOST_ITERATIONS:_}"
        )
    known = shipped(game)
    if player and player not in known:
        raise FlocksimError(f"'{name}': {unknown('strategy', player, known)}")
    base = known[player or RANDOM.name]
    line = f"Searches {iterations:,} iterations before each decision, with games played out by {base.name}."
    return replace(base, name=name, iterations=iterations, line=line, entry=name)


def variation(
    game: str,
    name: str,
    base: str | None = None,
    noise: float | None = None,
    weights: Mapping[str, float] | None = None,
    without: Sequence[str] = (),
    folder: Path | None = None,
    text: str | None = None,
) -> Strategy:
    """A study's own strategy: another one with other noise or weights or without some kinds of action, or weights
    alone. folder and text: as of `find`, for the base.
    """
    load_game(game).kind_bits(without)
    parent = find(game, base, folder, text) if base else None
    if parent and parent.iterations and (noise is not None or weights):
        raise FlocksimError(
            f"'{name}': a search takes no noise and no weights; {SEARCH}:N:STRATEGY names who plays it out"
        )
    details: dict[str, Any] = {"noise": parent.noise if parent else 0.0, "without": tuple(dict.fromkeys(without))}
    if noise is not None:
        details["noise"] = noise
    vector = weight_vector(game, weights or {}, parent.weights if parent else ())
    kernel = _module(game).choose if parent is None or (parent is RANDOM and weights) else parent.kernel
    entry: dict[str, Any] = {"name": name}
    if parent and isinstance(parent.kernel, OwnBot):
        if weights and parent.kernel.loaded.python:
            raise FlocksimError(f"'{name}': a plain Python bot takes no weights")
        entry |= parent.entry | {"name": name}
    elif base:
        entry["base"] = base
    entry |= {"noise": details["noise"]} if noise is not None else {}
    entry |= {"weights": dict(weights)} if weights else {}
    entry |= {"without": list(without)} if without else {}
    if parent:
        details |= {"iterations": parent.iterations, "exploration": parent.exploration}
    return Strategy(name, kernel, vector, line=_told(own_name(base or ""), entry), entry=entry, **details)


def _told(base: str, entry: Mapping[str, Any]) -> str:
    """One line for a study's own strategy: what it is made of."""
    parts = [f"noise {entry['noise']:g}"] if "noise" in entry else []
    parts += [f"{name} {weight:g}" for name, weight in entry.get("weights", {}).items()]
    made = ", ".join(parts)
    told = (f"{base} with {made}" if base else f"Weighs {made}") if made else base
    if "without" in entry:
        return f"{told}, never: {', '.join(entry['without'])}"
    return told if made else f"{base} unchanged"
