/** The page of a game or a room. */

import { ask } from "../api.js";
import { byId, el, fill } from "../dom.js";
import { noteGame, rememberGame, stored } from "../memory.js";
import { RoomTable, SessionTable } from "../tables.js";
import { Match } from "../match.js";
import { TableView } from "../table_view.js";
import { PlayAgain } from "../play_again.js";
import { RoomPanel } from "../room_panel.js";
import { downloads } from "../downloads.js";
import { rulesButton } from "../rules.js";
import { TurnSign } from "../turn_sign.js";
import { nameOf } from "../words/phrases.js";

const [, kind, id] = location.pathname.split("/").map(decodeURIComponent);
const table = kind === "rooms" ? new RoomTable(id, stored(`seat.${id}`)) : new SessionTable(id);
const sign = new TurnSign(byId("notify"));
const beside = kind === "rooms" ? new RoomPanel(table, () => match.refresh()) : new PlayAgain(table);
const view = new TableView({
  beside: beside.element,
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
    if (error.status === 404) noteGame(kind, id, { closed: true });
    fill(byId("table"), el("p", { class: "card trouble", role: "alert" }, error.message, " ", el("a", { href: "/" }, "To the lobby")));
  }
}

function drawn(_match, events) {
  const { snapshot } = match;
  view.draw(match, events);
  beside.draw(snapshot, match.closed);
  if (title === null) introduce(snapshot);
  else noteGame(kind, id, { ended: Boolean(snapshot.result), closed: Boolean(match.closed) });
  if (match.closed) drawTools(snapshot);
  giveSign();
}

function giveSign() {
  const { snapshot, side } = match;
  sign.draw(side !== null && snapshot.toAct.includes(side) && !match.closed, snapshot, title);
}

/** What needs to be said once. */
function introduce(snapshot) {
  entitle(snapshot, nameOf(snapshot.scenario));
  void titleOf(snapshot.scenario).then((found) => {
    if (found === undefined) return;
    entitle(match.snapshot, found);
    giveSign();
  });
  drawTools(snapshot);
}

function drawTools({ game }) {
  const link = (href, words) => el("a", { class: "button", href }, words);
  fill(byId("tools"), rulesButton(game), link(`/replay/${encodeURIComponent(id)}`, "Replay"), downloads(view.board, table), match.closed ? link("/", "To the lobby") : null);
}

function entitle(snapshot, name) {
  title = name;
  byId("title").textContent = title;
  if (kind === "games" || table.playerId) {
    rememberGame(kind, id, { game: snapshot.game, title, side: snapshot.side, ended: Boolean(snapshot.result), closed: false });
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
