"""The lobby of botWebWars, for bots in any language: register, start, and play by one route an action.

This is the one part of the server that knows a game: the routes are that game's own. What is played is a room like any
other, in which a bot's token is its secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.requests import Request

from livingtable.game import Data
from livingtable_server.sessions.beginnings import capability
from livingtable_server.sessions.codes import hashed, matches
from livingtable_server.sessions.errors import ConflictError, NotFoundError, SecretError, TableError
from livingtable_server.sessions.knocking import watched_by
from livingtable_server.sessions.manager import SessionManager
from livingtable_server.sessions.parameters import Parameter
from livingtable_server.sessions.presence import utc_now
from livingtable_server.sessions.rooms import NAME_AT_MOST, check_name
from livingtable_server.web import registrations, requests, shapes
from livingtable_server.web.admission import Admission
from livingtable_server.web.answers import Answer
from livingtable_server.web.descriptions import PLAYER, TOKEN, body_schema, described

T = TypeVar("T")

NAME = "botwebwars"
LEAST_STRENGTH, MOST_STRENGTH = 0.1, 5.0
EMPTY: Data = {"players": [], "room": None}
DIRECTIONS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
_KINDS = ("player", "troll")
_REGISTER = (
    Parameter("name", "string", required=True, lengths=(1, NAME_AT_MOST)),
    Parameter("character_type", "string", choices=_KINDS),
    Parameter("piece_type", "string", "the same as character_type", choices=_KINDS),
    Parameter("strength", "number", "in tenths, drawn if left out", minimum=LEAST_STRENGTH, maximum=MOST_STRENGTH),
)
_CONFLICT = {409: "Not as the lobby and its game stand."}
_UNKNOWN = {401: "The token is missing.", 403: "That is not this player's token.", 404: "No such player.", **_CONFLICT}


@dataclass(frozen=True, slots=True)
class Deed:
    """A route of a player: what it takes, and the action that this makes, from where the player stands."""

    path: str
    takes: tuple[Parameter, ...]
    action: Callable[[Data, str], Data]
    exactly_one_of: tuple[str, ...] = ()


def _moved(given: Data, cell: str) -> Data:
    if ("to" in given) == ("direction" in given):
        raise TableError('Give exactly one of "to", a cell such as "3,4", and "direction".')
    if "to" in given:
        return {"type": "move", "to": given["to"]}
    x, y = (int(part) for part in cell.split(","))
    dx, dy = DIRECTIONS[given["direction"]]
    return {"type": "move", "to": f"{x + dx},{y + dy}"}


_TARGET = (Parameter("target", "string", "a player's id", required=True),)
DEEDS = (
    Deed(
        "move",
        (Parameter("to", "string", 'a cell such as "3,4"'), Parameter("direction", "string", choices=(*DIRECTIONS,))),
        _moved,
        ("to", "direction"),
    ),
    Deed("pass", (), lambda _given, _cell: {"type": "pass"}),
    Deed("ally", _TARGET, lambda given, _cell: {"type": "ally", "target": given["target"]}),
    Deed(
        "answer",
        (Parameter("accept", "boolean", required=True),),
        lambda given, _cell: {"type": "answer", "accept": given["accept"]},
    ),
    Deed("attack", _TARGET, lambda given, _cell: {"type": "attack", "target": given["target"]}),
    Deed("challenge", (), lambda _given, _cell: {"type": "challenge"}),
    Deed(
        "reward",
        (Parameter("choice", "string", required=True, choices=("score", "strength", "health")),),
        lambda given, _cell: {"type": "reward", "choice": given["choice"]},
    ),
    Deed("sleep", (), lambda _given, _cell: {"type": "sleep"}),
)


class Lobby:
    """Who has registered for the next game, and the room of the one that is played; kept in the ledger."""

    def __init__(self, table: SessionManager) -> None:
        self._table = table

    async def register(self, given: Data) -> Data:
        """Takes part in the next game: `{id, token}`. After a game's end the first to register opens a new lobby."""
        player = _checked_player(given)
        token = capability()

        def registered(data: Data) -> tuple[Data, str]:
            if data["room"] is not None:
                raise ConflictError("A game is being played: register when it is over.")
            players, side = registrations.registered(data["players"], player, token, utc_now())
            return {**data, "players": players}, side

        return {"id": await self._change(registered), "token": token}

    async def start(self, token: str) -> Data:
        """Begins the game with all who have registered."""
        revision, data = await self._read(token)
        if not any(matches(hashed(token), player["secret"]) for player in data["players"]):
            raise SecretError(
                "That is no registered player's token. One that is not used for "
                f"{registrations.UNUSED_MINUTES} minutes before the game counts no more: register again.",
                given=True,
            )
        if data["room"] is not None:
            raise ConflictError("The game has begun already.")
        players: list[Data] = data["players"]
        if len(players) < registrations.PLAYERS_AT_LEAST:
            raise ConflictError(
                f"A game needs at least {registrations.PLAYERS_AT_LEAST} players; {len(players)} has registered."
            )
        characters = [registrations.shown(player) for player in players]
        setup: Data = {
            "game": "botwars",
            "name": NAME,
            "title": "botWebWars",
            "map": {"width": 16, "height": 16, "obstacles": 0.15},
            "characters": characters,
        }
        seats = {player["id"]: (player["name"], player["secret"]) for player in players}
        code = await self._table.rooms.seat_all(setup, self._table.health, seats)
        ledger = await self._table.live.ledger()
        if not await ledger.update_lobby(NAME, revision, {**data, "room": code}):
            await ledger.close_room(code)
            raise ConflictError("Somebody has registered or begun the game just now: look at the state again.")
        return await self.state(token)

    async def state(self, token: str | None) -> Data:
        """Before the game who has registered; then its state, as the player who asks, or a spectator, sees it."""
        _, data = await self._read(token)
        players = [registrations.shown(player) for player in data["players"]]
        if data["room"] is None:
            return {"started": False, "players": players}
        known = token if any(matches(hashed(token or ""), p["secret"]) for p in data["players"]) else None
        try:
            with watched_by(None):  # The lobby knows the code, whatever else its client has asked for.
                snapshot = await self._table.rooms.state(data["room"], known, None, "full")
        except NotFoundError:  # Closed by the host: whoever registers now opens a new lobby.
            return {"started": False, "players": []}
        kept = ("version", "round", "phase", "toAct", "side", "result", "state", "legal")
        return {"started": True, "players": players, **{key: snapshot[key] for key in kept if key in snapshot}}

    async def act(self, side: str, token: str, deed: Deed, given: Data) -> Data:
        """One action of a registered player: an outcome, or a refusal by the rules."""
        _, data = await self._read(token)
        player = next((player for player in data["players"] if player["id"] == side), None)
        if player is None:
            raise NotFoundError(f'No player "{side[:20]}" has registered.')
        if not matches(hashed(token), player["secret"]):
            raise SecretError("That is not this player's token.", given=True)
        if data["room"] is None:
            raise ConflictError("The game has not begun: POST /api/start begins it.")
        snapshot = await self._table.rooms.state(data["room"], token, None, "full")
        cell = next(c["position"] for c in snapshot["state"]["characters"] if c["id"] == side)
        return await self._table.rooms.submit(data["room"], token, deed.action(given, cell or "0,0"), None, "full")

    async def clear(self) -> int:
        """Drops all registrations for the next game; returns how many there were. For whoever hosts the lobby."""

        def cleared(data: Data) -> tuple[Data, int]:
            if data["room"] is not None:
                code = data["room"]
                raise ConflictError(f"A game is being played, in room {code}: living-table rooms close {code} ends it.")
            return EMPTY, len(data["players"])

        return await self._change(cleared)

    async def listing(self) -> Data:
        """For whoever hosts it: `players`, with when each token was last used, and the `room` of a game that is being
        played, else null."""
        _, data = await self._read()
        room = data["room"]
        if room is not None and await self._is_over(room):
            return EMPTY
        return {
            "players": [{**registrations.shown(p), "seen": p.get("seen")} for p in data["players"]],
            "room": room,
        }

    async def _read(self, token: str | None = None) -> tuple[int, Data]:
        """What is kept; of a game that is over nothing but its players, until somebody registers for the next. Before
        the game the registrations whose tokens nobody uses are dropped; that one is used now."""
        ledger = await self._table.live.ledger()
        while True:
            revision, data = await ledger.lobby(NAME, EMPTY)
            if data["room"] is not None:
                return revision, data
            players = registrations.in_use(data["players"], utc_now(), token)
            if players == data["players"]:
                return revision, data
            await ledger.update_lobby(NAME, revision, {**data, "players": players})

    async def _change(self, change: Callable[[Data], tuple[Data, T]]) -> T:
        ledger = await self._table.live.ledger()
        while True:
            revision, data = await self._read()
            if data["room"] is not None and await self._is_over(data["room"]):
                data = EMPTY
            changed, answer = change(data)
            if await ledger.update_lobby(NAME, revision, changed):
                return answer

    async def _is_over(self, code: str) -> bool:
        try:
            with watched_by(None):
                return (await self._table.rooms.state(code, None, None, "brief"))["result"] is not None
        except NotFoundError:  # closed by the host
            return True


def _checked_player(given: Mapping[str, Any]) -> Data:
    check_name(given["name"])
    kinds = {given.get("character_type"), given.get("piece_type")} - {None}
    if len(kinds) > 1:
        raise TableError('"piece_type" must be the same as "character_type".')
    player: Data = {"name": given["name"], "characterType": kinds.pop() if kinds else "player"}
    if "strength" in given:
        strength = given["strength"]
        if not LEAST_STRENGTH <= strength <= MOST_STRENGTH or round(strength, 1) != strength:
            raise TableError('"strength" must be from 0.1 to 5.0, in tenths.')
        player["strength"] = strength
    return player


def lobby_routes(table: SessionManager, admission: Admission) -> APIRouter:
    router = APIRouter(prefix="/api")
    lobby = Lobby(table)

    @router.post(
        "/players",
        **described(
            "Register for the next game",
            shapes.Registered,
            takes=body_schema(_REGISTER),
            more={401: "The server's token is missing.", **_CONFLICT},
            secret=TOKEN,
        ),
    )
    async def register(request: Request) -> Answer:
        given = await requests.body(request, _REGISTER)
        with admission.beginning(request):
            return Answer(await lobby.register(given))

    @router.post("/start", **described("Begin the game", shapes.LobbyState, more=_UNKNOWN, secret=PLAYER))
    async def start(request: Request) -> Answer:
        requests.query(request, ())
        return Answer(await lobby.start(_token(request)))

    @router.get("/state", **described("Who has registered, or how the game stands", shapes.LobbyState))
    async def state(request: Request) -> Answer:
        requests.query(request, ())
        return Answer(await lobby.state(requests.bearer(request)))

    for deed in DEEDS:
        _add_deed(router, lobby, deed)
    _ = (register, start, state)
    return router


def _add_deed(router: APIRouter, lobby: Lobby, deed: Deed) -> None:
    takes = body_schema(deed.takes, deed.exactly_one_of) if deed.takes else None

    @router.post(
        f"/players/{{player}}/{deed.path}",
        **described(
            f"{deed.path}, as an action", shapes.Outcome | shapes.Refusal, takes=takes, more=_UNKNOWN, secret=PLAYER
        ),
    )
    async def act(player: str, request: Request) -> Answer:
        token = _token(request)
        given = await requests.body(request, deed.takes) if deed.takes else {}
        return Answer(await lobby.act(player, token, deed, given))

    _ = act


def _token(request: Request) -> str:
    token = requests.bearer(request)
    if token is None:
        raise SecretError('Send your token in the header "Authorization: Bearer TOKEN".', given=False)
    return token
