"""Each seat's chance to win as a game stands: a small model, fitted and judged on blocks that are not its own.

Conditional logit (McFadden 1974): of the seats of a game, seat i wins with a chance in proportion to exp(b f_i), where
f_i are features of its standing. Two halves of the run's independent units take turns: what is said of one half comes
of the model fitted to the other (cross-fitting, two folds), so that how well chances agree with what happened (their
calibration) is measured on games that the model never saw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from .estimates import WIN

MOST_GAMES = 20_000
"""So many recorded games of a case are looked at, the first ones."""
_RIDGE = 1e-3
_STEPS, _SMALL = 30, 1e-9


@dataclass(frozen=True)
class Course:
    """The recorded games of one case, a row a turn, in order. standings, won: (rows, players), `won` in shares that add
    up to 1; game, unit, turn, turns: (rows,); mover: who began the turn, from 0.
    """

    game: np.ndarray
    unit: np.ndarray
    turn: np.ndarray
    turns: np.ndarray
    mover: np.ndarray
    standings: np.ndarray
    won: np.ndarray

    @property
    def last(self) -> np.ndarray:
        """Whether a row is the last one of its game."""
        return np.append(self.game[1:] != self.game[:-1], True)

    @property
    def tenths(self) -> np.ndarray:
        """Rows after which another tenth of the game's turns is over, but for the last ones."""
        done = 10 * self.turn // self.turns
        first = np.append(True, self.game[1:] != self.game[:-1])
        before = np.where(first, 0, np.append(0, done[:-1]))
        return (done > before) & ~self.last


def course_of(rows: pd.DataFrame, players: int) -> Course:
    """The rows of arc_turns.sql."""
    seats = range(1, players + 1)
    return Course(
        game=rows.game.to_numpy(), unit=rows.unit.to_numpy(), turn=rows.turn.to_numpy(), turns=rows.turns.to_numpy(),
        mover=rows.seat.to_numpy(int) - 1,
        standings=rows[[f"s{seat}" for seat in seats]].to_numpy(float),
        won=rows[[f"w{seat}" for seat in seats]].to_numpy(float) / WIN,
    )  # fmt: skip


def chances(course: Course) -> np.ndarray:
    """Every seat's chance after every turn, (rows, players), by the model of the other half of the units; NaN where
    that half has no game.
    """
    found = np.full(course.standings.shape, np.nan)
    half = np.unique(course.unit, return_inverse=True)[1] % 2
    for this in (0, 1):
        theirs = (half != this) & course.tenths
        if theirs.any():
            scale = _Scale.of(course, theirs)
            weights = fit(scale.features(course, theirs), course.won[theirs])
            mine = half == this
            found[mine] = softmax(scale.features(course, mine) @ weights)
    return found


@dataclass(frozen=True)
class _Scale:
    """What standings and turns are measured in: taken of the games that the model is fitted to."""

    standing: float
    most: float
    turns: float

    @classmethod
    def of(cls, course: Course, rows: np.ndarray) -> _Scale:
        away = _away(course.standings[rows])
        ends = course.standings[rows].max(axis=1)
        return cls(max(float(away.std()), 1e-9), max(float(np.abs(ends).max()), 1e-9), float(course.turns[rows].mean()))

    def features(self, course: Course, rows: np.ndarray) -> np.ndarray:
        """(rows, players, 4): how far a seat is ahead of the average of its game; that times how late it is, and times
        how far the best one is; and whether it is next.
        """
        standings = course.standings[rows]
        ahead = _away(standings) / self.standing
        late = np.minimum(course.turn[rows] / self.turns, 2.0)[:, None]
        far = standings.max(axis=1, keepdims=True) / self.most
        players = standings.shape[1]
        following = (course.mover[rows, None] + 1) % players == np.arange(players)
        return np.stack([ahead, ahead * late, ahead * far, following.astype(float)], axis=2)


def _away(standings: np.ndarray) -> np.ndarray:
    return standings - standings.mean(axis=1, keepdims=True)


def softmax(scores: np.ndarray) -> np.ndarray:
    """Shares in proportion to exp(scores), over the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def fit(features: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The weights of the greatest likelihood, by Newton's method, drawn a little towards 0 (ridge) so that they exist.

    features: (rows, players, k); won: (rows, players), shares of each row's win.
    """
    rows, _, size = features.shape
    weights = np.zeros(size)
    for _ in range(_STEPS):
        p = softmax(features @ weights)
        mean = np.einsum("np,npk->nk", p, features)
        slope = np.einsum("np,npk->k", won - p, features) / rows - _RIDGE * weights
        curve = np.einsum("np,npk,npl->kl", p, features, features) - mean.T @ mean
        step = np.linalg.solve(curve / rows + _RIDGE * np.eye(size), slope)
        weights += step * min(1.0, 2.0 / max(float(np.abs(step).max()), _SMALL))
        if np.abs(step).max() < _SMALL:
            break
    return weights


def decided_at(course: Course, found: np.ndarray, sure: float) -> pd.DataFrame:
    """The turn after which the winner's chance stays above `sure`: a row a game with game, unit, turn, turns and
    `never`, whether that is only its end. A game that nobody won alone is never decided before it.
    """
    single = course.won.max(axis=1) > 1 - 1e-9
    chance = np.take_along_axis(found, course.won.argmax(axis=1)[:, None], axis=1)[:, 0]
    open_ = ~((chance > sure) & single) & ~course.last
    starts = np.flatnonzero(np.append(True, course.game[1:] != course.game[:-1]))
    ends = np.append(starts[1:], len(course.game)) - 1
    last_open = np.maximum.reduceat(np.where(open_, np.arange(len(open_)), -1), starts)
    at = np.where(last_open < 0, starts, last_open + 1)
    return pd.DataFrame({
        "game": course.game[starts], "unit": course.unit[starts], "turn": course.turn[at],
        "turns": course.turns[starts], "never": at == ends,
    })  # fmt: skip
