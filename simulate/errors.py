"""The errors that a user can cause and mend."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import process


class FlocksimError(Exception):
    """Something the user can mend. Its text is one line that names what is wrong and what is allowed."""


class RulesError(FlocksimError):
    """A rule parameter that does not exist, is out of range, or makes a game that cannot be played.

    `key` names the parameter, or is empty when the fault lies between several.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean X?)' when X is close to the word, else nothing."""
    match = process.extractOne(word, list(known), score_cutoff=60)
    return f" (did you mean '{match[0]}'?)" if match else ""


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """One line for a name that does not exist: the nearest match first, then all that do."""
    names = list(known)
    return f"unknown {kind} '{word}'{nearest(word, names)}; known: {', '.join(names)}"
