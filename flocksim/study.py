"""Study configs: YAML in, a `Study` that can be played out. study_model.py says what one may hold."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from flocksim.simulate.errors import FlocksimError, RulesError, unknown
from flocksim.simulate.scalars import as_int

from .populations import at_every_noise, at_every_tier
from .study_model import MOST_GAMES, StopEntry, StrategyEntry, StudyConfig
from .yaml_file import YamlFile, read_yaml

if TYPE_CHECKING:
    from flocksim.analysis.targets import Targets
    from flocksim.simulate.bots import Strategy
    from flocksim.simulate.game import Game
    from flocksim.simulate.plan import Study, Variant


class Located:
    """Turns any mistake in a config into one line with the place where it stands."""

    def __init__(self, file: YamlFile | None) -> None:
        self.file = file

    @property
    def folder(self) -> Path | None:
        """What paths in the config are relative to."""
        return self.file.path.parent if self.file else None

    def error(self, key: tuple[str, ...], message: str) -> FlocksimError:
        place = self.file.where(key) if self.file else "config"
        spoken = _spoken(key)
        return FlocksimError(f"{place}: {spoken}: {message}" if spoken else f"{place}: {message}")

    def rule_error(self, key: tuple[str, ...], error: RulesError) -> FlocksimError:
        """A fault in a variant's rules, at the line of the rule if the file names it."""
        inner = (*key, *(error.key.split(".") if error.key else ()))
        place = self.file.where(inner) if self.file else "config"
        joint = "." if str(error).startswith(error.key or "?") else ": "
        return FlocksimError(f"{place}: {'.'.join(key)}{joint}{error}")

    def from_pydantic(self, error: ValidationError) -> FlocksimError:
        first = next(iter(error.errors()))
        key = tuple(str(part) for part in first["loc"])
        shown = _short(first["input"])
        kind = first["type"]
        if kind == "extra_forbidden":
            model = StudyConfig if len(key) == 1 else StopEntry if key[0] == "stop" else StrategyEntry
            return self.error(key[:-1], unknown("key", key[-1], model.model_fields))
        if kind == "missing":
            return self.error(key[:-1], f"'{key[-1]}' is missing")
        if kind == "value_error" and str(first["ctx"]["error"]):
            return self.error(key, f"{shown} is not allowed; {first['ctx']['error']}")
        return self.error(key, f"{shown} is not allowed; allowed: {_allowed(key)}")


_ALLOWED = {
    "name": "text",
    "question": "text of at most 2000 signs",
    "game": "the name of a game",
    "base": "the name of a strategy",
    "file": "the path of a file of weights, e.g. tuned.yaml",
    "players": "whole numbers, at least one, e.g. [2, 3, 4]",
    "variants": "a map from names to rules, at least one, e.g. {standard: {}, small-hands: {hand_size: 7}}",
    "strategies": "a list of 1 to 200 strategies, each a name or a map with a name, e.g. [random, {name: x, base: y}]",
    "tiers": "a list of tiers, e.g. [beginner, expert]",
    "noise": "a number from 0 to 1, or, of a study, a list of them, e.g. [0, 0.1, 0.3]",
    "weights": "a map from features to numbers from -1e9 to 1e9, e.g. {fly: 2}",
    "text": "the text of a Python file",
    "without": "kinds of action, a name or a list of names, e.g. [fly-big]",
    "games": "a whole number from 1 to 1e12",
    "arcs": "a whole number from 0 to 1e6",
    "keep": "games, blocks or sample",
    "luck": "a whole number from 0 to 1e7",
    "when": "decided",
    "at_most": "a whole number from 1 to 1e12",
    "stop": "a map, e.g. {when: decided, at_most: 100_000}",
    "seed": f"a whole number from 0 to {2**63 - 1}",
}


def _allowed(key: tuple[str, ...]) -> str:
    """What may stand at a key of the config, or else at the nearest key around it."""
    if len(key) == 2 and key[0] == "variants":
        return "a map from rules to values, e.g. {hand_size: 7}"
    if len(key) == 2 and key[0] == "strategies":
        return f"a name, or a map with {', '.join(StrategyEntry.model_fields)}"
    return next(_ALLOWED[part] for part in reversed(key) if part in _ALLOWED)


def _spoken(key: tuple[str, ...]) -> str:
    """A key as a person says it: 'strategies: entry 2: noise'."""
    parts = [f"entry {int(part) + 1}" if part.isdecimal() and place else part for place, part in enumerate(key)]
    return ": ".join(parts) if parts != list(key) else ".".join(key)


def _short(value: Any) -> str:
    printer = reprlib.Repr()
    printer.maxstring = printer.maxother = 60
    printer.maxdict = printer.maxlist = 3
    printer.maxlevel = 2
    return printer.repr(value)


def load_study(path: Path, games: int | str | None = None) -> Study:
    """The study that a config file describes; `games` replaces the file's number.

    Raises FlocksimError: one line with file, line, key, value and what is allowed.
    """
    file = read_yaml(path)
    return _study(file.data, Located(file), games)


def make_study(config: Mapping[str, Any], games: int | str | None = None) -> Study:
    """The same from a dict, for notebooks."""
    return _study(config, Located(None), games)


def _study(data: Any, at: Located, games: int | str | None) -> Study:
    from flocksim.simulate.plan import Study

    config = _validated(data, at)
    game = _game(config, at)
    _check_players(config, game, at)
    variants = tuple(_variant(game, config, name, rules, at) for name, rules in config.variants.items())
    if config.tiers is not None:
        variants, strategies = at_every_tier(config, game.name, variants, at)
    elif config.strategies is not None:
        strategies = _strategies(config, game.name, at)
        if config.noise is not None:
            variants, strategies = at_every_noise(config.noise, strategies, variants, at)
    else:
        raise at.error((), "'strategies' is missing (or 'tiers')")
    return Study(
        name=config.name,
        question=config.question.strip(),
        game=game,
        players=tuple(sorted(config.players)),
        variants=variants,
        strategies=strategies,
        games=config.games if games is None else read_games(games),
        seed=config.seed,
        targets=_targets(config, variants, strategies, at),
        at_most=_at_most(config, games, at),
        arcs=config.arcs,
        luck=_luck(config, at),
        keep=config.keep,
        noise=tuple(config.noise or ()),
    )


def _luck(config: StudyConfig, at: Located) -> int:
    """Games that tell luck from skill, enough of them or none."""
    if not config.luck:
        return 0
    from flocksim.analysis.statistics import MIN_UNITS
    from flocksim.simulate.luck import SETS

    least = MIN_UNITS * len(SETS) * max(config.players)
    if config.luck < least:
        what = f"allowed: 0, or from {least:,}, {MIN_UNITS} blocks with {max(config.players)} players, to 1e7"
        raise at.error(("luck",), f"{config.luck} is not allowed; {what}")
    return config.luck


def _at_most(config: StudyConfig, games: int | str | None, at: Located) -> int:
    """Most games of a study that stops when sure, 0 for one that does not."""
    if config.stop is None:
        return 0
    least = config.games if games is None else read_games(games)
    if config.stop.at_most < least:
        raise at.error(("stop", "at_most"), f"{config.stop.at_most} is not allowed; allowed: from games, {least}, on")
    return config.stop.at_most


def advice(study: Study) -> str:
    """What a study that stops when sure may wait for in vain, or nothing."""
    from flocksim.analysis.targets import read_targets

    if not study.at_most or study.arcs >= study.at_most:
        return ""
    names = [variant.name for variant in study.variants]
    rules = {variant.name: variant.rules_name for variant in study.variants}
    targets = read_targets(study.targets, list(rules), study.players, len(study.strategies), rules)
    every = [target for name in names for count in study.players for target in targets.of(name, count)]
    on_course = next((target.key for target in every if target.is_of_course), None)
    if on_course is None:
        return ""
    return (
        f"{on_course} is judged by recorded games, and no more than {study.arcs:,} of a case are (arcs): "
        f"up to {study.at_most:,} may be played without deciding it"
    )


def load_targets(path: Path, manifest: Mapping[str, Any]) -> Targets:
    """The targets that a config file states, for a run of the same game that is played already."""
    from flocksim.analysis.populations import rules_name
    from flocksim.analysis.targets import TargetError, read_targets

    file = read_yaml(path)
    at = Located(file)
    config = _validated(file.data, at)
    if config.game != manifest["game"]["name"]:
        raise at.error(
            ("game",), f"'{config.game}' is not allowed; allowed: the run's game, {manifest['game']['name']}"
        )
    rules = {entry["name"]: rules_name(entry) for entry in manifest["variants"]}
    try:
        targets = read_targets(config.targets, list(rules), manifest["players"], len(manifest["strategies"]), rules)
    except TargetError as error:
        raise at.error(("targets", *error.key), str(error)) from None
    _check_recorded(targets, list(rules), manifest["players"], int(manifest["config"].get("arcs", 0)), at)
    return targets


def _check_recorded(targets: Targets, names: list[str], players: list[int], arcs: int, at: Located) -> None:
    """Targets on the course of games need some that are recorded."""
    if arcs:
        return
    for target in (target for name in names for count in players for target in targets.of(name, count)):
        if target.is_of_course:
            raise at.error(
                ("targets", target.key), "no game's course is recorded (arcs: 0), so that none can be judged"
            )


def _targets(config: StudyConfig, variants: tuple[Variant, ...], strategies: tuple[Strategy, ...], at: Located) -> Any:
    """The targets as the config states them, with numbers as numbers, checked."""
    from flocksim.analysis.targets import TargetError, check_asked, plain, read_targets

    try:
        fewest = min(len(variant.strategies) or len(strategies) for variant in variants)
        rules = {variant.name: variant.rules_name for variant in variants}
        targets = read_targets(config.targets, list(rules), config.players, fewest, rules)
        check_asked(config.targets, rules.values(), config.players)
    except TargetError as error:
        raise at.error(("targets", *error.key), str(error)) from None
    _check_recorded(targets, list(rules), config.players, config.arcs, at)
    return plain(config.targets)


def read_games(value: Any, key: str = "games") -> int:
    """A number of games that is given beside a config; raises FlocksimError naming `key`."""
    number = as_int(value)
    if number is None or not 1 <= number <= MOST_GAMES:
        raise FlocksimError(f"{key}: {_short(value)} is not allowed; allowed: a whole number from 1 to 1e12")
    return number


def _validated(data: Any, at: Located) -> StudyConfig:
    if not isinstance(data, Mapping):
        raise at.error((), f"a config is a map with the keys {', '.join(StudyConfig.model_fields)}")
    for key in data:
        if key not in StudyConfig.model_fields:
            raise at.error((str(key),), unknown("key", str(key), StudyConfig.model_fields))
    try:
        repr(data).encode("utf-8")
        return StudyConfig.model_validate(dict(data))
    except (UnicodeEncodeError, ValueError) as error:
        if isinstance(error, ValidationError):
            raise at.from_pydantic(error) from None
        raise at.error((), f"it holds what is no text, or a number beyond all reason ({error})") from None


def _game(config: StudyConfig, at: Located) -> Game:
    from flocksim.simulate.games import load_game

    try:
        return load_game(config.game)
    except FlocksimError as error:
        raise at.error(("game",), str(error)) from None


def _check_players(config: StudyConfig, game: Game, at: Located) -> None:
    for index, players in enumerate(config.players):
        key = ("players", str(index))
        try:
            game.check_players(players)
        except FlocksimError as error:
            raise at.error(key, str(error)) from None
        if players in config.players[:index]:
            raise at.error(key, f"{players} appears twice")


def _variant(game: Game, config: StudyConfig, name: str, rules: dict[str, Any], at: Located) -> Variant:
    from flocksim.simulate.plan import Variant

    own = dict(rules)
    presets = _presets(own.pop("preset", []), game, name, at)
    only = _variant_players(own.pop("players", None), config, name, at)
    layers = [*(game.presets[preset] for preset in presets), own]
    built = None
    for players in only or config.players:
        try:
            built = game.parameters.build(players, *layers, folder=at.folder)
        except RulesError as error:
            raise at.rule_error(("variants", name), error) from None
    assert built is not None
    return Variant(name, built, presets, only)


def _variant_players(value: Any, config: StudyConfig, variant: str, at: Located) -> tuple[int, ...]:
    """The player counts that a variant is kept to; empty when it names none."""
    if value is None:
        return ()
    key = ("variants", variant, "players")
    counts = [as_int(count) for count in (value if isinstance(value, list) else [value])]
    for index, count in enumerate(counts):
        if count not in config.players or count in counts[:index]:
            allowed = ", ".join(str(players) for players in sorted(config.players))
            raise at.error(key, f"{_short(value)} is not allowed; allowed: some of the study's players, {allowed}")
    if not counts:
        raise at.error(key, "at least one number of players is needed")
    return tuple(sorted(count for count in counts if count is not None))


def _presets(value: Any, game: Game, variant: str, at: Located) -> tuple[str, ...]:
    key = ("variants", variant, "preset")
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise at.error(key, f"{_short(value)} is not allowed; a preset or a list of presets is wanted")
    for name in names:
        if name not in game.presets:
            raise at.error(key, unknown("preset", name, game.presets))
    return tuple(names)


def _strategies(config: StudyConfig, game: str, at: Located) -> tuple[Strategy, ...]:
    from flocksim.strategies import catalogue

    strategies: list[Strategy] = []
    made: tuple[Strategy, ...]
    for index, entry in enumerate(config.strategies or []):
        key = ("strategies", str(index))
        try:
            if entry.file is not None:
                made = (_of_file(game, entry, at),)
            elif entry.base and entry.is_plain:
                made = catalogue.population(game, entry.base, at.folder, entry.text)
            elif entry.base is None and not entry.weights:
                raise FlocksimError(f"'{entry.name}' needs a base or weights, or a file of them, e.g. base: random")
            else:
                details = entry.noise, entry.weights, entry.without, at.folder, entry.text
                made = (catalogue.variation(game, entry.name, entry.base, *details),)
        except FlocksimError as error:
            raise at.error(key, str(error)) from None
        for strategy in made:
            if strategy.name in [known.name for known in strategies]:
                raise at.error(key, f"the name '{strategy.name}' appears twice")
            strategies.append(strategy)
    return tuple(strategies)


def _of_file(game: str, entry: StrategyEntry, at: Located) -> Strategy:
    """The strategy whose weights stand in a file, with the entry's own over them."""
    from flocksim.strategies import catalogue

    from .weights_file import read

    assert entry.file is not None
    if entry.base is not None:
        raise FlocksimError(f"'{entry.name}' has a base and a file; one of them is wanted")
    path = (at.folder or Path()) / entry.file
    weights = read(path, game) | (entry.weights or {})
    return replace(
        catalogue.variation(game, entry.name, None, entry.noise, weights, entry.without),
        line=f"Weighs what {path.name} says.",
    )
