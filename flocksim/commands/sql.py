"""`flocksim sql`: ask a run anything."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from flocksim.simulate.errors import FlocksimError

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

    with load(folder) as run:
        relation = run.sql(query)
        if relation is None:
            return
        if form == "table":
            _table(relation)
        elif form == "csv":
            click.echo(relation.pl().write_csv(), nl=False)
        elif form == "json":
            click.echo(relation.df().to_json(orient="records", date_format="iso"))
        else:
            _parquet(relation)


def _table(relation: object) -> None:
    import polars as pl

    with pl.Config(tbl_rows=-1, tbl_cols=-1, fmt_str_lengths=200, tbl_hide_dataframe_shape=True, tbl_width_chars=1000):
        click.echo(str(relation.pl()))  # type: ignore[attr-defined]


def _parquet(relation: object) -> None:
    if sys.stdout.isatty():
        raise FlocksimError("--format parquet writes bytes: send them to a file, e.g. > answer.parquet")
    relation.pl().write_parquet(sys.stdout.buffer)  # type: ignore[attr-defined]
