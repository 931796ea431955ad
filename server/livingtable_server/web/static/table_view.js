/** The board with everything beside it. The page of a table shows it, and the App in a chat does. */

import { boards } from "./boards/index.js";
import { Board } from "./boards/board.js";
import { el, fill } from "./dom.js";
import { Ledger } from "./ledger.js";
import { scores } from "./scores.js";
import { traces } from "./traces.js";
import { TurnCard } from "./turn.js";

export class TableView {
  board = null;
  #ledger = new Ledger();
  #turn;
  #scores = el("div", { class: "scores-place", tabindex: 0, role: "group", "aria-label": "Table of scores" });
  #place = el("div", { class: "board-column" });
  #hint = el("p", { class: "hint" });
  #aloud = el("p", { class: "hidden", "aria-live": "polite" });
  #play;
  #match = null;
  #mode = null;
  #traces = [];

  /** `play(action)` and `speakFor(side)` are what the viewer wants; `beside` stands beside the board. */
  constructor({ play, speakFor, beside = null }) {
    this.#play = play;
    this.#turn = new TurnCard((option) => this.#choose(option), speakFor);
    const side = el(
      "div",
      { class: "side-column" },
      this.#turn.element,
      beside,
      el("section", { class: "card", "aria-label": "Scores" }, el("h2", {}, "Scores"), this.#scores),
      this.#ledger.element,
    );
    this.element = el("div", { class: "table" }, this.#place, side, this.#aloud);
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Draws a match after these events. */
  draw(match, events) {
    const { snapshot, side } = match;
    if (!this.board) this.#setUp(snapshot.game);
    if (this.#match?.version !== snapshot.version) {
      this.#turn.refuse();
      this.#mode = null;
    }
    this.#match = { match, version: snapshot.version };
    this.#ledger.add(snapshot.game, events);
    this.#traces = events.length ? traces(events, snapshot.own) : this.#traces;
    fill(this.#scores, scores(snapshot, side));
    this.#drawChoices();
  }

  /** Says why a move was not accepted; without a reason what was said is taken away. */
  refuse(reason) {
    this.#turn.refuse(reason);
    if (reason) this.board?.deselect();
  }

  /** The board's keys work from everywhere but where they are needed: in fields, dialogs and what can be scrolled. */
  #onKey(event) {
    const taken = event.target.closest?.("input, select, textarea, dialog, details, [tabindex]");
    if (this.element.isConnected && !event.defaultPrevented && !taken) this.board?.lead(event);
  }

  #setUp(game) {
    this.board = new Board(boards[game], (option) => this.#choose(option), { say: (words, hint) => this.#say(words, hint) });
    fill(this.#hint, HINTS[game], el("span", { class: "keys" }, ` By keyboard: ${KEYS[game]}.`));
    fill(this.#place, this.board.element, el("div", { class: "under-board" }, this.#hint, this.board.sizes));
  }

  #drawChoices() {
    const { match } = this.#match;
    const { snapshot, side, actions } = match;
    const can = side !== null && actions.length > 0;
    const choices = can ? boards[snapshot.game].choices(actions, { state: snapshot.state, side, mode: this.#mode }) : null;
    const label = `${snapshot.game} board, version ${snapshot.version}`;
    this.board.draw(snapshot.state, { side, seats: snapshot.seats, choices, traces: this.#traces, label });
    this.#turn.draw(match, choices?.buttons ?? []);
    this.#hint.hidden = side === null || Boolean(snapshot.result || match.closed) || snapshot.room?.started === false;
    const glows = [...(choices?.sources.values() ?? [])].some(({ targets }) => targets.size);
    this.#hint.classList.toggle("waits", !glows); // Its place is kept, or all below it would jump at each turn.
  }

  #choose(option) {
    if ("mode" in option) {
      this.#mode = option.mode;
      this.#drawChoices();
      return;
    }
    this.#turn.refuse();
    this.#play(option.action);
  }

  /** For those who do not see the board; on it a hint is seen by all. */
  #say(words, hint = false) {
    this.#aloud.textContent = words;
    this.#turn.refuse(hint ? words : "");
  }
}

const HINTS = {
  botwars: "Choose a glowing cell to move, a glowing figure to attack or ally.",
  skirmish: "Choose one of your pieces: every hex it can reach glows. Then a hex to move, a red enemy to attack.",
  foxhunt: "Choose a glowing field to walk there.",
};

const KEYS = {
  botwars: "arrows, N for the next choice, Enter",
  skirmish: "arrows, N for the next choice, Enter, Escape lets go, E ends the turn",
  foxhunt: "arrows, N for the next choice, Enter; B bomb, T throw, S stay",
};
