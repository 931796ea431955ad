/** The board inside a chat. The host shows it beside what `new_game` and `get_state` answered. */

import { el, fill } from "../dom.js";
import { Match } from "../match.js";
import { TableView } from "../table_view.js";
import { Bridge } from "./bridge.js";
import { McpTable } from "./mcp_table.js";

const place = document.getElementById("app");
const bridge = new Bridge(heard);
let match = null;
let input = {};

fill(place, el("p", { class: "card" }, "The board appears with the first answer."));
start();

async function start() {
  const { hostContext } = await bridge.open();
  dress(hostContext ?? {});
  const size = () => bridge.tell("ui/notifications/size-changed", { width: document.documentElement.scrollWidth, height: Math.ceil(place.getBoundingClientRect().height) });
  new ResizeObserver(size).observe(place);
}

function heard(method, params) {
  if (method === "ui/notifications/tool-input") input = params.arguments ?? {};
  else if (method === "ui/notifications/tool-result") show(params);
  else if (method === "ui/notifications/tool-cancelled") say(`Nothing to show: ${params.reason ?? "it was cancelled"}`);
  else if (method === "ui/notifications/host-context-changed") dress(params);
  else if (method === "ui/resource-teardown") match?.close();
}

/** The game that a tool's result is about. */
async function show({ isError, structuredContent, content }) {
  const id = structuredContent?.sessionId ?? structuredContent?.snapshot?.sessionId ?? input.sessionId;
  if (isError || !id) {
    say(content?.map((part) => part.text).join(" ") || "There is no game to show.");
    return;
  }
  if (match?.table.id === id) {
    await match.refresh();
    return;
  }
  match?.close();
  const view = new TableView({ play: (action) => match.play(action), speakFor: (side) => match.speakFor(side) });
  match = new Match(new McpTable(id, bridge), { drawn: (_match, events) => view.draw(match, events), refused: (reason) => view.refuse(reason), played });
  fill(place, view.element);
  await match.open().catch((error) => say(error.message));
}

/** Lets the model know what was played, without asking it for anything. */
function played(side, action) {
  const text = `The person at the board played for ${side} in session ${match.table.id}: ${JSON.stringify(action)}. The session is at version ${match.snapshot.version} now.`;
  bridge.ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}

/** As the host is: light or dark. */
function dress({ theme }) {
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}

function say(words) {
  fill(place, el("p", { class: "card", role: "status" }, words));
}
