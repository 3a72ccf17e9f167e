"""Rule parameters that are words or lists: what they may say, how they are laid over one another, and what becomes of
them in a record, a config and a listing."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import pytest
import yaml
from click.testing import CliRunner
from flocksim.simulate.errors import FlocksimError, RulesError
from flocksim.simulate.games import load_game
from flocksim.simulate.parameters import Parameters
from pydantic import Field

from flocksim.cli import cli
from flocksim.commands import options
from flocksim.study import load_study, make_study


class Garden(Parameters):
    map_keys: ClassVar = {"rain": ("spring", "autumn"), "seeds": ("oak", "elm")}
    list_lengths: ClassVar = {"rain": 4}

    fence: Literal["none", "hedge", "wall"] = Field("hedge", description="What stands around it.")
    rain: dict[str, list[int]] = Field(
        {"spring": [1, 2], "autumn": [3]}, description="By year.", json_schema_extra={"low": 0, "high": 9}
    )
    seeds: dict[str, int] = Field({"oak": 1, "elm": 2}, description="Each.")


def refusal(changes):
    with pytest.raises(RulesError) as caught:
        Garden.build(2, changes)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("text", ["wall", " Wall ", "WALL"])
def test_a_choice_is_one_of_its_words(text):
    assert Garden.build(2, {"fence": text}).fence == "wall"


@pytest.mark.parametrize("value", ["moat", "", 1, True, ["wall"]])
def test_any_other_word_is_refused(value):
    assert refusal({"fence": value}) == f"fence: {value!r} is not allowed; allowed: none, hedge, wall"


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ([4, 5, 6], [4, 5, 6]),
        (["4", "05", "6.0"], [4, 5, 6]),
        ((4, 5), [4, 5]),
        ("4,5,6", [4, 5, 6]),
        (" [4, 5] ", [4, 5]),
        (4, [4]),
        ("4", [4]),
    ],
)
def test_a_list_may_be_written_as_text_or_as_one_number(given, numbers):
    assert Garden.build(2, {"rain": {"spring": given}}).rain == {"spring": numbers, "autumn": [3]}


@pytest.mark.parametrize(
    "value", [[], "", "4,,5", "4;5", ["x"], "]4,5[", "[4,5", "[[4]]", [1, 2, 3, 4, 5], [[1]], None, True, 1.5, {"a": 1}]
)
def test_what_is_no_list_of_the_right_length_is_refused(value):
    message = refusal({"rain": {"spring": value}})
    assert message.startswith(f"rain.spring: {value!r} is not allowed; allowed: a map from spring, autumn to whole")
    assert "from 0 to 9" in message
    assert "up to 4" in message


def test_a_map_of_lists_is_a_map():
    assert refusal({"rain": 3}) == (
        "rain: 3 is not allowed; allowed: a map from spring, autumn to whole numbers from 0 to 9, one or a list of up "
        "to 4 (the last one stays), e.g. {autumn: [3]}"
    )
    assert "unknown entry 'summer'" in refusal({"rain": {"summer": 1}})


def test_layers_overlay_maps_of_lists_key_by_key():
    rules = Garden.build(2, {"rain": {"spring": 5}}, {"rain": {"autumn": [6, 7]}}, {"rain": {"spring": [8]}})
    assert rules.rain == {"spring": [8], "autumn": [6, 7]}
    assert Garden.build(2).rain == {"spring": [1, 2], "autumn": [3]}


def test_the_record_holds_indices_of_words_and_lists_filled_up():
    record = Garden.build(2, {"fence": "wall"}).record(2)
    assert record["fence"][0] == 2
    assert record["rain"][0].tolist() == [[1, 2, 2, 2], [3, 3, 3, 3]]
    assert record["seeds"][0].tolist() == [1, 2]


def test_keys_of_maps_may_be_numbers():
    rules = load_game("flock").parameters.build(2, {"competition_thresholds": {2: [1, 2]}})
    assert rules.competition_thresholds["2"] == [1, 2]


def test_numbers_in_lists_keep_their_bounds():
    with pytest.raises(RulesError, match=r"competition_thresholds\.2\.1: 99 is not allowed; allowed: .* from 1 to 75"):
        load_game("flock").parameters.build(2, {"competition_thresholds": {"2": [4, 99]}})


class Gate(Parameters):
    map_keys: ClassVar = {"open": ("day", "night")}

    open: dict[str, bool] = Field({"day": True, "night": False}, description="When it is open.")


def test_a_map_may_hold_yes_and_no():
    assert Gate.build(2, {"open": {"night": "yes"}}).open == {"day": True, "night": True}
    assert Gate.build(2).record(2)["open"][0].tolist() == [1, 0]
    with pytest.raises(RulesError, match=r"open\.day: .often. is not allowed; .* a map from day, night to yes or no"):
        Gate.build(2, {"open": {"day": "often"}})


STUDY = """\
name: tiny
game: flock
players: [2]
variants:
  standard: {}
  other:
    preset: [hungry-birdies, advanced-2-player]
    competition_thresholds: {2: [3, 4], 3: 7}
    dominance_side: 4-5
    deadlock: force_competition
    protect_left_flock: no
strategies: [random]
games: 4
seed: 5
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_study_says_words_and_lists_and_its_manifest_plays_the_same_again(tmp_path):
    study = load_study(write(tmp_path, STUDY))
    rules = study.variants[1].rules
    assert rules.competition_thresholds == {"2": [3, 4], "3": [7], "4": [4, 5, 6], "5": [4, 5, 6]}
    assert (rules.dominance_side, rules.deadlock) == ("4-5", "force_competition")
    assert rules.upkeep_costs == {"nests": [2, 1, 1], "worms": [2, 2, 1]}
    again = load_study(write(tmp_path, yaml.safe_dump(study.config(), sort_keys=False)))
    assert again.hash() == study.hash() == make_study(study.config()).hash()
    assert again.variants[1].rules == rules


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("2: [3, 4]", "2: [3, x]", ":8: variants.other.competition_thresholds.2: ['3', 'x'] is not allowed"),
        ("2: [3, 4]", "6: [3, 4]", ":8: variants.other: competition_thresholds: unknown entry '6'"),
        ("2: [3, 4]", "2: [3, 99]", ":8: variants.other.competition_thresholds.2.1: 99 is not allowed"),
        (
            "side: 4-5",
            "side: 6",
            ":9: variants.other.dominance_side: '6' is not allowed; allowed: by-players, 2-3, 4-5",
        ),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, before, after, told):
    assert before in STUDY
    with pytest.raises(FlocksimError) as caught:
        load_study(write(tmp_path, STUDY.replace(before, after)))
    assert told in str(caught.value)


def test_settings_of_the_command_line():
    settings = ["competition_thresholds.2=4,5,6", "competition_thresholds.3=7", "deadlock=force_competition"]
    rules = options.read_rules(load_game("flock"), 2, ["free-flight"], settings)
    assert rules.competition_thresholds == {"2": [4, 5, 6], "3": [7], "4": [4, 5, 6], "5": [4, 5, 6]}
    assert (rules.deadlock, rules.relocate_limit) == ("force_competition", 5)
    with pytest.raises(FlocksimError, match=r"--set: competition_thresholds\.2: '4,x' is not allowed"):
        options.read_rules(load_game("flock"), 2, [], ["competition_thresholds.2=4,x"])


def test_the_listing_of_rules_tells_words_and_lists():
    out = CliRunner().invoke(cli, ["rules", "flock"]).output
    assert "deadlock = end" in out
    assert "Allowed: end, force_competition." in out
    assert "competition_thresholds = {2: [4, 5, 6]" in out
    assert "upkeep_costs: {nests: [2, 1, 1], worms: [2, 2, 1]}" in out
