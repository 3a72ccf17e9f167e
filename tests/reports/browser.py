"""Pages in a real browser: Debian's Chromium without a window, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
A4 = 794 - 2 * 53
"""The width of a page less its margins, in CSS pixels."""
SCREENS = {"phone": 390, "desktop": 1280, "print": A4}

_SCROLLS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
_FIGURES = """() => [...document.querySelectorAll('figure')].map(figure => {
    const shown = [...figure.querySelectorAll('svg')].filter(svg => svg.getClientRects().length);
    const box = shown[0] && shown[0].getBoundingClientRect();
    const letters = shown[0] ? [...shown[0].querySelectorAll('text')] : [];
    const outside = letters.filter(text => {
        const at = text.getBoundingClientRect();
        return at.left < box.left - 1 || at.right > box.right + 1 || at.top < box.top - 1 || at.bottom > box.bottom + 1;
    });
    return {shown: shown.length, width: box ? box.width : 0, height: box ? box.height : 0,
            alt: shown[0] ? shown[0].getAttribute('aria-label') : '', letters: letters.length,
            small: Math.min(...letters.map(text => text.getBoundingClientRect().height)),
            outside: outside.map(text => text.textContent)};
})"""
_BROKEN = """() => [...document.querySelectorAll('a[href]')].map(link => link.getAttribute('href'))
    .filter(target => !target.startsWith('#') || !document.getElementById(target.slice(1)))"""


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; skips the test, with the reason, where there is none."""
    if not CHROMIUM:
        pytest.skip("needs Chromium (apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright (pip install playwright)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Any, path: Path, screen: str = "desktop", scheme: str = "light") -> Iterator[Any]:
    """A page on a screen. What it asks the network for, says to the console or throws fails the test."""
    context = browser.new_context(viewport={"width": SCREENS[screen], "height": 900}, color_scheme=scheme)
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url != path.as_uri() else None)
    if screen == "print":
        page.emulate_media(media="print")
    page.goto(path.as_uri())
    yield page
    context.close()
    assert wrong == []


def check_layout(page: Any, smallest: float = 8.0) -> None:
    """Nothing sticks out sideways; every figure is drawn once, within its frame, in letters that can be read."""
    assert page.evaluate(_SCROLLS) <= 0
    for figure in page.evaluate(_FIGURES):
        assert figure["shown"] == 1, figure
        assert figure["width"] > 100, figure
        assert figure["height"] > 50, figure
        assert figure["letters"] > 2, figure
        assert figure["outside"] == [], figure
        assert figure["small"] >= smallest, figure
        assert len(figure["alt"]) > 40, figure
    assert page.evaluate(_BROKEN) == []
