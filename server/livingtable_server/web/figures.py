"""Figures for Prometheus at `/metrics`: how many requests, how fast, how much is open; of no client, and of no game."""

from __future__ import annotations

import os
from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from livingtable_server.web.served import Served

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where several processes of one server keep their figures, so that each can give the sum."""
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25)


class Figures:
    """The figures of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("livingtable_requests", "Requests answered", labels, registry=self._registry)
        self._seconds = Histogram(
            "livingtable_request_seconds",
            "Seconds until a request was answered in full",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._open = Gauge(
            "livingtable_open", "What is open now", ("kind",), multiprocess_mode="livesum", registry=self._registry
        )

    def opened(self, kind: str) -> Callable[[int], None]:
        """To be told of each that is opened (1) or closed (-1)."""
        return self._open.labels(kind).inc

    def count(self, served: Served) -> None:
        self._requests.labels(served.method, served.route, str(served.status)).inc()
        self._seconds.labels(served.method, served.route).observe(served.seconds)

    async def answer(self, _request: Request) -> Response:
        """`/metrics`."""
        return Response(generate_latest(self._gathered()), media_type=CONTENT_TYPE_LATEST)

    def _gathered(self) -> CollectorRegistry:
        if not os.environ.get(FOLDER_VARIABLE):
            return self._registry
        whole = CollectorRegistry()
        multiprocess.MultiProcessCollector(whole)
        return whole


def forget_process(number: int | None) -> None:
    """A process has ended: what it had open is open no more."""
    multiprocess.mark_process_dead(number)  # pyright: ignore[reportUnknownMemberType]
