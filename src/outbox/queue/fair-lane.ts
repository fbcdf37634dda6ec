import { createHeap, type Heap, peek, pop, push } from "./heap.ts";

/**
 * A lane in which sources take turns: the one with the fewest turns is next, and its first entry. `turns`: by source; a
 * source that comes back has at least those of the lane (`at`).
 */
export type FairLane<T> = {
  readonly order: (a: T, b: T) => number;
  readonly sourceOf: (entry: T) => string;
  readonly isValid: (entry: T) => boolean;
  readonly heaps: Map<string, Heap<T>>;
  readonly turns: Map<string, number>;
  at: number;
};

export const createFairLane = <T>(rules: Pick<FairLane<T>, "order" | "sourceOf" | "isValid">): FairLane<T> => ({
  ...rules,
  heaps: new Map(),
  turns: new Map(),
  at: 0,
});

export const enter = <T>(lane: FairLane<T>, entry: T): void => {
  const source = lane.sourceOf(entry);
  const known = lane.heaps.get(source);
  const heap = known ?? createHeap(lane.order);
  if (!known) {
    lane.heaps.set(source, heap);
    lane.turns.set(source, Math.max(lane.turns.get(source) ?? 0, lane.at));
  }
  push(heap, entry);
};

/** Returns the next entry. Entries that are out of date are dropped. */
export const nextIn = <T>(lane: FairLane<T>, turns: ReadonlyMap<string, number> = lane.turns): T | undefined => {
  let next: { entry: T; turn: number } | undefined;
  for (const [source, heap] of lane.heaps) {
    const entry = validIn(lane, heap);
    if (entry === undefined) {
      lane.heaps.delete(source);
      continue;
    }
    const turn = turns.get(source) ?? 0;
    if (!next || turn < next.turn || (turn === next.turn && lane.order(entry, next.entry) < 0)) next = { entry, turn };
  }
  return next?.entry;
};

const validIn = <T>({ isValid }: FairLane<T>, heap: Heap<T>): T | undefined => {
  for (let top = peek(heap); top !== undefined; top = peek(heap)) {
    if (isValid(top)) return top;
    pop(heap);
  }
  return undefined;
};

/** Counts a turn of a source. */
export const takeTurn = <T>(lane: FairLane<T>, source: string): void => {
  const turn = lane.turns.get(source) ?? lane.at;
  lane.at = Math.max(lane.at, turn);
  lane.turns.set(source, turn + 1);
};

/** Lists the next entries in the order of their turns. */
export const nextOf = <T>(lane: FairLane<T>, count: number): T[] => {
  const turns = new Map(lane.turns);
  const taken: T[] = [];
  while (taken.length < count) {
    const entry = nextIn(lane, turns);
    if (entry === undefined) break;
    const source = lane.sourceOf(entry);
    pop(lane.heaps.get(source) as Heap<T>);
    turns.set(source, (turns.get(source) ?? 0) + 1);
    taken.push(entry);
  }
  // The turns of a source that had no other entry stay.
  for (const entry of taken) {
    const source = lane.sourceOf(entry);
    const heap = lane.heaps.get(source) ?? createHeap(lane.order);
    lane.heaps.set(source, heap);
    push(heap, entry);
  }
  return taken;
};
