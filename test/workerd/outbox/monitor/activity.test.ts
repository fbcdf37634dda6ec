import { describe, expect, it } from "vitest";
import { adminOf } from "../admin.ts";
import { countRows } from "../journal/count-rows.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, mail, update } from "../setup.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

type Row = { at: string; source: string; accepted: number; p50: number | null; p95: number | null };
type Answer = { data: Row[]; next: string | null };

const activityOf = async (bench: Bench, { ago = DAY, step = "1h", more = "" } = {}): Promise<Answer> => {
  const now = bench.clock.now();
  const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const path = `/activity?since=${at(now - ago)}&until=${at(now + 1)}&step=${step}${more}`;
  return (await adminOf(bench)<Answer>("GET", path)).json;
};
const sumOf = (rows: readonly Row[]): Record<string, number> => {
  const sum: Record<string, number> = {};
  for (const { at: _at, source: _source, p50: _p50, p95: _p95, ...counts } of rows)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + (count as number);
  return sum;
};

const happen = async (bench: Bench): Promise<void> => {
  for (const n of [1, 2]) {
    const one = { eventId: `evt_${n}`, deliveries: [mail({ email: `u${n}@example.com` })] };
    await bench.deliveries((await bench.accept(one)).id);
    if (n === 2) await bench.accept(one);
  }
  bench.service.before = () => failure(400, "no such template");
  await bench.deliveries((await bench.accept({ source: "clerk", deliveries: [mail({ email: "u3@example.com" })] })).id);
};
const HAPPENED = { accepted: 3, duplicate: 1, refused: 0, done: 2, failed: 1, undecided: 0, skipped: 0, replaced: 0 };

describe("GET /admin/activity", () => {
  it("counts webhooks and settled deliveries per source, with the time until a delivery was done", async () => {
    const bench = await createBench();
    expect(await activityOf(bench)).toEqual({ data: [], next: null });
    await happen(bench);
    const { data, next } = await activityOf(bench);
    expect(next).toBeNull();
    expect(sumOf(data)).toEqual(HAPPENED);
    const [stripe] = (await activityOf(bench, { more: "&source=stripe" })).data;
    expect(stripe).toMatchObject({ source: "stripe", accepted: 2, duplicate: 1, done: 2, failed: 0 });
    expect(stripe?.p50).toBeGreaterThan(0);
    expect(stripe?.p95).toBeGreaterThanOrEqual(stripe?.p50 ?? 0);
  });

  it("does not count what the stored state left out: an update without a change makes no skipped delivery", async () => {
    const bench = await createBench();
    const contact = { email: "ada@example.com" };
    const subscription = { id: "paddle:sub_1", standing: 50, properties: ["plan"] };
    const update = { rule: "state", action: "contact" as const, contact, properties: { plan: "Pro" }, subscription };
    const upgraded = { rule: "up", action: "event" as const, contact, eventName: "upgraded", eventProperties: {} };
    const ifStored = { id: subscription.id, changed: { plan: "Pro" } };
    const { id } = await bench.accept({
      deliveries: [
        { ...update, key: "a" },
        { ...upgraded, ifStored, key: "b" },
      ],
    });
    expect((await bench.deliveries(id)).map(({ state }) => state)).toEqual(["done", "skipped"]);
    expect(sumOf((await activityOf(bench)).data)).toMatchObject({ accepted: 1, done: 1, skipped: 0 });
  });

  it("counts refusals in the step of their minute", async () => {
    const bench = await createBench();
    const minute = Math.floor(bench.clock.now() / MINUTE);
    await bench.ask((outbox) => outbox.refused([{ minute, source: "stripe", code: "invalid_signature", count: 7 }]));
    const { data } = await activityOf(bench, { step: "5m" });
    expect(data).toMatchObject([{ source: "stripe", accepted: 0, refused: 7, p50: null, p95: null }]);
    expect(Date.parse(data[0]?.at ?? "") % (5 * MINUTE)).toBe(0);
  });

  it("answers in whole steps, and goes on where the last answer ended", async () => {
    const bench = await createBench();
    for (let n = 0; n < 4; n++) {
      await bench.accept({ source: "a" });
      await bench.accept({ source: "b" });
      bench.service.offset += 5 * MINUTE;
      await bench.ring();
    }
    const now = bench.clock.now();
    const ask = (until: number) =>
      bench.ask((outbox) => outbox.activity({ since: now - DAY, until, step: 1, limit: 3 }));
    const found: string[] = [];
    let until: number | undefined = now + 1;
    for (let pages = 0; until !== undefined && pages < 20; pages++) {
      const page: { activity: { at: number; source: string }[]; next?: number } = await ask(until);
      expect(page.activity.length % 2).toBe(0);
      found.push(...page.activity.map(({ at, source }) => `${at} ${source}`));
      until = page.next;
    }
    expect(until).toBeUndefined();
    expect(found).toHaveLength(8);
    expect(new Set(found).size).toBe(8);
    expect(found.map((one) => Number(one.split(" ")[0]))).toEqual(
      found.map((one) => Number(one.split(" ")[0])).sort((a, b) => b - a),
    );
  });

  it("refuses another step, and names it", async () => {
    const bench = await createBench();
    const { status, json } = await adminOf(bench)("GET", "/activity?step=2h");
    expect([status, json]).toMatchObject([400, { code: "invalid_request", message: "step must be 5m or 1h." }]);
  });
});

describe("what an eviction loses", () => {
  it("never goes back once it was shown, also the duplicates, and counts nothing twice", async () => {
    const bench = await createBench();
    await happen(bench);
    const shown = sumOf((await activityOf(bench)).data);
    expect(shown).toEqual(HAPPENED);
    await bench.crash();
    expect(sumOf((await activityOf(bench)).data)).toEqual(shown);
    await bench.accept({ eventId: "evt_4", source: "clerk", deliveries: [] });
    await bench.crash();
    await bench.accept({ eventId: "evt_5", source: "clerk", deliveries: [] });
    expect(sumOf((await activityOf(bench)).data)).toEqual({ ...HAPPENED, accepted: 5 });
    const { facts } = await bench.ask((outbox) => outbox.sourceFacts());
    expect([facts.stripe?.received24h, facts.clerk?.received24h]).toEqual([2, 3]);
    await bench.pass(6 * MINUTE);
    await bench.crash();
    expect(sumOf((await activityOf(bench)).data)).toEqual({ ...HAPPENED, accepted: 5 });
    const { data } = await activityOf(bench, { step: "5m" });
    expect(data.every(({ p50 }) => p50 === null || p50 > 0)).toBe(true);
  });

  it("is counted again from the journal, all but a duplicate that was never shown", async () => {
    const bench = await createBench();
    await happen(bench);
    await bench.crash();
    const after = await activityOf(bench);
    expect(sumOf(after.data)).toEqual({ ...HAPPENED, duplicate: 0 });
    expect(after.data.some(({ p50 }) => p50 !== null && p50 > 0)).toBe(true);
    bench.service.offset += 6 * MINUTE;
    await bench.inside((outbox) => outbox.alarm());
    await bench.crash();
    expect(sumOf((await activityOf(bench)).data)).toEqual({ ...HAPPENED, duplicate: 0 });
  });

  it("is nothing where the five minutes are over and stored", async () => {
    const bench = await createBench();
    await happen(bench);
    bench.service.offset += 6 * MINUTE;
    await bench.inside((outbox) => outbox.alarm());
    await bench.crash();
    expect(sumOf((await activityOf(bench)).data)).toEqual(HAPPENED);
  });

  it("counts a delivery that was settled after the last stored five minutes, of a webhook that was accepted in them", async () => {
    const bench = await createBench();
    await bench.inside((outbox) => outbox.pause(undefined, true));
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    bench.service.offset += 6 * MINUTE;
    await bench.accept({ source: "clerk" });
    await bench.inside((outbox) => outbox.pause(undefined, false));
    await bench.deliveries(id);
    await bench.crash();
    expect(sumOf((await activityOf(bench)).data)).toMatchObject({ accepted: 2, done: 1 });
  });
});

describe("the rows of activity", () => {
  it("are one per source and five minutes with webhooks, however many these are, and one each to delete", async () => {
    const bench = await createBench();
    const rows = await countRows(bench, async () => {
      for (let n = 0; n < 30; n++) {
        await bench.accept({ source: n % 2 === 0 ? "stripe" : "clerk" });
        await bench.pass(MINUTE);
      }
    });
    // 2 to accept each, and 2 sources in 6 or 7 times five minutes. The last one is not over.
    const stored = await bench.inside((_, { storage: { sql } }) => [
      ...sql.exec<{ source: string }>("SELECT source FROM activity"),
    ]);
    expect(stored.length).toBeGreaterThanOrEqual(10);
    expect(stored.length).toBeLessThanOrEqual(12);
    expect(rows).toEqual({ sql: 60 + stored.length, alarms: 1 });

    bench.service.offset += 31 * DAY;
    await bench.inside((outbox) => outbox.alarm());
    await bench.pass(5_000);
    const left = await bench.inside((_, { storage: { sql } }) => [...sql.exec("SELECT source FROM activity")]);
    expect(left).toEqual([]);
  });

  it("wait for an alarm until their retention ends, when nothing else is stored", async () => {
    const bench = await createBench();
    await bench.deliveries(
      (await bench.accept({ deliveries: [update({ email: "ada@example.com" }, { plan: "pro" })] })).id,
    );
    bench.service.offset += 6 * MINUTE;
    await bench.inside((outbox) => outbox.alarm());
    expect(bench.clock.alarm()).toBeLessThanOrEqual(bench.clock.now() + 31 * DAY);
    for (let day = 0; day < 35; day++) await bench.pass(DAY);
    const left = await bench.inside((_, { storage: { sql } }) => [...sql.exec("SELECT source FROM activity")]);
    expect(left).toEqual([]);
  });
});
