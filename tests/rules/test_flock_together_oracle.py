"""Flock Together against the independent oracle: refereed games, the referee, counted action sequences.

FLOCKSIM_ORACLE_GAMES sets how many traced games are refereed per set of parameters (`make referee`: 2000).
"""

import copy
import os
from collections import Counter

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table
from flocksim.simulate.trace import trace_game
from flocksim.strategies.catalogue import shipped
from flocksim.strategies.uniform import RANDOM

from tests.oracle.flock_together import by_rarity, standard_rules
from tests.oracle.flock_together_referee import count_sequences, referee

GAMES = int(os.environ.get("FLOCKSIM_ORACLE_GAMES", "40"))
SEED = 2024
RARER = {"small_flock": by_rarity(5, 3), "big_flock": by_rarity(7, 4)}
QUICK = {"win_species": 6}
ODD_MIX = {
    "cards": {**by_rarity(14, 9), "A-2": 11, "Q": 12},
    "small_flock": by_rarity(4, 2),
    "big_flock": by_rarity(6, 4),
    "small_gain": 2,
    "big_gain": 3,
    "hand_size": 6,
    "rows": 3,
    "row_cards": 4,
    "first_birds": 2,
    "draw_cards": 3,
    "win_species": 8,
    "win_sets": 3,
    "win_set_size": 5,
    "turn_cap": 60,
}
VARIANTS = {
    "standard": {},
    "rarer-rare-birds": RARER,
    "quick-game": QUICK,
    "both": {**RARER, **QUICK},
    "no draw with an empty hand": {"draw_before_empty_check": False},
    "exhaustion ends the game": {"exhaustion_ends_game": True},
    "odd mix": ODD_MIX,
    "odd mix, other rulings": {**ODD_MIX, "draw_before_empty_check": False, "exhaustion_ends_game": True},
    "no draws, small hands": {"draw_cards": 0, "hand_size": 3, "rows": 2},
    "a set-up that rejects hundreds of cards": {"rows": 8, "row_cards": 8, "hand_size": 3},
}


def traced(players, index, strategies=(RANDOM,), **changes):
    """The lines of one traced game, of uniformly random players unless others are named."""
    game = load_game("flock-together")
    rules = game.parameters.build(players, changes)
    return list(trace_game(game, rules, players, strategies, seed=SEED, index=index))


# ----------------------------------------------------------------------------------------- refereed games


@pytest.mark.refereed
@pytest.mark.parametrize("share", range(4))
@pytest.mark.parametrize("variant", ["standard", "rarer-rare-birds", "quick-game"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_oracle_replays_traced_games(players, variant, share):
    """Every line of every traced game agrees with the oracle, with every shipped strategy (random too) at the table."""
    strategies = list(shipped("flock-together").values())
    for index in range(share, GAMES, 4):
        assert referee(traced(players, index, strategies, **VARIANTS[variant])) == []


@pytest.mark.refereed
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_oracle_replays_games_of_random_players(players, variant):
    """The same for random players, who get into every corner of the rules, and for rules that nobody printed."""
    for index in range(max(20, GAMES // 20)):
        assert referee(traced(players, index, **VARIANTS[variant])) == []


# ------------------------------------------------------------------------------------- the referee itself


def eventful(lines):
    """A game in which everything happens that the corruptions below need."""
    events = [event for line in lines[1:-1] for event in line["chance"]]
    told = [line for line in lines[2:-1] if len(line["chance"]) > 1]
    return (
        any("reshuffle" in event for event in events)
        and any(event.get("to") == "discard" for event in lines[1]["chance"])
        and any(event.get("to") == "row" for event in events[len(lines[1]["chance"]) :])
        and any(line["chosen"].get("fly", "none") != "none" for line in told)
        and any(line["state"]["round"] > 1 for line in told)
        and len({place["score"] for place in lines[-1]["ranking"]}) > 1
    )


@pytest.fixture(scope="module")
def genuine():
    return next(lines for index in range(1000) if eventful(lines := traced(4, index)))


def decision(lines, holds):
    """The first decision line after the opening for which `holds`."""
    return next(line for line in lines[4:-1] if holds(line))


def drawn(lines):
    return decision(
        lines,
        lambda line: line["chosen"] == {"draw": "yes"} and "card" in line["chance"][0] and line["state"]["round"] == 1,
    )


def refilled(lines):
    return decision(lines, lambda line: any(event.get("to") == "row" for event in line["chance"]))


def dealt(lines):
    return decision(lines, lambda line: len(line["chance"]) >= 32)


def reshuffled(lines):
    return decision(lines, lambda line: any("reshuffle" in event for event in line["chance"]))


def flown(lines):
    return decision(lines, lambda line: line["chosen"].get("fly", "none") != "none")


def other_species(species):
    return "K" if species != "K" else "Q"


def move_card(counts, step):
    """One card more or fewer of the first species of `counts`."""
    species = next(iter(counts))
    counts[species] += step


def wrong_card(event):
    event["card"] = other_species(event["card"])


def swap(items, a=0, b=1):
    items[a], items[b] = items[b], items[a]


def change(line, **values):
    line.update(values)


def swap_unlike(cards):
    """Two unlike neighbours change places."""
    at = next(place for place in range(len(cards) - 1) if cards[place] != cards[place + 1])
    swap(cards, at, at + 1)


def forget_reshuffle(lines):
    line = reshuffled(lines)
    line["chance"] = [event for event in line["chance"] if "reshuffle" not in event]


def miscount_reshuffle(lines):
    event = next(event for event in reshuffled(lines)["chance"] if "reshuffle" in event)
    event["reshuffle"] += 1


def keep_rejected_card(lines):
    event = next(event for event in lines[1]["chance"] if event["to"] == "discard")
    change(event, to="row", row=1)


def throw_away_set_up_card(lines):
    species = next(iter(lines[1]["state"]["discard"]))
    lines[1]["state"]["discard"][species] += 1


def legal_of_another_card(lines):
    play = lines[5 if lines[5]["decision"] == "play" else 6]
    held = {action.get("play") for action in play["legal"]}
    play["legal"].append({"play": next(s for s in by_rarity(1, 1) if s not in held), "row": 1, "end": "left"})


def last_state(lines):
    return lines[-2]["state"]


CORRUPTIONS = {
    "header: another game": lambda lines: change(lines[0], game="flock"),
    "header: one player more": lambda lines: change(lines[0], players=5),
    "header: a rule missing": lambda lines: lines[0]["rules"].pop("win_sets"),
    "header: a species missing": lambda lines: lines[0]["rules"]["small_flock"].pop("Q"),
    "header: another hand size": lambda lines: change(lines[0]["rules"], hand_size=7),
    "header: another draw": lambda lines: change(lines[0]["rules"], draw_cards=3),
    "header: other species totals": lambda lines: change(lines[0]["rules"], cards=by_rarity(17, 8)),
    "set-up: a rejected card kept": keep_rejected_card,
    "set-up: a card to another seat": lambda lines: change(lines[1]["chance"][-6], seat=1, to="hand"),
    "set-up: collections before hands": lambda lines: lines[1]["chance"].insert(12, lines[1]["chance"].pop()),
    "set-up: a card too few": lambda lines: lines[1]["chance"].pop(),
    "set-up: a card too many": lambda lines: lines[1]["chance"].append({"card": "Q", "to": "hand", "seat": 1}),
    "set-up: a row repeats a species": lambda lines: lines[1]["state"]["rows"][0].__setitem__(
        1, lines[1]["state"]["rows"][0][0]
    ),
    "set-up: another first player": lambda lines: change(lines[1]["state"], to_move=2),
    "set-up: a 105th card": throw_away_set_up_card,
    "legal: one missing": lambda lines: lines[6]["legal"].pop(
        next(place for place, action in enumerate(lines[6]["legal"]) if action != lines[6]["chosen"])
    ),
    "legal: one twice": lambda lines: lines[6]["legal"].append(lines[6]["legal"][0]),
    "legal: a species not in hand": legal_of_another_card,
    "legal: a row that is not there": lambda lines: lines[2]["legal"].append({**lines[2]["legal"][0], "row": 5}),
    "legal: a flock too small": lambda lines: flown(lines)["legal"].append({"fly": "A-2"}),
    "legal: the chosen one missing": lambda lines: lines[6]["legal"].remove(lines[6]["chosen"]),
    "decision: number": lambda lines: change(lines[7], n=5),
    "decision: turn": lambda lines: change(lines[7], turn=lines[7]["turn"] + 1),
    "decision: round": lambda lines: change(lines[7], round=2),
    "decision: seat": lambda lines: change(lines[7], seat=lines[7]["seat"] % 4 + 1),
    "decision: kind": lambda lines: change(lines[2], decision="fly"),
    "decision: one left out": lambda lines: lines.pop(7),
    "decision: one told twice": lambda lines: lines.insert(8, copy.deepcopy(lines[7])),
    "decision: another choice": lambda lines: change(drawn(lines), chosen={"draw": "no"}),
    "chance: a card that was not on top": lambda lines: wrong_card(drawn(lines)["chance"][0]),
    "chance: a draw for another seat": lambda lines: change(drawn(lines)["chance"][0], seat=9),
    "chance: a card missing": lambda lines: drawn(lines)["chance"].pop(),
    "chance: a card too many": lambda lines: drawn(lines)["chance"].append(drawn(lines)["chance"][0]),
    "chance: a refill of another row": lambda lines: change(refilled(lines)["chance"][0], row=9),
    "chance: a deal that begins elsewhere": lambda lines: [
        change(event, seat=event["seat"] % 4 + 1) for event in dealt(lines)["chance"] if "seat" in event
    ],
    "chance: a reshuffle not told": forget_reshuffle,
    "chance: a reshuffle of another size": miscount_reshuffle,
    "chance: a reshuffle too early": lambda lines: drawn(lines)["chance"].insert(0, {"reshuffle": 1}),
    "state: a row in another order": lambda lines: swap_unlike(lines[6]["state"]["rows"][0]),
    "state: rows in another order": lambda lines: swap(lines[6]["state"]["rows"]),
    "state: a hand with a card more": lambda lines: move_card(lines[6]["state"]["hands"]["2"], +1),
    "state: a hand with a zero": lambda lines: lines[2]["state"]["hands"].__setitem__("1", Counter(Q=0)),
    "state: a seat without a hand": lambda lines: lines[6]["state"]["hands"].pop("3"),
    "state: a collection with a card more": lambda lines: move_card(lines[6]["state"]["collections"]["3"], +1),
    "state: a flight that discards too much": lambda lines: move_card(flown(lines)["state"]["discard"], +1),
    "state: the draw pile in another order": lambda lines: swap_unlike(lines[6]["state"]["draw_pile"]),
    "state: the draw pile a card short": lambda lines: lines[6]["state"]["draw_pile"].pop(),
    "state: a reshuffled pile a card short": lambda lines: reshuffled(lines)["state"]["draw_pile"].pop(),
    "state: another player to move": lambda lines: change(lines[6]["state"], to_move=9),
    "state: another decision": lambda lines: change(lines[6]["state"], decision="none"),
    "state: another turn": lambda lines: change(lines[6]["state"], turn=99),
    "state: another round": lambda lines: change(lines[6]["state"], round=9),
    "state: over too early": lambda lines: change(lines[6]["state"], end_reason="win"),
    "state: a key missing": lambda lines: lines[6]["state"].pop("discard"),
    "end: another reason": lambda lines: change(lines[-1], end_reason="turn_cap"),
    "end: another reason in the state too": lambda lines: [
        change(part, end_reason="turn_cap") for part in (lines[-1], last_state(lines))
    ],
    "end: still to move": lambda lines: change(last_state(lines), to_move=1),
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
    assert lines != genuine
    assert referee(lines)


@pytest.mark.parametrize(
    ("played", "told"),
    [
        ({"draw_before_empty_check": False}, {"draw_before_empty_check": True}),
        ({"draw_before_empty_check": True}, {"draw_before_empty_check": False}),
        ({"turn_cap": 20}, {"turn_cap": 21}),
        ({"big_gain": 1}, {"big_gain": 2}),
        (RARER, {"small_flock": by_rarity(5, 2)}),
        ({"win_species": 6}, {"win_species": 7}),
        ({"win_set_size": 4}, {"win_set_size": 3}),
        ({"row_cards": 2}, {"row_cards": 3}),
        ({"first_birds": 2}, {"first_birds": 1}),
    ],
)
def test_referee_notices_games_under_other_rules(played, told):
    """Games played by one rule do not pass for games by another."""
    for index in range(200):
        lines = traced(4, index, **played)
        assert referee(lines) == []
        lines[0]["rules"] = {**lines[0]["rules"], **told}
        if referee(lines):
            return
    pytest.fail("no game told the two rules apart")


# ----------------------------------------------------------------------------- counted action sequences


def small_state(rows, hands, birds=("A-2", "A-2"), pile=16, rest="discard", **turn):
    """A state of two players whose draw pile is all 7-8; the remaining cards lie in the discard or a row."""
    rows = [row.split() for row in rows]
    seats = {str(seat): Counter(cards.split()) for seat, cards in enumerate(hands, start=1)}
    collections = {str(seat): Counter(cards.split()) for seat, cards in enumerate(birds, start=1)}
    left = Counter(by_rarity(16, 8))
    left.subtract({"7-8": pile})
    for part in [*map(Counter, rows), *seats.values(), *collections.values()]:
        left.subtract(part)
    assert min(left.values()) >= 0
    if rest != "discard":
        rows[-1].extend(left.elements())
    return {
        "to_move": 1,
        "decision": "play",
        "turn": 1,
        "round": 1,
        "rows": rows,
        "hands": {seat: dict(hand) for seat, hand in seats.items()},
        "collections": {seat: dict(cards) for seat, cards in collections.items()},
        "draw_pile": ["7-8"] * pile,
        "discard": dict(+left) if rest == "discard" else {},
        "end_reason": None,
        **turn,
    }


PERFT = {
    # By hand: each turn lays the only species in hand at one of 2 rows x 2 ends; 4 x 4 x 4.
    "a round each turn": (
        small_state(["J", "Q"], ["3-4 3-4", "7-8 7-8"], pile=14, rest="row"),
        {"rows": 2, "draw_cards": 0, "hand_size": 2},
        {2: 16, 3: 64},
    ),
    "rows of several species": (
        small_state(["3-4 K 9-10", "K J 3-4 J", "Q A-2 Q"], ["3-4 K A-2", "J J 5-6 Q"]),
        {"rows": 3, "hand_size": 3},
        {3: 738, 4: 2928},
    ),
    "flights": (
        small_state(["9-10 J", "Q K Q"], ["9-10 Q Q J J J", "K K 5-6 5-6 5-6 5-6 5-6"]),
        {"rows": 2, "hand_size": 2},
        {3: 86, 5: 984},
    ),
    "flights that win": (
        small_state(["9-10 J", "Q K Q"], ["9-10 Q Q J J J", "K K 5-6 J"], birds=["Q Q J", "K K K Q Q J"]),
        {"rows": 2, "hand_size": 2},
        {3: 106, 5: 1954},
    ),
    "the end of a round": (
        small_state(["J Q", "K J"], ["3-4", "7-8 7-8"], pile=14, rest="row"),
        {"rows": 2, "hand_size": 2},
        {4: 96},
    ),
    "the end of a round without a draw": (
        small_state(["J Q", "K J"], ["3-4", "7-8 7-8"], pile=14, rest="row"),
        {"rows": 2, "hand_size": 2, "draw_before_empty_check": False},
        {3: 64},
    ),
    "stuck": (
        small_state(["J Q", "K J"], ["3-4", "K K 5-6"], pile=6, rest="row"),
        {"rows": 2, "hand_size": 5},
        {4: 217},
    ),
    "exhausted piles": (
        small_state(["3-4 J", "K J"], ["3-4 K", "K K 5-6"], pile=1, rest="row"),
        {"rows": 2},
        {4: 755},
    ),
    "exhausted piles that end the game": (
        small_state(["3-4 J", "K J"], ["3-4 K", "K K 5-6"], pile=1, rest="row"),
        {"rows": 2, "exhaustion_ends_game": True},
        {4: 524},
    ),
    "the cap": (
        small_state(["3-4 J", "K J"], ["3-4 K", "K K 5-6"]),
        {"rows": 2, "turn_cap": 2, "hand_size": 2},
        {4: 220, 6: 316},
    ),
}


def walked(table, depth):
    """`count_sequences` on the simulator's table."""
    if depth == 0 or table.end() is not None:
        return 1
    total = 0
    for action in table.legal():
        after = table.copy()
        after.apply(action)
        total += walked(after, depth - 1)
    return total


@pytest.mark.parametrize("name", PERFT)
def test_perft(name):
    """The number of action sequences from a fixed state: hard-coded, by the oracle and by the simulator."""
    state, changes, numbers = PERFT[name]
    game = load_game("flock-together")
    table = Table(game, game.parameters.build(2, changes), players=2)
    table.place(state)
    for depth, number in numbers.items():
        assert count_sequences(state, standard_rules(**changes), depth) == number
        assert walked(table, depth) == number
