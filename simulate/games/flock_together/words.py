"""Flock Together's codes in the rulebook's words and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ...compiled import compile_function, types
from ...errors import FlocksimError
from ...game import UNSEEN, Chart
from ...plurals import counted
from . import rules as code
from .parameters import SPECIES_WORDS

ENDS = ("left", "right")
_COLLECTED = code.COUNTERS[code.COLLECTED :]
COUNTER_WORDS = {
    "laid": "cards laid",
    "caught": "cards caught",
    "drawn": "cards drawn",
    "small_flights": "small flocks flown",
    "big_flights": "big flocks flown",
    "rounds_ended": "rounds ended by emptying the hand",
    **{name: f"{species} collected" for name, species in zip(_COLLECTED, SPECIES_WORDS, strict=True)},
}
COUNTER_GROUPS = {
    "Cards and flights": code.COUNTERS[: code.COLLECTED],
    "Collections at the end": _COLLECTED,
}
CHARTS = (
    Chart(
        "species",
        "Which species do collections hold at the end?",
        "cards",
        dict(zip(_COLLECTED, SPECIES_WORDS, strict=True)),
    ),
)
_INDEX = {word: index for index, word in enumerate(SPECIES_WORDS)}


@cache
def _pile_order() -> Any:
    whole = types.int64
    return compile_function(code.pile_order, whole(types.uint64, types.uint64[::1], whole[::1]))


def _species(word: str) -> int:
    if word not in _INDEX:
        raise FlocksimError(f"unknown species '{word}'; known: {', '.join(SPECIES_WORDS)}")
    return _INDEX[word]


def _counts(numbers: list[int]) -> dict[str, int]:
    return {word: number for word, number in zip(SPECIES_WORDS, numbers, strict=True) if number}


def _by_seat(numbers: np.ndarray) -> dict[str, dict[str, int]]:
    return {str(seat): _counts(row) for seat, row in enumerate(numbers.tolist(), 1)}


def _numbers(counts: Mapping[str, int]) -> list[int]:
    numbers = [0] * len(SPECIES_WORDS)
    for word, number in counts.items():
        numbers[_species(word)] = number
    return numbers


def cards_phrase(counts: Mapping[str, int]) -> str:
    """Counts for a reader: '2 A-2, 1 Q'."""
    return ", ".join(f"{number} {word}" for word, number in counts.items()) or "nothing"


class FlockTogetherWords:
    """See `game.Words`."""

    def action(self, code_: int, state: Any) -> dict[str, Any]:
        del state
        if code_ < code.DRAW_NO:
            return {
                "play": SPECIES_WORDS[code_ >> 4],
                "row": ((code_ >> 1) & 7) + 1,
                "end": ENDS[code_ & 1],
            }
        if code_ <= code.DRAW_YES:
            return {"draw": "yes" if code_ == code.DRAW_YES else "no"}
        return {"fly": "none" if code_ == code.FLY_NONE else SPECIES_WORDS[code_ - code.FLY_SPECIES]}

    def code(self, action: Mapping[str, Any]) -> int:
        if "play" in action:
            return _species(action["play"]) * 16 + (action["row"] - 1) * 2 + ENDS.index(action["end"])
        if "draw" in action:
            return code.DRAW_YES if action["draw"] == "yes" else code.DRAW_NO
        return code.FLY_NONE if action["fly"] == "none" else code.FLY_SPECIES + _species(action["fly"])

    def event(self, code_: int) -> dict[str, Any]:
        kind, place, value = code_ >> 11, (code_ >> 8) & 7, code_ & 255
        if kind == code.RESHUFFLE:
            return {"reshuffle": value}
        event: dict[str, Any] = {
            "card": SPECIES_WORDS[value],
            "to": ("hand", "row", "collection", "discard")[kind],
        }
        if kind == code.TO_ROW:
            event["row"] = place + 1
        elif kind != code.TO_DISCARD:
            event["seat"] = place + 1
        return event

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        players = int(state["players"])
        return {
            "rows": self._rows(state, int(rules["rows"])),
            "hands": _by_seat(state["hand"][:players]),
            "collections": _by_seat(state["collection"][:players]),
            "draw_pile": self._draw_pile(state),
            "discard": _counts(state["discard"].tolist()),
        }

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """Of other hands the cards that all saw arrive."""
        words = self.state(state, rules)
        for other in range(int(state["players"])):
            if other != seat:
                known, held = state["known"][other].tolist(), int(state["hand"][other].sum())
                unseen = {UNSEEN: held - sum(known)} if held > sum(known) else {}
                words["hands"][str(other + 1)] = _counts(known) | unseen
        return words | {"draw_pile": [UNSEEN] * len(words["draw_pile"])}

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        hidden = event.get("to") == "hand" and event["seat"] != seat + 1
        return {**event, "card": UNSEEN} if hidden else dict(event)

    def _rows(self, state: Any, rows: int) -> list[list[str]]:
        rings, starts, lengths = (state[name][:rows].tolist() for name in ("row", "row_start", "row_length"))
        return [
            [SPECIES_WORDS[card] for card in (ring + ring)[start : start + length]]
            for ring, start, length in zip(rings, starts, lengths, strict=True)
        ]

    def _draw_pile(self, state: Any) -> list[str]:
        order = np.zeros(code.MOST_CARDS, np.int64)
        count = _pile_order()(np.uint64(state["pile_word"]), state["streams"].copy(), order)
        return [SPECIES_WORDS[card] for card in order[:count].tolist()]

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        players = int(state["players"])
        for name in ("hand", "collection"):
            for seat in range(players):
                state[name][seat] = _numbers(words[f"{name}s"].get(str(seat + 1), {}))
        state["known"][:] = 0
        state["discard"][:] = _numbers(words["discard"])
        state["pile"][:] = np.bincount([_species(word) for word in words["draw_pile"]], minlength=8)
        state["row_start"][:] = 0
        for row in range(int(rules["rows"])):
            cards = [_species(word) for word in words["rows"][row]]
            state["row_length"][row] = len(cards)
            state["row"][row, : len(cards)] = cards
            state["row_count"][row] = np.bincount(cards, minlength=8)

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        return ""

    def sentence(self, action: Mapping[str, Any]) -> str:
        if "play" in action:
            return f"lays all {action['play']} at the {action['end']} end of row {action['row']}"
        if "draw" in action:
            return "draws" if action["draw"] == "yes" else "does not draw"
        return "flies no flock" if action["fly"] == "none" else f"flies a flock of {action['fly']}"

    def consequence(
        self, action: Mapping[str, Any], seat: int, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> str:
        if "play" not in action:
            return ""
        row = before["rows"][action["row"] - 1]
        laid = before["hands"][str(seat)][action["play"]]
        near = row if action["end"] == "left" else row[::-1]
        caught = near[: near.index(action["play"])] if action["play"] in near else []
        return f"({counted(laid, 'cards')}) and catches {', '.join(caught) or 'nothing'}"

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        return []

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        if "reshuffle" in event:
            one = event["reshuffle"] == 1
            cards = "discarded card is" if one else f"{event['reshuffle']} discarded cards are"
            return f"the {cards} shuffled into a new draw pile"
        places = {
            "hand": "seat {seat}'s hand",
            "row": "row {row}",
            "collection": "seat {seat}'s collection",
            "discard": "the discard pile",
        }
        card = "a card" if event["card"] == UNSEEN else event["card"]
        return f"{card} to {places[event['to']].format(**event)}"

    def table(self, state: Mapping[str, Any]) -> list[str]:
        lines = [f"row {number}: {'  '.join(row)}" for number, row in enumerate(state["rows"], 1)]
        for seat, hand in state["hands"].items():
            collection = cards_phrase(state["collections"][seat])
            lines.append(f"seat {seat}: holds {cards_phrase(hand)}; has collected {collection}")
        pile, discard = len(state["draw_pile"]), sum(state["discard"].values())
        lines.append(f"draw pile {pile}, discard pile {discard}")
        return lines
