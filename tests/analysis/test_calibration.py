"""The studies of known truth behind docs/calibration.md, few and small: that they are played and judged at all."""

from __future__ import annotations

import pytest

from tests.calibrate import calibrate


@pytest.mark.parametrize(
    ("part", "rates"),
    [
        (calibrate.seats, 5),
        (calibrate.strategies, 4),
        (calibrate.endings, 4),
        (calibrate.changes, 3),
        (calibrate.families, 1),
        (calibrate.sequences, 6),
    ],
)
def test_every_truth_is_judged(monkeypatch: pytest.MonkeyPatch, part, rates) -> None:
    monkeypatch.setattr(calibrate, "STUDIES", 8)
    monkeypatch.setattr(calibrate, "BLOCKS", 60)
    found = list(part())
    assert len(found) == rates
    for rate in found:
        assert rate.holds + rate.violated <= 1
        assert rate.studies in (2, 4, 8)


def test_a_large_edge_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "STUDIES", 8)
    rates = {rate.truth: rate for rate in calibrate.seats()}
    assert rates["0 points"].holds > rates["12 points"].holds
    assert rates["12 points"].violated > rates["0 points"].violated
