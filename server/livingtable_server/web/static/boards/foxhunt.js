/** The board of foxhunt: walls, bombs with their fuses, beams, specials, hats, the hunters and the fox. */

import { svg } from "../dom.js";
import { CELL, edgeNumbers, outlines, squares } from "./squares.js";

const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const WORDS = { _: "free", W: "wall", w: "brick wall" };
const SIGNS = { range: "R", bombs: "B", hat: "H" };
const SPECIALS = { range: "special: longer beams", bombs: "special: one more bomb", hat: "special: tinfoil hat" };

export const foxhunt = {
  name: "foxhunt",
  geometry: (state) => squares(state.width, state.height),
  shapeKey: (state) => `${state.width}x${state.height}`,
  groundKey: (state) => state.map.join("\n"),
  ground,
  marks,
  pieces,
  contents,
  choices,
};

function ground(state, geometry) {
  const of = (sign) => geometry.rows.flat().filter((name) => signAt(state, name) === sign);
  const brick = (name) => {
    const { x, y } = corner(geometry, name);
    return `M${x} ${y + 11}h32M${x} ${y + 22}h32M${x + 16} ${y}v11M${x + 8} ${y + 11}v11M${x + 24} ${y + 22}v10`;
  };
  const soft = of("w");
  return [
    svg("path", { class: "ground open", d: outlines(geometry, of("_")) }),
    svg("path", { class: "ground wall", d: outlines(geometry, of("W")) }),
    svg("path", { class: "ground brick", d: outlines(geometry, soft) }),
    svg("path", { class: "mortar", d: soft.map(brick).join("") }),
    ...edgeNumbers(svg, state.width, state.height),
  ];
}

function marks({ state, geometry }) {
  const beams = state.beams.length ? [svg("path", { class: "beam", d: outlines(geometry, state.beams, 3) })] : [];
  return [...beams, ...state.specials.map((special) => box(special, geometry)), ...state.bombs.map((bomb) => drawnBomb(bomb, geometry))];
}

function box({ position, kind }, geometry) {
  const { x, y } = geometry.middle(position);
  return svg(
    "g",
    { class: `special special-${kind}` },
    svg("rect", { x: x - 9, y: y - 9, width: 18, height: 18, rx: 4 }),
    svg("text", { x, y }, SIGNS[kind]),
  );
}

function drawnBomb({ position, fuse }, geometry) {
  const { x, y } = geometry.middle(position);
  return svg(
    "g",
    { class: fuse <= 1 ? "bomb soon" : "bomb" },
    svg("circle", { cx: x, cy: y + 2, r: 11 }),
    svg("path", { class: "cord", d: `M${x + 5} ${y - 8}q2 -6 7 -5` }),
    svg("circle", { class: "spark", cx: x + 12.5, cy: y - 13, r: 2.2 }),
    svg("text", { x, y: y + 3 }, `${fuse}`),
  );
}

function pieces({ state, side, geometry }) {
  const sharing = new Map();
  for (const player of state.players) sharing.set(player.position, [...(sharing.get(player.position) ?? []), player]);
  return [...sharing.values()].flatMap((together) => together.map((player, n) => token(player, n, together.length, state, side, geometry)));
}

/** Players that share a field stand side by side on it. */
function token(player, n, of, state, side, geometry) {
  const { x: middle, y } = geometry.middle(player.position);
  const x = middle + ((2 * n - of + 1) * 16) / (of + 1);
  const fox = player.id === state.fox;
  const body = fox
    ? svg("path", { class: "body", d: `M${x - 13} ${y - 13}l7 5h12l7 -5v14l-13 13l-13 -13z` })
    : svg("circle", { class: "body", cx: x, cy: y, r: 11.5 });
  const classes = ["token", fox ? "fox" : "hunter", player.paralysed ? "paralysed" : "", player.id === side ? "mine" : ""];
  return svg(
    "g",
    { class: classes.join(" ") },
    player.id === side ? svg("circle", { class: "own", cx: x, cy: y, r: 14.8 }) : null,
    body,
    player.hat ? svg("path", { class: "hat", d: `M${x - 10} ${y - 8}l10 -9l10 9z` }) : null,
    player.paralysed ? svg("path", { class: "bolts", d: `M${x - 12} ${y + 10}l6 -3 6 3 6 -3 6 3` }) : null,
    svg("text", { class: "id", x, y: y + 0.5 }, player.id),
    player.committed ? svg("path", { class: "committed", d: `M${x + 5} ${y + 9}l3 3l6 -7` }) : null,
  );
}

function contents({ state, geometry }) {
  const found = new Map(geometry.rows.flat().map((name) => [name, []]));
  for (const player of state.players) found.get(player.position).push(described(player, state));
  for (const { position, fuse, owner, range } of state.bombs) {
    found.get(position).push(`bomb of ${owner}, ${fuse ? `explodes in ${fuse} rounds` : "explodes this round"}, range ${range}`);
  }
  for (const { position, kind } of state.specials) found.get(position).push(SPECIALS[kind]);
  for (const name of state.beams) found.get(name).push("beam");
  return new Map([...found].map(([name, words]) => [name, words.join("; ") || WORDS[signAt(state, name)]]));
}

function described(player, state) {
  const marks = [
    player.id === state.fox ? "the fox" : "hunter",
    player.hat ? `hat for ${player.hat} rounds` : "",
    player.paralysed ? `paralysed for ${player.paralysed} rounds` : "",
    player.committed ? "has chosen" : "",
  ];
  return [`${player.id} “${player.name}”`, ...marks.filter(Boolean)].join(", ");
}

/** Fields to walk to, or in the mode `throw` those on which a bomb can land; the rest are buttons. */
function choices(actions, { state, side, mode }) {
  const own = state.players.find((player) => player.id === side).position;
  const targets = new Map();
  const buttons = [];
  let throws = false;
  for (const action of actions) {
    if (action.type === "move" && mode !== "throw") {
      targets.set(landing(own, action.direction, 1), { action, kind: "move", label: `move ${action.direction}` });
    } else if (action.type === "throw") {
      throws = true;
      const label = `throw a bomb ${action.direction} ${action.distance}`;
      if (mode === "throw") targets.set(landing(own, action.direction, action.distance), { action, kind: "attack", label });
    } else if (action.type === "bomb") buttons.push({ action, kind: "attack", label: "Lay a bomb", key: "b" });
    else if (action.type === "stay") buttons.push({ action, kind: "plain", label: "Stay", key: "s" });
  }
  if (throws) buttons.splice(1, 0, { mode: mode === "throw" ? null : "throw", pressed: mode === "throw", kind: "attack", label: "Throw a bomb", key: "t" });
  return { own, sources: new Map([[own, { label: side, targets }]]), buttons };
}

function landing(own, direction, distance) {
  const [x, y] = own.split(",").map(Number);
  const [dx, dy] = STEPS[direction];
  return `${x + dx * distance},${y + dy * distance}`;
}

function signAt(state, name) {
  const [x, y] = name.split(",").map(Number);
  return state.map[y][x];
}

function corner(geometry, name) {
  const { x, y } = geometry.middle(name);
  return { x: x - CELL / 2, y: y - CELL / 2 };
}
