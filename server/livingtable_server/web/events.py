"""Server-sent events: everything that has happened in a session since a version, then what happens, as it happens.

The id of an event is its version, and stands at the last event of the version only: whoever was cut off in the middle
of them comes back with the id of the version before (`Last-Event-ID`), and gets them whole.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AbstractContextManager, aclosing
from dataclasses import dataclass

from fastapi import APIRouter
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from livingtable.game import Data
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter, checked
from livingtable_server.sessions.session import Session
from livingtable_server.web import requests
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import as_json
from livingtable_server.web.descriptions import Answered, described
from livingtable_server.web.rooms import PLAYER_HEADER as PLAYER_HEADER
from livingtable_server.web.rooms import UNKNOWN, player_of

KEEP_ALIVE_SECONDS = 15
SINCE = Parameter("since", "integer", "the events after that version, default 0: all", minimum=0)
_LAST_ID = Parameter("Last-Event-ID", "integer", "the same, as browsers send it; it stands above since", minimum=0)
_EVENT: Data = {
    "type": "object",
    "properties": {
        "data": {"type": "string", "contentMediaType": "application/json"},
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The version, at its last event."},
        "event": {"enum": ["message", "room"]},
    },
    "required": ["data"],
}
_STREAM = Answered("text/event-stream", "Events as JSON, until the result.", _EVENT)


def event_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()

    @router.get(
        "/games/{session}/events",
        **described(
            "The events as they happen",
            _STREAM,
            query=(SINCE,),
            headers=(_LAST_ID,),
            more={204: "The game is over, and you have had all of it.", 404: "No such session."},
        ),
    )
    async def events(session: str, request: Request) -> Response:
        since = _begin(request)
        found = await table.session(session)
        if found.recording.result is not None and found.version <= since:
            return Response(status_code=204)  # Else a browser would come back for ever.
        return _Stream(live_events(table, session, since), admission.streaming(request))

    @router.get(
        "/rooms/{code}/events",
        **described(
            "The events as they happen",
            _STREAM,
            query=(SINCE,),
            headers=(_LAST_ID, PLAYER_HEADER),
            more={204: "The game is over, and you have had all of it.", **UNKNOWN},
        ),
    )
    async def room_events(code: str, request: Request) -> Response:
        since, player = _begin(request), player_of(request)
        first = await table.rooms.stir(code, player, 0)
        if first.session.recording.result is not None and first.session.version <= since:
            return Response(status_code=204)
        return _Stream(live_room_events(table, code, player, since), admission.streaming(request))

    _ = (events, room_events)
    return router


class _Stream(EventSourceResponse):
    """Has its place among its client's streams as long as it is open; without one it is refused."""

    def __init__(self, events: AsyncGenerator[ServerSentEvent], place: AbstractContextManager[None]) -> None:
        super().__init__(_while_allowed(events), ping=KEEP_ALIVE_SECONDS)  # pyright: ignore[reportUnknownMemberType]
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            await super().__call__(scope, receive, send)


async def _while_allowed(events: AsyncGenerator[ServerSentEvent]) -> AsyncGenerator[ServerSentEvent]:
    """Where there is nothing more to be had the stream ends: the room was closed, the seat given up, or the ledger is
    away. Whoever comes back is told which."""
    async with aclosing(events):  # so that who leaves is not taken to listen still
        try:
            async for event in events:
                yield event
        except TableError:
            return


def _begin(request: Request) -> int:
    since: int = requests.query(request, (SINCE,)).get("since", 0)
    last_id = {"Last-Event-ID": request.headers.get("last-event-id")}
    return checked((_LAST_ID,), last_id).get("Last-Event-ID", since)


async def live_events(table: SessionManager, session_id: str, since: int) -> AsyncGenerator[ServerSentEvent]:
    """From that version on, to the result."""
    session = await table.session(session_id)
    while True:
        now = _now(session, since)
        for frame in now.frames:
            yield frame
        if now.over:
            return
        since = now.version
        session = await table.news(session_id, since, KEEP_ALIVE_SECONDS)


async def live_room_events(
    table: SessionManager, code: str, player: str | None, since: int
) -> AsyncGenerator[ServerSentEvent]:
    """The same in a room; and each time that somebody comes or goes, who is there, as an event `room` without id."""
    told: Data | None = None
    stirred = await table.rooms.stir(code, player, 0)
    with table.rooms.listening(code, stirred.side):
        while True:
            now = _now(stirred.session, since)
            for frame in now.frames:
                yield frame
            if stirred.seats != told:
                told = stirred.seats
                yield ServerSentEvent(as_json(told), event="room", sep="\n")
            if now.over:
                return
            since = now.version
            stirred = await table.rooms.stir(code, player, KEEP_ALIVE_SECONDS, since)


@dataclass(frozen=True, slots=True)
class _Now:
    """A session at a moment: it goes on while what is new in it is being sent."""

    frames: list[ServerSentEvent]
    version: int
    over: bool


def _now(session: Session, since: int) -> _Now:
    frames = _frames(session.recording.events_after(since))
    return _Now(list(frames), max(since, session.version), session.recording.result is not None)


def _frames(events: Sequence[Data]) -> Iterator[ServerSentEvent]:
    for i, event in enumerate(events):
        last = i + 1 == len(events) or events[i + 1]["version"] != event["version"]
        yield ServerSentEvent(as_json(event), id=str(event["version"]) if last else None, sep="\n")
