/** The way from a page in a chat to the chat's program: JSON-RPC by messages, as MCP Apps have it. */

const PROTOCOL = "2026-01-26";

export class Bridge {
  #next = 1;
  #waiting = new Map();
  #heard;

  /** `heard(method, params)` is told what the host says by itself. */
  constructor(heard) {
    this.#heard = heard;
    addEventListener("message", (event) => {
      if (event.source === parent && event.data?.jsonrpc === "2.0") this.#take(event.data);
    });
  }

  /** Says hello; returns what the host says of itself and of where the page is shown. */
  async open() {
    const welcome = await this.ask("ui/initialize", {
      protocolVersion: PROTOCOL,
      appInfo: { name: "living-table", title: "The Living Table", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    this.tell("ui/notifications/initialized", {});
    return welcome;
  }

  /** The host's answer to a request. Throws an `Error` with the host's words. */
  ask(method, params) {
    const id = this.#next++;
    const answered = new Promise((fulfil, reject) => this.#waiting.set(id, { fulfil, reject }));
    parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
    return answered;
  }

  tell(method, params) {
    parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
  }

  /** The structured answer of one of the server's tools. Throws an `Error` with the tool's words. */
  async callTool(name, given) {
    const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
    const result = await this.ask("tools/call", { name, arguments: kept });
    if (result.isError || !result.structuredContent) throw new Error(result.content?.map((part) => part.text).join(" ") || `${name} failed`);
    return result.structuredContent;
  }

  #take(message) {
    if (message.method && message.id !== undefined) this.#answer(message);
    else if (message.method) this.#heard(message.method, message.params ?? {});
    else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.fulfil(message.result);
    }
  }

  #answer({ id, method }) {
    const known = method === "ping" || method === "ui/resource-teardown";
    if (method === "ui/resource-teardown") this.#heard(method, {});
    const missing = { error: { code: -32601, message: `${method} is not known here` } };
    parent.postMessage({ jsonrpc: "2.0", id, ...(known ? { result: {} } : missing) }, "*");
  }
}
