"""Games that tell luck from skill: played in pairs that share some sources of chance and nothing else.

Who wins depends on four independent draws: the deal (all that set-up draws), the draws during play, the line-up (who
sits where) and the bots' noise (their slips, and what they choose among equals). Every block is played once, and again
with some of its sources as they were and all others drawn anew (pick and freeze: Sobol 1993). Each is played in all
rotations, as blocks are.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .driver import CHOOSE, PLAY, SET_UP, GameRow, seat_dtype
from .errors import FlocksimError
from .plan import Part
from .player import BlockPlayer, Stop, played_out
from .plurals import counted
from .receipts import checksum, damage
from .store import RunFolder, write_atomically, writing

if TYPE_CHECKING:
    from .plan import Cell, Study

SOURCES = ("deal", "draws", "line_up", "bots")
KEPT = {
    "first": SOURCES,
    "apart": (),
    "line_up": ("line_up",),
    "deal": ("line_up", "deal"),
    "draws": ("line_up", "draws"),
    "bots": ("line_up", "bots"),
    "deal_draws": ("line_up", "deal", "draws"),
    "deal_bots": ("line_up", "deal", "bots"),
    "draws_bots": ("line_up", "draws", "bots"),
}
"""The sets of games of a block, and which sources each has in common with the first."""
SETS = tuple(KEPT)
FOLDER = "luck"


def luck_file(folder: Path, variant: str, players: int) -> Path:
    """Where the games of a case are: a row a block, rotation and seat, a column a set, of shares of the win."""
    return folder / FOLDER / f"{variant}-{players}p.parquet"


def finished_luck(study: Study, folder: Path) -> dict[Cell, int]:
    """The cells whose games are there, as many as the study asks for, with their number; none if it does not ask."""
    cells = study.cells() if study.luck else ()
    return {cell: luck_games(study, cell) for cell in cells if _is_there(study, folder, cell)}


def luck_games(study: Study, cell: Cell) -> int:
    """How many games tell luck from skill in a cell."""
    return _blocks(study, cell.players) * cell.players * len(SETS)


def luck_fault(file: Path) -> str:
    """What is wrong with a case's file or its receipt, one line; '' for nothing."""
    receipt = _receipt(file)
    try:
        said = json.loads(receipt.read_bytes())
        case, wanted = said["case"], said["checksum"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"{receipt}: missing or damaged; run the study again to restore it"
    if case != file.stem:
        return f"{receipt}: of another case ('{case}'); run the study again to restore it"
    return damage(file, wanted)


def _receipt(file: Path) -> Path:
    """Written last; a file without it does not count."""
    return file.with_suffix(".json")


def _is_there(study: Study, folder: Path, cell: Cell) -> bool:
    file = luck_file(folder, study.variants[cell.variant].name, cell.players)
    if not file.exists() or luck_fault(file):
        return False
    import polars as pl

    rows = pl.scan_parquet(file).select(pl.len()).collect().item()
    return bool(rows == _blocks(study, cell.players) * cell.players**2)


def _blocks(study: Study, players: int) -> int:
    return -(-study.luck // (players * len(SETS)))


def play_luck(study: Study, path: Path, cell: Cell, event: threading.Event | None, owner: int | None) -> int:
    """Play a cell's blocks in every set and store who won. Returns the number of games, 0 when it was stopped."""
    players, stop, folder = cell.players, Stop(event, owner), RunFolder(path, study)
    if note := folder.note():  # Dask tries again what ended a worker
        raise FlocksimError(note)
    blocks = _blocks(study, players)
    player = BlockPlayer(study, Part(cell.variant, players, 0, 0, blocks))
    games = np.zeros(blocks * players, GameRow)
    seats = np.zeros((blocks * players, players), seat_dtype(len(study.game.counters)))
    shares = {name: np.zeros((blocks * players, players)) for name in SETS}

    def some(block: int, size: int) -> None:
        rows = slice(block * players, (block + size) * players)
        for name in SETS:
            seeds = {source: _seed(study.seed, source, source in KEPT[name]) for source in SOURCES}
            for place, source in ((SET_UP, "deal"), (PLAY, "draws"), (CHOOSE, "bots")):
                player.seeds[place] = seeds[source]
            games["decisions"][rows] = 0  # to the watchdog, games that are to come
            player.play(block, player.line_ups(seeds["line_up"], block, size), games[rows], seats[rows])
            shares[name][rows] = _won(games[rows], seats[rows])

    name = study.variants[cell.variant].name
    where = f"seed {study.seed}, {name} with {counted(players, 'players')}, in a game that tells luck from skill"
    if not played_out(player, folder, blocks, some, stop, lambda _: f"{where}. Finished parts are kept"):
        return 0
    if stop.is_set() or (owner is None and not folder.is_still_this_study()):
        return 0
    _store(luck_file(path, name, players), study, cell, shares)
    return luck_games(study, cell)


def _seed(seed: int, source: str, kept: bool) -> int:
    """The seed of one source's draws: the same in every cell, so that variants face the same ones."""
    word = f"luck {seed} {source} {'first' if kept else 'anew'}"
    return int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])


def _won(games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Shares of the win, (games, seats); what nobody won is shared evenly, but a lone player has lost it."""
    players = seats.shape[1]
    even = 1 / players if players > 1 else 0.0
    return np.where(games["winners"][:, None] > 0, seats["win_share"], even)


def _store(file: Path, study: Study, cell: Cell, shares: dict[str, np.ndarray]) -> None:
    import polars as pl

    from .frames import write_parquet

    players = cell.players
    rows = next(iter(shares.values())).size
    index = np.arange(rows)
    frame = pl.DataFrame(
        {
            "variant": pl.repeat(study.variants[cell.variant].name, rows, eager=True),
            "players": np.full(rows, players, np.uint8),
            "block": index // players**2,
            "rotation": (index // players % players).astype(np.uint8),
            "seat": (index % players + 1).astype(np.uint8),
            **{name: won.reshape(-1) for name, won in shares.items()},
        }
    )
    temporary = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    with writing(file):
        file.parent.mkdir(exist_ok=True)
        write_parquet(frame, temporary)
        _receipt(file).unlink(missing_ok=True)
        os.replace(temporary, file)
        write_atomically(_receipt(file), json.dumps({"case": file.stem, "checksum": checksum(file)}) + "\n")
