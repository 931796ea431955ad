/** The ways that were gone of late, to be drawn as faint lines. */

const AT_MOST = 30;

/** Those of some events; where own seats are among those who acted, only since they last did. */
export function traces(events, own = []) {
  const last = events.findLast((event) => own.includes(event.side) || event.type === "round_resolved")?.version ?? 0;
  const moves = events.filter((event) => event.type === "moved" && event.version >= last).slice(-AT_MOST);
  return moves.map((event) => ({ path: [event.from, ...(event.path ?? [event.to])] }));
}
