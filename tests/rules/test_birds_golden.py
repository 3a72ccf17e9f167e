"""Two games as a designer reads them. A change here is a change of the game or of the telling: look at the difference,
and if it is meant, renew the files with the commands below."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent.parent / "golden"
COMMANDS = {
    "4-the-birds.txt": "trace 4-the-birds --players 3 --strategies random --seed 30 --pretty",
    "4-the-birds-chosen.txt": "trace 4-the-birds --players 2 --variant choose-set-up --strategies random --seed 331 "
    "--pretty",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_playthrough_reads_as_it_did(name):
    done = subprocess.run(
        [sys.executable, "-m", "flocksim", *COMMANDS[name].split()], capture_output=True, text=True, check=True
    )
    assert done.stdout == (GOLDEN / name).read_text("utf-8")
