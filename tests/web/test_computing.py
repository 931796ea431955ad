"""Records that are sent to be verified or shown keep a processor busy: who may have that done, how many at once, and
that it ends when the client has gone or the server is to end."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import monotonic

import anyio
import pytest
from httpx2 import Response
from starlette.types import ASGIApp, Message, Scope
from tests.server.setups import FAR_APART, botwars, player
from tests.web.rest import Rest, problem
from tests.web.serving import Site, in_process, running, settings
from tests.web.test_limits import mcp_error, refused_for_now
from tests.web.test_token import BEARER, TOKEN

from livingtable.agents import next_command
from livingtable.game import Data
from livingtable.records import Recording
from livingtable.scenarios import check_setup
from livingtable_server.app import web
from livingtable_server.sessions import replays
from livingtable_server.sessions.animation import animated, animation
from livingtable_server.sessions.frames import moments
from livingtable_server.settings import Settings
from livingtable_server.web.settings import Limits

pytestmark = pytest.mark.anyio

TAKING_RECORDS = ("/records/verify", "/records/frames", "/records/animation.svg")
WIDE: Data = botwars(
    *["." * 100] * 50, "M" * 100, *["." * 100] * 49, characters=[player("0,0"), player("99,99")], maxRounds=1_000_000
)
"""The largest board, and two players who never meet."""


def recorded(setup: Data, actions: int) -> Data:
    """A game of random moves."""
    scenario, rng = check_setup(setup), Random(1)
    state = scenario.start(1)
    seats = [{"side": side, "name": side, "controller": "agent"} for side in state.sides]
    recording = Recording.begin(state, scenario.data, 1, seats)
    for _ in range(actions):
        side = next_command(state, 1)
        recording.apply(side, rng.choice([a for a in state.legal_actions(side) if a.notation != "pass"]))
    return recording.to_data()


# the server's token


@pytest.mark.parametrize("path", TAKING_RECORDS)
async def test_where_the_server_has_a_token_no_record_is_replayed_without_it(path: str) -> None:
    async with in_process(settings(token=TOKEN)) as client:
        body = {"record": recorded(FAR_APART, 3)}
        assert "To have a record replayed here" in problem(await client.post(path, json=body), 401)
        assert (await client.post(path, json=body, headers=BEARER)).status_code == 200


async def test_where_the_server_has_a_token_the_tool_takes_no_record_without_it() -> None:
    async with in_process(settings(token=TOKEN)) as client:
        text = await mcp_error(client, "verify_record", record=recorded(FAR_APART, 3))
        assert "To have a record replayed here" in text


async def test_a_session_of_ones_own_is_verified_and_shown_without_the_token() -> None:
    async with in_process(settings(token=TOKEN)) as client:
        begun = await client.post("/games", json={"setup": FAR_APART}, headers=BEARER)
        session = begun.json()["sessionId"]
        for answer in (
            await client.post("/records/verify", json={"sessionId": session}),
            await client.get(f"/games/{session}/frames"),
            await client.get(f"/games/{session}/animation.svg"),
        ):
            assert answer.status_code == 200, answer.text


# how much


async def test_a_client_has_so_many_computing_at_once() -> None:
    async with in_process(settings(limits=Limits(0, 0, 0, 0, 0, 1))) as client:
        body = {"record": recorded(WIDE, 40)}
        answers: list[Response] = []

        async def send() -> None:
            answers.append(await client.post("/records/animation.svg", json=body))

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(send)
        refused, *_, shown = sorted(answers, key=lambda answer: -answer.status_code)
        assert shown.status_code == 200
        refused_for_now(refused)


@pytest.mark.parametrize("path", TAKING_RECORDS)
async def test_a_record_with_too_many_actions_is_refused(
    rest: Rest, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "REPLAYED_ACTIONS_AT_MOST", 5)
    text = await rest.problem(422, "POST", path, json={"record": recorded(FAR_APART, 6)})
    assert "6 actions; at most 5" in text


def test_a_long_game_on_a_large_board_is_shown_at_some_positions_its_last_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = recorded(FAR_APART, 20)
    pictures = [moment.state.svg(None) for moment in moments(record)]
    monkeypatch.setattr("livingtable_server.sessions.animation.CHARACTERS_AT_MOST", sum(map(len, pictures)) // 4)
    thinned = animation(record, 0.5)
    assert len(thinned) < len(animated(pictures, 0.5))
    last = set(pictures[-1].split("<")) - set(pictures[0].split("<"))
    assert last
    assert all(piece in thinned for piece in last)


def test_a_usual_game_is_shown_at_every_position() -> None:
    record = recorded(FAR_APART, 20)
    assert animation(record, 0.5) == animated((moment.state.svg(None) for moment in moments(record)), 0.5)


# who has gone


async def ask_and_leave(app: ASGIApp, path: str, body: bytes) -> list[Message]:
    """What is sent to a client that closes the connection as soon as it has sent its request."""
    sent: list[Message] = []
    messages: Iterable[Message] = iter(
        [{"type": "http.request", "body": body, "more_body": False}, {"type": "http.disconnect"}]
    )

    async def receive() -> Message:
        return next(messages)  # type: ignore[call-overload]

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost:8000"), (b"content-type", b"application/json")]
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 8000),
        "state": {},
    }
    await app(scope, receive, send)
    return sent


@pytest.mark.parametrize("path", TAKING_RECORDS)
async def test_what_is_computed_for_a_client_ends_when_it_has_gone(path: str) -> None:
    """The record would take minutes on its own; 499 stands in the log."""
    app = web(Settings("sqlite://"), settings()).app
    record = json.dumps({"record": recorded(WIDE, 400)}).encode()
    async with running(app):
        sent = await ask_and_leave(app, path, record)
    assert sent[0]["status"] == 499


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_within_five_seconds_whatever_is_being_computed(number: int) -> None:
    site, record = Site(), {"record": recorded(WIDE, 4_000)}
    with site.client() as client, ThreadPoolExecutor() as senders:
        for path in TAKING_RECORDS:
            senders.submit(client.post, path, json=record)
        while 'kind="computing"} 3.0' not in client.get("/metrics").text:
            pass
        began = monotonic()
        assert site.stop(number) == (0 if number == signal.SIGTERM else 130)
        assert monotonic() - began < 5
