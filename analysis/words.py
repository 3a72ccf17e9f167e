"""Numbers and lists in words: rounded to what an interval supports, singular and plural right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

TOO_FEW = "too few games"


NEARLY_EXACT = 1e-5
"""What is known to less than this, in the unit in which it is shown, is as good as exact."""
MOST_DECIMALS = 4


def digits(half: float) -> int:
    """Decimals that show two significant digits of an interval of +-half: none from 10 on, one from 1 on, ..."""
    if not math.isfinite(half):
        return 1
    return 2 if half < NEARLY_EXACT else min(_two_digits(half), MOST_DECIMALS)


def _two_digits(size: float) -> int:
    return max(1 - math.floor(math.log10(size)), 0)


def _rounded(value: float, places: int) -> str:
    """What lies between two numbers is rounded away from zero, so that it is the same whichever sum it came from."""
    return f"{value * (1 + 1e-12):,.{places}f}"


def number(value: float, half: float = math.nan) -> str:
    """`1,234.5`, with the decimals that +-half supports; nothing known is 'too few games'."""
    if value is None or not math.isfinite(value):
        return TOO_FEW
    text = _rounded(value, digits(half))
    if half < NEARLY_EXACT and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def points(share: float, half: float = math.nan) -> str:
    """A share of games in percentage points, without a sign or unit: 0.0213 -> '2.1'."""
    return number(abs(share) * 100, half * 100)


def percent(share: float, half: float = math.nan) -> str:
    """A share of games: 0.251 -> '25.1 %'."""
    text = "0" if share == 0 else number(share * 100, half * 100)
    return text if text == TOO_FEW else f"{text} %"


def exact(share: float) -> str:
    """A share that is known, not estimated: '25 %', '33.3 %', '0.012 %'."""
    rest = min(share, 1 - share) * 100
    if 0 < rest < 0.1:
        return f"{_rounded(share * 100, min(_two_digits(rest), 6))} %"
    return _rounded(share * 100, 1).removesuffix(".0") + " %"


def whole_percent(share: float) -> str:
    """A share in whole percent: 0.254 -> '25 %', with a real minus sign."""
    return f"{round(share * 100)} %".replace("-", "\N{MINUS SIGN}")


def signed(value: float, half: float = math.nan) -> str:
    """`+1.2` or `-1.2` with a real minus sign; zero has no sign."""
    text = number(value, half)
    if text == TOO_FEW or float(text.replace(",", "")) == 0:
        return text
    return text.replace("-", "\N{MINUS SIGN}") if value < 0 else f"+{text}"


def interval(low: float, high: float) -> str:
    """'1.2 to 3.4', or 'too few games'."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return TOO_FEW
    half = (high - low) / 2
    return f"{number(low, half)} to {number(high, half)}".replace("-", "\N{MINUS SIGN}")


def count(number_: int, one: str, many: str = "") -> str:
    """'1 game', '2,000 games'."""
    return f"{number_:,} {one if number_ == 1 else many or one + 's'}"


def span(values: Iterable[float], halves: Iterable[float]) -> str:
    """'1.2' or '1.2 to 3.4' from the smallest and the largest of several numbers, as their widest interval allows."""
    numbers, wide = [float(value) for value in values], max(float(half) for half in halves)
    low, high = number(min(numbers), wide), number(max(numbers), wide)
    if float(low.replace(",", "")) == 0 and min(numbers) != 0 and low != high:
        low = number(min(numbers), 0.1)
    return low if low == high else f"{low} to {high}".replace("-", "\N{MINUS SIGN}")


def listed(words: Iterable[object], last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    all_ = [str(word) for word in words]
    return all_[0] if len(all_) == 1 else f"{', '.join(all_[:-1])} {last} {all_[-1]}" if all_ else ""


def some_of(names: Sequence[str], most: int, rest: str = "others") -> str:
    """'a, b and 3 others': the first of many by name; one more than `most` is named, too."""
    left = len(names) - most
    return listed(names) if left <= 1 else listed([*names[:most], f"{left} {rest}"])


def with_players(some: Iterable[int], every: Iterable[int] = ()) -> str:
    """'with 2 and 3 players', or 'at every player count' when it is all of several."""
    these, all_ = sorted(set(some)), sorted(set(every))
    if len(all_) > 1 and these == all_:
        return "at every player count"
    return f"with {listed(these)} {'player' if these == [1] else 'players'}"
