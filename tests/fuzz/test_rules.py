"""Whatever rules a game allows, its games end as games do, and no kernel reads beside its arrays.

`make fuzz` compiles with bounds checked, so that a step beside one is an error.
"""

from __future__ import annotations

import pytest
from flocksim.simulate.errors import RulesError
from flocksim.simulate.games import GAMES, load_game
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fuzz.odd_rules import odd_rules
from tests.fuzz.profile import FUZZ, check_line
from tests.unit.test_game_contract import play


@pytest.mark.parametrize("name", GAMES)
def test_games_by_any_rules_end(name, capfd):
    game = load_game(name)
    play(game, game.seats[0], 1)  # compiles

    @FUZZ
    @given(odd_rules(game), st.integers(*game.seats), st.integers(0, 2**63 - 1))
    def tried(changes, players, seed):
        try:
            rules = game.parameters.build(players, {**changes, "turn_cap": min(changes.get("turn_cap", 60), 60)})
        except RulesError as error:
            check_line(error)
            assume(False)
        games, seats = play(game, players, 1, seed=seed, rules=rules)
        assert set(games["end_reason"]) <= {1, 2, 3, 4}
        assert (games["turns"] <= rules.turn_cap * players).all(), "counted for each player in Flock"
        assert (seats["rank"] >= 1).all()

    tried()
    assert capfd.readouterr().err == "", "a kernel that fails inside another can only say so"
