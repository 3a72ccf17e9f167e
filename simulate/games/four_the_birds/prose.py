"""4 the Birds told to a reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...game import Chart
from ...plurals import counted
from . import state as code
from .words import CARD_WORDS, Codes

COUNTER_WORDS = {
    "won_square": "wins by a square",
    "won_line": "wins by a line",
    "won_own_turn": "wins on the winner's own turn",
    "won_other_turn": "wins on another player's turn",
    "flock_at": "the winner's flock: two digits of its first spot, then 1 for a square or 2 to 5 for a line across, "
    "down left, down, down right",
    **{f"played_{card}": f"{CARD_WORDS[card]} played" for card in code.CARDS},
    **{f"won_with_{card}": f"own turns won with {CARD_WORDS[card]} as the last card" for card in code.CARDS},
    "birds_placed": "birds placed by a roll",
    "birds_relocated": "birds relocated by a roll",
    "birds_displaced": "own birds displaced",
    "birds_scattered": "own birds scattered by hawks",
    "birds_flown_off": "own birds that flew to the reserve",
    "crows_placed": "crows placed",
    "crows_moved": "crows moved",
    "hawks_placed": "hawks placed",
    "hawks_moved": "hawks moved",
    "hawks_removed": "hawks removed",
    "tokens_placed": "tokens placed",
    "doubles": "doubles rolled",
    "cards_regained": "cards regained by doubles",
    "re_rolls": "re-rolls because nothing was legal",
}
_CARDS = code.COUNTERS[code.PLAYED : code.WON_WITH]
COUNTER_GROUPS = {
    "How flocks win": ("won_square", "won_line", "won_own_turn", "won_other_turn"),
    "Use of the cards": _CARDS,
    "Wins with a card": code.COUNTERS[code.WON_WITH : code.BIRDS_PLACED],
    "Birds": code.COUNTERS[code.BIRDS_PLACED : code.CROWS_PLACED],
    "Crows, hawks and tokens": code.COUNTERS[code.CROWS_PLACED : code.DOUBLES],
    "Rolls": code.COUNTERS[code.DOUBLES :],
}
USES = _CARDS
WIN_KINDS = {
    "Shape of the winner's flock": ("won_square", "won_line"),
    "On whose turn it stood": ("won_own_turn", "won_other_turn"),
    "Last card that the winner played, won on the own turn": code.COUNTERS[code.WON_WITH : code.BIRDS_PLACED],
}

CHARTS = (Chart("cards", "Which cards are played?", "cards", dict(zip(_CARDS, CARD_WORDS.values(), strict=True))),)


class FourTheBirdsWords(Codes):
    """See `game.Words`."""

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        """The seat, where it is not the one whose turn it is."""
        return "" if seat == before["active"] else f"seat {seat}"

    def sentence(self, action: Mapping[str, Any]) -> str:
        word, value = next(iter(action.items()))
        told = {
            "place": "places a bird on {}",
            "lift": "lifts the bird on {}",
            "crow_to": "places a crow on {}",
            "lift_crow": "lifts the crow on {}",
            "hawk_to": "places a hawk on the dot {}",
            "lift_hawk": "lifts the hawk on the dot {}",
            "remove_hawk": "removes the hawk on the dot {}",
            "play": "plays {}",
            "token": "places a token on {}",
            "slide": "slides on to {}",
            "displace": "slides to {}",
            "scatter": "goes on with the piece lifted from {}",
            "fly_to": "flies it to {}",
            "done": "moves no other bird",
        }
        return told[word].format(CARD_WORDS.get(value, value))

    def consequence(
        self, action: Mapping[str, Any], seat: int, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> str:
        """Whom a landing displaces or scatters, and that a threatened spot is no place to stay."""
        word, spot = next(iter(action.items()))
        if after["decision"] == "slide" and after["moving"]["from"] == spot:
            return "under a hawk"
        if word == "hawk_to" and after["scattering"]:
            lifted = ", ".join(f"{_called(piece)} on {piece['from']}" for piece in after["scattering"])
            return f"and scatters {lifted}"
        displaced = [bird for bird, spots in before["birds"].items() if spot in spots]
        if displaced and word in _LANDINGS:
            return f"and displaces a bird of seat {displaced[0]}"
        return ""

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """Birds that found no place, and the flock that won."""
        lines = [
            f"a bird of seat {seat} flies to the reserve"
            for seat, number in after["reserve"].items()
            for _ in range(max(0, number - before["reserve"][seat]))
        ]
        lines += ["a crow flies to the supply"] * max(0, after["crow_supply"] - before["crow_supply"])
        if flock := after["flock"]:
            lines.append(f"seat {flock['seat']} has a flock: the {flock['shape']} {', '.join(flock['spots'])}")
        return lines

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        word, value = next(iter(event.items()))
        if word == "roll":
            return f"black {value[0]}, brown {value[1]}"
        if word == "regain":
            return f"doubles bring {CARD_WORDS[value]} back"
        return f"{counted(value, 'rolls')} more" if word == "more_rolls" else f"a {word} on {value}"

    def table(self, state: Mapping[str, Any]) -> list[str]:
        lines = []
        for seat, spots in state["birds"].items():
            cards = " ".join(CARD_WORDS[card] for card in state["hands"][seat]) or "no cards"
            played = " ".join(CARD_WORDS[card] for card in state["discards"][seat]) or "nothing"
            reserve = state["reserve"][seat]
            lines.append(
                f"seat {seat}: birds on {' '.join(spots) or 'no spot'}, {reserve} in reserve; {cards}; played {played}"
            )
        crows, hawks = " ".join(state["crows"]) or "nowhere", " ".join(state["hawks"]) or "nowhere"
        tokens = f"; tokens on {' '.join(state['tokens'])}" if state["tokens"] else ""
        lines.append(f"crows on {crows}; hawks on {hawks}{tokens}")
        if state["roll"]:
            lines.append(f"seat {state['active']} rolls black {state['roll'][0]}, brown {state['roll'][1]}")
        return lines


_LANDINGS = ("place", "crow_to", "slide", "displace", "fly_to")


def _called(piece: Mapping[str, Any]) -> str:
    return "the crow" if piece.get("crow") else f"seat {piece['bird']}'s bird"
