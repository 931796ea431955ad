/** Boards of square cells: where each stands, and what is next to it. */

export const CELL = 32;

/** The geometry of a board of so many columns and rows. */
export function squares(width, height) {
  const at = (x, y) => (x >= 0 && y >= 0 && x < width && y < height ? `${x},${y}` : null);
  return {
    size: { width: (width + 1) * CELL, height: (height + 1) * CELL },
    cell: CELL,
    rows: Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => `${x},${y}`)),
    middle: (name) => {
      const [x, y] = pair(name);
      return { x: (x + 1.5) * CELL, y: (y + 1.5) * CELL };
    },
    outline: (name, inset = 0) => {
      const [x, y] = pair(name);
      const side = CELL - 2 * inset;
      return `M${(x + 1) * CELL + inset} ${(y + 1) * CELL + inset}h${side}v${side}h${-side}z`;
    },
    beside: (name, dx, dy) => {
      const [x, y] = pair(name);
      return at(x + dx, y + dy);
    },
  };
}

/** `"3,4"` as two numbers. */
export function pair(name) {
  return name.split(",").map(Number);
}

/** One path around all cells of a kind: many cells cost no more than one. */
export function outlines(geometry, names, inset = 0) {
  return names.map((name) => geometry.outline(name, inset)).join("");
}

/** The numbers along the west and the north edge. */
export function edgeNumbers(svg, width, height) {
  const text = (x, y, n) => svg("text", { x, y, class: "edge" }, `${n}`);
  return [
    ...Array.from({ length: width }, (_, x) => text((x + 1.5) * CELL, CELL * 0.66, x)),
    ...Array.from({ length: height }, (_, y) => text(CELL * 0.6, (y + 1.5) * CELL, y)),
  ];
}
