"""Files of weights: what a config makes of them, and the one line that answers what they may not say."""

from __future__ import annotations

from pathlib import Path

import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.strategies import catalogue

from flocksim import weights_file
from flocksim.study import load_study, make_study

CONFIG = """\
name: tiny
game: flock-together
players: 2
variants: {standard: {}}
strategies: [rusher, {name: mine, file: bots/mine.yaml}]
games: 100
seed: 5
"""
GOOD = "game: flock-together\nline: Catches.\nweights:\n  cards_caught: 2\n  fly: -0.5\n"


def written(tmp_path: Path, weights: str = GOOD, config: str = CONFIG) -> Path:
    """The config, beside the folder with the file of weights."""
    (tmp_path / "bots").mkdir(exist_ok=True)
    (tmp_path / "bots" / "mine.yaml").write_text(weights, "utf-8")
    path = tmp_path / "study.yaml"
    path.write_text(config, "utf-8")
    return path


def named(strategy) -> dict[str, float]:
    both = zip(catalogue.features("flock-together"), strategy.weights, strict=True)
    return {name: weight for name, weight in both if weight}


def test_a_config_names_a_file_relative_to_itself(tmp_path):
    mine = load_study(written(tmp_path)).strategies[1]
    assert mine.name == "mine"
    assert named(mine) == {"cards_caught": 2, "fly": -0.5}
    assert mine.kernel is catalogue.find("flock-together", "rusher").kernel
    assert mine.noise == 0
    assert mine.line == "Weighs what mine.yaml says."


def test_noise_and_weights_come_on_top(tmp_path):
    config = CONFIG.replace("bots/mine.yaml", "bots/mine.yaml, noise: 0.5, weights: {fly: 3}")
    mine = load_study(written(tmp_path, config=config)).strategies[1]
    assert named(mine) == {"cards_caught": 2, "fly": 3}
    assert mine.noise == 0.5


def test_the_weights_are_the_runs_not_the_files_name(tmp_path):
    """A changed file is another run; a run's own config needs no file."""
    study = load_study(written(tmp_path))
    again = make_study(study.config())
    assert again.hash() == study.hash()
    assert named(again.strategies[1]) == named(study.strategies[1])
    assert load_study(written(tmp_path, GOOD.replace("line: Catches.\n", ""))).hash() == study.hash()
    assert load_study(written(tmp_path, GOOD.replace("-0.5", "-0.6"))).hash() != study.hash()


def test_what_is_written_is_read_again(tmp_path):
    weights = {"fly": 1234.5, "fly_big": 0.0, "cards_laid": -0.01234}
    made = {"command": "flocksim tune x", "players": [2, 3], "estimate": {2: {"wins": 51.5}}}
    path = tmp_path / "weights.yaml"
    path.write_text(weights_file.text("flock-together", weights, made), "utf-8")
    assert weights_file.read(path, "flock-together") == {"fly": 1234.5, "cards_laid": -0.01234}
    path.write_text(weights_file.text("flock-together", {"fly": 1.0}, {}), "utf-8")
    assert weights_file.read(path, "flock-together") == {"fly": 1.0}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("cards_caught", "cards_cought", [":4: weights.cards_cought: unknown feature", "mean 'cards_caught'"]),
        ("-0.5", "much", [":5: weights.fly: 'much' is not allowed", "from -1e9 to 1e9"]),
        ("-0.5", "1e10", [":5: weights.fly: '1e10' is not allowed"]),
        ("-0.5", "[1]", [":5: weights.fly:", "a number"]),
        ("game: flock-together", "game: flock", [":1: game: 'flock' is not allowed; allowed: flock-together"]),
        ("line:", "lien:", [":2: lien: unknown key 'lien' (did you mean 'line'?)"]),
        ("game: flock-together\n", "", ["'game' is missing"]),
        ("\n  cards_caught: 2\n  fly: -0.5", " {}", [":3: weights: is not a map from features to numbers"]),
        ("\n  cards_caught: 2\n  fly: -0.5", " 7", [":3: weights: is not a map from features to numbers"]),
        (GOOD, "- fly\n", ["a map with the keys game and weights"]),
        (GOOD, "", ["the file is empty"]),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, before, after, expected):
    assert before in GOOD
    with pytest.raises(FlocksimError) as caught:
        load_study(written(tmp_path, GOOD.replace(before, after)))
    message = str(caught.value)
    assert "\n" not in message
    for part in ["study.yaml:5: strategies: entry 2: ", "mine.yaml", *expected]:
        assert part in message, message


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("{name: mine, file: none.yaml}", ["none.yaml", "No such file"]),
        ("{name: mine, file: .}", ["is a directory"]),
        ("{name: mine, base: rusher, file: bots/mine.yaml}", ["'mine' has a base and a file"]),
        ("{name: rusher, base: rusher, file: bots/mine.yaml}", ["'rusher' has a base and a file"]),
        ("{name: mine, file: [x]}", ["file: ['x'] is not allowed", "a file of weights"]),
        ("{name: mine}", ["needs a base or weights, or a file"]),
    ],
)
def test_a_config_that_names_no_file_of_weights(tmp_path, entry, expected):
    path = written(tmp_path, config=CONFIG.replace("{name: mine, file: bots/mine.yaml}", entry))
    with pytest.raises(FlocksimError) as caught:
        load_study(path)
    for part in ["study.yaml:5", *expected]:
        assert part in str(caught.value), caught.value
