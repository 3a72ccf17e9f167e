"""How far each seat is at a moment, game by game; the README of each game says what its standing is."""

from __future__ import annotations

from random import Random

import pytest
from flocksim.simulate.games import load_game
from flocksim.simulate.table import Table

from tests.rules import birds_positions, positions


def table_of(name: str, players: int, **rules: object) -> Table:
    game = load_game(name)
    return Table(game, game.parameters.build(players, rules), players)


@pytest.mark.parametrize(
    ("birds", "standing"),
    [
        ("9-10", 1),
        ("J J J", 3),  # of the six cards of two species with three each
        ("J J J J J", 3),
        ("J J J K K", 5),
        ("A-2 3-4 5-6 7-8", 3),  # seven species lack three more; six cards less three are three
        (positions.SIX_SPECIES, 5),
        ("J J J K K K", 6),
        (f"{positions.SIX_SPECIES} Q", 6),
    ],
)
def test_flock_together_counts_what_the_nearer_win_has(birds, standing):
    """Winning the game: 7 species, or 2 species with 3 cards each."""
    table = table_of("flock-together", 2)
    table.place(positions.position(2, birds={1: birds, 2: "9-10"}))
    assert table.standings() == [standing, 1]


def test_flock_together_goes_by_the_rules_played():
    table = table_of("flock-together", 2, win_species=4, win_sets=3, win_set_size=2)
    table.place(positions.position(2, birds={1: "J J Q Q", 2: "A-2 3-4 5-6"}))
    assert table.standings() == [2, 3]  # of four: two species or two cards of three pairs missing; one species


@pytest.mark.parametrize(
    ("one", "other", "standings"),
    [
        ("", "11", [0, 1]),
        ("11 12", "21 33", [2, 1]),
        ("11 12 21", "13 14 15", [3, 3]),
        ("11 33 67 71", "12", [2, 1]),  # one line holds the first two
        ("11 12 21 22", "33", [4, 1]),
    ],
)
def test_4_the_birds_counts_the_fullest_square_or_line(one, other, standings):
    table = table_of("4-the-birds", 2)
    table.place(birds_positions.position(2, birds={1: one, 2: other}))
    assert table.standings() == standings


@pytest.mark.parametrize("name", ["flock", "flockers"])
def test_others_count_the_score(name):
    furthest = 0
    for seed in range(8):
        table, random = table_of(name, 3), Random(seed)
        table.deal(seed)
        while not table.over:
            table.apply_code(random.choice(table.legal_codes()))
        ranking = sorted(table.end()["ranking"], key=lambda place: place["seat"])
        assert table.standings() == [place["score"] for place in ranking]
        furthest = max(furthest, *table.standings())
    assert furthest > 0
