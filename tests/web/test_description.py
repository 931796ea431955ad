"""What /openapi.json says is what the server does: schemathesis asks every route, rightly and wrongly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from httpx2 import AsyncClient
from tests.web.rest import Rest
from tests.web.serving import Site

CHECKOUT = Path(__file__).parents[2]
CONTRACT = {
    "get /scenarios",
    "get /rules/{}",
    "post /games",
    "get /games/{}",
    "get /games/{}/legal-actions",
    "post /games/{}/actions",
    "get /games/{}/wait",
    "get /games/{}/record",
    "get /games/{}/events",
    "get /games/{}/board.svg",
    "post /records/verify",
    "post /rooms",
    "post /rooms/{}/join",
    "post /rooms/{}/bots",
    "post /rooms/{}/actions",
    "get /rooms/{}",
    "get /rooms/{}/legal-actions",
    "get /rooms/{}/wait",
    "get /rooms/{}/events",
    "get /rooms/{}/record",
    "get /rooms/{}/board.svg",
    "get /healthz",
    "get /readyz",
    "post /api/players",
    "post /api/start",
    "get /api/state",
    *(
        f"post /api/players/{{}}/{deed}"
        for deed in ("move", "pass", "ally", "answer", "attack", "challenge", "reward", "sleep")
    ),
}


@pytest.mark.anyio
async def test_every_route_of_the_contract_is_described(rest: Rest) -> None:
    paths = (await rest.get("/openapi.json"))["paths"]
    described = {f"{method} {re.sub('{.*?}', '{}', path)}" for path, methods in paths.items() for method in methods}
    assert sorted(CONTRACT - described) == []


@pytest.mark.anyio
async def test_every_answer_of_a_route_is_described_with_its_errors(rest: Rest) -> None:
    described = await rest.get("/openapi.json")
    for path, methods in described["paths"].items():
        for operation in methods.values():
            assert {"200", "403", "421", "422", "429"} <= set(operation["responses"]), path
            if "{" in path:
                assert "404" in operation["responses"], path
            assert operation["summary"]


@pytest.mark.anyio
async def test_a_new_game_leads_on_to_every_route_of_a_game(rest: Rest) -> None:
    described = await rest.get("/openapi.json")
    links = described["paths"]["/games"]["post"]["responses"]["200"]["links"]
    leads_to = {link["operationId"] for link in links.values()}
    of_games = {
        operation["operationId"]
        for path, methods in described["paths"].items()
        if path.startswith("/games/")
        for operation in methods.values()
    }
    assert leads_to == of_games
    assert all(link["parameters"] == {"path.session": "$response.body#/sessionId"} for link in links.values())


@pytest.mark.anyio
async def test_pages_that_fetch_from_elsewhere_are_not_served(client: AsyncClient) -> None:
    """FastAPI's own pages for the description load their script from another host."""
    for path in ("/docs", "/redoc"):
        assert (await client.get(path)).status_code == 404


@pytest.mark.slow
def test_schemathesis_finds_nothing_with_all_its_checks(tmp_path: Path) -> None:
    site = Site("--limit", "requests=0", "--limit", "games=0")
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{site.url}/openapi.json"]
    options = ["--checks", "all", "--seed", "1", "--max-examples", "8", "--request-timeout", "60", "--no-color"]
    done = subprocess.run(
        [*command, *options],
        cwd=tmp_path,
        env={
            **os.environ,
            "LIVING_TABLE_TESTED": site.url,
            "SCHEMATHESIS_HOOKS": "tests.web.schemathesis_hooks",
            "PYTHONPATH": str(CHECKOUT),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    for phase in ("Coverage", "Fuzzing", "Stateful"):
        assert re.search(rf"✅ {phase}", done.stdout), done.stdout
    assert site.stop() == 0
    assert [line for line in site.logged() if line["level"] == "error"] == []
