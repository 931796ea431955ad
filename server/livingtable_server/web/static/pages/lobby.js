/** The lobby: what can be played, how to begin, and the games of this browser. */

import { ask } from "../api.js";
import { boards } from "../boards/index.js";
import { beginDialog } from "../begin.js";
import { byId, el, fill, svg } from "../dom.js";
import { forgetGame, games } from "../memory.js";

const GAMES = { botwars: "botwars", skirmish: "skirmish", foxhunt: "foxhunt" };
let listing = { scenarios: [], bots: [] };
let shown = null;
/** By scenario: what each seat's character is, where the game has several kinds. */
const kinds = new Map();

byId("join").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = new FormData(event.target).get("code").trim().toUpperCase();
  location.assign(`/rooms/${encodeURIComponent(code)}`);
});
drawMine();
load();

async function load() {
  try {
    listing = await ask("GET", "/scenarios");
    drawFilter();
    drawScenarios();
  } catch (error) {
    byId("trouble").hidden = false;
    byId("trouble").textContent = error.message;
  }
}

function drawFilter() {
  const button = (game, label) => el("button", { type: "button", "aria-pressed": `${shown === game}`, onclick: () => show(game) }, label);
  fill(byId("filter"), button(null, "All"), Object.entries(GAMES).map(([game, label]) => button(game, label)));
}

function show(game) {
  shown = game;
  drawFilter();
  drawScenarios();
  byId("filter").querySelector("[aria-pressed=true]").focus();
}

function drawScenarios() {
  fill(byId("scenarios"), listing.scenarios.filter(({ game }) => shown === null || game === shown).map(card));
}

function card(scenario) {
  const picture = el("div", { class: "picture", "aria-hidden": "true" });
  const seats = `${scenario.seats.length} seats`;
  drawPicture(scenario.name, picture);
  return el(
    "li",
    { class: "card scenario" },
    picture,
    el(
      "div",
      { class: "text" },
      el("h3", {}, scenario.title, el("span", { class: "tag" }, `${scenario.game} · ${seats}`)),
      el("p", {}, scenario.summary),
      el("button", { type: "button", class: "main", "aria-label": `Play ${scenario.title}`, onclick: () => beginDialog(scenario, listing.bots, kinds.get(scenario.name)) }, "Play"),
    ),
  );
}

/** A small picture of how the scenario begins, drawn as the board is. */
async function drawPicture(name, place) {
  const { game, state } = await ask("GET", `/scenarios/${encodeURIComponent(name)}/start`);
  kinds.set(name, new Map((state.characters ?? []).map((character) => [character.id, character.characterType])));
  const board = boards[game];
  const geometry = board.geometry(state);
  const about = { state, side: null, seats: [], geometry };
  const { width, height } = geometry.size;
  fill(place, svg("svg", { class: `board ${game}`, viewBox: `0 0 ${width} ${height}`, width, height }, board.ground(state, geometry), board.marks(about), board.pieces(about)));
}

function drawMine() {
  const mine = games();
  byId("mine").hidden = !mine.length;
  fill(byId("mine").querySelector("ul"), mine.slice(0, 12).map(row));
}

function row({ kind, id, game, title, side, ended, closed }) {
  const state = closed ? "closed" : ended ? "finished" : "running";
  const words = [GAMES[game] ?? (kind === "rooms" ? "room" : ""), side ? `as ${side}` : "", state];
  const forget = () => {
    forgetGame(kind, id);
    drawMine();
  };
  return el(
    "li",
    { class: "card" },
    el("a", { class: "what", href: `/${kind}/${encodeURIComponent(id)}` }, title ?? `Room ${id}`, el("small", {}, words.filter(Boolean).join(" · "))),
    ended ? el("a", { class: "button", href: `/replay/${encodeURIComponent(id)}` }, "Replay") : null,
    el("button", { type: "button", "aria-label": `Forget ${title ?? id}`, title: "Forget", onclick: forget }, "×"),
  );
}
