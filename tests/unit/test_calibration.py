"""The published error rates: wrong verdicts no more often than promised, right ones as often as theory has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"
FEWEST = 100
"""Studies behind a rate of the page, at least."""
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| target")
]


def within(nominal: float) -> float:
    """A rate, in percent, that a nominal one may show by chance."""
    return nominal + 3 * 100 * np.sqrt(nominal / 100 * (1 - nominal / 100) / FEWEST)


def test_the_page_has_every_kind_of_target() -> None:
    targets = " ".join(row[0] for row in ROWS)
    assert len(ROWS) >= 20
    for kind in ("seats", "strategies", "unfinished", "changes", "six at once", "stop when decided"):
        assert kind in targets


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[1]}")
def test_wrong_verdicts_are_no_more_frequent_than_promised(row: list[str]) -> None:
    target, _, right, holds, violated, _, theory, wrong = row
    assert wrong == (violated if right == "holds" else holds)
    if not target.startswith("fixed intervals"):
        assert float(wrong) <= within(5.0 if "six" in target or "stop" in target else 2.5)
    if theory != "–":
        decided, expected = float(holds if right == "holds" else violated), float(theory)
        spread = 100 * np.sqrt(max(expected / 100 * (1 - expected / 100), 0.01) / FEWEST)
        assert decided == pytest.approx(expected, abs=3 * spread + 1)
