/**
 * A board that is drawn, looked at and played on. What is on it comes from the module of its game.
 *
 * Layers from below: the ground, which is drawn once; marks, such as beams and glowing cells; pieces; and on top a
 * transparent cell each, which has the name, the focus and the clicks.
 */

import { el, fill, svg } from "../dom.js";
import { icon } from "../icons.js";

const DRIFT = 12; // A finger that moves no further than so many pixels has tapped.
const SMALLEST_CELL = 19;
const LARGEST_CELL = 56;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** `game` is a module of boards/; `act(option)` is called with what was chosen. */
export class Board {
  #game;
  #act;
  #frame;
  #layers = {};
  #cells = new Map();
  #geometry = null;
  #groundKey = null;
  #choices = null;
  #selected = null;
  #armed = null;
  #focus = null;
  #press = null;
  #zoom = null;
  #label = "";
  #say;
  #below;

  /** `below` are the pixels that the page needs under the board. */
  constructor(game, act, { say = () => {}, below = 130 } = {}) {
    this.#game = game;
    this.#below = below;
    this.#act = act;
    this.#say = say;
    this.#frame = el("div", { class: "board-frame" });
    this.element = el("div", { class: "board-place" }, this.#frame);
    this.sizes = this.#zoomButtons();
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  /** The drawing itself, an SVG. */
  drawing = null;

  /** Draws a position. `choices` is what the game's module made of the legal actions, or null. */
  draw(state, { side = null, seats = [], choices = null, traces = [], label = "" } = {}) {
    this.#label = label;
    this.#layGround(state);
    const about = { state, side, seats, geometry: this.#geometry };
    fill(this.#layers.marks, this.#game.marks(about), this.#traces(traces));
    fill(this.#layers.pieces, this.#game.pieces(about));
    this.#name(this.#game.contents(about));
    this.#choose(choices, label);
    this.#keepInSight(choices?.own ?? null);
  }

  /** Lets go of what was selected. */
  deselect() {
    this.#armed = null;
    this.#select(this.#choices?.own ?? null, false);
  }

  /** A key that was pressed elsewhere on the page leads to the board, if there is something to choose on it. */
  lead(event) {
    if (!this.#choices || !(event.key in ARROWS || ["n", "N", "Escape"].includes(event.key))) return;
    const first = event.key in ARROWS && !this.#visited && this.#choices.own === null;
    if (!first) return this.#onKey(event);
    event.preventDefault();
    this.#toNextChoice(this.#focus, 1);
  }

  // drawing

  #layGround(state) {
    const key = this.#game.groundKey(state);
    if (key === this.#groundKey) return;
    const sameShape = this.#geometry !== null && this.#game.shapeKey(state) === this.#shapeKey;
    this.#groundKey = key;
    if (sameShape) {
      fill(this.#layers.ground, this.#game.ground(state, this.#geometry));
      return;
    }
    this.#shapeKey = this.#game.shapeKey(state);
    this.#geometry = this.#game.geometry(state);
    this.#build(state);
  }

  #shapeKey = null;

  #build(state) {
    const { width, height } = this.#geometry.size;
    for (const name of ["ground", "marks", "glow", "pieces", "cells"]) {
      this.#layers[name] = svg("g", { class: `layer-${name}`, "aria-hidden": name === "cells" ? null : "true" });
    }
    fill(this.#layers.ground, this.#game.ground(state, this.#geometry));
    this.#cells.clear();
    fill(this.#layers.cells, this.#geometry.rows.map((row) => svg("g", { role: "row" }, row.map((name) => this.#cell(name)))));
    const picture = svg(
      "svg",
      { class: `board ${this.#game.name}`, viewBox: `0 0 ${width} ${height}`, role: "grid", "aria-label": this.#label },
      Object.values(this.#layers),
    );
    picture.addEventListener("keydown", (event) => this.#onKey(event));
    picture.addEventListener("pointerdown", (event) => this.#onDown(event));
    picture.addEventListener("pointerup", (event) => this.#onUp(event));
    picture.addEventListener("pointercancel", () => (this.#press = null));
    picture.addEventListener("click", (event) => this.#onClick(event));
    this.drawing = picture;
    this.#zoom = null;
    this.#moveFocus(this.#geometry.rows[0][0], false);
    this.#fit(); // Before it stands in the page: to measure the place is cheap as long as it is empty.
    fill(this.#frame, picture);
  }

  #cell(name) {
    const cell = svg("path", { d: this.#geometry.outline(name), class: "cell", role: "gridcell", tabindex: -1 });
    cell.dataset.cell = name;
    this.#cells.set(name, cell);
    return cell;
  }

  /** What each cell is called: its coordinate and what is there. */
  #name(contents) {
    this.drawing.setAttribute("aria-label", this.#label);
    for (const [name, cell] of this.#cells) {
      const content = `${name} ${contents.get(name) ?? "nothing"}`;
      cell.dataset.content = content;
    }
  }

  #traces(traces) {
    return traces.filter(({ path }) => path.every((name) => this.#cells.has(name))).map(({ path }) => {
      const points = path.map((name) => this.#geometry.middle(name)).map(({ x, y }) => `${x},${y}`);
      return svg("polyline", { class: "trace", points: points.join(" ") });
    });
  }

  // choosing

  /** What was selected stays so, and what was tapped once too, unless the game has gone on. */
  #choose(choices, moment) {
    const kept = this.#selected;
    const still = kept !== null && choices?.sources.has(kept);
    const selected = still ? kept : (choices?.own ?? null);
    const armed = choices?.sources.get(selected)?.targets.has(this.#armed) && moment === this.#moment;
    if (!armed) this.#armed = null;
    if (!still) this.#chosenByHand = false;
    this.#choices = choices;
    this.#moment = moment;
    this.#select(selected, false);
    if (choices?.own && !this.#visited) this.#moveFocus(choices.own, false);
  }

  #select(name, aloud = true) {
    this.#selected = name;
    const source = this.#choices?.sources.get(name);
    const targets = source?.targets ?? new Map();
    const sources = this.#choices?.sources ?? new Map();
    const glow = [];
    for (const other of sources.keys()) {
      if (other !== name) glow.push(svg("path", { d: this.#geometry.outline(other, 2), class: "glow source" }));
    }
    if (source) glow.push(svg("path", { d: this.#geometry.outline(name, 1), class: this.#choices.own === name ? "glow own-place" : "glow selected" }));
    for (const [target, option] of targets) {
      const armed = target === this.#armed ? " armed" : "";
      glow.push(svg("path", { d: this.#geometry.outline(target, 2), class: `glow ${option.kind}${armed}` }));
    }
    fill(this.#layers.glow, glow);
    for (const [cellName, cell] of this.#cells) this.#describe(cellName, cell, sources, targets);
    if (aloud && source) this.#say(`${source.label}: ${targets.size} places to go or attack.`);
  }

  #describe(name, cell, sources, targets) {
    const can = targets.has(name) ? "target" : sources.has(name) ? "source" : "";
    if (cell.dataset.can !== can) cell.dataset.can = can;
    const does = targets.get(name)?.label ?? (name === this.#selected && sources.has(name) ? "selected" : "");
    const label = cell.dataset.content + (does ? `; ${does}` : "");
    if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    const selected = name === this.#selected && sources.has(name) ? "true" : null;
    if (cell.getAttribute("aria-selected") !== selected) {
      if (selected) cell.setAttribute("aria-selected", selected);
      else cell.removeAttribute("aria-selected");
    }
  }

  /** A click, a tap or Enter on a cell. With a finger the first tap on a place selects it and the second one acts,
   *  unless a piece was tapped before: then that was the first. */
  #touch(name, byFinger) {
    this.#visited = true;
    this.#moveFocus(name, false);
    const option = this.#choices?.sources.get(this.#selected)?.targets.get(name);
    const source = this.#choices?.sources.has(name);
    if (option && byFinger && !this.#chosenByHand && this.#armed !== name) {
      this.#armed = name;
      this.#select(this.#selected, false);
      this.#say(`${option.label}? Tap again.`, true);
    } else if (option) {
      this.#chosenByHand = false;
      this.#act(option);
    } else if (source) {
      const again = name === this.#selected && this.#choices.own === null;
      this.#armed = null;
      this.#chosenByHand = !again;
      this.#select(again ? null : name);
    } else if (this.#choices?.unreached?.(name, this.#selected)) {
      this.#say(this.#choices.unreached(name, this.#selected), true);
    } else {
      this.#chosenByHand = false;
      this.deselect();
      this.#say(this.#cells.get(name).dataset.content);
    }
  }

  #chosenByHand = false;
  #moment = "";
  #visited = false;

  #onDown(event) {
    if (!event.isPrimary || event.button !== 0) return;
    const cell = event.target.closest("[data-cell]");
    this.#press = cell ? { name: cell.dataset.cell, x: event.clientX, y: event.clientY } : null;
  }

  #onUp(event) {
    const press = this.#press;
    this.#press = null;
    if (!press || Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRIFT) return;
    this.#cells.get(press.name)?.focus({ preventScroll: true });
    this.#touch(press.name, event.pointerType === "touch");
  }

  /** Clicks without a pointer are those of assistive technology. */
  #onClick(event) {
    const cell = event.target.closest("[data-cell]");
    if (cell && event.detail === 0 && !event.pointerType) this.#touch(cell.dataset.cell, false);
  }

  // by keyboard

  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = this.#focus;
    if (event.key in ARROWS) this.#step(name, ...ARROWS[event.key]);
    else if (event.key === "Home" || event.key === "End") this.#toRowEnd(name, event.key === "End");
    else if (event.key === "n" || event.key === "N") this.#toNextChoice(name, event.key === "N" ? -1 : 1);
    else if (event.key === "Enter" || event.key === " ") this.#touch(name, false);
    else if (event.key === "Escape") this.deselect();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(name, dx, dy) {
    const next = this.#geometry.beside(name, dx, dy);
    if (next && this.#cells.has(next)) this.#moveFocus(next);
    else if (dy) this.#moveFocus(this.#nearestInRow(name, dy) ?? name);
    else if (dx) this.#moveFocus(this.#nextInRow(name, dx) ?? name);
  }

  /** Where a row has no cell above or below: the nearest one that it has. */
  #nearestInRow(name, dy) {
    const rows = this.#geometry.rows;
    const row = rows[rows.findIndex((cells) => cells.includes(name)) + dy];
    const { x } = this.#geometry.middle(name);
    const away = (cell) => Math.abs(this.#geometry.middle(cell).x - x);
    return row?.reduce((best, cell) => (away(cell) < away(best) ? cell : best));
  }

  #nextInRow(name, dx) {
    const row = this.#geometry.rows.find((cells) => cells.includes(name));
    return row[row.indexOf(name) + dx];
  }

  #toRowEnd(name, last) {
    const row = this.#geometry.rows.find((cells) => cells.includes(name));
    this.#moveFocus(row[last ? row.length - 1 : 0]);
  }

  /** Goes round the targets of what is selected, or else what can be selected. */
  #toNextChoice(name, by) {
    const { sources } = this.#choices ?? { sources: new Map() };
    const wanted = sources.get(this.#selected)?.targets ?? sources;
    const order = [...this.#cells.keys()].filter((cell) => wanted.has(cell));
    if (!order.length) return;
    const all = [...this.#cells.keys()];
    const here = all.indexOf(name);
    const next = by > 0
      ? (order.find((cell) => all.indexOf(cell) > here) ?? order[0])
      : (order.findLast((cell) => all.indexOf(cell) < here) ?? order.at(-1));
    this.#moveFocus(next);
  }

  #moveFocus(name, really = true) {
    this.#cells.get(this.#focus)?.setAttribute("tabindex", -1);
    this.#focus = name;
    const cell = this.#cells.get(name);
    cell.setAttribute("tabindex", 0);
    if (!really) return;
    this.#visited = true;
    cell.focus();
  }

  // size

  #zoomButtons() {
    const by = (factor) => () => this.#zoomTo((this.#zoom ?? this.#cellPixels()) * factor);
    const button = (label, sign, onclick) => el("button", { type: "button", "aria-label": label, title: label, onclick }, sign);
    return el(
      "div",
      { class: "zoom", role: "group", "aria-label": "Size of the board" },
      button("Smaller", icon("smaller"), by(1 / 1.3)),
      button("Fit the board", icon("fit"), () => this.#zoomTo(null)),
      button("Larger", icon("larger"), by(1.3)),
    );
  }

  #zoomTo(pixels) {
    this.#zoom = pixels === null ? null : Math.max(6, Math.min(120, pixels));
    this.#inSight = null;
    this.#fit();
    this.#keepInSight(this.#choices?.own ?? this.#focus);
  }

  /** How wide a cell is if nobody says otherwise: as the place allows, but never too small to be hit. */
  #cellPixels() {
    const { width, height } = this.#geometry.size;
    const room = { width: this.#frame.clientWidth, height: this.#roomBelow() };
    const fits = Math.min(room.width / width, Math.max(room.height / height, 240 / height)) * this.#geometry.cell;
    return Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, fits));
  }

  #roomBelow() {
    const high = globalThis.innerHeight;
    return high > 480 && globalThis.innerWidth > 720 ? high - this.#below : Math.max(300, high - 190);
  }

  #fit() {
    if (!this.#geometry) return;
    const scale = (this.#zoom ?? this.#cellPixels()) / this.#geometry.cell;
    const { width, height } = this.#geometry.size;
    this.drawing.setAttribute("width", Math.floor(width * scale));
    this.drawing.setAttribute("height", Math.floor(height * scale));
    const larger = width * scale > this.#frame.clientWidth + 1 || height * scale > this.#roomBelow() + 1;
    this.#frame.classList.toggle("scrolls", larger);
    this.#frame.style.maxHeight = larger ? `${Math.max(260, this.#roomBelow())}px` : "";
  }

  #inSight = null;

  /** On a board that is larger than its frame, the own figure is kept in sight. */
  #keepInSight(name) {
    if (name === null || name === this.#inSight || !this.#cells.has(name)) return;
    const first = this.#inSight === null;
    this.#inSight = name;
    const frame = this.#frame;
    if (frame.scrollWidth <= frame.clientWidth && frame.scrollHeight <= frame.clientHeight) return;
    const scale = this.drawing.clientWidth / this.#geometry.size.width;
    const { x, y } = this.#geometry.middle(name);
    const off = (at, from, size) => at < from + size * 0.2 || at > from + size * 0.8;
    if (first || off(x * scale, frame.scrollLeft, frame.clientWidth) || off(y * scale, frame.scrollTop, frame.clientHeight)) {
      frame.scrollTo(x * scale - frame.clientWidth / 2, y * scale - frame.clientHeight / 2);
    }
  }
}
