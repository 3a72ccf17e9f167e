"""Live progress of a run on a terminal; silence elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import click

from flocksim.simulate.runner import Progress


class _Plain(Progress):
    """Says only what the user may want to change."""

    def warned(self, what: str) -> None:
        click.echo(f"flocksim: {what}", err=True)


class _Live(_Plain):
    """Games done, games a second, time left; and what is being compiled before that."""

    def __init__(self, bar: Any) -> None:
        self.bar = bar
        self.task: Any = None

    def compiling(self, what: str) -> None:
        self.task = self.bar.add_task(f"compiling {what} (the first time takes a while)", total=None, rate="")

    def started(self, total: int, reused: int) -> None:
        if self.task is not None:
            self.bar.remove_task(self.task)
        note = f"playing ({reused:,} games reused)" if reused else "playing"
        self.task = self.bar.add_task(note, total=total, completed=reused, rate="")

    def played(self, games: int) -> None:
        self.bar.advance(self.task, games)
        speed = self.bar.tasks[-1].speed
        self.bar.update(self.task, rate=f"{speed:,.0f} games/s" if speed else "")


@contextlib.contextmanager
def progress_for(quiet: bool) -> Iterator[Progress]:
    """A live display when standard error is a terminal and quiet is off."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield Progress() if quiet else _Plain()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Live(bar)
