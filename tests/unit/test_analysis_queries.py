"""Every shipped query on a table small enough to count by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flocksim.analysis.run_folder import Run, load, query_names

from tests.unit.test_analysis_run_folder import PAIR, Game, play, write_run

# Block 0: seat 1 wins a game, then a tie. Block 1: seat 2 wins a stuck game, then the cap ends one.
# The variant has the same line-ups; its games are 1, 2, 3 and 4 turns longer and seat 1 wins them all.
LONGER = [
    Game(game.strategies, (1,), game.turns + place, "win", game.block, game.rotation, variant="longer")
    for place, game in enumerate(PAIR, 1)
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with load(write_run(tmp_path_factory.mktemp("queries") / "run", [*PAIR, *LONGER], parts=2)) as opened:
        yield opened


def rows(run: Run, name: str, columns: str, where: str = "", **parameters: Any) -> list[tuple[Any, ...]]:
    frame = run.frame(name, **parameters)
    frame = frame.query(where) if where else frame
    return [tuple(row) for row in frame[columns.split()].itertuples(index=False, name=None)]


def test_all_are_tested() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in query_names() if f'"{name}"' not in here] == []


def test_seat_wins(run: Run) -> None:
    columns = "seat units games won won_won won_decided ordinary unfinished"
    assert rows(run, "seat_wins", columns, "variant == 'standard'") == [
        (1, 2, 4, 1.5 * 2520, (1.5 * 2520) ** 2, 2 * 1.5 * 2520**2, 1.5 * 2520, 2),
        (2, 2, 4, 1.5 * 2520, (0.5**2 + 1) * 2520**2, (2 * 0.5 + 1) * 2520**2, 0.5 * 2520, 2),
    ]


def test_games_that_somebody_won(run: Run) -> None:
    # Both games of block 0, one of block 1.
    columns = "seat decided decided_decided decided_games"
    assert rows(run, "seat_wins", columns, "variant == 'standard'") == [
        (seat, 3 * 2520, 5 * 2520**2, 6 * 2520) for seat in (1, 2)
    ]


def test_seat_units(run: Run) -> None:
    # The game at the cap counts half for each; seat 1 wins all of the variant's.
    found = rows(run, "seat_units", "players seat unit games x y")
    half = 2520 // 2
    assert found == [
        (2, 1, 0, 2, 4 * half, 3 * half), (2, 1, 1, 2, 4 * half, half),
        (2, 2, 0, 2, 0, half), (2, 2, 1, 2, 0, 3 * half),
    ]  # fmt: skip


def test_spreads(run: Run) -> None:
    # 1 where one seat won, 0 in the tie; the game at the cap does not count.
    columns = "units games total total_total total_games games_games differing"
    assert rows(run, "spreads", columns, "variant == 'standard'") == [(2, 3, 2, 2, 3, 5, 1)]


def test_variants_in_unfinished_games(run: Run) -> None:
    columns = "units x m y n"
    assert rows(run, "variant_games", columns, "measure == 'unfinished'") == [(2, 0, 4, 2, 4)]


def test_strategy_wins(run: Run) -> None:
    # a wins its first game, half of the second, none of the others; b half, then one.
    columns = "strategy units games won won_won decided ordinary unfinished"
    assert rows(run, "strategy_wins", columns, "variant == 'standard'") == [
        ("a", 2, 4, 1.5 * 2520, (1.5 * 2520) ** 2, 3 * 2520, 1.5 * 2520, 2),
        ("b", 2, 4, 1.5 * 2520, (0.5**2 + 1) * 2520**2, 3 * 2520, 0.5 * 2520, 2),
    ]


def test_a_strategy_in_several_seats_counts_an_unfinished_game_once(tmp_path: Path) -> None:
    games = [Game(("a", "a", "b"), (1,), end="stuck"), Game(("a", "b", "a"), (), end="deadlock", rotation=1)]
    with load(write_run(tmp_path / "run", games)) as run:
        assert rows(run, "strategy_wins", "strategy games won unfinished") == [
            ("a", 4, 2520, 2),
            ("b", 2, 0, 2),
        ]


def test_pairs(tmp_path: Path) -> None:
    # Block 0: b wins over both of a's seats, then all three tie. Block 1: a and b each lose one game to c.
    games = [
        Game(("a", "b", "a"), (2,)),
        Game(("a", "a", "b"), (1, 2, 3), rotation=1),
        Game(("c", "a"), (1,), block=1),
        Game(("b", "c"), (2,), block=1, rotation=1),
    ]
    with load(write_run(tmp_path / "run", games)) as run:
        columns = "players unit strategy other meetings points"
        assert rows(run, "pairs", columns, games=100) == [
            (2, 1, "a", "c", 1, 0),
            (2, 1, "b", "c", 1, 0),
            (3, 0, "a", "b", 4, 2),
        ]
        assert rows(run, "pairs", columns, games=1) == [(2, 1, "a", "c", 1, 0), (3, 0, "a", "b", 2, 0)]


def test_game_spread(run: Run) -> None:
    # 10, 14, 12 and 20 turns; the game at the cap has no margin, the tie one of 0.
    found = {row[0]: row[1:] for row in rows(run, "game_spread", "measure games deviation", "variant == 'standard'")}
    assert found["turns"] == (4, pytest.approx((56 / 3) ** 0.5))
    assert found["margin"] == (3, pytest.approx(3**0.5))


def test_game_length(run: Run) -> None:
    assert rows(run, "game_length", "measure units games total total_total", "variant == 'standard'") == [
        ("decisions", 2, 4, 168, 72**2 + 96**2),
        ("rounds", 2, 4, 10, 4**2 + 6**2),
        ("turns", 2, 4, 56, 24**2 + 32**2),
    ]


def test_length_distribution(run: Run) -> None:
    expected = [(10, 1), (12, 1), (14, 1), (20, 1)]
    assert rows(run, "length_distribution", "turns games", "variant == 'standard'") == expected


def test_endings(run: Run) -> None:
    found = {
        row[0]: row[1:] for row in rows(run, "endings", "measure games total total_total", "variant == 'standard'")
    }
    assert found == {
        "win": (4, 2, 4), "stuck": (4, 1, 1), "deadlock": (4, 0, 0), "turn_cap": (4, 1, 1), "tied": (4, 1, 1),
    }  # fmt: skip


def test_arc_standings(tmp_path: Path) -> None:
    """After half of its turns, the winner of three games is ahead by 2, by 1 and behind by 3."""
    games = [
        Game(("a", "b"), (1,), 2, block=block, course=((lead, 0), (9, 0))) for block, lead in enumerate((2, 1, -3))
    ]
    with load(write_run(tmp_path / "run", games)) as run:
        found = rows(run, "arc_standings", "units games p25 median p75", "tenth == 5")
    assert found == [(3, 3, -3, 1, 2)]


def test_margins(run: Run) -> None:
    # Three games were won, by 3, 0 (a tie) and 3.
    assert rows(run, "margins", "units games total close", "variant == 'standard'") == [(2, 3, 6, 1)]


def test_games_are_close_when_the_scores_are_at_most_one_apart_whoever_won(tmp_path: Path) -> None:
    # A winner by another rule than the score may be behind; a game that nobody won is not close.
    margins = {2: False, 1: True, 0: True, -1: True, -2: False}
    games = [Game(("a", "b"), (1,), block=block, margin=margin) for block, margin in enumerate(margins)]
    games.append(Game(("a", "b"), (), end="turn_cap", block=9, margin=0))
    with load(write_run(tmp_path / "run", games)) as run:
        assert rows(run, "margins", "games total close") == [(5, 0, sum(margins.values()))]


def test_units_that_differ_from_the_commonest(tmp_path: Path) -> None:
    # Turns 10, 10, 12 and 10, 11, 13: one unit differs, and one pair (differences are 0, 1 and 1).
    games = [
        Game(("a",), (1,), turns, block=block, variant=variant)
        for variant, lengths in (("std", (10, 10, 12)), ("slow", (10, 11, 13)))
        for block, turns in enumerate(lengths)
    ]
    with load(write_run(tmp_path / "run", games)) as run:
        assert rows(run, "game_length", "differing", "variant == 'std' and measure == 'turns'") == [(1,)]
        assert rows(run, "counters", "differing", "variant == 'std' and counter == 'laid' and seat == 1") == [(1,)]
        assert rows(run, "variant_games", "differing", "measure == 'turns'") == [(1,)]
        assert rows(run, "variant_strategies", "differing") == [(0,)]
        assert rows(run, "same_games", "variant games alike") == [("slow", 3, 1)]


def test_variant_games(run: Run) -> None:
    found = {row[0]: row[1:] for row in rows(run, "variant_games", "measure units x m y n x_y x_x y_y")}
    assert found["turns"] == (2, 66, 4, 56, 4, 27 * 24 + 39 * 32, 27**2 + 39**2, 24**2 + 32**2)
    assert found["tied"] == (2, 0, 4, 1, 4, 0, 0, 1)
    assert found["margin"][1:5] == (12, 4, 6, 3)
    endings = {"tied", "stuck", "deadlock", "turn_cap", "unfinished"}
    assert set(found) == {"turns", "rounds", "decisions", "margin", "spread", *endings}
    assert found["spread"][1:5] == (4, 4, 2, 3)  # scores are 8 and 7, or 8 and 8 when the win is shared


def test_variant_seats(run: Run) -> None:
    # In standard, seat 1 wins 1.5 games and seat 2 as many; the game that nobody won counts half for each.
    assert rows(run, "variant_seats", "variant seat units x m y n") == [
        ("longer", 1, 2, 4 * 2520, 4, 2 * 2520, 4),
        ("longer", 2, 2, 0, 4, 2 * 2520, 4),
    ]


def test_variant_strategies(run: Run) -> None:
    # Seat 1 always wins: a and b two games each.
    assert rows(run, "variant_strategies", "strategy x y x_y") == [
        ("a", 2 * 2520, 2 * 2520, 2 * 2520**2),
        ("b", 2 * 2520, 2 * 2520, 2 * 2520**2),
    ]


def test_only_blocks_that_both_variants_played_are_paired(tmp_path: Path) -> None:
    games = [*PAIR, *(game for game in LONGER if game.block == 0)]
    with load(write_run(tmp_path / "run", games)) as run:
        found = rows(run, "variant_games", "units m n", "measure == 'turns'")
        assert found == [(1, 2, 2)]


def test_repeated_games(tmp_path: Path) -> None:
    # Digests 7, 7, 7, 8: 16 / (9 + 1) games; the blocks 7 + 7 and 7 + 8 differ.
    games = [
        Game(game.strategies, game.winners, block=game.block, rotation=game.rotation, digest=digest)
        for game, digest in zip(PAIR, (7, 7, 7, 8), strict=True)
    ]
    with load(write_run(tmp_path / "run", games)) as run:
        columns = "games blocks looked_at distinct_games distinct_blocks effective_games effective_blocks most_repeated"
        assert rows(run, "repeated_games", columns) == [(4, 2, 4, 2, 2, 1.6, 2.0, 3)]
        assert rows(run, "repeated_games", "undecided open_lineups") == [(1, 1)]


def test_counters(run: Run) -> None:
    # laid = turns + seat; a sat in seats 1, 2, 1, 2.
    where = "variant == 'standard' and strategy == 'a'"
    found = {row[0]: row[1:] for row in rows(run, "counters", "counter units games total", where)}
    assert found == {"score": (2, 4, 30), "laid": (2, 4, 56 + 6), "caught": (2, 4, 6)}


def test_counters_by_seat(run: Run) -> None:
    found = {
        row[0]: row[1:]
        for row in rows(run, "counters", "counter units games total", "variant == 'standard' and seat == 2")
    }
    assert found == {"score": (2, 4, 30), "laid": (2, 4, 56 + 8), "caught": (2, 4, 8)}


def test_counters_of_all_seats(run: Run) -> None:
    where = "variant == 'standard' and seat.isna() and strategy.isna()"
    found = {row[0]: row[1:] for row in rows(run, "counters", "counter units games total", where)}
    assert found == {"score": (2, 8, 60), "laid": (2, 8, 2 * 56 + 12), "caught": (2, 8, 12)}


def test_notable(run: Run) -> None:
    games = run.sql("FROM games").df()
    found = rows(run, "notable", "kind variant players game turns", variant="standard", players=2, turns=0)
    won = games[(games.variant == "standard") & (games.end_reason == "win")]
    assert found[0] == ("typical", "standard", 2, won.game[won.turns.idxmin()], won.turns.min())
    last = games.loc[games.turns.idxmax()]
    assert found[1] == ("longest", last.variant, 2, last.game, games.turns.max())


def test_variant_counters(run: Run) -> None:
    found = {row[0]: row[1:] for row in rows(run, "variant_counters", "counter units x m y n x_y")}
    assert set(found) == {"score", "laid", "caught"}
    assert found["caught"] == (2, 12, 8, 12, 8, 6 * 6 * 2)  # seats 1 and 2 in two games of each of two blocks
    assert found["laid"][1:5] == (2 * 66 + 12, 8, 2 * 56 + 12, 8)


def test_adding_blocks_up_changes_no_total(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", play(blocks=50, players=(2, 4), variants=("one", "two"), stuck=0.1))
    with load(folder) as fine, load(folder, units=7) as coarse:
        assert fine.blocks_a_unit == {2: 1, 4: 1}
        assert coarse.blocks_a_unit == {2: 8, 4: 8}
        for name in ("seat_wins", "strategy_wins", "endings", "counters"):
            single, added = fine.frame(name), coarse.frame(name)
            assert single.games.tolist() == added.games.tolist()
            total = "won" if "won" in single else "total"
            assert single[total].tolist() == added[total].tolist()
            assert (added.units <= 8).all()


def test_units_are_by_player_count(tmp_path: Path) -> None:
    games = [*play(blocks=40, players=(2,)), *play(blocks=10, players=(5,))]
    with load(write_run(tmp_path / "run", games), units=10) as run:
        assert run.blocks_a_unit == {2: 4, 5: 1}
        assert dict(run.frame("seat_wins").groupby("players").units.first()) == {2: 10, 5: 10}


# Block 0: seat 2 catches 5 and loses, seat 1 catches 3 and shares the win. Block 1: nobody, then both, but nobody wins.
CATCHES = [replace(game, caught=caught) for game, caught in zip(PAIR, ((0, 5), (3, 0), (0, 0), (4, 4)), strict=True)]


@pytest.fixture
def catches(tmp_path: Path) -> Iterator[Run]:
    board: dict[str, Any] = {"counter": "caught", "title": "", "what": "", "boards": []}
    with load(write_run(tmp_path / "catches", CATCHES, uses=["laid", "caught"], board_map=board)) as opened:
        yield opened


def test_worth(catches: Run) -> None:
    """a and b won two games of four each, the capped one counted half for both; c never sat down."""
    asked: dict[str, Any] = {"strategies": ["b", "c"], "bases": ["a", "a"]}
    two = 2 * 2520
    assert rows(catches, "worth", "strategy units x m y n", **asked) == [("b", 2, two, 4, two, 4)]


def test_uses(catches: Run) -> None:
    half = 2520 // 2
    columns = "counter units x m y n x_m m_m y_y y_n"
    assert rows(catches, "uses", columns, "counter == 'caught'") == [
        ("caught", 2, half, 4, 5 * half, 4, 2 * half, 4 + 4, (3 * half) ** 2 + 2520**2, 3 * half * 2 + 2520 * 2),
    ]
    assert rows(catches, "uses", "counter") == [("caught",), ("laid",)]


def test_win_kinds(catches: Run) -> None:
    # Two games of block 0 were won, one of block 1.
    columns = "counter units games total total_games games_games differing"
    assert rows(catches, "win_kinds", columns, kinds=["caught"]) == [("caught", 2, 3, 16, 8 * 2 + 8, 4 + 1, 1)]


def test_places(catches: Run) -> None:
    # 5 covers both places, 3 the first and 4 the second; nothing covers what another variant has there.
    covers = {
        "variants": ["standard"] * 4 + ["other"],
        "counts": [2] * 5,
        "codes": [5, 5, 3, 4, 4],
        "places": ["left", "right", "left", "right", "left"],
    }
    columns = "place units games total total_total total_games games_games differing"
    assert rows(catches, "places", columns, **covers) == [
        ("left", 2, 4, 2, 4, 4, 8, 1),
        ("right", 2, 4, 1 + 2, 1 + 4, 2 + 4, 8, 1),
    ]


# --- recorded games ---

# Block 0: seat 1 leads, then both, then seat 2, who wins; both are level, and both win. Block 1: seat 1 leads and wins.
RECORDED = [
    Game(("a", "b"), (2,), 3, course=((1, 0), (2, 2), (2, 3))),
    Game(("b", "a"), (1, 2), 3, rotation=1, course=((0, 0), (1, 1), (2, 2))),
    Game(("a", "b"), (1,), 2, block=1, course=((2, 0), (3, 1))),
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with load(write_run(tmp_path_factory.mktemp("recorded") / "run", RECORDED, parts=2)) as opened:
        yield opened


def test_lead_changes(recorded: Run) -> None:
    columns = "units games total total_total total_games games_games differing"
    assert rows(recorded, "lead_changes", columns) == [(2, 3, 1, 1, 1 * 2, 4 + 1, 1)]


def test_arc_curve(recorded: Run) -> None:
    """Half-time is after turn 2 of 3, and after turn 1 of 2."""
    columns = "measure units games total total_total total_games games_games"
    assert rows(recorded, "arc_curve", columns, tenths=[5]) == [
        ("alone", 2, 3, 1, 1, 1, 4 + 1),
        ("auc", 2, 2, 1 + 2, 1 + 4, 1 + 2, 1 + 1),
        ("runaway", 1, 1, 2520, 2520**2, 2520, 1),
    ]
    assert rows(recorded, "arc_curve", columns, "measure == 'runaway'", tenths=[10]) == [
        ("runaway", 2, 2, 2 * 2520, 2 * 2520**2, 2 * 2520, 2),
    ]


def test_variant_course(tmp_path: Path) -> None:
    """In the variant block 0 has two changes of the lead more and seat 1 wins the game that it led at half-time."""
    swings = ((1, 0), (1, 2), (3, 2))
    other = [
        replace(RECORDED[0], winners=(1,), course=swings),
        replace(RECORDED[1], winners=(1,), course=swings),
        RECORDED[2],
    ]
    games = [*RECORDED, *(replace(game, variant="other") for game in other)]
    with load(write_run(tmp_path / "run", games)) as run:
        found = {row[0]: row[1:] for row in rows(run, "variant_course", "measure units x m y n x_x m_m y_y")}
    assert found["lead_changes"] == (2, 2 * 2, 3, 1, 3, 4**2, 2**2 + 1, 1)
    # at half-time, after turn 2 of 3, seat 2 leads in the variant's block 0; in the baseline nobody does
    assert found["runaway"] == (2, 2520, 2 + 1, 2520, 1, 2520**2, 2**2 + 1, 2520**2)


def test_comebacks(recorded: Run) -> None:
    columns = "deficit upto units games total"
    assert rows(recorded, "comebacks", columns) == [(2, 2, 1, 1, 0)]


def test_branching(recorded: Run) -> None:
    """Two decisions a turn: one forced, the other with turn + 1 actions."""
    columns = "measure units games total total_total total_games games_games"
    block, other = 2 * (3 + 4 + 5), 3 + 4
    assert rows(recorded, "branching", columns, "tenth == 0") == [
        ("forced", 2, 16, 8, 36 + 4, 6 * 12 + 2 * 4, 144 + 16),
        ("options", 2, 16, block + other, block**2 + other**2, block * 12 + other * 4, 144 + 16),
    ]
    assert rows(recorded, "branching", "tenth games", "tenth > 0 and measure == 'forced'") == [
        (4, 4),
        (5, 2),
        (7, 4),
        (10, 6),
    ]


def test_lengths(run: Run) -> None:
    columns = "unit turns won games"
    assert rows(run, "lengths", columns, variant="standard", players=2) == [
        (0, 10, True, 1), (0, 14, True, 1), (1, 12, False, 1), (1, 20, False, 1),
    ]  # fmt: skip


def test_arc_turns(recorded: Run) -> None:
    asked = {"variant": "standard", "players": 2, "games": 2}
    found = rows(recorded, "arc_turns", "game unit turn turns seat s1 s2 w1 w2", **asked)
    assert found[:3] == [
        (0, 0, 1, 3, 1, 1, 0, 0, 2520), (0, 0, 2, 3, 2, 2, 2, 0, 2520), (0, 0, 3, 3, 1, 2, 3, 0, 2520),
    ]  # fmt: skip
    assert [row[0] for row in found] == [0, 0, 0, 1, 1, 1]
    assert found[-1][-2:] == (1260, 1260)
    assert recorded.frame("arc_turns", **asked).s3.isna().all()


def test_blocks_that_are_left_without_a_strategy(tmp_path: Path) -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "c")]
    games = [Game(pair[::way], (1,), block=block, rotation=way < 0) for block, pair in enumerate(pairs)
             for way in (1, -1)]  # fmt: skip
    with load(write_run(tmp_path / "run", games)) as run:
        found = rows(run, "left_out", "without block called", games=100)
        assert [row[:2] for row in found] == [("a", 1), ("a", 2), ("b", 2), ("c", 0)]
        assert found[0][2] == "standard without a"
        assert len(rows(run, "left_out", "block", games=3)) == 2  # of the blocks that begin before
