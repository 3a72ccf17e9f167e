"""The files of a stored part, and the receipt that makes it count.

A part is a Parquet file in each table's folder (of each of TABLES; or of SUMS, where sums over blocks are kept instead)
and, written last, a receipt in `parts/` with their checksums. A part without a receipt is not there; one whose
files do not match its receipt is damaged, and says so before anything tries to decode it.
"""

from __future__ import annotations

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from .errors import FlocksimError

TABLES = ("games", "seats", "arcs")
SUMS = tuple(f"sums_{name}" for name in ("games", "seats", "lengths", "uses", "values"))
RECEIPTS = "parts"
_NAME = re.compile(r"(?P<variant>.+)-(?P<players>\d+)p-(?P<number>\d{6,})")


class PartName(NamedTuple):
    """Which part of which cell; its text is the stem of the part's files."""

    variant: str
    players: int
    number: int

    def __str__(self) -> str:
        return f"{self.variant}-{self.players}p-{self.number:06d}"

    def table(self, folder: Path, table: str) -> Path:
        """The part's file of a table."""
        return folder / table / f"{self}.parquet"

    def receipt(self, folder: Path) -> Path:
        return folder / RECEIPTS / f"{self}.json"


def parse(stem: str) -> PartName | None:
    """The part that a file's stem names, None when it is no part's."""
    match = _NAME.fullmatch(stem)
    name = PartName(match["variant"], int(match["players"]), int(match["number"])) if match else None
    return name if str(name) == stem else None


def as_path(value: Any, what: str) -> Path:
    """A path that Parquet's readers and writers can open; raises FlocksimError for what is none."""
    if not isinstance(value, str | Path):
        raise FlocksimError(f"{what}: {value!r} is not allowed; allowed: a path")
    try:
        str(value).encode("utf-8")
    except UnicodeEncodeError:
        raise FlocksimError(f"{value}: the {what}'s name is not text; use another one, e.g. with --out") from None
    if "\0" in str(value):
        raise FlocksimError(f"{what}: {str(value)!r} is not allowed; a path has no zero byte")
    return Path(value)


def tables_of(folder: Path, name: PartName) -> tuple[str, ...]:
    """The tables that a part has a file of, TABLES or SUMS; nothing when one of them lacks it."""
    return next(
        (tables for tables in (TABLES, SUMS) if all(name.table(folder, table).exists() for table in tables)), ()
    )


def receipt_text(folder: Path, name: PartName, run: str) -> str:
    """The receipt of a part whose files are in place. run: hash of the config that they were played by."""
    checksums = {table: checksum(name.table(folder, table)) for table in tables_of(folder, name)}
    return json.dumps({"part": str(name), "run": run, **checksums}) + "\n"


def received(folder: Path) -> list[PartName]:
    """The parts that have a receipt, sorted by cell and number. Raises FlocksimError for a stranger among them."""
    names = []
    for path in (folder / RECEIPTS).glob("*.json"):
        name = parse(path.stem)
        if name is None:
            raise FlocksimError(f"{path}: is not part of this run; remove it")
        names.append(name)
    return sorted(names)


def check(folder: Path, names: list[PartName], run: str) -> None:
    """Raise FlocksimError, one line, for the first part whose files are not those that its receipt is for."""
    with ThreadPoolExecutor() as pool:  # hashing releases the GIL
        for fault in pool.map(lambda name: _fault(folder, name, run), names):
            if fault:
                raise FlocksimError(fault)


def _fault(folder: Path, name: PartName, run: str) -> str:
    path, restore = name.receipt(folder), "delete it and run the study again to restore the part"
    try:
        receipt = json.loads(path.read_bytes())
        checksums = {table: receipt[table] for table in (SUMS if SUMS[0] in receipt else TABLES)}
        part, theirs = receipt["part"], receipt["run"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return f"{path}: damaged; {restore}"
    if part != str(name):
        return f"{path}: of another part ('{part}'); {restore}"
    if theirs != run:
        return f"{path}: of another run; {restore}"
    faults = (damage(name.table(folder, table), wanted) for table, wanted in checksums.items())
    return next((fault for fault in faults if fault), "")


def damage(file: Path, wanted: str) -> str:
    """Why a file is not the one with this checksum, a line; '' when it is."""
    if not file.exists():
        return f"{file}: missing; run the study again to restore it"
    try:
        same = checksum(file) == wanted
    except OSError as error:
        return f"{file}: cannot be read ({error.strerror})"
    return "" if same else f"{file}: damaged or edited (its checksum is not its receipt's); delete it and run again"


def checksum(file: Path) -> str:
    """SHA-256 of a file's bytes."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
