from __future__ import annotations

from collections.abc import AsyncGenerator, Generator

import pytest
from httpx2 import AsyncClient
from tests.server.stores import postgres_server, postgres_url
from tests.web.rest import Rest
from tests.web.serving import Site, in_process, settings

__all__ = ["postgres_server", "postgres_url"]
"""The fixtures that `stores` defines."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def client(anyio_backend: str) -> AsyncGenerator[AsyncClient]:
    """Of an application in this process, with a ledger in memory."""
    assert anyio_backend == "asyncio"
    async with in_process(settings()) as client:
        yield client


@pytest.fixture
def rest(client: AsyncClient) -> Rest:
    return Rest(client)


@pytest.fixture(scope="session")
def site() -> Generator[Site]:
    """A server process with a ledger in memory."""
    site = Site()
    yield site
    site.stop()
