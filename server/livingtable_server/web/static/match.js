/** A game as this page knows it: it looks, plays, follows, and tells who draws it. */

import { Problem } from "./api.js";

const UNSENT = "The server cannot be reached: the move was not made. When the connection is back it can be made again.";
const OVERTAKEN = "The board has changed since you chose this: it was not done. Choose again.";

/**
 * `table` is where it is played. `drawn(match)` is called after every change, `refused(reason)` for what was not
 * accepted (or with "" that this is settled), `connected(true or false)` when the connection breaks or is back,
 * `played(side, action)` after what was accepted.
 */
export class Match {
  snapshot = null;
  actions = [];
  reason = "";
  side = null;
  /** Why there is no such table any more, in words for people. */
  closed = "";
  /** Whether the server does not know it any more, which is not the same as that its host has closed it. */
  gone = false;
  #wanted = null;
  #stop = null;
  #looking = null;
  #stale = false;
  #sent = null;
  #next = null;
  #unsent = false;

  constructor(table, { drawn, refused, connected = () => {}, played = () => {} }) {
    this.table = table;
    this.drawn = drawn;
    this.refused = refused;
    this.connected = connected;
    this.played = played;
  }

  /** Looks for the first time, then follows. Throws `Problem` where there is no such game. */
  async open() {
    await this.#look(0);
    if (!this.snapshot.result) this.#follow();
  }

  /** Seats of the caller that may act now. */
  get choosable() {
    const { own, toAct } = this.snapshot;
    return own.filter((side) => toAct.includes(side));
  }

  /** Speaks for another of the own seats. */
  speakFor(side) {
    this.#wanted = side;
    return this.refresh();
  }

  /** Plays an action of the seat that is to act. What is chosen while another is on its way comes after that one,
   *  unless it is the same again: that was a double click. */
  async play(action) {
    if (this.closed || same(action, this.#sent)) return;
    if (this.#sent) {
      this.#next = action;
      return;
    }
    const { side, snapshot } = this;
    const accepted = await this.#submit(action);
    const next = this.#next;
    this.#next = null;
    if (!next || !accepted) return;
    if (this.side === side && this.snapshot.version <= snapshot.version + 1) await this.play(next);
    else this.refused(OVERTAKEN);
  }

  /** Whether the action was accepted. */
  async #submit(action) {
    const { side } = this;
    this.#sent = action;
    try {
      const outcome = await this.table.submit(side, action, this.snapshot.version);
      if (!outcome.ok) {
        this.refused(outcome.reason);
        await this.refresh();
        return false;
      }
      if (outcome.version >= this.snapshot.version) this.#take(outcome);
      this.played(side, action);
      return true;
    } catch (error) {
      if (error.status === 404) this.#shut(error);
      else {
        this.#unsent = error.status === 0;
        this.refused(this.#unsent ? UNSENT : error.message);
      }
      return false;
    } finally {
      this.#sent = null;
    }
  }

  /** Looks again; several wishes at once are one look, and one more if something happened meanwhile. */
  async refresh() {
    if (this.closed) return undefined;
    this.#stale = true;
    this.#looking ??= this.#lookUntilFresh().finally(() => (this.#looking = null));
    return this.#looking;
  }

  close() {
    this.#stop?.();
  }

  async #lookUntilFresh() {
    while (this.#stale) {
      this.#stale = false;
      await this.#look(this.snapshot.version).catch((error) => {
        if (!(error instanceof Problem)) throw error;
        if (error.status === 404) this.#shut(error);
      });
    }
  }

  /** The table that was there is no more: a room's host closed it, say. */
  #shut({ message, gone = false }) {
    this.close();
    this.connected(true); // There is nothing left with which to catch up.
    this.closed = message;
    this.gone = gone;
    this.actions = [];
    this.drawn(this, []);
  }

  /** Whether a move came through before the connection broke can be seen now. */
  async #settle() {
    this.#unsent = false;
    await this.refresh();
    this.refused("");
  }

  async #look(since) {
    const asked = this.#wanted ?? this.side;
    // The legal actions are asked for at the same time, for the seat that it will most likely be.
    const guess = this.table.legal(asked).catch(() => null);
    let snapshot = await this.table.look(asked, since);
    const side = this.#speaker(snapshot);
    if (side && side !== snapshot.side) snapshot = await this.table.look(side, since);
    const mine = side && snapshot.toAct.includes(side);
    const canChoose = side && !snapshot.result && (mine || snapshot.legal?.length);
    const guessed = await guess;
    const found = guessed?.side === side && guessed.version === snapshot.version ? guessed : null;
    const legal = canChoose ? (found ?? (await this.table.legal(side))) : { version: snapshot.version, actions: [] };
    if (legal.version !== snapshot.version) this.#stale = true;
    if (this.snapshot && snapshot.version < this.snapshot.version) return;
    this.side = side;
    this.snapshot = snapshot;
    this.actions = legal.actions ?? [];
    this.reason = legal.reason ?? "";
    this.drawn(this, snapshot.events ?? []);
  }

  /** For which of the own seats the page speaks: the one that was chosen, else one that is to act. */
  #speaker({ own, toAct }) {
    if (own.includes(this.#wanted) && (toAct.includes(this.#wanted) || !own.some((side) => toAct.includes(side)))) return this.#wanted;
    if (own.includes(this.side) && toAct.includes(this.side)) return this.side;
    return own.find((side) => toAct.includes(side)) ?? (own.includes(this.side) ? this.side : (own[0] ?? null));
  }

  /** An outcome tells all that there is to see, if the seat is to act again; else it is looked at anew. */
  #take(outcome) {
    this.snapshot = { ...this.snapshot, version: outcome.version, toAct: outcome.toAct, result: outcome.result, state: outcome.state };
    this.actions = outcome.actions ?? [];
    this.side = outcome.side ?? this.side;
    this.drawn(this, outcome.events);
    this.refresh();
  }

  #follow() {
    this.#stop = this.table.follow(this.snapshot.version, {
      told: (version) => {
        if (version > this.snapshot.version) this.refresh();
      },
      stirred: (seats) => {
        const known = this.snapshot;
        if (JSON.stringify([seats.room, seats.players]) !== JSON.stringify([known.room, known.players])) this.refresh();
      },
      connected: (is) => {
        this.connected(is);
        if (is && this.#unsent) this.#settle();
      },
      ended: () => this.refresh(),
    });
  }
}

function same(action, other) {
  return JSON.stringify(action) === JSON.stringify(other);
}
