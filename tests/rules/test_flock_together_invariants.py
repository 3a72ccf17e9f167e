"""What holds in every position, whatever the rules and whoever plays."""

from __future__ import annotations

import numpy as np
import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.games.flock_together.parameters import SPECIES_WORDS
from flocksim.simulate.table import Table
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

GAME = load_game("flock-together")

flock = st.integers(1, 8)
rules = st.fixed_dictionaries(
    {},
    optional={
        "hand_size": st.integers(1, 15),
        "rows": st.integers(1, 8),
        "row_cards": st.integers(1, 5),
        "first_birds": st.integers(0, 3),
        "draw_cards": st.integers(0, 5),
        "win_species": st.integers(1, 9),
        "win_sets": st.integers(1, 9),
        "win_set_size": st.integers(1, 5),
        "small_gain": st.integers(1, 3),
        "big_gain": st.integers(1, 3),
        "draw_before_empty_check": st.booleans(),
        "exhaustion_ends_game": st.booleans(),
        "turn_cap": st.integers(1, 200),
        "cards": st.dictionaries(st.sampled_from(SPECIES_WORDS), st.integers(0, 18), max_size=8),
        "small_flock": st.dictionaries(st.sampled_from(SPECIES_WORDS), flock, max_size=8),
        "big_flock": st.dictionaries(st.sampled_from(SPECIES_WORDS), flock, max_size=8),
    },
)


def table_of(changes: dict, players: int) -> Table:
    try:
        return Table(GAME, GAME.parameters.build(players, changes), players)
    except RulesError:
        assume(False)
        raise AssertionError from None


def counted(state: dict) -> dict[str, int]:
    """How many cards of each species lie anywhere."""
    total = dict.fromkeys(SPECIES_WORDS, 0)
    for part in (*state["hands"].values(), *state["collections"].values(), state["discard"]):
        for species, number in part.items():
            assert number > 0
            total[species] += number
    for pile in (*state["rows"], state["draw_pile"]):
        for species in pile:
            total[species] += 1
    return total


def check_words_agree(table: Table) -> None:
    """The counts that the engine keeps beside the rows and hands say the same as these."""
    s = table.states[0]
    for row in range(int(table.rules["rows"][0])):
        start, length = int(s["row_start"][row]), int(s["row_length"][row])
        cards = [s["row"][row][(start + i) % 128] for i in range(length)]
        assert list(np.bincount(cards, minlength=8)) == list(s["row_count"][row])
    assert (s["known"] <= s["hand"]).all()


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(changes=rules, players=st.integers(2, 5), seed=st.integers(0, 10**6))
def test_every_card_is_somewhere_in_every_position(changes, players, seed):
    table = table_of(changes, players)
    deck = {species: int(number) for species, number in zip(SPECIES_WORDS, table.rules["cards"][0], strict=True)}
    rng = np.random.default_rng(seed)
    table.deal(seed)
    while not table.over:
        state = table.state()
        assert counted(state) == deck
        check_words_agree(table)
        assert state["hands"][str(state["to_move"])] or state["decision"] == "draw"
        codes = table.legal_codes()
        assert len(set(codes)) == len(codes) > 0
        table.apply_code(codes[rng.integers(len(codes))])
    assert counted(table.state()) == deck
    end = table.end()
    assert end["end_reason"] in {"win", "stuck", "turn_cap"}
    assert end["turns"] <= int(table.rules["turn_cap"][0])
    assert sum(place["win_share"] for place in end["ranking"]) == pytest.approx(float(end["end_reason"] != "turn_cap"))
    for place in end["ranking"]:
        assert place["score"] == sum(table.state()["collections"][str(place["seat"])].values())


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(players=st.integers(2, 5), seed=st.integers(0, 10**6), steps=st.integers(0, 60))
def test_a_redeal_keeps_what_is_public_and_the_cards(players, seed, steps):
    table = Table(GAME, GAME.parameters.build(players), players)
    table.deal(seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if not table.over:
            codes = table.legal_codes()
            table.apply_code(codes[rng.integers(len(codes))])
    assume(not table.over)
    before, known = table.state(), table.states["known"][0].copy()
    table.redeal(before["to_move"])
    after = table.state()
    assert counted(after) == counted(before)
    me = str(before["to_move"])
    for public in ("rows", "collections", "discard", "turn", "round", "decision"):
        assert after[public] == before[public]
    assert after["hands"][me] == before["hands"][me]
    for seat, hand in after["hands"].items():
        assert sum(hand.values()) == sum(before["hands"][seat].values())
        for species, number in zip(SPECIES_WORDS, known[int(seat) - 1], strict=True):
            assert hand.get(species, 0) >= number
    assert len(after["draw_pile"]) == len(before["draw_pile"])


def test_a_redeal_is_another_deal():
    table = Table(GAME, GAME.parameters.build(3), 3)
    table.deal(1)
    before = table.state()
    table.redeal(1)
    assert table.state()["hands"]["2"] != before["hands"]["2"]
    assert table.state()["draw_pile"] != before["draw_pile"]
