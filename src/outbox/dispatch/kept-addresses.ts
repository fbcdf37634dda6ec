import { change, keyOf, type Queue, type QueueItem } from "../queue/person-queues.ts";

/** Entries; a delivery that is not remembered asks again by itself. */
const MAX = 1_000;

/** Remembers which deliveries wait until another person leaves an address. It ends with the process. */
export const createKeptAddresses = (queue: Queue) => {
  const waiting = new Map<string, Set<string>>();
  return {
    /** @param keeper the person who has the address */
    add: (keeper: string, item: QueueItem): void => {
      if (waiting.size >= MAX) waiting.clear();
      waiting.set(keeper, (waiting.get(keeper) ?? new Set()).add(keyOf(item)));
    },
    /** Makes the deliveries due that wait for this person. */
    left: (keeper: string, now: number): void => {
      const keys = waiting.get(keeper);
      if (!keys) return;
      waiting.delete(keeper);
      for (const key of keys) {
        const item = queue.items.get(key);
        if (item && !item.inFlight && item.due > now) change(queue, item, { due: now, order: now * 1000 });
      }
    },
  };
};
