import { describe, expect, it } from "vitest";
import { type Bench, createBench, mail, update } from "../setup.ts";
import { countRows } from "./count-rows.ts";

const DAY = 86_400_000;

describe("rows written over the life of a webhook, purge included", () => {
  const life = async (prepare: (bench: Bench) => Promise<void>, delivery: () => ReturnType<typeof mail>) => {
    const bench = await createBench();
    await prepare(bench);
    const rows = await countRows(bench, async () => {
      const { id } = await bench.accept({ deliveries: [delivery()] });
      expect(await bench.deliveries(id)).toMatchObject([{ state: "done" }]);
      bench.service.offset = 31 * DAY;
      await bench.ring();
      expect(await bench.read(id)).toBeNull();
    });
    return rows;
  };
  const nothing = async () => {};

  it("one transactional delivery: 3 to accept, 1 to claim, 1 to settle, 1 to purge; 1 for the alarm", async () => {
    expect(await life(nothing, () => mail({ email: "ada@example.com" }))).toEqual({ sql: 6, alarms: 1 });
  });

  it("a contact update of three properties: the same, 1 for the person's watermarks and 1 to delete them", async () => {
    const three = () => update({ email: "ada@example.com" }, { plan: "pro", seats: 3, active: true });
    expect(await life(nothing, three)).toEqual({ sql: 8, alarms: 1 });
  });

  const subscription = (standing: number) => () => ({
    ...update({ email: "ada@example.com" }, { plan: "pro", subscriptionStatus: "active" }),
    subscription: { id: "stripe:sub_1", standing, properties: ["plan", "subscriptionStatus"] },
  });

  it("an update about a subscription that has ended: the same as any update", async () => {
    expect(await life(nothing, subscription(0))).toEqual({ sql: 8, alarms: 1 });
  });

  it("an update about a running subscription: 1 less, because its state stays; the alarm for the next purge", async () => {
    expect(await life(nothing, subscription(50))).toEqual({ sql: 7, alarms: 2 });
  });

  it("without deliveries: 2 to accept and 1 to purge; one alarm for all of them", async () => {
    const bench = await createBench();
    const rows = await countRows(bench, async () => {
      for (let n = 0; n < 20; n++) await bench.accept();
      bench.service.offset = 31 * DAY;
      await bench.ring();
      expect(await bench.kept()).toBe(0);
    });
    expect(rows).toEqual({ sql: 60, alarms: 1 });
  });

  it("a duplicate writes nothing", async () => {
    const bench = await createBench();
    const one = { eventId: "evt_1", deliveries: [mail({ email: "ada@example.com" })] };
    await bench.deliveries((await bench.accept(one)).id);
    const rows = await countRows(bench, async () => {
      expect((await bench.accept(one)).duplicate).toBe(true);
    });
    expect(rows).toEqual({ sql: 0, alarms: 0 });
  });

  it("while webhooks keep coming, the alarm is not set again for each", async () => {
    const bench = await createBench();
    const rows = await countRows(bench, async () => {
      const receipts = [];
      for (let n = 0; n < 20; n++)
        receipts.push(await bench.accept({ deliveries: [mail({ email: `u${n}@example.com` })] }));
      for (const { id } of receipts) await bench.deliveries(id);
    });
    // 3 to accept and 1 to settle each. One claim row serves several deliveries.
    expect(rows.sql).toBeGreaterThan(20 * 4);
    expect(rows.sql).toBeLessThanOrEqual(20 * 4 + 6);
    expect(rows.alarms).toBe(1);
  });
});
