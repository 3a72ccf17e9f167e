"""Help, examples and the reference page are there and say the same."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from flocksim.analysis.targets import read_targets
from flocksim.reports.compare import _PAIRED

from flocksim.cli import cli
from flocksim.study import load_study
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


def test_trace_says_how_many_play_where_nothing_is_said():
    (option,) = (option for option in cli.commands["trace"].params if option.name == "players")
    assert "of a game 4, or the most it takes, and of a run the fewest that it has" in option.help


def test_the_tutorial_says_which_targets_its_study_has_besides_those_that_it_names(tmp_path):
    text = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    config = tmp_path / "study.yaml"
    config.write_text(text.partition("```yaml\n")[2].partition("```")[0], "utf-8")
    study = load_study(config)
    names = [variant.name for variant in study.variants]
    targets = read_targets(study.targets, names, study.players, len(study.strategies))
    keys = {target.key for name in names for target in targets.of(name, 2)}
    assert f"so that {('no', 'one', 'two', 'three', 'four')[len(keys)]} targets are answered" in text
    assert f"Of {len(keys)} targets" in text
    assert all(f"`{default}`" in text for default in ("seats: 5", "strategies: {above: 20}", "unfinished: 2"))


def test_nobody_is_told_that_equal_deals_leave_no_luck():
    for text in (_PAIRED, (ROOT / "docs" / "config.md").read_text("utf-8")):
        told = " ".join(text.split())
        assert "not luck" not in told
        assert "a part of it, often a small one" in told
