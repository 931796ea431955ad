/** What this browser remembers between visits; nothing, where it is told to remember nothing. */

const PREFIX = "living-table.";
const GAMES_AT_MOST = 60;
let fallback = {};

/** A value that was stored, or null. */
export function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return fallback[name] ?? null;
  }
}

/** Stores a value; null forgets it. */
export function store(name, value) {
  fallback[name] = value;
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser may forbid it: the page goes on without.
  }
}

/** The games and rooms of this browser, newest first: `{kind, id, game, title, side, ended}`. */
export function games() {
  return stored("games") ?? [];
}

/** Remembers a game, or more about it. */
export function rememberGame(kind, id, more) {
  const all = games();
  const known = all.find((game) => game.kind === kind && game.id === id);
  const rest = all.filter((game) => game !== known);
  store("games", [{ kind, id, ...known, ...more }, ...rest].slice(0, GAMES_AT_MOST));
}

/** Says more of a game that is remembered, in its place. */
export function noteGame(kind, id, more) {
  store("games", games().map((game) => (game.kind === kind && game.id === id ? { ...game, ...more } : game)));
}

/** Forgets a game. */
export function forgetGame(kind, id) {
  store("games", games().filter((game) => game.kind !== kind || game.id !== id));
}
