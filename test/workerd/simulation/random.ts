export type Random = {
  /** 0 ≤ value < 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  chance(share: number): boolean;
  one<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** An independent stream: more numbers from one do not change another. */
  fork(): Random;
};

/** mulberry32: 32 bits of state, enough for a simulation. */
export const createRandom = (seed: number): Random => {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (share) => next() < share,
    one: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    shuffled: <T>(list: readonly T[]) => {
      const mixed = [...list];
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = int(0, at);
        [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
      }
      return mixed;
    },
    fork: () => createRandom(Math.floor(next() * 4_294_967_296)),
  };
};
