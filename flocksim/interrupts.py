"""Ctrl-C and a polite kill, answered within about a second whatever is going on.

Python runs a signal's handler only between two of its own instructions, and a compiler or a query may stay away from
those for seconds. So a thread listens too: it tells workers to stop at once, and ends the process when the main thread
has not come back in time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import NoReturn

GRACE_SECONDS = 0.8  # for unwinding, which lets go of files and workers


class Interrupted(BaseException):
    """The user wants the command to end. Unlike KeyboardInterrupt, nothing on the way prints anything about it."""


class _Watch:
    """What was pressed, and what is to be done and said then."""

    def __init__(self) -> None:
        self.code = 0
        self.raised = False
        self.message = "interrupted"
        self.on_press: Callable[[], None] = lambda: None
        self.said = threading.Lock()


_watch = _Watch()


def watch() -> None:
    """Take charge of SIGINT and SIGTERM for the rest of the process; a signal that is ignored stays so."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_listen, args=(ours, theirs), daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)


@contextlib.contextmanager
def telling(message: str, on_press: Callable[[], None]) -> Iterator[None]:
    """Meanwhile, call `on_press` at once when interrupted, and end with this message."""
    before = _watch.message, _watch.on_press
    _watch.message, _watch.on_press = message, on_press
    yield
    _watch.message, _watch.on_press = before  # not after an interrupt: its message is still to be said


def pressed() -> bool:
    return _watch.code != 0


def end() -> NoReturn:
    """Say what became of the command and leave. Whatever the exit still tidies up has what is left of the grace."""
    _say()
    sys.exit(_watch.code)


def _say() -> None:
    if not _watch.said.acquire(blocking=False):
        return
    with contextlib.suppress(OSError, ValueError):
        start = "\n" if sys.stderr.isatty() else ""  # after the terminal's ^C
        os.write(2, f"{start}flocksim: {_watch.message}\n".encode(errors="replace"))


def _raise(number: int, frame: types.FrameType | None) -> None:
    first = not _watch.raised
    _watch.raised = True
    _note(number)
    if first:
        raise Interrupted


def _note(number: int) -> None:
    sys.unraisablehook = lambda unraisable: None  # an interrupt inside a finaliser is no news
    _watch.code = _watch.code or 128 + number
    _watch.on_press()


def _listen(ours: socket.socket, theirs: socket.socket) -> None:
    """`theirs` is held here for as long as signals are written to it."""
    number = 0
    while number not in (signal.SIGINT, signal.SIGTERM) or signal.getsignal(number) is not _raise:
        number = ours.recv(1)[0]
    _note(number)
    time.sleep(GRACE_SECONDS)
    _say()
    os._exit(_watch.code)
