/** The words of events, by game. */

import { botwars } from "./botwars.js";
import { foxhunt } from "./foxhunt.js";
import { skirmish } from "./skirmish.js";

const WORDS = { botwars, foxhunt, skirmish };

/** An event as words: `{kind, parts}`, parts being texts and `{die}`. What is unknown is told by its type. */
export function inWords(game, event) {
  const { phrases, kinds } = WORDS[game];
  if (event.type === "game_over") return { kind: "over", parts: [`Game over: ${endInWords(game, event.reason)}`] };
  return { kind: kinds[event.type] ?? "", parts: phrases[event.type]?.(event) ?? [`${event.side}: ${event.type.replaceAll("_", " ")}`] };
}

/** Why a game ended. */
export function endInWords(game, reason) {
  if (reason === "truncated") return "cut off, it had taken too long";
  return WORDS[game].reasons[reason] ?? reason.replaceAll("_", " ");
}

/** Whether a replay can jump to an event as to a battle. */
export function isBattle(game, event) {
  return WORDS[game].battles.includes(event.type);
}
