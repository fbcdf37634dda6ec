import { describe, expect, it } from "vitest";
import { failure } from "../service.ts";
import { event, mail, update } from "../setup.ts";
import { createMonitored } from "./monitor.ts";

const parse = (text: string): Map<string, number> => {
  const samples = new Map<string, number>();
  const typed = new Map<string, string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const [, name = "", type = ""] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (name) {
      expect(typed.has(name)).toBe(false);
      typed.set(name, type);
    }
    if (line.startsWith("#")) continue;
    const [, series = "", metric = "", value = ""] =
      /^(([a-z_]+)(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (\S+)$/.exec(line) ?? [];
    expect([line, series !== ""]).toEqual([line, true]);
    const family = typed.has(metric) ? metric : metric.replace(/_(bucket|sum|count)$/, "");
    expect([line, typed.has(family)]).toEqual([line, true]);
    expect([line, samples.has(series)]).toEqual([line, false]);
    samples.set(series, Number(value === "+Inf" ? Number.POSITIVE_INFINITY : value));
  }
  return samples;
};

describe("metrics", () => {
  it("count webhooks, deliveries and attempts, and show the backlog", async () => {
    const { bench } = await createMonitored();
    const { service, accept, acceptAll, deliveries, stub } = bench;
    const ada = { email: "ada@example.com" };
    service.before = ({ body }) => (body.eventName === "bad" ? failure(400, "no such event") : undefined);
    const { id } = await accept({
      eventId: "e1",
      deliveries: [update(ada, { plan: "pro" }), mail(ada, { urgent: true })],
    });
    await deliveries(id);
    await accept({ eventId: "e1" });
    await deliveries((await accept({ source: "clerk", deliveries: [event(ada, "bad")] })).id);
    await acceptAll([{ skip: "planOnly", deliveries: [mail(ada)] }, { deliveries: [event({ ref: "stripe:cus_1" })] }]);
    await stub().refused([{ minute: 1, source: "stripe", code: "invalid_signature", count: 4 }]);

    const text = await stub().metrics();
    const samples = parse(text);
    expect(Object.fromEntries([...samples].filter(([name]) => !/bucket|_sum|bytes|rows/.test(name)))).toEqual({
      'mailspan_webhooks_total{source="stripe",result="accepted"}': 3,
      'mailspan_webhooks_total{source="stripe",result="duplicate"}': 1,
      'mailspan_webhooks_total{source="clerk",result="accepted"}': 1,
      'mailspan_refusals_total{source="stripe",code="invalid_signature"}': 4,
      'mailspan_deliveries_settled_total{action="transactional",state="done"}': 1,
      'mailspan_deliveries_settled_total{action="transactional",state="skipped"}': 1,
      'mailspan_deliveries_settled_total{action="contact",state="done"}': 1,
      'mailspan_deliveries_settled_total{action="event",state="failed"}': 1,
      'mailspan_attempts_total{action="transactional",outcome="done"}': 1,
      'mailspan_attempts_total{action="contact",outcome="done"}': 1,
      'mailspan_attempts_total{action="event",outcome="failed"}': 1,
      'mailspan_attempt_duration_seconds_count{action="transactional"}': 1,
      'mailspan_attempt_duration_seconds_count{action="contact"}': 1,
      'mailspan_attempt_duration_seconds_count{action="event"}': 1,
      'mailspan_queue_wait_seconds_count{lane="urgent"}': 1,
      'mailspan_queue_wait_seconds_count{lane="contact"}': 1,
      'mailspan_queue_wait_seconds_count{lane="event"}': 1,
      'mailspan_alerts_total{kind="delivery.failed",status="firing"}': 1,
      'mailspan_source_open_webhooks{source="stripe"}': 1,
      'mailspan_source_quota{source="stripe"}': 60_000,
      'mailspan_waiting_deliveries{lane="urgent"}': 0,
      'mailspan_waiting_deliveries{lane="transactional"}': 0,
      'mailspan_waiting_deliveries{lane="event"}': 1,
      'mailspan_waiting_deliveries{lane="contact"}': 0,
      'mailspan_waiting_deliveries{lane="backfill"}': 0,
      mailspan_oldest_waiting_seconds: 0,
      mailspan_waiting_for_identity: 1,
      mailspan_waiting_paused: 0,
      mailspan_in_flight: 0,
      'mailspan_interrupted{reason="backoff"}': 0,
      'mailspan_interrupted{reason="blocked"}': 0,
      'mailspan_interrupted{reason="outage"}': 0,
      'mailspan_paused{what="all"}': 0,
      'mailspan_paused{what="sources"}': 0,
    });
    expect(samples.get('mailspan_database_rows{table="webhooks"}')).toBe(4);
    expect(samples.get("mailspan_database_bytes")).toBeGreaterThan(4_000);
    const buckets = [...samples].filter(([name]) =>
      name.startsWith('mailspan_attempt_duration_seconds_bucket{action="event"'),
    );
    const values = buckets.map(([, value]) => value);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(buckets.at(-1)?.[0]).toContain('le="+Inf"');
    expect(text).not.toMatch(/ada|cus_1|no such event/);
  });

  it("show blocked delivery, the age of the backlog, and paused sources", async () => {
    const { bench } = await createMonitored();
    const { service, accept, stub } = bench;
    service.before = () => failure(401, "invalid API key");
    await accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.waitFor(async () =>
      expect(parse(await stub().metrics()).get('mailspan_interrupted{reason="blocked"}')).toBe(1),
    );
    service.offset += 90_000;
    const samples = parse(await stub().metrics());
    expect(samples.get("mailspan_oldest_waiting_seconds")).toBeGreaterThanOrEqual(90);
    await stub().pause("stripe", true);
    const stopped = parse(await stub().metrics());
    expect(stopped.get('mailspan_paused{what="sources"}')).toBe(1);
    expect(stopped.get("mailspan_waiting_paused")).toBe(1);
    expect(stopped.get("mailspan_oldest_waiting_seconds")).toBe(0);
  });
});
