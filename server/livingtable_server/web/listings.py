"""What there is to play, its rules, and the proof of a record."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request

from livingtable.game import game_names
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter
from livingtable_server.web import requests, shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.descriptions import TOKEN, body_schema, described
from livingtable_server.web.leaving import while_connected

_GAME = (Parameter("game", "string", "those of one game alone", choices=game_names()),)
_SECTION = (Parameter("section", "string", "its number or title, a rule's number, or words to find"),)
_PROOF = (Parameter("record", "object"), Parameter("sessionId", "string"))


def listing_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter()

    @router.get("/scenarios", **described("The scenarios and the bots", shapes.Listing, query=_GAME))
    async def scenarios(request: Request) -> Answer:
        given = requests.query(request, _GAME)
        return Answer(await table.list_scenarios(given.get("game")))

    @router.get(
        "/rules/{game}",
        **described("The rules of a game", shapes.Rules, query=_SECTION, more={404: "No such game or section."}),
    )
    async def rules(game: str, request: Request) -> Answer:
        given = requests.query(request, _SECTION)
        return Answer({"text": table.read_rules(game, given.get("section"))})

    @router.post(
        "/records/verify",
        **described(
            "Replay a record, or a session's",
            shapes.Verification,
            takes=body_schema(_PROOF, exactly_one_of=("record", "sessionId")),
            more={401: "The server's token is missing.", 404: "No such session."},
            secret=TOKEN,
        ),
    )
    async def verify(request: Request) -> Answer:
        content = await request.body()
        with admission.computing(request):
            given = await table.live.work.replays.run(lambda _stop: requests.parsed(content, _PROOF))
            if "record" in given:
                admission.check_record_sender(request)
            proof = table.verify_record(given.get("record"), given.get("sessionId"))
            return Answer(await while_connected(request, proof))

    _ = (scenarios, rules, verify)
    return router
