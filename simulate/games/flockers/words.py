"""Flockers' codes in the rulebook's words and back. Cards are called by the names that their deck file gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FlocksimError, unknown
from ...game import UNSEEN
from . import state as code
from .decks import ACTIONS, TERRAINS
from .parameters import FlockersParameters
from .telling import Telling

PLACES = ("lead", "top-1", "top-2", "top-3", "bottom-1", "bottom-2", "bottom-3")
ROWS = ("top", "bottom")
BIRDS = ("card", "lead")  # whose part is used: the bird just played, or the lead bird
PARTS = ("main", "bonus")
AUTOMA = "automa"


def _index(kind: str, word: Any, known: Sequence[str]) -> int:
    if word not in known:
        raise FlocksimError(unknown(kind, str(word), known))
    return known.index(word)


def _bits(number: int, count: int) -> list[int]:
    """The indices of the bits that are set."""
    return [index for index in range(count) if number >> index & 1]


def _mask(indices: Sequence[int]) -> int:
    return sum(1 << index for index in indices)


class FlockersWords(Telling):
    """See `game.Words`."""

    def __init__(self, rules: FlockersParameters) -> None:
        super().__init__(rules)
        self._cards = [card.card for card in rules.flock_cards.cards]
        self._terrain = [card.card for card in rules.terrain_cards.cards]

    # --- actions ---

    def action(self, code_: int, state: Any) -> dict[str, Any]:
        if code_ in (code.END, code.STOP, code.DRAW):
            return {{code.END: "end", code.STOP: "stop", code.DRAW: "draw"}[code_]: True}
        if code_ < code.USE:
            return {"play": self._cards[code_ // 3], "to": ("lead", *ROWS)[code_ % 3]}
        if code_ < code.ADD:
            return self._flock_action(code_)
        if code_ < code.TAKE:
            return {"add": self._terrain[code_ - code.ADD]}
        if code_ < code.FLY_TO:
            return {"take": self._cards[code_ - code.TAKE]}
        return {"fly_to": self._space((code_ - code.FLY_TO) >> 2, code_ & 3)}

    def _flock_action(self, code_: int) -> dict[str, Any]:
        """What concerns birds in the flock."""
        if code_ < code.END:
            bird, part, kind = (code_ >> 4) & 1, (code_ >> 3) & 1, code_ & 7
            return {"use": BIRDS[bird], "part": PARTS[part], "action": ACTIONS[kind - 1]}
        if code_ < code.SLIDE_ROW:
            return {"remove": PLACES[code_ - code.REMOVE]}
        if code_ < code.FORM:
            return {"slide": ROWS[code_ - code.SLIDE_ROW]}
        if code_ < code.EXCHANGE:
            return {"rows": [(code_ >> 2) & 3, code_ & 3]}
        return {"swap": [PLACES[(code_ - code.EXCHANGE) >> 3], PLACES[code_ & 7]]}

    def _space(self, distance: int, terrain: int) -> dict[str, Any]:
        return {"card": int(distance), "terrain": TERRAINS[terrain] if distance else None}

    def code(self, action: Mapping[str, Any]) -> int:
        word, value = next(iter(action.items()))
        if word == "use":
            bird, part = _index("bird", value, BIRDS), _index("part", action["part"], PARTS)
            return code.USE + bird * 16 + part * 8 + _index("action", action["action"], ACTIONS) + 1
        if word == "fly_to":
            return code.FLY_TO + int(value["card"]) * 4 + _index("terrain", value["terrain"], TERRAINS)
        if word == "rows":
            return code.FORM + int(value[0]) * 4 + int(value[1])
        if word == "swap":
            place, other = (_index("place", place, PLACES) for place in value)
            return code.EXCHANGE + place * 8 + other
        if word == "play":
            return self._card(value) * 3 + _index("place", action["to"], ("lead", *ROWS))
        plain = {"end": code.END, "stop": code.STOP, "draw": code.DRAW}
        return plain[word] if word in plain else self._named(word, value)

    def _named(self, word: str, value: Any) -> int:
        """An action that is one card, place or row."""
        if word == "remove":
            return code.REMOVE + _index("place", value, PLACES)
        if word == "slide":
            return code.SLIDE_ROW + _index("row", value, ROWS)
        if word == "add":
            return code.ADD + _index("terrain card", value, self._terrain)
        if word == "take":
            return code.TAKE + self._card(value)
        raise FlocksimError(f"unknown action '{word}'")

    def _card(self, name: Any) -> int:
        return _index("flock card", name, self._cards)

    # --- chance ---

    def event(self, code_: int) -> dict[str, Any]:
        kind, detail, card = code_ >> 10, (code_ >> 7) & 7, code_ & 127
        if kind in (code.FLOCK_SHUFFLED, code.TERRAIN_SHUFFLED):
            return {"flock_deck" if kind == code.FLOCK_SHUFFLED else "terrain_deck": "shuffled"}
        terrain: dict[Any, str] = {code.STARTS: "start", code.TERRAIN_SHOWN: "show_terrain", code.ADDED: "path"}
        if kind in terrain:
            return {terrain[kind]: self._terrain[card]}
        if kind in (code.AUTOMA_TAKES, code.AUTOMA_WAITS):
            takes = {AUTOMA: "takes", "card": self._cards[card], "flies": detail}
            return takes if kind == code.AUTOMA_TAKES else {AUTOMA: "none"}
        told: dict[Any, dict[str, Any]] = {
            code.DEALT: {"deal": self._cards[card], "to": detail + 1},
            code.FELL: {"decoy": self._cards[card], "at": PLACES[min(detail, len(PLACES) - 1)]},
            code.SHOWN: {"show": self._cards[card]},
            code.DRAWN: {"draw": self._cards[card]},
        }
        return told[kind]

    # --- states ---

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        del rules
        players = int(state["players"])
        seats = [str(seat) for seat in range(1, players + 1)]
        out, last = int(state["out"]), int(state["last"])
        final_turns = [seat + 1 for seat in _bits(last, players)] + [AUTOMA] * (last >> code.AUTOMA)
        return {
            "path": self._pile(state, "path", "path_length", self._terrain),
            "terrain_display": self._pile(state, "terrain_shown", "terrain_shown_count", self._terrain),
            "terrain_deck": self._pile(state, "terrain_deck", "terrain_deck_count", self._terrain)[::-1],
            "flock_display": self._pile(state, "shown", "shown_count", self._cards),
            "draw_pile": self._pile(state, "pile", "pile_count", self._cards)[::-1],
            "discard": self._pile(state, "discard", "discard_count", self._cards),
            "hands": {seat: self._hand(state, row) for row, seat in enumerate(seats)},
            "flocks": {seat: self._flock(state, row) for row, seat in enumerate(seats)},
            "tokens": {
                name: self._space(state["distance"][token], int(state["terrain"][token]))
                for name, token in _tokens(players).items()
            },
            "out": [seat + 1 for seat in _bits(out, players)],
            "last_turns": final_turns if state["ending"] else None,
            **self._turn(state),
        }

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """Of other hands the cards that all saw arrive."""
        words = self.state(state, rules)
        for other in range(int(state["players"])):
            if other != seat:
                shown = state["seen"][other].tolist()
                hand = words["hands"][str(other + 1)]
                known = [card for card, seen in zip(hand, shown, strict=False) if seen]
                words["hands"][str(other + 1)] = known + [UNSEEN] * (len(hand) - len(known))
        return words | {deck: [UNSEEN] * len(words[deck]) for deck in ("draw_pile", "terrain_deck")}

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        if "deal" in event and event["to"] != seat + 1:
            return {**event, "deal": UNSEEN}
        return {**event, "draw": UNSEEN} if "draw" in event and actor != seat else dict(event)

    def _pile(self, state: Any, cards: str, count: str, names: Sequence[str]) -> list[str]:
        return [names[card] for card in state[cards][: int(state[count])]]

    def _hand(self, state: Any, seat: int) -> list[str]:
        return [self._cards[card] for card in state["hand"][seat, : int(state["held"][seat])]]

    def _flock(self, state: Any, seat: int) -> dict[str, Any]:
        birds = [self._name(card) for card in state["flock"][seat]]
        rows = {
            row: [bird for bird in birds[first : first + 3] if bird] for row, first in zip(ROWS, (1, 4), strict=True)
        }
        return {"lead": birds[0], **rows}

    def _name(self, card: int) -> str | None:
        return None if card == code.NO_CARD else self._cards[card]

    def _turn(self, state: Any) -> dict[str, Any]:
        """What the player to move has done this turn."""
        used = [[int(part) for part in bird] for bird in state["used"]]
        played, activated = (self._name(card) for card in state["bird"])
        return {
            "played": played,
            "used": {
                "main": bool(used[0][0]),
                "bonus": _bits(used[0][1], 8),
                "lead_main": bool(used[1][0]),
                "lead_bonus": _bits(used[1][1], 8),
            },
            "activated": activated,
            "chosen": [PLACES[place] for place in _bits(int(state["chosen"]), len(PLACES))],
            "during": None,
        }

    # --- positions ---

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        self._place_cards(state, words)
        for seat, hand in enumerate(words["hands"].values()):
            cards = sorted(self._card(name) for name in hand)
            state["hand"][seat, : len(cards)] = cards
            state["held"][seat] = len(cards)
        state["seen"][:] = 0
        state["row"][:] = 0
        state["geese"][:] = 0
        state["flock"][:] = code.NO_CARD
        for seat, flock in enumerate(words["flocks"].values()):
            self._place_flock(state, rules, seat, flock)
        for name, token in _tokens(len(words["hands"])).items():
            space = words["tokens"][name]
            state["distance"][token] = space["card"]
            state["terrain"][token] = _index("terrain", space["terrain"], TERRAINS) if space["card"] else 0
        self._place_turn(state, words)
        self._place_end(state, words)

    def _place_cards(self, state: Any, words: Mapping[str, Any]) -> None:
        """Decks, displays, discard and path; the last card of a deck is the next."""
        flock = {"shown": words["flock_display"], "pile": words["draw_pile"][::-1], "discard": words["discard"]}
        for field, names in flock.items():
            state[field][: len(names)] = [self._card(name) for name in names]
            state[f"{field}_count"] = len(names)
        terrain = {"terrain_shown": words["terrain_display"], "terrain_deck": words["terrain_deck"][::-1]}
        for field, names in (*terrain.items(), ("path", words["path"])):
            state[field][: len(names)] = [_index("terrain card", name, self._terrain) for name in names]
            state["path_length" if field == "path" else f"{field}_count"] = len(names)

    def _place_flock(self, state: Any, rules: Any, seat: int, flock: Mapping[str, Any]) -> None:
        birds = {0: flock["lead"]} if flock["lead"] else {}
        for row, name in enumerate(ROWS):
            birds |= {row * code.ROW + number: bird for number, bird in enumerate(flock[name], 1)}
            state["row"][seat, row] = len(flock[name])
        for place, bird in birds.items():
            card = self._card(bird)
            state["flock"][seat, place] = card
            state["geese"][seat, rules["goose"][card]] += 1

    def _place_turn(self, state: Any, words: Mapping[str, Any]) -> None:
        used = words["used"]
        state["used"][:] = [
            [used["main"], _mask(used["bonus"])],
            [used["lead_main"], _mask(used["lead_bonus"])],
        ]
        birds = (words["played"], words["activated"])
        state["bird"][:] = [code.NO_CARD if bird is None else self._card(bird) for bird in birds]
        state["chosen"] = _mask([_index("place", place, PLACES) for place in words["chosen"]])

    def _place_end(self, state: Any, words: Mapping[str, Any]) -> None:
        last = words["last_turns"]
        state["out"] = _mask([seat - 1 for seat in words["out"]])
        state["ending"] = last is not None
        state["last"] = _mask([code.AUTOMA if seat == AUTOMA else seat - 1 for seat in last or ()])


def _tokens(players: int) -> dict[str, int]:
    """The name of each token and its index."""
    tokens = {str(seat + 1): seat for seat in range(players)}
    return tokens if players > 1 else {**tokens, AUTOMA: code.AUTOMA}
