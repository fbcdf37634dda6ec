/** Spans in which nothing left, each `[from, to]` in Unix ms: the clocks of waiting calls stood still. */
export type Holds = readonly (readonly [from: number, to: number])[];

/** Spans that are kept, the newest: no clock runs for longer than 72 h. */
const MAX_HOLDS = 200;

/** Adds a span; one that goes on from the last makes that longer. */
export const addHold = (holds: Holds, from: number, to: number): Holds => {
  if (to <= from) return holds;
  const last = holds.at(-1);
  if (last && from <= last[1]) return [...holds.slice(0, -1), [Math.min(last[0], from), Math.max(last[1], to)]];
  return [...holds, [from, to] as const].slice(-MAX_HOLDS);
};

/** Ms between two times in which nothing left. Spans that overlap count once. */
export const heldBetween = (holds: Holds, from: number, to: number): number => {
  let held = 0;
  let reached = from;
  for (const [start, end] of [...holds].sort((a, b) => a[0] - b[0])) {
    held += Math.max(0, Math.min(end, to) - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return held;
};
