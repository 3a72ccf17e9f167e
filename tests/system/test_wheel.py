"""The wheel: built, looked into, and used from a place that has nothing else of the project."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_holds_the_package_and_nothing_generic(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
        timeout=300,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"flocksim"}
    for wanted in (
        "flocksim/simulate/games/flock_together/rules.py",
        "flocksim/strategies/flock_together/bots.yaml",
        "flocksim/reports/templates/report.html.j2",
        "flocksim/reports/flocksim.mplstyle",
        "flocksim/analysis/run_folder.py",
        "flocksim/commands/run.py",
    ):
        assert wanted in names
    assert sum(name.endswith(".sql") for name in names) == len(list((ROOT / "analysis").rglob("*.sql")))
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    script = "import flocksim.simulate.plan as p; from flocksim.strategies import catalogue as c; "
    script += "print(p.__file__, len(c.shipped('flock-together')))"
    done = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"import sys; sys.path[:0] = {[str(site), *site_packages()]!r}; {script}",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        timeout=300,
    )
    where, count = done.stdout.split()
    assert Path(where).is_relative_to(site)
    assert int(count) >= 7


def site_packages() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]
