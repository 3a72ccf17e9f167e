"""Whether verdicts hold whoever plays: at every tier or level of noise, and with each strategy left out.

To leave a strategy out is to look only at blocks whose line-up has not got it: whole blocks, so that everybody still
sits in every seat equally often, and the same blocks in every variant, so that these stay paired. Each such population
is judged like a run of its own; Holm (1979) corrects over all rows of all of them, so that at most one of 20 runs shows
a verdict there that is wrong. A verdict flips where a population decides the other way; one that is left with too few
games says so, and never flips.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from flocksim.simulate.units import FIRST_GAMES

from .populations import population_of, rules_name
from .rows import records
from .run_folder import Run
from .sequences import sequential
from .targets import Targets
from .verdicts import OPEN, rows_of, table_of, targets_of

MOST_IN_ALL = 700_000
"""With strategies left out, the first games of each case are looked at, but no more than about so many over all cases
and strategies: time and memory go by them.
"""
KEYS = ("target", "rules", "players")
COLUMNS = (
    *("target", "rules", "players", "population", "without", "who", "effect", "low", "high", "least", "most", "need"),
    *("p", "verdict", "games", "flips"),
)


def robustness(run: Run, verdicts: pd.DataFrame, targets: Targets | None = None) -> pd.DataFrame:
    """Every verdict again in every population: a row a target, set of rules, player count and population.

    rules: the variant without its population; population: the tier or level of noise, '' in studies without; without:
    the strategy left out, '' for none, which is the row of `verdicts` itself; flips: the verdict is decided, and not as
    that of the first population that decides with nobody left out. Other columns: as of verdicts.verdicts.
    """
    if verdicts.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    with sequential(run.sequential):
        asked = targets or targets_of(run.manifest)
        rest = run.remembered(
            f"without each strategy: {asked}", ("robustness",), lambda: {"robustness": _left_out(run, verdicts, asked)}
        )["robustness"]
    whole = _named(verdicts, run, {}).assign(without="")
    table = pd.concat([whole, rest], ignore_index=True) if len(rest) else whole
    first = whole[whole.verdict != OPEN].drop_duplicates(list(KEYS)).set_index(list(KEYS)).verdict.to_dict()
    keys = zip(*(table[key] for key in KEYS), strict=True)
    table["flips"] = [
        verdict not in (OPEN, first.get(key, verdict)) for key, verdict in zip(keys, table.verdict, strict=True)
    ]
    return table[list(COLUMNS)]


def _left_out(run: Run, verdicts: pd.DataFrame, targets: Targets) -> pd.DataFrame:
    """The rows of all populations that lack a strategy; players, strategies and blocks are those of the run."""
    teams = run.frame("strategy_wins")[["variant", "players", "strategy"]]
    teams = teams[teams.groupby(["variant", "players"]).strategy.transform("nunique") > teams.players]
    if teams.empty:  # every line-up has everybody
        return pd.DataFrame()
    blocks = run.frame("left_out", games=min(FIRST_GAMES, MOST_IN_ALL // len(teams)))
    names = {(row["variant"], row["strategy"]): f"{row['variant']} without {row['strategy']}" for row in records(teams)}
    entries = {entry["name"]: entry for entry in run.manifest["variants"]}
    variants = [
        {**entries[variant], "name": called, "population": f"{population_of(entries[variant])} without {strategy}"}
        for variant in entries
        for (mine, strategy), called in names.items()
        if mine == variant
    ]
    rows = []
    if not blocks.empty:
        manifest = {**run.manifest, "variants": variants}
        with Run(run.path, manifest, run.parts, blocks=blocks[["variant", "players", "block", "called"]]) as fewer:
            rows = rows_of(fewer, _renamed(targets, names))
    found = _named(table_of(rows), run, {called: key for key, called in names.items()})
    return _with_empty(found, verdicts, run, teams)


def _renamed(targets: Targets, names: dict[tuple[str, str], str]) -> Targets:
    """The same targets for variants that are called otherwise."""
    own = {called: targets.own[variant] for (variant, _), called in names.items() if variant in targets.own}
    rules = {called: targets.rules.get(variant, variant) for (variant, _), called in names.items()}
    return Targets(targets.common, {**targets.own, **own}, rules)


def _named(table: pd.DataFrame, run: Run, called: dict[str, tuple[str, str]]) -> pd.DataFrame:
    """`rules`, `population` and `without` in place of a variant that may be called after who is left out."""
    entries = {entry["name"]: entry for entry in run.manifest["variants"]}
    pairs = [called.get(name, (name, "")) for name in table.variant]
    mine = [entries[variant] for variant, _ in pairs]
    return table.assign(
        rules=[rules_name(entry) for entry in mine],
        population=[population_of(entry) for entry in mine],
        without=[strategy for _, strategy in pairs],
    )


def _with_empty(found: pd.DataFrame, verdicts: pd.DataFrame, run: Run, teams: pd.DataFrame) -> pd.DataFrame:
    """The rows found, and in place of those that no block is left for a row of no games that decides nothing."""
    cases = teams.merge(verdicts.drop(columns=["effect", "low", "high", "p", "verdict", "games"]))
    every = _named(cases, run, {}).assign(without=cases.strategy)
    every = every.assign(verdict=OPEN, games=0)
    keys = [*KEYS, "population", "without"]
    known = set(map(tuple, found[keys].itertuples(index=False))) if len(found) else set()
    lacking = [tuple(row[key] for key in keys) not in known for row in records(every)]
    told: list[Any] = [found, every[lacking]] if any(lacking) else [found]
    return pd.concat(told, ignore_index=True)
