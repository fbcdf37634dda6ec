import { expect, test } from "vitest";
import ruleSet, { kindeRules } from "../../../src/mappings/kinde.ts";
import { describeAccounts } from "./accounts.ts";
import { planOf, recorded } from "./recorded.ts";

const { bodyOf, names, planFor } = recorded(ruleSet);
const pro = { plan: "Pro", planName: "Pro" };
const started = { eventName: "subscriptionStarted", eventProperties: pro };
const canceled = "subscriptionCanceled";

describeAccounts(ruleSet, {
  unverified: {
    "user.created": { email: "ada@example.com" },
    "user.updated": undefined,
  },
  noDelivery: ["user.authenticated", "user.authentication_failed", "user.updated.suspended"],
  order: ["user.created", "user.updated", "user.deleted"],
});

test("addresses are linked only if the mapping is told that all are confirmed", async () => {
  const body = bodyOf("user.created");
  const person = { email: "ada@example.com", userId: body.data.user.id };
  const { deliveries, links } = await planOf(kindeRules(true), body);
  expect(links).toEqual([person]);
  expect(deliveries.map(({ contact }) => contact)).toEqual([person, person]);
  expect(deliveries[0]).toMatchObject({ properties: { firstName: "Ada", lastName: "Lovelace" } });
  expect((await planOf(kindeRules(true), bodyOf("user.updated"))).deliveries).toHaveLength(1);
  expect((await planOf(kindeRules(false), body)).links).toEqual([{ ...person, strength: "unverified" }]);
  expect((await planOf(kindeRules(false), bodyOf("user.deleted"))).deliveries).toMatchObject([
    { action: "contact", removes: true },
    { action: "event", removes: true },
  ]);
  expect((await planOf(kindeRules(true), bodyOf("user.deleted"))).deliveries).toMatchObject([
    { action: "contact", properties: { subscribed: false } },
    { action: "event", eventName: "accountDeleted" },
  ]);
});

const billing = names.filter((name) => name.startsWith("customer."));

test("without confirmed addresses, billing makes no delivery: no contact has the user id", async () => {
  expect(billing).toHaveLength(9);
  for (const name of billing) expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
});

test.each<[string, object[]]>([
  ["customer.plan_assigned", [{ properties: { plan: "Pro", subscriptionStatus: "active" } }, started]],
  [
    "customer.plan_changed",
    [
      { properties: { plan: "customer_team_plan" } },
      { eventName: "planChanged", eventProperties: { plan: "customer_team_plan" } },
    ],
  ],
  ["customer.agreement_cancelled", [{ properties: { subscriptionStatus: "canceled" } }, { eventName: canceled }]],
  ["customer.payment_succeeded", [{ eventName: "paymentSucceeded", eventProperties: pro }]],
  ["customer.payment_failed", [{ eventName: "paymentFailed" }]],
  ["customer.invoice_overdue", [{ eventName: "invoiceOverdue", eventProperties: {} }]],
  ["customer.agreement_created", []],
  ["customer.meter_usage_updated", []],
  ["customer.plan_assigned.organization", []],
])("with confirmed addresses: %s", async (name, wanted) => {
  const { deliveries, outcomes } = await planOf(kindeRules(true), bodyOf(name));
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(deliveries).toHaveLength(wanted.length);
  expect(deliveries).toMatchObject(wanted);
  for (const { contact } of deliveries) expect(contact).toEqual({ userId: "kp_5f1c0a9be7d84c6a9d3e2b1a0f9e8d7c" });
});
