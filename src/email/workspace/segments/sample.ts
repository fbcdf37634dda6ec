/** Deterministic numbers in [0, 1) (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Draws row numbers from 1 to `last`, one per equal span. */
export const drawNumbers = (last: number, count: number, seed: number): number[] => {
  if (last <= count) return Array.from({ length: last }, (_, i) => i + 1);
  const random = randomOf(seed);
  const start = (span: number) => Math.floor((span * last) / count);
  return Array.from({ length: count }, (_, i) => start(i) + Math.floor(random() * (start(i + 1) - start(i))) + 1);
};

/** Factor for 95 % of a normal distribution. */
const Z = 1.96;

/** Returns the 95 % Wilson score interval, which suits few hits. */
export const intervalOf = (hits: number, drawn: number, last: number) => {
  const share = hits / drawn;
  const middle = (share + Z ** 2 / (2 * drawn)) / (1 + Z ** 2 / drawn);
  const half = (Z / (1 + Z ** 2 / drawn)) * Math.sqrt((share * (1 - share)) / drawn + Z ** 2 / (4 * drawn ** 2));
  return {
    contacts: Math.round(share * last),
    // Found contacts are certain.
    low: Math.max(hits, Math.round((middle - half) * last)),
    high: Math.min(last - (drawn - hits), Math.round((middle + half) * last)),
  };
};
