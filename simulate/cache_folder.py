"""Where flocksim keeps what it can make again: compiled kernels, matplotlib's font list."""

from __future__ import annotations

import contextlib
import os
import tempfile
from functools import cache
from pathlib import Path

import platformdirs


@cache
def cache_root() -> Path | None:
    """The first folder that can be written: $FLOCKSIM_CACHE_DIR, the user's cache folder, the temporary one.

    None when there is no such folder at all: then nothing is kept.
    """
    for folder in _candidates():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def _candidates() -> list[Path]:
    folders = [Path(chosen).absolute()] if (chosen := os.environ.get("FLOCKSIM_CACHE_DIR")) else []
    folders.append(platformdirs.user_cache_path("flocksim"))
    with contextlib.suppress(OSError):  # no temporary folder anywhere
        folders.append(Path(tempfile.gettempdir()) / "flocksim-cache")
    return folders
