/** What there is to do in a room besides playing: join, seat bots, invite, leave, play again. */

import { ask, Problem } from "./api.js";
import { el, fill } from "./dom.js";
import { rememberGame, store, stored } from "./memory.js";

const LOOK_AGAIN_MS = 3_000;

export class RoomPanel {
  #table;
  element = el("section", { class: "card room", "aria-label": "Room", hidden: true });
  #changed;
  #trouble = el("p", { class: "refusal", role: "alert", hidden: true });
  #drawn = "";
  #bots = null;
  #looking = null;
  /** One field for all drawings, so that what is being typed stays there. */
  #name = el("input", { name: "name", maxlength: 32, autocomplete: "nickname", value: stored("name") ?? "" });

  /** `changed` is called after everything that the room has to be looked at for again. */
  constructor(table, changed) {
    this.#table = table;
    this.#changed = changed;
  }

  /** Draws the panel anew where something in it is different. */
  async draw(snapshot, closed = "") {
    const key = JSON.stringify([snapshot.seats, snapshot.side, snapshot.room, Boolean(snapshot.result)]);
    if (closed) {
      clearTimeout(this.#looking);
      this.element.hidden = true;
      return;
    }
    if (key === this.#drawn) {
      if (snapshot.result) this.#again(snapshot);
      return;
    }
    this.#drawn = key;
    this.element.hidden = false;
    this.#bots ??= (await ask("GET", `/scenarios?${new URLSearchParams({ game: snapshot.game })}`)).bots.filter((bot) => bot.games.includes(snapshot.game));
    if (key !== this.#drawn) return; // Somebody came or went while the bots were asked for.
    const typing = document.activeElement === this.#name;
    const free = snapshot.seats.filter(isFree);
    fill(
      this.element,
      el("h2", {}, `Room ${snapshot.room.roomCode ?? this.#table.id}`),
      snapshot.seedGiven ? el("p", {}, `The seed ${snapshot.seed} was chosen by the room’s maker, who may have tried the dice.`) : null,
      snapshot.result ? null : this.#invitation(free),
      snapshot.side || snapshot.result || !free.length ? null : this.#joining(free),
      this.#creator && !snapshot.result ? this.#seating(snapshot.seats) : null,
      snapshot.side && !snapshot.result ? this.#leaving(snapshot.side) : null,
      snapshot.result ? this.#again(snapshot) : null,
      this.#trouble,
    );
    if (typing) this.#name.focus();
  }

  get #creator() {
    return stored(`creator.${this.#table.id}`) ?? false;
  }

  #invitation(free) {
    const link = el("input", { readonly: true, value: location.href.split("#")[0], "aria-label": "Link to this room", onfocus: () => link.select() });
    const copy = el("button", { type: "button", onclick: () => copied(link, copy) }, "Copy link");
    const open = free.filter((seat) => seat.controller === "open").length;
    const taken = free.length ? "No seat is open, but a bot’s can be taken. Who has this link can take it or look on:" : "All seats are taken. Who has this link can look on:";
    const words = open ? `${open} ${open > 1 ? "seats are" : "seat is"} open. Invite with this link:` : taken;
    return el("div", { class: "invitation" }, el("p", {}, words), el("div", { class: "row" }, link, copy));
  }

  #joining(free) {
    const name = this.#name;
    const side = el("select", { name: "side" }, free.map((seat) => el("option", { value: seat.side }, `${seat.side} (${seat.controller === "open" ? "open" : "a bot’s"})`)));
    const submit = (event) => {
      event.preventDefault();
      store("name", name.value.trim() || null);
      this.#do(async () => {
        const { playerId } = await this.#table.join(side.value, name.value.trim());
        store(`seat.${this.#table.id}`, playerId);
        rememberGame("rooms", this.#table.id, { side: side.value });
        location.reload();
      });
    };
    return el("form", { class: "joining", onsubmit: submit }, el("label", {}, "Your name ", name), el("label", {}, "Seat ", side), el("button", { type: "submit", class: "main" }, "Take the seat"));
  }

  #seating(seats) {
    const open = seats.filter((seat) => seat.controller === "open");
    if (!open.length) return null;
    const bot = el("select", { "aria-label": "Which bot" }, this.#bots.map(({ name }) => el("option", { selected: name === "greedy" }, name)));
    const seat = (side, label) => el("button", { type: "button", onclick: () => this.#do(() => this.#table.seatBot(side, bot.value)) }, label);
    return el("div", { class: "row" }, el("span", {}, "Seat the bot"), bot, "on", ...open.slice(0, 8).map(({ side }) => seat(side, side)), open.length > 1 ? seat("all", "all") : null);
  }

  #leaving(side) {
    const leave = () => {
      if (!confirm("Leave the room? A bot takes your seat over.")) return;
      this.#do(async () => {
        await this.#table.seatBot(side);
        store(`seat.${this.#table.id}`, null);
        location.reload();
      });
    };
    return el("div", { class: "row" }, el("button", { type: "button", onclick: leave }, "Leave (a bot takes over)"));
  }

  /** Who has a seat plays again on the same one; the page looks whether another player has called for it already. */
  #again({ side, room }) {
    clearTimeout(this.#looking);
    if (!room.rematch) this.#looking = setTimeout(() => this.#changed(), LOOK_AGAIN_MS);
    const there = room.rematch && `/rooms/${encodeURIComponent(room.rematch)}`;
    if (!side) return el("div", { class: "row" }, there ? el("a", { class: "button", href: there }, "Look on at the rematch") : null, toLobby());
    const rematch = () =>
      this.#do(async () => {
        const { roomCode, playerId } = await this.#table.rematch();
        store(`seat.${roomCode}`, playerId);
        if (roomCode !== room.rematch) store(`creator.${roomCode}`, true);
        location.assign(`/rooms/${encodeURIComponent(roomCode)}`);
      });
    const words = there ? "A rematch has been called. " : "";
    return el("div", { class: "row" }, words, el("button", { type: "button", class: "main", onclick: rematch }, there ? "Join it" : "Rematch"), toLobby());
  }

  async #do(deed) {
    this.#trouble.hidden = true;
    try {
      await deed();
      await this.#changed();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#trouble.textContent = error.message;
      this.#trouble.hidden = false;
    }
  }
}

function toLobby() {
  return el("a", { class: "button", href: "/" }, "To the lobby");
}

function isFree(seat) {
  return seat.controller === "open" || seat.controller.startsWith("bot:");
}

async function copied(link, button) {
  try {
    await navigator.clipboard.writeText(link.value);
    button.textContent = "Copied";
  } catch {
    link.select();
  }
}
