"""The referee of 4 the Birds notices doctored traces, and games told as played by other rules."""

import copy
import pickle

import pytest

from tests.oracle.birds_choices import CHOICES
from tests.oracle.birds_position import standard_rules
from tests.oracle.birds_referee import oracle_trace, referee
from tests.rules.birds_oracle_tables import change, swap

# ------------------------------------------------------------------------- the referee: doctored traces

ASKED = sorted(set(CHOICES) - {"place_hawk", "place_crow"})
EVENTS = {"hawk", "crow", "roll", "regain"}


def eventful(lines):
    """A game in which everything happens that the corruptions below need."""
    decisions = lines[2:-1]
    return (
        {line["decision"] for line in decisions} == set(ASKED)
        and {kind for line in lines[1:-1] for event in line["chance"] for kind in event} == EVENTS
        and any("token" in line["chosen"] for line in decisions)
        and all(any(len(line["legal"]) > 1 for line in decisions if line["decision"] == kind) for kind in ASKED)
        and lines[-1]["end_reason"] == "win"
    )


@pytest.fixture(scope="module")
def genuine():
    """A trace without complaints, pickled: quicker to copy than lists."""
    lines = next(lines for seed in range(1000) if eventful(lines := list(oracle_trace(3, seed))))
    assert referee(lines) == []
    return pickle.dumps(lines)


@pytest.fixture(scope="module")
def chosen_set_up():
    return list(oracle_trace(3, 1, setup="choose"))


def told(lines, kind, choices=2):
    """The first decision of a kind with so many choices."""
    return next(line for line in lines[2:-1] if line["decision"] == kind and len(line["legal"]) >= choices)


def other_choice(line):
    line["chosen"] = next(action for action in line["legal"] if action != line["chosen"])


def with_event(lines, kind):
    return next(line for line in lines[2:-1] if any(kind in event for event in line["chance"]))


def last_roll(line):
    return [event for event in line["chance"] if "roll" in event][-1]["roll"]


def after(lines, *verbs):
    """The state after the first choice with one of these verbs."""
    return next(line["state"] for line in lines[2:-1] if verbs[0] in line["chosen"])


def moving(lines):
    return next(line["state"] for line in lines[2:-1] if line["state"]["decision"] == "displace")


CORRUPTIONS = {
    "header: another game": lambda lines: change(lines[0], game="flock"),
    "header: one player more": lambda lines: change(lines[0], players=4),
    "header: seven players": lambda lines: change(lines[0], players=7),
    "header: a rule missing": lambda lines: lines[0]["rules"].pop("tokens"),
    "header: a rule too many": lambda lines: change(lines[0]["rules"], wind=1),
    "header: a card missing": lambda lines: lines[0]["rules"]["cards"].pop("mock"),
    "header: four copies": lambda lines: lines[0]["rules"]["cards"].update(mock=4),
    "header: nine birds": lambda lines: change(lines[0]["rules"], birds=9),
    "header: more crows at the start": lambda lines: change(lines[0]["rules"], crows=1),
    "header: a side of 8": lambda lines: lines[0]["rules"]["board_size"].update({"3": 8}),
    "header: an unknown layout": lambda lines: change(lines[0]["rules"], branch_layout={"name": "oak"}),
    "header: an unknown win check": lambda lines: change(lines[0]["rules"], win_check="never"),
    "header: no provenance": lambda lines: change(lines[0], provenance=""),
    "set-up: another hawk": lambda lines: change(lines[1]["chance"][0], hawk="12-23"),
    "set-up: a crow next to the hawk": lambda lines: change(
        lines[1]["chance"][1], crow=lines[1]["chance"][0]["hawk"][:2]
    ),
    "set-up: crows together": lambda lines: change(lines[1]["chance"][1], crow=lines[1]["chance"][2]["crow"]),
    "set-up: a crow fewer": lambda lines: lines[1]["chance"].pop(1),
    "set-up: a crow before the hawk": lambda lines: swap(lines[1]["chance"]),
    "set-up: no roll": lambda lines: lines[1]["chance"].pop(),
    "set-up: another start player": lambda lines: change(lines[1]["state"], to_move=2, active=2),
    "set-up: a card too few": lambda lines: lines[1]["state"]["hands"]["2"].pop(),
    "set-up: a bird too many": lambda lines: change(lines[1]["state"]["reserve"], **{"2": 7}),
    "legal: one twice": lambda lines: lines[6]["legal"].append(lines[6]["legal"][0]),
    "legal: none": lambda lines: change(lines[6], legal=[]),
    **{f"legal: first missing in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].pop(0) for kind in ASKED},
    **{f"legal: last missing in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].pop() for kind in ASKED},
    **{f"legal: another order in {kind}": lambda lines, kind=kind: swap(told(lines, kind)["legal"]) for kind in ASKED},
    **{f"chosen: another one in {kind}": lambda lines, kind=kind: other_choice(told(lines, kind)) for kind in ASKED},
    "chosen: not legal": lambda lines: change(lines[6], chosen={"place": "99"}),
    "chosen: passing": lambda lines: change(lines[6], chosen={"done": True}),
    "decision: number": lambda lines: change(lines[7], n=5),
    "decision: turn": lambda lines: change(lines[7], turn=lines[7]["turn"] + 1),
    "decision: round": lambda lines: change(lines[7], round=9),
    "decision: seat": lambda lines: change(lines[7], seat=lines[7]["seat"] % 3 + 1),
    "decision: kind": lambda lines: change(lines[2], decision="land"),
    "decision: one left out": lambda lines: lines.pop(7),
    "decision: one told twice": lambda lines: lines.insert(8, copy.deepcopy(lines[7])),
    "decision: not a decision": lambda lines: change(lines[7], type="remark"),
    "chance: another roll": lambda lines: last_roll(with_event(lines, "roll")).reverse(),
    "chance: no roll": lambda lines: with_event(lines, "roll")["chance"].clear(),
    "chance: a needless roll": lambda lines: with_event(lines, "roll")["chance"].append({"roll": [1, 2]}),
    "chance: a roll off the board": lambda lines: change(with_event(lines, "roll")["chance"][-1], roll=[9, 9]),
    "chance: a hawk on the black die": lambda lines: change(with_event(lines, "roll")["chance"][-1], roll=["hawk", 3]),
    "chance: another regained": lambda lines: change(with_event(lines, "regain")["chance"][-1], regain="none"),
    "chance: nothing regained": lambda lines: with_event(lines, "regain")["chance"].pop(),
    "chance: regained without doubles": lambda lines: with_event(lines[40:], "roll")["chance"].append(
        {"regain": "shoo"}
    ),
    "chance: rolls left out": lambda lines: with_event(lines, "roll")["chance"].insert(0, {"more_rolls": 2}),
    "chance: a card falls": lambda lines: lines[7]["chance"].append({"card": "Q"}),
    "state: turn": lambda lines: change(lines[9]["state"], turn=99),
    "state: round": lambda lines: change(lines[9]["state"], round=99),
    "state: to_move": lambda lines: change(lines[9]["state"], to_move=9),
    "state: active": lambda lines: change(lines[9]["state"], active=9),
    "state: decision": lambda lines: change(lines[9]["state"], decision="none"),
    "state: roll": lambda lines: change(lines[9]["state"], roll=["crow", "hawk"]),
    "state: a bird elsewhere": lambda lines: lines[20]["state"]["birds"]["1"].append("99"),
    "state: a bird gone": lambda lines: next(
        birds for line in lines[9:-1] for birds in line["state"]["birds"].values() if birds
    ).pop(),
    "state: birds in another order": lambda lines: next(
        birds for line in lines[9:-1] for birds in line["state"]["birds"].values() if len(birds) > 1
    ).reverse(),
    "state: reserve": lambda lines: change(lines[9]["state"]["reserve"], **{"1": 9}),
    "state: a crow": lambda lines: lines[9]["state"]["crows"].pop(),
    "state: crow supply": lambda lines: change(lines[9]["state"], crow_supply=9),
    "state: a hawk": lambda lines: lines[9]["state"]["hawks"].append("11-22"),
    "state: hawk supply": lambda lines: change(lines[9]["state"], hawk_supply=9),
    "state: a hand": lambda lines: lines[9]["state"]["hands"]["2"].append("peck"),
    "state: a hand in another order": lambda lines: swap(lines[1]["state"]["hands"]["2"]),
    "state: discards": lambda lines: lines[9]["state"]["discards"]["2"].append("peck"),
    "state: tokens": lambda lines: after(lines, "token")["tokens"].clear(),
    "state: token supply": lambda lines: change(lines[9]["state"], token_supply=3),
    "state: card": lambda lines: change(after(lines, "play"), card="roll"),
    "state: flown": lambda lines: change(
        next(line["state"] for line in lines[2:-1] if line["state"]["flown"]), flown=None
    ),
    "state: flock moves": lambda lines: change(
        next(line["state"] for line in lines[2:-1] if line["state"]["flock_moves"]), flock_moves=0
    ),
    "state: lifted": lambda lines: change(after(lines, "lift"), lifted=None),
    "state: lifted piece": lambda lines: change(after(lines, "lift"), lifted_piece={"crow": True}),
    "state: another bird moving": lambda lines: change(moving(lines)["moving"], bird=9),
    "state: moving from elsewhere": lambda lines: change(moving(lines)["moving"], **{"from": "77"}),
    "state: closed": lambda lines: next(
        line["state"]["closed"] for line in lines[2:-1] if line["state"]["closed"]
    ).append("77"),
    "state: scattering": lambda lines: next(
        line["state"]["scattering"] for line in lines[2:-1] if line["state"]["scattering"]
    ).pop(),
    "state: a flock": lambda lines: change(lines[9]["state"], flock={"seat": 1, "shape": "line", "spots": []}),
    "state: over too early": lambda lines: change(lines[9]["state"], end_reason="win"),
    "state: a key missing": lambda lines: lines[9]["state"].pop("closed"),
    "state: a key too many": lambda lines: change(lines[9]["state"], wind=1),
    "end: another reason": lambda lines: change(lines[-1], end_reason="turn_cap"),
    "end: still to move": lambda lines: change(lines[-2]["state"], to_move=1),
    "end: another flock": lambda lines: change(lines[-2]["state"]["flock"], shape="circle"),
    "end: turns": lambda lines: change(lines[-1], turns=lines[-1]["turns"] + 1),
    "end: rounds": lambda lines: change(lines[-1], rounds=lines[-1]["rounds"] - 1),
    "end: decisions": lambda lines: change(lines[-1], decisions=lines[-1]["decisions"] + 1),
    "end: ranking in another order": lambda lines: swap(lines[-1]["ranking"], 0, -1),
    "end: a rank": lambda lines: change(lines[-1]["ranking"][-1], rank=3),
    "end: a score": lambda lines: change(lines[-1]["ranking"][1], score=1),
    "end: a win share": lambda lines: change(lines[-1]["ranking"][-1], win_share=0.5),
    "end: digest": lambda lines: change(lines[-1], digest="none"),
    "end: missing": lambda lines: lines.pop(),
    "end: the game goes on": lambda lines: [lines.pop(-2) for _ in range(3)],
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_referee_notices(genuine, kind):
    """Every kind of corruption of a genuine trace has a complaint."""
    lines = pickle.loads(genuine)
    CORRUPTIONS[kind](lines)
    assert lines != pickle.loads(genuine)
    assert referee(lines)


@pytest.mark.parametrize("kind", ["place_hawk", "place_crow"])
@pytest.mark.parametrize(
    "corruption", [lambda line: line["legal"].pop(), lambda line: swap(line["legal"]), other_choice]
)
def test_referee_notices_a_wrong_choice_of_set_up(chosen_set_up, kind, corruption):
    assert referee(chosen_set_up) == []
    lines = copy.deepcopy(chosen_set_up)
    corruption(told(lines, kind))
    assert referee(lines)


# -------------------------------------------------------------------------------- rolls that are left out

BARREN = {"cards": dict.fromkeys(("roll", "shoo", "mock", "peck", "swoop", "flock"), 0), "crows": 0}
BARREN |= {"crows_at_start": 0, "hawks": 0, "hawks_at_start": 0, "board_size": {"2": 4}, "turn_cap": 400}


@pytest.fixture(scope="module")
def with_many_rolls():
    """A game without cards on a small board full of tokens: some rolls are left out of a list."""
    games = (list(oracle_trace(2, seed, **BARREN)) for seed in range(3000))
    return next(
        lines for lines in games if any("more_rolls" in event for line in lines[2:-1] for event in line["chance"])
    )


@pytest.mark.parametrize(
    "corruption",
    [
        lambda chance: chance.pop(),
        lambda chance: change(chance[-2], more_rolls=0),
        lambda chance: change(chance[-2], more_rolls=1001),
        lambda chance: swap(chance, -1, -2),
        lambda chance: chance.pop(0),
        lambda chance: chance.insert(0, chance[0]),
        lambda chance: chance.insert(-1, {"regain": "shoo"}),
    ],
)
def test_referee_notices_wrong_lists_of_many_rolls(with_many_rolls, corruption):
    """B26."""
    assert referee(with_many_rolls) == []
    lines = copy.deepcopy(with_many_rolls)
    corruption(with_event(lines, "more_rolls")["chance"])
    assert referee(lines)


# ------------------------------------------------------------------- the referee: games by another rule

OTHER_RULES = [
    {"branch_layout": {"name": "full"}},
    {"board_size": {"3": 6}},
    {"birds": 5},
    {"cards": {"swoop": 2}},
    {"cards": {"roll": 0}},
    {"crows": 4},
    {"crows_at_start": 1},
    {"hawks": 2},
    {"hawks_at_start": 0},
    {"tokens": 1},
    {"win_check": "active"},
    {"setup": "choose"},
    {"cards_onto_threat": True},
    {"shoo": {"move": False}},
    {"shoo": {"remove": False}},
    {"mock": {"move": False}},
    {"mock": {"place": False}},
    {"win_square": False},
    {"win_line": False},
    {"turn_cap": 9},
]


@pytest.mark.parametrize("played", OTHER_RULES)
def test_referee_notices_games_under_other_rules(played):
    """Games played by one rule do not pass for games by another (several_flocks matters rarely: tried by hand)."""
    for seed in range(60):
        lines = list(oracle_trace(3, seed, **played))
        assert referee(lines) == []
        if referee([{**lines[0], "rules": standard_rules()}, *lines[1:]]):
            return
    pytest.fail("no game told the two rules apart")
