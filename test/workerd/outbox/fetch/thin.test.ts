import { describe, expect, it } from "vitest";
import { sources } from "../../../../src/sources.ts";
import { type Snapshot, thinOf } from "../../../thin-stripe.ts";
import { later } from "../monitor/monitor.ts";
import { type Bench, createBench } from "../setup.ts";
import { createFetching, fetchingSources, plannedStripe } from "./bench.ts";

const HOUR = 3_600_000;
const created = Math.floor(Date.now() / 1000) - 600;
const base = { object: "event", livemode: true, created };

const customer = (n: number, more: object = {}): Snapshot => ({
  ...base,
  id: `evt_c${n}`,
  type: "customer.created",
  data: { object: { id: `cus_${n}`, object: "customer", email: `c${n}@example.com`, name: "Ada Lovelace", ...more } },
});
const thinCustomer = (n: number) => thinOf(customer(n), "event");
const problem = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: { message: "no" } }, { status, headers });
const addresses = ({ service }: Bench) => service.acted.map(({ body }) => body.email);
const healthOf = (bench: Bench) => bench.ask((outbox) => outbox.health().problems.map(({ message }) => message));

describe("a thin event", () => {
  it("is accepted before Stripe is asked, fetched with the key, and its rules run", async () => {
    const { thin, api } = thinOf({ ...customer(1), account: "acct_9" }, "object");
    const { bench, asked, accept } = await createFetching({ answer: (path) => api[path] });
    const receipt = await accept(thin);
    expect(receipt).toMatchObject({ duplicate: false, deliveries: 1 });
    await bench.pass(1_000);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://api.stripe.com/v2/core/events/thin_evt_c1",
      "GET https://api.stripe.com/v1/customers/cus_1",
    ]);
    for (const { headers } of asked) {
      expect(headers.get("Authorization")).toBe("Bearer rk_test_1");
      expect(headers.get("Stripe-Version")).toMatch(/^\d{4}-\d\d-\d\d\./);
      expect(headers.get("Stripe-Context")).toBe("acct_9");
    }
    const webhook = await bench.webhook(receipt.id);
    expect(webhook).toMatchObject({ type: "customer.created", occurredAt: created * 1000, eventId: "thin_evt_c1" });
    expect(JSON.parse(webhook.body)).toMatchObject({ type: "customer.created", account: "acct_9" });
    expect(webhook.deliveries).toMatchObject([
      { action: "fetch", object: "customer cus_1", state: "done" },
      { action: "contact", state: "done" },
    ]);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
    expect((await accept(thin)).duplicate).toBe(true);
  });

  it("of a type without rules is not fetched, nor is test data", async () => {
    const { bench, asked, accept } = await createFetching();
    const { id } = await accept({ ...thinCustomer(1).thin, type: "v1.account.updated" });
    const ping = await accept({ ...thinCustomer(2).thin, type: "v2.core.event_destination.ping" });
    const test = await accept({ ...thinCustomer(3).thin, livemode: false });
    await bench.pass(10_000);
    expect(asked).toEqual([]);
    expect((await bench.webhook(id)).deliveries).toEqual([]);
    expect((await bench.webhook(ping.id)).deliveries).toEqual([]);
    expect((await bench.webhook(test.id)).deliveries).toMatchObject([{ action: "fetch", state: "skipped" }]);
  });

  it("of a name that Stripe sends for the same change says which type to enable", async () => {
    const { bench, accept } = await createFetching();
    const { id } = await accept({ ...thinCustomer(1).thin, type: "v1.invoice.payment_succeeded" });
    const { outcomes } = await bench.webhook(id);
    expect(outcomes[0]).toMatchObject({ outcome: "not matched", message: expect.stringContaining("invoice.paid") });
  });

  it("in plan-only mode shows the deliveries of the fetched object, and sends none", async () => {
    const { thin, api } = thinCustomer(1);
    const source = { ...sources.stripe, planOnly: true } as NonNullable<typeof sources.stripe>;
    const { bench, accept } = await createFetching({ answer: (path) => api[path], source });
    const { id } = await accept(thin);
    await bench.pass(1_000);
    expect((await bench.webhook(id)).deliveries).toMatchObject([
      { action: "fetch", state: "done" },
      { action: "contact", state: "skipped" },
    ]);
    expect(bench.service.acted).toEqual([]);
  });
});

describe("an API that does not answer", () => {
  it("delays and loses nothing: 429, 500, silence and an outage", async () => {
    const answers = [
      () => problem(429, { "Retry-After": "30" }),
      () => problem(500),
      () => new Response("<html>", { status: 200 }),
      () => {
        throw new Error("connection refused");
      },
    ];
    const all = [1, 2, 3].map(thinCustomer);
    const api = Object.assign({}, ...all.map((one) => one.api));
    const { bench, asked, accept } = await createFetching({
      answer: (path) => {
        const next = answers.shift();
        return next ? next() : api[path];
      },
    });
    const receipts = [];
    for (const { thin } of all) receipts.push(await accept(thin));
    await bench.pass(1_000);
    expect(asked).toHaveLength(1);
    expect(await healthOf(bench)).toEqual([
      "thin events: 3 webhooks wait for their data: the API of stripe answers with status 429",
    ]);
    await bench.pass(28_000);
    expect(asked).toHaveLength(1);
    await bench.pass(HOUR);
    expect(addresses(bench).toSorted()).toEqual(["c1@example.com", "c2@example.com", "c3@example.com"]);
    const attempts = await Promise.all(
      receipts.map(async ({ id }) => (await bench.webhook(id)).deliveries[0]?.attempts),
    );
    expect(attempts.flat().length).toBe(3 + 4);
    expect(attempts[0]?.[0]).toMatchObject({ status: 429, wait: expect.any(Number) });
    expect(attempts[0]?.[0]?.wait).toBeGreaterThanOrEqual(30_000);
    expect(await healthOf(bench)).toEqual([]);
  });

  it("asks at once with a corrected key, and says since when the webhooks wait", async () => {
    const { thin, api } = thinCustomer(1);
    const { bench, settings, accept } = await createFetching({
      answer: (path, { headers }) => (headers.get("Authorization") === "Bearer rk_right" ? api[path] : problem(401)),
    });
    const at = bench.clock.now();
    await accept(thin);
    await bench.pass(60_000);
    const [found] = await bench.ask((outbox) => outbox.health().problems);
    expect(found).toMatchObject({ kind: "thin_events", since: at });
    await bench.crash(() => {
      settings.key = "rk_right";
    });
    await bench.pass(5_000);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it("waits as long as Retry-After says, up to an hour", async () => {
    const { thin } = thinCustomer(1);
    const { bench, asked, accept } = await createFetching({ answer: () => problem(429, { "Retry-After": "1800" }) });
    await accept(thin);
    await bench.pass(0.5 * HOUR - 5_000);
    expect(asked).toHaveLength(1);
    await bench.pass(20_000);
    expect(asked).toHaveLength(2);
  });

  it("one object that fails does not hold the others", async () => {
    const [bad, good] = [thinCustomer(1), thinCustomer(2)];
    const { bench, accept } = await createFetching({
      answer: (path) => (path.endsWith("evt_c1") ? problem(500) : good.api[path]),
    });
    const { id } = await accept(bad.thin);
    await accept(good.thin);
    await bench.pass(60_000);
    expect(addresses(bench)).toEqual(["c2@example.com"]);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "waiting", attempts: expect.any(Array) }]);
  });

  it("is given up after 72 hours, and an operator may fetch again", async () => {
    const { thin, api } = thinCustomer(1);
    let works = false;
    const { bench, accept } = await createFetching({ answer: (path) => (works ? api[path] : problem(403)) });
    const { id } = await accept(thin);
    await bench.pass(1_000);
    for (let n = 0; n < 73; n++) {
      await later(bench, HOUR);
      await bench.pass(100);
    }
    const [delivery] = (await bench.webhook(id)).deliveries;
    expect(delivery).toMatchObject({ state: "failed", message: "It answered with status 403." });
    expect(delivery?.attempts.length).toBeLessThanOrEqual(20);
    const { seq } = await bench.webhook(id);
    works = true;
    await bench.ask((outbox) => outbox.retry({ seq, index: 0 }) && null);
    await bench.pass(600_000);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it("an object that is gone, or deleted since, is told and not tried again", async () => {
    const [gone, deleted] = [thinOf(customer(1), "object"), thinOf(customer(2, { deleted: true }), "object")];
    const { bench, asked, accept } = await createFetching({ answer: (path) => deleted.api[path] });
    const first = await accept(gone.thin);
    const second = await accept(deleted.thin);
    await bench.pass(60_000);
    expect((await bench.webhook(first.id)).deliveries).toMatchObject([
      { state: "skipped", message: "The provider has no data for this event: there is no such customer." },
    ]);
    expect((await bench.webhook(second.id)).deliveries).toMatchObject([
      { state: "skipped", message: "The provider has no data for this event: the customer was deleted since." },
    ]);
    expect(asked).toHaveLength(4);
    expect(bench.service.acted).toEqual([]);
  });

  it("an address that leads away from the API gets no key", async () => {
    const { thin } = thinOf(customer(1), "object");
    const { bench, asked, accept } = await createFetching();
    await accept({ ...thin, related_object: { id: "cus_1", type: "customer", url: "@attacker.example/v1/x" } });
    await bench.pass(10_000);
    expect(asked.map(({ url }) => new URL(url).host)).toEqual(["api.stripe.com"]);
  });
});

describe("without a key", () => {
  it("it waits, says so, and is fetched once the key is set", async () => {
    const { thin, api } = thinCustomer(1);
    const { bench, asked, settings, accept } = await createFetching({ answer: (path) => api[path], key: "" });
    const { id } = await accept(thin);
    await bench.pass(HOUR);
    expect(asked).toEqual([]);
    expect(await healthOf(bench)).toEqual(["thin events: 1 webhook waits for its data: STRIPE_API_KEY is not set"]);
    const { seq } = await bench.webhook(id);
    expect((await bench.ask((outbox) => outbox.show(seq)))?.waits).toMatchObject([
      { for: "fetch", variable: "STRIPE_API_KEY" },
    ]);
    await bench.crash(() => {
      settings.key = "rk_test_2";
    });
    await bench.pass(5_000);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it("it fails after 72 hours, with the variable that is missing", async () => {
    const { bench, accept } = await createFetching({ key: "" });
    const { id } = await accept(thinCustomer(1).thin);
    await later(bench, 72 * HOUR + 1_000);
    await bench.pass(1_000);
    expect((await bench.webhook(id)).deliveries).toMatchObject([
      { state: "failed", attempts: [], message: expect.stringContaining("STRIPE_API_KEY is not set") },
    ]);
  });

  it("its snapshot event completes it, in either order, and nothing is sent twice", async () => {
    const { thin } = thinCustomer(1);
    const { bench, accept } = await createFetching({ key: "" });
    const { id } = await accept(thin);
    const completed = await accept(customer(1));
    expect(completed).toMatchObject({ id, duplicate: false, deliveries: 2 });
    await bench.pass(5_000);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(await healthOf(bench)).toEqual([]);
    const other = await accept(customer(2));
    expect(await accept(thinCustomer(2).thin)).toMatchObject({ id: other.id, duplicate: true });
    await bench.pass(5_000);
    expect(addresses(bench)).toEqual(["c1@example.com", "c2@example.com"]);
  });
});

describe("a thin event that only the fetched event ties to its snapshot event", () => {
  const { thin, api } = thinOf(customer(1), "later");
  const fetched = { action: "fetch", state: "done" };
  const repeated = {
    action: "fetch",
    state: "skipped",
    message: "Duplicate: another webhook is the same event with its data, evt_c1.",
  };

  it("takes the id of that event, which is a duplicate when it comes", async () => {
    const { bench, accept } = await createFetching({ answer: (path) => api[path] });
    const { id } = await accept(thin);
    await bench.pass(5_000);
    expect(await bench.webhook(id)).toMatchObject({ eventId: "evt_c1", type: "customer.created" });
    expect(await accept(customer(1))).toMatchObject({ id, duplicate: true });
    const again = await accept(thin);
    await bench.pass(5_000);
    expect((await bench.webhook(again.id)).deliveries).toMatchObject([repeated]);
    expect((await bench.webhook(id)).deliveries).toMatchObject([fetched, { action: "contact", state: "done" }]);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it("takes its id though Stripe cannot find it any more", async () => {
    const { [`/v1/events/${customer(1).id}`]: _, ...without } = api;
    const { bench, accept } = await createFetching({ answer: (path) => without[path] ?? problem(404) });
    const { id } = await accept(thin);
    await bench.pass(5_000);
    expect(await bench.webhook(id)).toMatchObject({ eventId: "evt_c1", deliveries: [fetched, { state: "done" }] });
    expect(await accept(customer(1))).toMatchObject({ id, duplicate: true });
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it.each(["before it", "while Stripe is asked", "while it is fetched itself"])(
    "does nothing where that event came %s",
    async (when) => {
      const { promise: opened, resolve: open } = Promise.withResolvers<void>();
      const { bench, asked, accept } = await createFetching({
        answer: async (path) => {
          if (when === "while Stripe is asked" || path === "/v1/events/evt_c1") await opened;
          return api[path];
        },
      });
      if (when === "before it") await accept(customer(1));
      const { id } = await accept(thin);
      await bench.waitFor(() => expect(asked.length).toBeGreaterThan(0));
      if (when !== "before it") expect((await accept(customer(1))).duplicate).toBe(false);
      open();
      await bench.pass(10_000);
      expect(await bench.webhook(id)).toMatchObject({ eventId: "thin_evt_c1", deliveries: [repeated] });
      expect(addresses(bench)).toEqual(["c1@example.com"]);
      expect(await healthOf(bench)).toEqual([]);
    },
  );

  it("and another thin event of the same one makes its deliveries once", async () => {
    const { bench, accept } = await createFetching({ answer: (path) => api[path] });
    await accept(thin);
    await accept({ ...thin, id: "thin_other", snapshot_event: "evt_c1" });
    await bench.pass(10_000);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });
});

describe("a death of the object", () => {
  const never = () => new Promise<never>(() => {});

  it.each([
    ["while Stripe is silent", "answer"],
    ["while the rules run", "plan"],
  ])("%s loses nothing", async (_, at) => {
    const { thin, api } = thinCustomer(1);
    let holds = true;
    const asked: string[] = [];
    const bench = await createBench((own) => ({
      env: { ...own.env, STRIPE_API_KEY: "rk_test_1" },
      sources: fetchingSources,
      plan: async (fetched) =>
        holds && at === "plan" ? never() : plannedStripe(JSON.parse(fetched.raw) as object, own.now()),
      fetchExternal: (url) => {
        asked.push(url);
        return holds && at === "answer"
          ? never()
          : Promise.resolve(Response.json(api[url.replace("https://api.stripe.com", "")]));
      },
    }));
    const { id } = await bench.accept(await plannedStripe(thin, bench.clock.now()));
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    await bench.crash(() => {
      holds = false;
    });
    await bench.pass(10_000);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });

  it("a snapshot event that comes while Stripe is asked is not made twice", async () => {
    const { thin, api } = thinCustomer(1);
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { bench, accept } = await createFetching({
      answer: async (path) => {
        await opened;
        return api[path];
      },
    });
    const { id } = await accept(thin);
    await accept(customer(1));
    open();
    await bench.pass(10_000);
    expect((await bench.webhook(id)).deliveries).toHaveLength(2);
    expect(addresses(bench)).toEqual(["c1@example.com"]);
  });
});

describe("an erased person", () => {
  /** Links tie the customer to the address, and a thin event about the customer waits. */
  const waiting = async (given: Parameters<typeof createFetching>[0] = {}) => {
    const id = "AdaLovelace1";
    const before = { ...customer(0).data.object, id: `cus_${id}`, email: "ada@example.com" };
    const { thin, api } = thinOf({ ...customer(2), data: { object: { ...before, name: "Ada King" } } }, "object");
    const fetching = await createFetching({ ...given, answer: given.answer ?? ((path) => api[path]) });
    await fetching.accept({ ...customer(1), data: { object: before } });
    await fetching.bench.pass(5_000);
    const { id: webhook } = await fetching.accept(thin);
    return { ...fetching, api, thin, webhook, acted: fetching.bench.service.acted.length };
  };
  const erase = (bench: Bench, dryRun = false) =>
    bench.ask((outbox) => outbox.erase({ email: "ada@example.com" }, undefined, { dryRun }));
  const stored = (bench: Bench) =>
    bench.inside((_, { storage: { sql } }) =>
      JSON.stringify([sql.exec("SELECT * FROM webhooks").toArray(), sql.exec("SELECT * FROM contacts").toArray()]),
    );
  const check = async (bench: Bench, webhook: string, acted: number) => {
    await bench.pass(HOUR);
    expect((await bench.webhook(webhook)).deliveries).toMatchObject([
      { action: "fetch", state: "failed", message: "Discarded: its content names a person who was erased." },
    ]);
    expect(bench.service.acted).toHaveLength(acted);
    expect(await healthOf(bench)).toEqual([]);
    expect(await stored(bench)).not.toMatch(/AdaLovelace1|ada@example|Ada King/);
  };

  it("is not made again by a thin event that waits for its key", async () => {
    const { bench, settings, asked, webhook, acted } = await waiting({ key: "" });
    expect(await erase(bench, true)).toMatchObject({ discarded: 1 });
    expect(await erase(bench)).toMatchObject({ discarded: 1, webhooks: 2 });
    settings.key = "rk_test_1";
    await check(bench, webhook, acted);
    expect(asked).toEqual([]);
    const retried = await bench.ask((outbox) => outbox.retry({ seq: Number.parseInt(webhook.slice(3), 36), index: 0 }));
    expect(retried).toMatchObject({
      refusal: { code: "not_retryable", message: expect.stringContaining("were erased") },
    });
  });

  it("is not made again by a thin event with data that Stripe is asked for", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    let answers: Record<string, unknown> = {};
    const { bench, asked, api, webhook, acted } = await waiting({
      answer: async (path) => {
        await opened;
        return answers[path];
      },
    });
    answers = api;
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    await erase(bench);
    open();
    await check(bench, webhook, acted);
  });

  it("is not made again where the object dies after the erasure", async () => {
    const { bench, webhook, acted } = await waiting({ answer: () => problem(500) });
    await erase(bench);
    await bench.crash();
    await check(bench, webhook, acted);
  });

  it("may be meant by thin events about other objects, as a dry run says", async () => {
    const { bench, accept, webhook } = await waiting({ key: "" });
    const { thin } = thinOf(
      { ...customer(3), data: { object: { id: "in_1", object: "invoice" } }, type: "invoice.paid" },
      "event",
    );
    const { id } = await accept(thin);
    const { apart } = await erase(bench, true);
    expect(apart).toEqual([
      expect.stringMatching(
        /^Thin events: 2 webhooks wait for their data\. .* Erase the person again once none waits\.$/,
      ),
    ]);
    await erase(bench);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ action: "fetch", state: "waiting" }]);
    expect((await bench.webhook(webhook)).deliveries).toMatchObject([{ state: "failed" }]);
    expect(JSON.parse((await bench.webhook(id)).body)).toMatchObject({ related_object: { id: "in_1" } });
  });
});
