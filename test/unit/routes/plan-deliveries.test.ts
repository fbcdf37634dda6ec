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
