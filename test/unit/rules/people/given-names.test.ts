import { expect, test } from "vitest";
import { sources } from "../../../../src/sources.ts";
import { type Body, recorded } from "../../mappings/recorded.ts";

type Change = (body: Body) => void;

const namesOf = async (source: string, fixture: string, change?: Change) => {
  const { rules } = sources[source] ?? {};
  if (!rules) throw new Error(`no rules for ${source}`);
  const { deliveries } = await recorded(rules).planFor(fixture, change);
  const contacts = deliveries.flatMap((delivery) => (delivery.action === "contact" ? [delivery] : []));
  return contacts.map(({ properties: { firstName, lastName }, guesses }) => [firstName, lastName, guesses?.firstName]);
};

test.each([
  ["stripe", "checkout.session.completed", "purchase"],
  ["stripe", "customer.created", "purchase"],
  ["stripe", "customer.updated", "purchase"],
  ["stripe", "charge.succeeded.named", "document"],
  ["stripe", "payment_intent.succeeded.2020", "document"],
  ["paddle", "customer.updated", "purchase"],
  ["polar", "customer.state_changed", "purchase"],
  ["polar", "order.paid", "purchase"],
  ["polar", "subscription.created", "purchase"],
  ["chargebee", "customer_created", "purchase"],
  ["chargebee", "customer_changed", "purchase"],
  ["chargebee", "subscription_created", "purchase"],
  ["chargebee", "payment_succeeded", "purchase"],
  ["shopify", "customers.create", "purchase"],
  ["shopify", "orders.paid.guest", "purchase"],
  ["lemonsqueezy", "order_created", "purchase"],
  ["lemonsqueezy", "subscription_updated", "purchase"],
  ["lemonsqueezy", "subscription_payment_success.updated", "purchase"],
  ["revenuecat", "INITIAL_PURCHASE", "purchase"],
])("%s %s: the name is a guess", async (source, fixture, from) => {
  expect(await namesOf(source, fixture)).toEqual([["Ada", "Lovelace", from]]);
});

test("Stripe: the frozen name of an invoice is the weakest guess", async () => {
  expect(await namesOf("stripe", "invoice.paid")).toEqual([["Ada", "Lovelace", "document"]]);
});

test("Stripe: a person's own name before a business name, which is no name of a person", async () => {
  const business = (own: string | null) => (body: Body) => {
    const named = body.data.object.customer_details ?? body.data.object;
    Object.assign(named, {
      name: "Analytical Engines Ltd",
      business_name: "Analytical Engines Ltd",
      individual_name: own,
    });
  };
  for (const fixture of ["customer.created", "customer.updated", "checkout.session.completed.guest"]) {
    expect(await namesOf("stripe", fixture, business("Grace Hopper"))).toEqual([["Grace", "Hopper", "purchase"]]);
    expect(await namesOf("stripe", fixture, business(null))).toEqual([[undefined, undefined, undefined]]);
  }
});

test("Polar: neither the name of a team nor that of an anonymized customer", async () => {
  const none = [[undefined, undefined, undefined]];
  const of = (change: Change) => (body: Body) => change(body.data.customer);
  expect(
    await namesOf(
      "polar",
      "order.paid",
      of((who) => Object.assign(who, { type: "team" })),
    ),
  ).toEqual(none);
  const anonymized = { email: "1f0c@anonymized.polar.sh", name: "1f0c7a" };
  expect(
    await namesOf(
      "polar",
      "order.paid",
      of((who) => Object.assign(who, anonymized)),
    ),
  ).toEqual(none);
});

test("Shopify and Chargebee: the billing name where the customer has none, and never half of each", async () => {
  const payer = { first_name: "Grace", last_name: "Hopper" };
  const guest: Change = (body) => Object.assign(body, { customer: null, billing_address: payer });
  expect(await namesOf("shopify", "orders.paid", guest)).toEqual([["Grace", "Hopper", "purchase"]]);
  const half: Change = (body) =>
    Object.assign(body, { billing_address: payer, customer: { ...body.customer, last_name: null } });
  expect(await namesOf("shopify", "orders.paid", half)).toEqual([["Ada", undefined, "purchase"]]);
  const billed: Change = ({ content: { customer: who } }) =>
    Object.assign(who, { first_name: undefined, last_name: "", billing_address: payer });
  expect(await namesOf("chargebee", "customer_changed", billed)).toEqual([["Grace", "Hopper", "purchase"]]);
});
