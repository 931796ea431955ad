/** The rules of a game, to be read beside it. */

import { ask, path } from "./api.js";
import { el, fill } from "./dom.js";

/** A button that opens them. */
export function rulesButton(game) {
  return el("button", { type: "button", onclick: () => open(game) }, "Rules");
}

async function open(game) {
  const text = el("div", { class: "rules-text", tabindex: 0 }, "…");
  const dialog = el(
    "dialog",
    { class: "rules", "aria-label": `The rules of ${game}`, onclose: () => dialog.remove() },
    el("form", { method: "dialog" }, el("h2", {}, `The rules of ${game}`), el("button", { type: "submit" }, "Close")),
    text,
  );
  document.body.append(dialog);
  dialog.showModal();
  try {
    fill(text, paragraphs((await ask("GET", path("rules", game))).text));
  } catch (error) {
    fill(text, error.message);
  }
}

/** Headings, lists, tables and paragraphs of Markdown; the rest stands as it is written. The title is the dialog's. */
function paragraphs(markdown) {
  return markdown.replace(/^# .*\n+/, "").split(/\n{2,}|\n(?=[-#] )/).map((part) => {
    const heading = /^(#+) (.*)$/.exec(part);
    if (heading) return el(heading[1].length > 1 ? "h4" : "h3", {}, heading[2]);
    if (part.startsWith("|")) return table(part.trim().split("\n"));
    return el("p", { class: part.startsWith("- ") ? "item" : null }, plain(part.replace(/^- /, "")));
  });
}

function table([head, , ...rows]) {
  const cells = (row, tag) => row.split("|").slice(1, -1).map((text) => el(tag, {}, plain(text.trim())));
  return el("div", { class: "scroll-x" }, el("table", {}, el("thead", {}, el("tr", {}, cells(head, "th"))), el("tbody", {}, rows.map((row) => el("tr", {}, cells(row, "td"))))));
}

function plain(text) {
  return text.replaceAll(/\*\*|`/g, "");
}
