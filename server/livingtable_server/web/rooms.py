"""The routes of rooms. A player shows its id in the body, or in the header `X-Player-Id`: never in an address."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from livingtable.game import MAX_SEED, Data
from livingtable_server.sessions.manager import WAIT_SECONDS, SessionManager
from livingtable_server.sessions.parameters import Parameter, checked, given_action
from livingtable_server.sessions.rooms import NAME_AT_MOST, SEAT_TIMEOUT, NewRoom
from livingtable_server.web import requests, shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.descriptions import TOKEN, Answered, body_schema, described
from livingtable_server.web.games import DETAIL, PREFIX, SECONDS, SINCE

PLAYER_HEADER = Parameter("X-Player-Id", "string", "the secret of a seat", lengths=(1, 200))
_OWN_HEADER = Parameter("X-Player-Id", "string", "the secret of your seat", required=True, lengths=(1, 200))
_PLAYER = Parameter("playerId", "string", "your secret", required=True)
_NAME = Parameter("name", "string", "your name for the others", lengths=(1, NAME_AT_MOST))
_CONTROLLER = Parameter("controller", "string", "default human", choices=("agent", "human"))
_CREATE = (
    Parameter("scenario", "string", "a name from /scenarios"),
    Parameter("setup", "object", "a whole scenario of your own"),
    Parameter("side", "string", "your seat, default the first"),
    Parameter("seed", "integer", "drawn if left out; one that is given is shown to all", minimum=0, maximum=MAX_SEED),
    _NAME,
    _CONTROLLER,
    SEAT_TIMEOUT,
)
_JOIN = (
    Parameter("side", "string", "the seat; without it the first that is open, else one of a bot"),
    Parameter("playerId", "string", "of your seat, to come back to it"),
    _NAME,
    _CONTROLLER,
)
_BOTS = (_PLAYER, Parameter("side", "string", "a seat, or all"), Parameter("bot", "string", "default greedy"))
_ACTION = (
    _PLAYER,
    Parameter("notation", "string", judged_by_rules=True),
    Parameter("action", "object", judged_by_rules=True),
    Parameter("expectedVersion", "integer", "the version you saw: makes a retry safe", minimum=0),
)
_PICTURE = Answered("image/svg+xml", "An SVG.")
_CONFLICT = {409: "Not as the seats are taken."}
UNKNOWN = {403: "That playerId has no seat here.", 404: "No such room or seat."}


def room_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()
    rooms = table.rooms

    @router.post(
        "/rooms",
        **described(
            "Make a room",
            shapes.RoomMade,
            takes=body_schema(_CREATE, exactly_one_of=("scenario", "setup")),
            more={401: "The server's token is missing.", 404: "No such scenario or seat."},
            secret=TOKEN,
        ),
    )
    async def create(request: Request) -> Answer:
        given = await requests.body(request, _CREATE)
        with admission.beginning(request):
            return Answer(await rooms.create(NewRoom.asked({"controller": "human", **given})))

    @router.post(
        "/rooms/{code}/join",
        **described(
            "Take a seat, or come back to it",
            shapes.Joined,
            takes=body_schema(_JOIN),
            more={**UNKNOWN, **_CONFLICT},
        ),
    )
    async def join(code: str, request: Request) -> Answer:
        given = await requests.body(request, _JOIN)
        controller = given.get("controller", "human")
        return Answer(await rooms.join(code, given.get("side"), given.get("name"), controller, given.get("playerId")))

    @router.post(
        "/rooms/{code}/bots",
        **described(
            "Seat a bot: on an open seat, or in your own place",
            shapes.BotsSeated,
            takes=body_schema(_BOTS),
            more={**UNKNOWN, **_CONFLICT},
        ),
    )
    async def bots(code: str, request: Request) -> Answer:
        given = await requests.body(request, _BOTS)
        return Answer(await rooms.seat_bot(code, given["playerId"], given.get("side"), given.get("bot")))

    @router.post(
        "/rooms/{code}/actions",
        **described(
            "Play an action; a refusal by the rules is an answer, too",
            shapes.Outcome | shapes.Refusal,
            query=(DETAIL,),
            takes=body_schema(_ACTION),
            more=UNKNOWN,
        ),
    )
    async def submit(code: str, request: Request) -> Answer:
        detail = requests.query(request, (DETAIL,)).get("detail", "full")
        given = await requests.body(request, _ACTION)
        expected = given.get("expectedVersion")
        return Answer(await rooms.submit(code, given["playerId"], given_action(given), expected, detail))

    @router.get(
        "/rooms/{code}",
        **described(
            "Who sits where, and how the game stands",
            shapes.RoomSnapshot,
            query=(SINCE, DETAIL),
            headers=(PLAYER_HEADER,),
            more=UNKNOWN,
        ),
    )
    async def state(code: str, request: Request) -> Answer:
        given = requests.query(request, (SINCE, DETAIL))
        detail = given.get("detail", "full")
        return Answer(await rooms.state(code, player_of(request), given.get("sinceVersion"), detail))

    @router.get(
        "/rooms/{code}/legal-actions",
        **described(
            "What your seat may do", shapes.LegalActions, query=(PREFIX, DETAIL), headers=(_OWN_HEADER,), more=UNKNOWN
        ),
    )
    async def legal_actions(code: str, request: Request) -> Answer:
        given = requests.query(request, (PREFIX, DETAIL))
        detail, prefix = given.get("detail", "full"), given.get("prefix")
        return Answer(await rooms.legal_actions(code, _own(request), detail, prefix))

    @router.get(
        "/rooms/{code}/wait",
        **described(
            "Wait for your seat's turn",
            shapes.Waited,
            query=(SECONDS, SINCE, DETAIL),
            headers=(_OWN_HEADER,),
            more=UNKNOWN,
        ),
    )
    async def wait(code: str, request: Request) -> Answer:
        given = requests.query(request, (SECONDS, SINCE, DETAIL))
        seconds, detail = float(given.get("timeoutSeconds", WAIT_SECONDS)), given.get("detail", "full")
        with admission.waiting(request):
            return Answer(await rooms.wait(code, _own(request), seconds, given.get("sinceVersion"), detail))

    @router.get(
        "/rooms/{code}/record",
        **described("The whole record", shapes.WholeRecord, headers=(PLAYER_HEADER,), more=UNKNOWN),
    )
    async def record(code: str, request: Request) -> Answer:
        requests.query(request, ())
        return Answer({"record": await rooms.record(code, player_of(request))})

    @router.get(
        "/rooms/{code}/board.svg",
        **described("The board as a picture", _PICTURE, headers=(PLAYER_HEADER,), more=UNKNOWN),
    )
    async def board(code: str, request: Request) -> Response:
        requests.query(request, ())
        return Response(await rooms.board_svg(code, player_of(request)), media_type="image/svg+xml")

    _ = (create, join, bots, submit, state, legal_actions, wait, record, board)
    return router


def player_of(request: Request) -> str | None:
    """The id that the request shows, None for a spectator."""
    given: Data = checked((PLAYER_HEADER,), {"X-Player-Id": request.headers.get("x-player-id")})
    return given.get("X-Player-Id")


def _own(request: Request) -> str:
    given: Data = checked((_OWN_HEADER,), {"X-Player-Id": request.headers.get("x-player-id")})
    return given["X-Player-Id"]
