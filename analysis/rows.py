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


def lowest(table: pd.DataFrame, by: pd.Series) -> Any:
    """The first row where `by` is smallest."""
    return highest(table, -by)
