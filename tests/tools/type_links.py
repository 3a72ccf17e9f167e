"""Lay the top-level folders out as the package they are, by links, for type checkers.

python tests/tools/type_links.py build/types
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(target: Path) -> None:
    package = target / "flocksim"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.iterdir():
        old.unlink()
    parts = [item for item in (ROOT / "flocksim").iterdir() if item.suffix == ".py" or item.is_dir()]
    parts += [ROOT / name for name in ("simulate", "strategies", "analysis", "reports")]
    for part in parts:
        if part.name != "__pycache__":
            (package / part.name).symlink_to(part)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
