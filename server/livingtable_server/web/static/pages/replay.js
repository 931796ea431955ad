/** The page on which a record is stepped through. */

import { byId, el, fill } from "../dom.js";
import { downloads } from "../downloads.js";
import { filmOf, filmOfRecord } from "../film.js";
import { stored } from "../memory.js";
import { Player } from "../player.js";
import { rulesButton } from "../rules.js";

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");

if (id) show(() => filmOf(id, stored(`seat.${id}`)));
else chooser();

async function show(load) {
  try {
    const film = await load();
    const player = new Player(film);
    const title = (film.record.scenario.title ?? film.record.scenario.name).replaceAll("_", " ");
    byId("title").textContent = title;
    document.title = `Replay of ${title}`;
    fill(byId("replay"), player.element);
    fill(byId("tools"), rulesButton(film.record.game), downloads(player.board, { record: async () => film.record, animation: film.animation }));
    await player.goTo(film.at(Number(/^#v=(\d+)$/.exec(location.hash)?.[1] ?? 0)));
    addEventListener("hashchange", () => player.goTo(film.at(Number(/^#v=(\d+)$/.exec(location.hash)?.[1] ?? 0))));
  } catch (error) {
    chooser(error.message);
  }
}

/** A record of one's own, from a file. */
function chooser(trouble = "") {
  const input = el("input", { type: "file", accept: ".json,application/json", "aria-label": "Record", onchange: () => open(input.files[0]) });
  fill(
    byId("replay"),
    el("section", { class: "card" }, el("h2", {}, "Open a record"), el("p", {}, "A record is a JSON file, as games are saved by this page and by living-table."), input, trouble ? el("p", { class: "refusal", role: "alert" }, trouble) : null),
  );
}

async function open(file) {
  if (!file) return;
  await show(async () => {
    let record;
    try {
      record = JSON.parse(await file.text());
    } catch {
      throw new Error(`${file.name} is no JSON file.`);
    }
    return filmOfRecord(record);
  });
}
