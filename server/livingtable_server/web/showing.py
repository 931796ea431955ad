"""What only pages need: how a scenario begins, for its picture in the lobby, and records as frames, for the replay."""

from __future__ import annotations

from typing import Any

import anyio
from fastapi import APIRouter
from starlette.requests import Request

from livingtable.errors import RecordError, Refusal, UnknownNameError
from livingtable.game import Data
from livingtable.records import check_record
from livingtable_server.sessions.errors import NotFoundError, TableError
from livingtable_server.sessions.frames import frames
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter
from livingtable_server.web import requests, shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.descriptions import body_schema, described
from livingtable_server.web.rooms import PLAYER_HEADER, UNKNOWN, player_of

_FROM = Parameter("from", "integer", "the first version wanted", minimum=0)
_RECORD = Parameter("record", "object", required=True)
_SEED_OF_PICTURES = 0


def showing_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()

    @router.get(
        "/scenarios/{name}/start",
        **described("How a scenario begins, with a seed of 0", shapes.Start, more={404: "No such scenario."}),
    )
    async def start(name: str, request: Request) -> Answer:
        requests.query(request, ())
        try:
            scenario = table.library().get(name)
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None
        return Answer({"game": scenario.setup.game, "state": scenario.start(_SEED_OF_PICTURES).view(None)})

    @router.get(
        "/games/{session}/frames",
        **described("The game as frames", shapes.Frames, query=(_FROM,), more={404: "No such session."}),
    )
    async def of_session(session: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = await table.record(session)
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    @router.get(
        "/rooms/{code}/frames",
        **described("The room's game as frames", shapes.Frames, query=(_FROM,), headers=(PLAYER_HEADER,), more=UNKNOWN),
    )
    async def of_room(code: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = await table.rooms.record(code, player_of(request))
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    @router.post(
        "/records/frames",
        **described("A record as frames", shapes.Frames, query=(_FROM,), takes=body_schema((_RECORD,))),
    )
    async def of_record(request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = (await requests.body(request, (_RECORD,)))["record"]
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    _ = (start, of_session, of_room, of_record)
    return router


async def _frames(record: Any, begin: int) -> Data:
    try:
        return await anyio.to_thread.run_sync(lambda: frames(check_record(record), begin))
    except (RecordError, Refusal) as error:
        raise TableError(f"That is no record that can be replayed: {error}") from None
