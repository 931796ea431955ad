"""Where an answer leads on to, as OpenAPI says it: the id that one route gives is what others ask for."""

from __future__ import annotations

from livingtable.game import Data

_SECRET = "$response.body#/playerId"


def add_links(paths: dict[str, Data]) -> None:
    """To the answers of the routes that begin something, links to those by which it goes on."""
    _lead(paths, "/games", "/games/", {"path.session": "$response.body#/sessionId"})
    _lead(paths, "/rooms", "/rooms/", {"path.code": "$response.body#/roomCode", "header.X-Player-Id": _SECRET})
    _lead(paths, "/api/players", "/api/players/", {"path.player": "$response.body#/id"})


def _lead(paths: dict[str, Data], begins: str, goes_on: str, values: dict[str, str]) -> None:
    links: dict[str, Data] = {}
    for path, operations in paths.items():
        if path.startswith(goes_on):
            for operation in operations.values():
                links[operation["operationId"]] = _link(operation, values)
    paths[begins]["post"]["responses"]["200"]["links"] = links


def _link(operation: Data, values: dict[str, str]) -> Data:
    names = {f"{p['in']}.{p['name']}" for p in operation.get("parameters", ())}
    link: Data = {
        "operationId": operation["operationId"],
        "parameters": {name: value for name, value in values.items() if name in names},
    }
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if "playerId" in body.get("properties", {}):
        link["requestBody"] = {"playerId": _SECRET}
    return link
