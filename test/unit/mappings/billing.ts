import { expect, test } from "vitest";
import type { RuleSet } from "../../../src/rules/types.ts";
import { recorded } from "./recorded.ts";

type Billing = {
  events: [event: string, name: string][];
  noEvent: string[];
  started?: string[];
  /** False if the provider sends no webhook for a completed checkout. Default: true. */
  checkout?: boolean;
  cancelScheduled?: string;
  yen?: [name: string, amount: string];
  free?: string;
  customer?: [name: string, ref: string];
  noAddress?: string;
  deleted?: string;
  testData?: string[];
  /** True if webhooks have the user id of the app. Default: false. */
  userId?: boolean;
  order?: string[][];
};

const NOT_STARTED = ["subscriptionRenewed", "recovered", "upgraded", "downgraded", "reactivated", "planChanged"];

/** Tests the shared promises of all payment providers. */
export const describeBilling = (ruleSet: RuleSet, facts: Billing): void => {
  describeEvents(ruleSet, facts);
  describeProperties(ruleSet, facts);
  describeCustomers(ruleSet, facts);

  if (facts.testData) {
    test("marks test data, and nothing else, as such", async () => {
      const tests = (await recorded(ruleSet).all()).filter(({ webhook }) => webhook.test);
      expect(tests.map(({ name }) => name)).toEqual(facts.testData);
    });
  }

  test.each((facts.order ?? []).map((types) => [types]))("ranks the later state higher: %s", (types) => {
    const { handler } = ruleSet;
    const ranks = types.map((type) => handler.rank?.(type) ?? 0);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(handler.rank?.("something.else")).toBe(0);
  });
};

const describeEvents = (ruleSet: RuleSet, { events, noEvent, started, checkout = true }: Billing): void => {
  const { eventNames } = recorded(ruleSet);

  test.each(events)("makes the event %s on %s", async (eventName, name) => {
    expect(await eventNames(name)).toEqual([eventName]);
  });

  test.each(noEvent)("makes no event on %s", async (name) => {
    expect(await eventNames(name)).toEqual([]);
  });

  if (started) {
    test("starts a new subscription once", async () => {
      const names = await eventNames(...started);
      const count = (name: string) => names.filter((each) => each === name).length;
      expect(count("subscriptionStarted")).toBe(1);
      expect(count("checkoutCompleted")).toBe(checkout ? 1 : 0);
      for (const other of NOT_STARTED) expect(count(other), other).toBe(0);
    });
  }
};

const describeProperties = (ruleSet: RuleSet, { cancelScheduled, yen, free }: Billing): void => {
  const { event, propertiesOf } = recorded(ruleSet);

  if (cancelScheduled) {
    test("writes the state of a subscription", async () => {
      expect(await propertiesOf(cancelScheduled)).toMatchObject({
        plan: expect.any(String),
        subscriptionStatus: expect.any(String),
        currentPeriodEnd: expect.stringMatching(/^2025-12-12T12:00:00\.\d{3}Z$/),
        cancelAtPeriodEnd: true,
      });
    });
  }

  if (yen) {
    test("yen have no hundredths", async () => {
      const [name, amount] = yen;
      expect(await event(name)).toMatchObject({ amount, amountValue: 4900 });
      expect(await propertiesOf(name)).toMatchObject({ lastPurchaseAmount: 4900 });
    });
  }

  if (free) {
    test("a free order is not a purchase", async () => {
      const properties = await propertiesOf(free);
      expect([properties.lastPurchaseAt, properties.lastPurchaseAmount]).toEqual([undefined, undefined]);
    });
  }
};

const describeCustomers = (ruleSet: RuleSet, { customer, noAddress, deleted, userId = false }: Billing): void => {
  const { all, linksOf, planFor } = recorded(ruleSet);

  if (customer) {
    test("links a customer's id and address", async () => {
      const [name, ref] = customer;
      expect(await linksOf(name)).toEqual([{ ref, email: expect.stringContaining("@example.com") }]);
    });
  }

  if (noAddress) {
    test("an update of a customer without an address makes no delivery and no link", async () => {
      const { deliveries, links } = await planFor(noAddress);
      expect([deliveries, links]).toEqual([[], []]);
    });
  }

  if (deleted) {
    test("a deleted customer makes no link", async () => {
      expect(await linksOf(deleted)).toEqual([]);
    });
  }

  if (!userId) {
    test("an id that a buyer can set is never a user id", async () => {
      for (const { name, deliveries, links } of await all()) {
        const identifiers = [...deliveries.map(({ contact }) => contact), ...links];
        const userIds = identifiers.filter(({ userId }) => userId);
        expect(userIds, name).toEqual([]);
      }
    });
  }
};
