"""Tiers: who is in them, and what a study makes of their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flocksim.analysis.league import rate
from flocksim.analysis.run_folder import load
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
    assert [(variant.name, variant.tier) for variant in study.variants] == [
        ("standard-beginner", "beginner"),
        ("quick-beginner", "beginner"),
        ("standard-expert", "expert"),
        ("quick-expert", "expert"),
    ]
    for variant in study.variants:
        assert study.team(variant) == catalogue.tier("flock-together", variant.tier)
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
    variants = (Variant("only-a", rules, tier="a", strategies=(0, 1)), Variant("both", rules),
                Variant("only-b", rules, tier="b", strategies=(2, 3)))  # fmt: skip
    study = Study("toy", TOY, (2,), variants, tuple(team), games=400, seed=3)
    folder = tmp_path_factory.mktemp("tiers") / "run"
    run_study(study, folder, jobs=1)
    return folder


def test_a_variant_is_played_by_its_own_tier(run: Path):
    with load(run) as opened:
        seats = opened.seats.df()
        digest = opened.sql("SELECT digest FROM games WHERE variant = 'only-b' AND game = 5").fetchall()[0][0]
        tiers = [variant["tier"] for variant in opened.manifest["variants"]]
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
