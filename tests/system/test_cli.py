"""The command line, as a user calls it: what it does, and one line for every mistake."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games import load_game

from flocksim.cli import cli

ROOT = Path(__file__).resolve().parents[2]

STUDY = """\
name: tiny
game: flock-together
players: [2, 3]
variants: {standard: {}, quick-game: {preset: quick-game}}
strategies: [random, rusher]
games: 60
seed: 5
"""


def flocksim(
    *words: str,
    cwd: Path = ROOT,
    text: bool = True,
    stdin: str | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "flocksim", *words],
        input=stdin,
        capture_output=True,
        text=text,
        cwd=cwd,
        env=os.environ | (environment or {}),
        check=False,
        timeout=120,
    )


def ok(*words: str, cwd: Path = ROOT) -> str:
    done = flocksim(*words, cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def refused(*words: str, cwd: Path = ROOT) -> str:
    done = flocksim(*words, cwd=cwd)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stderr.startswith("flocksim: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr[:-1].isprintable()
    return done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    (folder / "study.yaml").write_text(STUDY, "utf-8")
    return folder


@pytest.fixture(scope="module")
def run(folder):
    out = ok("run", "study.yaml", cwd=folder)
    assert "Report: " in out
    return folder / "results" / "tiny"


@pytest.mark.parametrize("name", ["games", "rules", "strategies", "validate", "trace"])
def test_examples_work(name):
    line = next(line for line in (cli.commands[name].help or "").splitlines() if "Example:" in line)
    assert ok(*shlex.split(line.split("Example: flocksim ")[1]))


def test_configs_that_ship_are_good():
    for config in (ROOT / "configs").glob("*.yaml"):
        assert "ok" in ok("validate", str(config))


def test_a_run_prints_a_row_per_cell_and_writes_its_report(folder, run):
    for name in ("report.html", "report.md", "manifest.json"):
        assert (run / name).stat().st_size > 500
    again = ok("run", "study.yaml", cwd=folder)
    assert "240 of them were there already" in again
    assert again.count("quick-game") >= 2


def test_quiet_runs_print_nothing(folder, run):
    assert ok("run", "study.yaml", "--quiet", cwd=folder) == ""


def test_games_and_out_can_be_given(folder):
    ok("run", "study.yaml", "--games", "1e1", "--out", "small", "--no-report", cwd=folder)
    assert json.loads((folder / "small" / "manifest.json").read_text("utf-8"))["games"] == 10
    assert not (folder / "small" / "report.html").exists()


def test_several_configs_run_one_after_the_other(folder):
    (folder / "second.yaml").write_text(STUDY.replace("tiny", "second"), "utf-8")
    ok("run", "study.yaml", "second.yaml", "--out", "both", "--no-report", "--quiet", cwd=folder)
    assert (folder / "both" / "tiny" / "manifest.json").exists()
    assert (folder / "both" / "second" / "manifest.json").exists()


def test_a_report_can_be_written_again(run):
    before = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    assert "Report:" in ok("report", str(run))
    assert (run / "report.html").read_bytes() == before


def test_a_report_tells_games_that_are_played_again_to_the_same_digest(run):
    text = (run / "report.html").read_text("utf-8")
    notable = pl.read_csv(run / "tables" / "notable.csv", schema_overrides={"digest": pl.UInt64})
    assert notable["kind"].to_list()[:2] == ["typical", "longest"]
    for digest in notable["digest"]:
        assert f"digest {digest:016x}" in text
    assert text.count("Turn 1, round 1: seat 1") == len(notable)


def test_a_report_in_one_format_under_a_title_is_shown(run, tmp_path):
    before = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/shown\n', "utf-8")
    browser.chmod(0o755)
    words = ("report", str(run), "--format", "md", "--title", "My *own* game", "--open")
    done = flocksim(*words, environment={"BROWSER": f"{browser} %s"})
    assert done.returncode == 0, done.stderr
    assert not (run / "report.html").exists()
    assert (run / "report.md").read_text("utf-8").startswith("# My \\*own\\* game\n")
    assert (run / "figures" / "length.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "shown").read_text("utf-8").strip() == (run / "report.md").resolve().as_uri()
    assert "'md', 'all'" in refused("report", str(run), "--format", "pdf")
    ok("report", str(run), "--format", "html", "--title", "")
    assert (run / "report.html").read_bytes() == before


def test_reports_of_both_formats_agree_and_keep_their_title(folder, run):
    """Whatever is there already is written again, by `run`, too."""
    before = {name: (run / name).read_bytes() for name in ("report.html", "report.md")}
    ok("report", str(run), "--format", "md", "--title", "Kept")
    ok("run", "study.yaml", "--quiet", cwd=folder)
    assert "<h1>Kept</h1>" in (run / "report.html").read_text("utf-8")
    assert (run / "report.md").read_text("utf-8").startswith("# Kept\n")
    ok("report", str(run), "--format", "html", "--title", " ")
    assert {name: (run / name).read_bytes() for name in before} == before


@pytest.mark.parametrize(("turns", "code"), [("[1, 500]", 0), ("[1, 2]", 1), ("[19, 22]", 3)])
def test_check_answers_with_its_exit_code(folder, run, turns, code):
    config = folder / f"targets-{code}.yaml"
    others = "seats: none, strategies: none, unfinished: none"
    config.write_text(f"{STUDY}targets: {{turns: {{2: {turns}}}, {others}}}\n", "utf-8")
    done = flocksim("check", str(run), "--config", str(config))
    assert done.returncode == code, done.stderr
    assert {0: "The target holds.", 1: "The target is violated", 3: "The target needs more games."}[code] in done.stdout


def test_two_variants_are_compared_rule_by_rule(run):
    out = ok("compare", str(run), "standard", "quick-game")
    assert out.startswith("quick-game (120 games) against standard (120 games).")
    assert any(line.split() == ["win_species", "7", "6"] for line in out.splitlines())
    assert "did you mean 'standard'" in refused("compare", str(run), "standrd", "quick-game")


def test_targets_of_a_run_may_change_without_playing_again(folder, run):
    (folder / "again.yaml").write_text(f"{STUDY}targets: {{turns: [1, 2]}}\n", "utf-8")
    out = ok("run", "again.yaml", "--out", str(run), cwd=folder)
    assert "of them were there already" in out
    assert "turns: 1 to 2 on average" in out
    assert "turns: 1 to 2 on average" in ok("report", str(run))
    assert "turns" in ok("sql", str(run), "SELECT DISTINCT target FROM verdicts", "--format", "csv")


def test_sql_answers_in_every_format(run, tmp_path):
    query = "SELECT players, count(*) AS n FROM games GROUP BY ALL ORDER BY ALL"
    assert "120" in ok("sql", str(run), query)
    assert ok("sql", str(run), query, "--format", "csv") == "players,n\n2,120\n3,120\n"
    assert json.loads(ok("sql", str(run), query, "--format", "json")) == [
        {"players": 2, "n": 120},
        {"players": 3, "n": 120},
    ]
    done = flocksim("sql", str(run), query, "--format", "parquet", text=False)
    (tmp_path / "answer.parquet").write_bytes(done.stdout)
    assert pl.read_parquet(tmp_path / "answer.parquet").rows() == [(2, 120), (3, 120)]


def test_sql_answers_of_any_type_can_be_shown(run):
    query = "SELECT INTERVAL 1 DAY AS a, '\\xAA'::BLOB AS b, MAP {'k': 1} AS c, DATE 'infinity' AS d, sum(turns) AS e, "
    query += "'nan'::FLOAT AS f, [1, 2] AS g FROM games"
    for form in ("table", "csv", "parquet"):
        done = flocksim("sql", str(run), query, "--format", form, text=False)
        assert (done.returncode, done.stderr) == (0, b"")
    (row,) = json.loads(ok("sql", str(run), query, "--format", "json"))
    turns = json.loads(ok("sql", str(run), "SELECT sum(turns)::INT AS e FROM games", "--format", "json"))[0]["e"]
    assert row == {"a": "1 day", "b": "\\xAA", "c": {"k": 1}, "d": "infinity", "e": turns, "f": None, "g": [1, 2]}


def test_a_long_table_is_cut_and_says_so(run):
    done = flocksim("sql", str(run), "SELECT range AS n FROM range(2000)")
    assert "499" in done.stdout
    assert "501" not in done.stdout
    assert "the first 500 rows" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is wanted")
def test_output_that_nobody_takes(folder, run):
    script = "{0} -m flocksim {1}"
    for words, target, code, lines in (
        ("rules flock-together", "> /dev/full", 2, 1),
        ("rules flock-together", "| true; exit ${PIPESTATUS[0]}", 0, 0),
        ("run study.yaml", "| true; exit ${PIPESTATUS[0]}", 0, 0),
    ):
        command = f"{script.format(sys.executable, words)} {target}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=folder, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (code, lines), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="file names that are no text are Linux's")
def test_a_folder_whose_name_is_no_text(folder):
    name = os.fsdecode(b"\xff-run")
    assert "not text" in refused("run", "study.yaml", "--games", "4", "--out", name, cwd=folder)
    (folder / name).mkdir()
    assert "not text" in refused("report", name, cwd=folder)


def test_a_trace_is_json_lines_or_prose(run, tmp_path):
    words = (
        "trace",
        "flock-together",
        "--players",
        "2",
        "--strategies",
        "random,rusher",
        "--seed",
        "5",
        "--game",
        "3",
    )
    lines = [json.loads(line) for line in ok(*words).splitlines()]
    assert [lines[0]["type"], lines[1]["type"], lines[-1]["type"]] == ["header", "setup", "end"]
    stored = pl.read_parquet(run / "games" / "standard-2p-*.parquet").filter(pl.col("game") == 3)
    assert lines[-1]["digest"] == f"{stored['digest'][0]:016x}"
    ok(*words, "--pretty", "--out", str(tmp_path / "game.txt"))
    assert "Turn 1, round 1: seat 1" in (tmp_path / "game.txt").read_text("utf-8")


def test_any_row_of_a_run_can_be_traced(folder, run):
    stored = pl.read_parquet(run / "games" / "quick-game-3p-*.parquet").filter(pl.col("game") == 7)
    words = ("trace", "results/tiny", "--variant", "quick-game", "--players", "3", "--game")
    lines = [json.loads(line) for line in ok(*words, "7", cwd=folder).splitlines()]
    assert lines[-1]["digest"] == f"{stored['digest'][0]:016x}"
    assert lines[-1]["turns"] == stored["turns"][0]
    assert "no game 60 of quick-game with 3 players" in refused(*words, "60", cwd=folder)
    assert "'quick-game'" in refused("trace", "results/tiny", "--variant", "quick", cwd=folder)
    assert "--strategies" in refused("trace", "results/tiny", "--strategies", "random", cwd=folder)


def test_trace_takes_variants_and_rules():
    words = (
        "trace",
        "flock-together",
        "--variant",
        "quick-game",
        "--set",
        "small_flock.J=3",
        "--set",
        "hand_size=7",
    )
    rules = json.loads(ok(*words).splitlines()[0])["rules"]
    assert (rules["win_species"], rules["small_flock"]["J"], rules["hand_size"]) == (6, 3, 7)


def test_a_game_is_played_before_anything_is_imported_that_tables_and_reports_need(folder):
    script = """
import sys
from flocksim.simulate.player import BlockPlayer
play, heavy = BlockPlayer.play, {"scipy.linalg", "polars", "pandas", "duckdb", "matplotlib", "statsmodels"}
def telling(*given):
    sys.stderr.write("played with " + " ".join(sorted(heavy & set(sys.modules))) + ".")
    return play(*given)
BlockPlayer.play = telling
sys.argv[1:] = "run study.yaml --games 6 --jobs 1 --no-report --quiet --out warm".split()
from flocksim.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder, check=True)
    assert done.stderr.startswith("played with .")


def test_bench_gives_its_figures():
    figures = json.loads(ok("bench", "flock-together", "--strategies", "random", "--games", "2_000", "--json"))
    for name in ("games_per_second", "decisions_per_second", "microseconds_per_game", "compile_seconds"):
        assert figures[name] > 0
    assert figures["games"] == 2000
    assert figures["searches"] == {}
    told = ok("bench", "flock-together", "--strategies", "random,ismcts:5", "--games", "8")
    assert told.splitlines()[-1].startswith("ismcts:5: microseconds_per_iteration ")


def test_games_rules_and_strategies_name_what_there_is():
    assert "flock-together" in ok("games")
    rules = ok("rules", "flock-together")
    assert "hand_size = 8" in rules
    assert "[T3]" in rules
    assert "rarer-rare-birds" in rules
    strategies = ok("strategies", "flock-together")
    assert "random" in strategies
    assert "cards_caught" in strategies
    assert "  expert: tuned\n" in strategies
    assert "  casual: casual-all-rounder, " in strategies


LEAGUE = ("league", "flock-together", "--players", "2", "--strategies", "random,rusher,hoarder", "--games", "200")


@pytest.fixture(scope="module")
def league(folder):
    out = ok(*LEAGUE, "--seed", "5", cwd=folder)
    assert "League: " in out
    return folder / "results" / "league-flock-together", out


def test_a_league_prints_its_ladder_and_writes_it(league):
    path, out = league
    ladder = pl.read_csv(path / "ladder.csv")
    assert set(ladder["strategy"]) == {"random", "rusher", "hoarder"}
    assert ladder["strategy"][2] == "random"
    for place, name in enumerate(ladder["strategy"], 1):
        assert any(line.split()[:2] == [str(place), name] for line in out.splitlines())
    assert pl.read_csv(path / "pairs.csv").height == 3
    for name in ("league.md", "figures/ladder.svg", "figures/pairs.svg"):
        assert "hoarder" in (path / name).read_text("utf-8")


def test_a_league_given_again_reuses_its_games_and_writes_the_same(folder, league):
    path, _ = league
    names = ("ladder.csv", "pairs.csv", "league.md", "figures/ladder.svg", "figures/pairs.svg")
    before = {name: (path / name).read_bytes() for name in names}
    for name in names:
        (path / name).unlink()
    assert "200 of them were there already" in ok(*LEAGUE, "--seed", "5", cwd=folder)
    assert {name: (path / name).read_bytes() for name in names} == before
    assert ok(*LEAGUE, "--seed", "5", "--quiet", cwd=folder) == ""


def test_a_league_with_another_question_starts_over_only_when_told(folder, league):
    assert "--fresh" in refused(*LEAGUE, "--seed", "6", cwd=folder)
    ok(*LEAGUE, "--seed", "6", "--out", "other", "--quiet", cwd=folder)
    ok(*LEAGUE, "--seed", "5", "--out", "other", "--quiet", "--fresh", cwd=folder)
    assert (folder / "other" / "league.md").read_bytes() == (league[0] / "league.md").read_bytes()


def test_a_league_plays_variants_searches_and_all_archetypes(folder):
    words = ("--players", "3", "--variant", "quick-game", "--set", "hand_size=7", "--games", "12")
    ok("league", "flock-together", *words, "--out", "all", "--quiet", cwd=folder)
    manifest = json.loads((folder / "all" / "manifest.json").read_text("utf-8"))
    assert {entry["name"] for entry in manifest["strategies"]} >= {"random", "rusher", "hoarder"}
    assert manifest["variants"][0]["name"] == "quick-game-changed"
    assert manifest["variants"][0]["rules"]["hand_size"] == 7
    ok("league", "flock-together", *words, "--strategies", "random,ismcts:5", "--out", "search", cwd=folder)
    line = ok("trace", "search", "--game", "11", cwd=folder).splitlines()[-1]
    stored = pl.read_parquet(folder / "search" / "games" / "*.parquet").filter(pl.col("game") == 11)
    assert json.loads(line)["digest"] == f"{stored['digest'][0]:016x}"


def test_alone_there_is_no_league(monkeypatch):
    real = load_game("flock-together")
    for seats, words in (((1, 4), ["--players", "1"]), ((1, 1), [])):
        game = replace(real, seats=seats)
        monkeypatch.setattr("flocksim.simulate.games.load_game", lambda name, game=game: game)
        error = CliRunner().invoke(cli.commands["league"], ["flock-together", *words]).exception
        assert isinstance(error, FlocksimError)
        assert "with 1 player has no league" in str(error)


MISTAKES = [
    (["league", "flok"], ["unknown game 'flok'", "did you mean 'flock'"]),
    (["league"], ["GAME", "flocksim league --help"]),
    (["league", "flock-together", "--players", "1"], ["2 to 5 players, not 1"]),
    (["league", "flock-together", "--strategies", "random"], ["--strategies: 1 is not allowed", "2 to 200"]),
    (["league", "flock-together", "--strategies", "random,rusher,random"], ["--strategies: 'random' appears twice"]),
    (["league", "flock-together", "--strategies", "random,rushr"], ["rusher"]),
    (["league", "flock-together", "--strategies", "random,ismcts:0"], ["ismcts:0", "ismcts:N"]),
    (["league", "flock-together", "--games", "0"], ["--games", "'0'"]),
    (["league", "flock-together", "--variant", "quick"], ["quick-game"]),
    (["league", "flock-together", "--set", "hand_size=70"], ["--set: hand_size: 70 is not allowed"]),
    (["league", "flock-together", "--out", "study.yaml"], ["study.yaml", "is a file"]),
    (["league", "flock-together", "--out", "."], ["not a run folder"]),
    (["run", "missing.yaml"], ["missing.yaml", "cannot be read"]),
    (["run", "."], ["is a directory"]),
    (["run", "study.yaml", "--games", "0"], ["--games", "'0'", "1 to 1e12"]),
    (["run", "study.yaml", "--games", "many"], ["--games", "'many'"]),
    (["run", "study.yaml", "study.yaml"], ["two of the configs"]),
    (["run", "study.yaml", "--out", "study.yaml"], ["study.yaml", "is a file"]),
    (["run", "study.yaml", "--seed"], ["--seed"]),
    (["run", "study.yaml", "--backend", "dusk"], ["dusk", "threading"]),
    (["report", "nowhere"], ["nowhere"]),
    (["report", "."], ["not a run folder"]),
    (["sql", "results/tiny", "SELEC 1"], ["SELEC"]),
    (["sql", "results/tiny", "SELECT nonsense FROM games"], ["nonsense"]),
    (["sql", "results/tiny", "DROP VIEW games"], ["query"]),
    (["sql", "results/tiny", ""], ["query"]),
    (["sql", "results/tiny", "EXPLAIN ANALYZE COPY games TO 'x.csv'"], ["query", "EXPLAIN"]),
    (["trace", "flok"], ["unknown game 'flok'", "did you mean 'flock'"]),
    (["trace", "flock-together", "--players", "6"], ["2 to 5 players, not 6"]),
    (["trace", "flock-together", "--variant", "quick"], ["quick-game"]),
    (["trace", "flock-together", "--set", "hand_size"], ["KEY=VALUE"]),
    (["trace", "flock-together", "--set", "hand_sise=7"], ["hand_size"]),
    (
        ["trace", "flock-together", "--set", "hand_size=70"],
        ["--set: hand_size: 70 is not allowed", "1 to 25"],
    ),
    (["trace", "flock-together", "--set", "small_flock.X=3"], ["'X'"]),
    (["trace", "flock-together", "--set", "small_flock=3"], ["small_flock"]),
    (["trace", "flock-together", "--strategies", "rushr"], ["rusher"]),
    (["trace", "flock-together", "--strategies", ","], ["at least one"]),
    (["trace", "flock-together", "--seed", "-1"], ["-1"]),
    (["trace", "flock-together", "--out", "nowhere/game.txt"], ["nowhere"]),
    (["bench", "flock-together", "--games", "none"], ["--games"]),
    (["rules", "flok-together"], ["flock-together"]),
    (["strategies", "chess"], ["unknown game 'chess'"]),
    (["rum"], ["'rum'", "'run'", "flocksim --help"]),
    (["run"], ["CONFIG", "flocksim run --help"]),
    (["run", "study.yaml", "--jobs", "none"], ["--jobs", "'none'", "a whole number from 1 to 1_000"]),
    (["trace", "two\nlines\x1b[31m"], ["two\\nlines\\x1b[31m"]),
    (["rules", "x" * 5000], ["xxx ... xxx"]),
    (["trace", "flock-together", "--out", ""], ["--out", "a file is wanted"]),
    (["validate", "/dev/zero"], ["/dev/zero"]),
    (["sql", "results/tiny", "SELECT * FROM read_text('study.yaml')"], ["query", "study.yaml"]),
    (["sql", "results/tiny", "SELECT 1 AS x, 2 AS x"], ["two columns are named 'x'"]),
    (["sql", "results/tiny", "SELECT 1", "--format", "xml"], ["'xml'", "csv"]),
]


@pytest.mark.parametrize(("words", "expected"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_mistakes_are_told_kindly(folder, run, words, expected):
    message = refused(*words, cwd=folder)
    for part in expected:
        assert part in message


def test_python_can_do_it_too(folder, run, monkeypatch):
    import flocksim as package

    monkeypatch.chdir(folder)
    opened = package.run("study.yaml")
    assert opened.manifest["name"] == "tiny"
    assert opened.games.count("game").fetchall()[0][0] == 240
    frame = opened.sql("SELECT avg(win_share) AS share FROM seats WHERE players = $n", n=2).df()
    assert frame["share"][0] == 0.5
    assert package.load(run).seats.pl().height == 2 * (120 + 180)
    opened.close()


def test_plan_says_what_a_study_will_cost_and_stores_nothing(tmp_path):
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    lines = ok("plan", "study.yaml", "--jobs", "4", cwd=tmp_path).splitlines()
    assert lines[0].split() == ["variant", "players", "games", "games/s", "a", "core", "bytes", "a", "game"]
    cells = [line.split() for line in lines[1 : lines.index("")]]
    total = sum(int(cell[2].replace(",", "")) for cell in cells)
    assert f"games        {total:,}" in lines
    assert all(float(cell[3].replace(",", "")) > 10 and 10 < float(cell[4]) < 2000 for cell in cells)
    assert sum("with 4 workers" in line for line in lines) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["study.yaml"]
    (tmp_path / "study.yaml").write_text(STUDY + "luck: 6_000\n", "utf-8")
    told = " that tell luck from skill"
    assert any(
        line.endswith(told) and f"games        {total:,}, and " in line
        for line in ok("plan", "study.yaml", cwd=tmp_path).splitlines()
    )
    assert told in ok("validate", "study.yaml", cwd=tmp_path)
    (tmp_path / "study.yaml").write_text(STUDY + f"stop: {{when: decided, at_most: {3 * 60}}}\n", "utf-8")
    most = ok("plan", "study.yaml", cwd=tmp_path)
    assert f"games        {3 * total:,}" in most.splitlines()
    assert f"the most it may cost, 3 times {total:,} games: it stops sooner" in most
    assert f"up to {3 * total:,} games in all" in ok("validate", "study.yaml", cwd=tmp_path)
