import fc from "fast-check";
import { expect, it } from "vitest";
import type { Delivery, Lane } from "../../../../src/outbox/model/journal-types.ts";
import { whyDelivery } from "../../../../src/outbox/operator/sentences.ts";
import { type WaitsFor, waitsFor } from "../../../../src/outbox/operator/wait-reason.ts";
import { createAhead } from "../../../../src/outbox/queue/ahead.ts";
import { createQueue, enqueue, type QueueItem, remove, setPaused } from "../../../../src/outbox/queue/person-queues.ts";
import { countStart, countTurn, pick } from "../../../../src/outbox/queue/pick.ts";

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
  expect(sentence(reason)).toBe(
    "waiting: about 1,200 deliveries are ahead. It is sent at about 2026-11-30 22:28:00 UTC.",
  );
});

it("names no time while nothing is settled", () => {
  expect(sentence(reasonOf([itemOf(1), itemOf(2)], 2, 0))).toBe("waiting: about 1 delivery is ahead.");
});

it("a delivery with nothing ahead is sent next", () => {
  expect(sentence(reasonOf([itemOf(1), itemOf(2)], 1, 600))).toBe("waiting: it is sent next.");
});

const aheadOf = (items: QueueItem[], one: QueueItem, paused: readonly string[] = []): number => {
  const queue = createQueue();
  for (const item of items) enqueue(queue, item);
  setPaused(queue, paused);
  return createAhead(queue, NOW)(one);
};

it("what waits, is due later, is sent already, is paused or is in a lower lane is not ahead", () => {
  const one = itemOf(9);
  const others = [
    itemOf(1, { waits: true }),
    itemOf(2, { due: NOW + 1_000 }),
    itemOf(3, { lane: "contact" }),
    itemOf(4, { inFlight: true }),
    itemOf(5, { joined: true }),
    itemOf(6, { source: "clerk" }),
  ];
  expect(aheadOf([...others, one], one, ["clerk"])).toBe(0);
});

it("a backlog of another source is not ahead, because sources take turns", () => {
  const backlog = Array.from({ length: 5_000 }, (_, index) => itemOf(index + 1));
  const [first, second] = [itemOf(6_001, { source: "clerk" }), itemOf(6_002, { source: "clerk" })];
  expect(aheadOf([...backlog, first, second], first)).toBe(0);
  expect(aheadOf([...backlog, first, second], second)).toBe(2);
});

it("is about the number of deliveries that are picked before one (property)", () => {
  const lane = fc.constantFrom<Lane>("transactional", "event", "contact", "backfill");
  const given = fc.record({ lane, source: fc.constantFrom("stripe", "clerk", "supabase") });
  let counted = 0;
  fc.assert(
    fc.property(fc.array(given, { minLength: 50, maxLength: 400 }), fc.nat(), (list, chosen) => {
      const items = list.map((one, index) => itemOf(index + 1, one));
      const one = items[chosen % items.length] as QueueItem;
      const queue = createQueue();
      for (const item of items) enqueue(queue, item);
      const ahead = createAhead(queue, NOW)(one);
      let picked = 0;
      for (let next = pick(queue, NOW); next && next.item !== one; next = pick(queue, NOW)) {
        countTurn(queue, next);
        countStart(queue, next);
        remove(queue, next.item);
        picked += 1;
      }
      counted += 1;
      expect({ ahead, picked, near: Math.abs(picked - ahead) <= 20 + 0.5 * Math.max(picked, ahead) }).toMatchObject({
        near: true,
      });
    }),
    { numRuns: 60 },
  );
  expect(counted).toBeGreaterThan(50);
});
