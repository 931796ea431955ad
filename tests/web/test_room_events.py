"""The live events of rooms: what happens in the game, who comes and goes, and how a stream ends."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
from httpx2 import Client
from tests.server.setups import FAR_APART
from tests.web.serving import Site
from tests.web.test_events import Frame, frames

from livingtable.game import Data

THREE = {**FAR_APART, "maxRounds": 1}


@pytest.fixture
def own_site() -> Generator[Site]:
    """Whose log the test reads."""
    site = Site()
    yield site
    site.stop()


@pytest.fixture
def client(own_site: Site) -> Generator[Client]:
    with own_site.client() as client:
        yield client


def make_room(client: Client, joined: int = 2) -> tuple[str, list[str]]:
    """Its code, and the secrets of its players."""
    made = client.post("/rooms", json={"setup": THREE}).json()
    path = f"/rooms/{made['roomCode']}"
    return path, [made["playerId"], *(join(client, path) for _ in range(joined))]


def join(client: Client, path: str) -> str:
    return client.post(f"{path}/join", json={}).json()["playerId"]


def plays(client: Client, path: str, player: str, notation: str = "pass") -> None:
    assert client.post(f"{path}/actions", json={"playerId": player, "notation": notation}).json()["ok"]


@contextmanager
def stream(client: Client, path: str, player: str | None = None) -> Generator[Iterator[Frame]]:
    headers = {} if player is None else {"X-Player-Id": player}
    with client.stream("GET", f"{path}/events", headers=headers) as response:
        assert response.status_code == 200
        yield frames(response)


def controllers(frame: Frame) -> list[str]:
    assert frame["event"] == "room"
    told: Data = json.loads(frame["data"])
    return [player["controller"] for player in told["players"]]


def has_no_errors(site: Site) -> bool:
    return [line for line in site.logged() if line["level"] not in ("info", "warning")] == []


def test_who_comes_and_what_happens_is_told_as_it_happens(client: Client, own_site: Site) -> None:
    path, players = make_room(client, 1)
    with stream(client, path, players[1]) as messages:
        assert controllers(next(messages)) == ["human", "human", "open"]
        players.append(join(client, path))
        assert controllers(next(messages)) == ["human", "human", "human"]
        plays(client, path, players[0])
        event: Data = json.loads(next(messages)["data"])
        assert (event["type"], event["side"], event["version"]) == ("passed", "p1", 1)
    assert has_no_errors(own_site)


def test_a_stream_ends_with_the_result(client: Client, own_site: Site) -> None:
    path, players = make_room(client)
    with stream(client, path) as messages:
        next(messages)
        for player in players:
            plays(client, path, player)
        types = [json.loads(frame["data"]).get("type") for frame in messages]
        assert types[-1] == "game_over"
    assert has_no_errors(own_site)


def test_the_stream_of_who_gives_up_the_seat_ends_and_that_is_no_fault(client: Client, own_site: Site) -> None:
    path, players = make_room(client)
    with stream(client, path, players[1]) as messages:
        next(messages)
        client.post(f"{path}/bots", json={"playerId": players[1], "side": "p2"})
        assert [frame for frame in messages if "p2" not in frame["data"]] == []
    answer = client.get(f"{path}/events", headers={"X-Player-Id": players[1]})
    assert answer.status_code == 403
    assert has_no_errors(own_site)


def test_no_secret_stands_in_the_log(client: Client, own_site: Site) -> None:
    """C43"""
    path, players = make_room(client)
    with stream(client, path, players[1]) as messages:
        next(messages)
        plays(client, path, players[0])
    client.get(path, headers={"X-Player-Id": "x" + players[2]})
    log = json.dumps(own_site.said)
    assert [player for player in players if player in log] == []
