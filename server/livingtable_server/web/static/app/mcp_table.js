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
    const own = snapshot.seats.filter((seat) => !seat.controller.startsWith("bot:")).map((seat) => seat.side);
    return { ...snapshot, own };
  }

  legal(side) {
    return this.bridge.callTool("list_legal_actions", { sessionId: this.id, side, detail: "full" });
  }

  submit(side, action, expectedVersion) {
    return this.bridge.callTool("submit_action", { sessionId: this.id, side, action, expectedVersion, detail: "full" });
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
        if (now.result) clearInterval(timer);
      } catch {
        connected(false);
      }
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }
}
