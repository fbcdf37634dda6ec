import { createHeap, peek, pop, push } from "../../../src/outbox/queue/heap.ts";

/** Promises that may hang on each other between two steps: all that follows from a step happens before the next. */
const TICKS = 40;

type Entry = { at: number; place: number; act: () => void };

/** Time that passes only from one thing that is to happen to the next. Ms; what falls together keeps its order. */
export type Timeline = {
  now(): number;
  /** How many things have happened. */
  steps(): number;
  in(ms: number, act: () => void): void;
  /** Lets the next thing happen, and all that follows from it. False when there is none. */
  step(): Promise<boolean>;
  settle(): Promise<void>;
  /** When the next thing happens; undefined when nothing does. */
  next(): number | undefined;
};

export const createTimeline = (start: number): Timeline => {
  const heap = createHeap<Entry>((a, b) => a.at - b.at || a.place - b.place);
  let now = start;
  let places = 0;
  let steps = 0;
  const settle = async () => {
    for (let tick = 0; tick < TICKS; tick++) await undefined;
  };
  return {
    now: () => now,
    steps: () => steps,
    in: (ms, act) => push(heap, { at: now + Math.max(0, ms), place: places++, act }),
    next: () => peek(heap)?.at,
    settle,
    step: async () => {
      const entry = pop(heap);
      if (!entry) return false;
      now = entry.at;
      steps++;
      entry.act();
      await settle();
      return true;
    },
  };
};
