"""Answers of queries, kept in a run folder, so that a report can be written again without asking millions of games."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

FOLDER = "aggregates"
_DIGEST = 32  # bytes in front of an answer, which tell that it is whole


class Memory:
    """Small tables in `RUN/aggregates`, each under a name made of all that its answer depends on.

    What cannot be written or read is asked again: a memory is never needed. Raises nothing.
    """

    def __init__(self, run: Path, basis: Iterable[str]) -> None:
        """basis: what every answer depends on, such as the receipts of the run's parts."""
        self._folder = run / FOLDER
        self._basis = "\n".join(basis)
        self._used: set[Path] = set()

    def recall(self, question: str) -> pd.DataFrame | None:
        """The answer to a question, if it is remembered and undamaged."""
        try:
            file = self._file(question)
            content = file.read_bytes()
            if content[:_DIGEST] == _digest(file, content[_DIGEST:]):
                return pd.read_parquet(io.BytesIO(content[_DIGEST:]))
        except Exception:  # absent, or written by another version of a library
            pass
        return None

    def keep(self, question: str, answer: pd.DataFrame) -> None:
        """Remember an answer."""
        file = self._file(question)
        temporary = file.with_name(f"{file.name}.{os.getpid()}.tmp")
        try:
            self._folder.mkdir(exist_ok=True)
            content = answer.to_parquet(index=False)
            temporary.write_bytes(_digest(file, content) + content)
            os.replace(temporary, file)
        except Exception:  # such as a folder that may only be read
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def forget_the_rest(self) -> None:
        """Remove what was neither asked nor answered since this was made: answers about fewer games, for instance."""
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                if file not in self._used:
                    file.unlink()

    def _file(self, question: str) -> Path:
        name = hashlib.sha256(f"{self._basis}\n{question}".encode()).hexdigest()[:32]
        file = self._folder / f"{name}.answer"
        self._used.add(file)
        return file


def _digest(file: Path, content: bytes) -> bytes:
    """Of an answer under its name: no other answer's content counts."""
    return hashlib.sha256(file.name.encode() + content).digest()
