import fc from "fast-check";
import { describe, expect, it } from "vitest";
import stripe from "../../../../src/mappings/stripe.ts";
import { compareHistories, contactsIn, type End, openIn } from "./histories.ts";
import {
  cameEarly,
  goodbyesOf,
  type Happening,
  history,
  modelOf,
  placeOf,
  testWebhooksOf,
  webhooksOf,
  withoutPlan,
} from "./stripe-model.ts";

const SHOWN = ["plan", "subscriptionStatus", "cancelAtPeriodEnd", "stripeCustomerId", "firstName", "lastName"];

const isTest = (webhook: string) => webhook.startsWith("evt_test");
const isOfGuest = (happenings: readonly Happening[], webhook: string) => happenings[placeOf(webhook)]?.what === "guest";

const eventsIn = (happenings: readonly Happening[], { deliveries, arrived }: End): string[] => {
  const isEarly = cameEarly(happenings, arrived);
  return deliveries
    .flatMap((one) => {
      if (one.action !== "event" || one.state !== "done") return [];
      const { plan, previousPlan } = one.eventProperties ?? {};
      const plans = [previousPlan, plan].filter((given) => given !== undefined).join(" > ");
      const to = one.sentTo ?? one.contact;
      const words = [one.eventName, plans, isOfGuest(happenings, one.webhook) ? `of ${to.email}` : ""];
      const event = words.filter(Boolean).join(" ");
      return isEarly(placeOf(one.webhook)) ? withoutPlan(event) : [event];
    })
    .sort();
};

const check = (happenings: readonly Happening[], end: End) => {
  const model = modelOf(happenings, cameEarly(happenings, end.arrived));
  expect(openIn(end)).toEqual([]);
  expect(eventsIn(happenings, end)).toEqual(model.events);
  const contacts = contactsIn(end, SHOWN);
  for (const [address, shown] of Object.entries(model.contacts))
    expect(contacts[address] ?? {}, address).toEqual(shown);
  expect(Object.keys(contacts).filter((address) => !model.contacts[address])).toEqual([]);
};

const GOODBYES = new Set(["cancellation mail", "cancellation at once mail"]);
const checkGoodbyes = (happenings: readonly Happening[], end: End) => {
  const model = goodbyesOf(happenings, end.arrived);
  const mails = end.deliveries.filter(({ rule }) => GOODBYES.has(rule));
  expect(mails.map(({ webhook }) => placeOf(webhook)).sort()).toEqual([...model.keys()].sort());
  for (const { webhook, state, sentTo, contact } of mails) {
    const sent = state === "done" ? (sentTo ?? contact).email : undefined;
    expect(model.get(placeOf(webhook)), webhook).toContain(sent);
  }
  const sent = mails.filter(({ state }) => state === "done").length;
  expect(end.mail.filter(({ template }) => template === "tpl_cancellation")).toHaveLength(sent);
};

describe("two customers with two addresses, several subscriptions and payments, and guests at Stripe", () => {
  it("end as the model in any order of arrival", () =>
    compareHistories({ outbox: "stripe", ruleSet: stripe, history, sentOf: webhooksOf, check }));

  it("get the goodbyes of the model: none to one who goes on paying", () =>
    compareHistories({
      outbox: "goodbyes",
      ruleSet: stripe,
      history,
      sentOf: webhooksOf,
      check: checkGoodbyes,
    }));

  it("end as the model where all webhooks arrive twice", () =>
    compareHistories({
      outbox: "stripe twice",
      ruleSet: stripe,
      history,
      sentOf: webhooksOf,
      times: 2,
      check: (happenings, end) => {
        // The ledger has a duplicate's deliveries under both arrivals.
        const first = new Map(end.deliveries.map((one) => [one.key, one]));
        check(happenings, { ...end, deliveries: [...first.values()] });
      },
    }));

  it("end as the model where webhooks of test mode say otherwise", () => {
    const withTests = fc.tuple(history, history).map(([real, test]) => [{ real, test }]);
    return compareHistories({
      outbox: "stripe tests",
      ruleSet: stripe,
      history: withTests,
      sentOf: (all) => all.flatMap(({ real, test }) => [...webhooksOf(real), ...testWebhooksOf(test)]),
      check: (all, end) => {
        const deliveries = end.deliveries.filter(({ webhook }) => !isTest(webhook));
        const arrived = end.arrived.filter(({ id }) => !isTest(id));
        for (const { real } of all) check(real, { ...end, deliveries, arrived });
        expect(end.deliveries.filter(({ webhook, state }) => isTest(webhook) && state !== "skipped")).toEqual([]);
      },
    });
  });
});
