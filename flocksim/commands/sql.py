"""`flocksim sql`: ask a run anything."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flocksim.simulate.errors import FlocksimError, one_line

from .output import say

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

FORMATS = ("table", "csv", "json", "parquet")
TABLE_ROWS = 500
_PLAIN = re.compile(
    r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|BOOLEAN|VARCHAR|UUID|ENUM\(.*\)|JSON"
)
_NOT_PLAIN = re.compile(r"INTERVAL|BLOB|BIT|BIGNUM|VARINT|UNION|DATE|TIME|VARIANT|GEOMETRY|^\"?NULL")


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("query")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="Output format.")
def sql(folder: Path, query: str, form: str) -> None:
    """Run a DuckDB query over a run's tables, `games`, `seats` and `arcs`, and its `verdicts`.

    Example: flocksim sql results/flock-together-variants "SELECT variant, avg(turns) FROM games GROUP BY ALL"
    """
    from flocksim.analysis.run_folder import load

    if form == "parquet" and (sys.stdout is None or sys.stdout.isatty()):
        raise FlocksimError("--format parquet writes bytes: send them to a file, e.g. > answer.parquet")
    with load(folder) as run, run.reading():
        if not run.complete:
            click.echo("flocksim: this run is not finished; the answer is about the games that are there", err=True)
        answer = _in_plain_types(run.sql(query), nested=form == "csv")
        if form == "table":
            _table(answer)
        elif form == "json":
            _json(answer)
        elif form == "csv":
            say(answer.pl().write_csv(), nl=False)
        else:
            _parquet(answer)


def _in_plain_types(answer: DuckDBPyRelation, nested: bool) -> DuckDBPyRelation:
    """The same rows, with dates, intervals, bytes and the like as text; with `nested`, lists and maps too."""
    twice = [name for name in answer.columns if answer.columns.count(name) > 1]
    if twice:
        raise FlocksimError(f"query: two columns are named '{twice[0]}'; name them apart with AS")
    columns = []
    for name, kind in zip(answer.columns, answer.types, strict=True):
        quoted = '"' + name.replace('"', '""') + '"'
        plain = _PLAIN.fullmatch(str(kind)) or (not nested and not _NOT_PLAIN.search(str(kind)))
        columns.append(quoted if plain else f"CAST({quoted} AS VARCHAR) AS {quoted}")
    return answer.project(", ".join(columns))


def _parquet(answer: DuckDBPyRelation) -> None:
    import polars as pl

    content = io.BytesIO()
    try:
        answer.pl().write_parquet(content)
    except pl.exceptions.PolarsError as error:
        raise FlocksimError(f"--format parquet: {str(error).splitlines()[0]}; other formats can") from None
    sys.stdout.buffer.write(content.getbuffer())
    sys.stdout.buffer.flush()


def _json(answer: DuckDBPyRelation) -> None:
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]
    say("[" + ",\n ".join(json.dumps(_finite(row), ensure_ascii=False, default=_number_or_text) for row in rows) + "]")


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity: null."""
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number_or_text(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else str(value)


def _table(answer: DuckDBPyRelation) -> None:
    import polars as pl

    frame = answer.limit(TABLE_ROWS + 1).pl()
    more = frame.height > TABLE_ROWS
    frame = frame.head(TABLE_ROWS).with_columns(
        pl.col(pl.String).map_elements(one_line, return_dtype=pl.String)  # nothing that commands a terminal
    )
    with pl.Config(tbl_rows=-1, tbl_cols=-1, fmt_str_lengths=200, tbl_hide_dataframe_shape=True, tbl_width_chars=1000):
        say(str(frame))
    if more:
        click.echo(f"flocksim: the first {TABLE_ROWS} rows; --format csv gives all", err=True)
