/** A session that is reached by tool calls, through the chat's program. */

const LOOK_AGAIN_MS = 3_000;

export class McpTable {
  kind = "games";

  constructor(id, bridge) {
    this.id = id;
    this.bridge = bridge;
  }

  async look(side, since) {
    const snapshot = await this.bridge.callTool("get_state", { sessionId: this.id, side, sinceVersion: since, detail: "full" });
    this.own = snapshot.seats.filter((seat) => !seat.controller.startsWith("bot:")).map((seat) => seat.side);
    return { ...(await this.#whole(snapshot, side)), own: this.own };
  }

  /** What is too long for one answer is asked for line by line. */
  async legal(side) {
    const asked = { sessionId: this.id, side };
    const listed = await this.bridge.callTool("list_legal_actions", { ...asked, detail: "full" });
    if (!listed.cut) return listed;
    const { legal } = await this.bridge.callTool("list_legal_actions", { ...asked, detail: "brief" });
    const actions = [];
    for (const prefix of new Set(legal.map((line) => line.split(" ")[0]))) {
      const some = await this.bridge.callTool("list_legal_actions", { ...asked, prefix, detail: "full" });
      if (some.version !== listed.version) return this.legal(side);
      actions.push(...some.actions);
    }
    return { ...listed, actions };
  }

  async submit(side, action, expectedVersion) {
    const asked = { sessionId: this.id, side, action, expectedVersion, detail: "full" };
    const outcome = await this.bridge.callTool("submit_action", asked);
    if (!outcome.ok || !outcome.cut) return outcome;
    const { actions } = outcome.side ? await this.legal(outcome.side) : outcome;
    return { ...(await this.#whole(outcome, side)), actions };
  }

  /** With the further parts of a state that is too large for one answer. */
  async #whole(answer, side) {
    let { state, nextCursor } = answer;
    while (nextCursor) {
      const asked = { sessionId: this.id, side, cursor: nextCursor, detail: "full" };
      const more = await this.bridge.callTool("get_state", asked);
      state = joined(state, more.state);
      nextCursor = more.nextCursor;
    }
    return { ...answer, state };
  }

  /** There is no stream here: what the model plays is looked for from time to time, while somebody can see it. */
  follow(since, { told, connected }) {
    let version = since;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      try {
        const now = await this.bridge.callTool("get_state", { sessionId: this.id, detail: "brief" });
        connected(true);
        if (now.version > version) told((version = now.version), []);
        // Bots play on where somebody waits, and not where somebody looks.
        if (now.reason && this.own?.length) {
          await this.bridge.callTool("wait_for_turn", { sessionId: this.id, side: this.own[0], timeoutSeconds: 0 });
        }
        if (now.result) clearInterval(timer);
      } catch {
        connected(false);
      }
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }
}

/** Parts of a large object, joined key by key, lists one after the other. */
function joined(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) {
    const [first, ...rest] = other;
    if (!one.length || !first?.continued) return [...one, ...other];
    const { continued: _, ...more } = first;
    return [...one.slice(0, -1), joined(one.at(-1), more), ...rest];
  }
  if (one && other && typeof one === "object" && typeof other === "object") {
    const keys = Object.keys(other);
    return { ...one, ...Object.fromEntries(keys.map((key) => [key, key in one ? joined(one[key], other[key]) : other[key]])) };
  }
  return typeof one === "string" && typeof other === "string" ? one + other : other;
}
