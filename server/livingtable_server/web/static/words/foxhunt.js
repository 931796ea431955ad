/** What happens in foxhunt, in words. */

import { list } from "./phrases.js";

const KINDS_OF_SPECIAL = { range: "a longer beam", bombs: "one more bomb", hat: "a tinfoil hat" };

const PHRASES = {
  committed: (e) => [`${e.side} has chosen`],
  round_resolved: (e) => [`Round ${e.round}: ${e.commands.length ? list(e.commands.map(command)) : "nobody chose"}`],
  moved: (e) => [`${e.side} moves from ${e.from} to ${e.to}`],
  picked_up: (e) => [`${e.side} picks up ${KINDS_OF_SPECIAL[e.kind]} at ${e.position}`],
  caught: (e) => [`${e.by} catches the fox ${e.fox}, and is the fox now`],
  teleported: (e) => [`${e.side} is whisked away to ${e.position}`],
  bomb_laid: (e) => [`${e.side} has a bomb at ${e.position}, range ${e.range}, fuse ${e.fuse}`],
  exploded: (e) => [`bombs explode at ${list(e.bombs)}`],
  wall_destroyed: (e) => [`a wall falls at ${e.position}${e.revealed ? `, under it ${KINDS_OF_SPECIAL[e.revealed]}` : ""}`],
  special_destroyed: (e) => [`${KINDS_OF_SPECIAL[e.kind]} is destroyed at ${e.position}`],
  paralysed: (e) => [`${e.side} is paralysed for ${e.rounds} rounds`],
  protected: (e) => [`${e.side} is kept safe by the hat`],
  scored: (e) => [`${e.side} scores ${e.points} as fox, now ${e.total}`],
  special_appeared: (e) => [`${KINDS_OF_SPECIAL[e.kind]} appears at ${e.position}`],
};

const KINDS = {
  committed: "waiting", round_resolved: "turn", exploded: "battle", caught: "battle", paralysed: "loss", scored: "gain",
  picked_up: "gain",
};

export const foxhunt = { phrases: PHRASES, kinds: KINDS, reasons: { round_limit: "the last round is over" }, battles: ["caught", "exploded"] };

function command({ side, action }) {
  const words = { move: () => action.direction, bomb: () => "bomb", throw: () => `throw ${action.direction} ${action.distance}`, stay: () => "stay" };
  return `${side} ${words[action.type]()}`;
}
