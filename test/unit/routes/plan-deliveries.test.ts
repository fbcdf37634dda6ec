import { expect, test } from "vitest";
import { planDeliveries } from "../../../src/routes/plan-deliveries.ts";
import type { Source } from "../../../src/sources.ts";
import type { Handler } from "../../../src/webhook.ts";

test("test data links and names nothing, unless its deliveries are sent", async () => {
  const handler = { provider: "test" } as Handler;
  const links = () => [{ userId: "u1", email: "ada@example.com" }];
  const source: Source = { rules: { handler, rules: [], links, names: () => [{ id: "1", name: "Pro" }] }, secret: "s" };
  const envelope = { id: "1", type: "t", occurredAt: 0, body: {} };
  const of = async (test: boolean, more: Partial<Source> = {}) => {
    const { links, names } = await planDeliveries("shop", { ...source, ...more } as Source, { ...envelope, test }, 0);
    return [links.length, names?.length];
  };
  expect(await of(false)).toEqual([1, 1]);
  expect(await of(true)).toEqual([0, undefined]);
  expect(await of(true, { testData: "deliver" } as Partial<Source>)).toEqual([1, 1]);
});

test("an event has an age of 3 days, or of the rule's own, and none if it stays true or in a backfill", async () => {
  const rule = (name: string, more: object) => ({
    name,
    on: "t",
    contact: { email: "a@example.com" },
    event: { name, ...more },
  });
  const rules = [rule("usual", {}), rule("short", { maxAge: "1h" }), rule("invoicePaid", {})];
  const source = { rules: { handler: { provider: "test" }, rules, links: () => [] }, secret: "s" } as unknown as Source;
  const agesOf = async (id: string) => {
    const { deliveries } = await planDeliveries("shop", source, { id, type: "t", occurredAt: 1_000, body: {} }, 0);
    return deliveries.map((delivery) => "notAfter" in delivery && delivery.notAfter);
  };
  expect(await agesOf("evt_1")).toEqual([259_201_000, 3_601_000, false]);
  expect(await agesOf("backfill:cus_1:events")).toEqual([false, 3_601_000, false]);
});
