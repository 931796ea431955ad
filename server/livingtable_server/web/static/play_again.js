/** A way on from a game that is over: the same once more, with other dice. */

import { ask, Problem } from "./api.js";
import { el, fill } from "./dom.js";

export class PlayAgain {
  #table;
  element = el("section", { class: "card", "aria-label": "What next", hidden: true });

  constructor(table) {
    this.#table = table;
    const again = el("button", { type: "button", class: "main", onclick: () => this.#again() }, "Play again");
    fill(this.element, el("div", { class: "row" }, again, el("a", { class: "button", href: "/" }, "To the lobby")));
  }

  draw(snapshot, closed) {
    this.#snapshot = snapshot;
    this.element.hidden = !snapshot.result || Boolean(closed);
  }

  #snapshot = null;

  /** The same set-up, seat and bot; without a seed the server draws one. */
  async #again() {
    const { own, seats } = this.#snapshot;
    const bot = seats.find(({ controller }) => controller.startsWith("bot:"))?.controller.slice(4);
    this.element.querySelector(".refusal")?.remove();
    try {
      const { scenario } = await this.#table.record();
      const body = { setup: scenario, side: own.length === 1 ? own[0] : undefined, opponent: bot, controller: "human" };
      const { sessionId } = await ask("POST", "/games", { body });
      location.assign(`/games/${encodeURIComponent(sessionId)}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const words = error.status === 401 ? "To begin a game here takes the server’s token: begin it from the lobby." : error.message;
      this.element.append(el("p", { class: "refusal", role: "alert" }, words));
    }
  }
}
