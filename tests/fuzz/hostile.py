"""Strategies (Hypothesis) for what a user's file may hold that nobody meant."""

from __future__ import annotations

from hypothesis import strategies as st

SCALARS = (
    "",
    "~",
    "null",
    "-1",
    "0",
    "1e999",
    "-.inf",
    ".nan",
    "9" * 30,
    "9" * 5000,
    "-9223372036854775809",
    "18446744073709551616",
    "0x7fffffffffffffff",
    "0o17",
    "1_000",
    "1:30",
    "4_294_967_296",
    "2026-11-30",
    "[]",
    "{}",
    "[[[[]]]]",
    "{a: {b: {c: 1}}}",
    "yes",
    "../../../outside",
    "/outside",
    "C:\\outside",
    "CON",
    "nul.txt",
    "a" * 300,
    "a/b",
    "..",
    ".",
    "'\\0'",
    '"\\0"',
    '"\\ud800"',
    '"\\e[31m"',
    '"\\r\\n"',
    "\u202eflock",
    "🐦",
    "&a [*a]",
    "*a",
    "!!python/object/apply:os.system ['true']",
    "!!binary R0lG",
    "<script>alert(1)</script>",
    "'); DROP TABLE games; --",
    "{{ 7 * 7 }}",
    "%s%n",
    "random",
    "ismcts:1000000000000",
    "ismcts:-1",
    "ismcts:10:ismcts:10",
    "my_bots.py:missing",
    "standard",
)
"""Values of one place of a YAML file."""

LINES = (
    "<<: *a",
    "? [a, b]\n: c",
    "---",
    "...",
    "%YAML 9.9",
    "\t",
    "- ",
    ": :",
    "@",
    "`",
    "{",
    "}",
    "[",
    "'",
    '"',
    "|",
)

PIECES = (*SCALARS, *LINES, "\ufeff", "\0", "\x1b", "\x85", "\u2028", ",", ";", "\n", "\r", " " * 1000, "#")


@st.composite
def with_a_scalar_replaced(draw: st.DrawFn, text: str) -> str:
    """A line's value (what stands after its first colon or dash) becomes something else."""
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        marks = [mark for mark in (": ", "- ", ", ", "{", "[") if mark in lines[place]]
        mark = draw(st.sampled_from(marks or [""]))
        head = lines[place].partition(mark)[0] if mark else ""
        lines[place] = head + mark + draw(st.sampled_from(SCALARS) | st.text(max_size=20))
    return "\n".join(lines) + "\n"


@st.composite
def with_pieces_moved(draw: st.DrawFn, text: str) -> str:
    """Pieces are put in, taken out, doubled."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        how = draw(st.sampled_from(("in", "out", "double")))
        if how == "in":
            text = text[:start] + draw(st.sampled_from(PIECES) | st.characters()) + text[start:]
        elif how == "out":
            text = text[:start] + text[end:]
        else:
            text = text[:end] + text[start:end] * draw(st.sampled_from((1, 2, 500))) + text[end:]
    return text


def broken(text: str) -> st.SearchStrategy[str]:
    """A good file's text, broken in one way or another."""
    return with_a_scalar_replaced(text) | with_pieces_moved(text)


def broken_bytes(content: bytes) -> st.SearchStrategy[bytes]:
    """A good file's bytes with some flipped, cut off, or something else altogether."""

    def flip(places: list[tuple[int, int]]) -> bytes:
        flipped = bytearray(content)
        for place, bit in places:
            flipped[place % len(flipped)] ^= 1 << bit
        return bytes(flipped)

    flips = st.lists(st.tuples(st.integers(0, 1 << 40), st.integers(0, 7)), min_size=1, max_size=5)
    return flips.map(flip) | st.integers(0, len(content) - 1).map(lambda end: content[:end]) | st.binary(max_size=200)
