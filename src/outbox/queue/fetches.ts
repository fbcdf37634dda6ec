import { HOUR_MS } from "../../lib/util/dates.ts";
import { acceptedAt } from "../model/delivery-state.ts";
import type { Delivery, DeliveryRef, Lane } from "../model/journal-types.ts";
import { type FetchItem, keyOf, type Queue } from "./person-queues.ts";
import { countDelivery } from "./quota.ts";

/** Milliseconds after acceptance, or after the newest retry by an operator. */
const FETCH_WAIT = 72 * HOUR_MS;

const counted = ({ seq, source }: FetchItem) => ({ seq, source, lane: "contact" as Lane, waits: false });

/** Adds a fetch, unless it is in the queue. */
export const enqueueFetch = (
  queue: Queue,
  { seq, source }: { seq: number; source: string },
  index: number,
  { due, acts = [] }: Pick<Delivery, "due" | "acts">,
): void => {
  const key = keyOf({ seq, index });
  if (queue.fetches.has(key)) return;
  const item: FetchItem = {
    seq,
    index,
    source,
    due,
    until: Math.max(acceptedAt(seq), acts.at(-1)?.at ?? 0) + FETCH_WAIT,
  };
  queue.fetches.set(key, item);
  countDelivery(queue.open, counted(item), 1);
};

export const dropFetch = (queue: Queue, { seq, index }: DeliveryRef): void => {
  const key = keyOf({ seq, index });
  const item = queue.fetches.get(key);
  if (!item) return;
  queue.fetches.delete(key);
  countDelivery(queue.open, counted(item), -1);
};
