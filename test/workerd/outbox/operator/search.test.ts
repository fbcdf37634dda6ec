import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { seqOf, webhookIdOf } from "../../../../src/outbox/model/delivery-state.ts";
import type { Filter } from "../../../../src/outbox/operator/search.ts";
import { failure } from "../service.ts";
import { type accepted, type Bench, createBench, event, mail, update } from "../setup.ts";

const webhooks = async (bench: Bench, filter: Filter, part = {}) =>
  bench.ask((outbox) => outbox.searchWebhooks(filter, { limit: 100, ...part }));
const deliveries = async (bench: Bench, filter: Filter, part = {}) =>
  bench.ask((outbox) => outbox.searchDeliveries(filter, { limit: 100, ...part }));
const ids = async (bench: Bench, filter: Filter) =>
  (await webhooks(bench, filter)).webhooks.map(({ webhook }) => webhookIdOf(webhook.seq));

describe("a search by person", () => {
  let bench: Bench;
  const at: Record<string, string> = {};

  beforeAll(async () => {
    bench = await createBench();
    await bench.stub().pause(undefined, true);
    const journal = async (name: string, webhook: Parameters<typeof accepted>[0]) => {
      at[name] = (await bench.accept(webhook)).id;
    };
    await journal("link", { links: [{ userId: "user_ada_1", email: "Ada@Example.com", ref: "stripe:cus_ada_1" }] });
    await journal("second address", { links: [{ userId: "user_ada_1", email: "ada@work.example" }] });
    await journal("by email", { deliveries: [mail({ email: "ADA@example.com" })] });
    await journal("by user id", { deliveries: [event({ userId: "user_ada_1" })] });
    await journal("by ref", { deliveries: [update({ ref: "stripe:cus_ada_1" }, { plan: "pro" })] });
    await journal("body alone", { raw: '{"to":"Ada <ada@example.com>, Bob"}' });
    await journal("body, escaped", { raw: '{"to":"a\\u0064a@example.com"}' });
    await journal("body with the id", { raw: '{"customer":"cus_ada_1"}' });
    await journal("somebody else", {
      deliveries: [mail({ email: "bob@example.com" })],
      raw: '{"by":"ada@example.com"}',
    });
    await journal("longer address", { raw: '{"to":"xada@example.com","and":"ada@example.com.test"}' });
    await journal("waits", { deliveries: [event({ ref: "stripe:cus_new_9" })], raw: '{"billing":"eve@example.com"}' });
  });

  const theirs = [
    "second address",
    "by email",
    "by user id",
    "by ref",
    "body alone",
    "body, escaped",
    "body with the id",
    "somebody else",
  ];
  it.each([
    ["email", { email: "ada@example.com" }],
    ["another address of theirs", { email: "ada@work.example" }],
    ["user id", { userId: "user_ada_1" }],
    ["ref", { ref: "stripe:cus_ada_1" }],
    ["ref without its source", { ref: "cus_ada_1" }],
  ])(
    "by %s finds what is about any of their identifiers, and webhooks without deliveries that name one",
    async (_, who) => {
      expect(await ids(bench, { who })).toEqual(theirs.map((name) => at[name]).reverse());
    },
  );

  it("finds a delivery that waits for an identity through the body, and by its ref", async () => {
    expect(await ids(bench, { who: { email: "eve@example.com" } })).toEqual([at.waits]);
    expect(await ids(bench, { who: { ref: "cus_new_9" } })).toEqual([at.waits]);
    const found = await deliveries(bench, { who: { ref: "cus_new_9" } });
    expect(found.deliveries).toMatchObject([{ delivery: { state: "waiting" }, waiting: { for: "identity" } }]);
  });

  it("of a webhook that names the person in its body only says that its deliveries are about others", async () => {
    const found = (await webhooks(bench, { who: { email: "ada@example.com" } })).webhooks;
    expect(found.filter(({ onlyNamed }) => onlyNamed).map(({ webhook }) => webhookIdOf(webhook.seq))).toEqual([
      at["somebody else"],
    ]);
  });

  it("finds a short id where it is a whole value or a number, and a long id as a number", async () => {
    const one = await createBench();
    const raws = ['{"id":42}', '{"id":"42"}', '{"id":421,"x":"42 km","42":1}', '{"id":654321}', '{"654321":6543210}'];
    const at: string[] = [];
    for (const raw of raws) at.push((await one.accept({ raw })).id);
    expect(await ids(one, { who: { userId: "42" } })).toEqual([at[1], at[0]]);
    expect(await ids(one, { who: { userId: "654321" } })).toEqual([at[3]]);
  });

  it("finds nothing for an unknown person", async () => {
    expect(await ids(bench, { who: { email: "nobody@example.com" } })).toEqual([]);
  });
});

describe("a search", () => {
  it("filters by source, type, state, rule, action and time", async () => {
    const bench = await createBench();
    bench.service.before = ({ path }) => (path === "/v1/transactional" ? failure(400, "no") : undefined);
    const one = await bench.accept({ source: "a", type: "x", deliveries: [mail({ email: "ada@example.com" })] });
    const two = await bench.accept({ source: "b", type: "y", deliveries: [event({ email: "ada@example.com" })] });
    const three = await bench.accept({ source: "b", type: "x" });
    await Promise.all([bench.deliveries(one.id), bench.deliveries(two.id)]);
    expect(await ids(bench, { source: "b" })).toEqual([three.id, two.id]);
    expect(await ids(bench, { type: "x" })).toEqual([three.id, one.id]);
    expect(await ids(bench, { source: "b", type: "x" })).toEqual([three.id]);
    expect(await ids(bench, { states: ["failed"] })).toEqual([one.id]);
    expect(await ids(bench, { states: ["attention"] })).toEqual([one.id]);
    expect(await ids(bench, { states: ["done", "failed"] })).toEqual([two.id, one.id]);
    expect(await ids(bench, { rule: "event" })).toEqual([two.id]);
    expect(await ids(bench, { action: "transactional" })).toEqual([one.id]);
    expect(await ids(bench, { action: "transactional", states: ["done"] })).toEqual([]);
    const middle = Math.floor((seqOf(two.id) as number) / 1000);
    expect(await ids(bench, { since: middle + 100_000 })).toEqual([]);
    expect(await ids(bench, { until: middle + 100_000 })).toHaveLength(3);
    expect(await ids(bench, { since: 0, until: 1 })).toEqual([]);
    await bench.stub().discard({ seq: seqOf(one.id) as number, index: 0 });
    expect(await ids(bench, { states: ["attention"] })).toEqual([]);
    expect(await ids(bench, { states: ["failed"] })).toEqual([one.id]);
  });

  it("shows a delivery in flight as sending", async () => {
    const bench = await createBench();
    bench.service.before = () => "hang";
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id, ([delivery]) => delivery?.state === "sending");
    expect((await deliveries(bench, { states: ["sending"] })).deliveries).toMatchObject([
      { delivery: { state: "sending" }, waiting: { for: "answer" } },
    ]);
    expect((await deliveries(bench, { states: ["waiting"] })).deliveries).toEqual([]);
  });

  it("goes through a large journal in slices with a cursor, and finds every webhook once", async () => {
    const bench = await createBench();
    await runInDurableObject(bench.stub(), (_, { storage }) => {
      for (let n = 0; n < 4_500; n++) {
        storage.sql.exec(
          `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open)
           VALUES (?, 's', ?, 't', 0, 0, 0, ?, '[]', '[]', 0)`,
          1_700_000_000_000_000 + n,
          `e${n}`,
          n % 1_500 === 0 ? '{"to":"ada@example.com"}' : "{}",
        );
      }
    });
    const found: string[] = [];
    let requests = 0;
    let before: number | undefined;
    do {
      const part = before === undefined ? {} : { before };
      const page = await webhooks(bench, { who: { email: "ada@example.com" } }, part);
      found.push(...page.webhooks.map(({ webhook }) => webhook.eventId));
      if (before !== undefined) expect(page.next ?? 0).toBeLessThan(before);
      before = page.next;
      requests++;
    } while (before !== undefined && requests < 20);
    expect(found).toEqual(["e3000", "e1500", "e0"]);
    expect(requests).toBe(3);
    const pages = [await webhooks(bench, {}, { limit: 2 })];
    expect(pages[0]?.webhooks).toHaveLength(2);
    const second = await webhooks(bench, {}, { limit: 2, before: pages[0]?.next });
    expect(second.webhooks.map(({ webhook }) => webhook.eventId)).toEqual(["e4497", "e4496"]);
  });

  it("stops at the bound of bodies too", async () => {
    const bench = await createBench();
    const large = JSON.stringify({ text: "x".repeat(900_000) });
    for (let n = 0; n < 25; n++) await bench.accept({ raw: large });
    const first = await webhooks(bench, { who: { email: "ada@example.com" } });
    expect(first.next).toBeGreaterThan(0);
    const rest = await webhooks(bench, { who: { email: "ada@example.com" } }, { before: first.next });
    expect(rest.next).toBeUndefined();
  });
});

describe("what a search shows", () => {
  it("never contains a one-time secret, also while a delivery still needs it", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      raw: JSON.stringify({ email_data: { token: "305805", token_hash: "pkce/abc=1" } }),
      secretPaths: ["email_data.token", "email_data.token_hash"],
      outcomes: [{ rule: "x", outcome: "failed", message: "305805 is odd" }],
      deliveries: [mail({ email: "ada@example.com" }, { amount: "https://x.test/?t=pkce%2Fabc%3D1" })],
    });
    const shown = JSON.stringify([
      await webhooks(bench, {}),
      await deliveries(bench, {}),
      await bench.stub().show(seqOf(id) as number),
    ]);
    expect(shown).toContain("[erased]");
    expect(shown).not.toMatch(/305805|pkce/);
    expect(JSON.stringify(await bench.webhook(id))).toContain("pkce%2Fabc%3D1");
  });
});
