"""Reads a text file that a user named, and says in one line why it cannot."""

from __future__ import annotations

from pathlib import Path

from .errors import FlocksimError

LARGEST = 1_000_000  # bytes


def read_text(path: Path, kind: str) -> str:
    """The text of a file (UTF-8, at most LARGEST bytes), which should be `kind`, e.g. 'a YAML file'.

    Raises FlocksimError, one line that names the file.
    """
    try:
        if path.is_dir():
            raise FlocksimError(f"{path}: is a directory, not {kind}")
        if path.is_fifo() and path.parts[:2] != ("/", "dev"):  # /dev/fd/N is a shell's <(command)
            raise FlocksimError(f"{path}: is a pipe, not {kind}")
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)  # a device may never end
        if len(content) > LARGEST:
            raise FlocksimError(f"{path}: more than {LARGEST:,} bytes; {kind} has fewer")
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FlocksimError(f"{path}: not a text file (UTF-8 is wanted)") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise FlocksimError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if "\0" in text:
        raise FlocksimError(f"{path}: not a text file (it has a zero byte)")
    return text
