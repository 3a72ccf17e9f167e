"""Where caches go."""

from __future__ import annotations

from pathlib import Path

import pytest
from flocksim.simulate.cache_folder import _candidates


def test_a_relative_folder_stays_where_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory may change later on; the cache does not move with it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLOCKSIM_CACHE_DIR", "mine")
    assert _candidates()[0] == tmp_path / "mine"
