import { addressOf, keysAround, personOfContact, resolve } from "../identity/links.ts";
import { keysOf } from "../identity/rows.ts";
import { acceptedAt, isOpen, laneOf } from "../model/calls.ts";
import { IDENTITY_WAIT } from "../model/policy.ts";
import type { Call } from "../model/types.ts";
import { change, enqueue, type Queue, type QueueItem, withKeys } from "./queue.ts";

type Position = Pick<QueueItem, "person" | "keys" | "waits" | "due">;

/** Whose calls a call queues with, and until when it waits for a link that tells. */
export const positionOf = (
  sql: SqlStorage,
  { seq, mail, contact }: Pick<QueueItem, "seq" | "mail" | "contact">,
): Position => {
  // Mail does not wait for a person's other calls, and with an address of its own for no link: who that is need not be
  // read. Under its own keys whoever looks for a person's calls finds it.
  if (mail && contact.email) return { person: undefined, keys: keysOf(contact), waits: false, due: 0 };
  const waits = (mail ? addressOf(sql, contact) : resolve(sql, contact)) === undefined;
  return {
    person: mail ? undefined : personOfContact(sql, contact),
    keys: keysAround(sql, contact),
    waits,
    due: waits ? acceptedAt(seq) + IDENTITY_WAIT : 0,
  };
};

/** Queues the undecided calls of a webhook. */
export const enqueueCalls = (
  sql: SqlStorage,
  queue: Queue,
  webhook: { seq: number; source: string; calls: readonly Call[] },
): void => {
  webhook.calls.forEach((call, index) => {
    if (isOpen(call)) enqueueCall(sql, queue, webhook, index, call);
  });
};

export const enqueueCall = (
  sql: SqlStorage,
  queue: Queue,
  { seq, source }: { seq: number; source: string },
  index: number,
  call: Call,
): void => {
  const { contact, tries = 0 } = call;
  const lane = call.lane ?? laneOf(call);
  const kind = { update: call.action === "contact", mail: call.action === "transactional" };
  const about = { seq, index, source, lane, ...kind, contact, tries };
  const place = positionOf(sql, about);
  // A call that was limited or held waits for the pause, which the object knows of itself.
  const due = Math.max(place.due, call.refusals ? 0 : call.due);
  const refused = call.refusals?.count ?? 0;
  enqueue(queue, { ...about, ...place, due, refused, alone: false, failures: 0, inFlight: false, joined: false });
};

/**
 * After links were learned: calls find their person again, those under way too, so that what follows still waits for
 * them.
 *
 * @param changed keys that lead elsewhere now
 * @returns true when a call waits no longer
 */
export const relink = (sql: SqlStorage, queue: Queue, changed: ReadonlySet<string>, now: number): boolean => {
  if (changed.size === 0) return false;
  let found = false;
  for (const item of withKeys(queue, changed)) {
    const { due: _, ...place } = positionOf(sql, item);
    const isFound = item.waits && !place.waits;
    change(queue, item, { ...place, ...(isFound ? { due: now } : {}) });
    found ||= isFound;
  }
  return found;
};
