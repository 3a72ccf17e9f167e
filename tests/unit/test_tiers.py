"""Tiers: who is in them, and what a study makes of their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flocksim.analysis.league import rate
from flocksim.analysis.run_folder import load
from flocksim.analysis.verdicts import targets_of
from flocksim.simulate.bots import Strategy
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games import GAMES
from flocksim.simulate.plan import Study, Variant
from flocksim.simulate.runner import run_study
from flocksim.simulate.trace import trace_game
from flocksim.strategies import catalogue
from flocksim.strategies.uniform import RANDOM

from flocksim.study import make_study
from tests.toy import TAKE_A, TAKE_B, TOY

CONFIG = {
    "name": "tiny", "game": "flock-together", "players": [2, 3], "strategies": ["expert"],
    "variants": {"standard": {}, "quick": {"preset": "quick-game", "players": 2}}, "games": 12, "seed": 5,
}  # fmt: skip


def with_tiers(*tiers: str, **changes) -> dict:
    config = {key: value for key, value in CONFIG.items() if key != "strategies"}
    return config | {"tiers": list(tiers)} | changes


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_every_tier(game):
    """Names are whole, nobody is in two tiers, and what is told of a member plays it again."""
    members = [member for tier in catalogue.TIERS for member in catalogue.tier(game, tier)]
    assert len({member.name for member in members}) == len(members)
    assert all(catalogue.tier(game, tier) for tier in catalogue.TIERS)
    config = {"name": "x", "game": game, "players": 2, "variants": {"standard": {}}, "games": 2, "seed": 1}
    study = make_study(config | {"strategies": list(catalogue.TIERS)})
    assert study.strategies == tuple(members)
    assert make_study(study.config()).hash() == study.hash()


@pytest.mark.parametrize("game", GAMES)
def test_beginners_are_more_careless_than_casual_players(game):
    noise = {tier: {member.noise for member in catalogue.tier(game, tier)} for tier in catalogue.TIERS}
    assert 1 > min(noise["beginner"]) > max(noise["casual"]) > 0
    assert max(noise["strong"]) < 0.1
    assert noise["expert"] == {0.0}


def test_a_tier_in_a_list_stands_for_its_players():
    study = make_study(
        CONFIG | {"strategies": ["random", "casual", {"name": "expert", "base": "rusher", "noise": 0.1}]}
    )
    casual = [member.name for member in catalogue.tier("flock-together", "casual")]
    assert [strategy.name for strategy in study.strategies] == ["random", *casual, "expert"]
    assert study.variants[0].strategies == ()


def test_a_study_at_every_tier():
    study = make_study(with_tiers("beginner", "expert"))
    assert [(variant.name, variant.population) for variant in study.variants] == [
        ("standard-beginner", "beginner"),
        ("quick-beginner", "beginner"),
        ("standard-expert", "expert"),
        ("quick-expert", "expert"),
    ]
    for variant in study.variants:
        assert study.team(variant) == catalogue.tier("flock-together", variant.population)
    assert study.variants[3].players == (2,)
    assert study.variants[3].rules == study.variants[1].rules != study.variants[2].rules
    assert make_study(study.config()).hash() == study.hash()
    assert make_study(with_tiers("beginner", "strong")).hash() != study.hash()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (with_tiers("expret"), "tiers: entry 1: unknown tier 'expret' (did you mean 'expert'?); known: beginner"),
        (with_tiers("expert", "expert"), "tiers: entry 2: 'expert' appears twice"),
        (with_tiers("expert", strategies=["rusher"]), "tiers: say who plays as 'strategies' do"),
        (with_tiers(), "tiers: [] is not allowed; allowed: a list of tiers"),
        (with_tiers("expert", tiers="expert"), "tiers: 'expert' is not allowed; allowed: a list of tiers"),
        (with_tiers("expert", variants={"x" * 75: {}}), "cannot name a variant"),
        (CONFIG | {"strategies": ["strong", "rusher"]}, "strategies: entry 2: the name 'rusher' appears twice"),
        (CONFIG | {"strategies": ["beginer"]}, "unknown strategy 'beginer' (did you mean 'beginner'?)"),
        ({key: value for key, value in CONFIG.items() if key != "strategies"}, "'strategies' is missing"),
    ],
)
def test_a_mistake_is_one_line(config, expected):
    with pytest.raises(FlocksimError) as caught:
        make_study(config)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy game at two made-up tiers: two who take die A and two who take B."""
    team = [Strategy(name, TAKE_A.kernel if name in "ab" else TAKE_B.kernel) for name in "abcd"]
    rules = TOY.parameters.build(2)
    variants = (Variant("only-a", rules, population="a", strategies=(0, 1)), Variant("both", rules),
                Variant("only-b", rules, population="b", strategies=(2, 3)))  # fmt: skip
    study = Study("toy", TOY, (2,), variants, tuple(team), games=400, seed=3)
    folder = tmp_path_factory.mktemp("tiers") / "run"
    run_study(study, folder, jobs=1)
    return folder


def test_a_variant_is_played_by_its_own_tier(run: Path):
    with load(run) as opened:
        seats = opened.seats.df()
        digest = opened.sql("SELECT digest FROM games WHERE variant = 'only-b' AND game = 5").fetchall()[0][0]
        tiers = [variant["population"] for variant in opened.manifest["variants"]]
    assert tiers == ["a", "", "b"]
    who = seats.groupby("variant").strategy.unique().map(sorted).to_dict()
    assert who == {"only-a": ["a", "b"], "both": ["a", "b", "c", "d"], "only-b": ["c", "d"]}
    assert (seats[seats.variant == "only-a"].b_taken == 0).all()
    team = [Strategy("c", TAKE_B.kernel), Strategy("d", TAKE_B.kernel)]
    lines = list(trace_game(TOY, TOY.parameters.build(2), 2, team, 3, 5))
    assert lines[-1]["digest"] == f"{digest:016x}"


def test_a_league_may_rate_whole_tiers(run: Path, tmp_path: Path):
    team = tuple(replace(TAKE_A if name in "ab" else RANDOM, name=name) for name in "abcd")
    study = Study("toy", TOY, (2,), (Variant("x", TOY.parameters.build(2)),), team, games=6_000, seed=3)
    run_study(study, tmp_path / "run", jobs=1)
    with load(tmp_path / "run", names={"a": "it's A", "b": "it's A", "c": "chance", "d": "chance"}) as opened:
        assert [entry["name"] for entry in opened.manifest["strategies"]] == ["it's A", "chance"]
        league = rate(opened)
    assert list(league.ladder.strategy) == ["it's A", "chance"]
    assert league.ladder.games.sum() == 12_000
    assert league.pairs.share.to_numpy() == pytest.approx([13 / 24], abs=0.03)
    assert np.isfinite(league.ladder.low).all()


NOISY = CONFIG | {"strategies": ["rusher", {"name": "slow", "base": "hoarder", "noise": 0.5}], "noise": [0, "0.2"]}


def test_a_study_at_every_level_of_noise():
    study = make_study(NOISY)
    names = ["standard-noise-0", "quick-noise-0", "standard-noise-0.2", "quick-noise-0.2"]
    assert [variant.name for variant in study.variants] == names
    assert [variant.rules_name for variant in study.variants] == ["standard", "quick"] * 2
    noise = [[(player.name, player.noise) for player in study.team(variant)] for variant in study.variants[1:3]]
    assert noise == [[("rusher", 0.0), ("slow", 0.5)], [("noise-0.2-rusher", 0.2), ("noise-0.2-slow", 0.6)]]
    assert make_study(study.config()).hash() == study.hash()
    assert make_study(NOISY | {"noise": [0, 0.3]}).hash() != study.hash()
    assert make_study(NOISY | {"noise": 0.2}).hash() == make_study(NOISY | {"noise": [0.2]}).hash()
    assert "noise" not in make_study(CONFIG).config()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"noise": [0, 0.2, "0.20"]}, "noise: entry 3: 0.2 appears twice"),
        ({"noise": [0.12345671, 0.12345672]}, "noise: entry 2: 0.123457 appears twice"),
        (
            {"strategies": ["rusher", {"name": "noise-0.2-rusher", "base": "hoarder"}]},
            "there would be two strategies 'noise-0.2-rusher'",
        ),
        ({"noise": [0, 2]}, "noise: entry 2: 2 is not allowed; allowed: a number from 0 to 1, or, of a study, a list"),
        ({"noise": 2}, "noise: entry 1: 2 is not allowed; allowed: a number from 0 to 1, or, of a study, a list"),
        ({"strategies": ["ismcts:10"]}, "noise: 'ismcts:10' searches, and takes no noise"),
    ],
)
def test_a_mistake_about_noise_is_one_line(changes, expected):
    with pytest.raises(FlocksimError) as caught:
        make_study(NOISY | changes)
    assert expected in str(caught.value)


def test_noise_is_a_population_of_its_own_and_tiers_are_others():
    with pytest.raises(FlocksimError, match="tiers: say who plays as 'noise' does, too"):
        make_study(with_tiers("expert", noise=[0]))


def test_targets_of_a_variant_are_for_all_its_populations():
    targets = {"turns": [1, 99], "variants": {"quick": {"turns": [1, 20]}, "quick-expert": {"seats": "none"}}}
    config = make_study(with_tiers("beginner", "expert", targets=targets)).config()
    manifest = {
        "config": config, "players": [2, 3], "strategies": [""] * 8,
        "variants": [{"name": f"{rules}-{tier}", "population": tier} for tier in ("beginner", "expert")
                     for rules in ("standard", "quick")],
    }  # fmt: skip
    read = targets_of(manifest)
    found = {(name, target.key): target.most for name in ("standard-expert", "quick-beginner", "quick-expert")
             for target in read.of(name, 2)}  # fmt: skip
    assert found["standard-expert", "turns"] == 99
    assert found["quick-beginner", "turns"] == found["quick-expert", "turns"] == 20
    assert ("quick-beginner", "seats") in found
    assert ("quick-expert", "seats") not in found
