/** The page of a game or a room. */

import { ask } from "../api.js";
import { byId, el, fill } from "../dom.js";
import { noteGame, rememberGame, stored } from "../memory.js";
import { RoomTable, SessionTable } from "../tables.js";
import { Match } from "../match.js";
import { TableView } from "../table_view.js";
import { RoomPanel } from "../room_panel.js";
import { downloads } from "../downloads.js";
import { rulesButton } from "../rules.js";
import { TurnSign } from "../turn_sign.js";

const [, kind, id] = location.pathname.split("/").map(decodeURIComponent);
const table = kind === "rooms" ? new RoomTable(id, stored(`seat.${id}`)) : new SessionTable(id);
const sign = new TurnSign(byId("notify"));
const room = kind === "rooms" ? new RoomPanel(table, () => match.refresh()) : null;
const view = new TableView({
  room: room?.element,
  play: (action) => match.play(action), speakFor: (side) => match.speakFor(side),
});
const match = new Match(table, { drawn, refused: (reason) => view.refuse(reason), connected });
let title = null;

fill(byId("table"), view.element);
open();

async function open() {
  try {
    await match.open();
  } catch (error) {
    byId("title").textContent = "No such table";
    byId("notify").hidden = true;
    fill(byId("table"), el("p", { class: "card trouble", role: "alert" }, error.message, " ", el("a", { href: "/" }, "To the lobby")));
  }
}

function drawn(_match, events) {
  const { snapshot } = match;
  view.draw(match, events);
  room?.draw(snapshot);
  if (title === null) introduce(snapshot);
  else noteGame(kind, id, { ended: Boolean(snapshot.result) });
  giveSign();
}

function giveSign() {
  const { snapshot, side } = match;
  sign.draw(side !== null && snapshot.toAct.includes(side), snapshot, title);
}

/** What needs to be said once. */
function introduce(snapshot) {
  entitle(snapshot, snapshot.scenario.replaceAll("_", " "));
  void titleOf(snapshot.scenario).then((found) => {
    if (found === undefined) return;
    entitle(match.snapshot, found);
    giveSign();
  });
  fill(byId("tools"), rulesButton(snapshot.game), el("a", { class: "button", href: `/replay/${encodeURIComponent(id)}` }, "Replay"), downloads(view.board, table));
}

function entitle(snapshot, name) {
  title = name;
  byId("title").textContent = title;
  if (kind === "games" || table.playerId) {
    rememberGame(kind, id, { game: snapshot.game, title, side: snapshot.side, ended: Boolean(snapshot.result) });
  }
}

/** As the lobby calls it; a table of somebody's own set-up has none. */
async function titleOf(scenario) {
  try {
    const { scenarios } = await ask("GET", "/scenarios");
    return scenarios.find(({ name }) => name === scenario)?.title;
  } catch {
    return undefined; // Its name says it nearly as well.
  }
}

function connected(is) {
  byId("connection").hidden = is;
}
