"""Whatever a file holds, reading it ends in a study or in one line: no traceback, no hang, nothing written.

`make test` tries a few dozen examples of each; `make fuzz` as many as FLOCKSIM_FUZZ says.
"""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.games.flockers import decks
from flocksim.simulate.plan import Study
from hypothesis import given

from flocksim.study import load_study
from tests.fuzz.hostile import broken, broken_bytes
from tests.fuzz.profile import FUZZ, check_line
from tests.rules.birds_board_files import Drawn
from tests.unit.test_game_contract import play

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "configs").glob("*.yaml"))}
CONFIGS["every-key"] = """\
name: every-key
question: What if?
game: flock-together
players: [2, 4]
variants:
  standard: {}
  short: {preset: [quick-game, rarer-rare-birds], hand_size: 6, small_flock: {J: 3}, players: 4}
strategies:
  - random
  - {name: careful, base: rusher, noise: 0.25, without: draw}
  - {name: mine, weights: {cards_caught: 2}}
  - {name: found, file: weights.yaml}
  - ismcts:20
  - my_bots.py:last
games: 1e3
seed: 5
targets: {seats: 3, turns: {2: [10, 60]}, changes: {ties: 1.5}}
stop: {when: decided, at_most: 10_000}
"""
CONFIGS["tiers"] = """\
name: tiers
game: flock
players: 3
variants: {free: {preset: free-flight}}
tiers: [beginner, strong]
games: 100
seed: 1
"""
WEIGHTS = "game: flock-together\nline: Mine.\nseed: 1\nweights:\n  cards_caught: 2\n  draw: -1.5\n"
BOTS = """\
from flocksim import bot


@bot
def last(state, rules, choices, weights):
    return choices.count - 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What configs may name, each file whole."""
    folder = tmp_path_factory.mktemp("fuzz") / "inside"
    shutil.copytree(ROOT / "configs", folder)
    (folder / "weights.yaml").write_text(WEIGHTS, "utf-8")
    (folder / "my_bots.py").write_text(BOTS, "utf-8")
    return folder


def files_around(folder: Path) -> set[Path]:
    return {path for path in folder.parent.rglob("*") if "__pycache__" not in path.parts}


def read(folder: Path, name: str, content: str | bytes, config: str = "") -> Study | None:
    """The study of a config in which a file `name` holds that; None when it is refused, as it should be."""
    path, study = folder / name, folder / "study.yaml"
    before = path.read_bytes() if path.exists() else None
    if config:
        study.write_text(config, "utf-8")
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    there = files_around(folder)
    try:
        return load_study(study)
    except FlocksimError as error:
        check_line(error)
        return None
    finally:
        assert files_around(folder) == there
        path.unlink()
        if before is not None:
            path.write_bytes(before)


@pytest.mark.parametrize("name", CONFIGS)
def test_whole_configs_are_read(folder, name):
    (folder / "study.yaml").write_text(CONFIGS[name], "utf-8")
    assert load_study(folder / "study.yaml").total_games > 0


@pytest.mark.parametrize("name", CONFIGS)
def test_a_broken_config_is_a_study_or_a_line(folder, name):
    @FUZZ
    @given(broken(CONFIGS[name]))
    def tried(text):
        study = read(folder, "study.yaml", text)
        for written in [study.name, *(variant.name for variant in study.variants)] if study else []:
            assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}", written)
        if study:
            assert study.total_games > 0

    tried()


def test_a_config_of_any_bytes_is_a_study_or_a_line(folder):
    @FUZZ
    @given(broken_bytes(CONFIGS["every-key"].encode()))
    def tried(content):
        read(folder, "study.yaml", content)

    tried()


def test_a_broken_file_of_weights_is_read_or_refused(folder):
    @FUZZ
    @given(broken(WEIGHTS))
    def tried(text):
        study = read(folder, "weights.yaml", text, CONFIGS["every-key"])
        if study:
            assert all(abs(weight) <= 1e9 for strategy in study.strategies for weight in strategy.weights)

    tried()


@pytest.mark.parametrize("name", ["flock_cards.csv", "terrain_cards.csv"])
def test_a_broken_deck_is_played_or_refused(folder, name):
    text = (Path(decks.__file__).parent / name).read_text("utf-8")
    config = (
        f"name: deck\ngame: flockers\nplayers: [1, 4]\nvariants: {{own: {{{name.removesuffix('.csv')}: my.csv}}}}\n"
        "strategies: [random]\ngames: 4\nseed: 1\n"
    )
    played(read(folder, "my.csv", text, config))  # compiles, which no example should be blamed for

    @FUZZ
    @given(broken(text))
    def tried(broken_text):
        played(read(folder, "my.csv", broken_text, config))

    tried()


def test_a_broken_board_is_played_or_refused(folder):
    text = Drawn(5, random.Random(1), missing=0).text
    config = (
        "name: board\ngame: 4-the-birds\nplayers: [2]\nvariants: {own: {branch_layout: my.txt, turn_cap: 40}}\n"
        "strategies: [random]\ngames: 2\nseed: 1\n"
    )

    played(read(folder, "my.txt", text, config))

    @FUZZ
    @given(broken(text))
    def tried(broken_text):
        played(read(folder, "my.txt", broken_text, config))

    tried()


def test_a_broken_file_of_bots_is_read_or_refused(folder):
    @FUZZ
    @given(broken(BOTS))
    def tried(text):
        read(folder, "my_bots.py", text, CONFIGS["every-key"])

    tried()


def played(study: Study | None) -> None:
    """A block of each cell ends as games do."""
    for cell in study.cells() if study else ():
        rules = study.variants[cell.variant].rules
        games, seats = play(study.game, cell.players, 1, rules=rules)
        assert set(games["end_reason"]) <= {1, 2, 3, 4}
        assert ((seats["win_share"].sum(axis=1) - 1) ** 2 < 1e-12).all() | (games["winners"] == 0).any()
