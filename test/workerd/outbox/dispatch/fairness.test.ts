import { describe, expect, it } from "vitest";
import { adminOf } from "../admin.ts";
import { countRows } from "../journal/count-rows.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

type Keyed = ReturnType<typeof update>;

const KINDS = {
  contact: (email: string) => update({ email }, { plan: "pro" }),
  event: (email: string) => event({ email }),
  transactional: (email: string) => mail({ email }),
};

const backlog = async (bench: Bench, source: string, count: number, of: (email: string) => Keyed): Promise<void> => {
  for (let from = 0; from < count; from += 500)
    await bench.acceptAll(
      Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
        source,
        eventId: `${source}_${from + n}`,
        deliveries: [of(`${source}${from + n}@example.com`)],
      })),
    );
};

describe("sources share delivery", () => {
  it.each(Object.entries(KINDS))(
    "a backlog of 5 000 of one source delays the first call of another by two seconds at most: %s",
    async (_, of) => {
      const bench = await createBench();
      await backlog(bench, "stripe", 5_000, of);
      await bench.pass(1_000);
      const from = bench.clock.now();
      const { id } = await bench.accept({ source: "clerk", deliveries: [of("ada@example.com")] });
      await bench.deliveries(id);
      const first = bench.service.received.find(({ body }) => JSON.stringify(body).includes("ada@example.com"));
      expect((first?.at ?? Number.POSITIVE_INFINITY) - from).toBeLessThanOrEqual(2_000);
    },
    60_000,
  );

  it("keeps the order of one person over sources", async () => {
    const bench = await createBench();
    await backlog(bench, "stripe", 50, KINDS.contact);
    const accepted = await bench.acceptAll(
      ["clerk", "stripe", "paddle"].map((source, n) => ({
        source,
        eventId: `ada_${n}`,
        deliveries: [event({ email: "ada@example.com" }, `event${n}`)],
      })),
    );
    for (const { id } of accepted) await bench.deliveries(id);
    const names = bench.service.received.flatMap(({ body }) => (body.eventName as string | undefined) ?? []);
    expect(names).toEqual(["event0", "event1", "event2"]);
  });

  it("costs no row more than one source alone", async () => {
    const rowsOf = async (sources: readonly string[]): Promise<number> => {
      const bench = await createBench();
      await bench.ask((outbox) => outbox.pause(undefined, true));
      for (const source of sources) await backlog(bench, source, 120 / sources.length, KINDS.event);
      const { sql } = await countRows(bench, async () => {
        await bench.ask((outbox) => outbox.pause(undefined, false));
        await bench.waitFor(() => expect(bench.service.acted).toHaveLength(120), 30_000);
        await bench.pass(1_000);
      });
      return sql;
    };
    const alone = await rowsOf(["stripe"]);
    expect(await rowsOf(["stripe", "clerk", "paddle"])).toBeLessThanOrEqual(alone + 2);
  });
});

describe("attention and status", () => {
  it("know how fast a backlog drains, and when it will be done", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    await backlog(bench, "stripe", 600, KINDS.contact);
    await bench.pass(20_000);
    type Backlog = { waiting: number; settledPerMinute: number; addedPerMinute: number; doneAt: string | null };
    const { backlog: shown } = (await ask<{ backlog: Backlog }>("GET", "/attention")).json;
    expect((await ask("GET", "/status")).json.backlog).toEqual(shown);
    expect(shown.addedPerMinute).toBe(0);
    expect(shown.settledPerMinute).toBeGreaterThan(500);
    const left = Date.parse(shown.doneAt ?? "") - bench.clock.now();
    await bench.pass(left - 5_000);
    expect((await ask<{ backlog: Backlog }>("GET", "/status")).json.backlog.waiting).toBeGreaterThan(0);
    await bench.pass(10_000);
    expect((await ask<{ backlog: Backlog }>("GET", "/status")).json.backlog).toMatchObject({
      waiting: 0,
      doneAt: null,
    });
  });

  it("know no end while deliveries are paused", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    await ask("POST", "/pause", {});
    await backlog(bench, "stripe", 10, KINDS.contact);
    await bench.pass(20_000);
    expect((await ask("GET", "/status")).json.backlog).toEqual({
      waiting: 10,
      settledPerMinute: 0,
      addedPerMinute: 0,
      doneAt: null,
    });
  });
});
