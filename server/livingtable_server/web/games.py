"""The routes of a player's own sessions."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from livingtable.game import MAX_SEED, Data
from livingtable_server.sessions.answers import introduction
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.manager import WAIT_SECONDS, WAIT_SECONDS_AT_MOST, SessionManager
from livingtable_server.sessions.parameters import Parameter, given_action
from livingtable_server.web import requests, shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.descriptions import TOKEN, Answered, body_schema, described, left_out

SIDE = Parameter("side", "string", "your seat; needed only if you have several to act")
SINCE = Parameter("sinceVersion", "integer", "adds the events after it", minimum=0)
PREFIX = Parameter("prefix", "string", "only what begins so, as K1 or throw E")
DETAIL = Parameter("detail", "string", "default full", choices=("full", "brief"))
SECONDS = Parameter("timeoutSeconds", "number", f"default {WAIT_SECONDS}", minimum=0, maximum=WAIT_SECONDS_AT_MOST)
_SOURCES = ("scenario", "setup", "fork")
_BEGIN = (
    Parameter("scenario", "string", "a name from /scenarios"),
    Parameter("setup", "object", "a whole scenario of your own"),
    Parameter("fork", "string", "a sessionId to go on from"),
    Parameter("version", "integer", "with fork: from that version", minimum=0),
    Parameter("seed", "integer", "drawn if left out", minimum=0, maximum=MAX_SEED),
    Parameter("side", "string", "a seat, or a group's name: its first seat; without it you have every seat"),
    Parameter("opponent", "string", "the bot of the other seats, default greedy"),
    Parameter("health", "number", "starting health, where the game has it"),
    Parameter("controller", "string", "who you are, default agent", choices=("agent", "human")),
)
ACTION = (
    Parameter("notation", "string", judged_by_rules=True),
    Parameter("action", "object", judged_by_rules=True),
    Parameter("side", "string", SIDE.description),
    Parameter("expectedVersion", "integer", "the version you saw: makes a retry safe", minimum=0),
)
_PICTURE = Answered("image/svg+xml", "An SVG.")
_UNKNOWN = {404: "No such session or seat."}
_CONFLICT = {409: "Not as that session stands, or not for that seat."}
_OF_A_SEAT = {**_UNKNOWN, **_CONFLICT}


def game_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()

    @router.post(
        "/games",
        **described(
            "Begin a game",
            shapes.Begun,
            query=(DETAIL,),
            takes=_begin_schema(),
            more={401: "The server's token is missing.", 404: "No such scenario, session, seat or bot.", **_CONFLICT},
            secret=TOKEN,
        ),
    )
    async def begin(request: Request) -> Answer:
        detail = requests.query(request, (DETAIL,)).get("detail", "full")
        given = await requests.body(request, _BEGIN)
        with admission.beginning(request):
            session = await table.new_game(NewGame.asked(given))
        begun = 0 if session.version else None  # What bots did before the caller's first turn is told.
        snapshot = table.snapshot(session, given.get("side"), detail, begun) | introduction(session)
        return Answer({"sessionId": session.session_id, "snapshot": snapshot})

    @router.get(
        "/games/{session}",
        **described("The snapshot", shapes.Snapshot, query=(SIDE, SINCE, DETAIL), more=_OF_A_SEAT),
    )
    async def state(session: str, request: Request) -> Answer:
        given = requests.query(request, (SIDE, SINCE, DETAIL))
        detail = given.get("detail", "full")
        return Answer(await table.get_state(session, given.get("side"), given.get("sinceVersion"), detail))

    @router.get(
        "/games/{session}/legal-actions",
        **described("What a seat may do", shapes.LegalActions, query=(SIDE, PREFIX, DETAIL), more=_OF_A_SEAT),
    )
    async def legal_actions(session: str, request: Request) -> Answer:
        given = requests.query(request, (SIDE, PREFIX, DETAIL))
        detail, prefix = given.get("detail", "full"), given.get("prefix")
        return Answer(await table.legal_actions(session, given.get("side"), detail, prefix))

    @router.post(
        "/games/{session}/actions",
        **described(
            "Play an action; a refusal by the rules is an answer, too",
            shapes.Outcome | shapes.Refusal,
            query=(DETAIL,),
            takes=body_schema(ACTION),
            more=_UNKNOWN,
        ),
    )
    async def submit(session: str, request: Request) -> Answer:
        detail = requests.query(request, (DETAIL,)).get("detail", "full")
        given = await requests.body(request, ACTION)
        side, expected = given.get("side"), given.get("expectedVersion")
        return Answer(await table.submit(session, given_action(given), side, expected, detail))

    @router.get(
        "/games/{session}/wait",
        **described(
            "Wait for a seat's turn",
            shapes.Waited,
            query=(SIDE, SECONDS, SINCE, DETAIL),
            more=_OF_A_SEAT,
        ),
    )
    async def wait(session: str, request: Request) -> Answer:
        given = requests.query(request, (SIDE, SECONDS, SINCE, DETAIL))
        seconds = float(given.get("timeoutSeconds", WAIT_SECONDS))
        detail = given.get("detail", "full")
        with admission.waiting(request):
            return Answer(
                await table.wait_for_turn(session, given.get("side"), seconds, given.get("sinceVersion"), detail)
            )

    @router.get("/games/{session}/record", **described("The whole record", shapes.WholeRecord, more=_UNKNOWN))
    async def record(session: str, request: Request) -> Answer:
        requests.query(request, ())
        return Answer({"record": await table.record(session)})

    @router.get(
        "/games/{session}/board.svg",
        **described("The board as a picture", _PICTURE, more=_UNKNOWN),
    )
    async def board(session: str, request: Request) -> Response:
        requests.query(request, ())
        return Response(await table.board_svg(session), media_type="image/svg+xml")

    _ = (begin, state, legal_actions, submit, wait, record, board)
    return router


def _begin_schema() -> Data:
    """Of a game begun from a scenario, a set-up, or another session; `version` goes with the last, `health` not."""
    schema = body_schema(_BEGIN, exactly_one_of=_SOURCES)
    for variant in schema["oneOf"]:
        properties = variant["properties"]
        properties["health" if variant["title"] == "fork" else "version"] = left_out(0)
    return schema
