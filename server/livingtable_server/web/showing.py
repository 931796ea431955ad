"""What only pages need, and the contract does not give: how a scenario begins, for its picture in the lobby; records
as frames and as moving pictures, for the replay; and a room's rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from livingtable.game import Data
from livingtable.records import Each
from livingtable_server.sessions.animation import animation
from livingtable_server.sessions.frames import frames, watched
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter
from livingtable_server.sessions.rematch import rematch
from livingtable_server.sessions.replays import replayed
from livingtable_server.web import requests
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.leaving import while_connected
from livingtable_server.web.rooms import player_of

_FROM = Parameter("from", "integer", "the first version wanted", minimum=0)
_PLAYER = Parameter("playerId", "string", required=True)
_RECORD = Parameter("record", "object", required=True)
_SEED_OF_PICTURES = 0
_SECONDS_A_PICTURE = 0.5


def showing_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()
    work = table.live.work

    @router.get("/scenarios/{name}/start", include_in_schema=False)
    async def start(name: str, request: Request) -> Answer:
        requests.query(request, ())
        state = await table.scenario_start(name, _SEED_OF_PICTURES)
        return Answer({"game": state.game.name, "state": state.view(None)})

    @router.get("/games/{session}/frames", include_in_schema=False)
    async def of_session(session: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = watched((await table.session(session)).recording)
        with admission.computing(request):
            return await _frames(request, lambda: record, begin)

    @router.get("/rooms/{code}/frames", include_in_schema=False)
    async def of_room(code: str, request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        record = watched((await table.rooms.kept_session(code, player_of(request))).recording)
        with admission.computing(request):
            return await _frames(request, lambda: record, begin)

    @router.post("/records/frames", include_in_schema=False)
    async def of_record(request: Request) -> Answer:
        begin = requests.query(request, (_FROM,)).get("from", 0)
        admission.check_record_sender(request)
        with admission.computing(request):
            return await _frames(request, await _sent(request), begin)

    @router.get("/games/{session}/animation.svg", include_in_schema=False)
    async def animation_of_session(session: str, request: Request) -> Response:
        requests.query(request, ())
        record = watched((await table.session(session)).recording)
        with admission.computing(request):
            return await _animation(request, lambda: record)

    @router.get("/rooms/{code}/animation.svg", include_in_schema=False)
    async def animation_of_room(code: str, request: Request) -> Response:
        requests.query(request, ())
        record = watched((await table.rooms.kept_session(code, player_of(request))).recording)
        with admission.computing(request):
            return await _animation(request, lambda: record)

    @router.post("/records/animation.svg", include_in_schema=False)
    async def animation_of_record(request: Request) -> Response:
        admission.check_record_sender(request)
        with admission.computing(request):
            return await _animation(request, await _sent(request))

    @router.post("/rooms/{code}/rematch", include_in_schema=False)
    async def play_again(code: str, request: Request) -> Answer:
        player = (await requests.body(request, (_PLAYER,)))["playerId"]
        with admission.playing_again(request):
            return Answer(await rematch(table.rooms, code, player))

    async def _frames(request: Request, find: Callable[[], object], begin: int) -> Answer:
        def shown(record: Data, each: Each) -> Data:
            return frames(record, begin, each=each)

        return Answer(await while_connected(request, replayed(work.replays, find, shown)))

    async def _animation(request: Request, find: Callable[[], object]) -> Response:
        def moving(record: Data, each: Each) -> str:
            return animation(record, _SECONDS_A_PICTURE, each)

        svg = await while_connected(request, replayed(work.animations, find, moving))
        return Response(svg, media_type="image/svg+xml")

    _ = (start, of_session, of_room, of_record, animation_of_session, animation_of_room, animation_of_record)
    _ = play_again
    return router


async def _sent(request: Request) -> Callable[[], Any]:
    """Gives the record in the body; to be called where it may take a while to read it."""
    content = await request.body()
    return lambda: requests.parsed(content, (_RECORD,))["record"]
