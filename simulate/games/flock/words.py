"""Flock's codes in the rulebook's words and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import FlocksimError
from ...game import Chart
from ...plurals import counted
from . import state as code

PLACES = ("pool", *code.CARDS, "stock")
STEPS = {
    code.PERFORM: "perform",
    code.DEFER: "dominance",
    code.SEND_HOME: "dominance",
    code.UPKEEP: "upkeep",
    code.GIVE_UP: "upkeep",
    code.RELOCATE: "relocate",
}
SIDES = ("right", "left")  # in the order in which a player's two flocks act
RESOURCES = ("nests", "eggs", "worms")

_ACTIVATED = tuple(f"activated_{card}" for card in code.CARDS)
COUNTER_WORDS = {
    **{
        f"vp_{card}_{place}": f"VP from {shown} on {card.title()}"
        for card in code.CARDS[:-1]
        for place, shown in (("first", "1st"), ("second", "2nd"))
    },
    "vp_pool": "VP from birds in the pool",
    **{f"birds_round_{number}": f"birds in play at the end of round {number}" for number in (1, 2, 3)},
    **{name: f"{name} left at the end" for name in RESOURCES},
    **{name: f"{card.title()} activated" for name, card in zip(_ACTIVATED, code.CARDS, strict=True)},
    "resources_gained": "nests, eggs and worms gained",
    "birds_hatched": "birds hatched",
    "birds_returned": "birds returned in upkeep",
    "initiative": "place on the initiative track at the end (1: leftmost)",
    "passes": "passes",
}
COUNTER_GROUPS = {
    "Where VP come from": code.COUNTERS[: code.VP_POOL + 1],
    "Use of the cards": _ACTIVATED,
    "Flocks and resources": (
        *(f"birds_round_{number}" for number in (1, 2, 3)),
        *("birds_hatched", "birds_returned", "resources_gained", *RESOURCES),
    ),
    "Initiative and passes": ("initiative", "passes"),
}

CHARTS = (
    Chart(
        "yields",
        "Where do VP come from?",
        "VP",
        {name: COUNTER_WORDS[name].removeprefix("VP from ") for name in COUNTER_GROUPS["Where VP come from"]},
    ),
    Chart(
        "activations",
        "Which cards are activated?",
        "activations",
        {name: card.title() for name, card in zip(_ACTIVATED, code.CARDS, strict=True)},
    ),
)


def flock_id(flock: int, state: Any) -> str:
    """'3' for seat 3's only flock, '1-left' where players have two."""
    if state["flocks"] == state["players"]:
        return str(flock + 1)
    return f"{flock // 2 + 1}-{SIDES[flock % 2]}"


def flock_number(name: str) -> int:
    """The inverse of `flock_id`."""
    seat, _, side = name.partition("-")
    return (int(seat) - 1) * 2 + SIDES.index(side) if side else int(seat) - 1


def owner(name: str) -> str:
    """The seat that a flock belongs to."""
    return name.partition("-")[0]


def called(name: str) -> str:
    """A flock for a reader: 'seat 3', 'seat 1 left'."""
    return "seat " + name.replace("-", " ")


def _title(place: Any) -> str:
    """A card as the rulebook writes it."""
    return str(place).title() if place in code.CARDS else str(place)


def _place(word: str) -> int:
    if word not in PLACES:
        raise FlocksimError(f"unknown place '{word}'; known: {', '.join(PLACES)}")
    return PLACES.index(word)


def _card(number: int) -> str | None:
    return None if number == code.NO_CARD else PLACES[number]


class FlockWords:
    """See `game.Words`."""

    # --- actions ---

    def action(self, code_: int, state: Any) -> dict[str, Any]:
        if code_ < code.PAY_FOR:
            return self._simple(code_, state)
        if code_ < code.LET_GO:
            return {"pay_for": code_ - code.PAY_FOR}
        if code_ < code.SPREAD:
            return {"from": PLACES[(code_ - code.LET_GO) // 16], "birds": code_ % 16}
        if code_ < code.DO:
            return {"to": PLACES[(code_ - code.SPREAD) // 16], "birds": code_ % 16}
        return {"singles": (code_ - code.DO) // 16, "doubles": code_ % 16}

    def _simple(self, code_: int, state: Any) -> dict[str, Any]:
        """An action that is one card or one flock."""
        if code_ >= code.RETURN:
            return {"return": flock_id(code_ - code.RETURN, state)}
        if code_ in (code.PASS, code.SECOND_SPACE):
            return {"pass": True} if code_ == code.PASS else {"initiative": 2}
        word = "place" if code_ < code.ACTIVATE else "activate" if code_ < code.SECOND_SPACE else "relocate"
        return {word: PLACES[code_ % 8]}

    def code(self, action: Mapping[str, Any]) -> int:
        word, value = next(iter(action.items()))
        if word in ("from", "to"):
            return (code.LET_GO if word == "from" else code.SPREAD) + _place(value) * 16 + int(action["birds"])
        if word == "singles":
            return code.DO + int(value) * 16 + int(action["doubles"])
        if word == "return":
            return code.RETURN + flock_number(value)
        if word == "pay_for":
            return code.PAY_FOR + int(value)
        if word in ("pass", "initiative"):
            return code.PASS if word == "pass" else code.SECOND_SPACE
        first = {"place": code.PLACE, "activate": code.ACTIVATE, "relocate": code.MOVE_ALL}
        return first[word] + _place(value)

    def event(self, code_: int) -> dict[str, Any]:
        raise FlocksimError(f"chance has no part in Flock, but did {code_}")

    # --- states ---

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        del rules
        over = state["end_reason"] != 0
        names = [flock_id(flock, state) for flock in range(int(state["flocks"]))]
        track = sorted(range(len(names)), key=lambda flock: int(state["space"][flock]))
        return {
            "flock": None if over else names[int(state["flock"])],
            "flocks": {name: self._flock(state, flock) for flock, name in enumerate(names)},
            "initiative": [names[flock] for flock in track],
            "vp": {str(seat + 1): int(state["vp"][seat]) for seat in range(int(state["players"]))},
            "acting": None if over else names[int(state["acting"])],
            "barred": _card(int(state["barred"])),
            "passes": int(state["passes"]),
            "activation": self._activation(state, names),
        }

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        """Everything: nothing is hidden."""
        return self.state(state, rules)

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        return dict(event)

    def _flock(self, state: Any, flock: int) -> dict[str, Any]:
        birds = state["birds"][flock].tolist()
        on = {card: birds[_place(card)] for card in code.CARDS if birds[_place(card)]}
        held = {resource: int(state[resource][flock]) for resource in RESOURCES}
        return {"pool": birds[code.POOL], "stock": birds[code.STOCK], "on": on, **held}

    def _activation(self, state: Any, names: Sequence[str]) -> dict[str, Any] | None:
        card = int(state["activated"])
        if card == code.NO_CARD:
            return None
        kind, by = int(state["kind"]), int(state["by"])
        order = [names[int(flock)] for flock in state["order"][: len(names)]]
        activation: dict[str, Any] = {
            "card": PLACES[card],
            "by": None if by == code.NOBODY else names[by],
            "order": order[: int(state["ordered"])],
            "step": STEPS[kind],
            "to_return": int(state["to_return"]),
            "cards_used": int(state["cards_used"]),
            "at": PLACES[int(state["at"])] if kind in (code.SEND_HOME, code.GIVE_UP, code.RELOCATE) else None,
        }
        if card == code.COMPETITION:
            activation["upkeep_order"] = order
        return activation

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        names = list(words["flocks"])
        state["flocks"] = len(names)
        for flock, held in enumerate(words["flocks"].values()):
            birds = {"pool": held["pool"], "stock": held["stock"], **held["on"]}
            state["birds"][flock] = [birds.get(place, 0) for place in PLACES]
            for resource in RESOURCES:
                state[resource][flock] = held[resource]
        for space, name in enumerate(words["initiative"]):
            state["space"][flock_number(name)] = space
        for seat, points in enumerate(words["vp"].values()):
            state["vp"][seat] = points
        state["flock"] = flock_number(words["flock"])
        state["acting"] = flock_number(words["acting"])
        state["barred"] = _place(words["barred"]) if words["barred"] else code.NO_CARD
        state["passes"] = words["passes"]
        self._place_activation(state, words["activation"], words["flock"])

    def _place_activation(self, state: Any, words: Mapping[str, Any] | None, flock: str) -> None:
        state["to_return"] = state["cards_used"] = 0
        state["activated"] = code.NO_CARD
        if words is None:
            return
        order = words.get("upkeep_order", words["order"])
        state["activated"] = _place(words["card"])
        state["by"] = code.NOBODY if words["by"] is None else flock_number(words["by"])
        state["order"][: len(order)] = [flock_number(name) for name in order]
        state["ordered"] = len(words["order"])
        state["position"] = order.index(flock)
        state["to_return"], state["cards_used"] = words["to_return"], words["cards_used"]
        if words["at"]:
            state["at"] = _place(words["at"])

    # --- prose ---

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        """The flock, where it is not the one that acts or a player has two."""
        flock = before["flock"]
        return called(flock) if "-" in flock or flock != before["acting"] else ""

    def sentence(self, action: Mapping[str, Any]) -> str:
        word, value = next(iter(action.items()))
        birds = counted(value if word == "pay_for" else action.get("birds", 0), "birds")
        told = {
            "place": "places a bird on {card}",
            "activate": "activates {card}",
            "pass": "passes",
            "singles": "performs {singles} and {doubles}",
            "initiative": "takes space 2 of the initiative track",
            "relocate": "relocates its birds to {card}",
            "return": "sends home a bird of {flock}",
            "pay_for": "pays upkeep for {birds}",
            "from": "gives up {birds} from {card}",
            "to": "moves {birds} to {card}",
        }
        return told[word].format(
            card=_title(value),
            flock=called(value) if word == "return" else "",
            birds=birds,
            singles=counted(action.get("singles", 0), "singles"),
            doubles=counted(action.get("doubles", 0), "doubles"),
        )

    def consequence(
        self, action: Mapping[str, Any], seat: int, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> str:
        if action.get("activate") == "dominance":
            return f"and {called(after['initiative'][0])} takes space 1 of the initiative track"
        old, new = before["flocks"][before["flock"]], after["flocks"][before["flock"]]
        parts = [f"{name} {old[name]} to {new[name]}" for name in RESOURCES if old[name] != new[name]]
        if old["stock"] > new["stock"]:
            parts.append(f"{counted(old['stock'] - new['stock'], 'birds')} hatched")
        if "to" in action and new["pool"] > old["pool"]:
            parts.append(f"{counted(new['pool'] - old['pool'], 'birds')} to the pool")
        return f"({', '.join(parts)})" if parts else ""

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        """That nobody could move, and the scoring that ended a round."""
        lines = []
        if before["activation"] is None and after["activation"] and after["activation"]["by"] is None:
            lines.append("Nobody can move: Competition is resolved without having been activated")
        if after["round"] != before["round"] or after["end_reason"] == "win":
            lines += [f"Round {before['round']} is scored", *self._scored_cards(after)]
            lines += [self._scored_seat(seat, points, after) for seat, points in before["vp"].items()]
        return lines

    def _scored_cards(self, state: Mapping[str, Any]) -> list[str]:
        """Who scored a card: the most birds first, ties from the left of the initiative track."""
        lines = []
        for card in code.CARDS[:-1]:
            counts = {name: state["flocks"][name]["on"].get(card, 0) for name in state["initiative"]}
            best = sorted((name for name in counts if counts[name]), key=counts.__getitem__, reverse=True)[:2]
            if best:
                ranked = ", ".join(f"{called(name)} ({counted(counts[name], 'birds')})" for name in best)
                lines.append(f"  {_title(card)}: {ranked}")
        return lines

    def _scored_seat(self, seat: str, before: int, state: Mapping[str, Any]) -> str:
        flocks = [flock for name, flock in state["flocks"].items() if owner(name) == seat]
        pool = sum(flock["pool"] for flock in flocks)
        birds = pool + sum(sum(flock["on"].values()) for flock in flocks)
        gained = state["vp"][seat] - before
        in_play = f"{counted(birds, 'birds')} in play, {pool} in the pool"
        return f"  seat {seat}: {gained} VP, now {state['vp'][seat]}; {in_play}"

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        raise FlocksimError(f"chance has no part in Flock, but did {event}")

    def table(self, state: Mapping[str, Any]) -> list[str]:
        lines = []
        for name, flock in state["flocks"].items():
            birds = ", ".join(f"{_title(card)} {number}" for card, number in flock["on"].items())
            held = ", ".join(f"{resource} {flock[resource]}" for resource in RESOURCES if flock[resource])
            lines.append(f"{called(name)}: pool {flock['pool']}, {birds or 'no card'}; {held or 'no resource'}")
        track = ", ".join(called(name) for name in state["initiative"])
        points = ", ".join(f"seat {seat} {number}" for seat, number in state["vp"].items())
        return [*lines, f"initiative: {track}; VP: {points}"]
