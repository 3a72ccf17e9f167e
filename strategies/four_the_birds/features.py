"""4 the Birds has no archetypes yet: only `random` plays."""

from __future__ import annotations

from flocksim.strategies.uniform import never_asked as choose

FEATURES: dict[str, str] = {}

__all__ = ["FEATURES", "choose"]
