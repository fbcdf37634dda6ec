/** Spans without sending, as `[from, to]` in Unix ms. Clocks of waiting deliveries skip them. */
export type Downtime = readonly (readonly [from: number, to: number])[];

/** The newest spans are kept: no clock runs longer than 72 h. */
const MAX_SPANS = 200;

/** Adds a span, or extends the last one if they touch. */
export const addDowntime = (downtime: Downtime, from: number, to: number): Downtime => {
  if (to <= from) return downtime;
  const last = downtime.at(-1);
  if (last && from <= last[1]) return [...downtime.slice(0, -1), [Math.min(last[0], from), Math.max(last[1], to)]];
  return [...downtime, [from, to] as const].slice(-MAX_SPANS);
};

/** Returns ms of downtime between two times. Overlapping spans count once. */
export const downtimeBetween = (downtime: Downtime, from: number, to: number): number => {
  let total = 0;
  let reached = from;
  for (const [start, end] of [...downtime].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, Math.min(end, to) - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
};
