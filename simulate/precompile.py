"""Compiles what a study needs before anything is played: the first time, the bots in a process beside the engine.

numba compiles one function at a time in a process. A second process compiles the bots and leaves them in the cache,
where the first finds them; whatever goes wrong in it, the first compiles what is missing.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from .bots import Strategy, Team, aid_of, kernels_of
from .compiled import CACHE, jit_is_on
from .engine import Engine, engine_of, kernel_slots
from .game import Game
from .own_bots import Kernel, OwnBot
from .owner import end_with_owner

PACKAGE = __package__.split(".", maxsplit=1)[0]


def compile_team(game: Game, strategies: Sequence[Strategy]) -> Team:
    """Compile, or load from the cache, the engine of a game and its bots. Returns the bots."""
    engine, functions = engine_of(game), kernels_of(strategies)
    with bots_compiled_beside(engine, functions):
        engine.play_blocks(kernel_slots(len(functions)), aid_of(strategies))
        _ = engine.functions
    return Team(game, strategies)


@contextmanager
def bots_compiled_beside(engine: Engine, functions: Sequence[Kernel]) -> Iterator[None]:
    """The bots that ship with flocksim compile in another process meanwhile, if there is cause and room for it."""
    shipped = [function for function in functions if not isinstance(function, OwnBot)]
    names = [f"{function.__module__}:{function.__qualname__}" for function in shipped]
    names = [name for name in names if name.startswith(f"{PACKAGE}.")]
    if not names or not engine.game.setup.__module__.startswith(f"{PACKAGE}.") or not _is_first_time(engine):
        yield
        return
    command = [sys.executable, "-m", __name__, engine.game.name, *names]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as other:
        try:
            yield
            other.wait()
        finally:
            other.kill()


def _is_first_time(engine: Engine) -> bool:
    """Nothing is cached yet, as a look at the game's shortest function tells, and there are cores to share."""
    if not jit_is_on() or CACHE is None or engine.score.stats.cache_hits:
        return False
    from joblib import cpu_count  # takes a moment to import

    return cpu_count() > 1


def main() -> None:
    """GAME MODULE:FUNCTION...: compile these bots of a game into the cache."""
    from .games import load_game

    end_with_owner()
    engine = engine_of(load_game(sys.argv[1]))
    for name in sys.argv[2:]:
        module, _, function = name.partition(":")
        engine.bot(getattr(import_module(module), function))


if __name__ == "__main__":
    main()
