import { describe, expect, it } from "vitest";
import { failure } from "../host.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ref = { ref: "stripe:cus_1" };
const link = { ref: "stripe:cus_1", email: "Ada@Example.com" };

describe("a call about a provider's own id", () => {
  it("finds its contact when the link came earlier", async () => {
    const { accept, calls, host } = await createBench();
    await accept({ links: [link] });
    await calls((await accept({ calls: [update(ref, { plan: "pro" }), event(ref), mail(ref)] })).id);
    expect(host.acted.map((request) => request.body.email)).toEqual([
      "Ada@Example.com",
      "Ada@Example.com",
      "Ada@Example.com",
    ]);
  });

  it("waits for the link and leaves once the link comes", async () => {
    const { accept, calls, host, pass, webhook } = await createBench();
    const { id } = await accept({ calls: [update(ref, { plan: "pro" }), mail(ref)] });
    await pass(300);
    expect((await webhook(id)).calls.map((call) => call.state)).toEqual(["waiting", "waiting"]);
    expect(host.received).toHaveLength(0);
    await accept({ links: [link] });
    expect((await calls(id)).map((call) => call.state)).toEqual(["done", "done"]);
    expect(host.acted.every((request) => request.body.email === "Ada@Example.com")).toBe(true);
  });

  it("a mail to a user id waits for an address and goes to the newest one", async () => {
    const { accept, calls, host, waitFor, webhook } = await createBench();
    const { id } = await accept({ calls: [mail({ userId: "u1" }), event({ userId: "u1" })] });
    await waitFor(() => expect(host.acted).toMatchObject([{ body: { userId: "u1", eventName: "signedUp" } }]));
    expect((await webhook(id)).calls[0]?.state).toBe("waiting");
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    await calls(id);
    expect(host.acted[1]?.body).toMatchObject({ email: "ada@example.com", transactionalId: "tpl_receipt" });
  });

  it("a mail in the backfill lane waits for an address too, and does not wait for earlier updates", async () => {
    const { accept, calls, host, pass, stub, waitFor, webhook } = await createBench();
    let answers = false;
    host.before = async ({ path }) => {
      while (path === "/v1/contacts/update" && !answers) await host.sleep(5);
      return undefined;
    };
    const first = await accept({ lane: "backfill", calls: [update({ userId: "u1" }, { plan: "pro" })] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    const { id } = await accept({ lane: "backfill", calls: [mail({ userId: "u1" })] });
    await pass(200);
    expect((await stub().status()).forIdentity).toBe(1);
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    expect(await calls(id)).toMatchObject([{ state: "done" }]);
    expect((await webhook(first.id)).calls).toMatchObject([{ state: "sending" }]);
    answers = true;
    await calls(first.id);
  });

  it("is written to the team's own user id once an auth provider has linked that id to the address", async () => {
    const { accept, calls, host } = await createBench();
    await accept({ links: [link] });
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    await calls((await accept({ calls: [update(ref, { plan: "pro" }), mail(ref)] })).id);
    expect(host.acted.map((request) => request.body)).toEqual([
      expect.objectContaining({ transactionalId: "tpl_receipt", email: "Ada@Example.com" }),
      { userId: "u1", email: "ada@example.com", properties: { plan: "pro" } },
    ]);
  });

  it("follows the newest address: an old webhook that arrives late does not bring the old address back", async () => {
    const { accept, calls, host } = await createBench();
    await accept({ occurredAt: 2_000, links: [{ ...link, email: "new@example.com" }] });
    await accept({ occurredAt: 1_000, links: [{ ...link, email: "old@example.com" }] });
    await calls((await accept({ calls: [update(ref, { plan: "pro" })] })).id);
    expect(host.acted[0]?.body.email).toBe("new@example.com");
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
      const { accept, calls, host } = await createBench();
      for (const place of order) await accept(said[place]);
      await calls((await accept({ calls: [event(ref)] })).id);
      expect(host.acted[0]?.body.email).toBe(expected);
    }
  });

  it("is parked with the reason when no link comes within 72 h", async () => {
    const { accept, calls, host } = await createBench();
    const { id } = await accept({ calls: [update(ref, { plan: "pro" })] });
    host.offset = 72 * 3_600_000 - 5_000;
    await accept();
    await expect(calls(id, undefined, 300)).rejects.toThrow("still open");
    host.offset = 72 * 3_600_000 + 1_000;
    await accept({ calls: [event({ email: "bob@example.com" })] });
    expect(await calls(id)).toMatchObject([{ state: "parked", message: expect.stringContaining("stripe:cus_1") }]);
    expect(host.received.map((request) => request.body.email)).toEqual(["bob@example.com"]);
  });
});

describe("order", () => {
  it("calls of one person start in acceptance order, one at a time, also when two identifiers turn out to be one person", async () => {
    const { accept, calls, host } = await createBench();
    let underWay = 0;
    let most = 0;
    host.before = async () => {
      most = Math.max(most, ++underWay);
      await host.sleep(150);
      underWay--;
      return undefined;
    };
    await accept({ links: [link] });
    const ids = [];
    for (let step = 0; step < 4; step++) {
      const contact = step % 2 ? ref : { email: "ada@example.com" };
      ids.push((await accept({ occurredAt: step, calls: [update(contact, { step }), event(contact, `e${step}`)] })).id);
    }
    for (const id of ids) await calls(id);
    expect(most).toBe(1);
    expect(host.acted.map(({ body }) => body.eventName ?? (body.properties as { step: number }).step)).toEqual([
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

  it("is kept when a link is learned while a call is in flight", async () => {
    const { accept, calls, host, waitFor } = await createBench();
    host.before = ({ body }) =>
      host.received.length === 1
        ? host.sleep(600).then(() => failure(500, JSON.stringify(body).slice(0, 9)))
        : undefined;
    await accept({ links: [link] });
    const first = await accept({ calls: [event(ref, "first")] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    await accept({ source: "clerk", links: [{ userId: "u1", email: "ada@example.com" }] });
    const second = await accept({ calls: [event({ userId: "u1" }, "second")] });
    await calls(first.id);
    await calls(second.id);
    expect(host.acted.map(({ body }) => body.eventName)).toEqual(["first", "second"]);
  });

  it("is kept when an address moves to another user while calls wait", async () => {
    const { accept, calls, host, waitFor } = await createBench();
    host.before = () => (host.received.length === 1 ? failure(429, "wait", { "Retry-After": "1" }) : undefined);
    await accept({ links: [link, { userId: "u1", email: "ada@example.com" }] });
    await accept({ calls: [mail({ email: "zoe@example.com" })] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    const first = await accept({ calls: [event(ref, "first")] });
    await accept({ source: "clerk", links: [{ userId: "u2", email: "ada@example.com" }] });
    const second = await accept({ calls: [event({ userId: "u2" }, "second")] });
    await calls(first.id);
    await calls(second.id);
    expect(host.acted.flatMap(({ body }) => body.eventName ?? [])).toEqual(["first", "second"]);
  });

  it("calls of different people do not wait for each other", async () => {
    const { accept, calls, host } = await createBench();
    host.before = ({ body }) =>
      body.email === "slow@example.com" ? host.sleep(1_000).then(() => undefined) : undefined;
    await accept({ calls: [update({ email: "slow@example.com" }, { a: 1 })] });
    const { id } = await accept({ calls: [update({ email: "quick@example.com" }, { a: 1 })] });
    await calls(id, undefined, 900);
  });
});

describe("nothing stale wins", () => {
  it("a property keeps the value of the webhook that happened last; an update with no property left is superseded", async () => {
    const { accept, calls, host } = await createBench();
    const ada = { email: "ada@example.com" };
    await calls((await accept({ occurredAt: 2_000, calls: [update(ada, { plan: "pro" })] })).id);
    const part = await accept({ occurredAt: 1_000, calls: [update(ada, { plan: "old", city: "Paris" })] });
    expect(await calls(part.id)).toMatchObject([{ state: "done" }]);
    const all = await accept({ occurredAt: 1_000, calls: [update(ada, { plan: "old" })] });
    expect(await calls(all.id)).toMatchObject([{ state: "superseded", attempts: [] }]);
    expect(host.acted.map((request) => request.body.properties)).toEqual([{ plan: "pro" }, { city: "Paris" }]);
  });

  it("in the same second the higher rank wins, in any order of arrival", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const { accept, calls, host } = await createBench();
      for (const rank of order) {
        await calls((await accept({ rank, calls: [update({ email: "ada@example.com" }, { status: rank })] })).id);
      }
      expect(host.acted.at(-1)?.body.properties).toEqual({ status: 2 });
    }
  });

  it("the watermark belongs to the person the update was sent to, also when the link has changed meanwhile", async () => {
    const { accept, calls, host, waitFor } = await createBench();
    await accept({ occurredAt: 1_000, links: [{ ...link, email: "old@example.com" }] });
    host.before = async () => {
      if (host.received.length === 1) await host.sleep(300);
      return undefined;
    };
    const under = await accept({ occurredAt: 5_000, calls: [update(ref, { plan: "pro" })] });
    await waitFor(() => expect(host.received).toHaveLength(1));
    await accept({ occurredAt: 4_000, links: [{ ...link, email: "new@example.com" }] });
    await calls(under.id);
    const fresh = await accept({ occurredAt: 3_000, calls: [update({ email: "new@example.com" }, { plan: "free" })] });
    expect(await calls(fresh.id)).toMatchObject([{ state: "done" }]);
    const stale = await accept({ occurredAt: 3_000, calls: [update({ email: "old@example.com" }, { plan: "free" })] });
    expect(await calls(stale.id)).toMatchObject([{ state: "superseded" }]);
  });

  it("a time in the future counts as now", async () => {
    const { accept, calls, host } = await createBench();
    const ada = { email: "ada@example.com" };
    await calls((await accept({ occurredAt: Date.UTC(2999, 0), calls: [update(ada, { plan: "old" })] })).id);
    const later = host.now() + 600_000;
    expect(await calls((await accept({ occurredAt: later, calls: [update(ada, { plan: "pro" })] })).id)).toMatchObject([
      { state: "done" },
    ]);
  });

  it("a refused update does not hide an older one", async () => {
    const { accept, calls, host } = await createBench();
    const ada = { email: "ada@example.com" };
    host.before = () => (host.received.length === 1 ? failure(400, "no") : undefined);
    await calls((await accept({ occurredAt: 2_000, calls: [update(ada, { plan: "pro" })] })).id);
    expect(await calls((await accept({ occurredAt: 1_000, calls: [update(ada, { plan: "old" })] })).id)).toMatchObject([
      { state: "done" },
    ]);
  });
});
