"""Requests that cannot be met are told so by their status, and told what would be right (C60, C62, C64, C65)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from tests.server.setups import FAR_APART
from tests.web.rest import Rest

pytestmark = pytest.mark.anyio

UNKNOWN = "there" * 4


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/games/{UNKNOWN}"),
        ("GET", f"/games/{UNKNOWN}/legal-actions"),
        ("GET", f"/games/{UNKNOWN}/wait"),
        ("GET", f"/games/{UNKNOWN}/record"),
        ("GET", f"/games/{UNKNOWN}/events"),
        ("GET", f"/games/{UNKNOWN}/board.svg"),
        ("GET", "/rules/chess"),
        ("GET", "/rules/botwars?section=castling"),
        ("GET", "/nowhere"),
        ("GET", "/docs"),
        ("GET", "/games/"),
    ],
)
async def test_what_is_not_there_is_404(rest: Rest, method: str, path: str) -> None:
    detail = await rest.problem(404, method, path, headers={"Accept": "application/json"})
    assert UNKNOWN not in detail


async def test_a_submit_to_an_unknown_session_is_404(rest: Rest) -> None:
    await rest.problem(404, "POST", f"/games/{UNKNOWN}/actions", json={"notation": "pass"})


@pytest.mark.parametrize(
    ("body", "nearest"),
    [
        ({"scenario": "crosroads"}, "crossroads"),
        ({"scenario": "crossroads", "opponent": "gredy"}, "greedy"),
        ({"scenario": "crossroads", "side": "p99"}, "p1"),
    ],
    ids=str,
)
async def test_an_unknown_name_is_404_and_the_nearest_is_named(rest: Rest, body: dict[str, str], nearest: str) -> None:
    assert nearest in await rest.problem(404, "POST", "/games", json=body)


@pytest.mark.parametrize(
    ("path", "body", "wrong", "nearest"),
    [
        ("/games", {"scenario": "crossroads", "sead": 1}, "sead", "seed"),
        ("/games", {"scenaro": "crossroads"}, "scenaro", "scenario"),
        ("/games/x/actions", {"acton": {}}, "acton", "action"),
        ("/games/x/actions", {"notation": "pass", "expectedversion": 0}, "expectedversion", "expectedVersion"),
        ("/records/verify", {"recrod": {}}, "recrod", "record"),
    ],
    ids=str,
)
async def test_a_misspelt_key_is_named_with_the_nearest_known_one(
    rest: Rest, path: str, body: dict[str, object], wrong: str, nearest: str
) -> None:
    """C64"""
    detail = await rest.problem(422, "POST", path, json=body)
    assert f'"{wrong}"' in detail
    assert f'did you mean "{nearest}"?' in detail


@pytest.mark.parametrize(
    ("path", "wrong", "nearest"),
    [
        ("/games/x?sinceversion=1", "sinceversion", "sinceVersion"),
        ("/games/x/legal-actions?sid=p1", "sid", "side"),
        ("/games/x/wait?timeout=1", "timeout", "timeoutSeconds"),
        ("/games/x/events?sinse=1", "sinse", "since"),
        ("/scenarios?gane=x", "gane", "game"),
    ],
)
async def test_a_misspelt_query_is_named_with_the_nearest_known_one(
    rest: Rest, path: str, wrong: str, nearest: str
) -> None:
    """C64"""
    detail = await rest.problem(422, "GET", path)
    assert f'"{wrong}"' in detail
    assert f'did you mean "{nearest}"?' in detail


@pytest.mark.parametrize(
    "path",
    [
        "/games/x?detail=long",
        "/games/x?detail=full&detail=brief",
        "/games/x?sinceVersion=-1",
        "/games/x?sinceVersion=one",
        "/games/x/wait?timeoutSeconds=26",
        "/games/x/wait?timeoutSeconds=nan",
        "/games/x/wait?timeoutSeconds=1e999",
        "/games/x/events?since=1.5",
        "/scenarios?game=chess",
    ],
)
async def test_a_query_of_a_wrong_value_is_422(rest: Rest, path: str) -> None:
    await rest.problem(422, "GET", path)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"scenario=crossroads",
        b'{"scenario": "crossroads"} {}',
        b'{"scenario": "crossroads", "health": NaN}',
        b'{"scenario": "crossroads", "health": -Infinity}',
        b"[]",
        b'"crossroads"',
        b"null",
        b"\xff\xfe{}",
        b'{"scenario": "cross\xe9"}',
        b'\xef\xbb\xbf{"scenario": "crossroads"}',
    ],
    ids=repr,
)
async def test_a_body_that_is_no_json_object_is_422(rest: Rest, body: bytes) -> None:
    await rest.problem(422, "POST", "/games", content=body)


@pytest.mark.parametrize(
    "seed", ["-1", "9007199254740992", "1.5", "true", '"abc"', '"7"', "9" * 5000, "1e400", "NaN", "[]"]
)
async def test_a_seed_that_is_none_is_refused(rest: Rest, seed: str) -> None:
    """C60"""
    body = f'{{"scenario": "crossroads", "seed": {seed}}}'
    detail = await rest.problem(422, "POST", "/games", content=body)
    assert "9007199254740991" in detail or "no JSON" in detail
    assert len(detail) < 300


@pytest.mark.parametrize("seed", [0, 2**53 - 1, 7.0])
async def test_a_seed_within_the_range_is_taken(rest: Rest, seed: float) -> None:
    """C60"""
    begun = await rest.post("/games", {"scenario": "crossroads", "seed": seed})
    assert begun["snapshot"]["seed"] == seed


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scenario": "crossroads", "setup": dict(FAR_APART)},
        {"scenario": "crossroads", "version": 1},
        {"setup": {"game": "botwars", "map": ["..", "."]}},
        {"setup": {"game": "chess"}},
        {"setup": {}},
        {"setup": []},
        {"scenario": ["crossroads"]},
        {"scenario": "castle_siege", "health": 5},
        {"scenario": "crossroads", "health": 1e400},
    ],
    ids=str,
)
async def test_a_game_that_cannot_be_begun_is_422(rest: Rest, body: dict[str, object]) -> None:
    import json

    await rest.problem(422, "POST", "/games", content=json.dumps(body))


@pytest.mark.parametrize("record", [{}, {"format": "living-table/9"}, {"format": "living-table/1"}])
async def test_a_record_that_cannot_be_replayed_is_422(rest: Rest, record: dict[str, str]) -> None:
    await rest.problem(422, "POST", "/records/verify", json={"record": record})


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/games", "POST"),
        ("DELETE", "/scenarios", "GET"),
        ("GET", "/mcp", "POST"),
        ("GET", "/mcp/", "POST"),
        ("PUT", "/games/x", "GET"),
    ],
)
async def test_another_method_is_405_and_the_right_one_is_named(
    rest: Rest, method: str, path: str, allowed: str
) -> None:
    assert allowed in await rest.problem(405, method, path)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"])
async def test_a_body_of_another_type_is_415(rest: Rest, kind: str) -> None:
    """A page of another site can send these without asking the server first."""
    headers = {"content-type": kind}
    assert "application/json" in await rest.problem(
        415, "POST", "/games", content=b'{"scenario": "crossroads"}', headers=headers
    )


NAMES = [
    "../../x",
    "%2e%2e%2f",
    "/etc/passwd",
    "CON",
    "x.",
    "\0",
    "n" * 300,
    "<svg/onload=alert()>",
    "..\\..\\x",
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
async def test_a_strange_name_in_a_path_or_body_finds_nothing(rest: Rest, name: str, tmp_path: Path) -> None:
    """C62"""
    inside = quote(name, safe="")
    for path in (f"/games/{inside}", f"/games/{inside}/record", f"/rules/{inside}"):
        await rest.problem(404, "GET", path)
    for key in ("scenario", "fork"):
        await rest.problem(404, "POST", "/games", json={key: name})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [n for n in NAMES if len(n) <= 32 and n.isprintable()], ids=repr)
async def test_a_strange_name_of_a_player_is_shown_as_text(rest: Rest, name: str) -> None:
    """C62, C66"""
    setup = {**FAR_APART, "characters": [{"name": name, "position": "0,0", "strength": 2.0}, {}]}
    begun = await rest.post("/games", {"setup": setup})
    assert begun["snapshot"]["seats"][0]["name"] == name
    picture = await rest.client.get(f"/games/{begun['sessionId']}/board.svg")
    assert "<svg/onload" not in picture.text


@pytest.mark.parametrize(
    "bot", ["x.py:Bot", "mcp+stdio:sh", "http://127.0.0.1/", "search:1000000000", "random:5", "../random"]
)
async def test_no_bot_is_loaded_or_fetched_over_the_wire(rest: Rest, bot: str) -> None:
    """C65"""
    await rest.problem(404, "POST", "/games", json={"scenario": "crossroads", "side": "p1", "opponent": bot})
