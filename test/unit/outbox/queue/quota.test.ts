import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countOpen,
  createOpenDeliveries,
  openBeside,
  QUOTA,
  quotaOf,
  quotas,
} from "../../../../src/outbox/queue/quota.ts";

const SOURCES = ["stripe", "clerk", "supabase", "shopify"] as const;
type Source = (typeof SOURCES)[number];

const counted = () => ({ open: createOpenDeliveries(), pausedSources: new Set<string>() });
type Counted = ReturnType<typeof counted>;

const fill = (all: Counted, source: string, urgent = false, most = Number.POSITIVE_INFINITY): number => {
  let n = 0;
  for (; n < most; n++) {
    const { used, quota } = quotaOf(all, source, urgent);
    if (used >= quota) break;
    countOpen(all.open, source, { open: 1, urgent: Number(urgent) });
  }
  return n;
};

describe("the room of a source", () => {
  it("is most of the whole when no other source has open deliveries", () => {
    const all = counted();
    expect(fill(all, "stripe")).toBe(60_000);
    expect(quotaOf(all, "stripe")).toEqual({ used: 60_000, quota: 60_000, paused: false });
  });

  it("is a share of what the other sources leave, so that a flood of one leaves room for another", () => {
    const all = counted();
    expect(SOURCES.map((source) => fill(all, source))).toEqual([60_000, 20_000, 6_666, 2_222]);
  });

  it("is not made smaller by a paused source, and that source is bounded by itself", () => {
    const all = counted();
    all.pausedSources.add("stripe");
    expect(fill(all, "stripe")).toBe(40_000);
    expect(fill(all, "clerk")).toBe(60_000);
    expect(quotaOf(all, "stripe")).toEqual({ used: 40_000, quota: 40_000, paused: true });
  });

  it("is at least 500 deliveries, also when a resumed source has taken the room of all", () => {
    const all = counted();
    all.pausedSources.add("stripe");
    fill(all, "stripe");
    for (const source of ["clerk", "supabase", "shopify"]) fill(all, source);
    all.pausedSources.delete("stripe");
    expect(all.open.total.open).toBeGreaterThan(QUOTA.all);
    expect(fill(all, "generic")).toBe(500);
    expect(fill(all, "supabase", true)).toBe(6_666);
  });

  it("has a reserve for urgent deliveries, also of a source whose own room is full", () => {
    const all = counted();
    for (const source of SOURCES) fill(all, source);
    expect(fill(all, "stripe", true)).toBeGreaterThan(QUOTA.urgent / 2);
  });

  it("keeps the reserve for urgent deliveries however many other sources there are", () => {
    const beside = counted();
    for (let n = 0; n < 60; n++) fill(beside, `source ${n}`);
    expect(fill(beside, "supabase", true)).toBe(6_666);
  });

  it("counts no gateway request", () => {
    const all = counted();
    countOpen(all.open, "", { open: 1, urgent: 0 });
    expect([all.open.total.open, quotas(all)]).toEqual([0, []]);
  });

  it("of a backfill counts what shares its room", () => {
    const all = counted();
    fill(all, "stripe", false, 30);
    fill(all, "clerk", false, 7);
    all.pausedSources.add("stripe");
    countOpen(all.open, "clerk", { forIdentity: 3 });
    expect(openBeside(all, "clerk")).toEqual({ open: 7, forIdentity: 3 });
    expect(openBeside(all, "stripe")).toEqual({ open: 30, forIdentity: 0 });
  });
});

type Step =
  | { kind: "arrive"; source: Source; urgent: boolean; count: number }
  | { kind: "deliver"; source: Source; urgent: boolean; count: number }
  | { kind: "pause"; source: Source }
  | { kind: "resume"; source: Source };

const source = fc.constantFrom(...SOURCES);
const some = { source, urgent: fc.boolean(), count: fc.integer({ min: 1, max: 40_000 }) };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("arrive" as const), ...some }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("deliver" as const), ...some }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pause" as const), source }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("resume" as const), source }) },
);

describe("the rooms of all sources, whatever arrives, leaves, is paused and resumed (property)", () => {
  it("never count wrongly, never shut out a source with few deliveries, and never hold more than the memory has", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const all = counted();
        const model = new Map<string, { open: number; urgent: number }>();
        const of = (name: string) => model.get(name) ?? { open: 0, urgent: 0 };
        const add = (name: string, count: number, urgent: number) => {
          countOpen(all.open, name, { open: count, urgent });
          model.set(name, { open: of(name).open + count, urgent: of(name).urgent + urgent });
        };
        for (const one of steps) {
          if (one.kind === "pause") all.pausedSources.add(one.source);
          else if (one.kind === "resume") all.pausedSources.delete(one.source);
          else if (one.kind === "deliver") {
            const { open, urgent } = of(one.source);
            const count = Math.min(one.count, one.urgent ? urgent : open - urgent);
            add(one.source, -count, one.urgent ? -count : 0);
          } else {
            const { used, quota } = quotaOf(all, one.source, one.urgent);
            const count = Math.min(one.count, Math.max(0, quota - used));
            if (used < QUOTA.least) expect(count).toBeGreaterThan(0);
            add(one.source, count, one.urgent ? count : 0);
          }
          for (const what of ["open", "urgent"] as const)
            expect(all.open.total[what]).toBe([...model.values()].reduce((sum, count) => sum + count[what], 0));
          expect(all.open.total.open).toBeLessThanOrEqual(QUOTA.all + QUOTA.paused + SOURCES.length * 2 * QUOTA.least);
          for (const name of SOURCES) {
            const used = all.pausedSources.has(name) ? of(name).open : of(name).urgent;
            expect(quotaOf(all, name, true).used).toBe(used);
            expect(quotaOf(all, name).used).toBe(of(name).open);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
