"""Other workers than threads: the same bytes, and a killed worker costs no more than its part."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import psutil
import pytest
from flocksim.simulate.errors import FlocksimError
from flocksim.simulate.plan import Study
from flocksim.simulate.runner import Progress, run_study

from flocksim.study import make_study

CONFIG = {
    "name": "backends",
    "game": "flock-together",
    "players": [2],
    "variants": {"standard": {}, "quick": {"preset": "quick-game"}},
    "strategies": ["random"],
    "games": 40_000,
    "seed": 3,
}
WORKERS = {"loky": "LokyProcess", "dask": "multiprocessing.spawn", "ray": "ray::PoolActor"}
"""What the command line of a worker holds."""


@pytest.fixture(scope="module")
def study() -> Study:
    return make_study(CONFIG)


@pytest.fixture(scope="module")
def on_threads(study: Study, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("threads") / "run"
    run_study(study, folder, jobs=2)
    return parts(folder)


def parts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*") if path.is_file()}


class KillsAWorker(Progress):
    """Kills one worker process as soon as the first games are stored."""

    def __init__(self, backend: str) -> None:
        self.backend, self.killed = backend, 0

    def played(self, games: int) -> None:
        if self.killed or not games:
            return
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if WORKERS[self.backend] in " ".join(process.cmdline()):
                    process.send_signal(signal.SIGKILL)
                    self.killed = process.pid
                    return


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.filterwarnings("ignore")  # other people's, in clusters that lose a worker
@pytest.mark.parametrize("backend", ["loky", "dask", "ray"])
def test_a_killed_worker_costs_only_its_part(study, on_threads, tmp_path, backend):
    if backend == "ray":
        pytest.importorskip("ray")
    progress = KillsAWorker(backend)
    summary = run_study(study, tmp_path / "run", jobs=2, backend=backend, progress=progress)
    assert progress.killed
    assert summary.games == study.total_games
    assert parts(tmp_path / "run") == on_threads


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_runs_already(study, on_threads, tmp_path):
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        run_study(study, tmp_path / "run", backend="dask", scheduler=cluster.scheduler_address)
    assert parts(tmp_path / "run") == on_threads


@pytest.mark.parametrize(
    ("backend", "scheduler", "told"),
    [
        ("dask", "tcp://127.0.0.1:1", "scheduler tcp://127.0.0.1:1 does not answer"),
        ("dask", "nowhere", "scheduler nowhere does not answer"),
        ("ray", "127.0.0.1:1", "scheduler 127.0.0.1:1 does not answer"),
        ("threading", "127.0.0.1:1", "backend threading has none; allowed with: dask, ray"),
        ("rya", None, "unknown backend 'rya' .did you mean 'ray'"),
    ],
)
def test_clusters_that_are_not_there(study, tmp_path, monkeypatch, backend, scheduler, told):
    if backend == "ray":
        pytest.importorskip("ray")
    monkeypatch.setattr("flocksim.simulate.backends.SECONDS_TO_CONNECT", 1)
    with pytest.raises(FlocksimError, match=told):
        run_study(study, tmp_path / "run", backend=backend, scheduler=scheduler)


def test_a_missing_package_is_named(study, tmp_path, monkeypatch):
    monkeypatch.setattr("flocksim.simulate.backends.find_spec", lambda _: None)
    with pytest.raises(FlocksimError, match=r"'distributed' is missing; pip install 'flocksim\[dask\]'"):
        run_study(study, tmp_path / "run", backend="dask")
    assert not (tmp_path / "run").exists()


def test_a_worker_that_outlived_its_run_stores_nothing_in_another_ones_folder(study, tmp_path):
    from flocksim.simulate.runner import play_part

    other = make_study({**CONFIG, "seed": 4, "games": 100})
    run_study(other, tmp_path / "run")
    before = parts(tmp_path / "run")
    assert play_part(study, tmp_path / "run", next(study.parts()), None, None) == 0
    assert parts(tmp_path / "run") == before
