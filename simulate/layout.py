"""The record that holds a game: the header that every game shares, then the game's own fields."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .streams import MAX_SEATS, N_STREAMS

RUNNING, WIN, STUCK, DEADLOCK, TURN_CAP = 0, 1, 2, 3, 4
END_REASONS = ("running", "win", "stuck", "deadlock", "turn_cap")
"""How a game ended, as in the column `end_reason`; a stored game is never `running`."""

MAX_ACTIONS = 512

Choices = np.dtype([("count", "i8"), ("actions", "u2", (MAX_ACTIONS,))], align=True)
"""What `legal` fills: `actions[:count]` are the codes of the legal actions of the decision at hand."""


@dataclass(frozen=True)
class Field:
    """One field of a game's state or rules.

    `word`: name of a second field over the same bytes that reads the last axis, eight bytes long, as one 64-bit
    word: eight small counts can then be added, compared and cleared at once.
    """

    name: str
    kind: str
    shape: tuple[int, ...] = ()
    word: str | None = None


def record_dtype(fields: list[Field]) -> np.dtype:
    """Lay the fields out one after the other, each aligned, with the words laid over their bytes."""
    names, formats, offsets = [], [], []
    offset = 0
    for field in fields:
        dtype = np.dtype((field.kind, field.shape))
        align = 8 if field.word else np.dtype(field.kind).alignment
        offset += -offset % align
        names.append(field.name)
        formats.append(dtype)
        offsets.append(offset)
        if field.word:
            if dtype.base.itemsize != 1 or field.shape[-1] != 8:
                raise ValueError(f"{field.name}: a word needs a last axis of eight bytes")
            names.append(field.word)
            formats.append(np.dtype(("u8", field.shape[:-1])))
            offsets.append(offset)
        offset += dtype.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": offset + -offset % 64})


def state_dtype(fields: list[Field], counters: int, events: int) -> np.dtype:
    """The dtype of a game's state.

    Parameters: the game's own fields; how many counters it keeps per seat; how many chance events one action
    (or the set-up) can note at most, for traces; what does not fit is counted only.
    """
    header = [
        Field("players", "i8"),
        Field("seat", "u1"),  # whose decision it is, from 0
        Field("kind", "u1"),  # kind of decision: index into the game's `decisions`
        Field("end_reason", "u1"),
        Field("turns", "i4"),  # turns begun
        Field("rounds", "i4"),  # rounds begun
        Field("streams", "u8", (N_STREAMS,)),
        Field("bot_stream", "u1", (MAX_SEATS,)),  # which stream the bot in this seat draws from
        Field("score", "i4", (MAX_SEATS,)),
        Field("standing", "i8", (MAX_SEATS,)),  # what ranks the seats at the end: score, then tie-breaks
        Field("rival", "i8"),  # standing of an opponent without a seat; 0, which beats nobody, when there is none
        Field("counters", "i4", (MAX_SEATS, counters)),
    ]
    log = [Field("traced", "u1"), Field("n_events", "u2"), Field("events", "i2", (events,))]
    return record_dtype(header + fields + log)


def new_records(dtype: np.dtype, count: int = 1) -> np.ndarray:
    """`count` zeroed records that kernels can read and write."""
    return as_records(np.zeros(count, dtype))


def as_records(array: np.ndarray) -> np.ndarray:
    """A structured array as kernels want it: without the JIT, one whose fields are attributes."""
    from .compiled import jit_is_on

    return array if jit_is_on() else array.view(np.recarray)
