/** Requests to the server that this page came from. */

import { stored, store } from "./memory.js";

/** A request that was not met; `message` says why and what would be right. */
export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The JSON answer. `playerId` is the secret of a seat in a room. Throws `Problem`. */
export async function ask(method, path, given = {}) {
  return (await answered(method, path, given)).json();
}

/** The answer as it stands. Throws `Problem`. */
export async function askText(method, path, given = {}) {
  return (await answered(method, path, given)).text();
}

async function answered(method, path, { body, playerId }) {
  const written = body === undefined ? undefined : JSON.stringify(body);
  const answer = await fetch(path, { method, headers: headers(body, playerId), body: written }).catch(() => {
    throw new Problem("The server cannot be reached; this page tries again by itself.", 0);
  });
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => null);
  throw new Problem(problem?.detail ?? `The server answered ${answer.status}.`, answer.status);
}

/** Headers that say who asks. */
export function headers(body, playerId) {
  const said = { Accept: "application/json" };
  if (body !== undefined) said["Content-Type"] = "application/json";
  if (playerId) said["X-Player-Id"] = playerId;
  if (stored("token")) said.Authorization = `Bearer ${stored("token")}`;
  return said;
}

/** The token without which this server begins no games, kept for this browser. */
export function rememberToken(token) {
  store("token", token);
}

/** The path of something by its id. */
export function path(...parts) {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
