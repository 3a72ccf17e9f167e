"""One game as a designer reads it. A change here is a change of the game, of a strategy or of the telling: look at
the difference, and if it is meant, renew the file with the command in its first test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).parent.parent / "golden" / "flock-together.txt"
COMMAND = (
    "trace flock-together --players 3 --variant quick-game --strategies all-rounder,denier,random --seed 4 --pretty"
)


def test_the_playthrough_reads_as_it_did():
    done = subprocess.run(
        [sys.executable, "-m", "flocksim", *COMMAND.split()], capture_output=True, text=True, check=True
    )
    assert done.stdout == GOLDEN.read_text("utf-8")
