/** Where a game is played: a session of one's own, or a room. Both are asked the same things. */

import { ask, path, Problem } from "./api.js";
import { follow } from "./stream.js";

const ELSEWHERE = "is not kept here: it was removed, or the server keeps its games in another place now.";
/** What the server says of a code that it does not know; of a room that was closed it says so. */
const UNKNOWN_ROOM = /^There is no room/;

/** What a request about a session of one's own answers; that there is none is said in words for people. */
export async function ofGame(request) {
  return request.catch((problem) => {
    throw problem.status === 404 ? gone("This game") : problem;
  });
}

/** The problem that a table is not there any more, which is another one than that a host has closed it. */
function gone(what) {
  return Object.assign(new Problem(`${what} ${ELSEWHERE}`, 404), { gone: true });
}

/** A session: who has its id plays every seat that no bot has. */
export class SessionTable {
  kind = "games";

  constructor(id) {
    this.id = id;
    this.path = path("games", id);
  }

  async look(side, since) {
    const query = new URLSearchParams({ sinceVersion: since, ...(side ? { side } : {}) });
    const snapshot = await ofGame(ask("GET", `${this.path}?${query}`));
    return { ...snapshot, own: snapshot.seats.filter(isPlayed).map((seat) => seat.side) };
  }

  legal(side) {
    return ofGame(ask("GET", `${this.path}/legal-actions${side ? `?${new URLSearchParams({ side })}` : ""}`));
  }

  submit(side, action, expectedVersion) {
    return ofGame(ask("POST", `${this.path}/actions`, { body: { action, side, expectedVersion } }));
  }

  follow(since, hears) {
    return follow(`${this.path}/events`, since, hears);
  }

  async record() {
    return (await ofGame(ask("GET", `${this.path}/record`))).record;
  }
}

const NOTHING = { version: -1, side: null, actions: [] };

/** A room: who has the playerId of a seat plays that seat, everybody else looks on. */
export class RoomTable {
  kind = "rooms";
  #removed = false;
  #seen = false;

  constructor(code, playerId = null) {
    this.id = code;
    this.playerId = playerId;
    this.path = path("rooms", code);
  }

  async look(_side, since) {
    const query = new URLSearchParams({ sinceVersion: since });
    const asked = ask("GET", `${this.path}?${query}`, this.#me()).catch((problem) => {
      if (problem.status !== 403 || this.playerId === null) throw problem;
      this.#lose();
      return ask("GET", `${this.path}?${query}`);
    });
    const state = await this.#ofRoom(asked);
    this.#seen = true;
    return { ...state, seats: state.players ?? state.seats, own: state.side ? [state.side] : [], removed: this.#removed };
  }

  async legal(_side) {
    return this.playerId ? ask("GET", `${this.path}/legal-actions`, this.#me()) : NOTHING;
  }

  submit(_side, action, expectedVersion) {
    return this.#ofRoom(ask("POST", `${this.path}/actions`, { body: { playerId: this.playerId, action, expectedVersion } }));
  }

  follow(since, hears) {
    return follow(`${this.path}/events`, since, { ...hears, playerId: () => this.playerId, refused: () => this.#lose() });
  }

  async record() {
    return (await ask("GET", `${this.path}/record`, this.#me())).record;
  }

  /** Takes a free seat; throws `Problem` where there is none. */
  async join(side, name) {
    const joined = await ask("POST", `${this.path}/join`, { body: { ...(side ? { side } : {}), ...(name ? { name } : {}) } });
    this.playerId = joined.playerId;
    return joined;
  }

  /** Seats a bot: on an open seat, on `all` of them, or in the own place, which so is given up. */
  seatBot(side, bot) {
    return ask("POST", `${this.path}/bots`, { body: { playerId: this.playerId, side, ...(bot ? { bot } : {}) } });
  }

  /** A seat in the room in which its players play again: `{roomCode, playerId, side}`. */
  rematch() {
    return ask("POST", `${this.path}/rematch`, { body: { playerId: this.playerId } });
  }

  /** What a request about this room answers; of one that was there it is not said that there is none of its code. */
  #ofRoom(request) {
    return request.catch((problem) => {
      const was = this.#seen || this.playerId;
      throw was && problem.status === 404 && UNKNOWN_ROOM.test(problem.message) ? gone("This room") : problem;
    });
  }

  /** The seat is a bot's now: one may look on. */
  #lose() {
    this.playerId = null;
    this.#removed = true;
  }

  #me() {
    return this.playerId ? { playerId: this.playerId } : {};
  }
}

function isPlayed(seat) {
  return !seat.controller.startsWith("bot:");
}
