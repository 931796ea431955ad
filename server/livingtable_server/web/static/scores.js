/** Who stands how: a table for each game. */

import { el } from "./dom.js";

/** The table of a snapshot. */
export function scores({ game, state, seats, toAct, result, own = [] }, side) {
  const { head, rows } = TABLES[game](state, Boolean(result));
  const place = new Map((result?.ranking ?? []).map((row) => [row.side, row.place]));
  const ordered = result ? rows.toSorted((a, b) => (place.get(a.id) ?? 99) - (place.get(b.id) ?? 99)) : rows;
  const controllers = new Map(seats.map((seat) => [seat.side, seat]));
  return el(
    "table",
    { class: `scores ${game}` },
    el("thead", {}, el("tr", {}, result ? el("th", { scope: "col" }, "Place") : null, ["Seat", "Who"].map((word) => el("th", { scope: "col", class: "left" }, word)), head.map((word) => el("th", { scope: "col" }, word)))),
    el("tbody", {}, ordered.map((row) => scoreRow(row, controllers.get(row.id), { toAct, side, own, place: result ? (place.get(row.id) ?? "") : null }))),
  );
}

function scoreRow({ id, mark, figures, gone, condition }, seat, { toAct, side, own, place }) {
  const classes = [toAct.includes(id) ? "to-act" : "", id === side ? "mine" : "", gone ? "gone" : ""].filter(Boolean);
  const badge = el("span", { class: `badge ${mark}`, "aria-hidden": "true" });
  const turn = toAct.includes(id) ? el("span", { class: "hidden" }, " (to act)") : null;
  return el(
    "tr",
    { class: classes.join(" ") || null },
    place === null ? null : el("td", {}, el("span", { class: `place place-${place}` }, `${place}`)),
    el("th", { scope: "row" }, badge, id, turn),
    el("td", { class: "who" }, el("span", { class: "name" }, seat?.name ?? id), el("span", { class: "controller" }, own.includes(id) ? "you" : controller(seat)),
      condition ? el("span", { class: "condition" }, condition) : null),
    figures.map((figure) => el("td", {}, `${figure}`)),
  );
}

/** Who decides for a seat, short; absent ones of a room are said to be so. */
function controller(seat) {
  if (!seat) return "";
  const who = seat.controller.startsWith("bot:") ? `bot ${seat.controller.slice(4)}` : seat.controller;
  return seat.present === false && !seat.controller.startsWith("bot:") && seat.controller !== "open" ? `${who}, away` : who;
}

const TABLES = {
  botwars: (state) => ({
    head: ["Score", "Strength", "Health"],
    rows: state.characters.map((c) => ({
      id: c.id,
      mark: c.characterType === "troll" ? "troll" : "player",
      gone: !c.alive,
      figures: [c.score, c.strength.toFixed(1), c.alive ? c.health.toFixed(1) : "dead"],
    })),
  }),
  skirmish: (state) => ({
    head: ["Pieces", "Hp", "General"],
    rows: ["ivory", "crimson"].map((id) => {
      const own = state.pieces.filter((piece) => piece.side === id);
      const general = own.some((piece) => piece.kind === "S") ? "alive" : state.leaderless[id] ? "dead, −1" : "none";
      return { id, mark: id, figures: [own.length, own.reduce((sum, piece) => sum + piece.hp, 0), general] };
    }),
  }),
  foxhunt: (state, over) => ({
    head: ["Points", "Range", "Bombs"],
    rows: state.players.map((p) => ({
      id: p.id,
      mark: p.id === state.fox ? "fox" : "hunter",
      figures: [p.points, p.range, `${p.bombs - p.bombsLaid}/${p.bombs}`],
      condition: condition(p, state, over),
    })),
  }),
};

function condition(player, state, over) {
  const words = [
    player.id === state.fox ? (over ? "fox" : `fox, next +${state.foxRounds + 1}`) : "",
    player.hat ? `hat ${player.hat}` : "",
    player.paralysed ? `paralysed ${player.paralysed}` : "",
    player.committed ? "chosen" : "",
  ];
  return words.filter(Boolean).join(", ");
}
