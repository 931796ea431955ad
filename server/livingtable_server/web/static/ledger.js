/** The ledger: every event in words, with its dice, the latest at the end. */

import { el } from "./dom.js";
import { inWords } from "./words/index.js";

const NEAR_THE_END = 40;

export class Ledger {
  #lines;
  #window;
  #last = 0;

  constructor() {
    this.#lines = el("ol", {});
    this.#window = el("div", { class: "ledger-lines", role: "log", "aria-label": "Ledger", tabindex: 0 }, this.#lines);
    this.element = el("section", { class: "ledger card" }, el("h2", {}, "Ledger"), this.#window);
  }

  /** Adds events; those of versions that it has already are left out. */
  add(game, events) {
    const news = events.filter((event) => event.version > this.#last);
    if (!news.length) return;
    const lines = this.#lines;
    const { scrollHeight, scrollTop, clientHeight } = this.#window;
    const atEnd = scrollHeight - scrollTop - clientHeight < NEAR_THE_END;
    if (news.some((event) => event.type === "round_resolved")) lines.querySelectorAll(".waiting").forEach((line) => line.remove());
    const resolved = Math.max(0, ...news.filter((event) => event.type === "round_resolved").map((event) => event.version));
    const told = news.filter((event) => event.type !== "committed" || event.version > resolved);
    lines.append(...told.map((event) => line(game, event)));
    this.#last = news.at(-1).version;
    if (atEnd) this.#window.scrollTop = this.#window.scrollHeight;
  }

  /** As a replay shows it: those up to a version, the ones after the version before it marked, and the rest pale. */
  mark(before, version) {
    let now = null;
    for (const each of this.#lines.children) {
      const of = Number(each.dataset.version);
      each.classList.toggle("now", of > before && of <= version);
      each.classList.toggle("later", of > version);
      if (of <= version) now = each;
    }
    const view = this.#window;
    view.scrollTop = now ? now.offsetTop - view.offsetTop - view.clientHeight / 2 : 0;
  }
}

function line(game, event) {
  const { kind, parts } = inWords(game, event);
  const words = parts.flatMap((part) => [typeof part === "string" ? part : el("span", { class: "die" }, `${part.die}`), " "]);
  return el("li", { class: kind || null, "data-version": event.version }, words);
}
