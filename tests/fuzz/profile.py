"""How much is tried: FLOCKSIM_FUZZ examples of each kind, 40 if it is not set; the same ones every time then."""

from __future__ import annotations

import os
from datetime import timedelta

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("FLOCKSIM_FUZZ", "0"))
SECONDS = 20  # an example that takes longer hangs

FUZZ = settings(
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    deadline=timedelta(seconds=SECONDS),
    suppress_health_check=list(HealthCheck),
)


def check_line(error: Exception) -> None:
    """What a user is told is one line that can be read."""
    assert "\n" not in str(error)
    assert 0 < len(str(error)) < 5000
