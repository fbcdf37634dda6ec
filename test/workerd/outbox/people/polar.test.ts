import { describe, expect, it } from "vitest";
import polar from "../../../../src/mappings/polar.ts";
import { compareHistories, contactsIn, type End, openIn } from "./histories.ts";
import { contactsOf, type Happening, history, webhooksOf } from "./polar-model.ts";

const check = (happenings: readonly Happening[], end: End) => {
  expect(openIn(end)).toEqual([]);
  const contacts = contactsIn(end, ["plan", "subscriptionStatus", "cancelAtPeriodEnd", "polarCustomerId"]);
  for (const [address, shown] of Object.entries(contactsOf(happenings))) {
    const { plan, cancelAtPeriodEnd, ...ended } = contacts[address] ?? {};
    const isOver = ended.subscriptionStatus === "canceled";
    expect(isOver ? ended : { ...contacts[address] }, address).toEqual(shown);
  }
};

describe("two customers with two addresses and several subscriptions at Polar, by customer.state_changed alone", () => {
  it.each([1, 2] as const)("end as the model in any order of %i arrivals each", (times) =>
    compareHistories({ outbox: `polar ${times}`, ruleSet: polar, history, sentOf: webhooksOf, times, check }),
  );
});
