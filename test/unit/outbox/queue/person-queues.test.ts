import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Lane, lanes } from "../../../../src/outbox/model/journal-types.ts";
import {
  change,
  createQueue,
  enqueue,
  type QueueItem,
  remove,
  setPaused,
} from "../../../../src/outbox/queue/person-queues.ts";
import { countStart, nextDue, pick } from "../../../../src/outbox/queue/pick.ts";

let seq = 0;
const item = (lane: Lane, more: Partial<QueueItem> = {}): QueueItem => ({
  seq: ++seq,
  index: 0,
  lane,
  source: "stripe",
  update: lane === "contact",
  mail: lane === "urgent" || lane === "transactional",
  person: undefined,
  contact: {},
  keys: [],
  waits: false,
  alone: false,
  attempts: 0,
  joined: false,
  failures: 0,
  due: 0,
  inFlight: false,
  ...more,
});

const first = (queue: ReturnType<typeof createQueue>, now: number) => pick(queue, now);

const queueOf = (...items: QueueItem[]) => {
  const queue = createQueue();
  for (const one of items) enqueue(queue, one);
  return queue;
};

describe("pick", () => {
  it("picks the most important lane first, and within it the oldest delivery", () => {
    const [backfill, contact, late, early, urgent] = [
      item("backfill"),
      item("contact"),
      item("event"),
      item("event"),
      item("urgent"),
    ];
    const queue = queueOf(backfill, contact, late, early, urgent);
    const order: QueueItem[] = [];
    for (let candidate = first(queue, 0); candidate; candidate = first(queue, 0)) {
      order.push(candidate.item);
      remove(queue, candidate.item);
    }
    expect(order).toEqual([urgent, late, early, contact, backfill]);
  });

  it("starts a person's deliveries one after the other, in the highest lane of any delivery in the person's queue", () => {
    const head = item("contact", { person: "email:a" });
    const queue = queueOf(item("contact", { person: "email:b" }), head, item("event", { person: "email:a" }));
    expect(first(queue, 0)).toEqual({ item: head, lane: "event" });
    change(queue, head, { inFlight: true });
    expect(first(queue, 0)?.item.person).toBe("email:b");
  });

  describe("a request in flight to a person that its delivery has left", () => {
    const left = () => {
      const [sent, next] = [item("contact", { person: "email:a" }), item("contact", { person: "email:a" })];
      const queue = queueOf(sent, next, item("contact", { person: "email:b" }));
      change(queue, sent, { inFlight: true });
      change(queue, sent, { person: "email:b" });
      return { queue, sent, next };
    };

    it("holds what is next for both persons until it is answered", () => {
      const { queue, sent, next } = left();
      expect(first(queue, 0)).toBeUndefined();
      change(queue, sent, { inFlight: false, due: 100 });
      expect(first(queue, 0)?.item).toBe(next);
    });

    it("holds nothing after its delivery is settled", () => {
      const { queue, sent, next } = left();
      remove(queue, sent);
      expect(first(queue, 0)?.item).toBe(next);
      remove(queue, next);
      expect(first(queue, 0)?.item.person).toBe("email:b");
    });

    it("holds a delivery that comes later, where nothing waited, and no queue stays", () => {
      const { queue, sent, next } = left();
      remove(queue, next);
      const later = item("contact", { person: "email:a" });
      enqueue(queue, later);
      expect(first(queue, 0)).toBeUndefined();
      change(queue, sent, { person: "email:c" });
      expect(first(queue, 0)?.item.person).toBe("email:b");
      remove(queue, later);
      expect([...queue.byPerson.keys()]).toEqual(["email:a", "email:b", "email:c"]);
      remove(queue, sent);
      expect([...queue.byPerson.keys()]).toEqual(["email:b"]);
    });
  });

  it("waits for the head of a person's queue although the delivery behind it is due", () => {
    const queue = queueOf(item("contact", { person: "email:a", due: 100 }), item("event", { person: "email:a" }));
    expect(first(queue, 99)).toBeUndefined();
    expect(nextDue(queue)).toBe(100);
    expect(first(queue, 100)?.item.lane).toBe("contact");
  });

  it("does not grow with changes: each person's queue has one valid entry, and invalid ones are removed", () => {
    const queue = queueOf(...Array.from({ length: 500 }, (_, n) => item("contact", { person: `email:${n % 50}` })));
    for (let n = 0; n < 200; n++) setPaused(queue, n % 2 === 0 ? ["clerk"] : []);
    for (let n = 0; n < 5_000; n++) enqueue(queue, item("contact", { person: "email:1" }));
    for (let n = 0; n < 20; n++) setPaused(queue, n % 2 === 0 ? ["stripe"] : []);
    const entries =
      queue.later.list.length +
      [...queue.ready.values()]
        .flatMap(({ heaps }) => [...heaps.values()])
        .reduce((sum, { list }) => sum + list.length, 0);
    expect(entries).toBeLessThan(5 * queue.items.size + 1_100);
    expect(first(queue, 1)?.item.seq).toBe(Math.min(...[...queue.items.values()].map(({ seq: one }) => one)));
  });

  it("keeps two slots for urgent mail", () => {
    const inFlight = Array.from({ length: 4 }, () => item("transactional", { inFlight: true }));
    const queue = queueOf(...inFlight, item("transactional"));
    expect(first(queue, 0)).toBeUndefined();
    enqueue(queue, item("urgent"));
    expect(first(queue, 0)?.lane).toBe("urgent");
    for (let i = 0; i < 2; i++) enqueue(queue, item("urgent", { inFlight: true }));
    expect(first(queue, 0)).toBeUndefined();
  });

  it("gives every lane with a delivery that is due at least one start in twenty (property)", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lanes), { minLength: 200, maxLength: 400 }), (list) => {
        const queue = queueOf(...list.map((lane) => item(lane)));
        const since = new Map<Lane, number>();
        for (let candidate = first(queue, 0); candidate; candidate = first(queue, 0)) {
          const { item: chosen, lane } = candidate;
          countStart(queue, candidate);
          for (const other of lanes) {
            const waits = [...queue.items.values()].some((one) => one.lane === other);
            since.set(other, waits && other !== lane ? (since.get(other) ?? 0) + 1 : 0);
          }
          expect(Math.max(...since.values())).toBeLessThan(20);
          remove(queue, chosen);
        }
        expect(queue.items.size).toBe(0);
      }),
      { numRuns: 25 },
    );
  });
});
