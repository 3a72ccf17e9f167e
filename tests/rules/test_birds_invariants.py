"""What holds in every position of 4 the Birds, whatever the rules and whoever plays."""

from __future__ import annotations

import numpy as np
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.games.four_the_birds.parameters import PLAYERS
from flocksim.simulate.games.four_the_birds.state import CARDS
from flocksim.simulate.games.four_the_birds.tree import SIDES
from flocksim.simulate.streams import DICE
from flocksim.simulate.table import Table
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.rules.birds_positions import counters

GAME = load_game("4-the-birds")


def some(keys, values):
    return st.dictionaries(st.sampled_from(keys), values, max_size=len(keys))


RULES = st.fixed_dictionaries(
    {},
    optional={
        "branch_layout": st.sampled_from(["checkerboard", "full"]),
        "board_size": st.sampled_from(SIDES).map(lambda side: dict.fromkeys(PLAYERS, side)),
        "birds": st.integers(4, 8),
        "cards": some(CARDS, st.integers(0, 3)),
        "crows": st.integers(0, 12),
        "crows_at_start": st.integers(0, 5),
        "hawks": st.integers(0, 6),
        "hawks_at_start": st.integers(0, 1),
        "tokens": st.integers(0, 81),
        "win_check": st.sampled_from(["any", "active"]),
        "several_flocks": st.sampled_from(["active_first", "shared"]),
        "setup": st.sampled_from(["random", "choose"]),
        "cards_onto_threat": st.booleans(),
        "shoo": some(["move", "remove"], st.booleans()),
        "mock": some(["move", "place"], st.booleans()),
        "win_square": st.booleans(),
        "turn_cap": st.integers(1, 250),
    },
)


def corners(dot, axis):
    row, column = axis.index(dot[0]), axis.index(dot[1])
    return {axis[r] + axis[c] for r in (row, row + 1) for c in (column, column + 1)}


def on_the_way(state):
    """Pieces that are lifted, slide or scatter, as the seats of birds, 'crow' or 'hawk'."""
    pieces = [piece for piece in (state["lifted_piece"], state["moving"], *state["scattering"]) if piece]
    return [piece.get("bird") or ("crow" if piece.get("crow") else "hawk") for piece in pieces]


def check_state(state, rules, tree):
    """Every bird, crow, hawk, card and token is somewhere; one piece a spot; nobody rests on a threatened spot."""
    away = on_the_way(state)
    for seat, spots in state["birds"].items():
        assert len(spots) + state["reserve"][seat] + away.count(int(seat)) == rules.birds
        cards = sorted(state["hands"][seat] + state["discards"][seat])
        assert cards == sorted(card for card, number in rules.cards.items() for _ in range(number))
    assert len(state["crows"]) + state["crow_supply"] + away.count("crow") == rules.crows
    assert len(state["hawks"]) + state["hawk_supply"] + away.count("hawk") == rules.hawks
    assert len(state["tokens"]) + state["token_supply"] == rules.tokens
    standing = [spot for spots in state["birds"].values() for spot in spots] + state["crows"]
    taken = standing + state["tokens"]
    assert len(set(taken)) == len(taken)
    assert set(taken) <= {tree.name(spot) for spot in tree}
    assert len(set(state["hawks"])) == len(state["hawks"])
    assert set(state["hawks"]) <= {tree.dot_name(dot) for dot in tree.dots}
    threatened = set().union(*(corners(dot, tree.axis) for dot in state["hawks"]))
    assert not threatened & set(standing)


def check_decision(state, legal, tree):
    """Who decides, and that chains have an end: each step enters a spot that was open."""
    kind = state["decision"]
    assert len({str(action) for action in legal}) == len(legal) > 0
    assert (state["moving"] is not None) == (kind in ("slide", "displace"))
    assert (state["lifted"] is not None) == (kind in ("land", "fly"))
    assert (state["closed"] != []) <= (kind in ("slide", "displace"))
    assert len(set(state["closed"])) == len(state["closed"]) <= len(tree.spots)
    owner = state["moving"].get("bird") if kind == "displace" else None
    if kind != "scatter":
        assert state["to_move"] == (owner or state["active"])
    for action in legal:
        word, value = next(iter(action.items()))
        assert word not in ("displace", "slide") or value not in state["closed"]


def check_step(before, after):
    """Turns go up by one at most; pieces on the way were not there from nothing."""
    assert after["turn"] - before["turn"] in (0, 1)
    if after["turn"] == before["turn"] + 1:
        assert after["active"] == before["active"] % len(before["birds"]) + 1
        assert after["round"] == before["round"] + (after["active"] == 1)
        assert (after["card"], after["flown"], after["flock_moves"], after["scattering"]) == (None, None, 0, [])


def check_end(table, rules):
    state, end = table.state(), table.end()
    assert end["end_reason"] in {"win", "turn_cap", "deadlock"}
    assert end["turns"] <= rules.turn_cap
    shares = [place["win_share"] for place in end["ranking"]]
    assert sum(shares) == float(end["end_reason"] == "win")
    assert (state["flock"] is not None) == (end["end_reason"] == "win")
    if state["flock"]:
        seat = str(state["flock"]["seat"])
        assert set(state["flock"]["spots"]) <= set(state["birds"][seat])
        assert end["ranking"][0]["score"] == 1
    assert [place["score"] for place in end["ranking"]] == [int(share > 0) for share in shares]


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(changes=RULES, players=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_everything_is_somewhere_and_chains_end(changes, players, seed):
    try:
        rules = GAME.parameters.build(players, changes)
    except RulesError:
        assume(False)
    tree = rules.branch_layout.tree(rules.board_size[str(players)])
    table = Table(GAME, rules, players)
    rng = np.random.default_rng(seed)
    table.deal(seed)
    state, chain = table.state(), 0
    while not table.over:
        check_state(state, rules, tree)
        check_decision(state, table.legal(), tree)
        codes = table.legal_codes()
        table.apply_code(codes[rng.integers(len(codes))])
        before, state = state, table.state()
        chain = chain + 1 if state["decision"] == "displace" else 0
        assert chain <= len(tree.spots) * 5  # four lifted birds and the one that moved
        check_step(before, state)
    check_state(state, rules, tree)
    check_end(table, rules)


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(changes=RULES, players=st.integers(2, 6), seed=st.integers(0, 10**6), stop=st.integers(0, 300))
def test_any_position_can_be_put_back_and_played_on_alike(changes, players, seed, stop):
    try:
        rules = GAME.parameters.build(players, changes | {"turn_cap": 1000})
    except RulesError:
        assume(False)
    table, twin = Table(GAME, rules, players), Table(GAME, rules, players)
    rng = np.random.default_rng(seed)
    table.deal(seed)
    for _ in range(stop):
        if not table.over:
            codes = table.legal_codes()
            table.apply_code(codes[rng.integers(len(codes))])
    assume(not table.over)
    twin.place(table.state())
    twin.states["streams"][0][DICE] = table.states["streams"][0][DICE]
    for _ in range(25):
        assert twin.state() == table.state()
        assert twin.legal_codes() == table.legal_codes()
        if table.over:
            break
        code = rng.choice(table.legal_codes())
        assert table.apply_code(code) == twin.apply_code(code)


def test_the_counters_add_up():
    """They count what the traces of games show."""
    words = {"place": 0, "play": 0, "token": 0, "remove_hawk": 0, "crow_to": 0, "hawk_to": 0}
    table = Table(GAME, GAME.parameters.build(4), 4)
    totals = dict.fromkeys(GAME.counters, 0)
    flown = regained = doubles = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        chance = table.deal(seed)
        while not table.over:
            regained += sum("regain" in event for event in chance)
            doubles += sum("roll" in event and event["roll"] in DOUBLES for event in chance)
            action = table.game.words.action(code := int(rng.choice(table.legal_codes())), table.states[0])
            words[next(iter(action))] = words.get(next(iter(action)), 0) + 1
            before = table.state()["reserve"]
            chance = table.apply_code(code)
            flown += sum(max(0, number - before[seat]) for seat, number in table.state()["reserve"].items())
        for name in GAME.counters:
            totals[name] += sum(counters(table, name))
    assert totals["birds_placed"] + totals["birds_relocated"] == words["place"]
    assert sum(totals[f"played_{card}"] for card in CARDS) == words["play"]
    assert totals["tokens_placed"] == words["token"]
    assert totals["hawks_removed"] == words["remove_hawk"]
    assert totals["crows_placed"] + totals["crows_moved"] == words["crow_to"]
    assert totals["hawks_placed"] + totals["hawks_moved"] == words["hawk_to"]
    assert totals["birds_flown_off"] == flown > 0
    assert totals["cards_regained"] == regained > 0
    assert totals["doubles"] == doubles > 0


DOUBLES = [[digit, digit] for digit in range(1, 10)] + [["crow", "hawk"]]
