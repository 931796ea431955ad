/** Small signs for buttons, drawn, as not every font has them. */

import { svg } from "./dom.js";

const SHAPES = {
  start: "M3 3v10M13 3L6 8l7 5z",
  back: "M11 3L5 8l6 5z",
  play: "M5 2.5L13 8l-8 5.5z",
  pause: "M5 3v10M11 3v10",
  on: "M5 3l6 5l-6 5z",
  end: "M13 3v10M3 3l7 5l-7 5z",
  battle: "M3 3l9 9M13 3L4 12M2.5 10.5l3 3M13.5 10.5l-3 3",
  smaller: "M3 8h10",
  larger: "M3 8h10M8 3v10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
};

/** One or more signs, one beside the other. */
export function icon(...names) {
  return names.map((name) => svg("svg", { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, svg("path", { d: SHAPES[name] })));
}
