"""Studies whose answer is known beforehand: the report has to say just that."""

from __future__ import annotations

import re

import pytest
from flocksim.analysis.tables import summarise

from flocksim import run


def study(**changes):
    return {
        "name": "truths",
        "game": "flock-together",
        "players": [2, 3],
        "variants": {"standard": {}},
        "strategies": ["random", "rusher", "hoarder"],
        "games": 1200,
        "seed": 4,
    } | changes


@pytest.fixture(scope="module")
def same_rules_twice(tmp_path_factory):
    config = study(variants={"standard": {}, "again": {"hand_size": 8}})
    with run(config, out=tmp_path_factory.mktemp("aa") / "run", jobs=2) as played:
        yield played, summarise(played)


def test_equal_variants_differ_by_exactly_zero(same_rules_twice):
    _, results = same_rules_twice
    for name in ("variant_measures", "variant_seats", "variant_strategies"):
        table = getattr(results, name)
        assert len(table) > 0
        assert (table["difference"] == 0).all()
        assert (table["low"] == 0).all()
        assert (table["high"] == 0).all()
        assert not table["claim"].any()


def test_equal_variants_play_the_same_games(same_rules_twice):
    played, _ = same_rules_twice
    query = "SELECT count(DISTINCT digest) AS n, count(*) AS games FROM games GROUP BY players, game"
    frame = played.sql(query).df()
    assert (frame["n"] == 1).all()
    assert (frame["games"] == 2).all()


def test_equal_bots_show_no_strategy_effect(tmp_path):
    twins = [{"name": name, "base": "rusher"} for name in ("anne", "ben", "carla", "dora")]
    with run(study(strategies=twins, games=4000), out=tmp_path / "run", jobs=2) as played:
        results = summarise(played)
    assert not results.strategies["claim"].any()
    assert (abs(results.strategies["edge"]) < 0.04).all()


def test_a_stronger_bot_is_found_and_a_weaker_one_too(tmp_path):
    with run(study(players=[2]), out=tmp_path / "run", jobs=2) as played:
        table = summarise(played).strategies.set_index("strategy")
    assert table.loc["random", "claim"]
    assert table.loc["random", "high"] < 0.2
    assert table.loc["rusher", "low"] > 0.6


def test_noise_makes_a_bot_weaker(tmp_path):
    bots = ["rusher", {"name": "noisy", "base": "rusher", "noise": 0.4}]
    with run(study(players=[2], strategies=bots), out=tmp_path / "run", jobs=2) as played:
        table = summarise(played).strategies.set_index("strategy")
    assert table.loc["noisy", "high"] < 0.35


def test_cutting_games_off_is_no_shift_between_seats(tmp_path):
    """Most games end at the cap and nobody wins them: that must not read as every seat and bot losing."""
    variants = {"standard": {}, "short": {"turn_cap": 20}}
    with run(study(variants=variants, strategies=["rusher"], games=3000), out=tmp_path / "run", jobs=2) as played:
        results = summarise(played)
    for _, cell in results.variant_seats.groupby("players"):
        assert abs(cell["difference"].sum()) < 1e-9
        assert (abs(cell["difference"]) < 0.06).all()
    short = results.seats[results.seats["variant"] == "short"]
    assert (short["won"] < 0.75 * short["fair"]).all()
    assert (abs(short["share"] - short["fair"]) < 0.05).all()
    cut_off = [f.text for f in results.findings if f.topic == "seats" and "that nobody won" in f.text]
    assert cut_off


def test_the_largest_deviation_is_named_in_either_direction(tmp_path):
    with run(study(players=[2, 3]), out=tmp_path / "run", jobs=2) as played:
        results = summarise(played)
    largest = "most of all|the largest difference seen"
    (text,) = [f.text for f in results.findings if f.topic == "strategies" and re.search(largest, f.text)]
    row = results.strategies.loc[results.strategies["edge"].abs().idxmax()]
    assert f"{row['strategy']} wins" in re.split(largest, text)[1]


def test_a_lower_cap_is_an_honest_cap(tmp_path):
    variants = {"standard": {}, "short": {"turn_cap": 20}}
    with run(study(variants=variants), out=tmp_path / "run", jobs=2) as played:
        frame = played.sql(
            "SELECT max(turns) AS longest, sum(winners) FILTER (end_reason = 'turn_cap') AS won, "
            "count(*) FILTER (end_reason = 'turn_cap') AS capped FROM games WHERE variant = 'short'"
        ).df()
        results = summarise(played)
    assert frame["longest"][0] == 20
    assert frame["capped"][0] > 100
    assert frame["won"][0] == 0
    short = results.seats[results.seats["variant"] == "short"]
    assert (short["best"] - short["worst"] > 0.05).all()
