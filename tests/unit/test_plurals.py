"""Things counted in words, and that prose counts one of a thing as one."""

from __future__ import annotations

import re

import pytest
from flocksim.simulate.games import GAMES, load_game
from flocksim.simulate.plurals import counted
from flocksim.simulate.trace import pretty


@pytest.mark.parametrize(
    ("number", "things", "told"),
    [
        (1, "wins", "1 win"),
        (0, "wins", "0 wins"),
        (1, "cards in the collection", "1 card in the collection"),
        (2000, "cards in the collection", "2,000 cards in the collection"),
        (1, "VP", "1 VP"),
        (-1, "points", "-1 points"),
    ],
)
def test_one_is_told_in_the_singular(number: int, things: str, told: str) -> None:
    assert counted(number, things) == told


@pytest.mark.parametrize("name", GAMES)
def test_a_told_game_counts_one_of_everything_in_the_singular(name: str) -> None:
    game = load_game(name)
    rules = game.parameters.build(2, {}).model_dump()
    header = {
        "type": "header", "players": 1, "seats": [{"seat": 1, "strategy": "random"}], "seed": 1, "index": 0,
        "rules": rules,
    }  # fmt: skip
    ranking = [{"rank": 1, "seat": 1, "score": 1, "win_share": 1.0}]
    end = {"type": "end", "turns": 1, "rounds": 1, "decisions": 1, "end_reason": "win", "ranking": ranking, "digest": 0}
    text = "\n".join(pretty(game, [header, end]))
    assert "1 player: " in text
    assert "after 1 turn, 1 round, 1 decision" in text
    assert not re.search(r"(?<![\d-])1 (players|turns|rounds|decisions|wins|cards|points)\b", text)


def test_moves_of_the_games_count_one_in_the_singular() -> None:
    birds, together = (load_game(name).words for name in ("4-the-birds", "flock-together"))
    assert birds.chance_sentence({"more_rolls": 1}) == "1 roll more"
    assert birds.chance_sentence({"more_rolls": 3}) == "3 rolls more"
    assert together.chance_sentence({"reshuffle": 1}) == "the discarded card is shuffled into a new draw pile"
