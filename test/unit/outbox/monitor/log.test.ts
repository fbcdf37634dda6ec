import { afterEach, expect, it, vi } from "vitest";
import { webhookIdOf } from "../../../../src/outbox/model/delivery-state.ts";
import type { Delivery } from "../../../../src/outbox/model/journal-types.ts";
import type { Arrival } from "../../../../src/outbox/model/observation.ts";
import { logObservation } from "../../../../src/outbox/monitor/log.ts";

const printed = vi.spyOn(console, "log").mockImplementation(() => {});
afterEach(() => printed.mockClear());

const waiting = { state: "waiting" } as Delivery;
const arrival = (seq: number, more: Partial<Arrival> = {}): Arrival => ({
  seq,
  source: "stripe",
  type: "invoice.paid",
  duplicate: false,
  deliveries: [waiting, waiting],
  ...more,
});
const linesOf = (webhooks: readonly Arrival[]) => {
  logObservation({ kind: "webhooks", webhooks });
  return printed.mock.calls.map(([line]) => JSON.parse(line as string) as Record<string, unknown>);
};

it("a commit of one webhook is a line about it", () => {
  expect(linesOf([arrival(36)])).toEqual([
    { event: "webhook_accepted", id: "wh_10", source: "stripe", type: "invoice.paid", deliveries: 2 },
  ]);
});

it("a commit of several webhooks is one line, which finds each by its id", () => {
  const webhooks = [
    arrival(36),
    arrival(37, { duplicate: true, deliveries: [] }),
    arrival(38, { type: "x@y.example" }),
  ];
  expect(linesOf(webhooks)).toEqual([
    {
      event: "webhooks_accepted",
      count: 3,
      duplicates: 1,
      deliveries: 4,
      webhooks: "wh_10 stripe invoice.paid 2, wh_11 stripe invoice.paid duplicate, wh_12 stripe [address] 2",
    },
  ]);
});

it("a large commit has a line for each hundred webhooks, which the platform does not cut off", () => {
  const webhooks = Array.from({ length: 250 }, (_, n) => arrival(n, { type: "t".repeat(1_000) }));
  const lines = linesOf(webhooks);
  expect(lines.map(({ count }) => count)).toEqual([100, 100, 50]);
  expect(printed.mock.calls.every(([line]) => (line as string).length < 20_000)).toBe(true);
  const all = lines.map((line) => line.webhooks).join(", ");
  expect(webhooks.every(({ seq }) => all.includes(`${webhookIdOf(seq)} stripe`))).toBe(true);
});

it("a settled delivery of a commit keeps its own line", () => {
  const skipped = { state: "skipped", rule: "receipt", action: "transactional", attempts: [] } as unknown as Delivery;
  const lines = linesOf([arrival(36, { deliveries: [skipped, waiting] }), arrival(37)]);
  expect(lines.map(({ event, id }) => [event, id])).toEqual([
    ["webhooks_accepted", undefined],
    ["delivery_settled", "wh_10.0"],
  ]);
});
