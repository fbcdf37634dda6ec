import { describe, expect, it, vi } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { createMonitored } from "../monitor/monitor.ts";
import { type Bench, createBench, mail } from "../setup.ts";

const DAY = 86_400_000;
const MB = 1_000_000;
const ada = { email: "ada@example.com" };
/** A small body shares its page with others, so that its removal in place frees nothing. */
const raw = JSON.stringify({ padding: "x".repeat(3_000) });

const withBound = (megabytes: number) => createBench(({ env }) => ({ env: { ...env, MAX_JOURNAL_MB: megabytes } }));
const sizeOf = (bench: Bench) => bench.inside((_, { storage }) => storage.sql.databaseSize);

const accept = async (bench: Bench, from: number, to: number, more: Partial<PlannedWebhook> = {}) => {
  const ids: string[] = [];
  for (let n = from; n < to; n += 50) {
    const slice = Array.from({ length: Math.min(50, to - n) }, (_, i) => ({ raw, eventId: `evt_${n + i}`, ...more }));
    ids.push(...(await bench.acceptAll(slice)).map(({ id }) => id));
    // The size is checked once a second.
    await bench.pass(1_100);
  }
  return ids;
};

const journal = (bench: Bench) =>
  bench.inside((_, { storage: { sql } }) =>
    Array.from(
      sql.exec<{ id: string; has: number }>("SELECT event_id AS id, body <> '' AS has FROM webhooks ORDER BY seq"),
      ({ id, has }) => ({ id, has: has === 1 }),
    ),
  );

const logged = async (event: string, work: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
  const lines = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await work();
    return lines.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.event === event);
  } finally {
    lines.mockRestore();
  }
};

describe("a journal that reaches its size", () => {
  it("purges the oldest bodies, keeps every younger one, and knows every duplicate", async () => {
    const bench = await withBound(4);
    const sizes: number[] = [];
    const lines = await logged("bodies_purged", async () => {
      for (let n = 0; n < 2_400; n += 200) {
        await accept(bench, n, n + 200);
        sizes.push(await sizeOf(bench));
      }
    });
    expect(Math.max(...sizes)).toBeLessThan(4.4 * MB);
    expect(Math.min(...sizes.slice(8))).toBeGreaterThan(3.6 * MB);
    const all = await journal(bench);
    expect(all).toHaveLength(2_400);
    const first = all.findIndex(({ has }) => has);
    expect(all.slice(first).every(({ has }) => has)).toBe(true);
    expect(2_400 - first).toBeGreaterThan(500);
    expect(lines.reduce((sum, { count }) => sum + Number(count), 0)).toBe(first);
    for (const { freedMb, count } of lines) expect(Number(freedMb) * MB).toBeGreaterThan(Number(count) * 1_500);
    expect(await bench.accept({ raw, eventId: "evt_0" })).toMatchObject({ duplicate: true });
  });

  it("keeps deliveries, attempts and outcomes of a webhook without its body, and its body while a delivery is open", async () => {
    const bench = await withBound(1);
    const outcomes = [{ rule: "mail", outcome: "matched" as const }];
    const sent = await bench.accept({ raw, deliveries: [mail(ada)], outcomes });
    await bench.deliveries(sent.id);
    const before = await bench.webhook(sent.id);
    bench.service.before = () => "hang";
    const open = await bench.accept({ raw, deliveries: [mail(ada)] });
    await accept(bench, 0, 400);
    expect(await bench.webhook(sent.id)).toEqual({ ...before, body: "" });
    expect(await bench.webhook(open.id)).toMatchObject({ body: raw, deliveries: [{ state: "sending" }] });
  });

  it("goes on where it was after a crash", async () => {
    const bench = await withBound(2);
    await accept(bench, 0, 700);
    const first = (await journal(bench)).findIndex(({ has }) => has);
    expect(first).toBeGreaterThan(0);
    await bench.crash();
    await accept(bench, 700, 900);
    const all = await journal(bench);
    const next = all.findIndex(({ has }) => has);
    expect(next).toBeGreaterThan(first);
    expect(all.slice(next).every(({ has }) => has)).toBe(true);
    expect(await sizeOf(bench)).toBeLessThan(2.2 * MB);
  });

  it("keeps bodies whose purge would free nothing", async () => {
    const bench = await withBound(0.05);
    const lines = await logged("bodies_purged", () => accept(bench, 0, 3_000, { raw: '{"id":1}' }));
    expect(lines).toEqual([]);
    expect((await journal(bench)).every(({ has }) => has)).toBe(true);
  });
});

describe("a journal whose ledger alone is too large", () => {
  const env = {
    ALERT_WEBHOOK_URL: "https://alerts.test/hook",
    ALERT_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    MAX_JOURNAL_MB: 1,
  };
  const typesOf = (asked: readonly { body: string }[]) => asked.map(({ body }) => JSON.parse(body).type as string);
  const outcomes = [{ rule: "note", outcome: "failed" as const, message: "y".repeat(1_500) }];

  it("keeps the newest bodies and every webhook of three days, and says that it is full", async () => {
    const { bench, asked } = await createMonitored({ env });
    await accept(bench, 0, 1_000, { outcomes });
    const all = await journal(bench);
    expect(all).toHaveLength(1_000);
    expect(all.filter(({ has }) => has).length).toBeGreaterThanOrEqual((0.25 * MB) / raw.length);
    await bench.waitFor(() => expect(typesOf(asked)).toEqual(["journal.full"]));
    expect(JSON.parse(asked[0]?.body ?? "").data).toMatchObject({ status: "firing", bound: 1 });
  });

  it("deletes settled webhooks that are older than three days, oldest first, and says which", async () => {
    const { bench, asked } = await createMonitored({ env });
    bench.service.before = () => "hang";
    const open = await bench.accept({ raw, deliveries: [mail(ada)] });
    const old = await accept(bench, 0, 600, { outcomes });
    bench.service.offset = 2 * DAY;
    await accept(bench, 600, 650, { outcomes });
    expect(await journal(bench)).toHaveLength(651);
    bench.service.offset = 4 * DAY;
    await accept(bench, 650, 700, { outcomes });
    const left = await journal(bench);
    expect(await sizeOf(bench)).toBeLessThan(1.1 * MB);
    expect(left.length).toBeLessThan(500);
    expect(left.slice(1).map(({ id }) => id)).toEqual(
      Array.from({ length: left.length - 1 }, (_, n) => `evt_${701 - left.length + n}`),
    );
    expect(left.length).toBeGreaterThan(100);
    expect(await bench.webhook(open.id)).toMatchObject({ body: raw });
    await bench.waitFor(() => expect(typesOf(asked)).toContain("journal.deleted"));
    const alert = asked.map(({ body }) => JSON.parse(body)).find(({ type }) => type === "journal.deleted");
    expect(alert.data.deleted).toBe(701 - left.length);
    expect(await bench.read(old[700 - left.length] ?? "")).toBeNull();
    await bench.waitFor(() => expect(typesOf(asked)).toContain("journal.full.resolved"), 2 * DAY);
  });

  it("deletes younger ones only before the object itself is full", async () => {
    let more = 0;
    const bench = await createBench(({ disk, env: own }) => ({
      env: { ...own, MAX_JOURNAL_MB: 9_000 },
      disk: {
        ...disk,
        sql: new Proxy(disk.sql, {
          get: (sql, name) =>
            name === "databaseSize" ? sql.databaseSize + more : Reflect.get(sql, name, sql).bind(sql),
        }),
      },
    }));
    await accept(bench, 0, 400);
    more = 9_400 * MB;
    await accept(bench, 400, 401);
    expect(await journal(bench)).toHaveLength(401);
    more = 9_499 * MB;
    // A full journal is checked once a minute.
    await bench.pass(60_000);
    await accept(bench, 401, 402);
    const left = await journal(bench);
    expect(left.length).toBeLessThan(402);
    expect(left.at(-1)).toEqual({ id: "evt_401", has: true });
    expect((await sizeOf(bench)) + more).toBeLessThan(9_500 * MB);
  });
});

describe("a webhook without deliveries", () => {
  it("is deleted after the retention", async () => {
    const bench = await createBench();
    await accept(bench, 0, 3);
    bench.service.offset = 31 * DAY;
    expect(await bench.ring()).toBe(true);
    expect(await bench.kept()).toBe(0);
  });

  it("is deleted after the retention although no alarm was set", async () => {
    const bench = await createBench();
    await bench.inside((_, { storage: { sql } }) => {
      sql.exec(
        `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open)
         VALUES (1700000000000000, 'stripe', 'evt_old', 'customer.updated', 0, 0, 0, '{}', '[]', '[]', 0)`,
      );
    });
    await bench.crash();
    await bench.pass(1_000);
    expect(await bench.kept()).toBe(0);
  });
});
