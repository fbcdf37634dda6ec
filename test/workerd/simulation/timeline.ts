import { createHeap, peek, pop, push } from "../../../src/outbox/queue/heap.ts";

/** Microtask ticks after each step, so that all its effects happen before the next step. */
const TICKS = 40;

type Entry = { at: number; place: number; act: () => void };

/** A virtual clock in ms that jumps between planned actions. Actions of the same time keep their order. */
export type Timeline = {
  now(): number;
  steps(): number;
  in(ms: number, act: () => void): void;
  step(): Promise<boolean>;
  settle(): Promise<void>;
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
