import { describe, expect, it } from "vitest";
import { play, reportOf } from "./play.ts";
import type { Result } from "./run.ts";
import type { Ambush, Schedule, Step } from "./schedule.ts";
import type { NamedWebhook } from "./webhooks.ts";
import { START } from "./world.ts";

const SECOND = 1_000;
const person = { email: "p1@example.com", ref: "stripe:cus_1" };

const subscription = (type: string, rank: number, names: readonly string[]): NamedWebhook => ({
  name: type,
  eventId: type,
  source: "stripe",
  type: `customer.subscription.${type}`,
  digest: false,
  occurredAt: START,
  rank,
  test: false,
  raw: "{}",
  outcomes: [],
  links: [],
  secretPaths: [],
  deliveries: [
    {
      rule: "subscription",
      action: "contact",
      contact: { ref: person.ref },
      key: `${type}.0`,
      properties: Object.fromEntries(names.map((name) => [name, `${type}.0`])),
    },
  ],
});

const created = subscription("created", 1, ["plan", "status", "trial"]);
const updated = subscription("updated", 2, ["plan", "status"]);
const deleted = subscription("deleted", 3, ["status"]);
const link: NamedWebhook = { ...subscription("link", 0, []), links: [person], deliveries: [] };

const orders = [
  [created, updated, deleted],
  [created, deleted, updated],
  [updated, created, deleted],
  [updated, deleted, created],
  [deleted, created, updated],
  [deleted, updated, created],
];

const schedule = (steps: Step[], trouble: boolean): Schedule => ({
  people: [person],
  steps,
  after: [],
  forbidden: [],
  taken: [],
  published: false,
  echoes: true,
  beside: true,
  dialect: "flat",
  stalls: false,
  tight: false,
  small: false,
  saysRetryAfter: true,
  takes: 40,
  ahead: 0,
  healthyAt: 60 * SECOND,
  faults: trouble
    ? [
        { from: START, to: START + 20 * SECOND, share: 0.4, kind: "500 after" },
        { from: START, to: START + 5 * SECOND, share: 0.3, kind: "silent before" },
      ]
    : [],
});

const deliveries = (order: readonly NamedWebhook[], apart: number, twice: boolean, linkAt: number): Step[] => {
  const send = (at: number, ...webhooks: NamedWebhook[]): Step => ({ at, kind: "webhooks", webhooks });
  const steps = apart === 0 ? [send(0, ...order)] : order.map((one, n) => send(n * apart, one));
  const again = order.map((one, n) => send(n * apart + 70, one));
  return [send(linkAt, link), ...steps, ...(twice ? again : [])];
};

describe("created, updated and deleted within one second give the same contact in any order of arrival", () => {
  const ends = async (seeds: readonly number[], steps: Step[], trouble: boolean) => {
    const all: Result[] = [];
    await play(
      seeds,
      (result) => all.push(result) > 0,
      undefined,
      () => schedule(steps, trouble),
    );
    expect(all.flatMap((one) => (one.broken === undefined ? [] : [reportOf(one, true)]))).toEqual([]);
    return all.map(({ contacts }) => contacts);
  };
  const end = [{ email: person.email, properties: { plan: "updated.0", status: "deleted.0", trial: "created.0" } }];

  it.each(orders.map((order) => ({ names: order.map(({ name }) => name).join(", "), order })))(
    "$names",
    async ({ order }) => {
      for (const apart of [0, 1, 60, 800])
        for (const twice of [false, true])
          for (const linkAt of [0, 30, 5 * SECOND])
            expect(await ends([1], deliveries(order, apart, twice, linkAt), false)).toEqual([end]);
    },
  );

  it.each(orders.map((order) => ({ names: order.map(({ name }) => name).join(", "), order })))(
    "$names, with a failing email service and crashes",
    async ({ order }) => {
      const crash = (at: number, when: Ambush): Step => ({ at, kind: "ambush", when });
      const troubles: Step[][] = [
        [],
        [crash(0, "left")],
        [crash(0, "acted"), crash(900, "settled")],
        [crash(50, "accepted")],
      ];
      const seeds = [1, 2, 3, 4, 5];
      for (const apart of [0, 60, 800])
        for (const trouble of troubles) {
          const steps = [...deliveries(order, apart, true, 30), ...trouble];
          expect(await ends(seeds, steps, true)).toEqual(seeds.map(() => end));
        }
    },
  );
});
