"""Ends the process when a bot of the user's own never comes to a choice: compiled code cannot be stopped otherwise."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from .errors import one_line

PACE = 0.1  # seconds


@contextlib.contextmanager
def watching(look: Callable[[], tuple[Any, float] | None], end: Callable[[], None]) -> Iterator[None]:
    """Meanwhile, call `end` when a decision takes too long.

    look: what stays the same for as long as one decision is being made, and how many seconds it may take; None while
    nobody decides who needs to be watched. A process that is suspended does not use up that time.
    """
    over = threading.Event()

    def watch() -> None:
        seen, ticks = None, 0
        while not over.wait(PACE):
            now = look()
            ticks = ticks + 1 if now is not None and now == seen else 0
            seen = now
            if now is not None and ticks * PACE >= now[1]:
                end()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def give_up(message: str) -> NoReturn:
    """End the process with one line on stderr and exit code 2."""
    with contextlib.suppress(OSError):
        os.write(2, f"flocksim: {one_line(message)}\n".encode(errors="replace"))
    os._exit(2)
