"""Help, examples and the reference page are there and say the same."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from flocksim.cli import cli
from tests.tools.cli_reference import reference

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = sorted(cli.commands)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_an_example_and_a_docs_entry(name):
    command = cli.commands[name]
    assert command.help
    assert f"Example: flocksim {name}" in command.help
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


def test_the_reference_is_what_the_commands_say():
    assert (ROOT / "docs" / "cli.md").read_text("utf-8") == reference()
