"""What a designer wants of a game: the `targets` of a config, read into bounds on what a run measures."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flocksim.simulate.errors import LONGEST_WORD, FlocksimError, one_line, unknown
from flocksim.simulate.scalars import as_float, as_int

DEFAULTS: dict[str, Any] = {"seats": 5, "strategies": {"above": 20}, "unfinished": 2}
"""Targets of a study that says nothing else: percentage points from a fair share, and percent of games."""
VIABLE = 5.0
"""A strategy is viable when it wins no more than so many percentage points less than its fair share."""

MEANS = ("turns", "rounds", "decisions", "margin", "spread")
SHARES = ("unfinished", "stuck", "deadlock", "turn_cap", "ties")
COURSE = ("lead_changes", "runaway")
"""What only recorded games tell (config key `arcs`)."""
AVERAGES = (*MEANS, "lead_changes")
BETWEEN = ("seats", "strategies", "margin", "spread", *COURSE)
"""What there is only between players, not in games of a player alone."""
STRATEGIES = ("above", "below", "viable", "within")
ALONE = ("seats", "strategies", *MEANS, *SHARES, *COURSE)
CHANGES = ("seats", *MEANS, *SHARES, *COURSE)
KEYS = (*ALONE, "changes", "variants")
_BETWEEN_WORDS = {
    "seats": "other seats to compare with", "strategies": "rivals", "margin": "lead over others",
    "spread": "others to be ahead of", "lead_changes": "lead that changes", "runaway": "lead over others",
}  # fmt: skip
_LARGEST = 1e9
_BAND = "allowed: a band such as [20, 40], where 'any' leaves an end open"
_OFF = ("none", "no", "off", "false")


class TargetError(FlocksimError):
    """A target that cannot be understood. `key` is the path of what is wrong, below `targets`."""

    def __init__(self, key: Sequence[str], message: str) -> None:
        super().__init__(message)
        self.key = tuple(key)


@dataclass(frozen=True)
class Target:
    """What is wanted of one quantity: that it lies from `least` to `most`, both ends included.

    key: 'seats', 'strategies.above', 'turns', 'changes.ties', ... Shares of games or of wins are parts of 1; other
    quantities are in their own unit. need: of several seats or strategies, how many have to lie
    within; 0: all.
    """

    key: str
    least: float
    most: float
    need: int = 0

    @property
    def quantity(self) -> str:
        """The key without what it belongs to: 'ties' of 'changes.ties'."""
        return self.key.rpartition(".")[2]

    @property
    def is_share(self) -> bool:
        """Whether it is told in percent or percentage points."""
        return self.quantity not in AVERAGES

    @property
    def is_of_course(self) -> bool:
        """Whether only recorded games tell it."""
        return self.quantity in COURSE

    @property
    def is_change(self) -> bool:
        """Whether it is about a variant's difference from the baseline."""
        return self.key.startswith("changes.")


@dataclass(frozen=True)
class Targets:
    """The targets of a study: the entries of all variants, and those that a variant replaces."""

    common: Mapping[str, Any]
    own: Mapping[str, Mapping[str, Any]]
    rules: Mapping[str, str] = field(default_factory=dict)
    """Variant -> what its rules are called whoever plays: an entry of `own` by that name is for all populations."""

    def of(self, variant: str, players: int) -> list[Target]:
        """The targets of one variant at one player count, in the order of KEYS."""
        said = _merged(self.common, self.own.get(self.rules.get(variant, variant), {}))
        said = _merged(said, self.own.get(variant, {}))
        found: list[Target] = []
        for key in (key for key in ALONE if key in said):
            if key == "strategies":
                found += _strategies(said[key] or {}, players)
            else:
                found += _one(key, said[key], players)
        for key in (key for key in CHANGES if key in (said.get("changes") or {})):
            found += _one(f"changes.{key}", said["changes"][key], players)
        return found


def read_targets(
    data: Any, variants: Sequence[str], players: Sequence[int], strategies: int, rules: Mapping[str, str] | None = None
) -> Targets:
    """The targets that a config's `targets` states; None stands for DEFAULTS.

    variants, players and strategies: what the study plays, and how many strategies it has; rules: of Targets. Raises
    TargetError for what cannot be understood.
    """
    said = plain(data) if data is not None else {}
    if _off(said):
        return Targets({}, {})
    names = dict.fromkeys([*variants, *(rules or {}).values()])
    own = said.pop("variants", {}) if isinstance(said, dict) else {}
    _check((), said, KEYS)
    if not isinstance(own, dict):
        raise TargetError(("variants",), f"{_shown(own)} is not allowed; allowed: a map from variants to targets")
    own = {name: dict.fromkeys(KEYS[:-1], "none") if _off(entry) else entry for name, entry in own.items()}
    for name, entry in own.items():
        if name not in names:
            raise TargetError(("variants", name), unknown("variant", name, names))
        _check(("variants", name), entry, KEYS[:-1])
    for at, entry in ((), said), *((("variants", name), entry) for name, entry in own.items()):
        _check_players(at, entry, players)
    targets = Targets(_merged(DEFAULTS, said), own, rules or {})
    needs = [target.need for name in variants for count in players for target in targets.of(name, count)]
    if max(needs, default=0) > strategies:
        few = f"allowed: at most {strategies}, as many as the study has"
        raise TargetError(("strategies", "viable"), f"{max(needs)} is not allowed; {few}")
    return targets


def check_asked(data: Any, rules: Collection[str], players: Sequence[int]) -> None:
    """Raises TargetError for a stated target that asks nothing of a study.

    rules: what its variants are called whoever plays.
    """
    said = plain(data) if data is not None else {}
    if _off(said):
        return
    own = [(("variants", name), entry) for name, entry in said.get("variants", {}).items() if not _off(entry)]
    for at, entry in [((), said), *own]:
        changes = entry.get("changes") or {}
        if len(set(rules)) < 2 and not _off(changes) and changes:
            raise TargetError((*at, "changes"), "a study of one variant has nothing that changes")
        for where, values in ((at, entry), ((*at, "changes"), {} if _off(changes) else changes)):
            for key in (key for key in values if key in BETWEEN and not _off(values[key])):
                if max(players) < 2 or (1 in players and key != "strategies" and 1 in _by_players(values[key])):
                    raise TargetError((*where, key), f"a player alone has no {_BETWEEN_WORDS.get(key, key)}")


def plain(data: Any) -> Any:
    """The same with numbers as numbers, whether they came as text or not."""
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    number = as_float(data)
    return data if number is None else int(number) if number == int(number) else number


def _check(at: tuple[str, ...], said: Any, known: Sequence[str]) -> None:
    """Every key, and every value by itself; raises TargetError."""
    if not isinstance(said, dict):
        raise TargetError(at, f"{_shown(said)} is not allowed; allowed: 'none', or a map with {', '.join(known)}")
    for key, value in said.items():
        if key not in known:
            raise TargetError((*at, key), unknown("target", key, known))
        if key in ("strategies", "changes"):
            if not _off(value):
                _check((*at, key), value, STRATEGIES if key == "strategies" else CHANGES)
        else:
            inside_changes = bool(at) and at[-1] == "changes"
            for count, limit in _by_players(value).items():
                _bounds((*at, key, *((str(count),) if count else ())), limit, inside_changes)


def _check_players(at: tuple[str, ...], said: Mapping[str, Any], players: Sequence[int]) -> None:
    """A limit for a number of players that the study has not would never be asked."""
    for key, value in said.items():
        if key in ("strategies", "changes"):
            _check_players((*at, key), {} if _off(value) else value, players)
        for count in _by_players(value) if isinstance(value, dict) and key not in ("strategies", "changes") else ():
            if count not in players:
                allowed = ", ".join(map(str, players))
                raise TargetError(
                    (*at, key), f"{count} is not allowed; allowed: the study's numbers of players, {allowed}"
                )


def _by_players(value: Any) -> dict[int, Any]:
    """The limits by player count, under 0 when one is for all."""
    if not isinstance(value, dict):
        return {0: value}
    return {as_int(key) or -1: limit for key, limit in value.items()}


def _bounds(at: tuple[str, ...], value: Any, change: bool) -> tuple[float, float] | None:
    """The two ends of a limit in the config's units; None when it is switched off."""
    key = next((part for part in reversed(at) if not part.lstrip("-").isdigit()), "")
    if at[-1] == "-1":
        raise TargetError(at[:-1], "a map here goes by player count, e.g. {2: [10, 20], 4: [20, 40]}")
    if _off(value):
        return None
    if isinstance(value, list) and key not in STRATEGIES:
        ends = [_end(at, value, end) for end in value]
        if len(ends) != 2 or ends[0] is None is ends[1]:
            raise TargetError(at, f"{_shown(value)} is not allowed; {_BAND}")
        low, high = (-math.inf if ends[0] is None else ends[0]), (math.inf if ends[1] is None else ends[1])
        if low > high:
            raise TargetError(at, f"{_shown(value)} is not allowed: its first end is above its second")
        return (low, high) if change else _possible(at, key, value, low, high)
    number = as_float(value)
    if key in AVERAGES and not change:
        raise TargetError(at, f"{_shown(value)} is not allowed; {_BAND}")
    if number is None or abs(number) > _LARGEST or (number < 0 and not change):
        raise TargetError(at, f"{_shown(value)} is not allowed; {_allowed(key, change)}")
    _check_whole(at, key, number)
    if not change:
        _check_possible(at, key, value, [number])
    return (-number if key == "seats" and not change else -math.inf), number


def _possible(at: tuple[str, ...], key: str, value: Any, low: float, high: float) -> tuple[float, float]:
    """A band without ends that nothing can lie beyond: no games show that a share of none lies above 0."""
    _check_possible(at, key, value, [end for end in (low, high) if math.isfinite(end)])
    least = -math.inf if key in ("seats", "margin") else 0.0
    most = 100.0 if key in SHARES or key == "runaway" else math.inf
    if low <= least and high >= most:
        raise TargetError(at, f"{_shown(value)} is not allowed: no game can miss it")
    return (-math.inf if low <= least else low), (math.inf if high >= most else high)


def _check_possible(at: tuple[str, ...], key: str, value: Any, ends: list[float]) -> None:
    """Ends that no game can have are slips: a number below 0, or a share of 1 for percent."""
    if key not in ("seats", "margin") and min(ends) < 0:
        raise TargetError(at, f"{_shown(value)} is not allowed; allowed: numbers from 0, for {key} is never below")
    if key == "runaway" and 0 < max(ends) <= 1:
        raise TargetError(at, f"{_shown(value)} is not allowed; {_allowed(key, False)}")


def _check_whole(at: tuple[str, ...], key: str, number: float) -> None:
    if key == "viable" and (number < 1 or number != int(number)):
        raise TargetError(at, f"{_shown(number)} is not allowed; {_allowed(key, False)}")


def _end(at: tuple[str, ...], value: list[Any], end: Any) -> float | None:
    if end == "any" or end is None:
        return None
    number = as_float(end)
    if number is None or abs(number) > _LARGEST:
        raise TargetError(at, f"{_shown(value)} is not allowed; {_BAND}")
    return number


def _allowed(key: str, change: bool) -> str:
    if key == "viable":
        return "allowed: how many strategies, a whole number from 1"
    if change:
        return "allowed: by how much it may grow, e.g. 3, a band such as [-2, 3], or 'none'"
    if key == "runaway":
        return "allowed: at most so many percent, e.g. 60, a band such as [40, 60], or 'none'"
    if key in SHARES:
        return "allowed: at most so many percent of games, e.g. 2, a band such as [1, 5], or 'none'"
    return "allowed: percentage points from a fair share, e.g. 5, or 'none'"


def _one(key: str, value: Any, players: int) -> list[Target]:
    limits = _by_players(value)
    limit = limits.get(players, limits.get(0, "none"))
    change = key.startswith("changes.")
    ends = _bounds((*key.split("."), str(players)), limit, change)
    if ends is None or (players < 2 and key.rpartition(".")[2] in BETWEEN):
        return []
    target = Target(key, *ends)
    return [Target(key, ends[0] / 100, ends[1] / 100)] if target.is_share else [target]


def _strategies(said: Mapping[str, Any], players: int) -> list[Target]:
    if players < 2 or _off(said):
        return []
    ends: dict[str, float] = {}
    for key, value in said.items():
        limits = _by_players(value)
        bounds = _bounds(("strategies", key), limits.get(players, limits.get(0, "none")), False)
        if bounds is not None:
            ends[key] = bounds[1]
    found = []
    if "above" in ends:
        found.append(Target("strategies.above", -math.inf, ends["above"] / 100))
    if "below" in ends:
        found.append(Target("strategies.below", -ends["below"] / 100, math.inf))
    if "viable" in ends:
        found.append(Target("strategies.viable", -ends.get("within", VIABLE) / 100, math.inf, int(ends["viable"])))
    return found


def _merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`own` on top of `common`; of strategies and changes, entry by entry."""
    merged = {**common, **own}
    for key in ("strategies", "changes"):
        here, there = own.get(key), common.get(key)
        if isinstance(here, Mapping) and isinstance(there, Mapping):
            merged[key] = {**there, **here}
        elif key in own and _off(here):
            merged[key] = {}
    return merged


def _off(value: Any) -> bool:
    return isinstance(value, str) and value.strip().lower() in _OFF


def _shown(value: Any) -> str:
    return one_line(str(value) if isinstance(value, list | dict) else repr(value), LONGEST_WORD)
