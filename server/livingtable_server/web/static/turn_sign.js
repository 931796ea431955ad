/** The sign that it is one's turn: in the title, and as a notification to who asked for one and looks elsewhere. */

const TITLE = document.title;

export class TurnSign {
  #button;
  #last = null;

  /** `button` is the one that asks for leave to notify. */
  constructor(button) {
    this.#button = button;
    this.#button.hidden = !("Notification" in globalThis) || Notification.permission !== "default";
    this.#button.addEventListener("click", async () => {
      await Notification.requestPermission();
      this.#button.hidden = true;
    });
  }

  /** `name` is what the table is called. */
  draw(yours, { version, result }, name) {
    document.title = result ? `${name} · over` : yours ? `● Your turn · ${name}` : `${name} · ${TITLE}`;
    if (yours && this.#last === false && document.hidden) notify(name, version);
    this.#last = yours;
  }
}

function notify(name, version) {
  if (!("Notification" in globalThis) || Notification.permission !== "granted") return;
  try {
    const sign = new Notification("Your turn", { body: name, tag: `living-table ${location.pathname}`, data: version });
    sign.addEventListener("click", () => globalThis.focus());
  } catch {
    // Some browsers notify by service workers alone: the title says it all the same.
  }
}
