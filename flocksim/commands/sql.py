"""`flocksim sql`: ask a run anything."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from flocksim.simulate.errors import FlocksimError

from .output import say

if TYPE_CHECKING:
    import polars as pl

FORMATS = ("table", "csv", "json", "parquet")


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("query")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="Output format.")
def sql(folder: Path, query: str, form: str) -> None:
    """Run a DuckDB query over a run's tables, `games` and `seats`.

    Example: flocksim sql results/flock-together-variants "SELECT variant, avg(turns) FROM games GROUP BY ALL"
    """
    from flocksim.analysis.run_folder import load

    with load(folder) as run, run.reading():
        frame = run.sql(query).pl()
    if form == "table":
        _table(frame)
    elif form == "csv":
        say(_csv(frame), nl=False)
    elif form == "json":
        say(frame.write_json())
    elif sys.stdout.isatty():
        raise FlocksimError("--format parquet writes bytes: send them to a file, e.g. > answer.parquet")
    else:
        frame.write_parquet(sys.stdout.buffer)


def _csv(frame: pl.DataFrame) -> str:
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    if nested:
        raise FlocksimError(f"--format csv: column '{nested[0]}' holds lists; allowed with table, json and parquet")
    return frame.write_csv()


def _table(frame: pl.DataFrame) -> None:
    import polars as pl

    with pl.Config(tbl_rows=-1, tbl_cols=-1, fmt_str_lengths=200, tbl_hide_dataframe_shape=True, tbl_width_chars=1000):
        say(str(frame))
