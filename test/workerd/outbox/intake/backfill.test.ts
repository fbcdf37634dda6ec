import { describe, expect, it } from "vitest";
import type { AcceptResult } from "../../../../src/outbox/model/journal-types.ts";
import { countOpen } from "../../../../src/outbox/queue/quota.ts";
import { accepted, createBench, mail, update } from "../setup.ts";

describe("a backfill", () => {
  it("lets all other deliveries go first, and does not overwrite newer values", async () => {
    const bench = await createBench();
    const old = (n: number) =>
      accepted({
        lane: "backfill",
        occurredAt: 1_000,
        deliveries: [update({ email: `u${n}@example.com` }, { plan: "old", n })],
      });
    const taken = (await bench.stub().backfill(Array.from({ length: 15 }, (_, n) => old(n)))) as AcceptResult;
    if (!("receipts" in taken)) throw new Error("not taken");
    const live = [
      await bench.accept({ deliveries: [update({ email: "u14@example.com" }, { plan: "new" })] }),
      await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] }),
    ];
    for (const { id } of [...live, ...taken.receipts]) await bench.deliveries(id, undefined, 10_000);
    const order = bench.service.acted.map(({ path, body }) =>
      path === "/v1/transactional" ? "mail" : String(body.email),
    );
    expect(order.indexOf("mail")).toBeLessThan(4);
    const lastOf = bench.service.acted.filter(({ body }) => body.email === "u14@example.com").at(-1);
    expect(lastOf?.body).toMatchObject({ properties: { plan: "new" } });
  });

  it("waits while the backlog could cause refusals of live webhooks", async () => {
    const bench = await createBench();
    await bench.inside(({ engine }) =>
      countOpen(engine.dispatcher.queue.open, "clerk", { webhooks: 20_000, deliveries: 20_000 }),
    );
    const taken = (await bench.stub().backfill([accepted({})])) as AcceptResult;
    expect(taken).toMatchObject({ overload: { retryAfter: 30, message: expect.stringContaining("20000 deliveries") } });
    expect(await bench.kept()).toBe(0);
    expect(await bench.accept()).toMatchObject({ duplicate: false });
  });

  it("does not wait for deliveries that wait for an identity link, up to a bound of their own", async () => {
    const bench = await createBench();
    const ref = "stripe:cus_1";
    const { id } = await bench.accept({ deliveries: [update({ ref }, { plan: "pro" })] });
    const count = (number: number) =>
      bench.inside(({ engine }) =>
        countOpen(engine.dispatcher.queue.open, "clerk", { webhooks: number, deliveries: number, forIdentity: number }),
      );
    await count(39_999);
    const refused = (await bench.stub().backfill([accepted({})])) as AcceptResult;
    expect(refused).toMatchObject({
      overload: { message: expect.stringContaining("40000 deliveries, 40000 of them waiting for an identity link") },
    });
    await count(-1);
    const email = "ada@example.com";
    const bringsLink = accepted({
      lane: "backfill",
      links: [{ ref, email }],
      deliveries: [update({ email }, { n: 1 })],
    });
    expect(await bench.stub().backfill([bringsLink])).toMatchObject({ receipts: [{ duplicate: false }] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    const { total } = await bench.inside(({ engine }) => engine.dispatcher.queue.open);
    expect(total.forIdentity).toBe(39_998);
  });
});
