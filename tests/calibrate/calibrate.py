"""How often verdicts are wrong: toy games whose truth is known, played hundreds of times, through the shipped queries.

`make calibrate` writes docs/calibration.md. Games are drawn with numpy, many studies at once (each a variant of one
table), and judged by the same SQL and statistics as any run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
from flocksim.analysis.run_folder import UNITS, Run
from flocksim.analysis.sequences import sequential
from flocksim.analysis.targets import read_targets
from flocksim.analysis.verdicts import HOLDS, OPEN, VIOLATED, rows_of, table_of
from flocksim.simulate.frames import ARCS_SCHEMA
from scipy import stats

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"
STUDIES, BLOCKS, TOGETHER = 400, 300, 0.3
"""So many studies of so many blocks for each truth; in this share of blocks both games have the same winner (a deal
that decides)."""
Z = stats.norm.ppf(0.975)


class Drawn(Run):
    """A run whose tables were drawn and lie in memory."""

    def __init__(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        names = games["variant"].unique(maintain_order=True).to_list()
        self.path = Path("drawn")
        self.manifest = {
            "variants": [{"name": name} for name in names],
            "strategies": [{"name": name, "noise": 0.0} for name in sorted(seats["strategy"].unique())],
            "cells": [],
            "counters": [],
            "players": [2],
            "config": {},
        }
        self._frames, self._judged, self._stored, self._units = {}, True, [], UNITS
        self._memory, self._called = None, {}
        self._connection = duckdb.connect()
        self._hold(games, seats)
        self.blocks_a_unit, self._blocks = {2: 1}, {2: int(games["block"].max()) + 1}
        self._define_macros()

    def keep(self, blocks: int) -> None:
        """Only the first so many blocks."""
        games, seats = (self.sql(f"SELECT * FROM {table} WHERE block < {blocks}").pl() for table in ("games", "seats"))
        self._connection.close()
        self._connection, self._frames = duckdb.connect(), {}
        self._hold(games, seats)
        self._define_macros()

    def _hold(self, games: pl.DataFrame, seats: pl.DataFrame) -> None:
        self._chosen, self._added_up = True, False
        for table, rows in {"games": games, "seats": seats, "arcs": pl.DataFrame(schema=ARCS_SCHEMA)}.items():
            self._connection.register("rows", rows.to_arrow())
            self._connection.execute(f"CREATE TABLE {table} AS FROM rows")
            self._connection.unregister("rows")
            for name in ("first", "recorded"):
                self._connection.execute(f"CREATE VIEW {name}_{table} AS FROM {table}")

    def close(self) -> None:
        self._connection.close()


def drawn(
    random: np.random.Generator, names: list[str], blocks: int, seat: float = 0.0, strategy: float = 0.0,
    turns: Callable[[int, np.ndarray, np.ndarray], np.ndarray] = lambda study, luck, own: 30 + luck + own,
    unfinished: float = 0.0, common: bool = False,
) -> Drawn:  # fmt: skip
    """Studies of two players, a variant each: seat 1 wins `seat` more than half of the games, strategy a `strategy`.

    turns: of (variant's place, the block's luck, the game's own), whole numbers. common: all variants share a
    block's luck, as those of one study do.
    """
    shape = (len(names), blocks, 2)
    line_up = random.random((blocks, 1)) < 0.5  # which of a and b sits first in rotation 0
    first_is_a = np.concatenate([line_up, ~line_up], axis=1)
    chance = 0.5 + seat + np.where(first_is_a, strategy, -strategy)
    dice = random.random(shape)
    dice[:, :, 1] = np.where(random.random(shape[:2]) < TOGETHER, dice[:, :, 0], dice[:, :, 1])
    first = dice < chance
    cut = random.random(shape) < unfinished
    luck = np.rint(random.normal(0, 4, (1 if common else shape[0], blocks, 1))).astype(int)
    luck = np.broadcast_to(luck, (shape[0], blocks, 1))
    length = np.stack(
        [turns(place, luck[place], np.rint(random.normal(0, 3, shape[1:])).astype(int)) for place in range(shape[0])]
    )
    study, block, rotation = (index.ravel() for index in np.indices(shape))
    count = study.size
    games = pl.DataFrame({
        "variant": np.array(names)[study], "players": np.full(count, 2), "game": block * 2 + rotation, "block": block,
        "rotation": rotation, "turns": length.ravel(), "rounds": length.ravel() // 5, "decisions": length.ravel(),
        "end_reason": np.where(cut.ravel(), "turn_cap", "win"), "winners": np.where(cut.ravel(), 0, 1),
        "margin": np.ones(count, int), "digest": random.integers(0, 2**62, count),
    })  # fmt: skip
    share = np.stack([first, ~first], axis=-1) & ~cut[..., None]
    sat = np.broadcast_to(np.stack([first_is_a, ~first_is_a], axis=-1), (*shape, 2))
    seats = games.select("variant", "players", "game", "block", "rotation").select(
        pl.all().repeat_by(2).explode()
    ).with_columns(
        seat=pl.Series(np.tile([1, 2], count)), strategy=pl.Series(np.where(sat.ravel(), "a", "b")),
        score=pl.Series(np.ones(2 * count, int)), rank=pl.Series(np.where(share.ravel(), 1, 2)),
        win_share=pl.Series(share.ravel().astype(float)),
    )  # fmt: skip
    return Drawn(games, seats)


@dataclass(frozen=True)
class Rate:
    """What became of the studies of one truth: shares that hold, are violated and stay open; the truth; theory."""

    target: str
    truth: str
    holds: float
    violated: float
    studies: int
    right: str
    theory: float

    @property
    def wrong(self) -> float:
        """The share of wrong verdicts."""
        return self.violated if self.right == HOLDS else self.holds

    @property
    def decided(self) -> float:
        """The share of right verdicts."""
        return self.holds if self.right == HOLDS else self.violated

    @property
    def row(self) -> str:
        found = (self.holds, self.violated, 1 - self.holds - self.violated)
        shares = " | ".join(f"{100 * share:.1f}" for share in found)
        theory = "–" if np.isnan(self.theory) else f"{100 * self.theory:.1f}"
        return f"| {self.target} | {self.truth} | {self.right} | {shares} | {theory} | {100 * self.wrong:.1f} |"


def judged(run: Drawn, targets: dict[str, Any], per_study: bool = True) -> list[list[str]]:
    """The verdicts of each study: each variant is one, with a family of its own."""
    names = [entry["name"] for entry in run.manifest["variants"]]
    rows = rows_of(
        run, read_targets({"seats": "none", "strategies": "none", "unfinished": "none"} | targets, names, [2], 2)
    )
    if not per_study:
        return [table_of(rows).verdict.tolist()]
    return [table_of([row for row in rows if row.cell["variant"] == name]).verdict.tolist() for name in names]


def rate(target: str, truth: str, right: str, verdicts: list[list[str]], theory: float) -> Rate:
    found = [VIOLATED if VIOLATED in one else HOLDS if set(one) == {HOLDS} else OPEN for one in verdicts]
    return Rate(
        target, truth, found.count(HOLDS) / len(found), found.count(VIOLATED) / len(found), len(found), right, theory
    )


def power(effect: float, error: float, bound: float, two_sided: bool) -> float:
    """The chance of the right verdict of a normal estimate: inside +-bound or up to it, else above it."""
    if effect > bound:
        return float(stats.norm.sf(Z - (effect - bound) / error))
    inside = stats.norm.cdf((bound - effect) / error - Z)
    return float(max(inside + (stats.norm.cdf((bound + effect) / error - Z) - 1 if two_sided else 0), 0))


def share_error(chance: float) -> float:
    """The standard error of a share over BLOCKS blocks of two games that have the same winner in TOGETHER of them."""
    return float(np.sqrt(chance * (1 - chance) * (1 + TOGETHER) / (2 * BLOCKS)))


def seats() -> Iterator[Rate]:
    for edge in (0.0, 0.01, 0.03, 0.08, 0.12):
        run = drawn(np.random.default_rng(int(edge * 1000)), [f"s{i}" for i in range(STUDIES)], BLOCKS, seat=edge)
        right = HOLDS if edge <= 0.08 else VIOLATED
        theory = power(edge, share_error(0.5 + edge), 0.08, True)
        yield rate("seats: 8", f"{edge * 100:g} points", right, judged(run, {"seats": 8}), theory)


def strategies() -> Iterator[Rate]:
    for edge in (0.0, 0.04, 0.08, 0.12):
        run = drawn(
            np.random.default_rng(int(edge * 1000) + 1), [f"s{i}" for i in range(STUDIES)], BLOCKS, strategy=edge
        )
        right = HOLDS if edge <= 0.08 else VIOLATED
        yield rate("strategies: {above: 8}", f"{edge * 100:g} points", right,
                   judged(run, {"strategies": {"above": 8}}), np.nan)  # fmt: skip


def endings() -> Iterator[Rate]:
    for chance in (0.0, 0.01, 0.02, 0.05):
        names = [f"s{i}" for i in range(STUDIES)]
        run = drawn(np.random.default_rng(int(chance * 1000) + 2), names, BLOCKS, unfinished=chance)
        right = HOLDS if chance <= 0.02 else VIOLATED
        yield rate("unfinished: 2", f"{chance * 100:g} %", right, judged(run, {"unfinished": 2}), np.nan)


def changes() -> Iterator[Rate]:
    """Pairs of a baseline and a variant that is so many turns longer on average; each pair is a run of its own."""
    error = 3 * np.sqrt(2 / (2 * BLOCKS))
    for longer in (0, 3, 4):
        verdicts = []
        for study in range(STUDIES // 4):
            random = np.random.default_rng([longer, study])
            run = drawn(random, ["base", "variant"], BLOCKS, common=True,
                        turns=lambda place, luck, own, longer=longer: 30 + luck + own + longer * place)  # fmt: skip
            verdicts += judged(run, {"changes": {"turns": 3}}, per_study=False)
            run.close()
        right = HOLDS if longer <= 3 else VIOLATED
        yield rate("changes: {turns: 3}", f"{longer} turns", right, verdicts, power(longer, error, 3, False))


def families() -> Iterator[Rate]:
    """Six targets at once, every one of them just met: any violated one is a wrong verdict."""
    names = [f"s{i}" for i in range(STUDIES)]
    run = drawn(np.random.default_rng(9), names, BLOCKS, seat=0.05, strategy=0.05, unfinished=0.02)
    edge = 0.05 * (1 - 0.02) * 100
    targets = {"seats": edge, "strategies": {"above": edge, "below": edge}, "unfinished": 2, "turn_cap": [2, 9],
               "turns": [30, 99]}  # fmt: skip
    yield rate("six at once", "all on their bounds", HOLDS, judged(run, targets), np.nan)


def sequences() -> Iterator[Rate]:
    """Looked at ten times as blocks come in; the first decided look counts. Bounds are where the truth is."""
    for kind, truth, targets, change in (
        ("seats: 8", "8 points", {"seats": 8}, {"seat": 0.08}),
        ("unfinished: 2", "2 %", {"unfinished": 2}, {"unfinished": 0.02}),
        ("turns: [30, 99]", "30 turns", {"turns": [30, 99]}, {}),
    ):
        names = [f"s{i}" for i in range(STUDIES // 2)]
        for often in (True, False):
            final = [OPEN] * len(names)
            for look in range(1, 11):
                run = drawn(np.random.default_rng(21), names, BLOCKS, **change)
                run.keep(look * BLOCKS // 10)
                with sequential(often):
                    now = judged(run, targets)
                final = [old if old != OPEN else new[0] for old, new in zip(final, now, strict=True)]
                run.close()
            name = "stop when decided, " if often else "fixed intervals, ten looks, "
            yield rate(f"{name}{kind}", truth, HOLDS, [[one] for one in final], np.nan)


HEAD = """\
# Calibration

Made by `make calibrate`: toy games whose truth is known, {studies} studies each (a quarter of that for changes, half
for sequences), {blocks} blocks of two games a study, judged by the shipped queries and statistics. In {together:.0%} of
the blocks the deal decides, so that both games have the same winner: taking games as independent would be wrong.

A *wrong* verdict is *holds* where the target is not met, or *violated* where it is. Nominal is at most 5 % a study; one
quantity alone is wrong on one side only, so at most 2.5 %. A truth on its bound meets the target and is hardest: its
wrong rate comes near nominal, and must not exceed it beyond simulation error. Theory is the chance of the right
verdict for a normal estimate of known error.

| target | truth | right | holds, % | violated, % | open, % | right in theory, % | wrong, % |
|---|---|---|---:|---:|---:|---:|---:|
"""
TAIL = """
Looking ten times with fixed intervals is shown for what it costs; flocksim never does that: a study that stops when
decided has sequences.
"""


def main() -> None:
    lines = []
    for part in (seats, strategies, endings, changes, families, sequences):
        for found in part():
            lines.append(found.row)
            print(found.row, file=sys.stderr, flush=True)
    head = HEAD.format(studies=STUDIES, blocks=BLOCKS, together=TOGETHER)
    PAGE.write_text(head + "\n".join(lines) + "\n" + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
