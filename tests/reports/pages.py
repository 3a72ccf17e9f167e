"""What tests of pages share: studies of any shape, and a reader of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser

from tests.unit.test_analysis_run_folder import Game, play

THIRTY = [f"bot {number:02d}" for number in range(30)]
TWELVE = [f"variant-{number:02d}" for number in range(12)]
SHAPES: dict[str, Sequence[Game]] = {
    "one variant, one count": play(blocks=40),
    "three variants, three counts": play(
        blocks=40, players=(2, 4, 5), variants=("std", "slow", "quick"), stuck=0.1, capped=0.05, ties=0.1
    ),
    "twelve variants": play(blocks=10, players=(2, 5), variants=TWELVE, strategies=("a", "b"), stuck=0.1),
    "one strategy": play(blocks=40, strategies=("alone",), variants=("std", "slow")),
    "thirty strategies": play(blocks=40, strategies=THIRTY, players=(2, 5), variants=("std", "slow")),
    "solo": play(blocks=40, players=(1,), strategies=("a", "b"), capped=0.2),
    "everything stuck": play(blocks=40, stuck=1.0),
    "everything capped": play(blocks=40, capped=1.0, variants=("std", "slow")),
    "one block": play(blocks=1, variants=("std", "slow")),
    "one game in all": [Game(("a",), (1,))],
    "all the same game": [replace(game, digest=1) for game in play(blocks=40)],
}

TARGETS = {
    "seats": 3, "strategies": {"above": 9, "below": 9, "viable": 1}, "turns": [20, 35], "margin": [1, "any"],
    "spread": [0, 4], "unfinished": 5, "ties": 5, "changes": {"turns": 3, "seats": 1, "ties": [-1, 2], "unfinished": 1},
}  # fmt: skip


class Page(HTMLParser):
    """Counts what a page holds; fails on tags that do not match."""

    VOID = ("meta", "br", "wbr", "hr", "img", "link", "path", "use", "rect", "line", "circle")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "xlink:href") if name in values]
        self.images += [values.get("aria-label", "")] if tag == "svg" else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag
