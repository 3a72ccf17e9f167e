"""The errors that a user can cause and mend."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import process

LONGEST_WORD = 250  # of what a user wrote that a message repeats
LONGEST_MESSAGE = 4000


class FlocksimError(Exception):
    """Something the user can mend. Its text is one line that names what is wrong and what is allowed."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message, LONGEST_MESSAGE))


class RulesError(FlocksimError):
    """A rule parameter that does not exist, is out of range, or makes a game that cannot be played.

    `key` names the parameter, or is empty when the fault lies between several.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def one_line(text: str, longest: int = 1500) -> str:
    """A text as one line that a terminal can show: what is not printable escaped, the middle of a long one left out."""
    plain = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
    tail = min(longest // 3, 195)
    return plain if len(plain) <= longest else f"{plain[: longest - tail - 5]} ... {plain[-tail:]}"


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean X?)' when X is close to the word, else nothing."""
    if len(word) > LONGEST_WORD:
        return ""
    match = process.extractOne(word, list(known), score_cutoff=60)
    return f" (did you mean '{match[0]}'?)" if match else ""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """One line for a name that does not exist: the nearest match first, then all that do."""
    names = list(known)
    return f"unknown {kind} '{one_line(word, LONGEST_WORD)}'{nearest(word, names)}; known: {', '.join(names)}"
