"""The report: studies of any shape, hostile names, the same bytes for the same data."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from flocksim.analysis.rows import records
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.analysis.verdict_words import measured, wanted
from flocksim.reports import figures
from flocksim.reports.answer import answer, brief, tiles
from flocksim.reports.charts import _named
from flocksim.reports.glossary import glossary
from flocksim.reports.parts import Section, at_most_six
from flocksim.reports.provenance import caveats, partial, rerun, rules_digest
from flocksim.reports.render import render, write_report
from flocksim.reports.replays import MOST_LINES, replays
from flocksim.reports.sections import sections
from flocksim.reports.terminal import summary_table
from flocksim.simulate.errors import FlocksimError

from tests.unit.test_analysis_run_folder import PAIR, Game, play, write_run


def study(path: Path, games: Sequence[Game], **changes: Any) -> Results:
    with load(write_run(path, games, **changes)) as run:
        return summarise(run)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Results:
    games = play(
        lambda strategy, seat: 2.0 if seat == 1 else 1.0, blocks=60, players=(2, 3), variants=("std", "slow"),
        turns=lambda variant: 40 if variant == "slow" else 30, stuck=0.1, ties=0.1,
    )  # fmt: skip
    return study(tmp_path_factory.mktemp("report") / "usual", games)


@pytest.fixture(scope="module")
def made(usual: Results) -> list[Section]:
    return sections(usual)


def test_sections_answer_the_questions_in_order(made: list[Section]) -> None:
    assert [section.key for section in made] == [
        "verdicts", "variants", "seats", "strategies", "length", "endings", "counters", "robustness",
    ]  # fmt: skip
    for section in made:
        for grid in (*section.before, *section.grids):
            assert all(len(row) == len(grid.columns) for row in grid.rows)
            assert all(isinstance(text, str) for row in grid.rows for text in row)


def test_the_answer_is_three_sentences_and_what_is_left_is_brief(usual: Results) -> None:
    said = answer(usual)
    assert len(said) == 3
    assert said[0].startswith("Of ")
    assert "slow against std" in said[1]
    assert said[2].startswith("This rests on 600 games")
    labels = [label for label, _ in brief(usual)]
    assert labels == ["What the variants change", "Seats", "Strategies", "Length", "Unfinished games"]
    told = [text for _, texts in brief(usual) for text in texts]
    assert len(told) <= 6
    assert not set(told) & set(said)


def test_a_tile_tells_the_case_that_decides(usual: Results) -> None:
    shown, left = tiles(usual)
    assert left == 0
    words = [tile.verdict for tile in shown]
    assert words == sorted(words, key=("violated", "not enough games", "holds").index)
    for tile in shown:
        rows = usual.verdicts[usual.verdicts.verdict == tile.verdict]
        assert any(measured(row) == tile.measured for row in records(rows) if wanted(row) == tile.wanted)
        if tile.scale and tile.verdict == "holds":
            assert tile.scale.least <= tile.scale.low <= tile.scale.effect <= tile.scale.high <= tile.scale.most
        if tile.scale and tile.verdict == "violated":
            assert tile.scale.high <= tile.scale.least or tile.scale.low >= tile.scale.most


def test_the_first_section_answers_every_target_case_by_case(usual: Results, made: list[Section]) -> None:
    section, table = made[0], usual.verdicts
    (grid,) = section.grids
    assert [(row[0][2:], row[2], row[3]) for row in grid.rows] == [
        (row.verdict, row.variant, str(row.players)) for row in table.itertuples()
    ]
    assert section.sentences[0] == answer(usual)[0]
    for form in ("html", "md"):
        text = render(usual, form)
        assert text.index("Are the targets met?") < text.index("What does each variant change?")
        assert "every seat within ±5 points of its fair share" in text


def test_the_choice_of_a_strategy_has_a_section_where_all_met_often_enough(tmp_path: Path) -> None:
    strength = {"a": 30.0, "b": 3.0, "c": 1.0}
    results = study(tmp_path / "run", play(lambda strategy, seat: strength[strategy], players=(3,), blocks=200))
    text = render(results, "md")
    assert (
        text.index("Does a seat win") < text.index("## Which strategies last?") < text.index("## How long is a game?")
    )
    assert "no other strategy or mix of them beats a" in text


def test_rule_differences_show_only_what_differs(made: list[Section]) -> None:
    (grid,) = made[1].before
    assert grid.rows == [["slow", "size", "0", "1"], ["slow", "map", "J: 2", "J: 3"]]


def test_footer_has_all_to_rerun(usual: Results) -> None:
    text = render(usual, "html", "My game")
    assert "<h1>My game</h1>" in text
    for part in (
        "flocksim run usual.yaml",
        "game: toy",
        "c0ffee",
        "abcdef",
        "3.11.0",
        rules_digest(usual.manifest),
    ):
        assert part in text
    assert "played" not in dict(rerun(usual)["facts"])


def test_caveats_name_rulings_and_unfinished_games(usual: Results) -> None:
    said = " ".join(caveats(usual))
    assert "draw_first (ruling T3) = yes. May draw first." in said
    assert re.search(r"Unfinished games: \d+ stuck of 600", said)


def test_rulings_that_differ_are_told_apart(tmp_path: Path) -> None:
    rulings = {"draw_first": {"ruling": "T3", "description": "", "values": {"std": True, "slow": False}}}
    results = study(tmp_path / "run", play(blocks=2, variants=("std", "slow")), named_rulings=rulings)
    assert "draw_first (ruling T3) = std: yes, slow: no." in " ".join(caveats(results))
    assert render(results, "md").count("ruling T3") == 1


def test_what_two_bots_win_against_each_other_adds_up() -> None:
    text = (Path(__file__).parents[2] / "docs" / "strategies-flock-together.md").read_text(encoding="utf-8")
    section = text.split("**Pairs**")[1].split("**Against")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    wins = [[float(cell.strip() or 50) for cell in line.split("|")[2:-1]] for line in lines]
    assert all(wins[i][j] + wins[j][i] == pytest.approx(100) for i in range(7) for j in range(7))


def test_a_best_strategy_is_named_only_when_it_is_apart(tmp_path: Path) -> None:
    strength = {"a": 9.0, "b": 1.0, "c": 1.0}
    apart = study(tmp_path / "apart", play(lambda strategy, seat: strength[strategy], blocks=80))
    assert re.search(r"  a \d\d\.\d %", summary_table(apart).splitlines()[2])
    two = study(tmp_path / "two", play(lambda strategy, seat: 0.1 if strategy == "c" else 1.0, blocks=80))
    assert re.search("  (a or b|b or a)( |$)", summary_table(two).splitlines()[2])


def test_reconstructed_data_is_named(tmp_path: Path) -> None:
    game = {
        "name": "toy",
        "title": "Toy",
        "version": 1,
        "score_word": "chips",
        "provenance": "reconstructed decks",
    }
    assert "Data: reconstructed decks" in caveats(study(tmp_path / "run", PAIR, game=game))


def test_partial_runs_are_marked(tmp_path: Path, usual: Results) -> None:
    cells = [{"variant": "standard", "players": players, "blocks": 4, "games": 4 * players} for players in (2, 3)]
    results = study(tmp_path / "run", PAIR, complete=False, cells=cells)
    assert partial(results).startswith("Partial run: 4 of 20 planned games so far, and only 1 of 2 cases begun.")
    assert partial(results) in render(results, "html")
    assert "Partial run" in render(results, "md")
    assert partial(usual) == ""


HOSTILE = '<script>alert("x")</script> | `a` *b* $c$ & "d"'


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    names = [HOSTILE, "{{ 7 * 7 }}"]
    results = study(
        tmp_path / "run", play(blocks=30, strategies=names, players=(2,)), question=HOSTILE, name=HOSTILE,
        config={"name": HOSTILE},
    )  # fmt: skip
    text, markdown = render(results, "html"), render(results, "md")
    assert text.count("<script") == text.count("</script") == 1
    assert "alert(" not in text[text.index("<script") :]
    assert "{{ 7 * 7 }}" in text
    assert re.search(r"(?<!\\)<script", markdown.split("````")[0]) is None
    table = [line for line in markdown.splitlines() if line.startswith("| standard | 2 |")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table if "script" in line}) == 1
    for picture in (picture for section in sections(results) for picture in section.pictures):
        ElementTree.fromstring(picture.svg)


def test_same_data_same_bytes(tmp_path: Path) -> None:
    games = play(blocks=30, variants=("std", "slow"), players=(2, 3), stuck=0.1)
    first, second = (
        write_run(tmp_path / "a" / "run", games),
        write_run(tmp_path / "b" / "run", games, parts=3),
    )
    manifest = json.loads((second / "manifest.json").read_text())
    (second / "manifest.json").write_text(json.dumps(manifest | {"timings": {"play_seconds": 99.0}}))
    written = []
    for folder in (first, second):
        with load(folder) as run:
            written.append({name: path.read_bytes() for name, path in write_report(run).items()})
    assert written[0] == written[1]
    assert str(tmp_path).encode() not in b"".join(written[0].values())


def test_files_written(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", play(blocks=30, variants=("std", "slow")))
    with load(folder) as run:
        paths = write_report(run, out=tmp_path / "elsewhere")
        only = write_report(run, formats=("md",))
    assert paths["html"] == tmp_path / "elsewhere" / "report.html"
    assert paths["md"].is_file()
    assert len(pd.read_csv(paths["tables/seats.csv"])) == 6
    assert paths["figures/seats.svg"].read_text().startswith("<?xml")
    assert "html" not in only
    assert not (folder / "report.html").exists()
    assert not list(tmp_path.rglob("*.tmp"))


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with load(write_run(tmp_path / "run", PAIR)) as run:
        with pytest.raises(FlocksimError, match=r"report\.html: cannot be written"):
            write_report(run, out=tmp_path / "file")
        with pytest.raises(FlocksimError, match="'pdf' is not known; allowed: html, md"):
            write_report(run, formats=("pdf",))


def test_figures_label_themselves(usual: Results) -> None:
    figure = figures.seats(usual.seats)
    assert [axis.get_title(loc="left") for axis in figure.axes if axis.get_visible()] == [
        "With 2 players",
        "With 3 players",
    ]
    assert all("points" in axis.get_xlabel() for axis in figure.axes)
    drawn = figures.svg(figure)
    assert "2000-" not in drawn
    assert drawn == figures.svg(figures.seats(usual.seats))


def test_alternative_text_comes_from_the_data(usual: Results, made: list[Section]) -> None:
    alt = next(section for section in made if section.key == "seats").pictures[0].alt
    highest = usual.seats.loc[usual.seats.edge.idxmax()]
    assert f"Highest: seat {highest.seat} in {highest.variant}" in alt
    assert re.search(r"points \(", alt)


def test_terminal_summary_shows_the_endings_that_happened_and_what_is_missing(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (), end="deadlock", block=block) for block in range(5)]
    lines = summary_table(study(tmp_path / "run", games, complete=False)).splitlines()
    assert lines[0].split()[-2:] == ["strategy", "deadlock"]
    assert lines[2].split()[-2:] == ["100", "%"]
    assert "not finished" in lines[3]


def test_terminal_summary(usual: Results) -> None:
    lines = summary_table(usual).splitlines()
    assert len(lines) == 2 + 4
    assert lines[0].split()[:3] == ["variant", "players", "games"]
    assert re.match(r"std +2 +120 +\d\d\.\d+ +\d\d\.\d % \(\+\d+\.\d\) +not clear ", lines[2])


def test_what_an_action_is_worth_is_a_section_of_its_own(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (1 if block % 4 else 2,), block=block) for block in range(200)]
    strategies = [
        {"name": name, "noise": 0.0, "without": kinds} for name, kinds in (("a", []), ("b", ["fly-big", "draw"]))
    ]
    made = {section.key: section for section in sections(study(tmp_path / "run", games, strategies=strategies))}
    (grid,) = made["worth"].grids
    (row,) = grid.rows
    assert row[:4] == ["2", "b", "fly-big, draw", "a"]
    assert row[4:6] == ["75", "25"]
    assert row[6] == "−50 *"
    assert len(grid.columns) == len(row)
    assert made["worth"].sentences == ["Kept from some actions, a wins less: b 50 points."]
    assert "b in standard with 2 players, −50 points" in made["worth"].pictures[0].alt
    plain = {section.key for section in sections(study(tmp_path / "other", games))}
    assert "worth" not in plain


def test_wins_on_a_board_are_drawn_over_it(tmp_path: Path) -> None:
    games = [Game(("a", "b"), (1,), block=block, caught=(1 + (block % 4 == 0), 0)) for block in range(80)]
    board = {
        "variant": "standard", "players": 2, "places": {"left": [0, 0], "right": [1, 0]},
        "links": [["left", "right"]], "marks": {"m": [0.5, 0]}, "covers": {"1": ["left"], "2": ["left", "right"]},
    }  # fmt: skip
    spec = {"counter": "caught", "title": "Where nests are built", "what": "nests", "boards": [board]}
    results = study(tmp_path / "run", games, board_map=spec, win_kinds={"How": ["caught"]}, uses=["caught"])
    made = {section.key: section for section in sections(results)}
    (picture,) = made["wins"].pictures
    assert "with 2 players most often on spot left, in 100.0 % of 80" in picture.alt
    drawn = ElementTree.fromstring(picture.svg)
    told = {text for element in drawn.iter() if (text := "".join(element.itertext()).strip())}
    assert {"left", "right"} <= told
    kinds, places = made["wins"].grids
    assert kinds.rows[0][:3] == ["standard", "2", "80"]
    assert places.rows[0][3].startswith("left 100")
    (row,) = made["uses"].grids[0].rows
    assert row[:3] == ["2", "caught", "50.0 %"]
    assert row[5].endswith("*")
    assert "Use is not cause" in made["uses"].sentences[0]
    assert "places" in {picture.name for section in made.values() for picture in section.pictures}


def test_a_game_offers_sections_of_its_own(tmp_path: Path) -> None:
    games = play(blocks=60, players=(2, 3), variants=("std", "slow"), turns=lambda name: 40 if name == "slow" else 30)
    charts = [{"key": "cards", "title": "Which cards?", "unit": "cards", "counters": {"laid": "L", "caught": "C"}}]
    results = study(tmp_path / "run", games, charts=charts)
    made = {section.key: section for section in sections(results)}
    keys = list(made)
    assert keys.index("endings") < keys.index("cards") < keys.index("counters")
    section = made["cards"]
    means = results.all_counters.set_index(["variant", "players", "counter"])["mean"]
    assert section.sentences == [
        f"Most cards in std: L at every player count ({means['std', 3, 'laid']:.1f} to {means['std', 2, 'laid']:.1f}).",
        "slow against std: clearly more of L.",
    ]
    (grid,) = section.grids
    assert grid.columns == ["players", "", "std", "slow"]
    assert [row[:2] for row in grid.rows] == [["2", "L"], ["2", "C"], ["3", "L"], ["3", "C"]]
    assert (section.pictures[0].name, section.pictures[0].queries) == ("cards", ("counters",))


def test_figures_show_the_baselines_and_what_the_summary_names(tmp_path: Path) -> None:
    tiers = ("beginner", "strong", "expert")
    variants = [f"{name}-{tier}" for tier in tiers for name in ("std", "slow", "quick", "odd")]
    entries = [
        {"name": name, "population": name.partition("-")[2], "rules": {}, "differs": {}} for name in variants
    ]  # fmt: skip
    charts = [{"key": "cards", "title": "Which cards?", "unit": "cards", "counters": {"laid": "L", "caught": "C"}}]
    games = play(blocks=60, variants=variants, turns=lambda name: 50 if name == "quick-expert" else 30)
    results = study(tmp_path / "run", games, variants=entries, charts=charts)
    told = next(entry.text for entry in results.findings if "clearly changes the length" in entry.text)
    assert "quick-expert" in told
    shown, note = at_most_six(results.strategies, results, "strategies")
    drawn = list(dict.fromkeys(shown.variant))
    assert drawn == [name for name in variants if name in drawn]
    assert len(drawn) == 6
    assert {"std-beginner", "std-strong", "std-expert", "quick-expert"} <= set(drawn)
    assert note == " Drawn: 6 of 12 variants, those of the summary first; tables/strategies.csv has all."
    made = {section.key: section for section in sections(results)}
    captions = [grid.caption for key in ("cards", "counters") for grid in made[key].grids]
    cut = [caption for caption in captions if "of 12 variants" in caption]
    assert cut == [caption for caption in captions if " (6 of 12 variants" in caption]
    assert len(cut) == 2
    assert all(caption.endswith(("tables/all_counters.csv has all)", "tables/seat_counters.csv has all)"))
               for caption in cut)  # fmt: skip
    assert not any("Drawn" in caption for caption in captions)
    assert "for 6 variants" in made["strategies"].pictures[0].alt
    assert (
        at_most_six(results.variant_counters[results.variant_counters.variant == "odd-strong"], results, "x")[1] == ""
    )


def test_of_many_counters_that_change_the_largest_are_named() -> None:
    assert [_named(list("abcdef")[:many], 6) for many in (1, 3, 4, 5, 6)] == [
        "a", "a, b and c", "a, b, c and 1 other", "a, b, c and 2 others", "all 6, above all a, b and c",
    ]  # fmt: skip


def test_games_to_read_are_named_with_the_command_that_plays_them(usual: Results) -> None:
    made = replays(usual, {"typical": "Turn 1\n" * (MOST_LINES + 5)})
    assert [replay.title.split(":")[0] for replay in made] == ["A typical game", "The longest game"]
    row = usual.notable.iloc[0]
    words = f"--variant {row.variant} --players {row.players} --game {row.game} --pretty"
    assert made[0].command == f"flocksim trace RUN {words}"
    assert "… and 5 more lines" in made[0].told
    assert len(made[0].told.splitlines()) == MOST_LINES + 2
    assert made[1].told == ""
    assert usual.notable.turns.iloc[1] == usual.spread.longest.max()


@pytest.mark.parametrize(("margin", "told"), [(2, "the winner 2 ahead in chips;"), (0, "the winner level in chips;")])
def test_the_closest_game_is_told_by_its_lead_if_it_has_one(tmp_path: Path, margin: int, told: str) -> None:
    games = [Game(("a", "b"), (1,), block=block, turns=9 + block, margin=margin + block) for block in range(4)]
    (closest,) = [replay for replay in replays(study(tmp_path / "run", games), {}) if "closest" in replay.title]
    assert told in closest.line


def test_the_glossary_has_every_word_of_its_page(usual: Results) -> None:
    opening, chapters = glossary()
    page = (Path(__file__).parents[2] / "reports" / "glossary.md").read_text("utf-8")
    rows = sum(line.startswith("| ") for line in page.splitlines())
    assert sum(len(chapter.words) + 1 for chapter in chapters) == rows
    assert all(len(word) == 3 and all(word) for chapter in chapters for word in chapter.words)
    assert opening.startswith("What the numbers are")
    assert "max_s |e_s|" in str(chapters)
    text = render(usual, "html")
    assert all(f"<summary>{chapter.title}</summary>" in text for chapter in chapters)


def test_every_figure_names_its_sql(made: list[Section], usual: Results) -> None:
    text = render(usual, "html")
    for picture in (picture for section in made for picture in section.pictures):
        assert picture.queries
        for name in picture.queries:
            assert f'href="#sql-{name}"' in text
            assert text.count(f'id="sql-{name}"') == 1


def test_a_page_that_would_be_too_large_is_made_smaller(usual: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = render(usual)
    assert 'class="both"' in whole
    monkeypatch.setattr("flocksim.reports.render.LARGEST", len(whole.encode()) - 1)
    smaller = render(usual)
    assert 'class="both"' not in smaller
    assert smaller.count("<tr") == whole.count("<tr")
    monkeypatch.setattr("flocksim.reports.render.FITS", ((400, True), (3, False)))
    assert render(usual).count("<tr") < whole.count("<tr")
    assert "The first 3 of" in render(usual)
