/** The words of events, by game. */

import { botwars } from "./botwars.js";
import { foxhunt } from "./foxhunt.js";
import { skirmish } from "./skirmish.js";

const WORDS = { botwars, foxhunt, skirmish };
const ALOUD_AT_MOST = 12;

/** An event as words: `{kind, parts}`, parts being texts and `{die}`. What is unknown is told by its type. */
export function inWords(game, event) {
  const { phrases, kinds } = WORDS[game];
  if (event.type === "game_over") return { kind: "over", parts: [`Game over: ${endInWords(game, event.reason)}`] };
  return { kind: kinds[event.type] ?? "", parts: phrases[event.type]?.(event) ?? [`${event.side}: ${event.type.replaceAll("_", " ")}`] };
}

/** Events as one text, without pictures of dice: for who hears the page. Of very many only the first, and the end of
 *  the game. That somebody has chosen is no news once it is known what. */
export function aloud(game, events) {
  const resolved = events.findLastIndex(({ type }) => type === "round_resolved");
  const news = events.filter(({ type }, n) => type !== "committed" || n > resolved);
  const first = news.slice(0, ALOUD_AT_MOST);
  const left = news.length - first.length;
  const end = left > 0 && news.at(-1).type === "game_over" ? [asText(game, news.at(-1))] : [];
  const more = left > end.length ? [`and ${left - end.length} more`] : [];
  return [...first.map((event) => asText(game, event)), ...more, ...end].join("; ");
}

function asText(game, event) {
  return inWords(game, event).parts.map((part) => part.die ?? part).join(" ");
}

/** Why a game ended. */
export function endInWords(game, reason) {
  if (reason === "truncated") return "cut off, it had taken too long";
  return WORDS[game].reasons[reason] ?? reason.replaceAll("_", " ");
}

const KINDS = {
  illegal: "an illegal action",
  unparsable: "an answer that is no action",
  overlong: "an answer that is too long",
  cut: "an answer cut at its limit of tokens",
  crash: "it failed",
  timeout: "no answer in time",
};

/** Who forfeited a record's game, and by what; "" if nobody did. */
export function forfeitInWords({ ended }) {
  return ended?.reason === "forfeit" ? `${ended.side} forfeits: ${KINDS[ended.kind] ?? ended.kind}` : "";
}

/** The result of a record with whoever forfeited in the last place; the others keep their order. */
export function withForfeiterLast(result, { ended }) {
  if (ended?.reason !== "forfeit" || !result) return result;
  const others = result.ranking.filter(({ side }) => side !== ended.side);
  const place = (row) => (row.side === ended.side ? result.ranking.length : 1 + others.filter((other) => other.place < row.place).length);
  return { ...result, ranking: result.ranking.map((row) => ({ ...row, place: place(row) })) };
}

/** Whether a replay can jump to an event as to a battle. */
export function isBattle(game, event) {
  return WORDS[game].battles.includes(event.type);
}
