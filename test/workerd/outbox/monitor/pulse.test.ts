import { describe, expect, it, vi } from "vitest";
import bridge from "../../../../src/index.ts";
import type { OutboxRpc } from "../../../../src/outbox/rpc.ts";
import { createBench, mail } from "../setup.ts";

const MINUTE = 60_000;

const bridgeOf = (stub: unknown, ADMIN_TOKEN = "the-operator-token-of-the-tests") => {
  const env = { OUTBOX: { getByName: () => stub as OutboxRpc }, ADMIN_TOKEN } as never;
  return {
    health: async (query = "", headers: Record<string, string> = {}) => {
      const answer = await bridge.request(`/health${query}`, { headers }, env);
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
      return { status: answer.status, json: (await answer.json()) as any };
    },
    scheduled: () => bridge.scheduled({ cron: "* * * * *" }, env),
  };
};
const operator = { Authorization: "Bearer the-operator-token-of-the-tests" };

describe("a pulse of the Outbox", () => {
  it("sets an alarm again that is overdue by more than a minute, and what was due is sent", async () => {
    const bench = await createBench();
    bench.service.before = () => new Promise(() => {});
    await bench.accept({ deliveries: [mail({ email: "a@example.com" })] });
    const alarms = () => bench.clock.alarms.length;
    const before = alarms();
    expect(await bench.inside((outbox) => outbox.pulse())).toMatchObject({ wasLost: false });
    expect(alarms()).toBe(before);
    bench.clock.offset += 5 * MINUTE;
    expect(await bench.inside((outbox) => outbox.pulse())).toMatchObject({ wasLost: true });
    expect(alarms()).toBeGreaterThan(before);
    expect(bench.clock.alarms.at(-1)).toBeGreaterThanOrEqual(bench.clock.now() - 1_000);
    expect(await bench.inside((outbox) => outbox.pulse())).toMatchObject({ wasLost: false });
  });

  it("has version, size, and how much waits; with `write` it writes one row, again and again the same one", async () => {
    const bench = await createBench();
    const changes = () =>
      bench.inside((_, { storage: { sql } }) => sql.exec<{ n: number }>("SELECT count(*) AS n FROM kv").one().n);
    const pulse = await bench.inside((outbox) => outbox.pulse({ write: true }));
    expect(pulse).toMatchObject({ schema: expect.any(Number), waiting: 0, inFlight: 0, oldest: null, wasLost: false });
    expect(pulse.schema).toBeGreaterThanOrEqual(100);
    const rows = await changes();
    await bench.inside((outbox) => outbox.pulse({ write: true }));
    expect(await changes()).toBe(rows);
  });
});

describe("GET /health of the bridge", () => {
  it("says that dispatch is stalled after a minute without an outcome, and not while something interrupts it", async () => {
    const bench = await createBench();
    bench.service.before = () => new Promise(() => {});
    await bench.accept({ deliveries: [mail({ email: "a@example.com" })] });
    const problems = async () =>
      (await bench.inside((outbox) => outbox.health())).problems.map(({ message }) => message).join();
    expect(await problems()).toBe("");
    bench.clock.offset += 2 * MINUTE;
    expect(await problems()).toMatch(/^stalled: deliveries could be sent, and none had an outcome for 1\d\d s$/);
  });

  it("says for five minutes that a webhook could not be stored", async () => {
    const { failedWrites } = await import("../../../../src/routes/failed-writes.ts");
    failedWrites.note(1_000);
    const reason = "writes fail: a webhook could not be stored in the last five minutes";
    expect(failedWrites.reasons(200_000)).toEqual([reason]);
    expect(failedWrites.reasons(302_000)).toEqual([]);
  });

  it.each([[{}], [{ Authorization: "Bearer wrong" }]])("?deep=1 needs the admin token (%j)", async (headers) => {
    const bench = await createBench();
    expect((await bridgeOf(bench.stub()).health("?deep=1", headers)).status).toBe(401);
  });

  it("?deep=1 tries a write, and names one that fails", async () => {
    const bench = await createBench();
    const { json } = await bridgeOf(bench.stub()).health("?deep=1", operator);
    expect(json).toMatchObject({ status: "ok", reasons: [], deep: { wasLost: false, waiting: 0, alarm: null } });
    const health = await bench.stub().health();
    const full = { health: async () => health, pulse: () => Promise.reject(new Error("SQLITE_FULL")) };
    const broken = (await bridgeOf(full).health("?deep=1", operator)).json;
    expect(broken).toMatchObject({ status: "degraded", deep: null });
    expect(broken.reasons).toEqual(["the journal cannot be written: SQLITE_FULL"]);
  });
});

it("the cron wakes the Outbox, and an Outbox that fails does not fail the event", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  const pulse = vi.fn(async () => ({}));
  await bridgeOf({ pulse }).scheduled();
  expect(pulse).toHaveBeenCalledOnce();
  await bridgeOf({ pulse: () => Promise.reject(new Error("down")) }).scheduled();
  vi.restoreAllMocks();
  expect(lines.join()).toContain("watch_failed");
});
