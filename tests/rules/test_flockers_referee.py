"""Flockers' referee notices doctored traces, and games told as played by other rules."""

import copy
import pickle
import random

import pytest

from tests.oracle import flockers
from tests.oracle.flockers_cards import standard_rules
from tests.oracle.flockers_referee import oracle_trace, referee
from tests.rules.flockers_odd_rules import WILD, odd_flock_deck

# ------------------------------------------------------------------------------------ doctored traces


def decisions(lines):
    return lines[2:-1]


def eventful(lines):
    """A game in which everything happens that the corruptions below need."""
    kinds = {line["decision"] for line in decisions(lines) if len(line["legal"]) > 1}
    events = [event for line in decisions(lines) for event in line["chance"]]
    keys = {next(iter(event)) for event in events}
    finals = [line["state"]["last_turns"] for line in decisions(lines)]
    return (
        kinds == set(flockers.CHOICES)
        and {"flock_deck", "show_terrain", "decoy", "draw"} <= keys
        and any(finals)
        and len({place["score"] for place in lines[-1]["ranking"]}) == 3
    )


@pytest.fixture(scope="module")
def genuine():
    deck = odd_flock_deck(random.Random(1), 40)
    rules = {**WILD, "flock_cards": deck, "draw_from_deck": True, "final_card": 10}
    return next(lines for seed in range(2000) if eventful(lines := list(oracle_trace(3, seed, **rules))))


@pytest.fixture(scope="module")
def alone():
    """A solo game in which the automa has moved and has not."""
    for seed in range(1000):
        lines = list(oracle_trace(1, seed))
        told = {event.get("automa") for line in decisions(lines) for event in line["chance"]}
        if {"takes", "none"} <= told:
            return lines
    raise AssertionError("no such game")


def told(lines, kind, choices=2):
    """The first decision of a kind with so many choices."""
    return next(line for line in decisions(lines) if line["decision"] == kind and len(line["legal"]) >= choices)


def with_event(lines, key):
    """The first decision in which chance did that, and the event."""
    return next((line, event) for line in decisions(lines) for event in line["chance"] if key in event)


def change(line, **values):
    line.update(values)


def swap(items, a=0, b=1):
    items[a], items[b] = items[b], items[a]


def other_choice(line):
    line["chosen"] = next(action for action in line["legal"] if action != line["chosen"])


def drop_event(lines, key):
    line, event = with_event(lines, key)
    line["chance"].remove(event)


def another_card(lines, key):
    """Chance turned up the card below the one that lay on top."""
    line, event = with_event(lines, key)
    pile = "terrain_deck" if "terrain" in key else "draw_pile"
    event[key] = line["state"][pile][0]


def long_list(lines, name):
    """The first state in which that list has 2 entries or more."""
    return next(line["state"][name] for line in decisions(lines) if len(line["state"][name] or []) > 1)


CORRUPTIONS = {
    "header: another game": lambda lines: change(lines[0], game="flock"),
    "header: one player more": lambda lines: change(lines[0], players=4),
    "header: five players": lambda lines: change(lines[0], players=5),
    "header: a rule missing": lambda lines: lines[0]["rules"].pop("iconless"),
    "header: a rule too many": lambda lines: change(lines[0]["rules"], wind=1),
    "header: an unknown word": lambda lines: change(lines[0]["rules"], mismatch="turn"),
    "header: a flock of eight": lambda lines: change(lines[0]["rules"], flock_size=8),
    "header: a deck too small": lambda lines: lines[0]["rules"]["flock_cards"]["cards"].__delitem__(slice(20, None)),
    "header: a card twice": lambda lines: change(lines[0]["rules"]["flock_cards"]["cards"][5], card="Z001"),
    "header: a bonus Lead": lambda lines: change(lines[0]["rules"]["flock_cards"]["cards"][5], bonus_actions=["lead"]),
    "header: an unknown goose": lambda lines: change(lines[0]["rules"]["flock_cards"]["cards"][5], goose="grey"),
    "header: an unknown action": lambda lines: change(lines[0]["rules"]["flock_cards"]["cards"][5], action="rest"),
    "header: an unknown terrain": lambda lines: change(lines[0]["rules"]["flock_cards"]["cards"][5], terrain="sea"),
    "header: no provenance": lambda lines: change(lines[0], provenance=""),
    "header: a seat missing": lambda lines: lines[0]["seats"].pop(),
    "set-up: no shuffle": lambda lines: lines[1]["chance"].pop(0),
    "set-up: the decks the other way round": lambda lines: swap(lines[1]["chance"]),
    "set-up: an earlier start of the path": lambda lines: swap(lines[1]["chance"], 2, 5),
    "set-up: the start told as a display card": lambda lines: change(
        lines[1]["chance"][2], **{"show_terrain": lines[1]["chance"][2].pop("start")}
    ),
    "set-up: a card to another seat": lambda lines: change(lines[1]["chance"][6], to=2),
    "set-up: a card dealt twice": lambda lines: change(lines[1]["chance"][7], deal=lines[1]["chance"][6]["deal"]),
    "set-up: a card too few": lambda lines: lines[1]["chance"].pop(),
    "set-up: a card too many": lambda lines: lines[1]["chance"].append({"show": "Z001"}),
    "set-up: another start player": lambda lines: change(lines[1]["state"], to_move=2),
    "set-up: a hand in another order": lambda lines: swap(lines[1]["state"]["hands"]["2"]),
    "set-up: a card of the pile missing": lambda lines: lines[1]["state"]["draw_pile"].pop(),
    "set-up: a card of the pile twice": lambda lines: lines[1]["state"]["draw_pile"].__setitem__(
        0, lines[1]["state"]["draw_pile"][1]
    ),
    "set-up: a token ahead": lambda lines: change(lines[1]["state"]["tokens"]["2"], card=1, terrain="lake"),
    **{
        f"legal: one missing in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].pop(0)
        for kind in flockers.CHOICES
    },
    **{
        f"legal: in another order in {kind}": lambda lines, kind=kind: told(lines, kind)["legal"].reverse()
        for kind in flockers.CHOICES
    },
    **{
        f"legal: one too many in {kind}": lambda lines, kind=kind: told(lines, kind, 1)["legal"].append({"pass": True})
        for kind in flockers.CHOICES
    },
    **{
        f"chosen: another one in {kind}": lambda lines, kind=kind: other_choice(told(lines, kind))
        for kind in flockers.CHOICES
    },
    "legal: one twice": lambda lines: lines[6]["legal"].append(lines[6]["legal"][0]),
    "legal: the chosen one missing": lambda lines: lines[6]["legal"].remove(lines[6]["chosen"]),
    "chosen: what is not legal": lambda lines: [
        line.update(chosen={"take": "Z999"}, legal=[*line["legal"], {"take": "Z999"}])
        for line in [told(lines, "replenish")]
    ],
    "decision: number": lambda lines: change(lines[7], n=5),
    "decision: turn": lambda lines: change(lines[7], turn=lines[7]["turn"] + 1),
    "decision: round": lambda lines: change(lines[7], round=2),
    "decision: seat": lambda lines: change(lines[7], seat=lines[7]["seat"] % 3 + 1),
    "decision: kind": lambda lines: change(lines[2], decision="act"),
    "decision: one left out": lambda lines: lines.pop(7),
    "decision: one told twice": lambda lines: lines.insert(8, copy.deepcopy(lines[7])),
    "decision: not a decision": lambda lines: change(lines[7], type="remark"),
    "chance: something at will": lambda lines: lines[2]["chance"].append({"show": "Z001"}),
    **{
        f"chance: no {key}": lambda lines, key=key: drop_event(lines, key)
        for key in ("flock_deck", "show", "draw", "show_terrain", "decoy")
    },
    **{
        f"chance: not the top card in {key}": lambda lines, key=key: another_card(lines, key)
        for key in ("show", "draw", "show_terrain")
    },
    "chance: a shuffle too early": lambda lines: told(lines, "replenish")["chance"].insert(
        0, {"flock_deck": "shuffled"}
    ),
    "chance: a bird that was not in the flock": lambda lines: change(with_event(lines, "decoy")[1], decoy="Z999"),
    "chance: a bird elsewhere": lambda lines: change(with_event(lines, "decoy")[1], at="bottom-3"),
    "chance: a deal in mid-game": lambda lines: with_event(lines, "draw")[1].update(to=1),
    **{
        f"state: {name} in another order": lambda lines, name=name: swap(long_list(lines, name))
        for name in ("path", "terrain_display", "terrain_deck", "flock_display", "draw_pile", "discard", "out")
    },
    **{
        f"state: {name} one short": lambda lines, name=name: lines[9]["state"][name].pop()
        for name in ("path", "terrain_display", "terrain_deck", "flock_display", "draw_pile")
    },
    "state: a reshuffled pile one short": lambda lines: with_event(lines, "flock_deck")[0]["state"]["draw_pile"].pop(),
    "state: a hand": lambda lines: lines[9]["state"]["hands"]["3"].pop(),
    "state: a lead bird": lambda lines: change(lines[9]["state"]["flocks"]["1"], lead=None),
    "state: a row": lambda lines: lines[40]["state"]["flocks"]["1"].update(top=["Z999"]),
    "state: a token": lambda lines: change(lines[9]["state"]["tokens"]["3"], card=2),
    "state: a token's terrain": lambda lines: change(told(lines, "fly")["state"]["tokens"]["1"], terrain="sea"),
    "state: out": lambda lines: lines[9]["state"]["out"].append(3),
    "state: last turns": lambda lines: change(lines[9]["state"], last_turns=[2]),
    "state: last turns a seat short": lambda lines: next(
        line["state"]["last_turns"] for line in decisions(lines) if line["state"]["last_turns"]
    ).pop(),
    "state: played": lambda lines: change(lines[2]["state"], played=None),
    "state: used": lambda lines: change(lines[2]["state"]["used"], main=True),
    "state: bonus used": lambda lines: lines[2]["state"]["used"]["bonus"].append(0),
    "state: activated": lambda lines: change(lines[2]["state"], activated="Z001"),
    "state: chosen": lambda lines: lines[2]["state"]["chosen"].append("lead"),
    "state: during": lambda lines: change(lines[2]["state"], during="fox"),
    "state: to_move": lambda lines: change(lines[9]["state"], to_move=9),
    "state: decision": lambda lines: change(lines[9]["state"], decision="none"),
    "state: turn": lambda lines: change(lines[9]["state"], turn=99),
    "state: round": lambda lines: change(lines[9]["state"], round=9),
    "state: over too early": lambda lines: change(lines[9]["state"], end_reason="win"),
    "state: a key missing": lambda lines: lines[9]["state"].pop("during"),
    "end: another reason": lambda lines: change(lines[-1], end_reason="stuck"),
    "end: still to move": lambda lines: change(lines[-2]["state"], to_move=1),
    "end: turns": lambda lines: change(lines[-1], turns=lines[-1]["turns"] + 1),
    "end: rounds": lambda lines: change(lines[-1], rounds=lines[-1]["rounds"] - 1),
    "end: decisions": lambda lines: change(lines[-1], decisions=lines[-1]["decisions"] + 1),
    "end: ranking in another order": lambda lines: swap(lines[-1]["ranking"], 0, -1),
    "end: a rank": lambda lines: change(lines[-1]["ranking"][-1], rank=9),
    "end: a score": lambda lines: change(lines[-1]["ranking"][1], score=99),
    "end: a win share": lambda lines: change(lines[-1]["ranking"][-1], win_share=0.5),
    "end: digest": lambda lines: change(lines[-1], digest="none"),
    "end: missing": lambda lines: lines.pop(),
    "end: the game goes on": lambda lines: [lines.pop(-2) for _ in range(3)],
}
SOLO_CORRUPTIONS = {
    "an automa that does not match after all": lambda lines: change(with_event(lines, "flies")[1], automa="none"),
    "an automa that flies further": lambda lines: change(with_event(lines, "flies")[1], flies=3),
    "an automa's card that was not there": lambda lines: change(with_event(lines, "flies")[1], card="JB18"),
    "no terrain card added": lambda lines: drop_event(lines, "path"),
    "another terrain card added": lambda lines: change(with_event(lines, "path")[1], path="T99"),
    "no word of the automa": lambda lines: drop_event(lines, "automa"),
    "the automa's token": lambda lines: change(lines[9]["state"]["tokens"]["automa"], card=9),
    "no automa": lambda lines: lines[1]["state"]["tokens"].pop("automa"),
    "a rank": lambda lines: change(lines[-1]["ranking"][0], rank=3),
    "points": lambda lines: change(lines[-1]["ranking"][0], score=5),
    "a win share": lambda lines: change(lines[-1]["ranking"][0], win_share=0.5),
}


def doctored(lines, corrupt):
    copied = pickle.loads(pickle.dumps(lines))
    corrupt(copied)
    assert list(map(repr, copied)) != list(map(repr, lines))
    return copied


def test_referee_has_no_complaints_of_what_is_right(genuine, alone):
    assert referee(genuine) == referee(alone) == []


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_referee_notices(genuine, kind):
    """Every kind of corruption has a complaint."""
    assert referee(doctored(genuine, CORRUPTIONS[kind]))


@pytest.mark.parametrize("kind", SOLO_CORRUPTIONS)
def test_referee_notices_in_solo_games(alone, kind):
    assert referee(doctored(alone, SOLO_CORRUPTIONS[kind]))


# ----------------------------------------------------------------------------------- games by other rules

OTHER_RULES = {
    "iconless": (2, {"iconless": "stop"}),
    "mismatch": (2, {"mismatch": "stop"}),
    "decoy_shape": (2, {"decoy_shape": "keep"}),
    "draw_from_deck": (2, {"draw_from_deck": True}),
    "final_card": (2, {"final_card": 5}),
    "a later final card": (2, {"final_card": 7}),
    "turn_cap": (2, {"turn_cap": 4}),
    "hand_size": (2, {"hand_size": 4}),
    "flock_size": (2, {"flock_size": 6}),
    "flock_display": (2, {"flock_display": 4}),
    "terrain_display": (2, {"terrain_display": 2}),
    "solo_tie_wins": (1, {"solo_tie_wins": True}),
    "automa_bottom_icons": (1, {"automa_bottom_icons": False}),
    "automa_tie": (1, {"automa_tie": "rightmost"}),
    "flock_cards": (2, {"flock_cards": standard_rules()["flock_cards"]}),
    "terrain_cards": (2, {"terrain_cards": standard_rules()["terrain_cards"]}),
}


@pytest.mark.parametrize("name", OTHER_RULES)
def test_referee_notices_games_under_other_rules(name):
    """Games played by one rule do not pass for games by another."""
    players, changes = OTHER_RULES[name]
    for seed in range(100):
        lines = list(oracle_trace(players, seed, **{**WILD, **changes}))
        assert referee(lines) == []
        if referee([{**lines[0], "rules": standard_rules(**WILD)}, *lines[1:]]):
            return
    pytest.fail("no game told the two rules apart")
