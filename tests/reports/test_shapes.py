"""The report of studies of any shape: as text, and in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import Results, summarise
from flocksim.reports.answer import answer, tiles
from flocksim.reports.render import write_report
from flocksim.reports.terminal import summary_table

from tests.reports.browser import SCREENS, check_layout, opened
from tests.reports.pages import SHAPES, TARGETS, Page
from tests.unit.test_analysis_run_folder import write_run


@pytest.fixture(scope="module", params=SHAPES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Results, dict[str, Path]]:
    folder = tmp_path_factory.mktemp("shape") / "run"
    with load(write_run(folder, SHAPES[request.param], config={"game": "toy", "targets": TARGETS})) as run:
        results = summarise(run)
        return results, write_report(run, results, formats=("html", "md"))


def test_studies_of_any_shape(made: tuple[Results, dict[str, Path]]) -> None:
    results, paths = made
    text, markdown = paths["html"].read_text("utf-8"), paths["md"].read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert len(text.encode()) < 2_000_000
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert all(link.startswith("#") for link in page.links)
    assert all(len(alt) > 40 for alt in page.images)
    assert not {"link", "img", "iframe"} & page.tags
    assert len(re.findall(r"<script\b[^>]*>", text)) == text.count("<script>") == 1
    assert text.count("<figure") == sum(name.startswith("figures/") for name in paths)
    for whole in (text, markdown):
        words = re.sub(r"<svg.*?</svg>", "", whole, flags=re.DOTALL)
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b|\{\{|\b1 games\b|\b1 blocks\b", words)
    assert 1 <= len(answer(results)) <= 3
    assert len(tiles(results)[0]) >= 1
    assert len(summary_table(results).splitlines()) == 2 + len(results.cells)


def test_studies_of_any_shape_fit_the_screen(browser: Any, made: tuple[Results, dict[str, Path]]) -> None:
    for screen in SCREENS:
        with opened(browser, made[1]["html"], screen) as page:
            check_layout(page, smallest=5.0)
