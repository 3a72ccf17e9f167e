"""The command line. Every command lives in `commands/` and imports heavy libraries only when it runs."""

from __future__ import annotations

import sys

import click

from flocksim.simulate.errors import FlocksimError

from . import __version__
from .commands import bench, games, report, run, sql, trace, validate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="flocksim")
def cli() -> None:
    """Play tabletop games by the hundred thousand and read what their variants change.

    Start with: flocksim run configs/flock-together-variants.yaml
    """


for command in (
    run.run,
    validate.validate,
    report.report,
    sql.sql,
    trace.trace,
    games.games,
    games.rules,
    games.strategies,
    bench.bench,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line; what the user can mend is one line on stderr and exit code 2."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        _fail("interrupted", 130)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except FlocksimError as error:
        _fail(str(error), 2)
    except BrokenPipeError:  # the reader of our output (head, less) has seen enough
        sys.stderr.close()
        sys.exit(0)


def _fail(message: str, code: int) -> None:
    click.echo(f"flocksim: {message}", err=True)
    sys.exit(code)
