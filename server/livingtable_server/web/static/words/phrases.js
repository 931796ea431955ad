/** What the games' words are made of. */

/** A die that fell; the ledger draws it. */
export function die(value) {
  return { die: value };
}

/** What a scenario without a title is called: `fox_yard` is Fox Yard. */
export function nameOf(scenario) {
  return scenario.replaceAll("_", " ").replaceAll(/(^| )\p{L}/gu, (first) => first.toUpperCase());
}

export function list(words) {
  return [...words].join(", ");
}

export function signed(n) {
  return n < 0 ? `−${-n}` : `+${n}`;
}

export function both(attackers, strength, defenders, against) {
  return `${attackers.join("+")} ${strength.toFixed(1)} against ${defenders.join("+")} ${against.toFixed(1)}:`;
}

/** Each roll of each bout: the dice, and what they come to times the strengths. Equal ones were rolled again. */
export function bouts(all, strengths) {
  return all.flatMap(({ attackerRolls, defenderRolls, winner }, n) => [
    ...attackerRolls.flatMap((roll, i) => [
      `${n || i ? "· " : ""}`,
      die(roll),
      `${(roll * strengths[0]).toFixed(1)} to`,
      die(defenderRolls[i]),
      `${(defenderRolls[i] * strengths[1]).toFixed(1)}`,
    ]),
    `(${winner})`,
  ]);
}
