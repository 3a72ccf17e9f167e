"""Rule parameters that are files: where they come from, what is refused, what configs and listings make of them."""

from __future__ import annotations

from typing import ClassVar

import pytest
from flocksim.simulate.data_files import DataError, DataFile
from flocksim.simulate.errors import RulesError
from flocksim.simulate.layout import Field
from flocksim.simulate.parameters import Parameters
from pydantic import Field as Described


class Seeds(DataFile):
    """Numbers, one a line."""

    kind: ClassVar[str] = "a list of seeds"
    numbers: tuple[int, ...] = ()

    @classmethod
    def parse(cls, name, text):
        for line, row in enumerate(text.splitlines(), 1):
            if not row.isdecimal():
                raise DataError(line, 3, f"'{row}' is not allowed; allowed: a whole number")
        return cls(name=name, numbers=tuple(int(row) for row in text.splitlines()))

    @classmethod
    def fields(cls):
        return [Field("seeds", "i8", (4,)), Field("table", "i8")]

    def fill(self, record, players):
        record["seeds"][0, : len(self.numbers)] = self.numbers
        record["table"][0] = players


@pytest.fixture
def garden(tmp_path):
    (tmp_path / "shipped.txt").write_text("1\n2\n")
    Seeds.shipped = {"wild": tmp_path / "shipped.txt"}

    class Garden(Parameters):
        seeds: Seeds = Described(Seeds.load("wild"), description="What grows.")
        trees: int = Described(3, ge=1, le=9, description="How many.")

    return Garden


def refusal(garden, value, folder):
    with pytest.raises(RulesError) as caught:
        garden.build(2, {"seeds": value}, folder=folder)
    assert caught.value.key == "seeds"
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_name_stands_for_what_ships(garden):
    rules = garden.build(2, {"seeds": "wild"})
    assert rules.seeds.numbers == (1, 2)
    assert rules.differences(garden.build(2)) == {}
    assert rules.model_dump() == {"seeds": {"name": "wild", "numbers": (1, 2)}, "trees": 3}
    assert garden.allowed("seeds") == "allowed: wild, or the path of another such file"


def test_a_path_is_relative_to_the_folder_and_fills_the_record(garden, tmp_path):
    (tmp_path / "mine.txt").write_text("7\n8\n9\n")
    rules = garden.build(2, {"seeds": "mine.txt"}, folder=tmp_path)
    record = rules.record(5)
    assert record["seeds"][0].tolist() == [7, 8, 9, 0]
    assert (record["table"][0], record["trees"][0]) == (5, 3)
    with pytest.raises(RulesError, match=r"mine\.txt: cannot be read"):
        garden.build(2, {"seeds": "mine.txt"}, folder=tmp_path / "elsewhere")


def test_what_a_config_says_of_a_file_is_enough_without_it(garden, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("7\n8\n")
    rules = garden.build(2, {"seeds": "mine.txt"}, folder=tmp_path)
    path.unlink()
    assert garden.build(2, {"seeds": rules.seeds.in_config()}) == rules
    assert garden.build(2).seeds.in_config() == "wild"


def test_two_files_of_one_name_are_told_apart(garden, tmp_path):
    (tmp_path / "mine.txt").write_text("7\n")
    first = garden.build(2, {"seeds": "mine.txt"}, folder=tmp_path)
    (tmp_path / "mine.txt").write_text("8\n")
    second = garden.build(2, {"seeds": "mine.txt"}, folder=tmp_path)
    assert set(first.differences(second)) == {"seeds"}
    assert str(first.seeds) != str(second.seeds)
    assert str(first.seeds).startswith("mine.txt (")
    assert str(garden.build(2).seeds) == "wild"


def test_a_fault_names_file_line_and_column(garden, tmp_path):
    (tmp_path / "bad.txt").write_text("7\nx\n")
    message = refusal(garden, "bad.txt", tmp_path)
    assert message == f"seeds: {tmp_path / 'bad.txt'}:2:3: 'x' is not allowed; allowed: a whole number"


@pytest.mark.parametrize("value", [3, True, None, ["wild"], {"name": "wild"}, "", "  "])
def test_what_is_no_name_is_refused(garden, value, tmp_path):
    assert "allowed: wild, or the path" in refusal(garden, value, tmp_path)


def test_what_cannot_be_read_is_refused_in_a_line(garden, tmp_path):
    message = refusal(garden, "wlid", tmp_path)
    assert message.endswith("(did you mean 'wild'?) (allowed: wild, or the path of another such file)")
    assert "is a directory, not a list of seeds" in refusal(garden, ".", tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in refusal(garden, "binary", tmp_path)
    (tmp_path / "zero").write_bytes(b"1\n\x002\n")
    assert "zero byte" in refusal(garden, "zero", tmp_path)
    assert "cannot be read" in refusal(garden, "a\0b", tmp_path)


def test_only_a_whole_line_may_be_meant():
    assert DataError(4, 0, "odd").at("deck.csv") == "deck.csv:4: odd"
    assert DataError(0, 0, "odd").at("deck.csv") == "deck.csv: odd"
