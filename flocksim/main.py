"""The command line's entry: how commands end, well or not. The commands themselves hang on `cli.cli`."""

from __future__ import annotations

import errno
import gc
import io
import sys

from . import interrupts


def main() -> None:
    """Run the command line; what the user can mend is one line on stderr and exit code 2."""
    interrupts.watch()
    gc.set_threshold(100_000, 20, 20)  # importing makes objects by the hundred thousand that all stay
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a path need not be text
    try:
        code = _run()
    except BaseException:
        if interrupts.pressed():
            interrupts.end()
        raise
    if interrupts.pressed():
        interrupts.end()
    gc.freeze()  # looking for garbage among all that was imported would take half a second more
    sys.exit(code)


def _run() -> int:
    """Run the command; returns the exit code."""
    from .cli import cli

    try:
        code = cli.main(standalone_mode=False)  # an Exit comes back as its code
    except Exception as error:
        return _ended(error)
    return code if isinstance(code, int) else 0


def _ended(error: Exception) -> int:
    """Tell how a command ended and return its exit code; what is not the user's to mend is raised again."""
    import click

    from flocksim.simulate.errors import one_line

    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return error.exit_code
    if isinstance(error, click.exceptions.Abort):  # click's word for Ctrl-C, and for an EOFError from anywhere
        raise error.__cause__ or error
    message = _message(error)
    if not message:
        raise error
    click.echo(f"flocksim: {one_line(message)}", err=True)
    return 2


def _message(error: Exception) -> str:
    """One line for what the user can mend; nothing for what is a fault of flocksim's."""
    import click

    from flocksim.simulate.errors import FlocksimError

    from .commands.output import drop_output

    if isinstance(error, FlocksimError):
        return str(error)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "flocksim"
        return f"{error.format_message()} See '{command} --help'."
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG):
        drop_output()
        return f"the output cannot be written: {error.strerror}"
    return ""
