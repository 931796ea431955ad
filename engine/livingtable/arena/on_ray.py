"""Plays the games of a plan on Ray: on a cluster, or on this machine alone.

The games, their order and what is kept of them are those of a run without Ray. Batches of a process or a node that is
lost are played again elsewhere. Every node needs living-table; the scenarios are sent along, files of a user's own
agents are not: they must be in the same place everywhere.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

from livingtable.arena.plan import Plan
from livingtable.arena.workers import AHEAD, Job, Kept, LostWorkerError, play_batch

LOCAL, AUTO = "local", "auto"
SECONDS_TO_ANSWER = 10.0
RETRIES = 5
"""Of a batch whose process or node was lost; a game that ends whoever plays it must not be tried for ever."""


def played_on_ray(plan: Plan, jobs: Iterator[list[Job]], workers: int, address: str) -> Generator[Kept]:
    """The games, in order. `workers` counts on this machine alone. Raises `LostWorkerError`, or `ConnectionError` where
    there is no cluster."""
    with _ray(address, workers) as ray:
        remote = ray.remote(max_retries=RETRIES, num_cpus=1)(play_batch)
        shared = ray.put(plan)
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        try:
            for batch in jobs:
                waiting.append(remote.remote(shared, batch))
                if len(waiting) > AHEAD * processors:
                    yield from ray.get(waiting.popleft())
            while waiting:
                yield from ray.get(waiting.popleft())
        except ray.exceptions.RayTaskError:  # Something that was raised there, and is no loss.
            raise
        except ray.exceptions.RayError as error:
            raise LostWorkerError(f"Ray could not play a batch in {RETRIES + 1} tries: {error}") from None
        finally:
            for batch in waiting:
                ray.cancel(batch, force=True)


@contextmanager
def _ray(address: str, workers: int) -> Generator[Any]:
    """Connected, and let go of at the end; nothing is told to Ray's makers, and no page is served."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray = cast(Any, import_module("ray"))
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        here = {"num_cpus": workers, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        ray.init(address=LOCAL, **here, **quiet)
    else:
        check_address(address)
        ray.init(address=address, **quiet)
    try:
        yield ray
    finally:
        ray.shutdown()


def check_address(address: str) -> None:
    """Raises `ConnectionError` where nobody answers: Ray itself would try for minutes."""
    if address in (LOCAL, AUTO):
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isascii() or not port.isdigit():
        raise ConnectionError("an address is HOST:PORT, ray://HOST:PORT, auto or local")
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(str(error)) from None
