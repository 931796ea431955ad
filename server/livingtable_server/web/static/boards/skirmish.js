/** The board of skirmish: hexes, round counters for Ivory, square ones for Crimson, dots for hp. */

import { svg } from "../dom.js";
import { hexes } from "./hexes.js";

const GROUND = { ".": "plain", "=": "road", F: "forest", "^": "hill", "~": "water", M: "mountain", I: "ivory castle", C: "crimson castle" };

export const skirmish = {
  name: "skirmish",
  geometry: (state) => hexes(state.map),
  shapeKey: (state) => state.map.join("\n"),
  groundKey: (state) => state.map.join("\n"),
  ground,
  marks: () => [],
  pieces,
  contents,
  choices,
};

function ground(state, geometry) {
  const all = geometry.rows.flat();
  const fields = Object.entries(GROUND).map(([sign, word]) => {
    const names = all.filter((name) => geometry.sign(name) === sign);
    return svg("path", { class: `ground ${word.replace(" ", "-")}`, d: names.map((name) => geometry.outline(name, 0.4)).join("") });
  });
  return [...fields, ...all.flatMap((name) => scenery(geometry.sign(name), geometry.middle(name))), ...all.map((name) => coordinate(name, geometry))];
}

/** A small picture of the ground, so that it is not known by its colour alone. */
function scenery(sign, { x, y }) {
  const draw = (kind, d) => svg("path", { class: kind, d });
  switch (sign) {
    case "F":
      return [draw("tree", `M${x - 8} ${y + 12}l-5 0 5 -9 5 9zM${x + 7} ${y + 13}l-6 0 6 -11 6 11z`)];
    case "^":
      return [draw("rise", `M${x - 13} ${y + 13}q6 -11 13 -1q5 -9 12 1`)];
    case "M":
      return [draw("peak", `M${x - 13} ${y + 11}l9 -18 5 8 3 -5 9 15z`)];
    case "~":
      return [draw("wave", `M${x - 11} ${y - 3}q4 -4 8 0t8 0t6 0M${x - 11} ${y + 6}q4 -4 8 0t8 0t6 0`)];
    case "=":
      return [draw("paving", `M${x - 9} ${y + 10}h5M${x - 1} ${y + 12}h5M${x + 6} ${y + 9}h4`)];
    case "I":
    case "C":
      return [draw(`keep ${sign === "I" ? "ivory" : "crimson"}`, `M${x - 13} ${y + 14}v-24h5v5h5v-5h6v5h5v-5h5v24z`)];
    default:
      return [];
  }
}

function coordinate(name, geometry) {
  const { x, y } = geometry.middle(name);
  return svg("text", { class: "at", x, y: y - 14.5 }, name);
}

function pieces({ state, geometry }) {
  return state.pieces.map((piece) => counter(piece, state, geometry));
}

/** Its figures may do no more this turn when it has moved and attacked: it is drawn paler. */
function counter(piece, state, geometry) {
  const { x, y } = geometry.middle(piece.hex);
  const spent = piece.side === state.side && piece.moved && piece.attacksMade > 0;
  const body =
    piece.side === "ivory"
      ? svg("circle", { class: "body", cx: x, cy: y + 1, r: 12.5 })
      : svg("rect", { class: "body", x: x - 11.5, y: y - 10.5, width: 23, height: 23, rx: 3 });
  const dots = Array.from({ length: piece.maxHp }, (_, n) =>
    svg("circle", { class: n < piece.hp ? "hp" : "hp lost", cx: x + (n - (piece.maxHp - 1) / 2) * 5.6, cy: y + 8.6, r: 1.9 }),
  );
  return svg(
    "g",
    { class: `token ${piece.side}${spent ? " spent" : ""}` },
    body,
    svg("text", { class: "glyph", x, y: y - 1.2 }, piece.kind === "S" ? "★" : piece.kind),
    svg("text", { class: "number", x: x + 8, y: y - 5 }, piece.id.split("-")[1].slice(1)),
    ...dots,
    piece.afraid ? svg("text", { class: "afraid", x: x - 9, y: y - 6 }, "!") : null,
  );
}

function contents({ state, geometry }) {
  const words = new Map(geometry.rows.flat().map((name) => [name, GROUND[geometry.sign(name)]]));
  for (const piece of state.pieces) words.set(piece.hex, `${described(piece)}, on ${words.get(piece.hex)}`);
  return words;
}

function described(piece) {
  const did = [piece.moved ? "has moved" : "", piece.attacksMade ? "has attacked" : "", piece.afraid ? "is afraid" : ""];
  return [`${piece.side} ${piece.name} ${piece.id.split("-")[1]}`, `${piece.hp} of ${piece.maxHp} hp`, ...did.filter(Boolean)].join(", ");
}

/** Click a piece: what it can reach glows, and so do the enemies that it can attack. `unreached` says why a click on
 *  a piece comes to nothing. */
function choices(actions, { state, side }) {
  const piece = new Map(state.pieces.map((each) => [each.id, each]));
  const sources = new Map();
  const buttons = [];
  const targets = (id) => {
    const { hex, name } = piece.get(id);
    if (!sources.has(hex)) sources.set(hex, { label: `${name} ${id.split("-")[1]}`, targets: new Map() });
    return sources.get(hex).targets;
  };
  for (const action of actions) {
    if (action.type === "move") targets(action.pieceId).set(action.to, { action, kind: "move", label: `move to ${action.to}` });
    else if (action.type === "attack") {
      const foe = piece.get(action.defenderId);
      targets(action.attackerId).set(foe.hex, { action, kind: "attack", label: `attack ${foe.side} ${foe.name}` });
    } else buttons.push({ action, kind: "main", label: "End Turn", key: "e" });
  }
  const unreached = (hex, from) => {
    const there = state.pieces.find((each) => each.hex === hex);
    const chosen = state.pieces.find((each) => each.hex === from);
    if (there?.side === side) return `${called(there)} can do nothing more in this turn.`;
    if (!there || !chosen) return "";
    if (chosen.afraid) return `${called(chosen)} is afraid: it can attack after it has moved.`;
    const spent = chosen.attacksMade > 0 && !actions.some((action) => action.attackerId === chosen.id);
    return spent ? `${called(chosen)} has attacked already.` : `${there.side} ${called(there)} is out of reach of ${called(chosen)}.`;
  };
  return { own: null, sources, buttons, unreached };
}

function called(piece) {
  return `${piece.name} ${piece.id.split("-")[1]}`;
}
