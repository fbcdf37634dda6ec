import { describe, expect, it } from "vitest";
import { failure } from "../service.ts";
import { type Bench, event, mail, update } from "../setup.ts";
import { type Asked, alarmIn, createMonitored, later } from "./monitor.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const env = {
  ALERT_WEBHOOK_URL: "https://alerts.test/hook",
  ALERT_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};
const ada = { email: "ada@example.com" };

type Message = { type: string; timestamp: string; data: Record<string, unknown> };
const messages = (asked: readonly Asked[]): Message[] => asked.map(({ body }) => JSON.parse(body) as Message);
const kinds = (asked: readonly Asked[]) => messages(asked).map(({ type }) => type);
const quiet = (bench: Bench) => bench.pass(100);
const refusing = (message = "no such template") => failure(400, message);

describe("a failed delivery", () => {
  it("raises one signed alert with ids, names and the email service's message, and without an address", async () => {
    const { bench, asked } = await createMonitored({ env });
    bench.service.before = () => refusing();
    const { id } = await bench.accept({
      deliveries: [update(ada, { plan: "pro" }), mail(ada)],
      raw: '{"name":"Ada L."}',
    });
    await bench.deliveries(id);
    await bench.waitFor(() => expect(asked).toHaveLength(2));
    const notified = messages(asked).find(({ data }) => data.action === "transactional");
    expect(notified).toEqual({
      type: "delivery.failed",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        status: "firing",
        subject: "stripe/mail",
        message: "no such template",
        count: 1,
        source: "stripe",
        rule: "mail",
        action: "transactional",
        webhook: id,
        delivery: `${id}.1`,
        httpStatus: 400,
      },
    });
    for (const { url, method, headers, body } of asked) {
      expect([url, method]).toEqual([env.ALERT_WEBHOOK_URL, "POST"]);
      expect(headers.get("webhook-signature")).toMatch(/^v1,.{44}$/);
      expect(body).not.toMatch(/ada|pro/i);
    }
  });

  it("raises none where its person was erased during the attempt", async () => {
    const { bench, asked } = await createMonitored({ env });
    let answers = false;
    bench.service.before = async () => {
      while (!answers) await bench.service.sleep(5);
      return refusing();
    };
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.deliveries(id, ([delivery]) => delivery?.state === "sending");
    expect(await bench.ask((outbox) => outbox.erase(ada))).toMatchObject({ discarded: 1 });
    answers = true;
    await bench.waitFor(async () => expect((await bench.stub().status()).waiting).toBe(0));
    await quiet(bench);
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "failed", attempts: [{ status: 400 }] }]);
    expect(asked).toEqual([]);
  });

  it("raises one alert an hour for each rule, and the next alert has the count", async () => {
    const { bench, asked } = await createMonitored({ env });
    bench.service.before = () => refusing();
    for (let n = 0; n < 8; n++) await bench.deliveries((await bench.accept({ deliveries: [mail(ada)] })).id);
    await quiet(bench);
    expect(kinds(asked)).toEqual(["delivery.failed"]);
    expect(alarmIn(bench)).toBeLessThanOrEqual(HOUR);
    await later(bench, HOUR + 1);
    await bench.waitFor(() => expect(asked).toHaveLength(2));
    expect(messages(asked)[1]?.data).toMatchObject({ status: "firing", subject: "stripe/mail", count: 7 });
    await later(bench, HOUR + 1);
    await later(bench, HOUR + 1);
    await quiet(bench);
    expect(asked).toHaveLength(2);
  });

  it("costs one row when the alert is raised and one when it is delivered, and none between", async () => {
    const { bench } = await createMonitored({ env });
    const facts = () =>
      bench.inside(({ engine }) => engine.deps.disk.sql.exec("SELECT * FROM kv WHERE name = 'alerts'").toArray());
    bench.service.before = () => refusing();
    await bench.deliveries((await bench.accept({ deliveries: [mail(ada)] })).id);
    await quiet(bench);
    const before = await facts();
    expect(before).toHaveLength(1);
    await bench.deliveries((await bench.accept({ deliveries: [mail(ada)] })).id);
    expect(await facts()).toEqual(before);
  });
});

describe("an alert that cannot be delivered", () => {
  it("is retried with the same id after growing waits, and delivery does not wait for it", async () => {
    let answer: () => Response | Promise<Response> = () => new Promise<Response>(() => {});
    const { bench, asked } = await createMonitored({ env, answer: () => answer() });
    bench.service.before = ({ path }) => (path === "/v1/events/send" ? refusing() : undefined);
    await bench.deliveries((await bench.accept({ deliveries: [event(ada)] })).id);
    await bench.waitFor(() => expect(asked).toHaveLength(1));
    const { id } = await bench.accept({ deliveries: [update(ada, { plan: "pro" }), mail(ada)] });
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }, { state: "done" }]);

    await bench.crash();
    answer = () => new Response("no", { status: 500 });
    const again = () => asked.slice(1);
    await bench.waitFor(() => expect(again()).toHaveLength(1));
    await quiet(bench);
    expect(alarmIn(bench)).toBeLessThanOrEqual(10_000);
    await later(bench, 10_001);
    await bench.waitFor(() => expect(again()).toHaveLength(2));
    await quiet(bench);
    await later(bench, 10_001);
    await quiet(bench);
    expect(again()).toHaveLength(2);
    answer = () => new Response(null, { status: 200 });
    await later(bench, 10_001);
    await bench.waitFor(() => expect(again()).toHaveLength(3));
    await later(bench, 2 * MINUTE);
    await quiet(bench);
    expect(again()).toHaveLength(3);
    expect(new Set(asked.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(new Set(again().map(({ headers }) => headers.get("webhook-timestamp"))).size).toBeGreaterThan(1);
  });

  it("is dropped after a day, and at most fifty wait", async () => {
    const { bench, asked } = await createMonitored({ env, answer: () => new Response(null, { status: 503 }) });
    const pending = () =>
      bench.inside(({ engine }) => {
        const [row] = engine.deps.disk.sql
          .exec<{ value: string }>("SELECT value FROM kv WHERE name = 'alerts'")
          .toArray();
        return row ? (JSON.parse(row.value) as { pending: unknown[] }).pending.length : 0;
      });
    await bench.inside(({ monitor }) => {
      const delivery = { ...mail(ada), state: "failed" as const, due: 0, attempts: [], message: "no" };
      for (let n = 0; n < 300; n++)
        monitor.observe({
          kind: "delivery",
          seq: 1,
          index: 0,
          source: "stripe",
          delivery: { ...delivery, rule: `rule ${n}` },
        });
    });
    expect(await pending()).toBe(50);
    for (let hours = 0; hours < 27; hours += 3) {
      await later(bench, 3 * HOUR);
      await quiet(bench);
    }
    await bench.waitFor(async () => {
      await later(bench, HOUR);
      expect(await pending()).toBe(0);
    }, 10_000);
    const before = asked.length;
    await later(bench, 24 * HOUR);
    await quiet(bench);
    expect(asked.length).toBe(before);
  }, 30_000);

  it("because no secret is set shows as a problem in the status, and is not sent unsigned", async () => {
    const { bench, asked } = await createMonitored({ env: { ...env, ALERT_WEBHOOK_SECRET: "" } });
    bench.service.before = () => refusing();
    await bench.deliveries((await bench.accept({ deliveries: [mail(ada)] })).id);
    await quiet(bench);
    expect(asked).toEqual([]);
    expect((await bench.stub().status()).problems).toEqual([
      {
        kind: "alerts",
        message: "alerts: ALERT_WEBHOOK_SECRET must have the form whsec_<base64>. Without it, alerts cannot be signed.",
      },
    ]);
  });
});

describe("a lasting problem", () => {
  it("blocked delivery raises an alert at its start, every hour, and at its end", async () => {
    const { bench, asked } = await createMonitored({ env });
    bench.service.before = () => failure(401, "invalid API key");
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["dispatch.blocked"]));
    expect(messages(asked)[0]?.data).toMatchObject({
      status: "firing",
      message: "Dispatch is blocked: invalid API key",
      waiting: 1,
      since: expect.any(String),
    });
    await later(bench, 5 * MINUTE);
    await quiet(bench);
    expect(kinds(asked)).toEqual(["dispatch.blocked"]);
    await bench.crash();
    await quiet(bench);
    const again = () => asked.slice(1);
    expect(again()).toEqual([]);
    await later(bench, HOUR);
    await bench.waitFor(() => expect(kinds(again())).toContain("dispatch.blocked"));
    bench.service.before = () => undefined;
    bench.service.offset += 6 * MINUTE;
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    await bench.waitFor(() => expect(kinds(again())).toContain("dispatch.blocked.resolved"));
    expect(messages(again()).find(({ type }) => type === "dispatch.blocked.resolved")?.data).toMatchObject({
      status: "resolved",
      message: "Over: Dispatch is blocked: invalid API key",
      since: messages(asked)[0]?.data.since,
    });
  });

  it("an outage raises an alert that says what fails, and another at its end", async () => {
    const { bench, asked } = await createMonitored({ env });
    bench.service.before = () => failure(503, "Try again.");
    const deliveries = Array.from({ length: 6 }, (_, n) => mail({ email: `u${n}@example.com` }));
    const { id } = await bench.accept({ deliveries });
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["dispatch.outage"]), 15_000);
    expect(messages(asked)[0]?.data).toMatchObject({
      status: "firing",
      message: expect.stringMatching(/^The email service gives no usable answer: 503 since .*; next attempt .*UTC\.$/),
      since: expect.any(String),
    });
    await later(bench, 5 * MINUTE);
    await quiet(bench);
    expect(kinds(asked)).toEqual(["dispatch.outage"]);
    bench.service.before = () => undefined;
    await bench.deliveries(id, undefined, 2 * MINUTE);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["dispatch.outage", "dispatch.outage.resolved"]));
  });

  it("a backlog older than the configured minutes raises an alert, and another at its end; paused deliveries and deliveries that wait for an identity are no backlog", async () => {
    const { bench, asked } = await createMonitored({ env: { ...env, ALERT_BACKLOG_MINUTES: "20" } });
    bench.service.before = () => failure(500, "down");
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.accept({ deliveries: [event({ ref: "stripe:cus_1" })] });
    await bench.waitFor(() => expect(bench.service.received.length).toBeGreaterThan(0));
    await later(bench, 19 * MINUTE);
    await quiet(bench);
    expect(kinds(asked)).toEqual([]);
    await later(bench, 2 * MINUTE);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["dispatch.late"]));
    expect(messages(asked)[0]?.data).toMatchObject({ minutes: 21, waiting: 2 });
    expect(alarmIn(bench)).toBeLessThanOrEqual(20 * MINUTE);
    bench.service.before = () => undefined;
    await later(bench, 15 * MINUTE);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
    await later(bench, 5 * MINUTE);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["dispatch.late", "dispatch.late.resolved"]));
    await bench.inside(({ engine }) => engine.dispatcher.pause(undefined, true));
    await bench.accept({ deliveries: [mail(ada)] });
    await later(bench, 40 * MINUTE);
    await quiet(bench);
    expect(asked).toHaveLength(2);
  });

  it("a watched source that is silent raises an alert once a day, and another when it sends again", async () => {
    const sources = { stripe: { silentAfter: 6 * HOUR }, clerk: {} };
    const { bench, asked } = await createMonitored({ env, sources });
    await later(bench, 1);
    expect(alarmIn(bench)).toBeLessThanOrEqual(6 * HOUR);
    await later(bench, 3 * HOUR);
    await bench.accept({ source: "stripe" });
    await later(bench, 5 * HOUR);
    await quiet(bench);
    expect(asked).toEqual([]);
    await bench.accept({ source: "stripe", lane: "backfill" });
    await later(bench, HOUR + 1);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["source.silent"]));
    expect(messages(asked)[0]?.data).toMatchObject({ source: "stripe", minutes: 360 });
    await later(bench, 3 * HOUR);
    await quiet(bench);
    expect(asked).toHaveLength(1);
    await later(bench, 22 * HOUR);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["source.silent", "source.silent"]));
    await bench.accept({ source: "stripe" });
    await bench.waitFor(() => expect(kinds(asked)[2]).toBe("source.silent.resolved"));
  });

  it("a restart of the object does not make a watched source silent, and watching writes few rows", async () => {
    const sources = { stripe: { silentAfter: 6 * HOUR } };
    const { bench, asked } = await createMonitored({ env, sources });
    const seen = () =>
      bench.inside(({ engine }) => engine.deps.disk.sql.exec("SELECT value FROM kv WHERE name = 'seen'").toArray());
    await bench.accept({ source: "stripe" });
    const before = await seen();
    await later(bench, 25 * MINUTE);
    for (let n = 0; n < 20; n++) await bench.accept({ source: "stripe" });
    expect(await seen()).toEqual(before);
    await bench.crash();
    await later(bench, 6 * HOUR - MINUTE);
    await quiet(bench);
    expect(asked).toEqual([]);
    await later(bench, 30 * MINUTE);
    await bench.waitFor(() => expect(kinds(asked)).toEqual(["source.silent"]));
  });

  it("without configuration nothing is watched: no alarm, no row", async () => {
    const { bench } = await createMonitored();
    expect(alarmIn(bench)).toBeUndefined();
    expect(await bench.inside(({ engine }) => engine.deps.disk.sql.exec("SELECT * FROM kv").toArray())).toEqual([]);
  });
});

const SIXTEEN = Array.from({ length: 16 }, (_, n) => `source-${n}`);

it("unsigned webhooks at sixteen sources raise one alert, and again one an hour later", async () => {
  const { bench, asked } = await createMonitored({ env });
  const post = (count: number) =>
    bench.inside(({ monitor }) => {
      const minute = Math.floor(bench.service.now() / MINUTE);
      for (const source of SIXTEEN) monitor.refused([{ minute, source, code: "missing_signature", count }]);
    });
  await post(1);
  await quiet(bench);
  expect(asked).toEqual([]);
  await post(20);
  await quiet(bench);
  expect(kinds(asked)).toEqual(["signatures.failing"]);
  expect(messages(asked)[0]?.data).toMatchObject({ subject: "(unsigned)", refused: expect.any(Number) });
  await post(500);
  await quiet(bench);
  expect(asked).toHaveLength(1);
  await later(bench, HOUR + 1);
  await bench.waitFor(() => expect(asked).toHaveLength(2));
});

it("twenty unsigned webhooks, spread over all sources, raise one alert that names the sources", async () => {
  const { bench, asked } = await createMonitored({ env });
  const minute = Math.floor(bench.service.now() / MINUTE);
  const counts = SIXTEEN.map((source, n) => ({ minute, source, code: "missing_signature", count: n < 4 ? 2 : 1 }));
  await bench.stub().refused(counts);
  await bench.waitFor(() => expect(kinds(asked)).toEqual(["signatures.failing"]));
  expect(messages(asked)[0]?.data).toMatchObject({ refused: 20, source: expect.stringContaining("source-15") });
});

it("forged webhooks at many sources raise one alert, and a wrong secret of one source keeps its own", async () => {
  const { bench, asked } = await createMonitored({ env });
  const minute = Math.floor(bench.service.now() / MINUTE);
  const forged = (source: string) => ({ minute, source, code: "invalid_signature", count: 20 });
  await bench.stub().refused(SIXTEEN.map(forged));
  await bench.waitFor(() => expect(asked).toHaveLength(1));
  await bench.stub().refused([{ ...forged("stripe"), minute: minute + 1 }]);
  await bench.waitFor(() => expect(asked).toHaveLength(2));
  expect(messages(asked).map(({ data }) => data.subject)).toEqual(["(several)", "stripe"]);
});

it("a burst of signature failures of one source in one minute raises an alert", async () => {
  const { bench, asked } = await createMonitored({ env });
  const minute = Math.floor(bench.service.now() / MINUTE);
  await bench.stub().refused([
    { minute, source: "stripe", code: "invalid_signature", count: 12 },
    { minute: minute - 1, source: "stripe", code: "invalid_signature", count: 19 },
    { minute, source: "clerk", code: "invalid_json", count: 500 },
  ]);
  await quiet(bench);
  expect(asked).toEqual([]);
  await bench.stub().refused([{ minute, source: "stripe", code: "stale_timestamp", count: 8 }]);
  await bench.waitFor(() => expect(kinds(asked)).toEqual(["signatures.failing"]));
  expect(messages(asked)[0]?.data).toMatchObject({ source: "stripe", refused: 20 });
});
