"""The run folder: Parquet parts that appear whole or not at all, and a manifest that says what they are."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock, Timeout

from .compiled import SOURCES
from .errors import FlocksimError
from .manifest import MANIFEST, belongs_to_a_run, manifest, manifest_text, read_manifest
from .plan import Part, Study
from .plurals import counted
from .receipts import RECEIPTS, SUMS, TABLES, PartName, as_path, check, parse, receipt_text, received, tables_of

if TYPE_CHECKING:
    import polars as pl

_OURS = (
    *(RECEIPTS, *TABLES, *SUMS, "luck", "aggregates", "report.html", "report.md", "tables", "figures"),
    *("ladder.csv", "pairs.csv", "league.md"),
)
_FILES_OF = {
    **dict.fromkeys((*TABLES, *SUMS), "*.parquet"),
    RECEIPTS: "*.json",
    "luck": "*p.*",
    "aggregates": "*.answer",
    "tables": "*.csv",
    "figures": "*.svg",
}
_TEMPORARY = ".tmp"
_NOTE = ".note"
_held: set[Path] = set()  # the folders of runs under way in this process


class RunFolder:
    """One run's folder, locked while in use."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path, self.study = path, study
        self._lock = FileLock(path / ".lock", timeout=0)

    # --- last words of a worker process that cannot be asked any more ---

    def leave_note(self, text: str) -> None:
        """For the run that owns the folder."""
        with contextlib.suppress(OSError):
            (self.path / _NOTE).write_text(text, "utf-8")

    def note(self) -> str:
        """What a worker left; empty when none did."""
        with contextlib.suppress(OSError):
            return (self.path / _NOTE).read_text("utf-8")
        return ""

    def take_note(self) -> str:
        """The same, and the note is gone."""
        text = self.note()
        with contextlib.suppress(OSError):
            (self.path / _NOTE).unlink()
        return text

    def is_held_here(self) -> bool:
        """Whether the run that owns the folder is one of this process. joblib plays in it where one worker would do."""
        return self.path.absolute() in _held

    # --- opening ---

    @contextlib.contextmanager
    def opened(self, fresh: bool) -> Iterator[None]:
        """Hold the folder for this run; raises FlocksimError if it holds anything else."""
        as_path(self.path, "folder")
        with writing(self.path):
            self._check_strangers()
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except Timeout:
                raise FlocksimError(f"{self.path}: another run is writing here; wait for it or use --out") from None
        _held.add(self.path.absolute())
        try:
            self.take_note()
            if fresh:
                self._clear()
            else:
                self._check_manifest()
            with writing(self.path):
                for table in self._folders():
                    (self.path / table).mkdir(exist_ok=True)
            self.tidy()
            yield
        finally:
            _held.discard(self.path.absolute())
            self._lock.release()

    def tidy(self) -> None:
        """Remove what workers that were killed left half written."""
        with writing(self.path):
            for left in self.path.glob(f"*/*{_TEMPORARY}"):
                left.unlink(missing_ok=True)

    def _check_strangers(self) -> None:
        """A folder that is not a run's is never written into."""
        if self.path.exists() and not self.path.is_dir():
            raise FlocksimError(f"{self.path}: is a file; --out wants a folder")
        if not self.path.exists() or belongs_to_a_run(self.path):
            return
        if (self.path / MANIFEST).exists():
            raise FlocksimError(f"{self.path / MANIFEST}: not the manifest of a run, or damaged; use another --out")
        others = [item.name for item in self.path.iterdir() if not _left_by_a_start(item)]
        if others:
            raise FlocksimError(f"{self.path}: not a run folder (it holds '{sorted(others)[0]}'); use another --out")

    def _clear(self) -> None:
        """Remove what a run wrote, nothing else and nothing behind a link; receipts first, so that no part half counts.

        The manifest stays until the new one replaces it: a folder is a run's at every moment.
        """
        with writing(self.path):
            for name in _OURS:
                item = self.path / name
                if name not in _FILES_OF:
                    item.unlink(missing_ok=True)
                elif item.is_dir() and not item.is_symlink():
                    for file in (*item.glob(_FILES_OF[name]), *item.glob(f"*{_TEMPORARY}")):
                        file.unlink()

    def _check_manifest(self) -> None:
        path = self.path / MANIFEST
        if not path.exists():
            return
        old = read_manifest(self.path)
        hint = "--fresh starts over, --out writes elsewhere"
        if old.get("flocksim") != version("flocksim"):
            raise FlocksimError(
                f"{path}: made by flocksim {old.get('flocksim')}, this is {version('flocksim')}; {hint}"
            )
        if old.get("config_hash") != self.study.hash():
            raise FlocksimError(f"{path}: {self._what_changed(old)}; {hint}")
        if old.get("sources") != SOURCES:
            raise FlocksimError(f"{path}: flocksim's own code or numba changed since that run; {hint}")
        self._check_size(path, old, hint)

    def _check_size(self, path: Path, old: dict[str, Any], hint: str) -> None:
        """Games may be added, never taken back. The last part of each case makes room for a longer one."""
        before = {(cell["variant"], cell["players"]): cell["games"] for cell in old["cells"]}
        for cell in self.study.after(self.study.looks).cells():
            variant = self.study.variants[cell.variant].name
            games = before[variant, cell.players]
            if games > cell.games:
                raise FlocksimError(
                    f"{path}: {games:,} games of {variant} with {counted(cell.players, 'players')} are there already, "
                    f"more than the {cell.games:,} asked for; ask for as many or more, or {hint}"
                )
            number, short = divmod(games // cell.players, cell.part_blocks)
            if short and games < cell.games:
                self._remove(PartName(variant, cell.players, number))

    def _remove(self, name: PartName) -> None:
        """The receipt first, so that no half of the part counts."""
        with writing(self.path):
            for file in (name.receipt(self.path), *(name.table(self.path, table) for table in (*TABLES, *SUMS))):
                file.unlink(missing_ok=True)

    def _what_changed(self, old: dict[str, Any]) -> str:
        before, now = old.get("config", {}), self.study.config()
        if self.study.at_most and before.get("games") == now["games"] and "stop" in before:
            most = self.study.most_with_units({int(key): n for key, n in old["stop"]["blocks_a_unit"].items()})
            if most < self.study.at_most and {**before, "stop": 0} == {**now, "stop": 0}:
                return (
                    f"with stop.at_most above {most:,} intervals would have to be made of larger units than those that "
                    f"were looked at already; go on with at most {most:,}"
                )
        default = {"keep": "games"}
        pairs = {
            key: (before.get(key, default.get(key)), now.get(key, default.get(key)))
            for key in {**now, **before}
            if key not in ("question", "targets", "luck")
        }
        changed = [
            key if isinstance(one, dict | list) or isinstance(two, dict | list) else f"{key} ({one}, now {two})"
            for key, (one, two) in pairs.items()
            if one != two
        ]
        return f"the config changed since that run: {', '.join(changed) or 'part size'}"

    def is_still_this_study(self) -> bool:
        """Whether the folder holds this very study, as a worker asks that may have outlived its run."""
        try:
            return bool(read_manifest(self.path).get("config_hash") == self.study.hash())
        except FlocksimError:
            return False

    # --- parts ---

    def name(self, part: Part) -> PartName:
        return PartName(self.study.variants[part.variant].name, part.players, part.number)

    def finished(self) -> dict[PartName, int]:
        """The parts that are there and whole, and how many games each holds.

        Raises FlocksimError for one that is damaged, and for anything else among the parts.
        """
        cells = {(self.study.variants[cell.variant].name, cell.players): cell for cell in self.study.cells()}
        for table in self._folders():
            suffix = ".json" if table == RECEIPTS else ".parquet"
            for path in sorted((self.path / table).iterdir()):
                name = parse(path.name.removesuffix(suffix)) if path.suffix == suffix else None
                cell = cells.get((name.variant, name.players)) if name else None
                known = name and cell and name.number < cell.parts
                if not known and not path.name.endswith(_TEMPORARY):
                    raise FlocksimError(f"{path}: is not part of this run; remove it or use --out")
        whole = [name for name in received(self.path) if tables_of(self.path, name)]
        check(self.path, whole, self.study.hash())
        return {name: cells[name.variant, name.players].part(name.number).games for name in whole}

    def _folders(self) -> tuple[str, ...]:
        return (*TABLES, *(() if self.study.keep == "games" else SUMS), RECEIPTS)

    def write_part(self, part: Part, games: np.ndarray, seats: np.ndarray, arcs: np.ndarray) -> None:
        """Store a part: its receipt last, so that a part with a receipt is whole."""
        # polars takes a moment to import: the first game is played by now
        from .frames import tables

        name = self.name(part)
        for table, frame in tables(self.study, part, games, seats, arcs).items():
            self._write(name.table(self.path, table), frame)
        with writing(self.path):
            text = receipt_text(self.path, name, self.study.hash())
        write_atomically(name.receipt(self.path), text)

    def _write(self, path: Path, frame: pl.DataFrame) -> None:
        from .frames import write_parquet

        temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
        with writing(path):
            try:
                write_parquet(frame, temporary)
                os.replace(temporary, path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

    # --- manifest ---

    def write_manifest(self, complete: bool, timings: dict[str, Any]) -> None:
        write_atomically(self.path / MANIFEST, manifest_text(manifest(self.study, complete, timings)))


def _left_by_a_start(item: Path) -> bool:
    """Whether a run that was killed before its manifest was written can have left this."""
    if item.is_dir():
        return item.name in (*TABLES, *SUMS, RECEIPTS) and not any(item.iterdir())
    return item.name == ".lock" or (item.name.startswith(MANIFEST) and item.name.endswith(_TEMPORARY))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _is_full(error: OSError) -> bool:
    """Whether there is no room; polars tells the number in words."""
    numbers = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
    return error.errno in numbers or any(f"(os error {number})" in str(error) for number in numbers)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what a file system may refuse into one line that names the path."""
    try:
        yield
    except OSError as error:
        full = _is_full(error)
        hint = "; the finished parts are kept: make room and run the same command again" if full else ""
        reason = getattr(error, "strerror", None) or _first_line(error)
        raise FlocksimError(f"{path}: cannot be written: {reason}{hint}") from None


def write_atomically(path: Path, text: str) -> None:
    """Write a text so that it appears whole or not at all; a device or a pipe is written to, never replaced."""
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():
        with writing(path):
            path.write_text(text, encoding="utf-8", newline="\n")
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}{_TEMPORARY}")
    with writing(path):
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
