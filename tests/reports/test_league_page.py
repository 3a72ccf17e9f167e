"""A league's page, tables and figures: leagues of any shape, the same bytes for the same data."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from flocksim.analysis.league import League, rate
from flocksim.analysis.run_folder import load
from flocksim.reports.league import ladder_text, matrix, page, sentences, write_league

from tests.unit.test_analysis_run_folder import Game, play, write_run

THIRTY = [f"bot {number:02d}" for number in range(30)]
SHAPES = {
    "usual": play(lambda strategy, seat: {"a": 3.0, "b": 2.0, "c": 1.0}[strategy], blocks=80, ties=0.1, stuck=0.1),
    "two": play(lambda strategy, seat: 1e9 if strategy == "a" else 1.0, ("a", "b"), (2,), 80),
    "thirty": play(strategies=THIRTY, players=(5,), blocks=60),
    "everything capped": play(blocks=40, capped=1.0),
    "hostile names": play(strategies=("$a|b$", "<c>*", "d_e_f `g`"), blocks=40),
    "one block": [Game(("a", "b"), (1,)), Game(("b", "a"), (1,), rotation=1)],
    "never met": [Game(("a", "b"), (1,)), Game(("c", "d"), (1,), block=1)],
}


def league_of(path: Path, shape: str) -> League:
    with load(write_run(path, SHAPES[shape])) as run:
        return rate(run)


@pytest.mark.parametrize("shape", SHAPES)
def test_leagues_of_any_shape(tmp_path: Path, shape: str) -> None:
    league = league_of(tmp_path / "run", shape)
    text = ladder_text(league)
    assert len(text.split("\n\n")[1].splitlines()) == 2 + len(league.ladder)
    path = write_league(league, tmp_path / "run")
    written = path.read_text("utf-8")
    for whole in (text, written):
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b|\b1 games\b|\b1 pairs\b", whole)
    for name in ("ladder", "pairs"):
        svg = ElementTree.parse(tmp_path / "run" / "figures" / f"{name}.svg").getroot()
        labels = ["".join(node.itertext()) for node in svg.iter("{http://www.w3.org/2000/svg}text")]
        for strategy in league.ladder.strategy:
            assert any(strategy in label for label in labels), (strategy, labels)
    tables = [block for block in re.split(r"\n\n", written) if block.startswith("|")]
    assert [len(block.splitlines()) - 2 for block in tables] == [len(league.ladder)] * 2
    for block in tables:
        assert len({line.replace(r"\|", "").count("|") for line in block.splitlines()}) == 1


def test_the_same_league_gives_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        with load(write_run(tmp_path / name, SHAPES["usual"], config={"game": "toy"})) as run:
            write_league(rate(run), tmp_path / name)
        kept = ("*.csv", "*.md", "figures/*.svg")
        paths = sorted(path for pattern in kept for path in (tmp_path / name).glob(pattern))
        files.append({path.name: path.read_bytes() for path in paths})
    assert len(files[0]) == 5
    assert files[0] == files[1]


def test_tables_hold_what_the_league_found(tmp_path: Path) -> None:
    league = league_of(tmp_path / "run", "usual")
    write_league(league, tmp_path / "run")
    ladder, pairs = (pd.read_csv(tmp_path / "run" / f"{name}.csv") for name in ("ladder", "pairs"))
    assert list(ladder.strategy) == ["a", "b", "c"]
    assert list(ladder.columns) == list(league.ladder.columns)
    assert list(pairs.share) == pytest.approx(list(league.pairs.share), rel=1e-5)
    assert ladder.clear.dtype == bool


def test_the_matrix_is_of_rows_above_columns(tmp_path: Path) -> None:
    league = league_of(tmp_path / "run", "usual")
    shares, halves, clear = matrix(list(league.ladder.strategy), league.pairs)
    first = league.pairs.iloc[0]
    assert (first.strategy, first.other) == ("a", "b")
    assert shares[0, 1] == pytest.approx(100 * first.share)
    assert shares[0, 1] + shares[1, 0] == pytest.approx(100)
    assert shares[0, 1] > 50
    assert halves[0, 2] == halves[2, 0]
    assert clear[0, 2]
    assert (shares[[0, 1, 2], [0, 1, 2]] != shares[[0, 1, 2], [0, 1, 2]]).all()
    row = next(line for line in page(league).split("## Who")[1].splitlines() if line.startswith("| a "))
    assert row.split("|")[3].strip().startswith(f"{shares[0, 1]:.0f}")


def test_what_is_said(tmp_path: Path) -> None:
    league = league_of(tmp_path / "run", "usual")
    assert "Clear steps of the ladder: a > b > c." in sentences(league) or "a, b > c" in " ".join(sentences(league))
    never = " ".join(sentences(league_of(tmp_path / "capped", "everything capped")))
    assert "No two neighbours" in never
    assert "Nobody won 100 % of the games" in never
    trio = pd.DataFrame({"strategy": ["a", "a", "b"], "other": ["b", "c", "c"], "share": [0.6, 0.3, 0.6254],
                         "clear": True})  # fmt: skip
    cycle = League(league.manifest, 1, 1, 0.0, league.ladder, trio, [("a", "b", "c")], ["d", "e"])
    said = " ".join(sentences(cycle))
    assert "A cycle: a above b (60 %), b above c (62.5 %) and c above a (70 %)." in said
    assert "Never at the table: d and e." in said
    many = League(league.manifest, 1, 1, 0.0, league.ladder, trio, [("a", "b", "c")] * 13, [])
    assert "… and 3 more." in sentences(many)


def test_an_endless_interval_leaves_the_others_room(tmp_path: Path) -> None:
    """Who never ranks above anybody may be worse by any amount: the axis ends near the ratings all the same."""
    from flocksim.reports.league import ladder_figure

    league = league_of(tmp_path / "run", "two")
    low = league.ladder.low.min()
    axis = ladder_figure(league.ladder).axes[0]
    assert low < axis.get_xlim()[0] - 100
    assert league.ladder.rating.min() > axis.get_xlim()[0] + 100
