"""Flock's referee notices doctored traces, and games told as played by other rules."""

import copy

import pytest

from tests.oracle import flock
from tests.oracle.flock import standard_rules
from tests.oracle.flock_referee import oracle_trace, referee
from tests.rules.flock_oracle_tables import (
    PASS,
    TWO_FLOCKS,
    change,
    one_more,
    swap,
)

# ------------------------------------------------------------------------- the referee: doctored traces


def eventful(lines):
    """A game in which everything happens that the corruptions below need."""
    kinds = {line["decision"] for line in lines[2:-1]}
    return (
        kinds == set(flock.CHOICES)
        and any(PASS in line["legal"] for line in lines[2:-1])
        and len({place["score"] for place in lines[-1]["ranking"]}) == 4
    )


@pytest.fixture(scope="module")
def genuine():
    return next(lines for seed in range(1000) if eventful(lines := list(oracle_trace(4, seed))))


def told(lines, kind, choices=2):
    """The first decision of a kind after the opening, with so many choices."""
    return next(line for line in lines[10:-1] if line["decision"] == kind and len(line["legal"]) >= choices)


def other_choice(line):
    line["chosen"] = next(action for action in line["legal"] if action != line["chosen"])


def reverse_flocks(lines):
    lines[6]["state"]["flocks"] = dict(reversed(lines[6]["state"]["flocks"].items()))


CORRUPTIONS = {
    "header: another game": lambda lines: change(lines[0], game="flockers"),
    "header: one player more": lambda lines: change(lines[0], players=5),
    "header: seven players": lambda lines: change(lines[0], players=7),
    "header: a rule missing": lambda lines: lines[0]["rules"].pop("free_birds"),
    "header: a rule too many": lambda lines: change(lines[0]["rules"], wind=1),
    "header: a card missing": lambda lines: lines[0]["rules"]["vp_first"].pop("laying"),
    "header: a cap beyond the tokens": lambda lines: change(lines[0]["rules"], token_supply=23),
    "header: two flocks for four": lambda lines: change(lines[0]["rules"], flocks_per_player=2),
    "header: an unknown deadlock rule": lambda lines: change(lines[0]["rules"], deadlock="never"),
    "header: no provenance": lambda lines: change(lines[0], provenance=""),
    "set-up: something random": lambda lines: lines[1]["chance"].append({"die": 3}),
    "set-up: another start player": lambda lines: change(lines[1]["state"], to_move=2, flock="2", acting="2"),
    "set-up: a worm too many": lambda lines: one_more(lines[1], "worms"),
    "set-up: a bird too many": lambda lines: one_more(lines[1], "pool"),
    "set-up: initiative the other way": lambda lines: lines[1]["state"]["initiative"].reverse(),
    "legal: first missing": lambda lines: told(lines, "act")["legal"].pop(0),
    "legal: last missing": lambda lines: told(lines, "act")["legal"].pop(),
    "legal: one twice": lambda lines: lines[6]["legal"].append(lines[6]["legal"][0]),
    "legal: in another order": lambda lines: swap(lines[6]["legal"]),
    "legal: performed in another order": lambda lines: told(lines, "perform")["legal"].reverse(),
    "legal: an unneeded pass": lambda lines: lines[6]["legal"].append(PASS),
    "legal: no pass": lambda lines: change(next(line for line in lines[2:-1] if PASS in line["legal"]), legal=[]),
    "legal: the chosen one missing": lambda lines: lines[6]["legal"].remove(lines[6]["chosen"]),
    **{
        f"legal: one missing in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].pop(0)
        for kind in flock.CHOICES
    },
    **{
        f"chosen: another one in {kind}": lambda lines, kind=kind: other_choice(told(lines, kind))
        for kind in flock.CHOICES
    },
    "decision: number": lambda lines: change(lines[7], n=5),
    "decision: turn": lambda lines: change(lines[7], turn=lines[7]["turn"] + 1),
    "decision: round": lambda lines: change(lines[7], round=2),
    "decision: seat": lambda lines: change(lines[7], seat=lines[7]["seat"] % 4 + 1),
    "decision: kind": lambda lines: change(lines[2], decision="perform"),
    "decision: one left out": lambda lines: lines.pop(7),
    "decision: one told twice": lambda lines: lines.insert(8, copy.deepcopy(lines[7])),
    "decision: something random": lambda lines: lines[7]["chance"].append({"card": "Q"}),
    "decision: not a decision": lambda lines: change(lines[7], type="remark"),
    **{
        f"state: one more of {key}": lambda lines, key=key: one_more(lines[9], key)
        for key in ("pool", "stock", "nests", "eggs", "worms")
    },
    "state: a bird more on a card": lambda lines: change(lines[9]["state"]["flocks"]["3"]["on"], hatching=7),
    "state: a zero on a card": lambda lines: change(lines[1]["state"]["flocks"]["3"]["on"], hatching=0),
    "state: a flock missing": lambda lines: lines[9]["state"]["flocks"].pop("3"),
    "state: flocks in another order": reverse_flocks,
    "state: initiative": lambda lines: swap(lines[9]["state"]["initiative"]),
    "state: vp": lambda lines: change(lines[9]["state"]["vp"], **{"2": 5}),
    "state: to_move": lambda lines: change(lines[9]["state"], to_move=9),
    "state: flock": lambda lines: change(lines[9]["state"], flock="9"),
    "state: acting": lambda lines: change(lines[9]["state"], acting="9"),
    "state: decision": lambda lines: change(lines[9]["state"], decision="none"),
    "state: turn": lambda lines: change(lines[9]["state"], turn=99),
    "state: round": lambda lines: change(lines[9]["state"], round=3),
    "state: barred": lambda lines: change(lines[9]["state"], barred="laying"),
    "state: passes": lambda lines: change(lines[9]["state"], passes=3),
    "state: no activation": lambda lines: change(told(lines, "upkeep", 1)["state"], activation=None),
    "state: order": lambda lines: told(lines, "relocate")["state"]["activation"]["order"].append("9"),
    "state: step": lambda lines: change(told(lines, "upkeep")["state"]["activation"], step="scoring"),
    "state: at another place": lambda lines: change(told(lines, "give_up", 1)["state"], activation={"at": "nesting"}),
    "state: over too early": lambda lines: change(lines[9]["state"], end_reason="win"),
    "state: a key missing": lambda lines: lines[9]["state"].pop("barred"),
    "end: another reason": lambda lines: change(lines[-1], end_reason="turn_cap"),
    "end: still to move": lambda lines: change(lines[-2]["state"], to_move=1),
    "end: turns": lambda lines: change(lines[-1], turns=lines[-1]["turns"] + 1),
    "end: rounds": lambda lines: change(lines[-1], rounds=lines[-1]["rounds"] - 1),
    "end: decisions": lambda lines: change(lines[-1], decisions=lines[-1]["decisions"] + 1),
    "end: ranking in another order": lambda lines: swap(lines[-1]["ranking"], 0, -1),
    "end: a rank": lambda lines: change(lines[-1]["ranking"][-1], rank=9),
    "end: a score": lambda lines: change(lines[-1]["ranking"][1], score=0),
    "end: a win share": lambda lines: change(lines[-1]["ranking"][-1], win_share=0.5),
    "end: digest": lambda lines: change(lines[-1], digest="none"),
    "end: missing": lambda lines: lines.pop(),
    "end: the game goes on": lambda lines: [lines.pop(-2) for _ in range(3)],
}


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_referee_notices(genuine, kind):
    """A genuine trace has no complaints; every kind of corruption has one."""
    assert referee(genuine) == []
    lines = copy.deepcopy(genuine)
    CORRUPTIONS[kind](lines)
    assert list(map(repr, lines)) != list(map(repr, genuine))
    assert referee(lines)


# ------------------------------------------------------------------- the referee: games by another rule

OTHER_RULES = {
    "vp_first": {"laying": 5},
    "vp_second": {"nesting": 1},
    "vp_pool": 0,
    "competition_thresholds": {"3": [4, 6]},
    "rounds": 2,
    "starting_birds": 4,
    "bird_supply": 7,
    "starting_worms": 2,
    "resource_cap": 5,
    "gain_single": {"feeding": 2},
    "gain_double": {"nesting": 2},
    "cost_single": {"laying_nests": 2},
    "cost_double": {"hatching_eggs": 2},
    "upkeep_costs": {"nests": [1, 2], "worms": [1]},
    "free_birds": 3,
    "relocate_limit": 3,
    "dominance_side": "4-5",
    "turn_cap": 8,
}
ONE_BIRD = {"starting_birds": 1}


def taken_for(told, lines):
    """A trace with other rules in its header."""
    return [{**lines[0], "rules": standard_rules(**told)}, *lines[1:]]


@pytest.mark.parametrize(
    ("players", "told", "played"),
    [
        *[(3, {}, {name: value}) for name, value in OTHER_RULES.items()],
        (2, {}, TWO_FLOCKS),
        (2, {}, {"deadlock": "force_competition"}),
        (2, {**TWO_FLOCKS, **ONE_BIRD}, {**TWO_FLOCKS, **ONE_BIRD, "protect_left_flock": False}),
    ],
)
def test_referee_notices_games_under_other_rules(players, told, played):
    """Games played by one rule do not pass for games by another."""
    for seed in range(60):
        lines = list(oracle_trace(players, seed, **played))
        assert referee(lines) == []
        if referee(taken_for(told, lines)):
            return
    pytest.fail("no game told the two rules apart")
