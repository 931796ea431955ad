/** What happens in botwars, in words and with its dice. Words are texts and dice, in order. */

import { bouts, both, list, signed } from "./phrases.js";

export const REASONS = {
  united: "all living players stand in one party",
  sole_survivor: "one is left alive",
  only_trolls: "only trolls are left",
  round_limit: "the last round is over",
};

const PHRASES = {
  moved: (e) => [`${e.side} moves from ${e.from} to ${e.to}`],
  squeezed: (e) => [`${e.side} squeezes through: ${list(Object.entries(e.losses).map(([id, lost]) => `${id} −${lost.toFixed(1)} strength`))}`],
  passed: (e) => [`${e.side} passes${e.consecutivePasses > 1 ? `, for the ${e.consecutivePasses}th time` : ""}`],
  unstuck: (e) => [`${e.side}’s party gets itself unstuck`],
  unstuck_failed: (e) => [`${e.side}’s party finds no way out`],
  ally_offered: (e) => [`${e.side} offers ${e.target} an alliance`],
  ally_answered: (e) => [`${e.side} ${e.accept ? "accepts" : "declines"}`],
  party_formed: (e) => [`a party forms: ${list(e.members)}; ${e.members[0]} leads`],
  joined: (e) => [`${e.id} joins the party of ${e.party}`],
  battle: (e) => [
    both(e.attackers, e.attackerStrength, e.defenders, e.defenderStrength),
    ...bouts(e.bouts, [e.attackerStrength, e.defenderStrength]),
    `${e.winner} wins`,
  ],
  scored: (e) => [`${e.id} ${signed(e.delta)} score, now ${e.score}`],
  damaged: (e) => [`${e.id} loses ${e.amount.toFixed(1)} health, ${e.health.toFixed(1)} left`],
  died: (e) => [`${e.id} dies at ${e.position}`],
  line_closed: (e) => [`the line closes up: ${list(Object.keys(e.line))}`],
  leader_changed: (e) => [`${e.leader} leads now, after ${e.party}`],
  absorbed: (e) => [`${e.id} falls in behind ${e.party}`],
  party_dissolved: (e) => [`the party dissolves: ${list(e.members)} on their own`],
  respawned: (e) => [`${e.id} comes back at ${e.position}`],
  challenge: (e) => [
    `${e.challenger} ${e.strength.toFixed(1)} challenges the Wizard ${e.wizardStrength.toFixed(1)}`,
    ...bouts(e.bouts, [e.strength, e.wizardStrength]),
    e.winner === "wizard" ? "the Wizard wins" : `${e.winner} wins`,
  ],
  wizard_moved: (e) => [`the Wizard goes to ${e.position}`],
  rewarded: (e) => [`${e.id} takes ${e.choice} as reward, now ${e.value}`],
  slept: (e) => [`${e.side} sleeps, health ${e.health.toFixed(1)}`],
};

const KINDS = {
  battle: "battle", challenge: "battle", died: "loss", damaged: "loss", ally_offered: "accord", ally_answered: "accord",
  party_formed: "accord", joined: "accord", scored: "gain", rewarded: "gain",
};

export const botwars = { phrases: PHRASES, kinds: KINDS, reasons: REASONS, battles: ["battle", "challenge"] };
