import { type ShopifyContract, shopify } from "../../handlers/shopify.ts";
import { customer } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";

const person = ({ customer_id }: ShopifyContract) => customer(String(customer_id));

/** "month", "3 months". */
const interval = ({ billing_policy: policy }: ShopifyContract) =>
  policy && (policy.interval_count === 1 ? policy.interval : `${policy.interval_count} ${policy.interval}s`);

/**
 * Only the app that sells subscriptions receives them. A contract names no plan; each payment also sends orders/paid.
 */
export default rules(shopify, [
  {
    name: "subscription state",
    on: [
      "subscription_contracts/create",
      "subscription_contracts/update",
      "subscription_contracts/activate",
      "subscription_contracts/cancel",
      "subscription_contracts/expire",
      "subscription_contracts/fail",
      "subscription_contracts/pause",
    ],
    contact: person,
    update: { shopifyCustomerId: (e) => String(e.customer_id) },
    subscription: { id: (e) => String(e.id), status: (e) => e.status, update: { subscriptionStatus: (e) => e.status } },
  },
  {
    name: "subscription started",
    on: "subscription_contracts/create",
    when: (e) => e.status === "active",
    contact: person,
    event: { name: "subscriptionStarted", properties: { status: (e) => e.status, interval } },
  },
  {
    name: "subscription resumed",
    on: "subscription_contracts/activate",
    contact: person,
    event: { name: "subscriptionResumed", properties: { interval } },
  },
  {
    name: "subscription paused",
    on: "subscription_contracts/pause",
    contact: person,
    event: { name: "subscriptionPaused", properties: { interval } },
  },
  {
    name: "past due",
    on: "subscription_contracts/fail",
    contact: person,
    event: { name: "pastDue", properties: { status: (e) => e.status } },
  },
  {
    name: "subscription canceled",
    on: ["subscription_contracts/cancel", "subscription_contracts/expire"],
    contact: person,
    event: { name: "subscriptionCanceled", properties: { status: (e) => e.status } },
  },
]);
