/** The board of botwars: parties as lines, gravestones, Gary, and everybody's strength and health at a glance. */

import { svg } from "../dom.js";
import { CELL, edgeNumbers, outlines, squares } from "./squares.js";

const LINES = 6;
const WORDS = { ".": "open", M: "mountain", F: "forest" };

export const botwars = {
  name: "botwars",
  geometry: (state) => squares(state.width, state.height),
  shapeKey: (state) => `${state.width}x${state.height}`,
  groundKey: (state) => state.terrain.join("\n"),
  ground,
  marks,
  pieces,
  contents,
  choices,
};

function ground(state, geometry) {
  const of = (sign) => geometry.rows.flat().filter((name) => signAt(state, name) === sign);
  const drawn = (names, shape) => names.map((name) => shape(corner(geometry, name))).join("");
  const mountain = ({ x, y }) => `M${x + 4} ${y + 26}l9 -18 4 7 3 -5 8 16z`;
  const tree = ({ x, y }) => `M${x + 16} ${y + 5}l9 16h-7v6h-4v-6h-7z`;
  return [
    svg("path", { class: "ground open", d: outlines(geometry, geometry.rows.flat()) }),
    svg("path", { class: "ground mountain", d: outlines(geometry, of("M")) }),
    svg("path", { class: "ground forest", d: outlines(geometry, of("F")) }),
    svg("path", { class: "peak", d: drawn(of("M"), mountain) }),
    svg("path", { class: "tree", d: drawn(of("F"), tree) }),
    ...edgeNumbers(svg, state.width, state.height),
  ];
}

function marks({ state, geometry }) {
  return [...state.graves.map((grave) => gravestone(grave, geometry)), ...state.parties.map((party, n) => line(party, n, state, geometry))];
}

function gravestone({ id, position }, geometry) {
  const { x, y } = corner(geometry, position);
  return svg(
    "g",
    { class: "grave" },
    svg("path", { d: `M${x + 9} ${y + 28}v-14a7 7 0 0 1 14 0v14z` }),
    svg("text", { x: x + 16, y: y + 19, class: "small" }, id),
  );
}

function line(party, n, state, geometry) {
  const at = (id) => geometry.middle(state.characters.find((c) => c.id === id).position);
  const points = party.members.map(at).map(({ x, y }) => `${x},${y}`).join(" ");
  return svg("polyline", { class: `line line-${n % LINES}`, points });
}

function pieces({ state, side, geometry }) {
  const living = state.characters.filter((character) => character.alive && character.position);
  return [...(state.wizard ? [wizard(state.wizard, geometry)] : []), ...living.map((character) => token(character, state, side, geometry))];
}

function wizard({ position, strength }, geometry) {
  const { x, y } = corner(geometry, position);
  return svg(
    "g",
    { class: "wizard" },
    svg("path", { d: `M${x + 16} ${y + 1}l9 22h-18z` }),
    svg("path", { class: "brim", d: `M${x + 3} ${y + 23}h26` }),
    svg("text", { x: x + 16, y: y + 17 }, "G"),
    svg("text", { x: x + 16, y: y + 29, class: "figure" }, strength.toFixed(1)),
  );
}

/** Round for players, square for trolls; a leader has a second ring, the own figure a gap in gold around it. */
function token(character, state, side, geometry) {
  const { x, y } = geometry.middle(character.position);
  const troll = character.characterType === "troll";
  const leads = character.leader === character.id;
  const n = state.parties.findIndex((party) => party.members.includes(character.id));
  const classes = ["token", troll ? "troll" : "player", n >= 0 ? `line-${n % LINES}` : "", character.id === state.turn ? "turn" : ""];
  const shape = (r, kind) =>
    troll
      ? svg("rect", { class: kind, x: x - r, y: y - 2 - r, width: 2 * r, height: 2 * r, rx: 3 })
      : svg("circle", { class: kind, cx: x, cy: y - 2, r });
  const share = Math.max(0, Math.min(1, character.health / character.maxHealth));
  return svg(
    "g",
    { class: classes.join(" ") },
    character.id === side ? shape(14.5, "own") : null,
    shape(12, "body"),
    leads ? shape(9.6, "leader") : null,
    svg("text", { x, y: y - 5, class: "id" }, character.id),
    svg("text", { x, y: y + 4, class: "figure" }, character.strength.toFixed(1)),
    svg("rect", { class: "bar", x: x - 12, y: y + 11, width: 24, height: 3.5, rx: 1.5 }),
    svg("rect", { class: share > 0.34 ? "health" : "health low", x: x - 12, y: y + 11, width: 24 * share, height: 3.5, rx: 1.5 }),
  );
}

/** What stands on each cell, in words. */
function contents({ state, geometry }) {
  const found = new Map(geometry.rows.flat().map((name) => [name, [WORDS[signAt(state, name)]]]));
  for (const { id, position } of state.graves) found.get(position)?.push(`grave of ${id}`);
  if (state.wizard) found.get(state.wizard.position)?.push(`${state.wizard.name}, strength ${state.wizard.strength}`);
  for (const character of state.characters) {
    if (character.alive && character.position) found.get(character.position)?.push(described(character, state));
  }
  return new Map([...found].map(([name, words]) => [name, words.length > 1 ? words.slice(1).join(", ") + (words[0] === "open" ? "" : `, ${words[0]}`) : words[0]]));
}

function described(character, state) {
  const party = state.parties.find(({ members }) => members.includes(character.id));
  const role = party ? (party.leader === character.id ? `, leads ${party.members.join(" ")}` : `, follows ${party.leader}`) : "";
  return `${character.characterType} ${character.id} “${character.name}”, strength ${character.strength}, health ${character.health} of ${character.maxHealth}${role}`;
}

/** What can be clicked: cells to move to, neighbours to ally with or to attack, Gary; the rest are buttons. */
function choices(actions, { state, side }) {
  const at = (id) => state.characters.find((character) => character.id === id)?.position;
  const own = at(side);
  const targets = new Map();
  const buttons = [];
  for (const action of actions) {
    const option = chosen(action, state);
    const cell = { move: action.to, ally: at(action.target), attack: at(foe(action.target, state, at(side), at)), challenge: state.wizard?.position }[action.type];
    // Gary may stand where one could go: then he is challenged by the button.
    if (cell && cell !== own && !targets.has(cell)) targets.set(cell, option);
    if (action.type !== "move") buttons.push(option);
  }
  return { own, sources: new Map([[own, { label: side, targets }]]), buttons };
}

/** The one of a party that stands next to its attacker: it is named by its leader, who may be further off. */
function foe(target, state, own, at) {
  const members = state.parties.find((party) => party.leader === target)?.members ?? [target];
  const near = (cell) => {
    const [[x, y], [u, v]] = [own.split(",").map(Number), cell.split(",").map(Number)];
    return Math.max(Math.abs(x - u), Math.abs(y - v));
  };
  return members.filter(at).reduce((best, id) => (near(at(id)) < near(at(best)) ? id : best), target);
}

function chosen(action, state) {
  const offer = state.offer ? ` ${state.offer.from}` : "";
  const words = {
    move: () => ({ kind: "move", label: `move to ${action.to}` }),
    pass: () => ({ kind: "plain", label: "Pass", key: "p" }),
    sleep: () => ({ kind: "plain", label: "Sleep", key: "z" }),
    ally: () => ({ kind: "ally", label: `Ally with ${action.target}`, key: "a" }),
    attack: () => ({ kind: "attack", label: `Attack ${action.target}`, key: "x" }),
    challenge: () => ({ kind: "challenge", label: "Challenge Gary", key: "c" }),
    answer: () => (action.accept ? { kind: "ally", label: `Accept${offer}`, key: "y" } : { kind: "plain", label: "Decline", key: "d" }),
    reward: () => ({ kind: "challenge", label: { score: "+2 score", strength: "+2.0 strength", health: "+2.0 health" }[action.choice], key: action.choice[1] }),
  };
  return { action, ...words[action.type]() };
}

function signAt(state, name) {
  const [x, y] = name.split(",").map(Number);
  return state.terrain[y][x];
}

function corner(geometry, name) {
  const { x, y } = geometry.middle(name);
  return { x: x - CELL / 2, y: y - CELL / 2 };
}
