"""Names for figures: short ones that stay different, and how wide they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

_FIRST = 5
"""Letters that a shortened name keeps of its beginning, at least, when its end is cut between words."""
_LARGE = 100.0


def shortened(names: Iterable[object], most: int) -> list[str]:
    """Names of at most `most` letters, as texts of a figure; those that differ stay different.

    Long ones lose their middle: what tells variants apart stands at either end of their names more often than not.
    Where that leaves two alike, other parts are cut, and at last they are numbered.
    """
    whole = [str(name) for name in names]
    different = list(dict.fromkeys(whole))
    told = dict(zip(different, _different(different, most), strict=True))
    return [plain(told[name]) for name in whole]


def _different(names: Sequence[str], most: int) -> list[str]:
    tails = sorted(range(1, most), key=lambda tail: (abs(tail - most // 2), tail))
    for tail in (0, *tails):
        found = [_cut(name, most, tail or _words(name, most)) for name in names]
        if len(set(found)) == len(names):
            return found
    return [
        name if len(name) <= most else f"{name[: most - 1 - len(str(place))]}…{place}"
        for place, name in enumerate(names, 1)
    ]


def _words(name: str, most: int) -> int:
    """How many letters the last whole words of a name have that leave room for its beginning; half of all, if none."""
    found = [len(name) - match.end() for match in re.finditer(r"[-_ ]", name)]
    return next((letters for letters in found if 0 < letters <= most - 1 - _FIRST), most // 2)


def _cut(name: str, most: int, tail: int) -> str:
    """A long name without its middle: `tail` letters of its end stay."""
    return name if len(name) <= most else f"{name[: most - 1 - tail].rstrip()}…{name[len(name) - tail :]}"


def plain(text: str) -> str:
    """A text of a figure without mathematics."""
    return text.replace("$", r"\$")


@cache
def inches(text: str, size: float = 9.0) -> float:
    """How wide a text is, in points of letters `size`: measured, as a name in capitals is wider than it is long."""
    font = _font()
    font.set_size(_LARGE, 72)  # small letters are measured in whole pixels
    font.set_text(text.replace(r"\$", "$"))
    return float(font.get_width_height()[0]) / 64 / 72 * size / _LARGE


@cache
def _font() -> FT2Font:
    return FT2Font(font_manager.findfont("DejaVu Sans"))


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
