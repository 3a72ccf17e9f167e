"""The game of choosing a strategy: who beats whom, which mix of strategies nothing beats, and how varied it is.

For every variant and player count, the payoff of one strategy against another is how often it ranks above it when both
sit at a table (ties half), less one half: an antisymmetric matrix A, a symmetric game of zero sum. A mix p is in
equilibrium when no strategy gains against it, A p <= 0 (von Neumann 1928); a linear program finds one. Of several the
one of largest entropy counts, Nash averaging (Balduzzi, Tuyls, Perolat and Graepel 2018): copies of a strategy share
its weight, and what loses to the mix weighs nothing, however often it beats those who lose, too. Bands come of a
Bayesian bootstrap over blocks (Rubin 1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from flocksim.simulate.units import FIRST_GAMES
from scipy import optimize

from .league import by_unit, find_cycles, pair_shares
from .rows import records
from .run_folder import Run
from .statistics import LEVEL, MIN_UNITS

REPLICATES = 200
EPSILON = 0.02
"""What a strategy may do worse against some opponent than the one that it dominates."""
_ENDS = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)
_TINY = 1e-9


@dataclass(frozen=True)
class Metagame:
    """The metagames of a run. Cases of fewer than three strategies, and those in which two of them met in fewer than
    MIN_UNITS blocks, have none.
    """

    payoffs: pd.DataFrame
    """variant, players, strategy, other, meetings, blocks, share (of meetings in which `strategy` ranks higher, ties
    half), low, high, p (Holm over the case's pairs), clear."""
    mix: pd.DataFrame
    """variant, players, strategy, weight, low, high (of the equilibrium mix), against (the share in which the strategy
    ranks above the mix), dominated_by (a strategy that is as good against everybody, or nothing)."""
    diversity: pd.DataFrame
    """variant, players, entropy (of the mix, in nats), effective (its exponential: as varied as so many strategies of
    equal weight), low, high, cycles (text: triples that rank above one another in a circle)."""


def metagame(run: Run, cells: pd.DataFrame) -> Metagame:
    """The metagame of every case of a run; `cells` are those of its result tables."""
    meetings = run.frame("pairs", games=FIRST_GAMES)
    names = [entry["name"] for entry in run.manifest["strategies"]]
    parts: list[tuple[pd.DataFrame, ...]] = []
    for cell in records(cells[cells.players > 1]):
        mine = meetings[(meetings.variant == cell["variant"]) & (meetings.players == cell["players"])]
        met = {*mine.strategy.unique(), *mine.other.unique()}
        present = [name for name in names if name in met]
        if len(present) > 2 and _met(mine, present, cell["repeats"]):
            found = _case(mine, present, float(cell["repeats"]))
            parts.append(tuple(table.assign(variant=cell["variant"], players=cell["players"]) for table in found))
    columns = (
        ("strategy", "other", "meetings", "blocks", "share", "low", "high", "p", "clear"),
        ("strategy", "weight", "low", "high", "against", "dominated_by"),
        ("entropy", "effective", "low", "high", "cycles"),
    )
    tables = []
    for place, own in enumerate(columns):
        rows = pd.concat([part[place] for part in parts], ignore_index=True) if parts else pd.DataFrame()
        tables.append(rows.reindex(columns=["variant", "players", *own]))
    return Metagame(*tables)


def _met(meetings: pd.DataFrame, names: list[str], repeats: float) -> bool:
    units = meetings.groupby(["strategy", "other"]).unit.nunique()
    return len(units) == len(names) * (len(names) - 1) // 2 and units.min() / repeats >= MIN_UNITS


def _case(meetings: pd.DataFrame, names: list[str], repeats: float) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    count = len(names)
    pairs = pair_shares(meetings, names, np.zeros(count), repeats).drop(columns="expected")
    units = by_unit(meetings, names)
    weights = np.random.default_rng(0).standard_exponential((REPLICATES, units.shape[0]))
    matrix = payoff(np.asarray(units.sum(axis=0), float).reshape(count, count))
    draws = payoff(np.asarray(weights @ units, float).reshape(-1, count, count))
    draws = matrix + (draws - matrix) * np.sqrt(repeats)
    best = nash_average(matrix)
    mixes = equilibria(draws)
    low, high = np.percentile(mixes, _ENDS, axis=0)
    mix = pd.DataFrame({
        "strategy": names, "weight": best, "low": np.minimum(low, best), "high": np.maximum(high, best),
        "against": matrix @ best + 0.5, "dominated_by": dominators(matrix, draws, clearly_above(pairs, names), names),
    })  # fmt: skip
    varied, ends = np.exp(entropy(best)), np.percentile(np.exp(entropy(mixes)), _ENDS)
    diversity = pd.DataFrame({
        "entropy": [float(entropy(best))], "effective": [float(varied)], "low": [min(float(ends[0]), float(varied))],
        "high": [max(float(ends[1]), float(varied))],
        "cycles": ["; ".join(" > ".join([*trio, trio[0]]) for trio in find_cycles(pairs))],
    })  # fmt: skip
    return pairs, mix, diversity


def payoff(above: np.ndarray) -> np.ndarray:
    """Payoffs from how often each ranked above each other, (..., n, n): the share less one half, 0 on the diagonal."""
    met = above + above.swapaxes(-1, -2)
    with np.errstate(all="ignore"):
        return np.nan_to_num(np.where(met > 0, above / met - 0.5, 0.0)) * (1 - np.eye(above.shape[-1]))


def equilibrium(matrix: np.ndarray) -> np.ndarray:
    """A mix that no strategy beats in the symmetric zero-sum game of an antisymmetric payoff matrix, (n, n) -> (n,).

    The linear program: the largest v such that p A >= v for each column, p >= 0 and sum(p) = 1 (von Neumann 1928).
    """
    count = len(matrix)
    bounds = np.column_stack([-matrix.T, np.ones(count)])
    total = np.append(np.ones(count), 0.0)[None]
    found = optimize.linprog(
        np.append(np.zeros(count), -1.0), A_ub=bounds, b_ub=np.zeros(count), A_eq=total, b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)], method="highs",
    )  # fmt: skip
    mix = np.clip(found.x[:count], 0, None)
    return np.asarray(mix / mix.sum())


def equilibria(matrices: np.ndarray) -> np.ndarray:
    """An equilibrium of each of a stack of matrices, (m, n, n) -> (m, n).

    As `equilibrium` does, but one program serves all matrices whose mixes have the same strategies in them: their
    weights solve A p = 0 among these (an odd number of them, generically: Fisher and Ryan 1995).
    """
    mixes = np.full(matrices.shape[:2], np.nan)
    left = np.arange(len(matrices))
    while len(left):
        mixes[left[0]] = equilibrium(matrices[left[0]])
        inside = np.flatnonzero(mixes[left[0]] > _TINY)
        left = left[1:]
        if len(left) and len(inside) % 2:
            some = matrices[left][:, inside][:, :, inside].copy()
            some[:, -1, :] = 1.0
            some += 1e-13 * np.eye(len(inside))
            tried = np.zeros((len(left), matrices.shape[1]))
            tried[:, inside] = np.linalg.solve(some, np.eye(len(inside))[-1][None, :, None])[..., 0]
            gains = np.einsum("mij,mj->mi", matrices[left], tried).max(axis=1)
            good = (tried.min(axis=1) >= 0) & (gains <= _TINY) & np.isfinite(gains)
            mixes[left[good]] = tried[good]
            left = left[~good]
    return mixes


def nash_average(matrix: np.ndarray) -> np.ndarray:
    """The equilibrium of largest entropy (Balduzzi et al. 2018): weights that copies of a strategy share evenly."""
    start = equilibrium(matrix)
    spread = 0.999 * start + 0.001 / len(start)
    found = optimize.minimize(
        lambda p: -float(entropy(p)), spread, jac=lambda p: np.log(np.maximum(p, 1e-300)) + 1, method="SLSQP",
        bounds=[(0, 1)] * len(start), options={"maxiter": 500, "ftol": 1e-12},
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(len(p))},
                     {"type": "ineq", "fun": lambda p: _TINY - matrix @ p, "jac": lambda p: -matrix}],
    )  # fmt: skip
    mix = np.where(found.x < 1e-6, 0.0, found.x)
    mix = mix / mix.sum()
    fair = (matrix @ mix).max() < 1e-4
    return np.asarray(mix if fair and entropy(mix) >= entropy(start) - 1e-6 else start)


def entropy(mix: np.ndarray) -> np.ndarray:
    """Shannon's entropy along the last axis, in nats: -sum(p log p)."""
    return np.asarray(-np.sum(np.where(mix > 0, mix * np.log(np.maximum(mix, 1e-300)), 0.0), axis=-1))


def clearly_above(pairs: pd.DataFrame, names: list[str]) -> np.ndarray:
    """Whether the row ranks above the column clear of chance (Holm over the case's pairs), (n, n)."""
    above = np.zeros((len(names), len(names)), bool)
    for row in records(pairs[pairs.clear]):
        one, two = names.index(row["strategy"]), names.index(row["other"])
        above[(one, two) if row["share"] > 0.5 else (two, one)] = True
    return above


def dominators(matrix: np.ndarray, draws: np.ndarray, above: np.ndarray, names: list[str]) -> list[str]:
    """For each strategy one that dominates it, or ''.

    It ranks `above` it clear of chance, and does at most EPSILON worse than it against anybody, in all but 2.5 % of
    the draws each.
    """
    found = []
    for weak in range(len(names)):
        worst = (draws - draws[:, weak : weak + 1, :]).min(axis=2)  # (draws, strategies)
        lowest = np.percentile(worst, _ENDS[0], axis=0)
        strong = (lowest >= -EPSILON) & above[:, weak]
        found.append(names[int(np.argmax(np.where(strong, matrix.mean(axis=1), -np.inf)))] if strong.any() else "")
    return found
