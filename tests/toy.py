"""A toy game with known odds: everybody picks one of two odd dice and rolls it once; the highest roll wins.

Die A shows 3 five times and 6 once; die B shows 2 three times and 5 three times. A beats B with chance
5/6 * 1/2 + 1/6 = 7/12, and never ties with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flocksim.simulate.bots import Strategy
from flocksim.simulate.compiled import kernel
from flocksim.simulate.game import Game
from flocksim.simulate.layout import RUNNING, WIN, Field, state_dtype
from flocksim.simulate.parameters import Parameters
from flocksim.simulate.streams import DICE, MAX_SEATS, below
from pydantic import Field as Rule

DIE_A, DIE_B = 0, 1
State = state_dtype([Field("roll", "i1", (MAX_SEATS,))], counters=1, events=1)


class ToyParameters(Parameters):
    high: int = Rule(6, ge=4, le=9, description="The high face of die A.")
    bank: int = Rule(0, ge=0, le=9, description="What a bank without a seat rolls; it loses ties. 0: there is none.")


@kernel
def setup(s, rules):
    s.seat = 0
    s.kind = 0
    s.turns = 1
    s.rounds = 1
    s.end_reason = RUNNING
    s.roll[:] = 0
    s.counters[:] = 0


@kernel
def legal(s, rules, choices):
    choices.actions[0] = DIE_A
    choices.actions[1] = DIE_B
    choices.count = 2


@kernel
def apply(s, rules, action):
    face = below(s.streams, DICE, 6)
    if action == DIE_A:
        s.roll[s.seat] = rules.high if face == 5 else 3
    else:
        s.roll[s.seat] = 5 if face > 2 else 2
        s.counters[s.seat, 0] += 1
    if s.traced:
        s.events[0] = s.roll[s.seat]
        s.n_events = 1
    if s.seat + 1 < s.players:
        s.seat += 1
        s.turns += 1
    else:
        s.end_reason = WIN


@kernel
def kinds(s, rules, action):
    return 1 << action


@kernel
def score(s, rules):
    for seat in range(s.players):
        s.score[seat] = s.roll[seat]
        s.standing[seat] = s.roll[seat]
    s.rival = rules.bank


@kernel
def standings(s, rules, now):
    for seat in range(s.players):
        now[seat] = s.roll[seat]


@kernel
def redeal(s, rules, seat):
    pass


class ToyWords:
    def action(self, code: int, state: Any) -> dict[str, Any]:
        return {"die": "AB"[code]}

    def code(self, action: Mapping[str, Any]) -> int:
        return "AB".index(action["die"])

    def event(self, code: int) -> dict[str, Any]:
        return {"rolled": code}

    def state(self, state: Any, rules: Any) -> dict[str, Any]:
        return {"rolls": [int(roll) for roll in state["roll"][: int(state["players"])]]}

    def seen(self, state: Any, rules: Any, seat: int) -> dict[str, Any]:
        return self.state(state, rules)

    def heard(self, event: Mapping[str, Any], seat: int, actor: int) -> dict[str, Any]:
        return dict(event)

    def place(self, state: Any, rules: Any, words: Mapping[str, Any]) -> None:
        state["roll"][: len(words["rolls"])] = words["rolls"]

    def decider(self, seat: int, before: Mapping[str, Any]) -> str:
        return ""

    def sentence(self, action: Mapping[str, Any]) -> str:
        return f"takes die {action['die']}"

    def consequence(self, action: Any, seat: int, before: Any, after: Any) -> str:
        return ""

    def aftermath(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
        return []

    def chance_sentence(self, event: Mapping[str, Any]) -> str:
        return f"rolls {event['rolled']}"

    def table(self, state: Mapping[str, Any]) -> list[str]:
        return [f"rolls: {state['rolls']}"]


def take_a(s, rules, choices, weights):
    return DIE_A


def take_b(s, rules, choices, weights):
    return DIE_B


TAKE_A, TAKE_B = Strategy("take-a", take_a), Strategy("take-b", take_b)

TOY = Game(
    name="toy",
    title="Toy",
    version=1,
    seats=(2, 6),
    state=State,
    rules=ToyParameters.dtype(),
    setup=setup,
    legal=legal,
    apply=apply,
    score=score,
    standings=standings,
    standing_word="pips",
    redeal=redeal,
    kinds=kinds,
    action_kinds={"die-a": "takes die A", "die-b": "takes die B"},
    parameters=ToyParameters,
    decisions=("choose",),
    counters=("b_taken",),
    words=ToyWords(),
)
