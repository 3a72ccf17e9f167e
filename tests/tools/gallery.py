"""Takes the pictures of the README and of docs/gallery.md from run folders that have a report.

    python tests/tools/gallery.py RUN...

Writes docs/pictures/STUDY.png: the beginning of each report, at three quarters of its size, in 128 colours.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.reports.browser import chromium, opened  # noqa: E402

WIDTH, HEIGHT = 960, 1240


def main(runs: list[Path]) -> None:
    with chromium() as browser:
        for run in runs:
            with opened(browser, (run / "report.html").resolve()) as page:
                page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
                shot = Image.open(io.BytesIO(page.screenshot()))
            small = shot.convert("RGB").resize((WIDTH * 3 // 4, HEIGHT * 3 // 4), Image.Resampling.LANCZOS)
            path = ROOT / "docs" / "pictures" / f"{run.name}.png"
            path.parent.mkdir(exist_ok=True)
            small.quantize(128, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
            print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]])
