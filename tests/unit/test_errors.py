"""Messages: one line, however long what they repeat."""

from __future__ import annotations

import pytest
from flocksim.simulate.errors import FlocksimError, one_line


@pytest.mark.parametrize("longest", [60, 250, 300, 1500])
def test_a_long_text_keeps_its_ends_and_is_as_long_as_is_allowed(longest: int) -> None:
    text = one_line("a" * 3000 + "z" * 3000, longest)
    assert len(text) == longest
    assert text.startswith("aaa")
    assert text.endswith("zzz")
    assert " ... " in text
    assert one_line("b" * longest, longest) == "b" * longest


def test_what_a_terminal_cannot_show_is_escaped() -> None:
    assert one_line("a\n\x1b[31mb\u202e") == "a\\n\\x1b[31mb\\u202e"


def test_an_error_is_one_line_whatever_it_repeats() -> None:
    assert str(FlocksimError("a\nb: no such folder")) == "a\\nb: no such folder"
