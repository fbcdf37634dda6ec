import { describe, expect, it } from "vitest";
import { readValue } from "../../../../src/lib/util/kv.ts";
import { MAX_NAMES } from "../../../../src/outbox/identity/object-names.ts";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { createBench, event, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };
const id = "stripe:prod_1";
const names = [{ id, name: "Pro" }];
const deliveries = () => [
  { ...update(ada, { plan: "price_1" }), names: { plan: id } },
  { ...event(ada), names: { planName: id, previousPlanName: "stripe:prod_2" } },
  { ...mail(ada), names: { plan: id, other: "stripe:prod_2" } },
];

describe("names of a provider's objects", () => {
  it("are filled in when a webhook is accepted; before, each value stays as the rule planned it", async () => {
    const bench = await createBench();
    const before = await bench.accept({ deliveries: deliveries() });
    await bench.accept({ names });
    const after = await bench.accept({ deliveries: deliveries() });
    expect((await bench.deliveries(before.id))[0]).toMatchObject({ properties: { plan: "price_1" } });
    const filled = await bench.deliveries(after.id);
    expect(filled).toMatchObject([
      { properties: { plan: "Pro" } },
      { eventProperties: { plan: "pro", planName: "Pro" } },
      { dataVariables: { amount: "$49.00", plan: "Pro" } },
    ]);
    expect(filled.map(({ names }) => names)).toEqual([{ plan: id }, undefined, undefined]);
    expect(Object.keys((filled[1] as ReturnType<typeof event> & { eventProperties: object }).eventProperties)).toEqual([
      "plan",
      "planName",
    ]);
    expect(bench.service.acted.filter(({ body }) => JSON.stringify(body).includes('"Pro"'))).toHaveLength(3);
  });

  it("an older webhook does not replace a newer name", async () => {
    const bench = await createBench();
    await bench.accept({ names: [{ id, name: "Pro plus" }], occurredAt: 2_000 });
    await bench.accept({ names, occurredAt: 1_000 });
    const { id: webhook } = await bench.accept({ deliveries: deliveries() });
    expect((await bench.deliveries(webhook))[0]).toMatchObject({ properties: { plan: "Pro plus" } });
    await bench.accept({ names, occurredAt: 3_000 });
    const later = await bench.accept({ deliveries: deliveries() });
    expect((await bench.deliveries(later.id))[0]).toMatchObject({ properties: { plan: "Pro" } });
  });

  it("survive a restart, and at most MAX_NAMES are kept: the first learned is dropped", async () => {
    const bench = await createBench();
    await bench.accept({ names });
    await bench.crash();
    const { id: webhook } = await bench.accept({ deliveries: deliveries() });
    expect((await bench.deliveries(webhook))[0]).toMatchObject({ properties: { plan: "Pro" } });
    await bench.accept({
      names: Array.from({ length: MAX_NAMES }, (_, n) => ({ id: `stripe:other_${n}`, name: "x" })),
    });
    const known = await bench.inside((_, { storage }) => readValue<object>(storage.sql, "names") ?? {});
    expect(Object.keys(known)).toHaveLength(MAX_NAMES);
    expect(Object.keys(known)).not.toContain(id);
  });

  it("a replay fills them in, and learns those of the webhooks that it replays", async () => {
    const bench = await createBench();
    const { id: webhook } = await bench.accept({});
    const { id: product } = await bench.accept({});
    const plan = { outcomes: [], links: [] };
    await bench.ask((outbox) =>
      outbox.replay(
        [
          { ...plan, seq: seqOf(product) ?? 0, deliveries: [], names },
          {
            ...plan,
            seq: seqOf(webhook) ?? 0,
            deliveries: [{ ...update(ada, { plan: "price_1" }), names: { plan: id } }],
          },
        ],
        ["contact"],
        false,
      ),
    );
    const [delivery] = await bench.deliveries(webhook);
    expect(delivery).toMatchObject({ properties: { plan: "Pro" }, state: "done" });
    expect(delivery?.names).toEqual({ plan: id });
  });

  it("cost one row where a name is new, and none otherwise", async () => {
    const bench = await createBench();
    const written = () =>
      bench.inside((_, { storage }) => JSON.stringify(readValue(storage.sql, "names")) ?? "nothing");
    const rows = async (webhook: Parameters<typeof bench.accept>[0]) => {
      const before = await bench.inside((_, { storage }) => totalChanges(storage.sql));
      await bench.accept(webhook);
      return (await bench.inside((_, { storage }) => totalChanges(storage.sql))) - before;
    };
    const plain = await rows({});
    expect(await rows({ names })).toBe(plain + 1);
    const known = await written();
    expect(await rows({ names })).toBe(plain);
    expect(await written()).toBe(known);
  });
});

const totalChanges = (sql: SqlStorage): number => sql.exec<{ n: number }>("SELECT total_changes() AS n").one().n;
