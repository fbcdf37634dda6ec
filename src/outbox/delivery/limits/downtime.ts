/** Spans in which nothing left, each `[from, to]` in Unix ms: the clocks of waiting calls stood still. */
export type Downtime = readonly (readonly [from: number, to: number])[];

/** Spans that are kept, the newest: no clock runs for longer than 72 h. */
const MAX_SPANS = 200;

/** Adds a span; one that goes on from the last makes that longer. */
export const addDowntime = (downtime: Downtime, from: number, to: number): Downtime => {
  if (to <= from) return downtime;
  const last = downtime.at(-1);
  if (last && from <= last[1]) return [...downtime.slice(0, -1), [Math.min(last[0], from), Math.max(last[1], to)]];
  return [...downtime, [from, to] as const].slice(-MAX_SPANS);
};

/** Ms between two times in which nothing left. Spans that overlap count once. */
export const downtimeBetween = (downtime: Downtime, from: number, to: number): number => {
  let held = 0;
  let reached = from;
  for (const [start, end] of [...downtime].sort((a, b) => a[0] - b[0])) {
    held += Math.max(0, Math.min(end, to) - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return held;
};
