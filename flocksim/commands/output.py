"""What commands print."""

from __future__ import annotations

import os
import sys

import click


class Enough(click.exceptions.Exit):
    """The reader of the output (head, less) has seen enough and left."""


def say(text: str, nl: bool = True, go_on: bool = False) -> None:
    """Print; when nobody reads any more, end the command quietly, or with `go_on` do the rest in silence."""
    try:
        click.echo(text, nl=nl)
    except BrokenPipeError:
        drop_output()
        if not go_on:
            raise Enough(0) from None


def drop_output() -> None:
    """Whatever is still to be printed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
