import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Lane } from "../../../../src/outbox/model/journal-types.ts";
import {
  countDelivery,
  countOpen,
  createOpenDeliveries,
  MEMORY,
  openBeside,
  QUOTA,
  quotaOf,
  quotas,
} from "../../../../src/outbox/queue/quota.ts";

const SOURCES = ["stripe", "clerk", "supabase", "shopify"] as const;
type Source = (typeof SOURCES)[number];

const counted = () => ({ open: createOpenDeliveries(), pausedSources: new Set<string>() });
type Counted = ReturnType<typeof counted>;

/** Adds webhooks of `each` deliveries until the room is full. */
const fill = (all: Counted, source: string, urgent = false, most = Number.POSITIVE_INFINITY, each = 1): number => {
  let n = 0;
  for (; n < most; n++) {
    const { used, quota } = quotaOf(all, source, urgent);
    if (used >= quota) break;
    countOpen(all.open, source, { webhooks: 1, urgent: Number(urgent), deliveries: each });
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

  it("is at least 500 webhooks, also when a resumed source has taken the room of all", () => {
    const all = counted();
    all.pausedSources.add("stripe");
    fill(all, "stripe");
    for (const source of ["clerk", "supabase", "shopify"]) fill(all, source);
    all.pausedSources.delete("stripe");
    expect(all.open.total.webhooks).toBeGreaterThan(QUOTA.all);
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

  it("counts a webhook once, from its first delivery in the queue to its last", () => {
    const { open } = counted();
    const count = (seq: number, by: 1 | -1, lane: Lane = "event") =>
      countDelivery(open, { source: "stripe", seq, lane, waits: false }, by);
    for (const seq of [1, 1, 1, 2]) count(seq, 1);
    count(2, 1, "urgent");
    expect(open.total).toEqual({ webhooks: 2, urgent: 1, deliveries: 5, forIdentity: 0 });
    count(1, -1);
    count(2, -1, "urgent");
    expect(open.total).toEqual({ webhooks: 2, urgent: 0, deliveries: 3, forIdentity: 0 });
    for (const seq of [1, 1, 2]) count(seq, -1);
    expect([open.total.webhooks, open.bySource.size, open.perWebhook.size]).toEqual([0, 0, 0]);
  });

  it("is as many webhooks of two deliveries as of one, and 53 333 renewals, which make three", () => {
    expect([1, 2, 3].map((each) => fill(counted(), "stripe", false, undefined, each))).toEqual([
      60_000, 60_000, 53_333,
    ]);
  });

  it("is less for webhooks of many deliveries, because they are in memory, and others keep their part of it", () => {
    const all = counted();
    expect(fill(all, "stripe", false, undefined, 4_000)).toBe(40);
    expect(quotaOf(all, "stripe")).toEqual({ used: 40, quota: 40, paused: false });
    expect(fill(all, "clerk", false, undefined, 3)).toBe(17_777);
    all.pausedSources.add("shopify");
    expect(fill(all, "shopify", false, undefined, 4_000)).toBe(2);
    expect(fill(all, "supabase", true)).toBe(19_112);
  });

  it("counts no gateway request", () => {
    const all = counted();
    countDelivery(all.open, { source: "", seq: 1, lane: "urgent", waits: false }, 1);
    expect([all.open.total.webhooks, quotas(all)]).toEqual([0, []]);
  });

  it("of a backfill counts what shares its room", () => {
    const all = counted();
    fill(all, "stripe", false, 30);
    fill(all, "clerk", false, 7);
    all.pausedSources.add("stripe");
    countOpen(all.open, "clerk", { forIdentity: 3 });
    expect(openBeside(all, "clerk")).toMatchObject({ deliveries: 7, forIdentity: 3 });
    expect(openBeside(all, "stripe")).toMatchObject({ deliveries: 30, forIdentity: 0 });
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

/** Webhooks of a request. */
const REQUEST = 100;
/** Deliveries of a webhook that is not urgent. */
const EACH: Readonly<Record<Source, number>> = { stripe: 3, clerk: 1, supabase: 2, shopify: 10 };

describe("the rooms of all sources, whatever arrives, leaves, is paused and resumed (property)", () => {
  it("never count wrongly, never shut out a source with few deliveries, and never hold more than the memory has", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const all = counted();
        const model = new Map<string, { webhooks: number; urgent: number }>();
        const of = (name: string) => model.get(name) ?? { webhooks: 0, urgent: 0 };
        const add = (name: Source, count: number, urgent: number) => {
          const deliveries = urgent + (count - urgent) * EACH[name];
          countOpen(all.open, name, { webhooks: count, urgent, deliveries });
          model.set(name, { webhooks: of(name).webhooks + count, urgent: of(name).urgent + urgent });
        };
        for (const one of steps) {
          if (one.kind === "pause") all.pausedSources.add(one.source);
          else if (one.kind === "resume") all.pausedSources.delete(one.source);
          else if (one.kind === "deliver") {
            const { webhooks, urgent } = of(one.source);
            const count = Math.min(one.count, one.urgent ? urgent : webhooks - urgent);
            add(one.source, -count, one.urgent ? -count : 0);
          } else {
            for (let left = one.count; left > 0; left -= REQUEST) {
              const { used, quota } = quotaOf(all, one.source, one.urgent);
              const count = Math.min(REQUEST, left, Math.max(0, quota - used));
              if (of(one.source).webhooks < MEMORY.least / 10 - 1) expect(count).toBeGreaterThan(0);
              if (count === 0) break;
              add(one.source, count, one.urgent ? count : 0);
            }
          }
          const { total } = all.open;
          for (const what of ["webhooks", "urgent"] as const)
            expect(total[what]).toBe([...model.values()].reduce((sum, count) => sum + count[what], 0));
          expect(total.webhooks).toBeLessThanOrEqual(QUOTA.all + QUOTA.paused + SOURCES.length * 2 * QUOTA.least);
          expect(total.deliveries).toBeLessThanOrEqual(
            MEMORY.all + 2 * QUOTA.urgent + SOURCES.length * (MEMORY.least + 10 * REQUEST),
          );
          for (const name of SOURCES) {
            const used = all.pausedSources.has(name) ? of(name).webhooks : of(name).urgent;
            expect(quotaOf(all, name, true).used).toBe(used);
            expect(quotaOf(all, name).used).toBe(of(name).webhooks);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
