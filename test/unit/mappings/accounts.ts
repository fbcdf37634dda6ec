import { expect, test } from "vitest";
import type { Contact, RuleSet } from "../../../src/rules/types.ts";
import { eventsOf, recorded, writtenBy } from "./recorded.ts";

type Accounts = {
  unverified?: Record<string, Contact | undefined>;
  verified?: string[];
  changes?: [rule: string, event: string, names: string[]][];
  noDelivery?: string[];
  deleted?: Record<string, Contact>;
  order?: string[];
};

/** Tests the shared promises of all providers of user accounts. */
export const describeAccounts = (ruleSet: RuleSet, facts: Accounts): void => {
  const { planFor, matchedBy } = recorded(ruleSet);
  const { unverified = {}, verified = [], changes = [], noDelivery = [], deleted = {}, order } = facts;

  test.each(Object.entries(unverified))(
    "the unverified address in %s joins no person, and no name is written",
    async (name, contact) => {
      const { deliveries, links } = await planFor(name);
      expect(links.filter(({ strength }) => strength !== "unverified")).toEqual([]);
      expect(deliveries.filter((delivery) => JSON.stringify(delivery.contact) !== JSON.stringify(contact))).toEqual([]);
      expect(deliveries.length > 0).toBe(contact !== undefined);
      for (const properties of writtenBy(deliveries)) {
        expect(Object.keys(properties).filter((key) => key !== "subscribed")).toEqual([]);
      }
    },
  );

  test.each(verified)(
    "the verified address in %s is linked to the user id, and the provider's name is written",
    async (name) => {
      const { deliveries, links } = await planFor(name);
      expect(links).toHaveLength(1);
      expect(links[0]).toEqual({ email: expect.stringMatching(/@/), userId: expect.any(String) });
      expect(deliveries.length).toBeGreaterThan(0);
      for (const { contact } of deliveries) expect(contact).toEqual(links[0]);
      expect(writtenBy(deliveries)).toMatchObject([{ firstName: expect.any(String), lastName: expect.any(String) }]);
    },
  );

  test.each(changes)('the rule "%s" makes the event %s on its webhook and on no other', async (rule, event, names) => {
    expect(await matchedBy(rule)).toEqual(names);
    for (const name of names)
      expect(eventsOf((await planFor(name)).deliveries).map((made) => made.name)).toEqual([event]);
  });

  test.each(noDelivery)("%s makes no delivery", async (name) => {
    expect((await planFor(name)).deliveries).toEqual([]);
  });

  test.each(Object.entries(deleted))("%s unsubscribes the contact and keeps it", async (name, contact) => {
    expect((await planFor(name)).deliveries).toEqual([
      expect.objectContaining({ action: "contact", contact, properties: { subscribed: false } }),
      expect.objectContaining({ action: "event", contact, eventName: "accountDeleted" }),
    ]);
  });

  if (order) {
    test("orders events with equal times: created, changed, deleted", () => {
      expect([...order, "constructor"].map((type) => ruleSet.handler.rank?.(type))).toEqual([1, 2, 3, 0]);
    });
  }
};
