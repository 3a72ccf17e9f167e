"""4 the Birds' codes in the rulebook's words and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FlocksimError, unknown
from . import state as code
from .flocks import OFFSETS, SQUARE

AXIS = "?812345679?"  # the digit of a row or column of the grid; its margins have none
CARD_WORDS = {card: card.upper() for card in code.CARDS}
_VERBS = {
    "place": code.PLACE,
    "lift": code.LIFT,
    "crow_to": code.CROW_TO,
    "lift_crow": code.LIFT_CROW,
    "hawk_to": code.HAWK_TO,
    "lift_hawk": code.LIFT_HAWK,
    "remove_hawk": code.REMOVE_HAWK,
    "play": code.PLAY,
    "token": code.TOKEN_ON,
    "slide": code.SLIDE_TO,
    "displace": code.DISPLACE_TO,
    "scatter": code.SCATTERED,
    "fly_to": code.FLY_TO,
    "done": code.DONE,
}
_WORDS = {verb: word for word, verb in _VERBS.items()}
_DOTS = ("hawk_to", "lift_hawk", "remove_hawk")


def spot_name(cell: int) -> str:
    """'24' for a cell of the grid."""
    return AXIS[cell // code.WIDTH] + AXIS[cell % code.WIDTH]


def dot_name(cell: int) -> str:
    """'11-22' for a dot."""
    return f"{spot_name(cell)}-{spot_name(cell + code.WIDTH + 1)}"


def cell_of(name: str) -> int:
    """The cell of a spot, or of a dot: its first corner."""
    row, column = (AXIS[:-1].find(digit) for digit in name[:2].ljust(2))
    cell = code.WIDTH * row + column
    if min(row, column) < 1 or name not in (spot_name(cell), dot_name(cell)):
        raise FlocksimError(f"'{name}' is not a spot, such as '24', nor a dot, such as '11-22'")
    return cell


def _card(word: str) -> int:
    if word not in code.CARDS:
        raise FlocksimError(unknown("card", word, code.CARDS))
    return code.CARDS.index(word)


def _face(value: int, special: str) -> int | str:
    return special if value == code.SPECIAL else int(AXIS[value])


def _line(value: int | str) -> int:
    """The row or column that a die shows, or SPECIAL."""
    return code.SPECIAL if value in ("crow", "hawk") else AXIS.index(str(value))


def _piece(piece: int) -> dict[str, Any]:
    """A bird, crow or hawk in words."""
    return {"crow": True} if piece == code.CROW else {"hawk": True} if piece == code.HAWK else {"bird": piece}


def _piece_code(words: Mapping[str, Any]) -> int:
    return code.CROW if words.get("crow") else code.HAWK if words.get("hawk") else int(words["bird"])


def _spots(cells: Sequence[int]) -> list[str]:
    return [spot_name(cell) for cell in cells]


def _cards(counts: Sequence[int]) -> list[str]:
    return [card for card, number in zip(code.CARDS, counts, strict=True) for _ in range(number)]


class Codes:
    """Codes in words and back; prose.py adds sentences."""

    # --- actions and events ---

    def action(self, code_: int, state: Any) -> dict[str, Any]:
        word, place = _WORDS[code_ & ~127], code_ & 127
        if word == "done":
            return {"done": True}
        if word == "play":
            return {"play": code.CARDS[place]}
        return {word: dot_name(place) if word in _DOTS else spot_name(place)}

    def code(self, action: Mapping[str, Any]) -> int:
        word, value = next(iter(action.items()))
        if word not in _VERBS:
            raise FlocksimError(unknown("action", word, _VERBS))
        if word == "done":
            return code.DONE
        return _VERBS[word] + (_card(value) if word == "play" else cell_of(value))

    def event(self, code_: int) -> dict[str, Any]:
        if code_ >= code.MORE_ROLLS:
            return {"more_rolls": code_ - code.MORE_ROLLS}
        if code_ >= code.REGAINED:
            return {"regain": code.CARDS[code_ - code.REGAINED]}
        if code_ >= code.ROLLED:
            black, brown = divmod(code_ - code.ROLLED, 16)
            return {"roll": [_face(black, "crow"), _face(brown, "hawk")]}
        return {"crow": spot_name(code_ - code.CROW_AT)} if code_ >= code.CROW_AT else {"hawk": dot_name(code_)}

    # --- states ---

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        over = bool(state["end_reason"])
        rolled = not over and int(state["kind"]) not in (code.PLACE_HAWK, code.PLACE_CROW)
        card = int(state["card"])
        return {
            "active": None if over else int(state["active"]) + 1,
            "roll": [_face(int(state["black"]), "crow"), _face(int(state["brown"]), "hawk")] if rolled else None,
            **self._pieces(state),
            **self._cards_and_tokens(state),
            "card": None if card == code.NO_CARD else code.CARDS[card],
            "flown": spot_name(int(state["flown"])) if state["flown"] else None,
            "flock_moves": int(state["flock_moves"]),
            **self._on_the_way(state),
            "flock": self._flock(state),
        }

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """Everything: nothing is hidden."""
        return self.state(state, rules)

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        return dict(event)

    def _pieces(self, state: Any) -> dict[str, Any]:
        rows = [row[:number] for row, number in zip(state["spots"].tolist(), state["on_board"], strict=True)]
        reserve = state["reserve"].tolist()
        seats = range(int(state["players"]))
        return {
            "birds": {str(seat + 1): _spots(rows[seat]) for seat in seats},
            "reserve": {str(seat + 1): reserve[seat] for seat in seats},
            "crows": _spots(rows[code.CROW - 1]),
            "crow_supply": reserve[code.CROW - 1],
            "hawks": [dot_name(dot) for dot in rows[code.HAWK - 1]],
            "hawk_supply": reserve[code.HAWK - 1],
        }

    def _cards_and_tokens(self, state: Any) -> dict[str, Any]:
        seats = range(int(state["players"]))
        discards = [row[:number] for row, number in zip(state["discard"].tolist(), state["discarded"], strict=True)]
        tokens = [cell for cell, piece in enumerate(state["on"].tolist()) if piece == code.TOKEN]
        return {
            "hands": {str(seat + 1): _cards(state["hand"][seat].tolist()) for seat in seats},
            "discards": {str(seat + 1): [code.CARDS[card] for card in discards[seat]] for seat in seats},
            "tokens": _spots(tokens),
            "token_supply": int(state["token_supply"]),
        }

    def _on_the_way(self, state: Any) -> dict[str, Any]:
        """Pieces lifted, sliding and scattering."""
        lifted, piece, moving = int(state["lifted"]), int(state["lifted_piece"]), int(state["moving"])
        name = dot_name if piece == code.HAWK else spot_name
        start = {"from": spot_name(int(state["moving_from"]))}
        number = int(state["scattering"])
        return {
            "lifted": name(lifted) if piece else None,
            "lifted_piece": _piece(piece) if piece else None,
            "moving": _piece(moving) | start if moving else None,
            "closed": _spots(sorted(state["closed"].tolist()[: int(state["n_closed"])])),
            "scattering": [
                _piece(piece) | {"from": spot_name(cell)}
                for piece, cell in zip(
                    state["scattered_piece"].tolist()[:number], state["scattered"].tolist()[:number], strict=True
                )
            ],
        }

    def _flock(self, state: Any) -> dict[str, Any] | None:
        if not state["winners"]:
            return None
        spot, shape = int(state["flock_spot"]), int(state["flock_shape"])
        return {
            "seat": int(state["flock_seat"]) + 1,
            "shape": "square" if shape == SQUARE else "line",
            "spots": _spots([spot, *(spot + offset for offset in OFFSETS[shape])]),
        }

    # --- putting a position on the table ---

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        state["active"] = words["active"] - 1
        state["black"], state["brown"] = (_line(face) for face in words["roll"] or ("crow", "hawk"))
        state["on"][:] = rules["grid"]
        state["changed"] = (1 << int(state["players"])) - 1
        state["rolled_again"] = 0
        state["last_card"] = state["card"] = _card(words["card"]) if words["card"] else code.NO_CARD
        state["flown"] = cell_of(words["flown"]) if words["flown"] else code.NOWHERE
        state["flock_moves"] = words["flock_moves"]
        state["winners"] = 0
        self._place_pieces(state, words)
        self._place_cards(state, words)
        self._place_on_the_way(state, words)

    def _place_pieces(self, state: Any, words: Mapping[str, Any]) -> None:
        state["on_board"][:] = state["reserve"][:] = state["threat"][:] = 0
        rows = {int(seat) - 1: spots for seat, spots in words["birds"].items()}
        for row, places in (rows | {code.CROW - 1: words["crows"], code.HAWK - 1: words["hawks"]}).items():
            cells = sorted(cell_of(place) for place in places)
            state["spots"][row, : len(cells)] = cells
            state["on_board"][row] = len(cells)
            if row != code.HAWK - 1:
                state["on"][cells] = row + 1
                continue
            for dot in cells:
                state["threat"][dot + code.CORNERS] += 1
        for seat, number in words["reserve"].items():
            state["reserve"][int(seat) - 1] = number
        state["reserve"][code.CROW - 1], state["reserve"][code.HAWK - 1] = words["crow_supply"], words["hawk_supply"]
        state["on"][[cell_of(spot) for spot in words["tokens"]]] = code.TOKEN
        state["token_supply"] = words["token_supply"]

    def _place_cards(self, state: Any, words: Mapping[str, Any]) -> None:
        state["hand"][:] = 0
        for seat, cards in words["hands"].items():
            row = int(seat) - 1
            for card in cards:
                state["hand"][row, _card(card)] += 1
            state["held"][row] = len(cards)
            discards = [_card(card) for card in words["discards"][seat]]
            state["discard"][row, : len(discards)] = discards
            state["discarded"][row] = len(discards)

    def _place_on_the_way(self, state: Any, words: Mapping[str, Any]) -> None:
        lifted, moving = words["lifted_piece"], words["moving"]
        state["lifted"] = cell_of(words["lifted"]) if lifted else code.NOWHERE
        state["lifted_piece"] = _piece_code(lifted) if lifted else code.NOBODY
        state["moving"] = _piece_code(moving) if moving else code.NOBODY
        state["moving_from"] = cell_of(moving["from"]) if moving else code.NOWHERE
        closed = [cell_of(spot) for spot in words["closed"]]
        state["closed"][: len(closed)] = closed
        state["n_closed"] = len(closed)
        for index, piece in enumerate(words["scattering"]):
            state["scattered"][index] = cell_of(piece["from"])
            state["scattered_piece"][index] = _piece_code(piece)
        state["scattering"] = len(words["scattering"])
