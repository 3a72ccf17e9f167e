"""Rows of small result tables."""

from __future__ import annotations

from typing import Any, cast

import pandas as pd


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as dicts by column name."""
    return cast(list[dict[str, Any]], table.to_dict("records"))


def highest(table: pd.DataFrame, by: pd.Series) -> Any:
    """The first row where `by` (one value a row) is largest."""
    return table.iloc[int(by.to_numpy(float).argmax())]


def leaders(table: pd.DataFrame, value: str, low: str = "low", high: str = "high") -> pd.DataFrame:
    """The rows that may be the largest, in either direction, the largest seen first.

    Beside that one, these are all whose 95 % interval (of the size, without its sign) overlaps that of the largest
    seen. A single row means that the interval of the largest lies above all others, so that it is the largest
    however the rows are correlated.
    """
    size = table[value].abs()
    ends = table[[low, high]].abs()
    nearest, farthest = ends.min(axis=1).where(table[low] * table[high] > 0, 0.0), ends.max(axis=1)
    first = size.sort_values(ascending=False, kind="stable").index
    return table.loc[[row for row in first if row == first[0] or not farthest[row] < nearest[first[0]]]]


def lowest(table: pd.DataFrame, by: pd.Series) -> Any:
    """The first row where `by` is smallest."""
    return highest(table, -by)
