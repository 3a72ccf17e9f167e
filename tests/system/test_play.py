"""A person at the table: what is shown, what is asked, what is written down."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from flocksim.simulate.errors import FlocksimError

from flocksim.cli import cli
from tests.oracle import birds_referee, flock_referee, flock_together_referee, flockers_referee

REFEREES = {
    "4-the-birds": birds_referee,
    "flock": flock_referee,
    "flock-together": flock_together_referee,
    "flockers": flockers_referee,
}


def play(folder, *words, answers):
    """The command's result and the lines of the game that it wrote down; in this process, which has the game ready."""
    file = folder / "game.jsonl"
    done = CliRunner().invoke(cli, ["play", *words, "--out", str(file)], input=answers, catch_exceptions=False)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return done, lines


@pytest.mark.parametrize("game", REFEREES)
def test_a_whole_game_is_played_and_can_be_refereed(tmp_path, game):
    done, lines = play(tmp_path, game, "--players", "2", "--seat", "2", "--seed", "5", answers="1\n" * 5000)
    assert done.exit_code == 0
    assert lines[0]["seats"][1] == {"seat": 2, "strategy": "human", "noise": 0.0}
    assert lines[-1]["type"] == "end"
    assert REFEREES[game].referee(lines) == []
    mine = [line for line in lines[2:-1] if line["seat"] == 2]
    assert all(line["chosen"] == line["legal"][0] for line in mine)
    assert f"End: {lines[-1]['end_reason']}" in done.output
    assert f"The game is in {tmp_path / 'game.jsonl'}" in done.output


def test_the_same_seed_is_the_same_game_again(tmp_path):
    words = ("flock-together", "--players", "3", "--seed", "9")
    first, lines = play(tmp_path, *words, answers="1\n2\n1\n" * 2000)
    again, other = play(tmp_path, *words, answers="1\n2\n1\n" * 2000)
    assert lines == other
    assert first.output == again.output


@pytest.mark.parametrize("game", ["flock-together", "flockers"])
def test_what_a_seat_cannot_see_is_not_told(tmp_path, game):
    """No line of the screen holds more of another hand than has been seen to arrive there; no pile is told at all."""
    done, lines = play(tmp_path, game, "--players", "2", "--seed", "6", answers="1\n" * 5000)
    holds = r"seat 2: holds ([^;]*)" if game == "flock-together" else r"seat 2 at .*\n +holds (.*)"
    first = re.search(holds, done.output)
    assert first
    cards = lines[1]["state"]["hands"]["2"]
    count = sum(cards.values()) if isinstance(cards, dict) else len(cards)
    hidden = f"{count} ?" if game == "flock-together" else ", ".join("?" * count)
    assert first[1] == hidden
    chance = [line for line in done.output.splitlines() if "chance:" in line]
    to_other = [part for line in chance for part in line.split(";") if "seat 2's hand" in part]
    assert all("a card to seat 2's hand" in part for part in to_other)
    drawn = [line for line in lines[2:-1] if line["seat"] == 2 and any("draw" in event for event in line["chance"])]
    if game == "flockers":
        assert done.output.count("a card is drawn") == len(drawn)


@pytest.mark.parametrize("answers", ["3\nq\n", "3\n", "3\nQUIT\n"])
def test_one_can_leave_and_the_game_so_far_is_kept(tmp_path, answers):
    done, lines = play(tmp_path, "flock-together", "--players", "2", "--seed", "5", answers=answers)
    assert done.exit_code == 0
    assert done.output.endswith(f"You left; the game so far is in {tmp_path / 'game.jsonl'}\n")
    assert [line["type"] for line in lines[:3]] == ["header", "setup", "decision"]
    assert lines[-1]["type"] == "decision"
    assert lines[2]["chosen"] == lines[2]["legal"][2]


def test_what_is_no_choice_is_asked_again_and_the_table_is_shown_again(tmp_path):
    done, lines = play(tmp_path, "flock-together", "--players", "2", "--seed", "5", answers="0\n99\nx\n\n?\n1\nq\n")
    assert done.output.count(" is not one of 1 to ") == 4
    assert done.output.count("draw pile ") == 2
    assert len([line for line in lines if line["type"] == "decision" and line["seat"] == 1]) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seat", "3"], "--seat: 3 is not allowed; allowed: 1 to 2"),
        (["--out", "."], "--out: '.' is a folder; a file is wanted"),
    ],
)
def test_bad_words_are_one_line(words, told):
    done = CliRunner().invoke(cli, ["play", "flock", "--players", "2", *words])
    assert isinstance(done.exception, FlocksimError)
    assert str(done.exception) == told
