"""What gets installed, and what must not be in the project."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import flocksim

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FOLDERS = ("flocksim", "simulate", "strategies", "analysis", "reports")


def packages_on_disk() -> set[str]:
    found = set()
    for folder in FOLDERS:
        for init in (ROOT / folder).rglob("__init__.py"):
            parts = init.parent.relative_to(ROOT).parts
            found.add(".".join(parts if parts[0] == "flocksim" else ("flocksim", *parts)))
    return found


def test_every_package_is_listed():
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == packages_on_disk()


def test_every_folder_with_modules_is_a_package():
    for folder in FOLDERS:
        for module in (ROOT / folder).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module.parent


def test_data_files_are_listed():
    """Whatever is no Python beside a module has to match a pattern of package-data."""
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyc") or path.is_dir() or "__pycache__" in path.parts:
                continue
            holders = [parent for parent in path.parents if (parent / "__init__.py").exists()]
            package = ".".join(holders[0].relative_to(ROOT).parts)
            package = package if package.startswith("flocksim") else f"flocksim.{package}"
            inside = path.relative_to(holders[0])
            assert any(inside.match(pattern) for pattern in patterns.get(package, [])), path


def test_the_version_is_one():
    assert PROJECT["project"]["version"] == flocksim.__version__


def test_no_second_copies_of_the_packages():
    """A bare `import simulate` would make a second copy of every class."""
    pattern = re.compile(r"^\s*(from|import)\s+(simulate|strategies|analysis|reports)\b", re.MULTILINE)
    for folder in (*FOLDERS, "tests"):
        for module in (ROOT / folder).rglob("*.py"):
            assert not pattern.search(module.read_text("utf-8")), module
    assert not {"simulate", "strategies", "analysis", "reports"} & set(sys.modules)


def test_simulate_knows_nothing_above_it():
    """config -> simulate -> store; analysis -> tables -> reports: nothing runs back up."""
    above = {
        "simulate": ("flocksim.strategies.", "flocksim.analysis", "flocksim.reports", "flocksim.study"),
        "strategies": ("flocksim.analysis", "flocksim.reports", "flocksim.study"),
        "analysis": ("flocksim.strategies", "flocksim.reports", "flocksim.simulate.runner", "flocksim.study"),
        "reports": ("flocksim.strategies", "flocksim.simulate.runner", "flocksim.study"),
    }
    for folder, banned in above.items():
        for module in (ROOT / folder).rglob("*.py"):
            text = module.read_text("utf-8")
            for name in banned:
                assert f"from {name}" not in text, (module, name)


def test_the_constraints_pin_every_dependency_by_name_alone():
    pinned = {}
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+-]+", line), line
        pinned[line.split("==")[0].lower().replace("_", "-")] = line
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dev"]]
    for requirement in wanted:
        name = re.split(r"[<>=\[]", requirement)[0].lower().replace("_", "-")
        assert name in pinned


def test_help_needs_no_heavy_library():
    script = "import sys, flocksim.main; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "numba",
        "numpy",
        "pandas",
        "polars",
        "duckdb",
        "matplotlib",
        "scipy",
        "statsmodels",
        "joblib",
        "pydantic",
    }
    assert not heavy & set(loaded)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a checkout is wanted")
def test_no_machine_paths_and_no_large_files():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pattern = re.compile(r"(^|[^A-Za-z0-9_.])/(work|root|home|tmp|Users)/[A-Za-z0-9_.]")
    for name in listed.splitlines():
        path = ROOT / name
        if not path.is_file() or path.suffix == ".svg" or path == Path(__file__):
            continue
        content = path.read_bytes()
        assert len(content) < 1_000_000, name
        assert not pattern.search(content.decode("latin-1")), name
