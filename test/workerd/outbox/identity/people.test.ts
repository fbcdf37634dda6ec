import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { outboxNamed } from "../setup.ts";
import { letArrive } from "./arrivals.ts";
import { type Happening, history, modelOf, shownOf, webhooksOf } from "./people-model.ts";

const GAPS = [0, 1, 3, 700, 3_000, 3_600_000] as const;

/** The webhooks of a history in any order, with the ms between them. */
const arrivals = history.chain((happenings) => {
  const webhooks = webhooksOf(happenings);
  const length = { minLength: webhooks.length, maxLength: webhooks.length };
  return fc.record({
    happenings: fc.constant(happenings),
    order: fc.shuffledSubarray(webhooks, length),
    gaps: fc.array(fc.constantFrom(...GAPS), length),
  });
});

const endOf = async (webhooks: ReturnType<typeof webhooksOf>, gaps: readonly number[]) => {
  let at = 0;
  const arriving = webhooks.map((webhook, place) => {
    at += gaps[place] ?? 0;
    return { at, webhook };
  });
  const { contacts, deliveries } = await runInDurableObject(outboxNamed("people"), (_, { storage }) =>
    letArrive(storage, arriving),
  );
  return {
    contacts: Object.fromEntries(contacts.map(({ email, properties }) => [email, shownOf(properties)])),
    events: deliveries.flatMap((one) => (one.action === "event" ? [one.eventName] : [])).sort(),
    // No mail is modeled, and the Outbox of the test has no templates.
    open: deliveries.filter(
      ({ action, state }) => action !== "transactional" && state !== "done" && state !== "replaced",
    ),
  };
};

const check = async (happenings: readonly Happening[], end: Awaited<ReturnType<typeof endOf>>) => {
  const model = modelOf(happenings);
  expect(end.open).toEqual([]);
  expect(end.events).toEqual(model.events);
  for (const [address, shown] of Object.entries(model.contacts))
    expect(end.contacts[address] ?? {}, address).toEqual(shown);
};

describe("two customers with two addresses, several subscriptions and payments", () => {
  it("end as the model in any order of arrival", async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ happenings, order, gaps }) => {
        await check(happenings, await endOf(order, gaps));
      }),
      { numRuns: inject("orders") * 20 },
    );
  }, 120_000);

  it("end as the model where all webhooks arrive twice", async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ happenings, order, gaps }) => {
        const again = [...order, ...order.toReversed()];
        const { open, ...end } = await endOf(again, [...gaps, ...gaps]);
        // The ledger has a duplicate's deliveries under both arrivals.
        const events = end.events.filter((_, place) => place % 2 === 0);
        await check(happenings, { ...end, open, events });
      }),
      { numRuns: inject("orders") * 5 },
    );
  }, 120_000);
});
