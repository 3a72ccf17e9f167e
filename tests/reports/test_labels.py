"""Names in figures: short enough for their place, different where they differ, and measured."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from flocksim.reports import figures
from flocksim.reports.labels import inches, shortened
from flocksim.reports.payoffs import payoffs
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("most", [13, 17, 28])
@pytest.mark.parametrize(
    "names",
    [
        [f"rarer-rare-birds-noise-0.{digit}" for digit in range(10)],
        ["hungry-birdies", "hungry-birdies-and-free-flight", "hungry-birdies-and-free-flying"],
        ["a" * 40 + middle + "z" * 40 for middle in "xy"],
        ["flat-" * 9 + "one", "flat-" * 9 + "two", "short"],
    ],
)
def test_names_that_differ_stay_different(names: list[str], most: int) -> None:
    told = shortened(names, most)
    assert len(set(told)) == len(set(names))
    assert all(len(text) <= most for text in told)
    assert all(text == name for text, name in zip(told, names, strict=True) if len(name) <= most)


@given(st.lists(st.text("ab-", min_size=1, max_size=24), max_size=12), st.integers(8, 20))
def test_any_names_stay_different(names: list[str], most: int) -> None:
    told = shortened(names, most)
    assert len(set(told)) == len(set(names))
    assert all(len(text) <= most for text in told)


def test_a_long_name_is_cut_between_words_where_it_can_be() -> None:
    assert shortened(["never-activates-dominance", "x"], 17) == ["never-a…dominance", "x"]
    assert shortened(["costs $5 more"], 20) == [r"costs \$5 more"]


def test_the_label_of_a_heat_map_ends_before_the_numbers_of_the_weights() -> None:
    names = [f"beginner-player-{letter}" for letter in "abcdefg"]
    pairs = pd.DataFrame([
        {"strategy": one, "other": two, "share": 0.5, "low": 0.4, "high": 0.6, "clear": False}
        for one, two in combinations(names, 2)
    ])  # fmt: skip
    mix = pd.DataFrame({"strategy": names, "weight": 1 / 7, "low": 0.0, "high": 1.0, "against": 0.5,
                        "dominated_by": ""})  # fmt: skip
    figure = payoffs(pairs, mix)
    figures.svg(figure)  # places everything
    left, right = figure.axes
    ends = left.xaxis.label.get_window_extent().x1
    begins = min(text.get_window_extent().x0 for text in right.get_xticklabels())
    assert ends + 15 < begins  # browsers have wider letters


def test_of_a_tiers_names_the_tier_is_cut() -> None:
    players = [
        "beginner-all-rounder",
        "beginner-rusher",
        "beginner-collector-deep",
        "beginner-collector-wide",
        "rusher",
    ]
    told = ["begin…all-rounder", "beginner-rusher", "be…collector-deep", "be…collector-wide", "rusher"]
    assert shortened(players, 17) == told
    assert shortened(players, 16) == [
        "begi…all-rounder",
        "beginner-rusher",
        "b…collector-deep",
        "b…collector-wide",
        "rusher",
    ]
    variants = ["six-to-win-beginner", "hand-of-7-beginner", "six-to-win-strong", "standard-beginner"]
    assert shortened(variants, 17) == [
        "six-to-win-begin…",
        "hand-of-7-beginn…",
        "six-to-win-strong",
        "standard-beginner",
    ]


def test_there_is_room_for_names_in_capitals() -> None:
    wide, thin = "WWWWWWWWWW", "iiiiiiiiii"
    assert inches(wide) > 3 * inches(thin)
    table = pd.DataFrame({
        "variant": "standard", "players": 2, "counter": [wide, thin], "mean": [1.0, 2.0], "low": [0.9, 1.9],
        "high": [1.1, 2.1],
    })  # fmt: skip
    figure = figures.counters(table, "cards")
    left = figure.axes[0].get_position().x0 * figure.get_size_inches()[0]
    assert left > inches(wide) + 0.1
