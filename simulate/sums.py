"""A cell's games added up over units, sums of whole blocks: all that intervals and verdicts need of them.

Units are independent of one another, games of a block are not. Every table has a row a unit and whatever else is named:

- `games`: blocks; games; those that ended as win, stuck, deadlock and turn_cap, that were tied (a win shared by
  several), won (as win or stuck) and decided (somebody won); turns, rounds and decisions and the sums of their squares;
  and of won games margin, its square, how many were close (won by at most 1), and spread (best less worst score).
- `seats`, by seat and strategy: games = seats held; won = wins, a game that nobody won shared by all its seats (a lone
  player has lost it); own = wins alone; decided = seats held in games that somebody won; ordinary = own wins in games
  that ended as win; unfinished = games that ended otherwise; parted = of these, each once for every strategy in it; and
  counter:NAME = totals of the score and of the game's counters. won, own, decided and ordinary count 2520ths of a win,
  whole for ties of up to ten: sums of whole numbers are exact.
- `lengths`, by turns and won (whether somebody won as win): games.
- `uses`, by counter: x, m = wins (own) and number of seats whose counter is above zero; y, n = of the others.
- `values`, by value: how often the counter that names something on the board had that value, above zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

WIN = 2520
UNIT_TABLES = ("games", "seats", "lengths", "uses", "values")
COUNTER = "counter:"
_NOT_SUMMED = ("variant", "players", "game", "block", "rotation", "seat", "strategy", "rank", "win_share")
_ENDS = ("win", "stuck", "deadlock", "turn_cap")

Columns = Mapping[str, np.ndarray]


def unit_sums(
    games: pl.DataFrame,
    seats: pl.DataFrame,
    unit: Callable[[np.ndarray], np.ndarray],
    uses: Sequence[str] = (),
    named: str = "",
) -> dict[str, dict[str, np.ndarray]]:
    """The tables of UNIT_TABLES as columns of whole numbers and words: of rows of one cell, whole blocks, in order.

    unit: the units of an array of blocks, which never go down. uses: counters that count uses; named: the one that
    names something on the board. A counter that `seats` does not have is passed over.
    """
    players = int(games["players"][0])
    blocks = games["block"].to_numpy()
    units = unit(blocks)
    held_units = np.repeat(units, players)
    played = {name: _whole(games[name]) for name in ("turns", "rounds", "decisions", "winners", "margin")}
    ended = {word: (games["end_reason"] == word).to_numpy() for word in _ENDS}
    held = {name: _whole(seats[name]) for name in seats.columns if name not in _NOT_SUMMED}
    held["seat"] = _whole(seats["seat"])
    words = seats["strategy"].unique().sort()
    held["strategy"] = seats["strategy"].replace_strict(words, np.arange(len(words)), return_dtype=pl.Int64).to_numpy()
    own = np.rint(seats["win_share"].to_numpy() * WIN).astype(np.int64)
    tables = {
        "games": _sum({"unit": units}, {
            "blocks": np.diff(blocks, prepend=-1) != 0,
            **_of_games(played, ended, held["score"].reshape(-1, players)),
        }),
        "seats": _of_seats(held_units, held, own, np.repeat(played["winners"] > 0, players),
                           np.repeat(ended["win"], players), players),
        "lengths": _sum({"unit": units, "turns": played["turns"], "won": ended["win"]}, {"games": np.ones_like(units)}),
        "uses": _of_uses(held_units, {name: held[name] > 0 for name in uses if name in held}, own),
        "values": _of_values(held_units, held.get(named, np.zeros_like(held_units))),
    }  # fmt: skip
    tables["seats"]["strategy"] = words.to_numpy()[tables["seats"]["strategy"]]
    return tables


def _whole(column: pl.Series) -> np.ndarray:
    """A column of whole numbers; one that is NULL, as all of a part may be, adds nothing."""
    return (column.cast(pl.Int64).fill_null(0) if column.null_count() else column).to_numpy()


def framed(columns: dict[str, np.ndarray]) -> pl.DataFrame:
    """Columns of whole numbers and words as a table."""
    words = {
        name: pl.Series(column.tolist(), dtype=pl.String) for name, column in columns.items() if column.dtype == object
    }
    return pl.DataFrame({**columns, **words})


def _of_games(played: Columns, ended: Columns, scores: np.ndarray) -> dict[str, np.ndarray]:
    won = ended["win"] | ended["stuck"]
    margin = np.where(won, played["margin"], 0).astype(np.int64)
    long = {name: played[name].astype(np.int64) for name in ("turns", "rounds", "decisions")}
    return {
        "games": np.ones_like(margin),
        **ended,
        "tied": played["winners"] > 1,
        "won": won,
        "decided": played["winners"] > 0,
        **long,
        **{f"{name}_{name}": value**2 for name, value in long.items()},
        "margin": margin,
        "margin_margin": margin**2,
        "close": won & (np.abs(margin) <= 1),
        "spread": np.where(won, scores.max(axis=1) - scores.min(axis=1), 0),
    }


def _of_seats(
    units: np.ndarray, held: Columns, own: np.ndarray, decided: np.ndarray, win: np.ndarray, players: int
) -> dict[str, np.ndarray]:
    columns = {
        "games": np.ones_like(own),
        "won": np.where(decided, own, 0 if players == 1 else WIN // players),
        "own": own,
        "decided": WIN * decided.astype(np.int64),
        "ordinary": np.where(win, own, 0),
        "unfinished": ~win,
        "parted": ~win & _first_of_its_kind(held["strategy"].reshape(-1, players)).reshape(-1),
        **{COUNTER + name: values for name, values in held.items() if name not in ("seat", "strategy")},
    }
    return _sum({"unit": units, "seat": held["seat"], "strategy": held["strategy"]}, columns)


def _first_of_its_kind(strategies: np.ndarray) -> np.ndarray:
    """Which seats of each game, a row, hold a strategy that no earlier seat holds."""
    first = np.ones(strategies.shape, bool)
    for seat in range(1, strategies.shape[1]):
        first[:, seat] = (strategies[:, :seat] != strategies[:, seat, None]).all(axis=1)
    return first


def _of_uses(units: np.ndarray, used: Columns, own: np.ndarray) -> dict[str, np.ndarray]:
    starts = np.flatnonzero(np.diff(units, prepend=-1))
    wins, seats = np.add.reduceat(own, starts), np.diff(starts, append=len(units))
    none = np.zeros(0, np.int64)
    every = [dict.fromkeys(("unit", "x", "m", "y", "n"), none) | {"counter": none.astype(object)}]
    for counter, mine in used.items():
        x, m = np.add.reduceat(own * mine, starts), np.add.reduceat(mine, starts, dtype=np.int64)
        word = np.full(len(starts), counter, object)
        every.append({"unit": units[starts], "x": x, "m": m, "y": wins - x, "n": seats - m, "counter": word})
    return stacked(every)


def _of_values(units: np.ndarray, values: np.ndarray) -> dict[str, np.ndarray]:
    named = values > 0
    return _sum({"unit": units[named], "value": values[named]}, {"games": np.ones(int(named.sum()), np.int64)})


def stacked(tables: Sequence[Columns]) -> dict[str, np.ndarray]:
    """Tables of equal columns, one after the other."""
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def _sum(keys: Columns, columns: Columns) -> dict[str, np.ndarray]:
    """Rows with equal keys added up, in the order of their keys, the first of which never goes down."""
    place = _places(keys)
    order = np.argsort(place, kind="stable") if len(keys) > 1 else slice(None)
    place = place[order]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    first = {name: key[order][starts].astype(np.int64) for name, key in keys.items()}
    return first | {
        name: np.add.reduceat(column[order], starts, dtype=np.int64) if len(starts) else starts
        for name, column in columns.items()
    }


def _places(keys: Columns) -> np.ndarray:
    """A number from 0 for each row, the greater the later its keys."""
    place: np.ndarray | int = 0
    for key in keys.values():
        least, most = (int(key.min()), int(key.max())) if len(key) else (0, 0)
        place = place * (most - least + 1) + (key.astype(np.int64) - least)
    return np.asarray(place)
