"""Study configs: what they may say, and the one line that answers what they may not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from flocksim.simulate.errors import FlocksimError

from flocksim.study import advice, load_study, make_study

GOOD = """\
name: tiny
question: What if?
game: flock-together
players: [2, 4]
variants:
  standard: {}
  short: {preset: quick-game, hand_size: 6}
strategies: [random, rusher]
games: 100
seed: 5
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def error_of(tmp_path: Path, text: str) -> str:
    with pytest.raises(FlocksimError) as caught:
        load_study(write(tmp_path, text))
    message = str(caught.value)
    assert "\n" not in message
    return message


def changed(before: str, after: str) -> str:
    assert before in GOOD
    return GOOD.replace(before, after)


def test_a_good_config_becomes_a_study(tmp_path):
    study = load_study(write(tmp_path, GOOD))
    assert study.name == "tiny"
    assert study.players == (2, 4)
    assert [variant.name for variant in study.variants] == ["standard", "short"]
    assert study.variants[1].rules.hand_size == 6
    assert study.variants[1].rules.win_species == 6
    assert study.variants[0].rules.hand_size == 8
    assert study.total_games == 2 * (100 + 100)


def test_a_study_records_the_course_of_some_games(tmp_path):
    assert load_study(write(tmp_path, GOOD)).arcs == 2_000
    none, many = (load_study(write(tmp_path, changed("seed: 5", f"seed: 5\narcs: {arcs}"))) for arcs in ("0", "1e4"))
    assert (none.arcs, many.arcs) == (0, 10_000)
    assert none.hash() != many.hash() == make_study(many.config()).hash()


def test_recorded_blocks_are_the_first_ones_however_many_are_played(tmp_path):
    study = load_study(write(tmp_path, changed("games: 100", "games: 200\narcs: 402")))
    assert study.recorded(4, 0, 500).tolist() == [True] * 101 + [False] * 399
    assert study.recorded(4, 99, 4).tolist() == [True, True, False, False]
    more = load_study(write(tmp_path, changed("games: 100", "games: 900\narcs: 402")))
    assert more.recorded(4, 99, 4).tolist() == [True, True, False, False]
    assert more.hash() == study.hash()


def test_a_variant_may_be_kept_to_some_player_counts(tmp_path):
    study = load_study(write(tmp_path, changed("hand_size: 6", "hand_size: 6, players: 4")))
    assert [(cell.variant, cell.players) for cell in study.cells()] == [(0, 2), (0, 4), (1, 4)]
    assert make_study(study.config()).hash() == study.hash()


def test_presets_combine_and_own_rules_come_last(tmp_path):
    both = changed(
        "{preset: quick-game, hand_size: 6}", "{preset: [quick-game, rarer-rare-birds], small_flock: {J: 2}}"
    )
    rules = load_study(write(tmp_path, both)).variants[1].rules
    assert rules.win_species == 6
    assert (rules.small_flock["J"], rules.small_flock["Q"], rules.small_flock["A-2"]) == (2, 3, 5)


@pytest.mark.parametrize(
    ("text", "games"),
    [("1e6", 1_000_000), ("40_000", 40_000), ("012", 12), ("3.0", 3), ("+7", 7), ("'9'", 9)],
)
def test_numbers_mean_what_a_person_means(tmp_path, text, games):
    assert load_study(write(tmp_path, changed("games: 100", f"games: {text}"))).games == games


@pytest.mark.parametrize(("word", "value"), [("no", False), ("yes", True), ("off", False), ("TRUE", True)])
def test_yes_and_no_are_answers_where_one_is_wanted(tmp_path, word, value):
    text = changed("hand_size: 6", f"draw_before_empty_check: {word}")
    assert load_study(write(tmp_path, text)).variants[1].rules.draw_before_empty_check is value


def test_no_is_a_name_where_a_name_is_wanted(tmp_path):
    assert load_study(write(tmp_path, changed("short:", "no:"))).variants[1].name == "no"


def test_empty_variants_and_single_player_counts(tmp_path):
    study = load_study(write(tmp_path, changed("standard: {}", "standard:").replace("[2, 4]", "3")))
    assert study.players == (3,)
    assert study.variants[0].rules == study.game.parameters.build(3)


def test_own_strategies(tmp_path):
    own = "[random, {name: careful, base: rusher, noise: 0.25}, {name: mine, weights: {cards_caught: 2}}]"
    study = load_study(write(tmp_path, changed("[random, rusher]", own)))
    assert [strategy.name for strategy in study.strategies] == ["random", "careful", "mine"]
    assert study.strategies[1].noise == 0.25
    assert 2.0 in study.strategies[2].weights


BAD = {
    "unknown key": ("seed: 5", "sead: 5", ["study.yaml:10", "sead", "did you mean 'seed'", "games"]),
    "missing key": ("seed: 5\n", "", ["study.yaml", "'seed' is missing"]),
    "unknown game": (
        "game: flock-together",
        "game: flock-togehter",
        [":3", "game", "did you mean 'flock-together'"],
    ),
    "unknown preset": ("preset: quick-game", "preset: quick", [":7", "variants.short.preset", "quick-game"]),
    "unknown rule": (
        "hand_size: 6",
        "hand_sise: 6",
        [":7", "variants.short: unknown rule 'hand_sise'", "did you mean 'hand_size'"],
    ),
    "unknown strategy": ("rusher]", "rushr]", [":8", "strategies: entry 2", "rushr", "did you mean 'rusher'"]),
    "unknown species": ("hand_size: 6", "small_flock: {X: 3}", [":7", "small_flock", "'X'", "A-2"]),
    "rule of the wrong type": ("hand_size: 6", "hand_size: lots", [":7", "hand_size", "'lots'", "1 to 25"]),
    "rule out of range": (
        "hand_size: 6",
        "hand_size: 99",
        [":7", "variants.short.hand_size", "99", "1 to 25"],
    ),
    "yes-no rule": (
        "hand_size: 6",
        "draw_before_empty_check: 3",
        [":7", "draw_before_empty_check", "yes or no"],
    ),
    "map rule as number": ("hand_size: 6", "small_flock: 3", [":7", "small_flock", "'3'", "A-2"]),
    "big below small": ("hand_size: 6", "big_flock: {Q: 1}", [":7", "big_flock.Q", "smaller than the small"]),
    "too many to deal": ("hand_size: 6", "hand_size: 25", [":7", "hand_size", "116", "104"]),
    "one player": ("[2, 4]", "[1]", [":4", "players: entry 1", "2 to 5 players, not 1"]),
    "six players": ("[2, 4]", "[2, 6]", [":4", "players: entry 2", "2 to 5 players, not 6"]),
    "players twice": ("[2, 4]", "[2, 2]", [":4", "players: entry 2", "twice"]),
    "no players": ("[2, 4]", "[]", [":4", "players"]),
    "players as words": ("[2, 4]", "[two]", [":4", "players: entry 1", "'two'", "whole number"]),
    "no variants": (
        "variants:\n  standard: {}\n  short: {preset: quick-game, hand_size: 6}",
        "variants: {}",
        [":5", "variants"],
    ),
    "variants as list": (
        "variants:\n  standard: {}\n  short: {preset: quick-game, hand_size: 6}",
        "variants: [a]",
        [":5", "variants", "map"],
    ),
    "variant twice": ("short:", "standard:", [":7", "variants.standard", "twice"]),
    "variant is a number": ("standard: {}", "standard: 3", [":6", "variants.standard", "'3'", "map"]),
    "variant name as path": ("short:", "../short:", [":5", "variants", "../short"]),
    "variants that differ in capitals only": ("short:", "STANDARD:", [":5", "variants", "'standard'", "capitals"]),
    "too little luck": (
        "seed: 5",
        "seed: 5\nluck: 1079",
        [":11", "luck", "1079", "0, or from 1,080, 30 blocks with 4"],
    ),
    "too much luck": ("seed: 5", "seed: 5\nluck: 1e12", [":11", "luck", "0 to 1e7"]),
    "no strategies": ("[random, rusher]", "[]", [":8", "strategies"]),
    "strategy twice": ("[random, rusher]", "[rusher, rusher]", [":8", "strategies: entry 2", "twice"]),
    "strategy noise": (
        "rusher]",
        "{name: a, base: rusher, noise: 2}]",
        [":8", "strategies: entry 2: noise", "'2'", "1"],
    ),
    "strategy feature": (
        "rusher]",
        "{name: a, base: rusher, weights: {cards_cought: 1}}]",
        [":8", "cards_cought", "cards_caught"],
    ),
    "variant for players not in the study": (
        "{preset: quick-game, hand_size: 6}",
        "{players: [2, 3]}",
        [":7", "variants.", ".players", "['2', '3']", "some of the study's players"],
    ),
    "variant for no players": (
        "{preset: quick-game, hand_size: 6}",
        "{players: []}",
        [":7", ".players", "at least one"],
    ),
    "strategies as a map": ("[random, rusher]", "{random: 1}", [":8", "strategies", "a list of 1 to 200"]),
    "strategy from nothing": ("rusher]", "{name: a}]", [":8", "strategies: entry 2", "base or weights"]),
    "strategy with unknown key": (
        "rusher]",
        "{name: a, bass: rusher}]",
        [":8", "strategies: entry 2", "bass", "did you mean 'base'"],
    ),
    "zero games": ("games: 100", "games: 0", [":9", "games", "'0'", "1"]),
    "half a game": ("games: 100", "games: 0.5", [":9", "games", "'0.5'", "whole number"]),
    "games as yes": ("games: 100", "games: yes", [":9", "games", "'yes'", "whole number"]),
    "negative seed": ("seed: 5", "seed: -1", [":10", "seed", "'-1'"]),
    "huge seed": ("seed: 5", "seed: 1e30", [":10", "seed", "'1e30'"]),
    "name as path": ("name: tiny", "name: ../tiny", [":1", "name", "../tiny", "letters"]),
    "reserved name": ("name: tiny", "name: con", [":1", "name", "con"]),
    "stop without an end": ("seed: 5", "seed: 5\nstop: {when: decided}", [":11", "stop: 'at_most' is missing"]),
    "stop before it begins": (
        "seed: 5",
        "seed: 5\nstop: {at_most: 99}",
        [":11", "stop.at_most", "99", "from games, 100"],
    ),
    "stop when something else": (
        "seed: 5",
        "seed: 5\nstop: {when: bored, at_most: 900}",
        [":11", "stop.when", "'bored'", "decided"],
    ),
    "stop with an unknown key": (
        "seed: 5",
        "seed: 5\nstop: {at_most: 900, wen: decided}",
        [":11", "stop", "did you mean 'when'"],
    ),
    "arcs": ("seed: 5", "seed: 5\narcs: -1", [":11", "arcs", "-1", "a whole number from 0 to 1e6"]),
    "target on courses that are not recorded": (
        "seed: 5",
        "seed: 5\narcs: 0\ntargets: {runaway: 60}",
        [":12", "targets.runaway", "arcs: 0"],
    ),
    "target unknown": ("seed: 5", "seed: 5\ntargets: {sets: 5}", [":11", "targets.sets", "did you mean 'seats'"]),
    "target without its unit's form": (
        "seed: 5",
        "seed: 5\ntargets:\n  turns: 30",
        [":12", "targets.turns", "30", "band"],
    ),
    "target of an unknown variant": (
        "seed: 5",
        "seed: 5\ntargets:\n  variants: {shrt: {}}",
        [":12", "targets.variants.shrt", "did you mean 'short'"],
    ),
    "more viable strategies than there are": (
        "seed: 5",
        "seed: 5\ntargets: {strategies: {viable: 3}}",
        [":11", "targets.strategies.viable", "3", "at most 2"],
    ),
    "broken yaml": ("players: [2, 4]", "players: [2, 4", ["study.yaml:", "not valid YAML"]),
    "python object": ("seed: 5", "seed: !!python/object/apply:os.getcwd []", [":10", "seed"]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_mistake_is_one_line_that_names_place_value_and_what_is_allowed(tmp_path, case):
    before, after, expected = BAD[case]
    message = error_of(tmp_path, changed(before, after))
    for part in expected:
        assert part in message, message


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words\n", "# nothing\n"])
def test_a_file_that_is_no_map(tmp_path, text):
    assert "study.yaml" in error_of(tmp_path, text)


def test_files_that_cannot_be_configs(tmp_path):
    with pytest.raises(FlocksimError, match="is a directory"):
        load_study(tmp_path)
    with pytest.raises(FlocksimError, match="cannot be read"):
        load_study(tmp_path / "missing.yaml")
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(os.urandom(2000) + b"\xff\0")
    with pytest.raises(FlocksimError, match="not a text file"):
        load_study(binary)
    big = tmp_path / "big.yaml"
    big.write_text("#" * 2_000_000)
    with pytest.raises(FlocksimError, match="more than"):
        load_study(big)


def test_bombs_are_refused_quickly(tmp_path):
    deep = "a: " + "[" * 5000 + "]" * 5000
    assert "nested too deeply" in error_of(tmp_path, deep)
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for previous, name in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{previous}'] * 10)}]\n"
    assert "entries" in error_of(tmp_path, bomb)


def test_the_config_in_a_manifest_plays_the_same_games_again(tmp_path):
    own = "[random, {name: careful, base: rusher, noise: 0.25}, {name: mine, weights: {cards_caught: 2}}]"
    text = changed("[random, rusher]", own).replace("hand_size: 6", "small_flock: {J: 3}, draw_before_empty_check: no")
    study = load_study(write(tmp_path, text))
    again = load_study(write(tmp_path, yaml.safe_dump(study.config())))
    assert again.hash() == study.hash()
    assert make_study(study.config()).hash() == study.hash()


def test_targets_do_not_decide_what_is_played(tmp_path):
    plain = load_study(write(tmp_path, GOOD))
    targets = "targets: {seats: 3, turns: {2: [10, 20]}, changes: {ties: 1.5}}\n"
    asked = load_study(write(tmp_path, GOOD + targets))
    assert asked.hash() == plain.hash()
    assert asked.config()["targets"] == {"seats": 3, "turns": {"2": [10, 20]}, "changes": {"ties": 1.5}}
    assert make_study(asked.config()).targets == asked.targets


def test_a_study_that_stops_when_sure_is_made_again_from_its_config(tmp_path):
    study = load_study(write(tmp_path, GOOD + "stop: {when: decided, at_most: 1_000}\n"))
    assert (study.at_most, study.looks, study.games) == (1000, 10, 100)
    again = make_study(study.config())
    assert (again.at_most, again.hash()) == (1000, study.hash())
    assert load_study(write(tmp_path, GOOD)).hash() != study.hash() == study.after(7).hash()


def test_a_dict_works_the_same():
    study = make_study(
        {
            "name": "tiny",
            "game": "flock-together",
            "players": [3],
            "variants": {"standard": {}, "bigger": {"hand_size": 9}},
            "strategies": ["random"],
            "games": 30,
            "seed": 1,
        }
    )
    assert study.variants[1].rules.hand_size == 9
    with pytest.raises(FlocksimError, match=r"config: variants.a.hand_size: 'x' is not allowed"):
        make_study({**study.config(), "strategies": ["random"], "variants": {"a": {"hand_size": "x"}}})


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("targets: {runaway: 60}", ""),
        ("stop: {when: decided, at_most: 9000}\ntargets: {turns: [1, 9]}", ""),
        ("stop: {when: decided, at_most: 9000}\narcs: 9000\ntargets: {runaway: 60}", ""),
        ("stop: {when: decided, at_most: 9000}\ntargets: {runaway: 60}", "runaway is judged by recorded games"),
        (
            "stop: {when: decided, at_most: 9000}\narcs: 40\ntargets: {changes: {lead_changes: 1}}",
            "no more than 40 of a case",
        ),
    ],
)
def test_recorded_games_may_be_too_few_to_stop_by(tmp_path, lines, said):
    found = advice(load_study(write(tmp_path, changed("seed: 5", f"seed: 5\n{lines}"))))
    assert said in found
    assert bool(said) == bool(found)
