"""Whatever words a command is given, it answers or says one line; it writes nowhere but where it was told."""

from __future__ import annotations

import click
import pytest
from flocksim.simulate.errors import FlocksimError
from hypothesis import given
from hypothesis import strategies as st

from flocksim.cli import cli
from tests.fuzz.hostile import SCALARS
from tests.fuzz.profile import FUZZ, check_line

WORDS = st.sampled_from(SCALARS) | st.text(max_size=12).filter(lambda text: "\0" not in text)
OPTIONS = {
    "rules": ("--players", "--variant", "--set", "--layout"),
    "strategies": ("--set",),
    "trace": ("--players", "--variant", "--set", "--strategies", "--seed", "--game"),
    "validate": (),
    "check": (),
    "sql": (),
    "compare": (),
    "tune": ("--base", "--against", "--keep", "--players"),
    "league": ("--strategies", "--players", "--games"),
}
KNOWN = ("flock-together", "4-the-birds", "random", "quick-game", "hand_size=7", "hand_size=-1", "small_flock.J=3", "2")


@pytest.mark.parametrize("command", OPTIONS)
def test_a_command_answers_or_says_one_line(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)

    @FUZZ
    @given(st.lists(st.sampled_from(KNOWN) | WORDS, max_size=2), st.data())
    def tried(places, data):
        words = [command, *places]
        for option in data.draw(
            st.lists(st.sampled_from(OPTIONS[command]), max_size=3) if OPTIONS[command] else st.just([])
        ):
            words += [option, data.draw(st.sampled_from(KNOWN) | WORDS)]
        if command in {"tune", "league"}:
            words.append("--no-such-option")  # they would play for long
        try:
            cli.main(words, standalone_mode=False)
        except FlocksimError as error:
            check_line(error)
        except (click.ClickException, click.exceptions.Exit):
            pass
        assert not list(tmp_path.iterdir())

    tried()
