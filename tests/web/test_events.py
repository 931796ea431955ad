"""Live events: caught up, then live, and none lost where a stream is cut."""

from __future__ import annotations

import json
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from httpx2 import Client, Response
from tests.server.setups import BESIDE_A_TROLL, FAR_APART, ONE_LEFT_TO_BEAT
from tests.web.rest import check_headers, problem
from tests.web.serving import Site

from livingtable.game import Data

Frame = dict[str, str]


@pytest.fixture
def client(site: Site) -> Generator[Client]:
    with site.client() as client:
        yield client


def begin(client: Client, setup: object, **more: Any) -> str:
    return client.post("/games", json={"setup": setup, **more}).json()["sessionId"]


def submit(client: Client, session: str, notation: str) -> Data:
    answer = client.post(f"/games/{session}/actions", json={"notation": notation}).json()
    assert answer["ok"], answer
    return answer


@contextmanager
def stream(
    client: Client, session: str, since: int | None = None, last_id: str | None = None
) -> Generator[Iterator[Frame]]:
    query = {} if since is None else {"since": since}
    headers = {} if last_id is None else {"Last-Event-ID": last_id}
    with client.stream("GET", f"/games/{session}/events", params=query, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        check_headers(response)
        yield frames(response)


def frames(response: Response) -> Iterator[Frame]:
    """The messages, each by its fields; comments are left out."""
    frame: Frame = {}
    for line in response.iter_lines():
        if not line and frame:
            yield frame
            frame = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            frame[name] = value


def events(frames: Iterator[Frame], number: int) -> list[Data]:
    return [json.loads(next(frames)["data"]) for _ in range(number)]


def recorded(client: Client, session: str) -> list[Data]:
    return client.get(f"/games/{session}/record").json()["record"]["events"]


def test_what_has_happened_comes_first_then_what_happens(client: Client) -> None:
    session = begin(client, FAR_APART)
    submit(client, session, "move 1,0")
    with stream(client, session) as live:
        assert events(live, 1) == recorded(client, session)
        submit(client, session, "pass")
        submit(client, session, "move 6,1")
        assert events(live, 2) == recorded(client, session)[1:]


def test_the_events_of_bots_come_too(client: Client) -> None:
    session = client.post("/games", json={"scenario": "troll_night", "side": "p1", "seed": 1}).json()["sessionId"]
    with stream(client, session) as live:
        submit(client, session, client.get(f"/games/{session}/legal-actions?detail=brief").json()["legal"][-1])
        whole = recorded(client, session)
        assert len(whole) > 1
        assert events(live, len(whole)) == whole


def test_a_stream_begins_after_the_version_that_is_asked_for(client: Client) -> None:
    session = begin(client, FAR_APART)
    for notation in ("move 1,0", "pass", "pass"):
        submit(client, session, notation)
    with stream(client, session, since=2) as live:
        assert [event["version"] for event in events(live, 1)] == [3]


def test_the_id_is_the_version_and_stands_at_its_last_event(client: Client) -> None:
    """Else a stream that is cut between two events of one version would lose the second."""
    session = begin(client, BESIDE_A_TROLL)
    submit(client, session, "attack t1")
    submit(client, session, "attack p1")
    whole = recorded(client, session)
    with stream(client, session) as live:
        got = [next(live) for _ in whole]
    ends = [i for i, e in enumerate(whole) if i + 1 == len(whole) or whole[i + 1]["version"] != e["version"]]
    assert len(ends) < len(whole)
    assert [frame.get("id") for frame in got] == [
        str(event["version"]) if i in ends else None for i, event in enumerate(whole)
    ]


def test_whoever_comes_back_with_the_last_id_misses_nothing(client: Client) -> None:
    """C48"""
    session = begin(client, FAR_APART)
    submit(client, session, "move 1,0")
    with stream(client, session) as live:
        last = next(live)["id"]
    submit(client, session, "pass")
    submit(client, session, "pass")
    with stream(client, session, since=0, last_id=last) as live:
        assert events(live, 2) == recorded(client, session)[1:]


def test_a_stream_ends_with_the_result_and_is_not_to_be_opened_again(client: Client) -> None:
    session = begin(client, ONE_LEFT_TO_BEAT)
    with stream(client, session) as live:
        submit(client, session, "attack t1")
        got = list(live)
    assert json.loads(got[-1]["data"])["type"] == "game_over"
    assert [json.loads(frame["data"]) for frame in got] == recorded(client, session)
    again = client.get(f"/games/{session}/events", headers={"Last-Event-ID": got[-1]["id"]})
    assert again.status_code == 204, "a browser takes this for the end, and does not come back"
    with stream(client, session) as whole:
        assert events(whole, len(got)) == recorded(client, session)


@pytest.mark.parametrize("last_id", ["x", "-1", "1.5", "٣"])
def test_a_last_id_that_is_none_is_refused(client: Client, last_id: str) -> None:
    session = begin(client, FAR_APART)
    answer = client.get(f"/games/{session}/events", headers={b"Last-Event-ID": last_id.encode()})
    assert "Last-Event-ID" in problem(answer, 422)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_streams_end_cleanly_when_the_server_stops(number: int) -> None:
    site = Site()
    with site.client() as client:
        session = begin(client, FAR_APART)
        submit(client, session, "pass")
        with stream(client, session) as live:
            next(live)
            site.process.send_signal(number)
            assert list(live) == []
    assert site.stop(number) in (0, 130)
    assert [line for line in site.logged() if line["level"] in ("warning", "error")] == []
