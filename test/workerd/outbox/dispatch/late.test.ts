import { describe, expect, it } from "vitest";
import { learnLinks } from "../../../../src/outbox/identity/links.ts";
import { lateUntil, noteLate, readWatermarks } from "../../../../src/outbox/identity/watermarks.ts";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import { deliveryOf } from "../../../../src/routes/admin/show.ts";
import type { PlannedDelivery } from "../../../../src/rules/types.ts";
import { countRows } from "../journal/count-rows.ts";
import { type Bench, createBench, event, holdFirstAnswer, mail, update } from "../setup.ts";

const SECOND = 1_000;
const START = 1_700_000_000_000;
const ada = { email: "ada@example.com" };
const UPDATE = "/v1/contacts/update";
const DELETE = "/v1/contacts/delete";

/** Delays the first request to this path by `ms`: the bridge has given it up before the email service acts. */
const delayFirst = (bench: Bench, ms: number, path = UPDATE): void => {
  let delayed = false;
  bench.service.before = (request) => {
    if (delayed || request.path !== path) return undefined;
    delayed = true;
    bench.clock.in(ms, () => void bench.service.acted.push(request));
    return "hang";
  };
};

const contactOf = ({ service }: Bench): Record<string, unknown> | null => {
  let contact: Record<string, unknown> | null = null;
  for (const { path, body } of service.acted) {
    if (path === DELETE) contact = null;
    if (path !== UPDATE) continue;
    const { properties, mailingLists, ...rest } = body;
    contact = Object.assign({}, contact, rest, properties, mailingLists);
  }
  return contact;
};

const removal = (): PlannedDelivery & { key: string } => ({
  rule: "removal",
  action: "delete",
  contact: ada,
  key: crypto.randomUUID(),
});

const accept = (bench: Bench, day: number, ...deliveries: (PlannedDelivery & { key: string })[]) =>
  bench.accept({ occurredAt: START + day * 86_400_000, deliveries });

const lateUpdate = async (bench: Bench, properties: Record<string, string | number | boolean | null>) => {
  delayFirst(bench, 12 * SECOND);
  const { id } = await accept(bench, 0, update(ada, properties));
  await bench.pass(11 * SECOND);
  expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done", attempts: [{}, {}] }]);
  return id;
};

describe("a contact update without an answer reaches the email service after newer ones", () => {
  it("the newest values are written once more, two minutes after it was sent", async () => {
    const bench = await createBench();
    const began = bench.clock.now();
    await lateUpdate(bench, { plan: "free", city: "Rome" });
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(5 * SECOND);
    expect(contactOf(bench)).toMatchObject({ plan: "free" });
    const [first, again] = (await bench.webhook(id)).deliveries;
    expect(first).toMatchObject({ state: "done" });
    expect(again).toMatchObject({
      state: "waiting",
      repeats: { index: 0 },
      lane: "backfill",
      properties: { plan: "pro" },
    });
    await bench.pass(110 * SECOND);
    expect(contactOf(bench)).toEqual({ ...ada, plan: "pro", city: "Rome" });
    expect(bench.service.acted.at(-1)?.at).toBeGreaterThanOrEqual(began + 120 * SECOND);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("does not subscribe the person once more, who may have unsubscribed at the email service since then", async () => {
    const bench = await createBench((own) => ({ env: { ...own.env, LISTS: { news: "lst_1", offers: "lst_2" } } }));
    await lateUpdate(bench, { plan: "free", subscribed: false });
    const newer = { ...update(ada, { plan: "pro", subscribed: true }), lists: { news: true, offers: false } };
    const { id } = await accept(bench, 1, newer);
    await bench.pass(5 * SECOND);
    const [first, again] = (await bench.webhook(id)).deliveries;
    expect(first).toMatchObject({
      properties: { plan: "pro", subscribed: true },
      lists: { news: true, offers: false },
    });
    expect(again).toMatchObject({ properties: { plan: "pro" }, lists: { offers: false } });
    expect(again?.action === "contact" && [again.properties.subscribed, again.lists?.news]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("the newer update may be in one request with the retry", async () => {
    const bench = await createBench();
    delayFirst(bench, 12 * SECOND);
    await accept(bench, 0, update(ada, { plan: "free" }));
    await bench.pass(SECOND);
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(20 * SECOND);
    expect((await bench.webhook(id)).deliveries).toMatchObject([
      { sentWith: expect.any(String) },
      { state: "waiting" },
    ]);
    expect(contactOf(bench)).toMatchObject({ plan: "free" });
    await bench.pass(110 * SECOND);
    expect(contactOf(bench)).toMatchObject({ plan: "pro" });
  });

  it("a cleared value, mailing lists and the shown subscription too", async () => {
    const bench = await createBench(() => ({ env: { ...ENV, LISTS: { news: "list_1" } } }));
    const subscription = (id: string, standing: number, plan: string) => ({
      ...update(ada, { plan }),
      subscription: { id, standing, properties: ["plan"] },
    });
    delayFirst(bench, 12 * SECOND);
    const first = { ...update(ada, { phone: "1" }), lists: { news: true } };
    await bench.accept({ occurredAt: START, deliveries: [first, subscription("stripe:sub_1", 50, "free")] });
    await bench.pass(11 * SECOND);
    const newer = { ...update(ada, { phone: null }), lists: { news: false } };
    await accept(bench, 1, newer, subscription("stripe:sub_2", 60, "pro"));
    await bench.pass(5 * SECOND);
    expect(contactOf(bench)).toMatchObject({ phone: "1", list_1: true });
    await bench.pass(110 * SECOND);
    expect(contactOf(bench)).toMatchObject({ phone: null, list_1: false, plan: "pro" });
  });

  it("deliveries that come before then are sent at once, and need not be written twice", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free", city: "Rome" });
    const second = await accept(bench, 1, update(ada, { plan: "pro", city: "Oslo" }));
    await bench.pass(SECOND);
    const third = await accept(bench, 2, update(ada, { plan: "team" }), event(ada));
    await bench.pass(SECOND);
    expect((await bench.webhook(third.id)).deliveries).toMatchObject([
      { state: "done" },
      { state: "done" },
      { state: "waiting" },
    ]);
    const requests = bench.service.received.length;
    await bench.pass(110 * SECOND);
    expect(bench.service.received.slice(requests)).toMatchObject([{ path: UPDATE }]);
    expect(contactOf(bench)).toEqual({ ...ada, plan: "team", city: "Oslo" });
    expect((await bench.webhook(second.id)).deliveries[1]).toMatchObject({ state: "done" });
  });

  it("the metrics count its wait from the time when it is due", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(125 * SECOND);
    const text = await bench.stub().metrics();
    const waited = Number(/mailspan_queue_wait_seconds_sum\{lane="backfill"\} (\S+)/.exec(text)?.[1]);
    expect(waited).toBeLessThan(5);
  });

  it("a delivery that is replaced before then is not made", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(30 * SECOND);
    const { id: newest } = await accept(bench, 2, update(ada, { plan: "team" }));
    await bench.pass(90 * SECOND);
    expect((await bench.webhook(id)).deliveries[1]).toMatchObject({ state: "replaced" });
    expect((await bench.webhook(newest)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(contactOf(bench)).toMatchObject({ plan: "team" });
  });

  it("an update of the same second, which is sent later than that, keeps its values", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(SECOND);
    await bench.stub().pause(undefined, true);
    await accept(bench, 1, update(ada, { plan: "team" }));
    await bench.pass(150 * SECOND);
    await bench.stub().pause(undefined, false);
    await bench.pass(10 * SECOND);
    expect(contactOf(bench)).toEqual({ ...ada, plan: "team" });
  });

  it("also when the bridge was interrupted instead, and again before the delivery is due", async () => {
    const bench = await createBench();
    bench.service.before = () => "hang";
    await accept(bench, 0, update(ada, { plan: "free" }));
    await bench.pass(SECOND);
    await bench.crash();
    bench.service.before = () => undefined;
    const [request] = bench.service.received;
    if (!request) throw new Error("no request");
    bench.clock.in(5 * SECOND, () => void bench.service.acted.push(request));
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(2 * SECOND);
    await bench.crash();
    await bench.pass(10 * SECOND);
    expect(contactOf(bench)).toMatchObject({ plan: "free" });
    await bench.pass(120 * SECOND);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(contactOf(bench)).toMatchObject({ plan: "pro" });
  });

  it.each([
    [20, 10],
    [10, 20],
  ])("a link that joins two persons with late requests keeps the earlier delivery and the later end", async (...ms) => {
    const bench = await createBench();
    const user = "user:user_ada";
    const now = bench.clock.now();
    const late = await bench.inside((_, { storage: { sql } }) => {
      noteLate(sql, user, { seq: 1_000, index: 7 }, now + ms[0], now);
      noteLate(sql, `email:${ada.email}`, { seq: 2_000, index: 0 }, now + ms[1], now);
      learnLinks(sql, [{ ...ada, userId: "user_ada" }], now, now);
      const watermarks = readWatermarks(sql, user);
      const places = [
        { seq: 1_000, index: 7 },
        { seq: 1_000, index: 8 },
      ];
      return [undefined, ...places].map((own) => lateUntil(watermarks, now + 20, own));
    });
    const until = now + 20 + 120 * SECOND;
    expect(late).toEqual([until, undefined, until]);
  });

  it("the ledger says why", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(SECOND);
    const webhook = await bench.webhook(id);
    const [, again] = webhook.deliveries;
    if (!again) throw new Error("no delivery");
    const waits = [undefined, { for: "time", until: again.due } as const];
    const at = new Date(again.due).toISOString().slice(0, 19).replace("T", " ");
    const late =
      "An earlier request for this person got no answer. It may reach the email service until then, and would undo this delivery.";
    expect(timelineOf(webhook, waits, bench.clock.now()).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        `The contact update for ada@example.com is made once more at ${at} UTC. ${late}`,
        `waiting until ${at} UTC. ${late}`,
      ]),
    );
    expect(deliveryOf(webhook.seq, 1, again, waits[1])).toMatchObject({ id: `${id}.1`, repeats: `${id}.0` });
  });

  it("one more row for the attempt without an answer; the delivery adds no row before it is due", async () => {
    const bench = await createBench();
    expect((await countRows(bench, async () => void (await lateUpdate(bench, { plan: "free" })))).sql).toBe(9);
    const rows = await countRows(bench, async () => {
      await accept(bench, 1, update(ada, { plan: "pro" }));
      await bench.pass(60 * SECOND);
    });
    expect(rows.sql).toBe(6);
  });
});

describe("nothing is written once more", () => {
  const deliveries = async (bench: Bench, id: string) => (await bench.webhook(id)).deliveries.length;

  it("for the update itself, whose values arrive twice", async () => {
    const bench = await createBench();
    const id = await lateUpdate(bench, { plan: "free" });
    await bench.pass(200 * SECOND);
    expect(await deliveries(bench, id)).toBe(1);
  });

  it("for updates that were in the request without an answer", async () => {
    const bench = await createBench();
    const open = holdFirstAnswer(bench);
    await accept(bench, 0, update(ada, { first: true }));
    await bench.pass(SECOND);
    const two = [update(ada, { plan: "free" }), update(ada, { plan: "pro" })];
    const ids = [(await accept(bench, 1, ...two)).id, (await accept(bench, 2, update(ada, { plan: "team" }))).id];
    delayFirst(bench, 12 * SECOND);
    open();
    await bench.pass(12 * SECOND);
    expect(bench.service.received.at(-1)?.body).toMatchObject({ properties: { plan: "team" } });
    expect([await deliveries(bench, ids[0] ?? ""), await deliveries(bench, ids[1] ?? "")]).toEqual([2, 1]);
  });

  it("for an event, which has a key", async () => {
    const bench = await createBench();
    delayFirst(bench, 12 * SECOND, "/v1/events/send");
    await accept(bench, 0, event(ada));
    await bench.pass(11 * SECOND);
    const { id } = await accept(bench, 1, update(ada, { plan: "pro" }), event(ada, "renewed"));
    await bench.pass(SECOND);
    expect(await deliveries(bench, id)).toBe(2);
  });

  it("for an update that only subscribes the person", async () => {
    const bench = await createBench((own) => ({ env: { ...own.env, LISTS: { news: "lst_1" } } }));
    await lateUpdate(bench, { plan: "free" });
    const subscribes = { ...update(ada, { subscribed: true }), lists: { news: true } };
    const { id } = await accept(bench, 1, subscribes);
    const requests = bench.service.received.length;
    await bench.pass(130 * SECOND);
    expect(await deliveries(bench, id)).toBe(1);
    expect(bench.service.received).toHaveLength(requests + 1);
  });

  it("for another person, or after two minutes", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    const other = await accept(bench, 1, update({ email: "bob@example.com" }, { plan: "pro" }));
    await bench.pass(120 * SECOND);
    const later = await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(SECOND);
    expect([await deliveries(bench, other.id), await deliveries(bench, later.id)]).toEqual([1, 1]);
  });
});

describe("a deleted contact does not come back", () => {
  it("the deletion is made once more after an earlier update without an answer", async () => {
    const bench = await createBench();
    await lateUpdate(bench, { plan: "free" });
    const { id } = await accept(bench, 1, removal());
    await bench.pass(5 * SECOND);
    expect(contactOf(bench)).toMatchObject({ plan: "free" });
    await bench.pass(110 * SECOND);
    expect(contactOf(bench)).toBeNull();
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("a deletion without an answer does not end a contact that was made after it", async () => {
    const bench = await createBench();
    delayFirst(bench, 12 * SECOND, DELETE);
    await accept(bench, 0, removal());
    await bench.pass(11 * SECOND);
    await accept(bench, 1, update(ada, { plan: "pro" }));
    await bench.pass(5 * SECOND);
    expect(contactOf(bench)).toBeNull();
    await bench.pass(110 * SECOND);
    expect(contactOf(bench)).toEqual({ ...ada, plan: "pro" });
  });

  it("erase is finished only when no earlier request can reach the email service", async () => {
    const bench = await createBench();
    const before = bench.clock.now();
    delayFirst(bench, 12 * SECOND);
    await accept(bench, 0, update(ada, { plan: "free" }));
    await bench.pass(11 * SECOND);
    const erase = (cursor?: number) => bench.ask((outbox) => outbox.erase(ada, cursor));
    const first = await erase();
    expect(first).toMatchObject({ webhooks: 1, links: 0, next: 1 });
    expect(first.late).toBeGreaterThanOrEqual(before + 120 * SECOND);
    await bench.pass(115 * SECOND);
    expect(await erase(first.next)).toMatchObject({ links: 1 });
    expect(await erase()).toMatchObject({ webhooks: 0, links: 0 });
  });

  it.each([
    ["an event", () => event(ada)],
    ["a mail", () => mail(ada)],
  ])("erase during the wait for a retry of %s, and during the attempt, waits too", async (_, delivery) => {
    for (const wait of [SECOND, 11 * SECOND]) {
      const bench = await createBench();
      bench.service.before = () => "hang";
      await accept(bench, 0, delivery());
      await bench.pass(wait);
      const erase = (cursor?: number) => bench.ask((outbox) => outbox.erase(ada, cursor));
      expect(await erase()).toMatchObject({ next: 1 });
      await bench.pass(12 * SECOND);
      expect((await erase(1)).late).toBeGreaterThan(bench.clock.now());
      await bench.pass(121 * SECOND);
      expect((await erase(1)).next).toBeUndefined();
    }
  });

  it.each([
    ["an update", () => update(ada, { plan: "free" })],
    ["an event", () => event(ada)],
    ["a mail", () => mail(ada)],
  ])("erase waits after a crash during the attempt of %s", async (_, delivery) => {
    const bench = await createBench();
    const began = bench.clock.now();
    bench.service.before = () => "hang";
    await accept(bench, 0, delivery());
    await bench.pass(SECOND);
    const erase = (cursor?: number) => bench.ask((outbox) => outbox.erase(ada, cursor));
    expect(await erase()).toMatchObject({ discarded: 1, next: 1 });
    await bench.crash();
    await bench.pass(SECOND);
    const told = await erase(1);
    expect(told).toMatchObject({ next: 1 });
    expect(told.late).toBeGreaterThanOrEqual(began + 120 * SECOND);
    await bench.pass(121 * SECOND);
    const last = await erase(1);
    expect([last.next, last.late]).toEqual([undefined, undefined]);
    expect(bench.service.received).toHaveLength(1);
  });

  it("erase waits for a mail that expired while an attempt of it had no answer", async () => {
    const bench = await createBench();
    bench.service.before = ({ path }) => (path === "/v1/api-key" ? undefined : "hang");
    const { id } = await accept(bench, 0, mail(ada, { expiresAt: bench.clock.now() + 5 * SECOND }));
    await bench.pass(40 * SECOND);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "failed", attempts: [{}] }]);
    const erase = (cursor?: number) => bench.ask((outbox) => outbox.erase(ada, cursor));
    expect((await erase()).late).toBeGreaterThan(bench.clock.now());
    await bench.pass(121 * SECOND);
    expect((await erase(1)).next).toBeUndefined();
  });
});

const ENV = { EMAIL_API_URL: "https://host.test", EMAIL_API_KEY: "key" };
