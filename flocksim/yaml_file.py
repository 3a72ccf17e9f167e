"""Reads a YAML file as nothing but maps, lists and text, and remembers the line of every key.

What a scalar means is decided by the field it is for (see simulate.scalars), never by YAML: `no` is a name where
a name is wanted and a refusal where yes or no is. Nothing in a file can make Python objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.text_file import read_text

DEEPEST = 20


@dataclass
class YamlFile:
    """The content of a file and where its keys stand."""

    path: Path
    data: Any = None
    lines: dict[tuple[str, ...], int] = field(default_factory=dict)

    def where(self, key: tuple[str, ...] = ()) -> str:
        """'file:line' of a key, or of the nearest key around it that the file has."""
        for length in range(len(key), 0, -1):
            if key[:length] in self.lines:
                return f"{self.path}:{self.lines[key[:length]]}"
        return str(self.path)


def read_yaml(path: Path) -> YamlFile:
    """Read a file; raises FlocksimError, one line with file and line, for anything that is not plain YAML."""
    text = read_text(path, "a YAML file")
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FlocksimError(f"{path}{line}: not valid YAML: {problem}") from None
    except (ValueError, OverflowError) as error:  # an escape such as \\UFFFFFFFF
        raise FlocksimError(f"{path}: not valid YAML: {error}") from None
    except RecursionError:
        raise FlocksimError(f"{path}: nested too deeply (at most {DEEPEST} levels)") from None
    if root is None:
        raise FlocksimError(f"{path}: the file is empty")
    file = YamlFile(path)
    file.data = _value(file, root, ())
    return file


def _value(file: YamlFile, node: yaml.Node, key: tuple[str, ...]) -> Any:
    if len(key) > DEEPEST:
        raise FlocksimError(f"{file.path}:{node.start_mark.line + 1}: nested too deeply (at most {DEEPEST} levels)")
    if isinstance(node, yaml.MappingNode):
        return _mapping(file, node, key)
    if isinstance(node, yaml.SequenceNode):
        return [_item(file, item, (*key, str(index))) for index, item in enumerate(node.value)]
    return _plain(file, node)


def _plain(file: YamlFile, node: yaml.Node) -> str:
    try:
        node.value.encode("utf-8")
    except UnicodeEncodeError:
        raise FlocksimError(f"{file.path}:{node.start_mark.line + 1}: {node.value!r} is not text") from None
    return str(node.value)


def _item(file: YamlFile, node: yaml.Node, key: tuple[str, ...]) -> Any:
    file.lines[key] = node.start_mark.line + 1
    if len(file.lines) > 200_000:  # an alias bomb
        raise FlocksimError(f"{file.path}: more than 200000 entries; a config has fewer")
    return _value(file, node, key)


def _mapping(file: YamlFile, node: yaml.MappingNode, key: tuple[str, ...]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name_node, value_node in node.value:
        line = name_node.start_mark.line + 1
        if not isinstance(name_node, yaml.ScalarNode):
            raise FlocksimError(f"{file.path}:{line}: a key must be a plain word")
        name = _plain(file, name_node)
        if name in result:
            dotted = ".".join((*key, name))
            raise FlocksimError(f"{file.path}:{line}: {dotted}: the name '{name}' appears twice")
        result[name] = _item(file, value_node, (*key, name))
        file.lines[(*key, name)] = line
    return result
