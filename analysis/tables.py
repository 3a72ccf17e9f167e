"""The result tables of a run: everything that a report shows, as small pandas tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import pandas as pd

from .arc import arc_of
from .estimates import SHARES, WIN, Order, blocks_of, cells_of, contested, ratio_of, repeats_of, scaled, scored, wins_of
from .evidence import UNFINISHED
from .luck import luck
from .populations import baselines, compared_with
from .robustness import robustness
from .run_folder import Run
from .sequences import sequential
from .statistics import LEVEL, MIN_EVENTS, claimable, holm, paired, quantiles, share
from .targets import Targets
from .verdicts import verdicts

QUANTILES = {"p10": 0.1, "p25": 0.25, "median": 0.5, "p75": 0.75, "p90": 0.9}


@dataclass(frozen=True)
class Results:
    """The tables of one run, tidy, in the order of the manifest's variants, player counts and strategies.

    Shares are of all games of the cell (variant and player count); for strategies, of all seats held in them.
    `low` and `high` bound 95 % intervals that respect blocks. Shares of wins count a game that nobody won as
    shared by all its seats (`won` does not), `edge` is such a share less a fair one. `claim` says that a number
    may be stated as a finding: its interval is clear and `p`, corrected for all rows of all tables, below 0.05.
    `worst` and `best` are a share had all unfinished games (stuck, deadlock, turn_cap) gone against it or for it.
    """

    manifest: dict[str, Any]
    cells: pd.DataFrame
    """variant, players, games, planned, blocks, undecided (share), distinct_games, repeating, fixed, repeats, ..."""
    seats: pd.DataFrame
    """variant, players, seat, games, share, low, high, fair, edge, p, claim, won, worst, best, sure, ...: of games with
    two players and more; `solo` has the others."""
    strategies: pd.DataFrame
    """The same by strategy."""
    solo: pd.DataFrame
    """variant, strategy (empty: all of them), games, won (share), low, high: of games with one player."""
    length: pd.DataFrame
    """variant, players, measure (turns, rounds, decisions), games, mean, low, high."""
    spread: pd.DataFrame
    """variant, players, shortest, p10, p25, median, p75, p90, longest: turns of a game."""
    endings: pd.DataFrame
    """variant, players, measure (win, stuck, deadlock, turn_cap, tied), games, total, share, low, high."""
    margins: pd.DataFrame
    """variant, players, games (won ones), mean, low, high, close (share decided by at most 1); empty where a game's
    scores do not tell by how much it is won (`scored`)."""
    variant_measures: pd.DataFrame
    """variant, players, measure, baseline, value, difference, low, high, relative, p, claim, alike, ..."""
    variant_seats: pd.DataFrame
    """The same by seat: win shares."""
    variant_strategies: pd.DataFrame
    """The same by strategy: win shares."""
    variant_solo: pd.DataFrame
    """The same for a lone player: share of games won."""
    counters: pd.DataFrame
    """variant, players, strategy, counter, games, mean, low, high."""
    all_counters: pd.DataFrame
    """The same of all seats together."""
    seat_counters: pd.DataFrame
    """The same by seat."""
    variant_counters: pd.DataFrame
    """The same as variant_measures by counter, per seat and game. A family of its own: details, not verdicts."""
    uses: pd.DataFrame
    """variant, players, counter, units, used (share of seats), without, with_, difference, low, high, p, claim: win
    shares of the seats that used something and of those that did not. A family of its own."""
    worth: pd.DataFrame
    """variant, players, strategy (kept from some actions), base (the same, free to take them), units, free, restricted
    (win shares), difference (restricted less free), low, high, p, claim. A family of its own."""
    win_kinds: pd.DataFrame
    """variant, players, counter, games (won ones), mean (share of them), low, high."""
    places: pd.DataFrame
    """variant, players, place, games (things named on the board), mean (share that covers the place), low, high."""
    verdicts: pd.DataFrame
    """Whether targets are met: see verdicts.verdicts."""
    robustness: pd.DataFrame
    """The same whoever plays: see robustness.robustness."""
    payoffs: pd.DataFrame
    """Who ranks above whom, by case: see metagame.Metagame, as for the next two."""
    mix: pd.DataFrame
    """The mix of strategies that none beats, by case."""
    diversity: pd.DataFrame
    """How varied that mix is, by case."""
    notable: pd.DataFrame
    """kind (typical, longest, closest), variant, players, game, turns, rounds, decisions, end_reason, margin, digest:
    games to read."""
    arc: pd.DataFrame
    """How games go: see arc.Arc, as for the next seven."""
    curve: pd.DataFrame
    """How well standings tell the winner, by tenths of a game."""
    ribbon: pd.DataFrame
    """How far ahead of the others the winner is, by tenths of a game."""
    comebacks: pd.DataFrame
    """What seats win that are behind at half-time."""
    branching: pd.DataFrame
    """How much choice there is, by tenths of a game."""
    decided: pd.DataFrame
    """When games are decided."""
    calibration: pd.DataFrame
    """How well the chances agree with what happened that this is told by."""
    survival: pd.DataFrame
    """The share of games that nobody has won yet, by turns."""
    luck: pd.DataFrame
    """How much of who wins is luck: see luck.luck."""
    findings: list[Any] = field(default_factory=list)
    """What may be said of the tables, in sentences (see findings.py)."""

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        every = ((entry.name, getattr(self, entry.name)) for entry in fields(self))
        return {name: table for name, table in every if isinstance(table, pd.DataFrame)}

    @property
    def baseline(self) -> str:
        """The study's first variant, which others of its population are compared with (see populations.baselines)."""
        return str(self.manifest["variants"][0]["name"])

    @property
    def baselines(self) -> list[str]:
        """The first variant of every population, `baseline` first."""
        return list(dict.fromkeys(baselines(self.manifest).values()))

    def others(self) -> list[str]:
        """The variants that are compared with one of `baselines`."""
        return [variant for variant in self.variants if variant not in self.baselines]

    def compared_with(self, variants: Iterable[str]) -> str:
        """What these variants are compared with, in words."""
        return compared_with(self.manifest, variants)

    @property
    def scored(self) -> bool:
        """Whether scores tell by how much a game is won."""
        return scored(self.manifest)

    @property
    def variants(self) -> list[str]:
        """The variants that have games, in the manifest's order."""
        present = set(self.cells.variant)
        return [entry["name"] for entry in self.manifest["variants"] if entry["name"] in present]

    @property
    def players(self) -> list[int]:
        """The player counts that have games."""
        return sorted({int(players) for players in self.cells.players})


def summarise(run: Run, targets: Targets | None = None) -> Results:
    """All result tables of a run and what may be said of them. targets: those of the run's config if not given."""
    with sequential(run.sequential):
        return _summarise(run, targets)


def _summarise(run: Run, targets: Targets | None) -> Results:
    from .findings import find
    from .metagame import metagame

    order = Order(run.manifest)
    cells = cells_of(run, order)
    same = run.frame("same_games")
    asked, details = _asked(run, order, cells, same), _details(run, order, cells, same)
    _claim(asked)
    _claim(details)
    counted = run.frame("counters")
    choice = run.remembered("metagame", ("payoffs", "mix", "diversity"), lambda: vars(metagame(run, cells)))
    spread = _spread(order(run.frame("length_distribution")))
    judged = verdicts(run, targets)
    results = Results(
        manifest=run.manifest,
        cells=cells,
        seats=asked["seats"],
        strategies=asked["strategies"],
        solo=_solo(run, order, cells),
        variant_measures=asked["variant_measures"],
        variant_seats=asked["variant_seats"],
        variant_strategies=asked["variant_strategies"],
        variant_solo=asked["variant_solo"],
        length=_means(order(run.frame("game_length")), cells),
        spread=spread,
        endings=_endings(order(run.frame("endings")), cells),
        margins=_margins(order(run.frame("margins")), cells, scored(run.manifest)),
        counters=_means(order(_by(counted, "strategy")), cells),
        all_counters=_means(order(_by(counted, "")), cells),
        seat_counters=_means(order(_by(counted, "seat")), cells),
        variant_counters=details["variant_counters"],
        uses=_uses(run, order, cells),
        worth=_worth(run, order, cells),
        win_kinds=_win_kinds(run, order, cells),
        places=_places(run, order, cells),
        verdicts=judged,
        robustness=robustness(run, judged, targets),
        payoffs=choice["payoffs"],
        mix=choice["mix"],
        diversity=choice["diversity"],
        notable=_notable(run, spread),
        **vars(arc_of(run, order, cells)),
        luck=luck(run),
    )
    results.findings.extend(find(results))
    return results


def wins_by_strategy(run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`cells` and `strategies` alone, with p values that are not corrected for anything else asked of the run."""
    order = Order(run.manifest)
    cells = cells_of(run, order)
    return cells, wins_of(order(run.frame("strategy_wins")), cells)


def _asked(run: Run, order: Order, cells: pd.DataFrame, same: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The tables whose rows are questions that a report may answer with a claim."""
    by_seat = run.frame("variant_seats")
    by_strategy = run.frame("variant_strategies")
    in_games = run.frame("variant_games")
    left_out = [UNFINISHED] if scored(run.manifest) else [UNFINISHED, "margin", "spread"]
    in_games = in_games[~in_games.measure.isin(left_out)]  # a report tells the three kinds of unfinished games apart
    return {
        "seats": wins_of(order(_together(run.frame("seat_wins"))), cells),
        "strategies": wins_of(order(_compared(run.frame("strategy_wins"))), cells),
        "variant_measures": _changed(order(in_games), cells, same),
        "variant_seats": _changed(order(_together(by_seat)), cells, same, WIN),
        "variant_strategies": _changed(order(_compared(by_strategy)), cells, same, WIN),
        "variant_solo": _changed(order(by_seat[by_seat.players == 1]), cells, same, WIN),
    }


def _by(table: pd.DataFrame, who: str) -> pd.DataFrame:
    """The rows of a table that are told by `who`: 'strategy', 'seat', or '' for all seats together."""
    told = {"strategy": table.strategy.notna(), "seat": table.seat.notna()}
    rows = told[who] if who else ~(told["strategy"] | told["seat"])
    return table[rows].drop(columns=[name for name in told if name != who])


def _together(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of games in which players meet."""
    return table[table.players > 1]


def _compared(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of strategies that meet others: one that holds every seat wins a fair share, and that says nothing."""
    return table[contested(table)]


def _solo(run: Run, order: Order, cells: pd.DataFrame) -> pd.DataFrame:
    """How often a lone player wins, all strategies together and each of them."""
    parts = []
    for name in ("seat_wins", "strategy_wins"):
        table = run.frame(name)
        table = order(table[table.players == 1])
        if name == "seat_wins":
            table["strategy"] = ""
        if not table.empty:
            found = share(scaled(ratio_of(table, "won", cells), WIN), blocks_of(table, cells))
            parts.append(
                table[["variant", "strategy", "games"]].assign(won=found.value, low=found.low, high=found.high)
            )
    empty = pd.DataFrame(columns=["variant", "strategy", "games", "won", "low", "high"])
    return pd.concat(parts, ignore_index=True) if parts else empty


def _details(run: Run, order: Order, cells: pd.DataFrame, same: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables to look things up in. Many rows: among the questions above they would drown the answers."""
    return {"variant_counters": _changed(order(run.frame("variant_counters")), cells, same)}


def _uses(run: Run, order: Order, cells: pd.DataFrame) -> pd.DataFrame:
    """Win shares with and without each use that both kinds of seats are seen of; which may be said, of these alone."""
    uses = run.manifest.get("uses") or []
    table = run.frame("uses") if uses else pd.DataFrame(columns=["m", "n"])
    table = table[(table.m > 0) & (table.n > 0)]
    if table.empty:
        return pd.DataFrame(columns=["variant", "players", "counter"])
    table = order(table)
    out = _changed(table, cells, pd.DataFrame({"variant": [], "players": [], "games": [], "alike": []}), WIN)
    out = out.rename(columns={"baseline": "without", "value": "with_"})
    out["used"] = (table.m / (table.m + table.n)).to_numpy()
    _claim({"uses": out})
    return out[["variant", "players", "counter", "units", "used", "without", "with_", "difference", "low", "high",
                "p", "claim"]]  # fmt: skip


def _worth(run: Run, order: Order, cells: pd.DataFrame) -> pd.DataFrame:
    """What strategies win that are kept from some actions, against the same strategies free to take them."""
    free = bases(run.manifest["strategies"])
    table = run.frame("worth", strategies=list(free), bases=list(free.values())) if free else pd.DataFrame()
    if table.empty:
        return pd.DataFrame(columns=["variant", "players", "strategy"])
    table = order(table)
    each = table.rename(columns={"strategy": "counter"})  # rivals are not asked for: the base is one
    out = _changed(each, cells, pd.DataFrame({"variant": [], "players": [], "games": [], "alike": []}), WIN)
    out = out.rename(columns={"counter": "strategy", "baseline": "free", "value": "restricted"})
    out["base"] = out.strategy.map(free)
    _claim({"worth": out})
    return out[["variant", "players", "strategy", "base", "units", "free", "restricted", "difference", "low", "high",
                "p", "claim"]]  # fmt: skip


def bases(strategies: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Strategies of a manifest that are kept from some actions -> those that are the same but for that."""

    def play(entry: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in entry.items() if key not in ("name", "line", "without")}

    free = [entry for entry in strategies if not entry.get("without")]
    pairs = ((entry, base) for entry in strategies if entry.get("without") for base in free)
    return {entry["name"]: base["name"] for entry, base in pairs if play(entry) == play(base)}


def _win_kinds(run: Run, order: Order, cells: pd.DataFrame) -> pd.DataFrame:
    kinds = [name for names in (run.manifest.get("win_kinds") or {}).values() for name in names]
    table = run.frame("win_kinds", kinds=kinds) if kinds else pd.DataFrame()
    if table.empty:
        return pd.DataFrame(columns=["variant", "players", "counter"])
    return _shares_of(order(table[table.games > 0]), cells)


def _places(run: Run, order: Order, cells: pd.DataFrame) -> pd.DataFrame:
    spec = run.manifest.get("board_map")
    if not spec:
        return pd.DataFrame(columns=["variant", "players", "place"])
    covers = [
        (board["variant"], board["players"], int(code), place)
        for board in spec["boards"]
        for code, places in board["covers"].items()
        for place in places
    ]
    variants, counts, codes, places = (list(column) for column in zip(*covers, strict=True))
    table = run.frame("places", variants=variants, counts=counts, codes=codes, places=places)
    return _shares_of(order(table), cells)


def _shares_of(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Shares of what `games` counts, with intervals that are fit for rare ones."""
    keys = ["variant", "players", "counter" if "counter" in table.columns else "place"]
    trials = np.minimum(blocks_of(table, cells), table.games)
    found = share(ratio_of(table, "total", cells), trials)
    return table[[*keys, "games"]].assign(mean=found.value, low=found.low, high=found.high)


def _claim(tables: dict[str, pd.DataFrame]) -> None:
    """Correct p values over all these tables at once, and leave `claim` only where they are then below 0.05.

    One family (Holm 1979): a report without any effect in it makes a false claim in at most one of 20 cases.
    """
    adjusted = holm(np.concatenate([table.p.to_numpy(float) for table in tables.values()]))
    ends = np.cumsum([len(table) for table in tables.values()])
    for table, p in zip(tables.values(), np.split(adjusted, ends[:-1]), strict=True):
        table["p"] = p
        table["claim"] &= p < 1 - LEVEL
        if "worst" in table.columns:
            table["sure"] = table.claim & np.where(table.edge > 0, table.worst > table.fair, table.best < table.fair)


def _means(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    keys = [key for key in ("variant", "players", "seat", "strategy", "measure", "counter") if key in table.columns]
    mean = ratio_of(table, "total", cells)
    return table[[*keys, "games"]].assign(mean=mean.value, low=mean.low, high=mean.high)


def _endings(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    estimate = share(ratio_of(table, "total", cells), blocks_of(table, cells))
    out = table[["variant", "players", "measure", "games"]].copy()
    out["total"] = table.total.astype("int64")
    return out.assign(share=estimate.value, low=estimate.low, high=estimate.high)


def _margins(table: pd.DataFrame, cells: pd.DataFrame, told: bool) -> pd.DataFrame:
    table = table if told else table.iloc[:0]
    return _means(table, cells).assign(close=table.close / table.games)


def _spread(counts: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (variant, players), cell in counts.groupby(["variant", "players"], sort=False):
        turns, games = cell.turns.to_numpy(), cell.games.to_numpy()
        found = dict(zip(QUANTILES, quantiles(turns, games, list(QUANTILES.values())), strict=True))
        rows.append(
            {"variant": variant, "players": players, "games": int(games.sum()), "shortest": int(turns.min())}
            | {name: int(value) for name, value in found.items()}
            | {"longest": int(turns.max())}
        )
    return pd.DataFrame(rows)


def _notable(run: Run, spread: pd.DataFrame) -> pd.DataFrame:
    """Games to read; the typical one is of the first variant, at its middle player count."""
    mine = spread[spread.variant == spread.variant.iloc[0]]
    row = mine.iloc[(len(mine) - 1) // 2]
    return run.frame("notable", variant=str(row.variant), players=int(row.players), turns=int(row["median"]))


def _changed(table: pd.DataFrame, cells: pd.DataFrame, same: pd.DataFrame, most: int = 1) -> pd.DataFrame:
    keys = [key for key in ("variant", "players", "measure", "seat", "strategy", "counter") if key in table.columns]
    pairs = table[["variant", "players"]].merge(same, how="left", on=["variant", "players"])
    found = paired(table, repeats_of(table, cells), np.asarray(pairs.games == pairs.alike), most)
    alike = (found.low == 0) & (found.high == 0)
    enough = ~alike
    if "measure" in keys:
        enough &= np.asarray(~table.measure.isin(SHARES) | (table.x + table.y >= MIN_EVENTS))
    elif "strategy" in keys:
        enough &= contested(table)
    p, claim = claimable(found, enough)
    out = table[[*keys, "units"]].copy()
    with np.errstate(all="ignore"):
        out["baseline"], out["value"] = table.y / table.n / most, table.x / table.m / most
    out["difference"], out["low"], out["high"] = found.value, found.low, found.high
    out["relative"] = found.relative
    out["relative_low"], out["relative_high"] = found.relative_low, found.relative_high
    return out.assign(p=p, claim=claim, alike=alike, variance_reduction=found.variance_reduction)
