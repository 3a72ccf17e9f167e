"""How much of who wins is luck, and whose: shares of the variance of a seat's share of the win.

Y is a seat's share of the win less a fair one, over all seats. Skill is what the line-up explains, Var(E[Y | line-
up]), since strategies are all that a line-up is; luck is what varies while line-up and seats stay, E[Var(Y | line-
up)], by the law of total variance; and what the order of play explains, the variance of the seats' means, is told by
itself.

Luck comes of the deal, of draws during play and of the bots' noise, which act together: a card helps only who knows
what to do with it. Each gets its Shapley effect (Owen 2014): what knowing it besides adds to the variance explained,
averaged over all orders in which the three may become known; so they add up to luck. The variance that some sources
explain together is the covariance of games that share just these (simulate/luck.py; Sobol 1993), over the variance:
the estimator T of Janon, Klein, Lagnoux, Nodet and Prieur (2014), exact where they explain everything. Its noise is
reduced by that of a pair that shares nothing, whose covariance is known (a control variate: Glasserman 2003, sec.
4.1). Intervals: Bayesian bootstrap over blocks (Rubin 1981).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.luck import SETS, luck_fault, luck_file
from pyarrow import parquet

from .run_folder import Run
from .statistics import LEVEL

REPLICATES = 400
LUCK, DEAL, DRAWS, BOTS, SKILL, SEAT = "luck", "deal", "draws", "bots' noise", "line-up", "seat"
COLUMNS = ("variant", "players", "source", "share", "low", "high", "blocks")
_ENDS = (100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2)


def luck(run: Run) -> pd.DataFrame:
    """Shares of the variance of who wins: a row a variant, player count and source.

    None of studies that do not ask (config key `luck`) or are not finished. Raises FlocksimError for games of luck
    that are damaged or missing.

    source: 'luck', which is made up of 'deal', 'draws' and "bots' noise"; 'line-up', which is skill; and 'seat'. share:
    from 0 to 1, luck, line-up and seat make up one; low, high; blocks. Cases in which nothing varies have no rows.
    """
    tables = []
    for cell in run.manifest["cells"] if run.manifest["config"].get("luck") else ():
        file = luck_file(run.path, cell["variant"], cell["players"])
        if fault := luck_fault(file):
            if run.manifest["complete"]:
                raise FlocksimError(fault)
            continue
        with run.reading():
            frame = parquet.read_table(file, columns=list(SETS)).to_pandas()
        found = shares(frame.to_numpy().reshape(-1, cell["players"], cell["players"], len(SETS)))
        tables.append(found.assign(variant=cell["variant"], players=int(cell["players"])))
    tables = [table for table in tables if len(table)]
    return pd.concat(tables, ignore_index=True)[list(COLUMNS)] if tables else pd.DataFrame(columns=list(COLUMNS))


def shares(won: np.ndarray) -> pd.DataFrame:
    """source, share, low, high, blocks from shares of the win, (blocks, rotations, seats, sets).

    An estimate below 0 or above 1 is moved there, and its interval with it, so that noise does not look like certainty.
    """
    blocks = len(won)
    weights = np.random.default_rng(0).standard_exponential((REPLICATES, blocks))
    weights = np.vstack([np.full(blocks, 1.0), weights])
    indices = _indices(won, weights / weights.mean(axis=1, keepdims=True))
    if not np.isfinite(indices[SKILL]).all():
        return pd.DataFrame(columns=["source", "share", "low", "high", "blocks"])
    rows = []
    for source, drawn in indices.items():
        low, high = np.percentile(drawn[1:], _ENDS)
        value = float(drawn[0])
        moved = np.clip(value, 0.0, 1.0) - value
        rows.append((source, *np.clip([value, min(low, value) + moved, max(high, value) + moved], 0.0, 1.0), blocks))
    return pd.DataFrame(rows, columns=["source", "share", "low", "high", "blocks"])


def _indices(won: np.ndarray, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Every source's share under each row of weights over blocks."""
    seats = won.shape[2]
    sets = dict(zip(SETS, np.moveaxis(won - (1 / seats if seats > 1 else won.mean()), -1, 0), strict=True))

    def mean(values: np.ndarray) -> np.ndarray:
        """Over blocks, from (blocks, ...), under each row of weights."""
        return np.asarray(weights @ values / len(values))

    def products(one: str, two: str) -> np.ndarray:
        """The mean product of two sets of games in each block, over rotations and seats."""
        return np.asarray((sets[one] * sets[two]).mean(axis=(1, 2)))

    first, apart = products("first", "first"), products("first", "apart")
    with np.errstate(all="ignore"):
        means = [mean(sets[name].mean(axis=1)) for name in ("first", "apart")]
        order = (means[0] * means[1]).mean(axis=1) if seats > 1 else np.zeros(len(weights))
        known = {}
        for name in SETS[2:]:
            shared = products("first", name)
            slope = np.cov(shared, apart)[0, 1] / max(apart.var(ddof=1), 1e-12) if len(apart) > 1 else 0.0
            covariance = mean(shared) - slope * (mean(apart) - order)
            known[name] = covariance / mean((first + products(name, name)) / 2)
        seat = order / mean((first + products("apart", "apart")) / 2)
    one = {name: known[name] - known["line_up"] for name in ("deal", "draws", "bots")}
    two = {name: known[name] - known["line_up"] for name in ("draws_bots", "deal_bots", "deal_draws")}
    rest = 1 - known["line_up"]
    luck_of = []
    for mine, without in zip(one, two, strict=True):
        pairs = sum(two[pair] - one[other] for pair, other in _beside(mine))
        luck_of.append(one[mine] / 3 + pairs / 6 + (rest - two[without]) / 3)
    return {
        LUCK: rest,
        **dict(zip((DEAL, DRAWS, BOTS), luck_of, strict=True)),
        SKILL: known["line_up"] - seat,
        SEAT: seat,
    }


def _beside(source: str) -> list[tuple[str, str]]:
    """The sets of two sources of luck that one belongs to, and the other source in each."""
    return [(pair, pair.replace(source, "").strip("_")) for pair in ("deal_draws", "deal_bots", "draws_bots")
            if source in pair.split("_")]  # fmt: skip
