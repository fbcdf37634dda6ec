import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { outboxNamed } from "../setup.ts";
import { letArrive, START } from "./arrivals.ts";
import { ADA, accounts, purchases, webhooksOf } from "./stories.ts";

const HOUR = 3_600_000;

/** Events are not compared: the API cannot move them to another contact. */
const deliver = async (webhooks: readonly PlannedWebhook[], gaps: readonly number[]) => {
  let at = 0;
  const arrivals = webhooks.map((webhook, place) => {
    at += gaps[place] ?? 0;
    return { at, webhook };
  });
  const { contacts, deliveries, mail } = await runInDurableObject(outboxNamed("any order"), (_, { storage }) =>
    letArrive(storage, arrivals),
  );
  const lost = deliveries.filter(({ state }) => !["done", "replaced", "skipped"].includes(state));
  // A mail by address alone stops only when the address is linked to the removed user.
  const removal = arrivals.findIndex(({ webhook }) => webhook.deliveries.some(({ removes }) => removes));
  const tie = arrivals.findIndex(({ webhook }) =>
    webhook.links.some(({ userId, email, strength }) => userId && email === ADA && strength !== "unverified"),
  );
  const removedAt = removal < 0 ? undefined : arrivals[Math.max(removal, tie)]?.at;
  return {
    contacts,
    lost: lost.map(({ webhook, rule, state, message }) => `${webhook} ${rule} ${state}: ${message}`),
    mailedLate: mail.filter(({ at }) => removedAt !== undefined && at > removedAt + 1_000),
  };
};

const check = async (webhooks: readonly PlannedWebhook[]) => {
  const failed = webhooks.flatMap(({ eventId, outcomes }) =>
    outcomes.filter(({ outcome }) => outcome === "failed").map(({ rule, message }) => `${eventId} ${rule} ${message}`),
  );
  expect(failed).toEqual([]);
  const inOrder = await deliver(
    webhooks,
    webhooks.map(() => 60_000),
  );
  expect(inOrder).toMatchObject({ contacts: [{}], lost: [], mailedLate: [] });
  const length = { minLength: webhooks.length, maxLength: webhooks.length };
  const gaps = fc.array(fc.constantFrom(0, 1, 700, 3_000, 60_000, HOUR), length);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...webhooks], length), gaps, async (order, gap) => {
      expect(await deliver(order, gap)).toEqual(inOrder);
    }),
    { numRuns: inject("orders"), seed: 1 },
  );
};

const START_OF_STORY = START - HOUR;

describe("the webhooks of one person end in one contact with the same state, in any order of arrival", () => {
  it.each(Object.entries(accounts))("%s", async (_, account) => check(await webhooksOf(account, START_OF_STORY)));
  it.each(Object.entries(purchases))("%s", async (_, purchase) => check(await webhooksOf(purchase, START_OF_STORY)));
  it.each(
    Object.keys(accounts).flatMap((account) => Object.keys(purchases).map((purchase) => [account, purchase] as const)),
  )("%s and %s", async (account, purchase) => {
    const both = [
      ...(await webhooksOf(accounts[account] as (typeof accounts)[string], START_OF_STORY)),
      ...(await webhooksOf(purchases[purchase] as (typeof purchases)[string], START_OF_STORY + 500)),
    ];
    await check(both.sort((a, b) => a.occurredAt - b.occurredAt));
  });
});
