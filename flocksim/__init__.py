"""flocksim: Monte-Carlo balance analysis for tabletop games.

From Python: `flocksim.run(config)` plays a study and `flocksim.load(folder)` opens one that was played; both return
an `analysis.run_folder.Run` whose tables are DuckDB relations (`.df()` for pandas, `.pl()` for polars). `bot` and
`random_below` are for bots of one's own (docs/own-bots.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flocksim.simulate.bot_decorator import bot

if TYPE_CHECKING:
    from flocksim.analysis.run_folder import Run

__version__ = "0.1.0"
__all__ = ["__version__", "bot", "load", "random_below", "run"]


def __getattr__(name: str) -> Any:
    """What brings numba with it comes when it is asked for."""
    if name == "random_below":
        from flocksim.simulate.choosing import random_below

        return random_below
    raise AttributeError(f"module 'flocksim' has no attribute '{name}'")


def run(
    config: str | Path | Mapping[str, Any],
    *,
    games: int | None = None,
    jobs: int = -1,
    backend: str = "threading",
    scheduler: str | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
) -> Run:
    """Play a study, or what is missing of it, and open the result.

    config: path of a YAML file, or the same as a dict. games: replaces the config's number. out: the run folder,
    `results/<name>` if not given. backend: threading, loky, dask or ray. scheduler: the address of a cluster of the
    last two. Raises FlocksimError, one line, for anything the caller can mend.
    """
    from flocksim.analysis.verdicts import all_decided
    from flocksim.simulate.errors import FlocksimError
    from flocksim.simulate.receipts import as_path
    from flocksim.simulate.runner import run_study

    from .study import load_study, make_study

    if not isinstance(fresh, bool):
        raise FlocksimError(f"fresh: {fresh!r} is not allowed; allowed: True or False")
    study = make_study(config, games) if isinstance(config, Mapping) else load_study(as_path(config, "config"), games)
    folder = as_path(out, "out") if out is not None else Path("results") / study.name
    run_study(study, folder, jobs=jobs, backend=backend, fresh=fresh, scheduler=scheduler, decided=all_decided)
    return load(folder)


def load(folder: str | Path) -> Run:
    """Open a run folder; raises FlocksimError when it is none or is damaged."""
    from flocksim.analysis.run_folder import load as load_run

    return load_run(folder)
