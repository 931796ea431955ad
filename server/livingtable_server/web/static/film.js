/** A record as frames, fetched as they are wanted. */

import { ask, askText, path } from "./api.js";
import { ofGame } from "./tables.js";

const ROOM_CODE = /^[0-9a-z]{4}-?[0-9a-z]{4}$/i;

/** The film of a session's or a room's record. */
export async function filmOf(id, playerId) {
  const place = ROOM_CODE.test(id) ? path("rooms", id) : path("games", id);
  const asked = ask("GET", `${place}/record`, { playerId });
  const { record } = await (ROOM_CODE.test(id) ? asked : ofGame(asked));
  const animation = () => askText("GET", `${place}/animation.svg`, { playerId });
  return new Film(record, (from) => ask("GET", `${place}/frames?from=${from}`, { playerId }), animation).begin();
}

/** The film of a record that somebody has as a file. */
export function filmOfRecord(record) {
  const animation = () => askText("POST", "/records/animation.svg", { body: { record } });
  return new Film(record, (from) => ask("POST", `/records/frames?from=${from}`, { body: { record } }), animation).begin();
}

class Film {
  /** Every version that has a frame. */
  versions = [];
  #frames = new Map();
  #fetch;

  /** `animation()` gives the whole as one moving SVG. */
  constructor(record, fetch, animation) {
    this.record = record;
    this.#fetch = fetch;
    this.animation = animation;
  }

  async begin() {
    await this.#load(0);
    return this;
  }

  get last() {
    return this.versions.length - 1;
  }

  /** The n-th frame, with its whole state. */
  async frame(n) {
    const version = this.versions[n];
    if (!this.#frames.has(version)) await this.#load(version);
    return this.#frames.get(version);
  }

  /** The frame at a version, or the next one: its number. */
  at(version) {
    const n = this.versions.findIndex((each) => each >= version);
    return n < 0 ? this.last : n;
  }

  async #load(from) {
    const { versions, frames } = await this.#fetch(from);
    this.versions = versions;
    let state = {};
    for (const frame of frames) {
      state = { ...state, ...frame.state };
      this.#frames.set(frame.version, { ...frame, state });
    }
  }
}
