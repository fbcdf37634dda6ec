import { expect, it } from "vitest";
import type { Delivery } from "../../../../src/outbox/model/journal-types.ts";
import { whyDelivery } from "../../../../src/outbox/operator/sentences.ts";
import { createAhead, type WaitsFor, waitsFor } from "../../../../src/outbox/operator/wait-reason.ts";
import { createQueue, enqueue, type QueueItem } from "../../../../src/outbox/queue/person-queues.ts";

const NOW = Date.UTC(2026, 10, 30, 22, 26);

const itemOf = (seq: number, changes: Partial<QueueItem> = {}): QueueItem => ({
  seq,
  index: 0,
  source: "stripe",
  lane: "event",
  update: false,
  mail: false,
  person: `person ${seq}`,
  contact: { email: `${seq}@example.com` },
  keys: [],
  waits: false,
  alone: false,
  attempts: 0,
  failures: 0,
  due: NOW - 1_000,
  inFlight: false,
  joined: false,
  ...changes,
});

const reasonOf = (items: QueueItem[], seq: number, perMinute: number): WaitsFor | undefined => {
  const queue = createQueue();
  for (const item of items) enqueue(queue, item);
  const ahead = createAhead(queue, NOW);
  return waitsFor(
    { queue, interruption: undefined, pauses: { sources: {} }, ahead, perMinute },
    { seq, index: 0 },
    NOW,
  );
};

const sentence = (waiting: WaitsFor | undefined) =>
  whyDelivery({ state: "waiting", attempts: [] } as unknown as Delivery, waiting);

it("a delivery that waits for its turn tells how many are ahead, and when it is sent", () => {
  const reason = reasonOf(
    Array.from({ length: 1_400 }, (_, index) => itemOf(index + 1)),
    1_201,
    600,
  );
  expect(reason).toEqual({ for: "slot", ahead: 1_200, at: NOW + 120_000 });
  expect(sentence(reason)).toBe("waiting: 1,200 deliveries are ahead. It is sent at about 2026-11-30 22:28:00 UTC.");
});

it("names no time while nothing is settled", () => {
  expect(sentence(reasonOf([itemOf(1), itemOf(2)], 2, 0))).toBe("waiting: 1 delivery is ahead.");
});

it("a delivery with nothing ahead is sent next", () => {
  expect(sentence(reasonOf([itemOf(1), itemOf(2)], 1, 600))).toBe("waiting: it is sent next.");
});

it("what waits, is due later or is in another lane is not ahead", () => {
  const others = [itemOf(1, { waits: true }), itemOf(2, { due: NOW + 1_000 }), itemOf(3, { lane: "contact" })];
  expect(reasonOf([...others, itemOf(4)], 4, 600)).toEqual({ for: "slot", ahead: 0 });
});
