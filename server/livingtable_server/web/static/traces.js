/** The ways that were gone in some events, to be drawn as faint lines. */
export function traces(events) {
  return events.filter((event) => event.type === "moved").map((event) => ({ path: [event.from, ...(event.path ?? [event.to])] }));
}
