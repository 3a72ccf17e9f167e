"""What a designer's own bots are written with; docs/own-bots.md shows how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MARK = "__flocksim_bot__"
SECONDS = 10.0


def bot(function: Callable[..., Any] | None = None, *, python: bool = False, seconds: float = SECONDS) -> Any:
    """Make a function a bot: `@bot` compiles it, `@bot(python=True)` leaves it plain Python, which is slow.

    A compiled bot is (state, rules, choices, weights) -> index into the choices; a plain one (view) -> index or action.
    seconds: how long it may take over one decision.
    """

    def mark(marked: Callable[..., Any]) -> Callable[..., Any]:
        setattr(getattr(marked, "py_func", marked), MARK, {"python": python, "seconds": seconds})
        return marked

    return mark if function is None else mark(function)
