import fc from "fast-check";
import { describe, expect, it } from "vitest";
import paddle from "../../../../src/mappings/paddle.ts";
import { compareHistories, contactsIn, type End, openIn } from "./histories.ts";
import {
  cameEarly,
  contactsOf,
  eventsOf,
  type Happening,
  history,
  simulatedOf,
  webhooksOf,
  withoutPlan,
} from "./paddle-model.ts";

const SHOWN = ["plan", "subscriptionStatus", "cancelAtPeriodEnd", "paddleCustomerId", "firstName", "lastName"];

const isSimulated = (webhook: string) => webhook.startsWith("ntfsim");
const placeOf = (webhook: string) => Number(webhook.split(" ")[1]);

const eventsIn = (happenings: readonly Happening[], places: readonly number[], { deliveries }: End): string[] =>
  deliveries
    .flatMap((one) => {
      const about = happenings[placeOf(one.webhook)];
      if (one.action !== "event" || one.state !== "done" || about?.what !== "subscription") return [];
      const { plan, previousPlan } = one.eventProperties ?? {};
      const plans = [previousPlan, plan].filter((given) => given !== undefined).join(" > ");
      const event = `${one.eventName} ${plans}`;
      const events = cameEarly(happenings, places, placeOf(one.webhook)) ? withoutPlan(event) : [event];
      return events.map((told) => `${about.subscription} ${told}`);
    })
    .sort();

const check = (happenings: readonly Happening[], end: End) => {
  const model = contactsOf(happenings);
  expect(openIn(end)).toEqual([]);
  const contacts = contactsIn(end, SHOWN);
  for (const [address, shown] of Object.entries(model)) expect(contacts[address] ?? {}, address).toEqual(shown);
  expect(Object.keys(contacts).filter((address) => !model[address])).toEqual([]);
  const places = end.arrived.map(({ id }) => placeOf(id));
  expect(eventsIn(happenings, places, end)).toEqual(eventsOf(happenings, places));
};

describe("two customers with two addresses and several subscriptions at Paddle", () => {
  it.each([1, 2] as const)(
    "end as the model, and each change is told once, in any order of %i arrivals each",
    (times) =>
      compareHistories({
        outbox: `paddle ${times}`,
        ruleSet: paddle,
        history,
        sentOf: webhooksOf,
        times,
        check: (happenings, end) => {
          // The ledger has a duplicate's deliveries under both arrivals.
          const first = new Map(end.deliveries.map((one) => [one.key, one]));
          check(happenings, { ...end, deliveries: [...first.values()] });
        },
      }),
  );

  it("end as the model where the simulator says otherwise", () => {
    const withSimulated = fc.tuple(history, history).map(([real, simulated]) => [{ real, simulated }]);
    return compareHistories({
      outbox: "paddle simulated",
      ruleSet: paddle,
      history: withSimulated,
      sentOf: (all) => all.flatMap(({ real, simulated }) => [...webhooksOf(real), ...simulatedOf(simulated)]),
      check: (all, end) => {
        const deliveries = end.deliveries.filter(({ webhook }) => !isSimulated(webhook));
        const arrived = end.arrived.filter(({ id }) => !isSimulated(id));
        for (const { real } of all) check(real, { ...end, deliveries, arrived });
        expect(end.deliveries.filter(({ webhook, state }) => isSimulated(webhook) && state !== "skipped")).toEqual([]);
      },
    });
  });
});
