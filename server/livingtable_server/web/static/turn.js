/** Whose turn it is, what can be done besides clicking on the board, and how it ended. */

import { el, fill } from "./dom.js";
import { endInWords } from "./words/index.js";

const ROUND = { botwars: "round", skirmish: "turn", foxhunt: "round" };

export class TurnCard {
  #headline = el("h2", { class: "headline", "aria-live": "polite" });
  #detail = el("p", { class: "detail" });
  #clock = el("p", { class: "clock", role: "timer", hidden: true });
  #seats = el("div", { class: "speak-for", role: "group", "aria-label": "Your seats to act", hidden: true });
  #buttons = el("div", { class: "actions", role: "group", "aria-label": "Actions" });
  #refusal = el("p", { class: "refusal", role: "alert", hidden: true });
  #options = [];
  #faces = "";
  #choosable = "";
  #choose;
  #speakFor;
  #ticking = null;

  /** `choose(option)` is called with a button's option, `speakFor(side)` with another of the own seats. */
  constructor(choose, speakFor) {
    this.#choose = choose;
    this.#speakFor = speakFor;
    this.element = el("section", { class: "turn card", "aria-label": "Turn" }, this.#headline, this.#detail, this.#clock, this.#seats, this.#buttons, this.#refusal);
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  draw(match, buttons) {
    const { snapshot, side, closed } = match;
    const yours = side !== null && snapshot.toAct.includes(side) && !snapshot.result && !closed;
    this.element.classList.toggle("yours", yours);
    this.#headline.textContent = headline(match, yours);
    this.#detail.textContent = detail(match, yours);
    this.#drawSeats(match);
    this.#drawButtons(buttons);
    this.#countDown(snapshot.result || closed ? null : snapshot.state.secondsLeft);
  }

  /** Why a move was not accepted; without a reason what was said before is taken away. */
  refuse(reason = "") {
    this.#refusal.hidden = !reason;
    this.#refusal.textContent = reason;
  }

  #drawSeats({ choosable, side, closed }) {
    this.#seats.hidden = choosable.length < 2 || Boolean(closed);
    const drawn = JSON.stringify([choosable, side]);
    if (drawn === this.#choosable) return;
    this.#choosable = drawn;
    const button = (seat) => el("button", { type: "button", "aria-pressed": `${seat === side}`, onclick: () => this.#speakFor(seat) }, seat);
    fill(this.#seats, choosable.length < 2 ? [] : [el("span", {}, "Choose for "), ...choosable.map(button)]);
  }

  /** Buttons that look the same stay the same: one that is just being pressed would lose its click. The focus stays
   *  on a button that is there before and after. */
  #drawButtons(options) {
    this.#options = options;
    const faces = JSON.stringify(options.map(({ label, key, kind, pressed }) => [label, key, kind, pressed]));
    if (faces === this.#faces) return;
    this.#faces = faces;
    const focused = this.#buttons.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(this.#buttons, options.map((option, n) => this.#button(option, n)));
    if (focused === null) return;
    const same = [...this.#buttons.children].find((button) => button.textContent === focused);
    (same ?? this.#buttons.firstElementChild)?.focus();
  }

  #button({ label, key, kind, pressed }, n) {
    const attributes = { type: "button", class: kind, "aria-keyshortcuts": key ?? null, "aria-pressed": pressed === undefined ? null : `${pressed}` };
    const shown = key ? el("kbd", { "aria-hidden": "true" }, key) : null;
    const button = el("button", { ...attributes, onclick: () => this.#choose(this.#options[n]) }, label, shown);
    if (key) button.dataset.key = key;
    return button;
  }

  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    const button = [...this.#buttons.children].find((each) => each.dataset.key === event.key);
    if (!button) return;
    event.preventDefault();
    button.click();
  }

  #countDown(seconds) {
    clearInterval(this.#ticking);
    this.#clock.hidden = seconds === null || seconds === undefined;
    if (this.#clock.hidden) return;
    const end = performance.now() + seconds * 1000;
    const tick = () => {
      const left = Math.max(0, (end - performance.now()) / 1000);
      this.#clock.textContent = `${left.toFixed(left < 10 ? 1 : 0)} s left to choose`;
      this.#clock.classList.toggle("hurry", left < 5);
    };
    tick();
    this.#ticking = setInterval(tick, 100);
  }
}

function headline({ snapshot, side, closed, gone }, yours) {
  if (snapshot.result) return ending(snapshot);
  if (closed && snapshot.room) return gone ? "The room is gone" : "The room is closed";
  if (closed) return "The game is gone";
  if (snapshot.room && !snapshot.room.started) return "Waiting for players";
  if (yours) return { answer: "Your answer", reward: "Choose your reward" }[snapshot.phase] ?? "Your turn";
  if (side && snapshot.game === "foxhunt" && snapshot.legal?.length) return "You have chosen";
  return `${snapshot.toAct.map((seat) => named(seat, snapshot)).join(", ") || "Nobody"} to act`;
}

function detail({ snapshot, side, reason, closed }, yours) {
  if (closed && !snapshot.result) return closed;
  const { game, round, state, result } = snapshot;
  const last = state.rounds ?? state.turnLimit ?? state.maxRounds;
  const when = `${ROUND[game][0].toUpperCase()}${ROUND[game].slice(1)} ${round}${last ? ` of ${last}` : ""}`;
  if (result) return `${when}: ${endInWords(game, result.reason)}`;
  const offer = state.offer && yours ? ` · ${named(state.offer.from, snapshot)} offers you an alliance` : "";
  const removed = snapshot.removed ? "your seat was given to a bot: " : "";
  const who = side ? ` · you are ${named(side, snapshot)}` : ` · ${removed}you are looking on`;
  return `${when}${who}${offer}${reason && !yours ? ` · ${reason}` : ""}`;
}

function ending(snapshot) {
  const { winners } = snapshot.result;
  if (!winners.length) return snapshot.result.reason === "truncated" ? "Cut off" : "A draw";
  return `${winners.map((side) => named(side, snapshot)).join(", ")} ${winners.length > 1 ? "win" : "wins"}`;
}

/** A seat with the name of who has it, in quotes unless it is the seat's own. */
function named(side, { seats }) {
  const name = seats.find((seat) => seat.side === side)?.name ?? side;
  return name.toLowerCase().includes(side) || side === name ? name : `${side} “${name}”`;
}
