/** The events of a game as they happen. After a break it comes back by itself and catches up. */

import { headers } from "./api.js";

const SILENCE_MS = 40_000; // The server gives a sign of life every 15 s.
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Follows `url` from a version on. `told(version, events)` gets the events of one version together; `stirred(seats)`
 * is called when somebody comes to a room or goes;
 * `connected(true or false)` hears of breaks; `ended()` is called once there will be no more.
 * `playerId()` is the secret of a seat in a room, or null;
 * `refused()` is called where it is the secret of none. Returns a function that stops it.
 */
export function follow(url, since, { told, stirred, connected, ended, playerId, refused }) {
  let stopped = false;
  let cut = new AbortController();
  const again = () => cut.abort();
  globalThis.addEventListener("online", again);
  globalThis.addEventListener("offline", again);

  async function run() {
    let pause = FIRST_PAUSE_MS;
    while (!stopped) {
      cut = new AbortController();
      try {
        const over = await listen();
        if (over) break;
        pause = FIRST_PAUSE_MS;
      } catch {
        connected(false);
      }
      if (stopped) break;
      cut = new AbortController();
      await rest(pause, cut.signal);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    if (!stopped) ended();
  }

  /** One connection, until it breaks. True once the game is over and all is told. */
  async function listen() {
    const said = { ...headers(undefined, playerId?.()), Accept: "text/event-stream" };
    const answer = await fetch(`${url}?since=${since}`, { headers: said, signal: cut.signal });
    if (answer.status === 204 || answer.status === 404) {
      connected(true); // There is nothing more to be had, and so nothing with which to catch up.
      return true;
    }
    if (answer.status === 403) refused?.();
    if (!answer.ok) throw new Error(`${answer.status}`);
    connected(true);
    const watch = watchdog(() => cut.abort());
    try {
      for await (const { id, data, event } of frames(answer.body, watch.alive)) {
        if (data === null) continue;
        if (event === "room") {
          stirred?.(JSON.parse(data));
          continue;
        }
        pending.push(JSON.parse(data));
        if (id === null) continue;
        since = Number(id);
        told(since, pending.splice(0));
      }
    } finally {
      pending = [];
      watch.stop();
    }
    return false;
  }

  let pending = [];
  run();
  return () => {
    stopped = true;
    globalThis.removeEventListener("online", again);
    globalThis.removeEventListener("offline", again);
    cut.abort();
  };
}

/** The frames `{id, data}` of a stream of server-sent events. */
async function* frames(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    text = (text + value).replaceAll("\r\n", "\n");
    let end;
    while ((end = text.indexOf("\n\n")) >= 0) {
      yield frame(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function frame(block) {
  const lines = block.split("\n");
  const values = (name) => lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
  const data = values("data");
  return { event: values("event")[0] ?? null, id: values("id")[0] ?? null, data: data.length ? data.join("\n") : null };
}

/** Calls `silent` when nobody has called `alive` for long. */
function watchdog(silent) {
  let timer = setTimeout(silent, SILENCE_MS);
  const stop = () => clearTimeout(timer);
  return {
    stop,
    alive: () => {
      stop();
      timer = setTimeout(silent, SILENCE_MS);
    },
  };
}

/** Waits, unless told to hurry. */
function rest(ms, hurry) {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    hurry.addEventListener("abort", () => {
      clearTimeout(timer);
      setTimeout(done, 50);
    });
  });
}
