"""Dask clusters as pools: one that is running, by its address, or one that SLURM starts for the command.

The store must be in a folder that all machines of the cluster share, under the same path. A worker that is lost is
the cluster's affair: it gives the work to another, up to three times (`distributed.scheduler.allowed-failures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, TypeVar

from automata.errors import ToolkitError, join_words
from lookback.workers import Pool

_T = TypeVar("_T")

SLURM_OPTIONS = ("queue", "account", "walltime", "memory", "interface", "local_directory", "log_directory")
"""The options of `dask_jobqueue.SLURMCluster` that can be given; its configuration files know the others."""

_PATIENCE = 20.0  # seconds to find a cluster
_MEMORY = "2GB"  # of a worker, unless the user says otherwise


@dataclass(frozen=True, eq=False)
class _ClusterPool:
    """The cluster has a queue of its own; a future is cancelled where the whole cluster was started anew."""

    executor: Any
    room: int | None = None
    lost: tuple[type[BaseException], ...] = (CancelledError,)

    def submit(self, function: Callable[..., _T], /, *args: object) -> Future[_T]:
        try:
            return self.executor.submit(function, *args)  # type: ignore[no-any-return]
        except (RuntimeError, OSError) as error:
            raise ToolkitError(f"the cluster is gone: {error}; the same command goes on with another one") from None


@contextmanager
def cluster_pool(address: str) -> Iterator[Pool]:
    """Give the pool of a Dask cluster that runs at an address such as tcp://10.0.0.1:8786.

    What a worker is at when the context is left goes on to its end. Raise `ToolkitError` if there is no such cluster,
    or the package `distributed` is not installed.
    """
    distributed = _package("distributed")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = str(error) or type(error).__name__
        raise ToolkitError(
            f"there is no Dask cluster at {address!r} ({said}); expected the address of its scheduler, such as "
            "tcp://10.0.0.1:8786"
        ) from None
    with _client_pool(client) as pool:
        yield pool


@contextmanager
def slurm_pool(jobs: int, options: Mapping[str, str]) -> Iterator[Pool]:
    """Give the pool of a Dask cluster of so many SLURM jobs, a worker each, which end with the context.

    The options are those of `SLURM_OPTIONS`. Raise `ToolkitError` for others, and if the packages of the extra
    `cluster` are not installed.
    """
    for name in options:
        if name not in SLURM_OPTIONS:
            close = get_close_matches(name, SLURM_OPTIONS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {join_words(SLURM_OPTIONS, 'and')}"
            raise ToolkitError(f"unknown option {name!r} of a SLURM cluster; {hint}")
    distributed, jobqueue = _package("distributed"), _package("dask_jobqueue")
    job = {"cores": 1, "processes": 1, "memory": _MEMORY, **options}
    anywhere = {"dashboard_address": ":0"}  # any free port: the usual one may be taken
    with jobqueue.SLURMCluster(scheduler_options=anywhere, **job) as cluster:
        cluster.scale(jobs=jobs)
        with _client_pool(distributed.Client(cluster, set_as_default=False)) as pool:
            yield pool


@contextmanager
def _client_pool(client: Any) -> Iterator[Pool]:
    executor = client.get_executor(pure=False)  # an experiment that is tried again is another call
    try:
        yield _ClusterPool(executor)
    finally:
        executor.shutdown(wait=False)
        client.close(timeout=_PATIENCE)


def _package(name: str) -> Any:
    """Import a package of the extra `cluster`."""
    try:
        return import_module(name)
    except ImportError:
        raise ToolkitError(
            f"clusters need the package {name.replace('_', '-')}, which is not installed; "
            "install lookback-attention[cluster]"
        ) from None
