/** The dialog in which a game or a room is begun. */

import { ask, Problem, rememberToken } from "./api.js";
import { el } from "./dom.js";
import { rememberGame, store, stored } from "./memory.js";

const LARGEST_SEED = Number.MAX_SAFE_INTEGER;

/** Opens it for a scenario of the listing. `kinds` says by seat what sits there, as far as that is known. */
export function beginDialog(scenario, allBots, kinds = new Map()) {
  const bots = allBots.filter((bot) => bot.games.includes(scenario.game));
  const fields = {
    side: el("select", { name: "side" }, scenario.seats.map((side) => el("option", { value: side }, kinds.has(side) ? `${side} (${kinds.get(side)})` : side)), el("option", { value: "" }, "every seat")),
    opponent: el("select", { name: "opponent" }, bots.map((bot) => el("option", { value: bot.name, selected: bot.name === "greedy" }, bot.name))),
    seed: el("input", { name: "seed", inputmode: "numeric", placeholder: "drawn", oninput: ({ target }) => target.setCustomValidity(seedTrouble(target.value)) }),
    health: scenario.game === "botwars" ? el("input", { name: "health", inputmode: "decimal", placeholder: "10.0" }) : null,
    name: el("input", { name: "name", maxlength: 32, value: stored("name") ?? "", autocomplete: "nickname" }),
    token: el("input", { name: "token", type: "password", autocomplete: "off" }),
  };
  const tokenField = el("label", { hidden: true }, "The server’s token ", fields.token);
  const trouble = el("p", { class: "refusal", role: "alert", hidden: true });
  const attempt = (deed) => async () => {
    trouble.hidden = true;
    if (!form.reportValidity()) return;
    if (fields.token.value) rememberToken(fields.token.value);
    try {
      await deed(wishes(scenario, fields));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      trouble.hidden = false;
      trouble.textContent = error.status === 401 ? "To begin a game here takes the server’s token: fill it in above." : error.message;
      if (error.status !== 401 && error.status !== 403) return;
      tokenField.hidden = false;
      fields.token.focus();
    }
  };
  const play = attempt(playAlone);
  const submit = el("button", { type: "submit", class: "main" });
  const against = el("span", {});
  const adapt = () => {
    const alone = fields.side.value === "";
    against.textContent = alone ? "Bot, to watch " : "Against the bot ";
    submit.textContent = alone ? "Play at one screen" : "Play the computer";
  };
  const form = el(
    "form",
    { onsubmit: (event) => (event.preventDefault(), play()) },
    el("h2", {}, scenario.title),
    el("div", { class: "pair" }, el("label", {}, "Your seat ", fields.side), el("label", {}, against, fields.opponent)),
    el("div", { class: "pair" }, el("label", {}, "Seed ", fields.seed), fields.health ? el("label", {}, "Health ", fields.health) : null),
    el("label", {}, "Your name, for rooms ", fields.name),
    tokenField,
    trouble,
    el(
      "div",
      { class: "row" },
      submit,
      el("button", { type: "button", onclick: attempt(makeRoom) }, "Make a room"),
      el("button", { type: "button", onclick: attempt(watchBots) }, "Watch bots"),
      el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  const dialog = el("dialog", { class: "begin", "aria-label": scenario.title, onclose: () => dialog.remove() }, form);
  fields.side.addEventListener("change", adapt);
  adapt();
  document.body.append(dialog);
  dialog.showModal();
}

function seedTrouble(text) {
  const seed = text.trim();
  const fits = seed === "" || (/^\d+$/.test(seed) && BigInt(seed) <= BigInt(LARGEST_SEED));
  return fits ? "" : `The seed is a whole number from 0 to ${LARGEST_SEED}.`;
}

function wishes(scenario, fields) {
  const number = (field) => (field?.value.trim() ? Number(field.value) : undefined);
  store("name", fields.name.value.trim() || null);
  return {
    scenario,
    side: fields.side.value || undefined,
    opponent: fields.opponent.value || undefined,
    seed: number(fields.seed),
    health: number(fields.health),
    name: fields.name.value.trim() || undefined,
  };
}

async function playAlone({ scenario, side, opponent, seed, health }) {
  const { sessionId } = await ask("POST", "/games", { body: { scenario: scenario.name, side, opponent, seed, health, controller: "human" } });
  rememberGame("games", sessionId, { game: scenario.game, title: scenario.title, side: side ?? null, ended: false });
  location.assign(`/games/${encodeURIComponent(sessionId)}`);
}

async function makeRoom(wish) {
  const code = await newRoom(wish);
  location.assign(`/rooms/${encodeURIComponent(code)}`);
}

/** A room in which bots have every seat; they play at a pace at which one can look on. */
async function watchBots(wish) {
  const code = await newRoom(wish);
  const body = { playerId: stored(`seat.${code}`), bot: wish.opponent };
  const bots = `/rooms/${encodeURIComponent(code)}/bots`;
  if (wish.scenario.seats.length > 1) await ask("POST", bots, { body: { ...body, side: "all" } });
  await ask("POST", bots, { body: { ...body, side: wish.side ?? wish.scenario.seats[0] } });
  store(`seat.${code}`, null);
  location.assign(`/rooms/${encodeURIComponent(code)}`);
}

async function newRoom({ scenario, side, seed, name }) {
  const room = await ask("POST", "/rooms", { body: { scenario: scenario.name, side, seed, name } });
  store(`seat.${room.roomCode}`, room.playerId);
  store(`creator.${room.roomCode}`, true);
  rememberGame("rooms", room.roomCode, { game: scenario.game, title: scenario.title, side: room.side, ended: false });
  return room.roomCode;
}
