import { describe, expect, it } from "vitest";
import { alarmIn, later } from "../monitor/monitor.ts";
import { createBench } from "../setup.ts";
import { countRows } from "./count-rows.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const all = { since: 0, until: 1e9, limit: 100 };

describe("refused webhooks", () => {
  it("are counted by minute, source and reason, one row for each combination", async () => {
    const { stub } = await createBench();
    const one = { minute: 5, source: "stripe", code: "invalid_signature" };
    await stub().refused([{ ...one, count: 3 }]);
    await stub().refused([
      { ...one, count: 4 },
      { ...one, minute: 6, count: 1 },
      { ...one, code: "invalid_json", count: 2 },
    ]);
    await stub().refused([{ ...one, source: "(unknown)", code: "unknown_source", count: 9 }]);
    expect((await stub().refusals(all)).refused).toEqual([
      { ...one, minute: 6, count: 1 },
      { ...one, minute: 5, source: "(unknown)", code: "unknown_source", count: 9 },
      { ...one, minute: 5, code: "invalid_json", count: 2 },
      { ...one, minute: 5, count: 7 },
    ]);
    expect((await stub().refusals({ ...all, since: 6 })).refused).toHaveLength(1);
    expect((await stub().refusals({ ...all, until: 6, source: "stripe" })).refused).toHaveLength(2);
    const page = await stub().refusals({ ...all, limit: 3 });
    expect([page.refused.map(({ minute }) => minute), page.next]).toEqual([[6], 6]);
    expect((await stub().refusals({ ...all, until: page.next as number })).refused).toHaveLength(3);
  });

  it("are kept as long as webhooks, also in an otherwise empty journal", async () => {
    const bench = await createBench();
    const minute = Math.floor(bench.service.now() / MINUTE);
    await bench.stub().refused([{ minute, source: "stripe", code: "invalid_signature", count: 3 }]);
    expect(alarmIn(bench)).toBeLessThanOrEqual(DAY);
    await later(bench, 29 * DAY);
    expect((await bench.stub().refusals(all)).refused).toHaveLength(1);
    await later(bench, 2 * DAY);
    expect((await bench.stub().refusals(all)).refused).toEqual([]);
    await later(bench, 2 * DAY);
    expect(alarmIn(bench)).toBeUndefined();
  });

  it("cost one row per source, reason and minute, and one per report for the problem of the source", async () => {
    const bench = await createBench();
    const one = { minute: 5, source: "stripe", code: "invalid_signature", count: 1 };
    const { sql } = await countRows(bench, async () => {
      await bench.stub().refused([one, { ...one, code: "stale_timestamp" }]);
      await bench.stub().refused([one]);
    });
    expect(sql).toBe(3 + 2);
  });
});
