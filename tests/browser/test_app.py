"""The board inside a chat: the App's page in a frame, with a host of the test's own that speaks the protocol."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import anyio.from_thread
import pytest
from mcp import Client
from mcp_types import TextResourceContents
from tests.browser.apps import APPS, BOARD
from tests.browser.tables import NewContext
from tests.web.serving import Site

HOST_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
"""What a host allows a page that names no other places (the specification's restrictive default)."""


class Host:
    """A chat's program: it shows the App in a frame, and hands its tool calls on to the server."""

    def __init__(self, page: Any, client: Client, portal: anyio.from_thread.BlockingPortal, html: str) -> None:
        self.page, self._client, self._portal = page, client, portal
        self.calls: list[str] = []
        page.expose_function("askTool", self._ask)
        page.set_content(_HOST_PAGE)
        page.evaluate("([html, policy]) => showApp(html, policy)", [html, HOST_POLICY])
        self.frame = page.frame_locator("iframe")

    def call(self, name: str, **given: Any) -> Any:
        """What the model does: the host tells the App of the tool's result."""
        result = self._tool(name, given)
        self.page.evaluate("([given, result]) => tellApp(given, result)", [given, result])
        return result["structuredContent"]

    def heard(self, method: str) -> list[Any]:
        return self.page.evaluate("method => heard.filter(m => m.method === method).map(m => m.params)", method)

    def _ask(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        self.calls.append(name)
        return self._tool(name, given)

    def _tool(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        result = self._portal.call(self._client.call_tool, name, given)
        return json.loads(result.model_dump_json(by_alias=True, exclude_none=True))


_HOST_PAGE = """<!doctype html><title>host</title><iframe sandbox="allow-scripts" width="900" height="700"></iframe>
<script>
const heard = [];
let initialized = null;
const frame = document.querySelector("iframe");
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ready = new Promise((done) => (initialized = done));
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow || data.jsonrpc !== "2.0") return;
  heard.push(data);
  const { id, method, params } = data;
  if (method === "ui/initialize") {
    const hostInfo = { name: "a test", version: "1" };
    send({ id, result: { protocolVersion: params.protocolVersion, hostInfo, hostCapabilities: { serverTools: {} },
                         hostContext: { theme: "dark" } } });
  } else if (method === "ui/notifications/initialized") initialized();
  else if (method === "tools/call") send({ id, result: await askTool(params.name, params.arguments) });
  else if (id !== undefined && method) send({ id, result: {} });
});
function showApp(html, policy) {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  frame.srcdoc = html.replace("<head>", "<head>" + meta);
}
async function tellApp(given, result) {
  await ready;
  send({ method: "ui/notifications/tool-input", params: { arguments: given } });
  send({ method: "ui/notifications/tool-result", params: result });
}
</script>"""


@pytest.fixture
def host(new_context: NewContext, site: Site) -> Generator[Host]:
    client = Client(f"{site.url}/mcp", extensions=[APPS])
    with anyio.from_thread.start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        (page,) = portal.call(client.read_resource, BOARD).contents
        assert isinstance(page, TextResourceContents)
        context = new_context()
        yield Host(context.new_page(), client, portal, page.text)
        context.close()  # While the App can still ask its host.


def test_in_a_chat_the_board_is_shown_and_played_on_through_tool_calls(host: Host) -> None:
    begun = host.call("new_game", scenario="castle_siege", side="ivory", seed=5)
    board = host.frame.locator("svg.board[role=grid]")
    board.wait_for()
    host.frame.locator('[data-cell="2,3"]').click()
    host.frame.locator('[data-cell="3,1"]').click()
    host.frame.get_by_text("Ivory Knight K1 moves from 2,3 to 3,1, cost 3").wait_for()
    assert "submit_action" in host.calls
    assert host.call("get_state", sessionId=begun["sessionId"])["version"] == 1
    assert "move" in json.dumps(host.heard("ui/update-model-context"))


@pytest.mark.parametrize("scenario", ["crossroads", "fox_yard"])
def test_the_other_games_are_played_in_a_chat_too(host: Host, scenario: str) -> None:
    host.call("new_game", scenario=scenario, side="p1", seed=5)
    host.frame.locator('[data-can="target"]').first.click()
    host.frame.locator(".ledger-lines li").first.wait_for()
    assert host.frame.locator(".refusal").is_hidden()


def test_what_the_model_plays_is_seen_in_the_chat(host: Host) -> None:
    begun = host.call("new_game", scenario="castle_siege", side="ivory", seed=5)
    host.frame.locator("svg.board[role=grid]").wait_for()
    host.call("submit_action", sessionId=begun["sessionId"], notation="K1 > 3,1")
    host.call("get_state", sessionId=begun["sessionId"], detail="brief")
    host.frame.get_by_text("Ivory Knight K1 moves from 2,3 to 3,1, cost 3").wait_for()


def test_the_board_in_a_chat_is_as_dark_as_the_host_and_says_how_high_it_is(host: Host) -> None:
    host.call("new_game", scenario="castle_siege", side="ivory")
    card = host.frame.locator(".turn.card")
    card.wait_for()
    colour = card.evaluate("card => getComputedStyle(card).backgroundColor")
    assert sum(map(int, colour[4:-1].split(","))) < 150
    host.page.wait_for_function(
        "() => heard.some(m => m.method === 'ui/notifications/size-changed' && m.params.height > 300)"
    )


def test_an_error_of_a_tool_is_shown_in_words(host: Host) -> None:
    host.page.evaluate(
        "() => tellApp({}, { isError: true, content: [{ type: 'text', text: 'There is no scenario <b>x</b>.' }] })"
    )
    host.frame.get_by_text("There is no scenario <b>x</b>.").wait_for()
