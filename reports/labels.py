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
_BETWEEN = r"[-_ ]"


def shortened(names: Iterable[object], most: int) -> list[str]:
    """Names of at most `most` letters, as texts of a figure; those that differ stay different.

    Of long ones a word at either end is cut that another name has there, too, such as a tier; what differs stays. Else
    they lose their middle: what tells variants apart stands at either end of their names more often than not. Where
    that leaves two alike, other parts are cut, and at last they are numbered.
    """
    whole = [str(name) for name in names]
    different = list(dict.fromkeys(whole))
    told = dict(zip(different, _different(different, most), strict=True))
    return [plain(told[name]) for name in whole]


def _different(names: Sequence[str], most: int) -> list[str]:
    found = [_without_shared(name, names, most) for name in names]
    if len(set(found)) == len(names):
        return found
    tails = sorted(range(1, most), key=lambda tail: (abs(tail - most // 2), tail))
    for tail in (0, *tails):
        found = [_cut(name, most, tail or _words(name, most)) for name in names]
        if len(set(found)) == len(names):
            return found
    return [
        name if len(name) <= most else f"{name[: most - 1 - len(str(place))]}…{place}"
        for place, name in enumerate(names, 1)
    ]


def _without_shared(name: str, names: Sequence[str], most: int) -> str:
    """A long name with as much as fits of its first or last word, the longer of those that another name has there, too;
    without its middle where there is none."""
    words = re.split(_BETWEEN, name)
    if len(name) <= most or len(words) == 1:
        return _cut(name, most, _words(name, most))
    kept = most - len(name) + len(words[0])
    first = kept > 0 and _is_shared(names, words[0], 0)
    last = most - 1 > len(name) - len(words[-1]) and _is_shared(names, words[-1], -1)
    if first and (len(words[0]) >= len(words[-1]) or not last):
        return f"{name[:kept]}…{name[len(words[0]) + 1 :]}"
    return f"{name[: most - 1]}…" if last else _cut(name, most, _words(name, most))


def _is_shared(names: Sequence[str], word: str, place: int) -> bool:
    """Whether a second name has this word in this place."""
    return sum(re.split(_BETWEEN, name)[place] == word for name in names) > 1


def _words(name: str, most: int) -> int:
    """How many letters the last whole words of a name have that leave room for its beginning; half of all, if none."""
    found = [len(name) - match.end() for match in re.finditer(_BETWEEN, name)]
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
