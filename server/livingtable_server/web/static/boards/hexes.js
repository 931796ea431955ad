/** Boards of pointy-top hexes in axial coordinates, their rows shoved right where odd (SK-0.1). */

const WIDE = 40;
const HIGH = 34.64;
const HALF = WIDE / 2;
const TIP = WIDE / Math.sqrt(3);

/** The geometry of a map of rows; a space is no hex. */
export function hexes(map) {
  const columns = Math.max(...map.map((row) => row.length));
  const name = (c, r) => `${c - (r - (r & 1)) / 2},${r}`;
  const exists = (c, r) => (map[r]?.[c] ?? " ") !== " ";
  const place = (hex) => {
    const [q, r] = hex.split(",").map(Number);
    return [q + (r - (r & 1)) / 2, r];
  };
  const middle = (hex) => {
    const [c, r] = place(hex);
    return { x: c * WIDE + HALF + (r & 1 ? HALF : 0) + 4, y: r * HIGH + TIP + 4 };
  };
  return {
    size: { width: columns * WIDE + HALF + 8, height: (map.length - 1) * HIGH + 2 * TIP + 8 },
    cell: WIDE,
    rows: map
      .map((row, r) => [...row].map((sign, c) => (sign === " " ? null : name(c, r))).filter(Boolean))
      .filter((row) => row.length),
    sign: (hex) => {
      const [c, r] = place(hex);
      return map[r][c];
    },
    middle,
    outline: (hex, inset = 0) => {
      const { x, y } = middle(hex);
      const shrink = (TIP - inset) / TIP;
      const points = [[0, -TIP], [HALF, -TIP / 2], [HALF, TIP / 2], [0, TIP], [-HALF, TIP / 2], [-HALF, -TIP / 2]];
      return `M${points.map(([dx, dy]) => `${round(x + dx * shrink)} ${round(y + dy * shrink)}`).join("L")}z`;
    },
    beside: (hex, dx, dy) => {
      const [c, r] = place(hex);
      // Up and down lean to the west from a row that is shoved right, to the east from one that is not.
      const column = dy && !dx ? c : c + dx;
      return exists(column, r + dy) ? name(column, r + dy) : null;
    },
  };
}

function round(n) {
  return Math.round(n * 100) / 100;
}
