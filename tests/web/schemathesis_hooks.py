"""What schemathesis cannot know from a description: set-ups that can be played, records that replay, who is a player.

It imports this before it asks anything (`SCHEMATHESIS_HOOKS`). Requests that are meant to be wrong stay as they are.
"""

# pyright: basic
# Its types are generic in what it does not say.

from __future__ import annotations

import json
import os
import urllib.request
from functools import cache
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from tests.server.setups import ONE_LEFT_TO_BEAT

from livingtable.game import Data
from livingtable.scenarios import is_one_line

SETUP = {key: value for key, value in ONE_LEFT_TO_BEAT.items() if key != "dice"}
"""Without dice, which rooms do not take."""
URL = os.environ.get("LIVING_TABLE_TESTED", "")


@schemathesis.hook
def before_call(_context: schemathesis.HookContext, case: schemathesis.Case, **_more: Any) -> None:
    if is_meant_right(case, ParameterLocation.BODY) and isinstance(case.body, dict):
        case.body = playable(case.body)
    if "player" in case.path_parameters and is_meant_right(case, ParameterLocation.PATH):
        case.path_parameters["player"] = registered()[0]


@schemathesis.auth().apply_to(path_regex=r"^/api/(start|players/\{)")
class Player:
    """Who has registered, and shows it."""

    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> str:
        return registered()[1]

    def set(self, case: schemathesis.Case, data: str, context: schemathesis.AuthContext) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


def is_meant_right(case: schemathesis.Case, place: ParameterLocation) -> bool:
    if case.meta is None:
        return True
    component = case.meta.components.get(place)
    return component is None or component.mode.is_positive


def playable(body: Data) -> Data:
    """The body with what a schema cannot ask for: a set-up, a record, a name on one line, a strength in tenths."""
    changed = dict(body)
    if body.get("setup") and isinstance(body["setup"], dict):
        changed |= {"setup": SETUP, **({"health": None} if "health" in body else {})}
    if body.get("record") and isinstance(body["record"], dict):
        changed["record"] = a_record()
    name = body.get("name")
    if name and isinstance(name, str) and (not is_one_line(name) or not name.strip()):
        changed["name"] = "Ada"
    if isinstance(body.get("strength"), float | int):
        changed["strength"] = 2.5
    if body.get("character_type") and body.get("piece_type"):
        changed["piece_type"] = body["character_type"]
    return changed


@cache
def a_record() -> Data:
    session = post("/games", {"setup": SETUP})["sessionId"]
    post(f"/games/{session}/actions", {"notation": "attack t1"})
    with urllib.request.urlopen(f"{URL}/games/{session}/record") as answer:
        return json.load(answer)["record"]


@cache
def registered() -> tuple[str, str]:
    """A player of a game that is played, and its token."""
    first, _ = (post("/api/players", {"name": name}) for name in ("Ada", "Bo"))
    post("/api/start", {}, first["token"])
    return first["id"], first["token"]


def post(path: str, body: Data, token: str = "") -> Data:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{URL}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
