"""The lobby of botWebWars: bots in any language register, start and play by one route an action."""

from __future__ import annotations

from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from livingtable.game import Data

pytestmark = pytest.mark.anyio


class Bots:
    """Bots of a lobby: their tokens by id."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client
        self.tokens: dict[str, str] = {}

    async def register(self, **given: Any) -> str:
        answer = await self.client.post("/api/players", json=given)
        assert answer.status_code == 200, answer.text
        self.tokens[answer.json()["id"]] = answer.json()["token"]
        return answer.json()["id"]

    async def ask(self, method: str, path: str, of: str | None = None, **body: Any) -> Response:
        headers = {"Authorization": f"Bearer {self.tokens[of]}"} if of else {}
        return await self.client.request(method, path, headers=headers, json=body or None)

    async def act(self, player: str, deed: str, **body: Any) -> Data:
        answer = await self.ask("POST", f"/api/players/{player}/{deed}", player, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def state(self, of: str | None = None) -> Data:
        return (await self.ask("GET", "/api/state", of)).json()


@pytest.fixture
def bots(client: AsyncClient) -> Bots:
    return Bots(client)


@pytest.fixture
async def begun(bots: Bots) -> Bots:
    """Two players and a troll, at play."""
    for given in ({"name": "Ada"}, {"name": "Bo", "strength": 2.5}, {"name": "Grum", "character_type": "troll"}):
        await bots.register(**given)
    assert (await bots.ask("POST", "/api/start", "p1")).status_code == 200
    return bots


async def test_ids_go_by_kind_in_the_order_of_registration(bots: Bots) -> None:
    """BW-0.4"""
    kinds: list[Data] = [{}, {"piece_type": "troll"}, {"character_type": "player"}, {"character_type": "troll"}]
    assert [await bots.register(name="x", **kind) for kind in kinds] == ["p1", "t1", "p2", "t2"]


async def test_before_the_game_the_state_lists_who_has_registered_without_their_tokens(bots: Bots) -> None:
    await bots.register(name="Ada", strength=2.0)
    state = await bots.state()
    assert state["started"] is False
    assert state["players"] == [{"id": "p1", "name": "Ada", "characterType": "player", "strength": 2.0}]
    assert bots.tokens["p1"] not in str(state)


async def test_a_started_game_shows_its_state_with_the_strengths_that_were_given(begun: Bots) -> None:
    state = await begun.state()
    assert (state["started"], state["toAct"], state["phase"]) == (True, ["p1"], "turn")
    bo = next(c for c in state["state"]["characters"] if c["id"] == "p2")
    assert (bo["name"], bo["strength"], bo["health"]) == ("Bo", 2.5, 10.0)
    assert "seed" not in state


async def test_a_player_who_asks_is_told_what_it_may_do(begun: Bots) -> None:
    assert (await begun.state("p1"))["legal"]
    assert "legal" not in await begun.state("p2")


async def test_a_pass_is_an_action_whose_outcome_is_told(begun: Bots) -> None:
    outcome = await begun.act("p1", "pass")
    assert (outcome["ok"], outcome["version"], outcome["toAct"]) == (True, 1, ["p2"])


@pytest.mark.parametrize("by", ["to", "direction"])
async def test_a_move_is_named_by_its_cell_or_its_direction(begun: Bots, by: str) -> None:
    state = await begun.state("p1")
    here = next(c["position"] for c in state["state"]["characters"] if c["id"] == "p1")
    cells = next(line for line in state["legal"] if line.startswith("move ")).split()[1:]
    x, y = (int(part) for part in here.split(","))
    to_x, to_y = (int(part) for part in cells[0].split(","))
    names = {(0, -1): "N", (1, -1): "NE", (1, 0): "E", (1, 1): "SE", (0, 1): "S", (-1, 1): "SW", (-1, 0): "W"}
    given = {"to": cells[0]} if by == "to" else {"direction": names.get((to_x - x, to_y - y), "NW")}
    outcome = await begun.act("p1", "move", **given)
    assert outcome["ok"], outcome
    assert outcome["events"][0]["to"] == cells[0]


@pytest.mark.parametrize(
    ("deed", "body"),
    [
        ("ally", {"target": "nobody"}),
        ("answer", {"accept": True}),
        ("attack", {"target": "p2"}),
        ("reward", {"choice": "score"}),
        ("sleep", {}),
        ("move", {"to": "99,99"}),
    ],
)
async def test_an_action_that_the_rules_refuse_is_an_answer_too(begun: Bots, deed: str, body: Data) -> None:
    outcome = await begun.act("p1", deed, **body)
    assert (outcome["ok"], outcome["code"]) == (False, "illegal_action")


async def test_out_of_turn_is_refused(begun: Bots) -> None:
    assert (await begun.act("p2", "pass"))["code"] == "not_your_turn"


async def test_another_players_token_is_forbidden_and_none_is_asked_for(begun: Bots) -> None:
    """C43"""
    begun.tokens["p9"] = "nonsense"
    assert (await begun.ask("POST", "/api/players/p1/pass", "p2")).status_code == 403
    assert (await begun.ask("POST", "/api/players/p1/pass", "p9")).status_code == 403
    assert (await begun.ask("POST", "/api/players/p1/pass")).status_code == 401
    assert (await begun.ask("POST", "/api/players/p7/pass", "p1")).status_code == 404
    assert (await begun.state())["version"] == 0


async def test_only_a_registered_player_starts_and_not_alone_and_not_twice(bots: Bots) -> None:
    await bots.register(name="Ada")
    bots.tokens["p9"] = "nonsense"
    assert (await bots.ask("POST", "/api/start", "p9")).status_code == 403
    alone = await bots.ask("POST", "/api/start", "p1")
    assert (alone.status_code, "at least 2" in alone.text) == (409, True)
    await bots.register(name="Bo")
    assert (await bots.ask("POST", "/api/start", "p2")).status_code == 200
    again = await bots.ask("POST", "/api/start", "p1")
    assert (again.status_code, "begun already" in again.text) == (409, True)


async def test_while_a_game_is_played_nobody_registers(begun: Bots) -> None:
    answer = await begun.ask("POST", "/api/players", name="Late")
    assert (answer.status_code, "when it is over" in answer.text) == (409, True)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "x" * 33}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "p2"}, "name"),
        ({"name": "Ｔ 1"}, "name"),
        ({"name": "Server"}, "name"),
        ({"name": "x", "strength": 0.0}, "strength"),
        ({"name": "x", "strength": 5.1}, "strength"),
        ({"name": "x", "strength": 1.25}, "strength"),
        ({"name": "x", "strength": True}, "strength"),
        ({"name": "x", "character_type": "wizard"}, "character_type"),
        ({"name": "x", "character_type": "troll", "piece_type": "player"}, "piece_type"),
        ({"name": "x", "strenght": 1.0}, "strength"),
    ],
)
async def test_a_registration_that_cannot_be_is_refused_by_the_key(bots: Bots, given: Data, named: str) -> None:
    answer = (
        await bots.ask("POST", "/api/players", **given) if given else await bots.client.post("/api/players", json={})
    )
    assert answer.status_code == 422
    assert f'"{named}"' in answer.json()["detail"]
    assert (await bots.state())["players"] == []


@pytest.mark.parametrize("body", [{}, {"to": "1,1", "direction": "N"}, {"direction": "UP"}])
async def test_a_move_without_a_clear_goal_is_refused(begun: Bots, body: Data) -> None:
    headers = {"Authorization": f"Bearer {begun.tokens['p1']}"}
    answer = await begun.client.post("/api/players/p1/move", json=body, headers=headers)
    assert answer.status_code == 422
