import { describe, expect, it } from "vitest";
import { failure } from "../service.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ref = { ref: "stripe:cus_1" };
const link = { ref: "stripe:cus_1", email: "Ada@Example.com" };

describe("a delivery about a provider's own id", () => {
  it("finds its contact when the link came earlier", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ links: [link] });
    await deliveries((await accept({ deliveries: [update(ref, { plan: "pro" }), event(ref), mail(ref)] })).id);
    expect(service.acted.map((request) => request.body.email)).toEqual([
      "Ada@Example.com",
      "Ada@Example.com",
      "Ada@Example.com",
    ]);
  });

  it("waits for the link and leaves once the link comes", async () => {
    const { accept, deliveries, service, pass, webhook } = await createBench();
    const { id } = await accept({ deliveries: [update(ref, { plan: "pro" }), mail(ref)] });
    await pass(300);
    expect((await webhook(id)).deliveries.map((delivery) => delivery.state)).toEqual(["waiting", "waiting"]);
    expect(service.received).toHaveLength(0);
    await accept({ links: [link] });
    expect((await deliveries(id)).map((delivery) => delivery.state)).toEqual(["done", "done"]);
    expect(service.acted.every((request) => request.body.email === "Ada@Example.com")).toBe(true);
  });

  it("a mail to a user id waits for an address and goes to the newest one", async () => {
    const { accept, deliveries, service, waitFor, webhook } = await createBench();
    const { id } = await accept({ deliveries: [mail({ userId: "u1" }), event({ userId: "u1" })] });
    await waitFor(() => expect(service.acted).toMatchObject([{ body: { userId: "u1", eventName: "signedUp" } }]));
    expect((await webhook(id)).deliveries[0]?.state).toBe("waiting");
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    await deliveries(id);
    expect(service.acted[1]?.body).toMatchObject({ email: "ada@example.com", transactionalId: "tpl_receipt" });
  });

  it("a mail in the backfill lane waits for an address too, and does not wait for earlier updates", async () => {
    const { accept, deliveries, service, pass, stub, waitFor, webhook } = await createBench();
    let answers = false;
    service.before = async ({ path }) => {
      while (path === "/v1/contacts/update" && !answers) await service.sleep(5);
      return undefined;
    };
    const first = await accept({ lane: "backfill", deliveries: [update({ userId: "u1" }, { plan: "pro" })] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    const { id } = await accept({ lane: "backfill", deliveries: [mail({ userId: "u1" })] });
    await pass(200);
    expect((await stub().status()).forIdentity).toBe(1);
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    expect(await deliveries(id)).toMatchObject([{ state: "done" }]);
    expect((await webhook(first.id)).deliveries).toMatchObject([{ state: "sending" }]);
    answers = true;
    await deliveries(first.id);
  });

  it("is written to the team's own user id once an auth provider has linked that id to the address", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ links: [link] });
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    await deliveries((await accept({ deliveries: [update(ref, { plan: "pro" }), mail(ref)] })).id);
    expect(service.acted.map((request) => request.body)).toEqual([
      expect.objectContaining({ transactionalId: "tpl_receipt", email: "Ada@Example.com" }),
      { userId: "u1", email: "ada@example.com", properties: { plan: "pro" } },
    ]);
  });

  it("follows the newest address: an old webhook that arrives late does not bring the old address back", async () => {
    const { accept, deliveries, service } = await createBench();
    await accept({ occurredAt: 2_000, links: [{ ...link, email: "new@example.com" }] });
    await accept({ occurredAt: 1_000, links: [{ ...link, email: "old@example.com" }] });
    await deliveries((await accept({ deliveries: [update(ref, { plan: "pro" })] })).id);
    expect(service.acted[0]?.body.email).toBe("new@example.com");
  });

  it("follows the strongest link: a newer invoice with an old address does not replace the account's address", async () => {
    const said = [
      { occurredAt: 1_000, links: [{ ...link, email: "account@example.com" }] },
      { occurredAt: 2_000, links: [{ ...link, email: "checkout@example.com", strength: "purchase" as const }] },
      { occurredAt: 3_000, links: [{ ...link, email: "frozen@example.com", strength: "document" as const }] },
    ];
    for (const [order, expected] of [
      [[0, 1, 2], "account@example.com"],
      [[2, 1, 0], "account@example.com"],
      [[2, 1], "checkout@example.com"],
      [[1, 2], "checkout@example.com"],
    ] as const) {
      const { accept, deliveries, service } = await createBench();
      for (const place of order) await accept(said[place]);
      await deliveries((await accept({ deliveries: [event(ref)] })).id);
      expect(service.acted[0]?.body.email).toBe(expected);
    }
  });

  it("is undecided with the reason when no link comes within 72 h", async () => {
    const { accept, deliveries, service } = await createBench();
    const { id } = await accept({ deliveries: [update(ref, { plan: "pro" })] });
    service.offset = 72 * 3_600_000 - 5_000;
    await accept();
    await expect(deliveries(id, undefined, 300)).rejects.toThrow("still open");
    service.offset = 72 * 3_600_000 + 1_000;
    await accept({ deliveries: [event({ email: "bob@example.com" })] });
    expect(await deliveries(id)).toMatchObject([
      { state: "undecided", message: expect.stringContaining("stripe:cus_1") },
    ]);
    expect(service.received.map((request) => request.body.email)).toEqual(["bob@example.com"]);
  });
});

describe("order", () => {
  it("deliveries of one person start in acceptance order, one at a time, also when two identifiers turn out to be one person", async () => {
    const { accept, deliveries, service } = await createBench();
    let underWay = 0;
    let most = 0;
    service.before = async () => {
      most = Math.max(most, ++underWay);
      await service.sleep(150);
      underWay--;
      return undefined;
    };
    await accept({ links: [link] });
    const ids = [];
    for (let step = 0; step < 4; step++) {
      const contact = step % 2 ? ref : { email: "ada@example.com" };
      ids.push(
        (await accept({ occurredAt: step, deliveries: [update(contact, { step }), event(contact, `e${step}`)] })).id,
      );
    }
    for (const id of ids) await deliveries(id);
    expect(most).toBe(1);
    expect(service.acted.map(({ body }) => body.eventName ?? (body.properties as { step: number }).step)).toEqual([
      0,
      "e0",
      1,
      "e1",
      2,
      "e2",
      3,
      "e3",
    ]);
  });

  it("is kept when a link is learned while a delivery is in flight", async () => {
    const { accept, deliveries, service, waitFor } = await createBench();
    service.before = ({ body }) =>
      service.received.length === 1
        ? service.sleep(600).then(() => failure(500, JSON.stringify(body).slice(0, 9)))
        : undefined;
    await accept({ links: [link] });
    const first = await accept({ deliveries: [event(ref, "first")] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    const second = await accept({ deliveries: [event({ userId: "u1" }, "second")] });
    await deliveries(first.id);
    await deliveries(second.id);
    expect(service.acted.map(({ body }) => body.eventName)).toEqual(["first", "second"]);
  });

  it("is kept when an address moves to another user while deliveries wait", async () => {
    const { accept, deliveries, service, waitFor } = await createBench();
    service.before = () => (service.received.length === 1 ? failure(429, "wait", { "Retry-After": "1" }) : undefined);
    await accept({ links: [link, { userId: "u1", email: "ada@example.com" }] });
    await accept({ deliveries: [mail({ email: "zoe@example.com" })] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    const first = await accept({ deliveries: [event(ref, "first")] });
    await accept({ source: "clerk", links: [{ userId: "u2", email: "ada@example.com" }] });
    const second = await accept({ deliveries: [event({ userId: "u2" }, "second")] });
    await deliveries(first.id);
    await deliveries(second.id);
    expect(service.acted.flatMap(({ body }) => body.eventName ?? [])).toEqual(["first", "second"]);
  });

  it("deliveries of different people do not wait for each other", async () => {
    const { accept, deliveries, service } = await createBench();
    service.before = ({ body }) =>
      body.email === "slow@example.com" ? service.sleep(1_000).then(() => undefined) : undefined;
    await accept({ deliveries: [update({ email: "slow@example.com" }, { a: 1 })] });
    const { id } = await accept({ deliveries: [update({ email: "quick@example.com" }, { a: 1 })] });
    await deliveries(id, undefined, 900);
  });
});

describe("nothing stale wins", () => {
  it("a property keeps the value of the webhook that happened last; an update with no property left is replaced", async () => {
    const { accept, deliveries, service } = await createBench();
    const ada = { email: "ada@example.com" };
    await deliveries((await accept({ occurredAt: 2_000, deliveries: [update(ada, { plan: "pro" })] })).id);
    const part = await accept({ occurredAt: 1_000, deliveries: [update(ada, { plan: "old", city: "Paris" })] });
    expect(await deliveries(part.id)).toMatchObject([{ state: "done" }]);
    const all = await accept({ occurredAt: 1_000, deliveries: [update(ada, { plan: "old" })] });
    expect(await deliveries(all.id)).toMatchObject([{ state: "replaced", attempts: [] }]);
    expect(service.acted.map((request) => request.body.properties)).toEqual([{ plan: "pro" }, { city: "Paris" }]);
  });

  it("in the same second the higher rank wins, in any order of arrival", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const { accept, deliveries, service } = await createBench();
      for (const rank of order) {
        await deliveries(
          (await accept({ rank, deliveries: [update({ email: "ada@example.com" }, { status: rank })] })).id,
        );
      }
      expect(service.acted.at(-1)?.body.properties).toEqual({ status: 2 });
    }
  });

  it("the watermark belongs to the person the update was sent to, also when the link has changed meanwhile", async () => {
    const { accept, deliveries, service, waitFor } = await createBench();
    await accept({ occurredAt: 1_000, links: [{ ...link, email: "old@example.com" }] });
    service.before = async () => {
      if (service.received.length === 1) await service.sleep(300);
      return undefined;
    };
    const under = await accept({ occurredAt: 5_000, deliveries: [update(ref, { plan: "pro" })] });
    await waitFor(() => expect(service.received).toHaveLength(1));
    await accept({ occurredAt: 4_000, links: [{ ...link, email: "new@example.com" }] });
    await deliveries(under.id);
    const fresh = await accept({
      occurredAt: 3_000,
      deliveries: [update({ email: "new@example.com" }, { plan: "free" })],
    });
    expect(await deliveries(fresh.id)).toMatchObject([{ state: "done" }]);
    const stale = await accept({
      occurredAt: 3_000,
      deliveries: [update({ email: "old@example.com" }, { plan: "free" })],
    });
    expect(await deliveries(stale.id)).toMatchObject([{ state: "replaced" }]);
  });

  it("a time in the future counts as now", async () => {
    const { accept, deliveries, service } = await createBench();
    const ada = { email: "ada@example.com" };
    await deliveries((await accept({ occurredAt: Date.UTC(2999, 0), deliveries: [update(ada, { plan: "old" })] })).id);
    const later = service.now() + 600_000;
    expect(
      await deliveries((await accept({ occurredAt: later, deliveries: [update(ada, { plan: "pro" })] })).id),
    ).toMatchObject([{ state: "done" }]);
  });

  it("a refused update does not hide an older one", async () => {
    const { accept, deliveries, service } = await createBench();
    const ada = { email: "ada@example.com" };
    service.before = () => (service.received.length === 1 ? failure(400, "no") : undefined);
    await deliveries((await accept({ occurredAt: 2_000, deliveries: [update(ada, { plan: "pro" })] })).id);
    expect(
      await deliveries((await accept({ occurredAt: 1_000, deliveries: [update(ada, { plan: "old" })] })).id),
    ).toMatchObject([{ state: "done" }]);
  });
});
