"""The report's glossary, read from glossary.md, which is a page of the documentation, too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Chapter:
    """A table of words: rows of (word, formula, meaning)."""

    title: str
    words: list[tuple[str, str, str]]


@cache
def glossary() -> tuple[str, tuple[Chapter, ...]]:
    """What the page says first, and its tables."""
    text = (files("flocksim.reports") / "glossary.md").read_text("utf-8")
    opening, *chapters = re.split(r"^## ", text, flags=re.MULTILINE)
    return _plain(" ".join(opening.splitlines()[1:])), tuple(_chapter(chapter) for chapter in chapters)


def _chapter(text: str) -> Chapter:
    title, *lines = text.splitlines()
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("|")][2:]
    return Chapter(title, [(_plain(word), _plain(formula), _plain(meaning)) for word, formula, meaning in rows])


def _plain(text: str) -> str:
    """Markdown without its marks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*(\w[^*]*)\*", r"\1", text).replace("\\|", "|").strip()
