import { beforeEach, describe, expect, it } from "vitest";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

/** More than two slices of the queue. */
const MANY = 500;

const person = (n: number) => ({ email: `person${n}@example.com` });

let bench: Bench;
let ids: string[];
/** True holds the reading after a slice. */
let isHeld: boolean;
beforeEach(async () => {
  isHeld = false;
  bench = await createBench(({ sleep }) => ({
    sleep: (ms) => (ms === 0 && isHeld ? new Promise(() => {}) : sleep(ms)),
  }));
  await bench.stub().pause(undefined, true);
  const webhooks = Array.from({ length: MANY }, (_, n) => ({
    eventId: `evt_${n}`,
    source: n % 2 === 0 ? "stripe" : "clerk",
    deliveries: [update(person(n % 200), { number: n }), event(person(n % 200), `event${n}`)],
  }));
  ids = (await bench.acceptAll(webhooks)).map(({ id }) => id);
  await bench.crash();
});

const inQueue = () => bench.inside(({ engine }) => engine.dispatcher.queue.items.size);
const whole = () => bench.waitFor(async () => expect(await inQueue()).toBeGreaterThanOrEqual(2 * MANY));

describe("after a restart with more open deliveries than a slice", () => {
  it("a webhook is accepted before the queue is read, and counts in a room that knows of the unread ones", async () => {
    const [before, total, isAccepted] = await bench.inside(async ({ engine }) => {
      const { items, open } = engine.dispatcher.queue;
      return [items.size, open.total.webhooks, "receipts" in (await engine.accept([]))] as const;
    });
    expect([before, total, isAccepted]).toEqual([400, MANY, true]);
    const { duplicate } = await bench.accept({ eventId: "evt_5", source: "clerk" });
    expect(duplicate).toBe(true);
    await bench.accept({ eventId: "evt_new", deliveries: [mail(person(1))] });
    await whole();
    expect(await inQueue()).toBe(2 * MANY + 1);
    expect(await bench.inside(({ engine }) => engine.dispatcher.queue.open.total)).toEqual({
      webhooks: MANY + 1,
      urgent: 0,
      deliveries: 2 * MANY + 1,
      forIdentity: 0,
    });
  });

  it("every delivery is sent once, those of a person in their order, and those of a new webhook after them", async () => {
    await bench.stub().pause(undefined, false);
    await bench.accept({ eventId: "evt_new", deliveries: [event(person(7), "last")] });
    const events = () =>
      bench.service.acted.flatMap(({ path, body }) =>
        path.endsWith("/events/send") ? [body as { email: string; eventName: string }] : [],
      );
    await bench.waitFor(() => expect(events()).toHaveLength(MANY + 1), 600_000);
    const names = events().map(({ eventName }) => eventName);
    expect(new Set(names).size).toBe(MANY + 1);
    const ofSeven = events().filter(({ email }) => email === "person7@example.com");
    expect(ofSeven.map(({ eventName }) => eventName)).toEqual(["event7", "event207", "event407", "last"]);
  });

  it("a delivery that an operator queues before it is read is queued once", async () => {
    const seq = Number.parseInt(ids.at(-1)?.slice(3) ?? "", 36);
    await bench.inside(({ engine }) => engine.dispatcher.refresh(seq));
    expect(await inQueue()).toBe(402);
    await whole();
    expect(await bench.inside(({ engine }) => engine.dispatcher.queue.open.total)).toMatchObject({
      webhooks: MANY,
      deliveries: 2 * MANY,
    });
  });

  it("is safe when the object ends again while it reads", async () => {
    isHeld = true;
    await bench.accept({ eventId: "evt_new", deliveries: [mail(person(1))] });
    expect(await inQueue()).toBe(801);
    await bench.crash();
    isHeld = false;
    await whole();
    expect(await inQueue()).toBe(2 * MANY + 1);
  });
});
