"""Who plays the parts of a study: threads or processes of this machine, or a cluster, through joblib's own backends."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import signal
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Protocol

from .errors import FlocksimError, unknown
from .owner import end_with_owner

BACKENDS = ("threading", "loky", "dask", "ray")
CLUSTERS = {"dask": "distributed", "ray": "ray"}
"""Backends whose workers may live on other machines, and the package that each needs."""
SECONDS_TO_CONNECT = 20
RAY_PARTS_A_WORKER = 4


class Workers(Protocol):
    """Somebody who plays parts.

    lost: the errors that tell of a worker that is gone. threads: they share this process's memory.
    """

    lost: tuple[type[BaseException], ...]
    threads: bool

    def play(self, tasks: Iterable[Any]) -> Iterator[int]:
        """Run joblib's delayed calls, in whatever order they end; yields what each returned."""


@contextmanager
def workers(backend: str, jobs: int, scheduler: str | None = None) -> Iterator[Workers]:
    """Workers of a backend. jobs: how many, -1 for one a core (on a cluster: for all of its).

    scheduler: address of a cluster that runs already; without it dask and ray start one on this machine.
    Raises FlocksimError, one line, for a package that is missing and a cluster that does not answer.
    """
    check_backend(backend, scheduler)
    opened = {"threading": _threads, "loky": _processes, "dask": _dask, "ray": _ray}[backend]
    with opened(jobs, scheduler) as found:
        yield found


def check_backend(backend: str, scheduler: str | None) -> None:
    """Raises FlocksimError for a backend that there is not."""
    if backend not in BACKENDS:
        raise FlocksimError(unknown("backend", backend, BACKENDS))
    if scheduler is not None and backend not in CLUSTERS:
        raise FlocksimError(f"scheduler: {scheduler!r}: backend {backend} has none; allowed with: dask, ray")
    package = CLUSTERS.get(backend)
    if package and find_spec(package) is None:
        raise FlocksimError(
            f"backend {backend}: the package '{package}' is missing; pip install 'flocksim[{backend}]' brings it"
        )


class _Joblib:
    """joblib's workers, whose results come as they are ready."""

    def __init__(self, jobs: int, backend: str, lost: tuple[type[BaseException], ...] = (), **options: Any) -> None:
        self.lost, self.threads = lost, backend == "threading"
        self._options = {"n_jobs": jobs, "backend": backend, **options}

    def play(self, tasks: Iterable[Any]) -> Iterator[int]:
        from joblib import Parallel, parallel_config

        children = contextlib.nullcontext() if self.threads else _interrupts_kept_from_children()
        with children, parallel_config(**self._options):
            results = Parallel(return_as="generator_unordered")(tasks)
        yield from results


@contextmanager
def _threads(jobs: int, _: str | None) -> Iterator[Workers]:
    yield _Joblib(jobs, "threading")


@contextmanager
def _processes(jobs: int, _: str | None) -> Iterator[Workers]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    yield _Joblib(jobs, "loky", (BrokenProcessPool,), initializer=_belong_to_the_run, initargs=(os.getpid(),))


@contextmanager
def _dask(jobs: int, scheduler: str | None) -> Iterator[Workers]:
    """A cluster that runs already, or one of this machine with one thread a worker."""
    from distributed import Client, KilledWorker, LocalCluster

    with contextlib.ExitStack() as closing:
        where: Any = scheduler
        if scheduler is None:
            with _interrupts_kept_from_children():
                where = LocalCluster(
                    n_workers=None if jobs == -1 else jobs, threads_per_worker=1, host="127.0.0.1",
                    dashboard_address=None, silence_logs=logging.CRITICAL,
                )  # fmt: skip
            closing.enter_context(where)
        try:
            client = closing.enter_context(Client(where, timeout=SECONDS_TO_CONNECT, set_as_default=False))
            client.wait_for_workers(1, timeout=SECONDS_TO_CONNECT)
        except (OSError, ValueError, TypeError) as error:
            raise _unreachable("dask", scheduler, error) from None
        yield _Joblib(jobs, "dask", (KilledWorker,), client=client)


@contextmanager
def _ray(jobs: int, scheduler: str | None) -> Iterator[Workers]:
    """A cluster that runs already, or one of this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    import ray
    from ray.util.joblib import register_ray

    where: dict[str, Any] = {"address": scheduler}
    if scheduler is None:
        where = {"address": "local", "num_cpus": None if jobs == -1 else jobs, "_node_ip_address": "127.0.0.1"}
        where["include_dashboard"] = False
    try:
        if scheduler and (address := re.fullmatch(r"(?:ray://)?\[?(.+?)\]?:(\d{1,5})", scheduler)):
            # ray itself would try for minutes, and write about it
            socket.create_connection((address[1], int(address[2])), SECONDS_TO_CONNECT).close()
        with _interrupts_kept_from_children():
            ray.init(log_to_driver=False, logging_level=logging.ERROR, **where)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise _unreachable("ray", scheduler, error) from None
    try:
        register_ray()
        yield _Ray(jobs)
    finally:
        ray.shutdown()


class _Ray:
    """Ray's pool hands results back only when all are there, so tasks go to it by the handful."""

    def __init__(self, jobs: int) -> None:
        import ray
        from ray.exceptions import ActorDiedError, ActorUnavailableError, ObjectLostError, WorkerCrashedError

        self.lost: tuple[type[BaseException], ...] = (
            *(ActorDiedError, ActorUnavailableError, ObjectLostError, WorkerCrashedError),
        )
        self.threads = False
        self._jobs = int(ray.cluster_resources().get("CPU", 1)) if jobs == -1 else jobs

    def play(self, tasks: Iterable[Any]) -> Iterator[int]:
        from itertools import islice

        from joblib import Parallel

        left = iter(tasks)
        while some := list(islice(left, self._jobs * RAY_PARTS_A_WORKER)):
            yield from Parallel(n_jobs=self._jobs, backend="ray", batch_size=1)(some)


def _unreachable(backend: str, scheduler: str | None, error: BaseException) -> FlocksimError:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    where = f"scheduler {scheduler}" if scheduler else "a cluster of this machine"
    return FlocksimError(f"backend {backend}: {where} does not answer: {reason}")


def _belong_to_the_run(owner: int) -> None:
    """A worker process leaves interrupts to the run that started it, and ends when that run is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_owner(owner)


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Meanwhile, these environment variables."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _interrupts_kept_from_children() -> Iterator[None]:
    """Processes started meanwhile never see Ctrl-C, not even while Python starts in them. No-op on Windows."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    with _environment(PYTHONWARNINGS="ignore::UserWarning"):  # an interrupted run leaves it to clean up: no news
        resource_tracker.ensure_running()  # starting it with the first worker would lift the mask again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
