import { beforeEach, describe, expect, it } from "vitest";
import { type Bench, mail } from "../setup.ts";
import { person, restarted } from "./restarted.ts";

/** More than two slices of the queue. */
const MANY = 500;

let bench: Bench;
let ids: string[];
let reading: { isHeld: boolean };
beforeEach(async () => {
  ({ bench, ids, reading } = await restarted(MANY));
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
    reading.isHeld = true;
    await bench.accept({ eventId: "evt_new", deliveries: [mail(person(1))] });
    expect(await inQueue()).toBe(801);
    await bench.crash();
    reading.isHeld = false;
    await whole();
    expect(await inQueue()).toBe(2 * MANY + 1);
  });
});
