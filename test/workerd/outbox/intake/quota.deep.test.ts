import { describe, expect, it } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { createMonitored } from "../monitor/monitor.ts";
import { type Bench, createBench, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
/** Deliveries of one webhook. Few large webhooks fill the memory faster than many small ones the quota. */
const MANY = 4_000;

const createFull = async () => {
  const bench = await createBench();
  bench.service.before = () => "hang";
  return bench;
};

const fill = async (bench: Bench, source: string) => {
  for (let n = 0; ; n++) {
    const deliveries = Array.from({ length: MANY }, (_, i) => mail({ email: `${source}${n}.${i}@example.com` }));
    const result = await bench.request([{ source, deliveries }]);
    if ("overload" in result) return { accepted: n * MANY, overload: result.overload };
  }
};

/** Urgent mail, one of a webhook. Returns how many webhooks are accepted. */
const fillUrgent = async (bench: Bench, source: string) => {
  for (let n = 0; ; n += 500) {
    const webhooks = Array.from({ length: 500 }, (_, i) => ({
      source,
      eventId: `${n}.${i}`,
      deliveries: [mail({ email: `${n}.${i}@example.com` }, { urgent: true })],
    }));
    if ("overload" in (await bench.request(webhooks))) return n;
  }
};

const isAccepted = async (bench: Bench, webhook: Partial<PlannedWebhook>) =>
  "receipts" in (await bench.request([webhook]));

describe("the room of waiting deliveries", () => {
  it("that a paused source has filled is not the room of others", async () => {
    const bench = await createFull();
    await bench.stub().pause("stripe", true);
    const { accepted, overload } = await fill(bench, "stripe");
    expect(accepted).toBe(80_000);
    expect(overload).toEqual({
      retryAfter: 60,
      message:
        'The source "stripe" is paused and has 20 webhooks with open deliveries, and its quota is 20. This webhook was not accepted. Resume the source (POST /admin/resume), then send it again.',
    });
    expect((await fill(bench, "clerk")).accepted).toBe(104_000);
    expect(await isAccepted(bench, { source: "supabase", deliveries: [update(ada, { plan: "pro" })] })).toBe(true);
  });

  it("is not used up by a flood of one source, and the refusal names the source, its quota and the fix", async () => {
    const bench = await createFull();
    const { accepted, overload } = await fill(bench, "stripe");
    expect(accepted).toBe(160_000);
    expect(overload.message).toBe(
      'The source "stripe" has 40 webhooks with open deliveries, and its quota is 40. This webhook was not accepted. Send it again after 60 s. GET /admin/status shows why deliveries wait.',
    );
    expect((await fill(bench, "clerk")).accepted).toBe(52_000);
    expect(await isAccepted(bench, { source: "supabase", deliveries: [mail(ada)] })).toBe(true);
  });

  it("has a reserve for urgent mail, which a backfill and other deliveries do not use", async () => {
    const bench = await createFull();
    for (const source of ["stripe", "clerk", "shopify", "paddle", "polar"]) await fill(bench, source);
    expect(await isAccepted(bench, { source: "clerk", deliveries: [mail(ada)] })).toBe(false);
    const urgent = mail(ada, { urgent: true });
    expect(await isAccepted(bench, { source: "clerk", lane: "backfill", deliveries: [urgent] })).toBe(false);
    const mixed = [
      { source: "clerk", deliveries: [urgent] },
      { source: "clerk", deliveries: [mail(ada)] },
    ];
    expect(await bench.request(mixed)).toHaveProperty("overload");
    expect(await isAccepted(bench, { source: "clerk", deliveries: [update(ada, { plan: "pro" }), urgent] })).toBe(true);
    expect(await fillUrgent(bench, "supabase")).toBe(7_000);
    expect(await isAccepted(bench, { source: "clerk", deliveries: [urgent] })).toBe(true);
  });

  it("is not needed by a webhook without deliveries, or whose deliveries are skipped", async () => {
    const bench = await createFull();
    await fill(bench, "stripe");
    expect(await isAccepted(bench, { deliveries: [] })).toBe(true);
    expect(await isAccepted(bench, { deliveries: [mail(ada)], skip: "test data" })).toBe(true);
    expect(await isAccepted(bench, { deliveries: [mail(ada)] })).toBe(false);
  });

  it("counts webhooks that arrive together, before they are committed", async () => {
    const bench = await createFull();
    const deliveries = Array.from({ length: MANY }, () => mail(ada));
    const results = await Promise.all(Array.from({ length: 50 }, () => bench.request([{ deliveries }])));
    expect(results.filter((result) => "receipts" in result)).toHaveLength(40);
  });

  it("is the same after the object starts again, and a settled delivery leaves it", async () => {
    const bench = await createBench();
    await bench.stub().pause("stripe", true);
    await bench.stub().pause("clerk", true);
    await fill(bench, "stripe");
    const { id } = await bench.accept({ source: "clerk", deliveries: [mail(ada)] });
    await bench.crash();
    const quotas = async () => (await bench.ask((outbox) => outbox.status())).quotas;
    expect(await quotas()).toEqual([
      { source: "stripe", used: 20, quota: 19, paused: true },
      { source: "clerk", used: 1, quota: 39_986, paused: true },
    ]);
    await bench.stub().pause("clerk", false);
    await bench.deliveries(id);
    expect(await quotas()).toMatchObject([{ source: "stripe", used: 20 }]);
  });

  it("of one paused source does not stop the backfill of another", async () => {
    const bench = await createFull();
    await bench.stub().pause("stripe", true);
    await fill(bench, "stripe");
    const backfill = (source: string) =>
      bench.ask((outbox) => outbox.backfill([{ ...BACKFILLED, source, eventId: `backfill:${source}` }]));
    expect(await backfill("clerk")).toMatchObject({ receipts: [{ duplicate: false }] });
    expect(await backfill("stripe")).toMatchObject({ overload: { retryAfter: 30 } });
  });
});

const BACKFILLED: PlannedWebhook = {
  source: "clerk",
  eventId: "",
  digest: false,
  type: "user.updated",
  occurredAt: 1_700_000_000_000,
  rank: 0,
  test: false,
  raw: "{}",
  outcomes: [],
  links: [],
  secretPaths: [],
  lane: "backfill",
  deliveries: [update(ada, { plan: "pro" })],
};

describe("a source that is nearly out of room", () => {
  const env = {
    ALERT_WEBHOOK_URL: "https://alerts.test/hook",
    ALERT_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  };

  it("raises one alert at 80 %, is named by health and metrics, and the alert ends below 70 %", async () => {
    const { bench, asked } = await createMonitored({ env });
    const told = () => asked.map(({ body }) => JSON.parse(body) as { type: string; data: object });
    await bench.stub().pause("stripe", true);
    const send = async (count: number) =>
      bench.accept({
        source: "stripe",
        deliveries: Array.from({ length: count }, (_, n) => mail({ email: `${n}@x.com` })),
      });
    for (let n = 0; n < 15; n++) await send(MANY);
    await bench.pass(100);
    expect(asked).toHaveLength(0);
    await send(MANY);
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    expect(told()[0]).toMatchObject({
      type: "source.full",
      data: {
        status: "firing",
        subject: "stripe",
        waiting: 16,
        quota: 20,
        message:
          'The source "stripe" is paused and has 16 webhooks with open deliveries. Its quota is 20: above that, its webhooks are refused.',
      },
    });
    expect((await bench.ask((outbox) => outbox.health())).quotas).toMatchObject([{ source: "stripe", used: 16 }]);
    const metrics = await bench.stub().metrics();
    expect(metrics).toContain('mailspan_source_open_webhooks{source="stripe"} 16');
    expect(metrics).toContain('mailspan_source_quota{source="stripe"} 20');

    await bench.stub().pause("stripe", false);
    await bench.inside((outbox) => outbox.monitor.check());
    await bench.waitFor(() => expect(told().map(({ type }) => type)).toContain("source.full.resolved"));
  });
});
