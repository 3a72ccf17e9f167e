"""Targets: what a config may want of a game, in which units, of which cases."""

from __future__ import annotations

import math
from typing import Any

import pytest
from flocksim.analysis.targets import Target, TargetError, check_asked, read_targets
from flocksim.analysis.verdict_words import wanted


def of(data: Any, variant: str = "a", players: int = 3) -> dict[str, Target]:
    return {target.key: target for target in read_targets(data, ["a", "b"], [2, 3], 4).of(variant, players)}


def test_a_study_that_says_nothing_has_the_default_targets() -> None:
    assert of(None) == of({})
    assert set(of(None)) == {"seats", "strategies.above", "unfinished"}


def test_none_switches_off_one_target_or_all() -> None:
    assert of("none") == {}
    assert set(of({"seats": "none", "strategies": "none"})) == {"unfinished"}
    assert set(of({"strategies": {"above": "none", "below": 10}})) == {"seats", "strategies.below", "unfinished"}


def test_shares_are_parts_of_one_and_other_quantities_keep_their_unit() -> None:
    found = of({"seats": "3", "turns": ["20", "any"], "ties": [1, 5], "changes": {"turns": 3, "seats": 1}})
    assert found["seats"] == Target("seats", -0.03, 0.03)
    assert found["turns"] == Target("turns", 20, math.inf)
    assert (found["ties"].least, found["ties"].most) == (0.01, 0.05)
    assert (found["changes.turns"].least, found["changes.turns"].most) == (-math.inf, 3)
    assert found["changes.seats"].most == 0.01


def test_strategies_bound_the_best_the_worst_and_how_many_can_win() -> None:
    found = of({"strategies": {"above": 15, "below": 10, "viable": 3, "within": 4}})
    assert (found["strategies.above"].least, found["strategies.above"].most) == (-math.inf, 0.15)
    assert (found["strategies.below"].least, found["strategies.below"].most) == (-0.1, math.inf)
    assert found["strategies.viable"] == Target("strategies.viable", -0.04, math.inf, 3)


def test_a_lone_player_has_no_rivals_to_be_level_with() -> None:
    assert set(of({"strategies": {"viable": 2}, "changes": {"seats": 1}}, players=1)) == {"unfinished"}


def test_limits_may_go_by_player_count() -> None:
    data = {"turns": {"2": [10, 20], "3": [20, 40]}, "ties": {"2": 3}}
    assert (of(data, players=2)["turns"].most, of(data, players=3)["turns"].most) == (20, 40)
    assert "ties" in of(data, players=2)
    assert "ties" not in of(data, players=3)


def test_a_variant_may_have_no_targets_at_all() -> None:
    data = {"turns": [1, 2], "changes": {"ties": 1}, "variants": {"b": "none"}}
    assert set(of(data, "a")) == {"seats", "strategies.above", "unfinished", "turns", "changes.ties"}
    assert of(data, "b") == {}
    check_asked(data, ["a", "b"], [2, 3])


def test_a_variant_replaces_what_it_names_and_keeps_the_rest() -> None:
    data = {"seats": 3, "strategies": {"above": 9, "below": 8}, "changes": {"turns": 3, "ties": 1},
            "variants": {"b": {"seats": 7, "strategies": {"below": "none"}, "changes": {"turns": "none"}}}}  # fmt: skip
    assert of(data, "a")["seats"].most == 0.03
    theirs = of(data, "b")
    assert theirs["seats"].most == 0.07
    assert set(theirs) == {"seats", "strategies.above", "unfinished", "changes.ties"}


@pytest.mark.parametrize(
    ("data", "key", "part"),
    [
        (3, (), "a map with seats"),
        ({"sets": 3}, ("sets",), "did you mean 'seats'"),
        ({"turns": 4}, ("turns",), "a band such as"),
        ({"turns": [3, 2]}, ("turns",), "above its second"),
        ({"turns": ["any", "any"]}, ("turns",), "a band such as"),
        ({"turns": {"x": [1, 2]}}, ("turns",), "by player count"),
        ({"seats": -1}, ("seats",), "percentage points"),
        ({"seats": "x"}, ("seats",), "'x'"),
        ({"ties": "many"}, ("ties",), "percent of games"),
        ({"strategies": {"viable": 1.5}}, ("strategies", "viable"), "a whole number"),
        ({"strategies": {"above": [1, 2]}}, ("strategies", "above"), "percentage points"),
        ({"strategies": {"viable": 5}}, ("strategies", "viable"), "at most 4"),
        ({"strategies": 4}, ("strategies",), "above, below, viable"),
        ({"changes": {"turns": "lots"}}, ("changes", "turns"), "by how much it may grow"),
        ({"changes": {"strategies": 1}}, ("changes", "strategies"), "known: seats"),
        ({"variants": {"c": {}}}, ("variants", "c"), "known: a, b"),
        ({"variants": 3}, ("variants",), "a map from variants"),
        ({"variants": {"b": {"sets": 1}}}, ("variants", "b", "sets"), "did you mean 'seats'"),
    ],
)
def test_a_mistake_names_its_place_and_what_is_allowed(data: Any, key: tuple[str, ...], part: str) -> None:
    with pytest.raises(TargetError) as caught:
        of(data)
    assert caught.value.key == key
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_point_is_singular():
    change = {"target": "changes.seats", "least": float("-inf"), "most": 0.01}
    assert wanted(change) == "the gap between seats: at most 1 point more than in the baseline"
    assert wanted({**change, "most": 0.02}) == "the gap between seats: at most 2 points more than in the baseline"
    seats = {"target": "seats", "least": -0.01, "most": 0.01}
    assert wanted(seats) == "every seat within ±1 point of its fair share"


def test_targets_on_the_course_of_games_are_a_band_and_a_share() -> None:
    found = of({"lead_changes": [2, "any"], "runaway": 60})
    assert (found["lead_changes"].least, found["lead_changes"].most) == (2, math.inf)
    assert (found["runaway"].least, found["runaway"].most) == (-math.inf, 0.6)
    assert set(of({"runaway": 60, "lead_changes": [1, 2]}, players=1)) == {"unfinished"}
    with pytest.raises(TargetError, match="band"):
        of({"lead_changes": 3})
    changed = of({"changes": {"runaway": 3, "lead_changes": [-1, 2]}})
    assert (changed["changes.runaway"].least, changed["changes.runaway"].most) == (-math.inf, 0.03)
    assert (changed["changes.lead_changes"].least, changed["changes.lead_changes"].most) == (-1, 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"lead_changes": [-1, 2]}, r"\[-1, 2\] is not allowed; allowed: numbers from 0"),
        ({"ties": [-1, 2]}, r"\[-1, 2\] is not allowed"),
        ({"runaway": [0.4, 0.65]}, "at most so many percent, e.g. 60"),
        ({"runaway": 0.6}, "at most so many percent, e.g. 60"),
        ({"turns": {7: [1, 20]}}, "7 is not allowed; allowed: the study's numbers of players, 2, 3"),
        ({"strategies": {"above": {7: 4}}}, "7 is not allowed"),
        ({"variants": {"b": {"changes": {"ties": {7: 4}}}}}, "7 is not allowed"),
        ({"seats": "1e400"}, "'1e400' is not allowed"),
        ({"turns": ["1e400", "any"]}, "1e400"),
        ({"strategies": {"viable": "1e400"}}, "1e400"),
        ({"ties": [0, 100]}, r"\[0, 100\] is not allowed: no game can miss it"),
        ({"turns": [0, "any"]}, "no game can miss it"),
    ],
)
def test_what_no_game_can_be_is_a_slip(data: dict[str, Any], message: str) -> None:
    with pytest.raises(TargetError, match=message):
        of(data)


def test_an_end_that_nothing_lies_beyond_is_no_end() -> None:
    """No number of games shows that a share of none is above 0."""
    found = of({"ties": [0, 5], "stuck": [1, 100], "turns": [0, 30], "margin": [0, 5], "changes": {"ties": [0, 5]}})
    assert [(found[key].least, found[key].most) for key in ("ties", "stuck", "turns", "margin", "changes.ties")] == [
        (-math.inf, 0.05), (0.01, math.inf), (-math.inf, 30), (0, 5), (0, 0.05),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("data", "rules", "players", "message"),
    [
        ({"changes": {"turns": 3}}, ["a"], [2], "a study of one variant has nothing that changes"),
        ({"variants": {"a": {"changes": {"turns": 3}}}}, ["a", "a"], [2], "a study of one variant"),
        ({"seats": 5}, ["a", "b"], [1], "a player alone has no other seats to compare with"),
        ({"margin": [1, 10]}, ["a", "b"], [1], "a player alone has no lead over others"),
        ({"strategies": {"above": 5}}, ["a", "b"], [1], "a player alone has no rivals"),
        ({"spread": {1: [1, 2], 2: [1, 2]}}, ["a", "b"], [1, 2], "a player alone has no others to be ahead of"),
        ({"changes": {"spread": 3}}, ["a", "b"], [1], "a player alone has no others"),
    ],
)
def test_a_target_that_asks_nothing_is_told(data: Any, rules: list[str], players: list[int], message: str) -> None:
    with pytest.raises(TargetError, match=message):
        check_asked(data, rules, players)
    check_asked(data, ["a", "b"], [2, 3])


def test_targets_that_ask_something_or_are_off_are_none_of_those() -> None:
    for data in (None, "none", {"seats": "none", "changes": "none"}, {"seats": 5}):
        check_asked(data, ["a"], [1, 2])
    check_asked({"seats": "none", "turns": [1, 2], "changes": {}}, ["a"], [1])
