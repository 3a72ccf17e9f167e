"""The report as a person meets it: in a browser, on a phone, on a desktop and on paper, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flocksim.analysis.run_folder import load
from flocksim.analysis.tables import summarise
from flocksim.reports.arc import COLUMNS as ARC_COLUMNS
from flocksim.reports.parts import Grid, Section
from flocksim.reports.render import render, write_report

from tests.reports.browser import SCREENS, check_layout, opened
from tests.reports.pages import TARGETS
from tests.unit.test_analysis_run_folder import play, write_run

TOLD = "Turn 1\n    chance: " + "; ".join(["a card to the discard pile"] * 60)
STRENGTH = {"a": 3.0, "b": 2.0, "c": 1.0}


@pytest.fixture(scope="module")
def report(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with something in every section, interrupted."""
    games = play(
        lambda strategy, seat: STRENGTH[strategy], "abc", (2, 3), 90, ("std", "slow"),
        lambda variant: 40 if variant == "slow" else 30, stuck=0.1, ties=0.1,
    )  # fmt: skip
    run = write_run(
        tmp_path_factory.mktemp("browser") / "run", games, config={"game": "toy", "targets": TARGETS},
        uses=["laid", "caught"], complete=False,
    )  # fmt: skip
    return page_of(run)


def page_of(folder: Path) -> Path:
    with load(folder) as run:
        return write_report(run, summarise(run), None, ("html",), told={"typical": TOLD})["html"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_report_reads_well_on_every_screen(browser: Any, report: Path, screen: str, scheme: str) -> None:
    with opened(browser, report, screen, scheme) as page:
        check_layout(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(browser: Any, report: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    with opened(browser, report, "desktop", scheme) as page:
        page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        everything = {"resultTypes": ["violations"]}
        found = (
            axe.Axe().run(page, options=everything if scheme == "light" else {"runOnly": ["color-contrast"]}).response
        )
    assert {rule["id"]: [node["target"] for node in rule["nodes"]][:3] for rule in found["violations"]} == {}
    asked = (
        {"color-contrast", "svg-img-alt", "scrollable-region-focusable"} if scheme == "light" else {"color-contrast"}
    )
    assert asked <= {rule["id"] for rule in found["passes"]}


def test_every_link_leads_to_what_it_names(browser: Any, report: Path) -> None:
    with opened(browser, report) as page:
        links = page.locator("a[href^='#']")
        assert links.count() > 12
        for target in dict.fromkeys(links.evaluate_all("all => all.map(link => link.getAttribute('href'))")):
            page.locator(f"a[href='{target}']").first.evaluate("link => link.click()")
            top = page.locator(target).bounding_box()["y"]
            last = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
            assert -2 <= top < 40 or (last and top < 900), target


def test_everything_can_be_reached_with_the_keyboard(browser: Any, report: Path) -> None:
    with opened(browser, report) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("details").first.get_attribute("open") is not None
        unreachable = page.evaluate(
            """() => [...document.querySelectorAll('pre, .scroll')]
            .filter(box => box.scrollWidth > box.clientWidth && box.tabIndex !== 0).length"""
        )
        assert unreachable == 0


def test_paper_names_folded_tables_and_no_figure_is_cut(browser: Any, report: Path) -> None:
    folded = ".scroll:has(caption)"
    with opened(browser, report) as page:
        asked = page.locator(f"details {folded}").count()
        assert page.locator(".paper:visible").count() == 0
    with opened(browser, report, "print") as page:
        assert page.locator(f"{folded}:visible").count() == page.locator(folded).count() - asked > asked > 0
        told = page.locator(".paper:visible").all_inner_texts()
        assert (
            sum(int(several[1]) if (several := re.match(r"Not printed: (\d+) tables", text)) else 1 for text in told)
            == asked
        )
        files = [name for text in told for name in re.findall(r"tables/\w+\.csv", text)]
        assert len(files) >= len(told)
        assert all((report.parent / name).is_file() for name in files)
        assert page.locator("#rerun pre").first.is_visible()
        assert not page.locator("nav").is_visible()
        heights = page.evaluate("[...document.querySelectorAll('figure')].map(f => f.getBoundingClientRect().height)")
        assert max(heights) < (297 - 30) / 25.4 * 96
        assert page.evaluate("getComputedStyle(document.querySelector('figure')).breakInside") == "avoid"


def test_tables_that_run_off_sideways_say_so_and_can_be_scrolled(browser: Any, report: Path) -> None:
    beyond = "all => all.filter(box => box.scrollWidth > box.clientWidth + 1).length"
    with opened(browser, report) as page:
        assert page.locator(".scroll:visible").evaluate_all(beyond) == 0
    with opened(browser, report, "phone") as page:
        boxes = page.locator(".scroll:visible")
        assert boxes.evaluate_all(beyond) > 0
        place = boxes.evaluate_all("all => all.findIndex(box => box.scrollWidth > box.clientWidth + 1)")
        box = boxes.nth(place)
        assert box.get_attribute("role") == "region"
        assert len(box.get_attribute("aria-label")) > 5
        assert box.evaluate("box => getComputedStyle(box).backgroundImage").count("linear-gradient") == 4
        box.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())


def test_lines_of_told_games_wrap(browser: Any, report: Path) -> None:
    for screen in ("desktop", "phone"):
        with opened(browser, report, screen) as page:
            page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
            told = page.locator("pre.told").first
            assert told.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
            assert told.evaluate("box => box.scrollHeight") > 100


def test_a_table_of_many_columns_fits_a_desktop(browser: Any, tmp_path: Path) -> None:
    """As wide as that of a study with tiers: numbers of three decimals, intervals that come near a whole."""
    row = ["six-to-win-beginner", "2", "2,000", "1.102 (1.059 to 1.145)", *["53.7 (51.4 to 55.9)"] * 2]
    row += ["99.9987 (99.9928 to 100.0000)", "99.950", "16.558 (16.490 to 16.627)", "0 (0.00 to 0.49)"]
    section = Section("arc", "How does a game go?", grids=[Grid("arc", "How games go", list(ARC_COLUMNS), [row] * 3)])
    with load(write_run(tmp_path / "run", play(blocks=40))) as run:
        results = summarise(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flocksim.reports.render.sections", lambda _: [section])
        path = tmp_path / "report.html"
        path.write_text(render(results), "utf-8")
    with opened(browser, path) as page:
        assert page.locator("#arc .scroll").evaluate("box => box.scrollWidth - box.clientWidth") <= 1


def test_tables_can_be_sorted_by_keyboard_and_kept_to_a_case(browser: Any, report: Path) -> None:
    with opened(browser, report) as page:
        table = page.locator("table", has=page.locator("caption", has_text="Length of a game in turns"))
        column = "rows => rows.map(row => row.cells[3].textContent)"
        head = table.locator("th", has_text="mean turns")
        before = table.locator("tbody tr").evaluate_all(column)
        head.get_by_role("button").focus()
        for way, turned in (("ascending", False), ("descending", True)):
            page.keyboard.press("Enter")
            assert head.get_attribute("aria-sort") == way
            assert table.locator("tbody tr").evaluate_all(column) == sorted(before, key=float, reverse=turned)
        assert page.locator("th[aria-sort]").count() == 1
        page.get_by_label("Tables: variant").select_option("slow")
        page.get_by_label("Tables: players").select_option("3")
        shown = (
            "rows => rows.filter(row => !row.hidden).map(row => row.cells[0].textContent + row.cells[1].textContent)"
        )
        assert table.locator("tbody tr").evaluate_all(shown) == ["slow3"]
        page.get_by_label("Tables: variant").select_option("all variants")
        assert sorted(table.locator("tbody tr").evaluate_all(shown)) == ["slow3", "std3"]


def test_nothing_needs_the_script(browser: Any, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("th button, .pick").count() == 0
    assert page.locator("table:visible").count() > 5
    context.close()
