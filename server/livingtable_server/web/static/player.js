/** Plays a film: slider, play and pause, steps, speed, jumps to battles, a link to the moment. */

import { boards } from "./boards/index.js";
import { Board } from "./boards/board.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { Ledger } from "./ledger.js";
import { scores } from "./scores.js";
import { traces } from "./traces.js";
import { aloud, endInWords, forfeitInWords, isBattle, withForfeiterLast } from "./words/index.js";

const KEYS = {
  ArrowLeft: ({ step }) => step(-1),
  ArrowRight: ({ step }) => step(1),
  ",": ({ step }) => step(-1),
  ".": ({ step }) => step(1),
  Home: ({ step }) => step(-Infinity),
  End: ({ step }) => step(Infinity),
  b: ({ toBattle }) => toBattle(1),
  B: ({ toBattle }) => toBattle(-1),
  k: ({ toggle }) => toggle(),
  " ": ({ toggle }) => toggle(),
};
const HINT = "By keyboard: arrows step, Home and End go to the start and the end, the space bar plays and pauses, B goes to the next battle.";
const SPEEDS = { "½×": 1600, "1×": 800, "2×": 400, "4×": 200, "8×": 100 };

export class Player {
  #film;
  #now = 0;
  #battles;
  #timer = null;
  #scores = el("div", { class: "scores-place", tabindex: 0, role: "group", "aria-label": "Table of scores" });
  #ledger = new Ledger();
  #headline = el("h2", { class: "headline" });
  #detail = el("p", { class: "detail" });
  #aloud = el("p", { class: "hidden", "aria-live": "polite" });
  #controls;

  constructor(film) {
    this.#film = film;
    const { game, events } = film.record;
    this.board = new Board(boards[game], () => {}, { below: 215 });
    this.#ledger.add(game, events);
    this.#battles = [...new Set(events.filter((event) => isBattle(game, event)).map((event) => film.at(event.version)))];
    this.#controls = this.#makeControls();
    this.element = this.#layOut();
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Shows the n-th frame. */
  async goTo(n) {
    const film = this.#film;
    this.#now = Math.max(0, Math.min(film.last, n));
    const wanted = this.#now;
    try {
      const frame = await film.frame(wanted);
      if (wanted !== this.#now) return; // Somebody has gone on meanwhile.
      this.#draw(frame, this.#now ? film.versions[this.#now - 1] : 0);
    } catch (error) {
      this.pause();
      this.#detail.textContent = error.message;
    }
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    fill(this.#controls.play, icon("play"));
    this.#controls.play.setAttribute("aria-label", "Play");
  }

  #draw(frame, before) {
    const { game, events, seats, result } = this.#film.record;
    const { version, state } = frame;
    const news = events.filter((event) => event.version > before && event.version <= version);
    const ended = this.#now === this.#film.last ? withForfeiterLast(frame.result ?? result, this.#film.record) : null;
    this.board.draw(state, { seats, traces: traces(news), label: `${game} board, version ${version}` });
    this.#ledger.mark(before, version);
    fill(this.#scores, scores({ game, state, seats, toAct: frame.toAct, result: ended }, null));
    this.#headline.textContent = (ended && forfeitInWords(this.#film.record)) || headline(frame, ended, game);
    const place = `action ${version} of ${this.#film.versions.at(-1)}`;
    this.#detail.textContent = `Round ${frame.round} · ${place}`;
    this.#controls.slider.value = this.#now;
    this.#controls.slider.setAttribute("aria-valuetext", `${this.#headline.textContent}, ${place}`);
    if (this.#timer === null) this.#aloud.textContent = aloud(game, news) || this.#headline.textContent;
    history.replaceState(null, "", `#v=${version}`);
  }

  #play() {
    fill(this.#controls.play, icon("pause"));
    this.#controls.play.setAttribute("aria-label", "Pause");
    const next = async () => {
      if (this.#now >= this.#film.last) return this.pause();
      await this.goTo(this.#now + 1);
      if (this.#timer !== null) this.#timer = setTimeout(next, Number(this.#controls.speed.value));
    };
    this.#timer = setTimeout(next, this.#now >= this.#film.last ? 0 : 1);
  }

  #toggle() {
    if (this.#timer !== null) return this.pause();
    if (this.#now >= this.#film.last) return this.goTo(0).then(() => this.#play());
    return this.#play();
  }

  #step(by) {
    this.pause();
    return this.goTo(this.#now + by);
  }

  #toBattle(by) {
    this.pause();
    const next = by > 0 ? this.#battles.find((n) => n > this.#now) : this.#battles.findLast((n) => n < this.#now);
    if (next !== undefined) this.goTo(next);
  }

  #makeControls() {
    const button = (label, text, onclick) => el("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    const slider = el("input", { type: "range", min: 0, max: this.#film.last, value: 0, "aria-label": "Moment", oninput: () => this.#step(Number(slider.value) - this.#now) });
    const speed = el("select", { "aria-label": "Speed" }, Object.entries(SPEEDS).map(([label, ms]) => el("option", { value: ms, selected: ms === 800 }, label)));
    const link = button("Copy a link to this moment", "Link", async () => {
      await navigator.clipboard?.writeText(location.href).catch(() => {});
      link.textContent = "Copied";
      setTimeout(() => (link.textContent = "Link"), 1500);
    });
    return {
      slider,
      speed,
      link,
      play: button("Play", icon("play"), () => this.#toggle()),
      steps: [button("To the start", icon("start"), () => this.#step(-Infinity)), button("One step back", icon("back"), () => this.#step(-1))],
      onward: [button("One step on", icon("on"), () => this.#step(1)), button("To the end", icon("end"), () => this.#step(Infinity))],
      battles: [button("The battle before", icon("back", "battle"), () => this.#toBattle(-1)), button("The next battle", icon("battle", "on"), () => this.#toBattle(1))],
    };
  }

  #layOut() {
    const { slider, speed, link, play, steps, onward, battles } = this.#controls;
    const bar = el("div", { class: "player card", role: "group", "aria-label": "Replay" }, el("div", { class: "row" }, steps, play, onward, battles, el("label", { class: "row" }, "Speed ", speed), link), slider);
    const side = el("div", { class: "side-column" }, el("section", { class: "turn card" }, this.#headline, this.#detail), el("section", { class: "card", "aria-label": "Scores" }, el("h2", {}, "Scores"), this.#scores), this.#ledger.element);
    return el("div", { class: "table" }, el("div", { class: "board-column" }, this.board.element, el("div", { class: "under-board" }, el("p", { class: "hint" }, el("span", { class: "keys" }, HINT)), this.board.sizes), bar), side, this.#aloud);
  }

  /** The keys work from everywhere on the page but where they are needed: in fields, and in what can be scrolled or
   *  has keys of its own, such as the board. */
  #onKey(event) {
    const deed = KEYS[event.key];
    const { target } = event;
    if (!deed || !this.element.isConnected || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.closest?.("input, select, textarea, dialog, details, [tabindex]")) return;
    if (event.key === " " && target.closest?.("button, a")) return;
    event.preventDefault();
    deed({ step: (by) => this.#step(by), toBattle: (by) => this.#toBattle(by), toggle: () => this.#toggle() });
  }
}

function headline({ played, version, state, round }, ended, game) {
  if (ended) return `${ended.winners.length ? `${ended.winners.join(", ")} wins` : "No winner"}: ${endInWords(game, ended.reason)}`;
  if (version && state.beams) return `Round ${round - 1} is over`; // All have played at once.
  return version && played ? `${played.side}: ${played.notation}` : "The start";
}
