"""The tools: their names, what they take and give, and what each asks of the session manager."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from livingtable.game import MAX_SEED, Data, game_names
from livingtable_server.sessions import answers
from livingtable_server.sessions.beginnings import NewGame
from livingtable_server.sessions.errors import TableError
from livingtable_server.sessions.manager import WAIT_SECONDS, WAIT_SECONDS_AT_MOST, SessionManager
from livingtable_server.sessions.parameters import Parameter, check_one_of, given_action
from livingtable_server.sessions.rooms import SEAT_TIMEOUT, NewRoom
from livingtable_server.tools import texts
from livingtable_server.tools.sizes import Write, page_of

Handler = Callable[[SessionManager, Data], Awaitable[tuple[Data, Write]]]
"""From checked arguments to the structured answer, and what writes its text."""


@dataclass(frozen=True, slots=True)
class TableTool:
    """One tool. `gives` are the keys of its answer, by their JSON types; keys that may be null have no type."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    gives: dict[str, str]
    handler: Handler
    reads_only: bool = True
    core: bool = True
    local: bool = False
    """Over stdio alone: over HTTP it would give away what others have."""


SESSION = Parameter("sessionId", "string", required=True)
SIDE = Parameter("side", "string", "your seat; needed only if you have several to act")
SINCE = Parameter("sinceVersion", "integer", "adds the events after it", minimum=0)
ROOM = Parameter("roomCode", "string", required=True)
PLAYER = Parameter("playerId", "string", "your secret", required=True)
NAME = Parameter("name", "string", "your name for the others")
CONTROLLER = Parameter("controller", "string", "default agent", choices=("agent", "human"))
GAME = Parameter("game", "string", choices=game_names())
CURSOR = Parameter("cursor", "string", "nextCursor of the page before")
PREFIX = Parameter("prefix", "string", "only what begins so, as K1 or throw E")


def _detail_of(given: Data) -> answers.Detail:
    """Of a call that is full unless it says otherwise; a later part of a state is."""
    return "full" if "cursor" in given else given.get("detail", "full")


def _detail(default: Literal["full", "brief"]) -> Parameter:
    return Parameter("detail", "string", f"default {default}", choices=("full", "brief"))


async def _list_scenarios(table: SessionManager, given: Data) -> tuple[Data, Write]:
    listed = await table.list_scenarios(given.get("game"))
    return page_of(listed, ("scenarios", "problems"), given.get("cursor")), texts.as_json


async def _read_rules(table: SessionManager, given: Data) -> tuple[Data, Write]:
    text = table.read_rules(given["game"], given.get("section"))
    return {"text": text}, _text_of


def _text_of(answer: Data) -> str:
    return answer["text"]


def _begun_text(answer: Data) -> str:
    return texts.snapshot_text(answer["snapshot"])


async def _new_game(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = given.pop("detail", "full")
    session = await table.new_game(NewGame.asked(given))
    begun = 0 if session.version else None  # What bots did before the caller's first turn is told.
    snapshot = table.snapshot(session, given.get("side"), detail, begun)
    snapshot |= answers.introduction(session)
    answer = {"sessionId": session.session_id, "snapshot": snapshot}
    return answer, _begun_text if detail == "brief" else texts.as_json


async def _get_state(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail = _detail_of(given)
    answer = await table.get_state(given["sessionId"], given.get("side"), given.get("sinceVersion"), detail)
    return answer, texts.snapshot_text if detail == "brief" else texts.as_json


async def _list_legal_actions(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = given.get("detail", "full")
    answer = await table.legal_actions(given["sessionId"], given.get("side"), detail, given.get("prefix"))
    return answer, texts.legal_text if detail == "brief" else texts.as_json


async def _submit_action(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = given.get("detail", "brief")
    answer = await table.submit(
        given["sessionId"], given_action(given), given.get("side"), given.get("expectedVersion"), detail
    )
    return answer, _outcome_writer(answer, detail)


def _outcome_writer(answer: Data, detail: answers.Detail) -> Write:
    return texts.as_json if answer["ok"] and detail == "full" else texts.progress_text


async def _wait_for_turn(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = given.get("detail", "brief")
    seconds = float(given.get("timeoutSeconds", WAIT_SECONDS))
    since = given.get("sinceVersion")
    if _in_room(given):
        if "playerId" not in given:
            raise TableError('"playerId" is missing: it says for whose turn to wait.')
        answer = await table.rooms.wait(given["roomCode"], given["playerId"], seconds, since, detail)
    else:
        answer = await table.wait_for_turn(given["sessionId"], given.get("side"), seconds, since, detail)
    return answer, texts.progress_text if detail == "brief" else texts.as_json


async def _get_record(table: SessionManager, given: Data) -> tuple[Data, Write]:
    cursor = given.get("cursor")
    if _in_room(given):
        answer = await table.rooms.record_page(given["roomCode"], given.get("playerId"), cursor)
    else:
        answer = await table.record_page(given["sessionId"], cursor)
    return answer, texts.as_json


def _in_room(given: Data) -> bool:
    """Whether a call is about a room. Raises `TableError` where it says neither or both."""
    return check_one_of({key: given.get(key) for key in ("sessionId", "roomCode")}) == "roomCode"


async def _verify_record(table: SessionManager, given: Data) -> tuple[Data, Write]:
    answer = await table.verify_record(given.get("record"), given.get("sessionId"))
    return answer, texts.as_json


async def _create_room(table: SessionManager, given: Data) -> tuple[Data, Write]:
    answer = await table.rooms.create(NewRoom.asked(given))
    return answer, texts.as_json


async def _join_room(table: SessionManager, given: Data) -> tuple[Data, Write]:
    answer = await table.rooms.join(
        given["roomCode"],
        given.get("side"),
        given.get("name"),
        given.get("controller", "agent"),
        given.get("playerId"),
    )
    return answer, texts.as_json


async def _seat_bot(table: SessionManager, given: Data) -> tuple[Data, Write]:
    answer = await table.rooms.seat_bot(given["roomCode"], given["playerId"], given.get("side"), given.get("bot"))
    return answer, texts.as_json


async def _submit_room_action(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = given.get("detail", "brief")
    answer = await table.rooms.submit(
        given["roomCode"], given["playerId"], given_action(given), given.get("expectedVersion"), detail
    )
    return answer, _outcome_writer(answer, detail)


async def _get_room_state(table: SessionManager, given: Data) -> tuple[Data, Write]:
    detail: answers.Detail = "full" if "cursor" in given else given.get("detail", "brief")
    if "prefix" in given:
        if "playerId" not in given:
            raise TableError('"playerId" is missing: it says whose legal actions are wanted.')
        listed = await table.rooms.legal_actions(given["roomCode"], given["playerId"], detail, given["prefix"])
        return listed, texts.legal_text if detail == "brief" else texts.as_json
    answer = await table.rooms.state(given["roomCode"], given.get("playerId"), given.get("sinceVersion"), detail)
    return answer, texts.snapshot_text if detail == "brief" else texts.as_json


async def _list_sessions(table: SessionManager, given: Data) -> tuple[Data, Write]:
    sessions = await table.list_sessions(given.get("active"))
    answer = page_of({"sessions": sessions}, ("sessions",), given.get("cursor"))
    return answer, texts.as_json


TOOLS: tuple[TableTool, ...] = (
    TableTool(
        "list_scenarios",
        "Lists the scenarios that can be played, with their seats, and the bots to play against.",
        (GAME, CURSOR),
        {"scenarios": "array", "bots": "array", "nextCursor": "string"},
        _list_scenarios,
    ),
    TableTool(
        "read_rules",
        "The rules of a game as text, whole or one section.",
        (
            Parameter("game", "string", required=True, choices=game_names()),
            Parameter("section", "string", "its number or title, a rule's number, or words to find"),
        ),
        {"text": "string"},
        _read_rules,
    ),
    TableTool(
        "new_game",
        "Begins a game from one of scenario, setup or fork. With side you play that seat and bots the rest; without "
        "it you play every seat. Keep the sessionId: every later call needs it.",
        (
            Parameter("scenario", "string", "a name from list_scenarios"),
            Parameter("setup", "object", "a whole scenario of your own"),
            Parameter("fork", "string", "a sessionId to go on from"),
            Parameter("version", "integer", "with fork: from that version", minimum=0),
            Parameter("seed", "integer", "drawn if left out; with fork: for new dice", minimum=0, maximum=MAX_SEED),
            Parameter("side", "string", "a seat such as p1, or a group's name: its first seat"),
            Parameter("opponent", "string", "the bot of the other seats, default greedy"),
            Parameter("health", "number", "starting health, where the game has it"),
            _detail("full"),
        ),
        {"sessionId": "string", "snapshot": "object"},
        _new_game,
        reads_only=False,
    ),
    TableTool(
        "get_state",
        "The snapshot of a session: board or state, whose turn, your legal lines, the result. Where an answer has "
        "eventsOmitted, sinceVersion eventsSince with detail full gives them all.",
        (SESSION, SIDE, SINCE, CURSOR, _detail("full")),
        {"sessionId": "string", "version": "integer", "toAct": "array"},
        _get_state,
    ),
    TableTool(
        "list_legal_actions",
        "Everything that your seat may do now; where that is nothing, the reason.",
        (SESSION, SIDE, PREFIX, _detail("full")),
        {"version": "integer", "toAct": "array"},
        _list_legal_actions,
    ),
    TableTool(
        "submit_action",
        "Plays one legal action for your seat: exactly one of notation (a prefix and ONE alternative of a legal "
        "line: of `move 3,4 5,5` send `move 5,5`) and action (its JSON object). The answer has the events, bots' turns "
        "included, and your next legal lines. With ok false nothing has changed: read the reason and choose another.",
        (
            SESSION,
            Parameter("notation", "string", judged_by_rules=True),
            Parameter("action", "object", judged_by_rules=True),
            SIDE,
            Parameter("expectedVersion", "integer", "the version you saw: makes a retry safe", minimum=0),
            _detail("brief"),
        ),
        {"ok": "boolean", "version": "integer", "toAct": "array"},
        _submit_action,
        reads_only=False,
    ),
    TableTool(
        "wait_for_turn",
        "Waits until your seat is to act or the game is over: of a session, or of a room with your playerId. If ready "
        "is false, call it again.",
        (
            Parameter("sessionId", "string"),
            SIDE,
            Parameter("roomCode", "string"),
            Parameter("playerId", "string"),
            Parameter("timeoutSeconds", "number", f"default {WAIT_SECONDS}", minimum=0, maximum=WAIT_SECONDS_AT_MOST),
            SINCE,
            _detail("brief"),
        ),
        {"ready": "boolean", "version": "integer", "toAct": "array"},
        _wait_for_turn,
        reads_only=False,  # Bots that have turns left play them meanwhile.
    ),
    TableTool(
        "get_record",
        "The record of a session or room, from which it replays exactly; further pages by cursor.",
        (
            Parameter("sessionId", "string"),
            Parameter("roomCode", "string"),
            Parameter("playerId", "string"),
            CURSOR,
        ),
        {"record": "object", "nextCursor": "string"},
        _get_record,
        core=False,
    ),
    TableTool(
        "verify_record",
        "Replays a record, or a session's, and says whether it comes out as recorded and where it first differs.",
        (Parameter("record", "object"), Parameter("sessionId", "string")),
        {"ok": "boolean", "firstDifference": "object"},
        _verify_record,
        core=False,
    ),
    TableTool(
        "create_room",
        "Makes a room in which others take the open seats, and gives you one. Keep the playerId, it is your secret; "
        "give the roomCode to the others. The game begins when no seat is open.",
        (
            Parameter("scenario", "string", "a name from list_scenarios"),
            Parameter("setup", "object", "a whole scenario of your own"),
            Parameter("side", "string", "your seat, default the first"),
            Parameter("seed", "integer", "drawn if left out; given, all see it", minimum=0, maximum=MAX_SEED),
            NAME,
            CONTROLLER,
            SEAT_TIMEOUT,
        ),
        {"roomCode": "string", "playerId": "string", "side": "string"},
        _create_room,
        reads_only=False,
        core=False,
    ),
    TableTool(
        "join_room",
        "Takes an open or bot-held seat in a room and gives you a playerId, your secret. With playerId you come back "
        "to your seat.",
        (ROOM, Parameter("side", "string"), NAME, CONTROLLER, Parameter("playerId", "string")),
        {"playerId": "string", "side": "string"},
        _join_room,
        reads_only=False,
        core=False,
    ),
    TableTool(
        "seat_bot",
        "Seats a bot: the room's maker on an open seat (side all: on each), anyone in the own place, which gives the "
        "seat up.",
        (ROOM, PLAYER, Parameter("side", "string"), Parameter("bot", "string", "default greedy")),
        {"room": "object", "players": "array"},
        _seat_bot,
        reads_only=False,
        core=False,
    ),
    TableTool(
        "submit_room_action",
        "As submit_action, for your seat in a room; the others answer later: use wait_for_turn.",
        (
            ROOM,
            PLAYER,
            Parameter("notation", "string", judged_by_rules=True),
            Parameter("action", "object", judged_by_rules=True),
            Parameter("expectedVersion", "integer", "makes a retry safe", minimum=0),
            _detail("brief"),
        ),
        {"ok": "boolean", "version": "integer", "toAct": "array"},
        _submit_room_action,
        reads_only=False,
        core=False,
    ),
    TableTool(
        "get_room_state",
        "The snapshot of a room: who sits where, the board, the events since sinceVersion, your legal lines. With "
        "prefix your legal lines alone.",
        (ROOM, Parameter("playerId", "string"), SINCE, CURSOR, PREFIX, _detail("brief")),
        {"version": "integer", "toAct": "array", "room": "object", "players": "array"},
        _get_room_state,
        core=False,
    ),
    TableTool(
        "list_sessions",
        "The games kept here, newest first, to find one to go on with.",
        (Parameter("active", "boolean", "true: unfinished only; false: finished only"), CURSOR),
        {"sessions": "array", "nextCursor": "string"},
        _list_sessions,
        core=False,
        local=True,
    ),
)


def tools_of(choice: Literal["core", "all"]) -> list[TableTool]:
    return [tool for tool in TOOLS if tool.core or choice == "all"]
