"""Sentences: every number in one is in the rows it names, and none claims what the tables do not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from flocksim.analysis import words
from flocksim.analysis.caveats import pairing
from flocksim.analysis.finding import Finding
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise

from tests.unit.test_analysis_run_folder import Game, play, write_run

NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def study(path: Path, games: Sequence[Game], **changes: Any) -> Results:
    with load(write_run(path, games, **changes)) as run:
        return summarise(run)


def strong(strategy: str, seat: int) -> float:
    return (1.5 if seat == 1 else 1.0) * {"ann": 1.0, "bob": 1.0, "cat": 4.0, "dud": 0.1}[strategy]


STUDIES: dict[str, Sequence[Game]] = {
    "one variant": play(strong, ("ann", "bob", "cat", "dud"), (2, 3), 120, stuck=0.1, ties=0.05),
    "three variants": play(
        strong, ("ann", "bob", "cat", "dud"), (2, 4), 100, ("std", "slow", "same"),
        lambda variant: 50 if variant == "slow" else 40, stuck=0.2, capped=0.1,
    ),
    "many variants": play(
        strategies=("ann", "bob"), players=(2,), blocks=60, variants=("std", "va", "vb", "vc", "vd", "ve"),
        turns=lambda variant: 30 + 5 * (variant == "vc"),
    ),
    "one block": play(strategies=("ann", "bob"), players=(2, 3), blocks=1, variants=("std", "slow")),
    "one player": play(strategies=("ann", "bob"), players=(1,), blocks=80),
    "repeating": [replace(game, digest=hash(game.strategies[:: 1 - 2 * game.rotation]) % 2**63)
                  for game in play(players=(2,), blocks=140)],
    "repeating by chance": [replace(game, digest=game.block % 7) for game in play(players=(2,), blocks=140)],
    "mostly capped": play(lambda strategy, seat: 6.0 if seat == 1 else 1.0, players=(2,), blocks=200, capped=0.4),
    "twins": play(strong, ("cat", "dud"), (2, 3), 120),
    "one apart": play(lambda strategy, seat: 1e-9 if strategy == "dud" else strong(strategy, 2),
                      ("ann", "bob", "dud"), (2, 5), 150),
    "all stuck": play(strong, ("cat", "dud"), (2,), 80, ("std", "slow"), stuck=1.0),
    "all capped": play(strategies=("ann", "bob"), players=(2,), blocks=60, capped=1.0),
    "other seats": [
        *play(players=(2,), blocks=200),
        *(replace(game, winners=(1,), variant="first") for game in play(players=(2,), blocks=200)),
    ],
    "kept from actions": play(strong, ("ann", "bob", "cat", "dud"), (2, 3), 150),
}  # fmt: skip
CHANGES: dict[str, dict[str, Any]] = {
    "kept from actions": {"strategies": [
        {"name": name, "noise": 0.0, "without": [f"x{name}"] * (name != "ann")} for name in ("ann", "bob", "cat", "dud")
    ]}
}  # fmt: skip


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Results]:
    folder = tmp_path_factory.mktemp("findings")
    return {name: study(folder / name, games, **CHANGES.get(name, {})) for name, games in STUDIES.items()}


def numbers(results: Results, finding: Finding) -> Iterator[str]:
    """All numbers in a finding's text, names left out."""
    text = finding.text.replace("95 % interval", "interval")
    names = [entry["name"] for key in ("variants", "strategies") for entry in results.manifest[key]]
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", "", text)
    yield from NUMBER.findall(text)


def allowed(results: Results, finding: Finding) -> set[str]:
    """Every way in which a number of the finding's rows may be written, and the counts of the study."""
    values: set[float] = {1.5, 0.5, float(results.cells.games.sum()), float(len(results.cells))}
    values |= {float(len(results.variants) - 1), *map(float, results.players)}
    values |= {float(count) for count in range(len(finding.rows) + 1)} | set(results.cells.undecided * 100)
    rows = [results.tables()[table].iloc[place] for table, place in finding.rows]
    for row in rows:
        found = [float(value) for value in row if isinstance(value, int | float) or hasattr(value, "dtype")]
        found += [(row[high] - row[low]) / 2 for low, high in (("low", "high"), ("edge_low", "edge_high"))
                  if low in row.index]  # fmt: skip
        values |= {abs(value) * scale for value in found for scale in (1, 100)}
    for column in ("games", "distinct_games", "effective_games"):
        values.add(sum(row[column] for row in rows if column in row.index))
    texts = {_rounded(value, places) for value in values for places in (0, 1, 2, 3)}
    return texts | {text.rstrip("0").rstrip(".") for text in texts if "." in text}


def _rounded(value: float, places: int) -> str:
    """What lies between two numbers is rounded away from zero."""
    if not math.isfinite(value):
        return str(value)
    return f"{Decimal(repr(round(float(value), 9))).quantize(Decimal(10) ** -places, ROUND_HALF_UP):,f}"


@pytest.mark.parametrize("name", STUDIES)
def test_every_number_is_in_the_rows_named(studies: dict[str, Results], name: str) -> None:
    results = studies[name]
    assert results.findings
    for finding in results.findings:
        if "case" in finding.text and "Looks" in finding.text:
            continue
        known = allowed(results, finding)
        assert [number for number in numbers(results, finding) if number not in known] == [], finding.text


@pytest.mark.parametrize("name", STUDIES)
def test_stated_effects_are_claimed_in_the_tables(studies: dict[str, Results], name: str) -> None:
    results = studies[name]
    for finding in results.findings:
        for who, size, way in re.findall(r"(\S+(?: \d)?) wins ([\d.]+) points (more|less) than its", finding.text):
            table = results.tables()[finding.rows[0][0]]
            row = table.iloc[finding.rows[0][1]]
            assert row["claim"], finding.text
            assert (row["edge"] > 0) == (way == "more")
            assert float(size) == pytest.approx(abs(row["edge"]) * 100, abs=0.51)
            assert str(row.get("seat", row.get("strategy"))) in who
        shifts = r"(\w+(?: \d)?) (gains|loses) ([\d.]+)(?: to ([\d.]+))? points (with [^(;.]*players|at every)"
        for who, verb, low, high, players in re.findall(shifts, finding.text):
            table = results.tables()[finding.rows[0][0]]
            some = table.iloc[[place for _, place in finding.rows]]
            key = "seat" if "seat" in some else "strategy"
            some = some[[who.endswith(str(name)) for name in some[key]]]
            assert some.claim.all()
            some = some[(some.difference > 0) == (verb == "gains")]
            sizes = some.difference.abs() * 100
            assert float(low) == pytest.approx(sizes.min(), abs=0.51)
            assert float(high or low) == pytest.approx(sizes.max(), abs=0.51)
            if players.startswith("with"):
                assert sorted(map(int, re.findall(r"\d", players))) == sorted(some.players)
        if finding.topic == "worth":
            less, _, rest = finding.text.partition("; more: ")
            for way, part in ((-1, less), (1, rest)):
                for who, low, high in re.findall(r"(\w+) ([\d.]+)(?: to ([\d.]+))? points", part):
                    some = results.worth[(results.worth.strategy == who) & results.worth.claim]
                    sizes = (way * some.difference * 100)[way * some.difference > 0]
                    assert float(low) == pytest.approx(sizes.min(), abs=0.51)
                    assert float(high or low) == pytest.approx(sizes.max(), abs=0.51)
        for more in re.findall(r"games are \S+(?: to \S+)? turns \(.*?%\) (longer|shorter)", finding.text):
            rows = [results.variant_measures.iloc[place] for _, place in finding.rows]
            turns = [row for row in rows if row["measure"] == "turns" and row["claim"]]
            assert any((row["difference"] > 0) == (more == "longer") for row in turns)


def texts(results: Results, topic: str) -> str:
    return " ".join(finding.text for finding in results.findings if finding.topic == topic)


def test_a_strong_strategy_and_a_hopeless_one_are_named(studies: dict[str, Results]) -> None:
    said = texts(studies["one variant"], "strategies")
    assert "Looks dominant" in said
    assert re.search(r"Looks hopeless [^:]*: dud in [12] of 2 cases", said)


def test_the_random_yardstick_is_not_called_hopeless(tmp_path: Path) -> None:
    lines = [{"name": name, "line": "", "noise": float(name == "dud")} for name in ("ann", "bob", "cat", "dud")]
    assert "hopeless" not in texts(study(tmp_path / "run", STUDIES["one variant"], strategies=lines), "strategies")


def test_variants_are_told_apart(studies: dict[str, Results]) -> None:
    said = texts(studies["three variants"], "variants")
    assert "slow against std: games are 10.00 turns" in said
    assert "longer at every player count" in said
    assert "same against std: every game is the same, move for move." in said
    assert "No variant clearly changes any seat's or strategy's share of wins" in said


def test_variants_that_play_the_same_games_are_called_so(tmp_path: Path) -> None:
    said = texts(study(tmp_path / "run", play(players=(2, 3), blocks=40, variants=("std", "same"))), "variants")
    assert "same against std: every game is the same, move for move." in said
    assert "No seat's or strategy's share of wins differs between the variants in these games." in said


def test_many_variants_are_counted(studies: dict[str, Results]) -> None:
    said = texts(studies["many variants"], "variants")
    assert "1 of 5 variants clearly changes the length of games against std, most of all vc: 5.00 turns longer" in said


def test_a_variant_that_favours_a_seat(studies: dict[str, Results]) -> None:
    assert re.search(r"seat 1 gains \d+\.?\d* points", texts(studies["other seats"], "variants"))


def test_too_few_games_are_called_so(studies: dict[str, Results]) -> None:
    results = studies["one block"]
    assert "Too few games to say whether a seat is favoured." in texts(results, "seats")
    assert "Too few games to say whether a variant changes any seat's or strategy's" in texts(results, "variants")
    assert not re.search(
        r"\b(gains|loses|more than|less than|nan)\b", " ".join(entry.text for entry in results.findings)
    )


def test_repeats_are_warned_of(studies: dict[str, Results]) -> None:
    said = texts(studies["repeating"], "sample")
    assert "The sample is smaller than it looks: among 280 games in 1 case there are only 9 different ones" in said
    assert "Blocks with the same line-up always went the same way" in said
    assert "different ones" not in texts(studies["one variant"], "sample")


def test_repeats_by_chance_are_told_apart(studies: dict[str, Results]) -> None:
    said = texts(studies["repeating by chance"], "sample")
    assert "Games repeat one another: among 280 games in 1 case there are only 7 different ones" in said
    assert "every block counts" in said
    assert "smaller than it looks" not in said


def test_how_well_shares_are_known(studies: dict[str, Results]) -> None:
    results = studies["three variants"]
    seats = results.seats
    widest = (seats.high - seats.low).max() / 2
    said = texts(results, "sample")
    assert f"a seat's win share is known to ±{words.points(widest, widest)} points or better" in said
    assert "This rests on 1,800 games in 6 cases, 200 to 400 each" in said


def test_games_that_nobody_won_are_told_of(studies: dict[str, Results]) -> None:
    cells = studies["mostly capped"].cells
    share = words.exact(cells.undecided[0])
    assert cells.undecided[0] > 0.3
    said = texts(studies["mostly capped"], "seats")
    assert said.count(f", counting the {share} of games that nobody won as shared evenly") == said.count(" wins ") - 1
    assert "nobody won" not in texts(studies["one variant"], "seats")


def test_a_single_extreme_is_named_only_when_it_is_apart(studies: dict[str, Results]) -> None:
    twins, apart = texts(studies["twins"], "strategies"), texts(studies["one apart"], "strategies")
    assert re.search(r"the largest difference seen \(\d+ others? (is|are) not clearly smaller\)", twins)
    assert "most of all" not in twins
    assert "most of all with 2 players, where dud wins" in apart


def test_player_counts_that_are_not_clear_are_named(tmp_path: Path) -> None:
    games = [
        *play(players=(2, 3), blocks=200),
        *(
            replace(game, winners=(1,) if len(game.strategies) == 2 else game.winners, variant="first")
            for game in play(players=(2, 3), blocks=200)
        ),
    ]
    said = texts(study(tmp_path / "run", games), "variants")
    assert re.search(r"seat 1 gains [\d.]+ points with 2 players \(not clear with 3 players\)", said)
    assert "; not clear for other seats." in said


def test_relative_changes_are_rounded_to_their_interval(studies: dict[str, Results]) -> None:
    rows = studies["three variants"].variant_measures
    row = rows[(rows.measure == "turns") & (rows.variant == "slow")].iloc[0]
    assert 0 < row.relative_low < row.relative < row.relative_high
    half = (row.relative_high - row.relative_low) * 50
    assert f"({words.number(row.relative * 100, half)}" in texts(studies["three variants"], "variants")


def test_what_unfinished_games_could_undo_is_said(studies: dict[str, Results]) -> None:
    assert "could be undone if the unfinished games had gone the other way" in texts(studies["all stuck"], "strategies")


def test_pairing_is_told(studies: dict[str, Results]) -> None:
    assert re.search(r"saved 100 % of the variance", pairing(studies["three variants"]))
    assert pairing(studies["one variant"]) == ""


@pytest.mark.parametrize(
    ("half", "text"),
    [
        (50, "12"),
        (5, "12.3"),
        (1.5, "12.3"),
        (0.3, "12.35"),
        (0.05, "12.346"),
        (float("nan"), "12.3"),
        (0, "12.35"),
        (3e-7, "12.35"),
        (2e-4, "12.3456"),
        (2e-5, "12.3456"),
    ],
)
def test_numbers_are_rounded_to_their_interval(half: float, text: str) -> None:
    assert words.number(12.3456, half) == text


def test_what_is_practically_exact_is_written_like_it() -> None:
    assert words.number(100.0, 4e-7) == "100"
    assert words.interval(100 - 8e-7, 100.0) == "100 to 100"
    assert (words.percent(3e-9, 1e-9), words.interval(0.0, 4e-7)) == ("0 %", "0 to 0")
    assert words.exact(0.0000012) == "0.00012 %"  # known, however small


def test_words() -> None:
    assert words.number(float("nan")) == words.percent(float("nan")) == words.TOO_FEW
    assert words.number(-0.001, 0.5) == "0.00"
    assert words.signed(-2.0, 0.5) == "\N{MINUS SIGN}2.00"
    assert words.signed(0.001, 0.5) == "0.00"
    assert words.percent(0.5, 0.001) == "50.00 %"
    assert (words.exact(0.25), words.exact(1 / 3), words.exact(0.00012)) == ("25 %", "33.3 %", "0.012 %")
    assert words.interval(-1.0, 3.0) == "\N{MINUS SIGN}1.0 to 3.0"
    assert (words.count(1, "game"), words.count(2000, "game")) == ("1 game", "2,000 games")
    assert (words.span([4.0, 4.001], [0.3, 0]), words.span([12, 3, 1000.5], [0.1] * 3)) == ("4.00", "3.00 to 1,000.50")
    assert (words.listed("a"), words.listed("abc"), words.listed("ab", "or")) == ("a", "a, b and c", "a or b")
    assert words.with_players([2, 3], [2, 3]) == "at every player count"
    assert (words.with_players([2], [2]), words.with_players([1])) == ("with 2 players", "with 1 player")


def test_what_a_strategy_wins_without_an_action_is_said_of_each(studies: dict[str, Results]) -> None:
    """bob is as good as ann, cat better and dud worse: who wins more without is said, too, and what stays unclear."""
    (text,) = [finding.text for finding in studies["kept from actions"].findings if finding.topic == "worth"]
    number = r"[\d.]+(?: to [\d.]+)? points"
    wanted = f"Kept from some actions, ann wins less: dud {number}; more: cat {number}; no clear change for bob."
    assert re.fullmatch(wanted, text), text
    assert studies["kept from actions"].worth.claim.sum() == 4


def test_what_a_few_variants_change_is_one_sentence(studies: dict[str, Results]) -> None:
    """`slow` has longer games, `same` the same ones; who wins differs in neither."""
    (text,) = [
        finding.text for finding in studies["three variants"].findings if finding.text.startswith("Against std,")
    ]
    number = r"[\d.]+(?: to [\d.]+)?"
    length = rf"games are longer by {number} turns \({number} %\) in slow, with no clear change in same"
    assert re.fullmatch(f"Against std, {length}; no clear shift of wins between seats or strategies.", text), text


def test_the_largest_shift_of_wins_is_part_of_it(tmp_path: Path) -> None:
    games = [
        *play(players=(2,), blocks=200),
        *(replace(game, winners=(1,), variant="first") for game in play(players=(2,), blocks=200)),
        *(replace(game, variant="third", turns=game.turns - 2) for game in play(players=(2,), blocks=200)),
    ]
    (text,) = [entry.text for entry in study(tmp_path / "run", games).findings if entry.text.startswith("Against")]
    assert text.startswith("Against standard, games are shorter by 2.00 turns")
    assert "in third, with no clear change in first; the largest clear shift of wins seen (1 other is not" in text
    assert re.search(r": seat 1 gains \d\d(\.\d)? points in first with 2 players\.$", text)


def test_the_same_moves_with_another_winner_are_told_as_that(tmp_path: Path) -> None:
    games = play(players=(2,), blocks=60)
    others = [replace(game, winners=(3 - game.winners[0],), variant="turned") for game in games]
    digests = [replace(game, digest=place % 2**32) for place, game in enumerate(games)]
    turned = [replace(game, digest=place % 2**32) for place, game in enumerate(others)]
    (text,) = [
        entry.text for entry in study(tmp_path / "run", [*digests, *turned]).findings if "move for" in entry.text
    ]
    assert text == "turned against standard: every game is the same, move for move, and only who wins differs."
