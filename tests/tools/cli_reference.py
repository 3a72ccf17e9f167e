"""Writes docs/cli.md from the commands' own help.

python tests/tools/cli_reference.py > docs/cli.md
"""

from __future__ import annotations

import os

os.environ["COLUMNS"] = "100"

import click

from flocksim.cli import cli

HEAD = """\
# Commands

Made from `flocksim COMMAND --help`; to renew it: `python tests/tools/cli_reference.py > docs/cli.md`.

Exit codes: 0 done, 2 something to mend (one line on standard error says what), 130 interrupted; `check` has codes of
its own beside these.
"""


def reference() -> str:
    """The page as text."""
    parts = [HEAD]
    for name, command in sorted(cli.commands.items()):
        context = click.Context(
            command, click.Context(cli, info_name="flocksim", **cli.context_settings), name, terminal_width=100
        )
        parts.append(f"## {name}\n\n```\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(reference(), end="")
