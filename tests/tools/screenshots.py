"""Plays every shipped study with few games and takes pictures of its report: on a phone, a desktop and paper.

    python tests/tools/screenshots.py FOLDER [GAMES]

Pictures are FOLDER/STUDY-SCREEN.png, in pieces where a page is long; paper is also FOLDER/STUDY.pdf.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from flocksim.commands.report import write_and_show  # noqa: E402
from flocksim.commands.run import play  # noqa: E402
from flocksim.study import load_study  # noqa: E402
from tests.reports.browser import SCREENS, chromium, opened  # noqa: E402

PIECE = 4000
SCHEMES = {"phone": "dark", "desktop": "light", "print": "light"}


def main(folder: Path, games: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for config in sorted((ROOT / "configs").glob("*.yaml")):
            study = load_study(config, games)
            play(study, folder / "runs" / study.name, -1, "threading", False, True)
            page = write_and_show(folder / "runs" / study.name, quiet=True).resolve()
            for screen in SCREENS:
                picture(browser, page, folder / f"{study.name}-{screen}", screen)
            print(f"{study.name}: {page}", flush=True)


def picture(browser: Any, path: Path, name: Path, screen: str) -> None:
    """The whole page on one screen, in pieces of PIECE pixels."""
    with opened(browser, path, screen, SCHEMES[screen]) as page:
        height = page.evaluate("document.documentElement.scrollHeight")
        for top in range(0, height, PIECE):
            clip = {"x": 0, "y": top, "width": SCREENS[screen], "height": min(PIECE, height - top)}
            page.screenshot(path=f"{name}-{top // PIECE + 1}.png", full_page=True, clip=clip, timeout=180_000)
        if screen == "print":
            page.pdf(path=f"{name.with_name(name.name.removesuffix('-print'))}.pdf", prefer_css_page_size=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
