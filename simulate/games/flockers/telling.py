"""Playthroughs of Flockers that a designer can read, and what its counters are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...game import UNSEEN, Chart
from . import state as code
from .decks import FlockCard, TerrainCard
from .parameters import FlockersParameters

_BANDS = code.COUNTERS[code.BANDS :]
COUNTER_WORDS = {
    "distance": "card of the path reached",
    "flock_size": "birds at the end",
    "adult_white": "adult white geese at the end",
    "adult_blue": "adult blue geese at the end",
    "juvenile_white": "juvenile white geese at the end",
    "juvenile_blue": "juvenile blue geese at the end",
    "turns": "turns taken",
    "flights": "flights",
    "spaces_flown": "spaces flown by fly actions",
    "bonus_icons": "bonus terrain icons flown by",
    "bonus_actions": "bonus actions used",
    "met_decoy": "decoys met",
    "met_north_wind": "north winds met",
    "met_fox": "foxes met",
    "met_bald_eagle": "bald eagles met",
    "navigates": "terrain cards added by navigating",
    "swaps": "swaps",
    "leads": "leads",
    "grazed": "birds grazed",
    "lost_to_fox": "birds lost to foxes",
    "lost_to_eagle": "birds lost to bald eagles",
    "path_length": "cards on the path at the end",
    "triggered_end": "reached the final card first (1: yes)",
    "margin": "solo: cards ahead of the automa",
    **{name: f"solo: {name.removeprefix('band_')} goose" for name in _BANDS},
}
COUNTER_GROUPS = {
    "The journey": ("distance", "flights", "spaces_flown", "bonus_icons", "path_length", "triggered_end", "turns"),
    "Actions": ("navigates", "swaps", "leads", "bonus_actions", "grazed"),
    "Encounters": ("met_decoy", "met_north_wind", "met_fox", "met_bald_eagle", "lost_to_fox", "lost_to_eagle"),
    "The flock at the end": ("flock_size", *code.COUNTERS[code.GEESE : code.GEESE + 4]),
    "Solo play": ("margin", *_BANDS),
}
WIN_KINDS = {"Bands of the solo games won": _BANDS}
USES = ("flights", "navigates", "swaps", "leads", "bonus_actions", "grazed", *code.COUNTERS[code.MET : code.MET + 4])

_PATH = ("flights", "spaces_flown", "bonus_icons", "navigates")
_MET = ("met_decoy", "met_north_wind", "met_fox", "met_bald_eagle")
CHARTS = (
    Chart("path", "How is the path flown?", "times", {name: COUNTER_WORDS[name] for name in _PATH}),
    Chart("encounters", "What is met on the path?", "times", {name: COUNTER_WORDS[name] for name in _MET}),
)


class Telling:
    """The prose half of `game.Words`."""

    def __init__(self, rules: FlockersParameters) -> None:
        self._geese = {card.card: card for card in rules.flock_cards.cards}
        self._maps = {card.card: card for card in rules.terrain_cards.cards}
        self._final_card = rules.final_card

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        return ""

    def sentence(self, action: Mapping[str, Any]) -> str:
        word, value = next(iter(action.items()))
        if word == "use":
            return f"uses {_part(action)}"
        if word == "play":
            return (
                f"plays {goose(self._geese[value])} {'as lead bird' if action['to'] == 'lead' else _row(action['to'])}"
            )
        if word == "swap":
            return f"swaps {value[0]} and {value[1]}"
        if word == "rows":
            return f"forms rows of {value[0]} and {value[1]}"
        told = {
            "end": "ends the actions",
            "stop": "sends them off",
            "draw": "draws from the deck",
            "remove": "chooses {}",
            "slide": "slides the {} row forward",
            "fly_to": "flies to {}",
            "add": "adds {} to the path",
            "take": "takes {}",
        }
        return told[word].format(self._object(word, value))

    def _object(self, word: str, value: Any) -> str:
        if word == "fly_to":
            return space(value)
        if word == "add":
            return terrain(self._maps[value])
        return goose(self._geese[value]) if word == "take" else str(value)

    def consequence(
        self, action: Mapping[str, Any], seat: int, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> str:
        """Birds that left, by name."""
        left = [bird for bird in birds(before["flocks"][str(seat)]) if bird not in birds(after["flocks"][str(seat)])]
        chosen = _at(before["flocks"][str(seat)], action["remove"]) if "remove" in action else ""
        parts = [f"({chosen})"] if chosen else []
        parts += [f"and loses {', '.join(left)}"] if left and "play" not in action else []
        return " ".join(parts)

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """Encounters met, and who is out."""
        lines = []
        seat = str(before["to_move"])
        if before["tokens"][seat] != after["tokens"][seat] and (met := self._met(after, after["tokens"][seat])):
            lines.append(f"meets a {met}")
        for out in after["out"]:
            if out not in before["out"]:
                arrived = after["tokens"][str(out)]["card"] >= self._final_card
                why = "has reached the final card" if arrived else "has a full flock"
                lines.append(f"seat {out} {why} and is out")
        if before["last_turns"] is None and after["last_turns"]:
            lines.append(f"final turns: {', '.join(_token(name) for name in after['last_turns'])}")
        return lines

    def _met(self, state: Mapping[str, Any], token: Mapping[str, Any]) -> str:
        card = self._maps[state["path"][token["card"] - 1]]
        return next((space.encounter or "" for space in card.spaces if space.terrain == token["terrain"]), "")

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        word, value = next(iter(event.items()))
        value = "a card" if value == UNSEEN else value
        if word == "automa":
            return f"the automa flies {event['flies']} with {event['card']}" if "card" in event else "the automa waits"
        told = {
            "flock_deck": "the flock deck is shuffled",
            "terrain_deck": "the terrain deck is shuffled",
            "deal": f"{value} to seat {event.get('to')}",
            "start": f"{value} begins the path",
            "show_terrain": f"terrain {value} is turned up",
            "show": f"{value} is turned up",
            "draw": f"{value} is drawn",
            "decoy": f"{value} falls to {event.get('at')}",
            "path": f"{value} joins the path",
        }
        return told[word]

    def table(self, state: Mapping[str, Any]) -> list[str]:
        path = [f"{number} {terrain(self._maps[card])}" for number, card in enumerate(state["path"], 1)]
        lines = [f"path: {'; '.join(path)}"]
        lines.append(f"terrain cards: {'; '.join(terrain(self._maps[card]) for card in state['terrain_display'])}")
        lines.append(f"flock cards: {self._short(state['flock_display'])}")
        for seat, flock in state["flocks"].items():
            lead = self._short([flock["lead"]]) if flock["lead"] else "no bird"
            rows = "; ".join(f"{row} {self._short(flock[row])}" for row in ("top", "bottom") if flock[row])
            lines.append(f"seat {seat} at {space(state['tokens'][seat])}: lead {lead}{'; ' if rows else ''}{rows}")
            lines.append(f"  holds {self._short(state['hands'][seat])}")
        if "automa" in state["tokens"]:
            lines.append(f"automa at {space(state['tokens']['automa'])}")
        piles = len(state["draw_pile"]), len(state["discard"]), len(state["terrain_deck"])
        lines.append("draw pile {}, discard {}, terrain deck {}".format(*piles))
        return lines

    def _short(self, cards: Sequence[str]) -> str:
        told = [card if card == UNSEEN else f"{card} {self._geese[card].action or 'plain'}" for card in cards]
        return ", ".join(told) or "nothing"


def goose(card: FlockCard) -> str:
    """A flock card with all that it shows: 'AW06 (adult-white, navigate, mountain, 3: fly)'."""
    bonus = " ".join((*card.bonus_actions, *card.bonus_terrain))
    parts = [card.goose, card.action, card.terrain, f"{card.identify}: {bonus}" if bonus else None]
    return f"{card.card} ({', '.join(part for part in parts if part)})"


def terrain(card: TerrainCard) -> str:
    """A terrain card with all that it shows: 'T13 mountain (decoy), forest'."""
    spaces = [f"{space.terrain} ({space.encounter})" if space.encounter else space.terrain for space in card.spaces]
    return f"{card.card} {', '.join(spaces)}"


def space(token: Mapping[str, Any]) -> str:
    return f"{token['terrain']} on card {token['card']}" if token["card"] else "the start"


def birds(flock: Mapping[str, Any]) -> list[str]:
    """The names of a flock's birds."""
    return [bird for bird in (flock["lead"], *flock["top"], *flock["bottom"]) if bird]


def _at(flock: Mapping[str, Any], place: str) -> str:
    row, _, number = place.partition("-")
    return str(flock[row][int(number) - 1] if number else flock["lead"])


def _part(action: Mapping[str, Any]) -> str:
    whose = "its own" if action["use"] == "card" else "the lead bird's"
    return f"{whose} {'bonus ' if action['part'] == 'bonus' else ''}{action['action']}"


def _row(row: str) -> str:
    return f"at the end of the {row} row"


def _token(name: Any) -> str:
    return str(name) if name == "automa" else f"seat {name}"
