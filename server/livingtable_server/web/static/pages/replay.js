/** The page on which a record is stepped through. */

import { rememberToken } from "../api.js";
import { byId, el, fill } from "../dom.js";
import { downloads } from "../downloads.js";
import { filmOf, filmOfRecord } from "../film.js";
import { stored } from "../memory.js";
import { Player } from "../player.js";
import { rulesButton } from "../rules.js";
import { forfeitInWords } from "../words/index.js";
import { nameOf } from "../words/phrases.js";

const TOO_LARGE = "The record is larger than 4 MB, more than is shown here. On your own machine living-table replay shows it.";
const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");

if (id) show(() => filmOf(id, stored(`seat.${id}`)));
else chooser();

/** `fromFile`: the record is sent to the server. */
async function show(load, fromFile = false) {
  try {
    const film = await load();
    const player = new Player(film);
    const title = film.record.scenario.title ?? nameOf(film.record.scenario.name);
    byId("title").textContent = title;
    document.title = `Replay of ${title}`;
    fill(byId("replay"), player.element);
    fill(byId("tools"), rulesButton(film.record.game), downloads(player.board, { record: async () => film.record, animation: film.animation }));
    await player.goTo(film.at(Number(/^#v=(\d+)$/.exec(location.hash)?.[1] ?? 0)));
    addEventListener("hashchange", () => player.goTo(film.at(Number(/^#v=(\d+)$/.exec(location.hash)?.[1] ?? 0))));
  } catch (error) {
    if (fromFile && [401, 403].includes(error.status)) askForToken(load, error.status === 403);
    else chooser(error.status === 413 ? TOO_LARGE : error.message);
  }
}

/** A server with a token shows records that are sent to it only to who has that. */
function askForToken(load, wrong) {
  const token = el("input", { name: "token", type: "password", autocomplete: "off", required: true });
  const submit = (event) => {
    event.preventDefault();
    rememberToken(token.value);
    show(load, true);
  };
  const trouble = wrong ? el("p", { class: "refusal", role: "alert" }, "That is not this server’s token. Whoever runs the server knows it.") : null;
  fill(
    byId("replay"),
    el("section", { class: "card" }, el("h2", {}, "The server’s token"), el("p", {}, "To show a record from a file this server wants its token."), el("form", { class: "row", onsubmit: submit }, el("label", { class: "row" }, "Token ", token), el("button", { type: "submit", class: "main" }, "Show the record")), trouble),
  );
  token.focus();
}

/** A record of one's own, from a file. */
function chooser(trouble = "") {
  const input = el("input", { type: "file", accept: ".json,.jsonl,application/json", "aria-label": "Record", onchange: () => open(input.files[0]) });
  fill(
    byId("replay"),
    el("section", { class: "card" }, el("h2", {}, "Open a record"), el("p", {}, "A record is a JSON file, as games are saved by this page and by living-table. Of a file with a record in each line (.jsonl) one is chosen."), input, trouble ? el("p", { class: "refusal", role: "alert" }, trouble) : null),
  );
}

async function open(file) {
  if (!file) return;
  try {
    const records = parsed(await file.text(), file.name);
    if (records.length > 1) choose(records, file.name);
    else await show(() => filmOfRecord(records[0]), true);
  } catch (error) {
    chooser(error.message);
  }
}

/** One record, or one in each line. */
function parsed(text, name) {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim());
    return lines.map((line, n) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new Error(lines.length > 1 && n ? `${name} is no file of records: line ${n + 1} is no JSON.` : `${name} is no JSON file.`);
      }
    });
  }
}

function choose(records, name) {
  const which = el("select", { name: "which" }, records.map((record, n) => el("option", { value: n }, `${n + 1}. ${about(record)}`)));
  const submit = (event) => {
    event.preventDefault();
    show(() => filmOfRecord(records[Number(which.value)]), true);
  };
  fill(
    byId("replay"),
    el("section", { class: "card" }, el("h2", {}, `${records.length} records in ${name}`), el("form", { class: "row", onsubmit: submit }, el("label", { class: "row" }, "Which one ", which), el("button", { type: "submit", class: "main" }, "Replay it"))),
  );
}

/** A record in a few words, whatever stands in it. */
function about(record) {
  const { scenario, game, actions, result } = record ?? {};
  const end = forfeitInWords(record ?? {}) || (result?.winners?.length ? `${result.winners.join(", ")} won` : result ? "nobody won" : "not over");
  return [scenario?.title ?? nameOf(`${scenario?.name ?? "no scenario"}`), game, `${actions?.length ?? 0} actions`, end].filter(Boolean).join(" · ");
}
