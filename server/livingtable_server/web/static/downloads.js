/** What can be taken along: the record, and the board as a picture. */

import { el, svg } from "./dom.js";

const SHARPNESS = 3;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "font-size", "font-weight", "text-anchor", "dominant-baseline"];

/** A menu for a board and the table (or record) that it belongs to. */
export function downloads(board, table) {
  const item = (label, make) => el("li", {}, el("button", { type: "button", onclick: make }, label));
  const menu = el(
    "details",
    { class: "menu" },
    el("summary", { class: "button" }, "Download"),
    el(
      "ul",
      {},
      item("Record (JSON)", async () => save(new Blob([JSON.stringify(await table.record(), null, 1)], { type: "application/json" }), "record.json")),
      item("Board (SVG)", () => save(new Blob([picture(board)], { type: "image/svg+xml" }), "board.svg")),
      table.animation ? item("Game (moving SVG)", async () => save(new Blob([await table.animation()], { type: "image/svg+xml" }), "game.svg")) : null,
      item("Board (PNG)", async () => save(await pixels(picture(board)), "board.png")),
    ),
  );
  closeElsewhere(menu);
  return menu;
}

/** Escape, and a click elsewhere, close a menu that is open. */
function closeElsewhere(menu) {
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }, { capture: true });
}

/** The board as an SVG file that needs no style but what stands in it, so that every program draws it. */
function picture(board) {
  const { drawing } = board;
  const [, , width, height] = drawing.getAttribute("viewBox").split(" ");
  const layers = [...drawing.children].filter((layer) => !layer.matches(".layer-cells, .layer-glow"));
  const colors = getComputedStyle(drawing);
  const sheet = svg("rect", { width, height, fill: colors.getPropertyValue("background-color") });
  const whole = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": drawing.getAttribute("aria-label"), "font-family": "system-ui, sans-serif" }, sheet, layers.map(plain));
  return new XMLSerializer().serializeToString(whole);
}

/** An element with the style that it has here written into it. */
function plain(element) {
  const copy = element.cloneNode(false);
  for (const name of ["class", "aria-hidden"]) copy.removeAttribute(name);
  if (!element.classList.length && element.tagName === "g" && !element.children.length) return copy;
  if (element.tagName !== "g" || element.classList.length) {
    const style = getComputedStyle(element);
    for (const name of STYLES) copy.setAttribute(name, style.getPropertyValue(name));
  }
  copy.append(...[...element.childNodes].map((child) => (child.nodeType === Node.ELEMENT_NODE ? plain(child) : child.cloneNode())));
  return copy;
}

/** An SVG as a PNG. */
async function pixels(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = el("canvas", { width: image.width * SHARPNESS, height: image.height * SHARPNESS });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
