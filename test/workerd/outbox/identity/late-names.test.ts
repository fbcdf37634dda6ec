import { describe, expect, it } from "vitest";
import { LATE_NAMES } from "../../../../src/outbox/intake/renamed.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { accepted, createBench, update } from "../setup.ts";
import { inAnyOrder, START } from "./arrivals.ts";

const ada = { email: "ada@example.com" };
const ref = "stripe:cus_1";
const id = "stripe:prod_1";
const HOUR = 3_600_000;
const at = (minute: number) => START - HOUR + minute * 60_000;

const product = (name: string, minute: number): PlannedWebhook =>
  accepted({ names: [{ id, name }], occurredAt: at(minute) });

const changed = (status: string, minute: number): PlannedWebhook =>
  accepted({
    occurredAt: at(minute),
    deliveries: [
      {
        ...update({ ref }, { plan: "price_1", status }),
        names: { plan: id },
        subscription: { id: "stripe:sub_1", customer: ref, standing: 60, properties: ["plan", "status"] },
      },
    ],
  });

const WEBHOOKS = [
  product("Old name", 0),
  accepted({ links: [{ ref, ...ada }], occurredAt: at(1) }),
  changed("trialing", 2),
  product("New name", 3),
  changed("active", 4),
];

describe("a name that comes after the webhooks that need it", () => {
  it("is that of the contact at the end, in any order of arrival", async () => {
    await inAnyOrder("named", WEBHOOKS, ({ contacts, deliveries }) => {
      expect(deliveries.filter(({ state }) => state !== "done" && state !== "replaced")).toEqual([]);
      expect(contacts).toMatchObject([{ ...ada, properties: { plan: "New name", status: "active" } }]);
    });
  });

  it("is written once for each contact, and is no value of a plan that the person has no more", async () => {
    const bench = await createBench();
    const subscription = { id: "stripe:sub_1", standing: 60, properties: ["plan"] };
    const plan = (price: string, occurredAt: number, names?: Record<string, string>) =>
      bench.accept({
        occurredAt,
        deliveries: [{ ...update(ada, { plan: price }), subscription, ...(names && { names }) }],
      });
    const first = await plan("price_1", 1_000, { plan: id });
    await bench.accept({ names: [{ id, name: "Pro" }], occurredAt: 500 });
    expect(await bench.deliveries(first.id)).toMatchObject([
      { properties: { plan: "price_1" }, state: "done" },
      { rule: "name of a product", properties: { plan: "Pro" }, state: "done" },
    ]);
    await bench.accept({ names: [{ id, name: "Pro" }], occurredAt: 600 });
    expect(await bench.deliveries(first.id)).toHaveLength(2);
    const other = await plan("Team", 2_000);
    await bench.deliveries(other.id);
    await bench.accept({ names: [{ id, name: "Pro plus" }], occurredAt: 3_000 });
    expect((await bench.deliveries(first.id))[2]).toMatchObject({ state: "replaced" });
    expect(bench.service.acted.map(({ body }) => body.properties)).toEqual([{ plan: "Pro" }, { plan: "Team" }]);
  });

  it("reaches no test data and no erased person", async () => {
    const bench = await createBench();
    const deliveries = () => [{ ...update(ada, { plan: "price_1" }), names: { plan: id } }];
    const test = await bench.accept({ skip: "Test data.", deliveries: deliveries() });
    const gone = await bench.accept({ deliveries: deliveries() });
    await bench.deliveries(gone.id);
    await bench.ask((outbox) => outbox.erase(ada));
    await bench.accept({ names: [{ id, name: "Pro" }] });
    expect(await bench.deliveries(test.id)).toHaveLength(1);
    expect(await bench.deliveries(gone.id)).toHaveLength(1);
  });

  it("reads and writes a bounded number of webhooks, newest first", async () => {
    const bench = await createBench();
    const one = (n: number) => ({
      deliveries: [{ ...update({ email: `p${n}@example.com` }, { plan: "price_1" }), names: { plan: id } }],
    });
    const old = await bench.accept(one(0));
    await bench.acceptAll(Array.from({ length: LATE_NAMES.written }, (_, n) => one(n + 1)));
    await bench.accept({ names: [{ id, name: "Pro" }] });
    const later = await bench.accept(one(0));
    await bench.deliveries(later.id, undefined, 120_000);
    expect(await bench.deliveries(old.id, undefined, 120_000)).toHaveLength(1);
    const named = (
      await bench.inside((_, { storage }) =>
        storage.sql
          .exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE instr(deliveries, 'name of a product') > 0")
          .one(),
      )
    ).n;
    expect(named).toBe(LATE_NAMES.written);
    await bench.acceptAll(Array.from({ length: LATE_NAMES.read }, () => ({})));
    await bench.accept({ names: [{ id, name: "Pro plus" }], occurredAt: 1_800_000_000_000 });
    expect(await bench.deliveries(later.id, undefined, 120_000)).toHaveLength(1);
  });
});
