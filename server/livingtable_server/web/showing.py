"""What only pages need, and the contract does not give: how a scenario begins, for its picture in the lobby; records
as frames and as moving pictures, for the replay; and a room's rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from livingtable.errors import RecordError, Refusal, UnknownNameError
from livingtable.game import Data
from livingtable.records import check_record
from livingtable_server.sessions.animation import animated
from livingtable_server.sessions.errors import NotFoundError, TableError
from livingtable_server.sessions.frames import frames, moments, picture_of, watched
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter
from livingtable_server.sessions.rematch import rematch
from livingtable_server.web import requests
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.rooms import player_of

_FROM = Parameter("from", "integer", "the first version wanted", minimum=0)
_PLAYER = Parameter("playerId", "string", required=True)
_RECORD = Parameter("record", "object", required=True)
_SEED_OF_PICTURES = 0
_SECONDS_A_PICTURE = 0.5
T = TypeVar("T")


def showing_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()

    @router.get("/scenarios/{name}/start", include_in_schema=False)
    async def start(name: str, request: Request) -> Answer:
        requests.query(request, ())
        try:
            scenario = table.library().get(name)
        except UnknownNameError as error:
            raise NotFoundError(str(error)) from None
        return Answer({"game": scenario.setup.game, "state": scenario.start(_SEED_OF_PICTURES).view(None)})

    @router.get("/games/{session}/frames", include_in_schema=False)
    async def of_session(session: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = watched((await table.session(session)).recording)
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    @router.get("/rooms/{code}/frames", include_in_schema=False)
    async def of_room(code: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = watched((await table.rooms.kept_session(code, player_of(request))).recording)
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    @router.post("/records/frames", include_in_schema=False)
    async def of_record(request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = (await requests.body(request, (_RECORD,)))["record"]
        with admission.waiting(request):
            return Answer(await _frames(record, begin))

    @router.get("/games/{session}/animation.svg", include_in_schema=False)
    async def animation_of_session(session: str, request: Request) -> Response:
        requests.query(request, ())
        record = watched((await table.session(session)).recording)
        with admission.waiting(request):
            return await _animation(record)

    @router.get("/rooms/{code}/animation.svg", include_in_schema=False)
    async def animation_of_room(code: str, request: Request) -> Response:
        requests.query(request, ())
        record = watched((await table.rooms.kept_session(code, player_of(request))).recording)
        with admission.waiting(request):
            return await _animation(record)

    @router.post("/records/animation.svg", include_in_schema=False)
    async def animation_of_record(request: Request) -> Response:
        record = (await requests.body(request, (_RECORD,)))["record"]
        with admission.waiting(request):
            return await _animation(record)

    @router.post("/rooms/{code}/rematch", include_in_schema=False)
    async def play_again(code: str, request: Request) -> Answer:
        player = (await requests.body(request, (_PLAYER,)))["playerId"]
        with admission.beginning(request):
            return Answer(await rematch(table.rooms, code, player))

    _ = (start, of_session, of_room, of_record, animation_of_session, animation_of_room, animation_of_record)
    _ = play_again
    return router


async def _frames(record: Any, begin: int) -> Data:
    return await _replayed(lambda: frames(check_record(record), begin))


async def _animation(record: Any) -> Response:
    def made() -> str:
        pictures = (picture_of(moment) for moment in moments(check_record(record)))
        return animated(pictures, _SECONDS_A_PICTURE)

    return Response(await _replayed(made), media_type="image/svg+xml")


async def _replayed(make: Callable[[], T]) -> T:
    """Of a replay, which may take long: the event loop is left free."""
    try:
        return await anyio.to_thread.run_sync(make)
    except (RecordError, Refusal) as error:
        raise TableError(f"That is no record that can be replayed: {error}") from None
