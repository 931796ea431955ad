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
export async function ask(method, path, { body, playerId, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, { method, headers: headers(body, playerId), body: written(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The server cannot be reached; this page tries again by itself.", 0);
  }
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(data?.detail ?? `The server answered ${answer.status}.`, answer.status);
  return data;
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

function written(body) {
  return body === undefined ? undefined : JSON.stringify(body);
}
