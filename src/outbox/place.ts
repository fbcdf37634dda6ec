import { addressOf, keysAround, personOfContact, resolve } from "./identity.ts";
import { acceptedAt, isOpen, laneOf } from "./journal.ts";
import { IDENTITY_WAIT } from "./outcome.ts";
import { enqueue, type Item, type Queue } from "./queue.ts";
import type { Call } from "./types.ts";

type Place = Pick<Item, "person" | "keys" | "waits" | "due">;

/** Whose calls a call queues with, and until when it waits for a link that tells. */
export const placeOf = (sql: SqlStorage, { seq, lane, contact }: Pick<Item, "seq" | "lane" | "contact">): Place => {
  const mail = lane === "urgent" || lane === "transactional";
  const waits = (mail ? addressOf(sql, contact) : resolve(sql, contact)) === undefined;
  return {
    // Mail does not wait for a person's other calls.
    person: mail ? undefined : personOfContact(sql, contact),
    keys: keysAround(sql, contact),
    waits,
    due: waits ? acceptedAt(seq) + IDENTITY_WAIT : 0,
  };
};

/** Queues the undecided calls of a webhook. */
export const enqueueCalls = (sql: SqlStorage, queue: Queue, seq: number, calls: readonly Call[]): void => {
  calls.forEach((call, index) => {
    if (!isOpen(call)) return;
    const item = { seq, index, lane: laneOf(call), contact: call.contact, inFlight: false, failures: 0 };
    const place = placeOf(sql, item);
    // A call that was limited or held waits for the pause, which the object knows of itself.
    enqueue(queue, { ...item, ...place, due: Math.max(place.due, call.refusals ? 0 : call.due) });
  });
};

/**
 * After links were learned: calls find their person again, those under way too, so that what follows still waits for
 * them.
 *
 * @param changed keys that lead elsewhere now
 */
export const relink = (sql: SqlStorage, queue: Queue, changed: ReadonlySet<string>, now: number): void => {
  if (changed.size === 0) return;
  for (const item of queue.items.values()) {
    if (!item.keys.some((key) => changed.has(key))) continue;
    const { due: _, ...place } = placeOf(sql, item);
    if (item.waits && !place.waits) item.due = now;
    Object.assign(item, place);
  }
};
