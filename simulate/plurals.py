"""Things counted in words."""

from __future__ import annotations


def counted(number: int, things: str) -> str:
    """'1 bird', '2,000 birds', '1 card in the hand': `things` in the plural, the first word of which it is."""
    first, *rest = things.split(" ")
    return " ".join([f"{number:,}", first.removesuffix("s") if number == 1 else first, *rest])
