"""Fixtures of the tests of reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.reports.browser import chromium


@pytest.fixture(scope="module")  # Playwright's event loop must not outlive the module: others have loops of their own
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found
