/** What happens in skirmish, in words and with its dice. */

import { die, signed } from "./phrases.js";

const NAMES = { K: "Knight", A: "Archer", W: "Wizard", G: "Goblin", O: "Orc", T: "Troll", D: "Dragon", S: "General" };
const SIDES = { ivory: "Ivory", crimson: "Crimson" };

const PHRASES = {
  moved: (e) => [`${piece(e.pieceId)} moves from ${e.from} to ${e.to}, cost ${e.cost}`],
  attacked: (e) => [
    `${piece(e.attackerId)} attacks ${piece(e.defenderId)}:`,
    die(e.roll),
    `${e.modifier ? `${signed(e.modifier)} ` : ""}needs ${e.needed} — ${e.hit ? "a hit" : "a miss"}`,
  ],
  damaged: (e) => [`${piece(e.pieceId)} has ${e.hp} hp left`],
  destroyed: (e) => [`${piece(e.pieceId)} is destroyed`],
  afraid: (e) => [`afraid of the Dragon: ${e.pieceIds.map(piece).join(", ")}`],
  regenerated: (e) => [`${piece(e.pieceId)} heals, ${e.hp} hp`],
  turn_ended: (e) => [`${SIDES[e.side]} ends turn ${e.turn}`],
  castle_taken: (e) => [`${SIDES[e.side]} takes the castle with ${piece(e.pieceId)}`],
};

const KINDS = { attacked: "battle", damaged: "loss", destroyed: "loss", regenerated: "gain", castle_taken: "gain", turn_ended: "turn" };

export const skirmish = {
  phrases: PHRASES,
  kinds: KINDS,
  reasons: { castle_taken: "the castle is taken", army_destroyed: "an army is destroyed", turn_limit: "the turn limit is reached" },
  battles: ["attacked"],
};

/** `ivory-K1` as "Ivory Knight K1". */
function piece(id) {
  const [side, short] = id.split("-");
  return `${SIDES[side]} ${NAMES[short[0]]} ${short}`;
}
