/** The page of a game or a room. */

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
let titled = false;

fill(byId("table"), view.element);
open();

async function open() {
  try {
    await match.open();
  } catch (error) {
    fill(byId("table"), el("p", { class: "card trouble", role: "alert" }, error.message, " ", el("a", { href: "/" }, "To the lobby")));
  }
}

function drawn(_match, events) {
  const { snapshot, side } = match;
  view.draw(match, events);
  room?.draw(snapshot);
  sign.draw(side !== null && snapshot.toAct.includes(side), snapshot);
  if (titled) noteGame(kind, id, { ended: Boolean(snapshot.result) });
  else entitle(snapshot);
}

/** What needs to be said once. */
function entitle(snapshot) {
  titled = true;
  const title = snapshot.scenario.replaceAll("_", " ");
  byId("title").textContent = title;
  if (kind === "games" || table.playerId) {
    rememberGame(kind, id, { game: snapshot.game, title, side: snapshot.side, ended: Boolean(snapshot.result) });
  }
  fill(byId("tools"), rulesButton(snapshot.game), el("a", { class: "button", href: `/replay/${encodeURIComponent(id)}` }, "Replay"), downloads(view.board, table));
}

function connected(is) {
  byId("connection").hidden = is;
}
