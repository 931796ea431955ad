/** What can be taken along: the record, and the board as a picture. */

import { el } from "./dom.js";

const SHARPNESS = 3;

/** A menu for a board and the table (or record) that it belongs to. */
export function downloads(board, table) {
  const item = (label, make) => el("li", {}, el("button", { type: "button", onclick: make }, label));
  return el(
    "details",
    { class: "menu" },
    el("summary", { class: "button" }, "Download"),
    el(
      "ul",
      {},
      item("Record (JSON)", async () => save(new Blob([JSON.stringify(await table.record(), null, 1)], { type: "application/json" }), "record.json")),
      item("Board (SVG)", async () => save(new Blob([await picture(board)], { type: "image/svg+xml" }), "board.svg")),
      item("Board (PNG)", async () => save(await pixels(await picture(board)), "board.png")),
    ),
  );
}

/** The board as an SVG file of its own, with its style in it. */
async function picture(board) {
  const drawing = board.drawing.cloneNode(true);
  drawing.querySelector(".layer-cells").remove();
  drawing.querySelector(".layer-glow").replaceChildren();
  const [, , width, height] = drawing.getAttribute("viewBox").split(" ");
  drawing.setAttribute("width", width);
  drawing.setAttribute("height", height);
  drawing.setAttribute("role", "img");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await (await fetch("/static/board.css")).text();
  const sheet = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, class: "sheet" })) sheet.setAttribute(name, value);
  drawing.prepend(style, sheet);
  return new XMLSerializer().serializeToString(drawing);
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
