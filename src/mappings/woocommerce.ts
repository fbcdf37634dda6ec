import { type WooCommerceEvent, type WooCommerceSubscription, wooCommerce } from "../handlers/woocommerce.ts";
import { customer, isKnown } from "../rules/people/customer.ts";
import { joined, type Link, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { buyer, buyerLinks, customerRef, gmt, product } from "./woocommerce/buyer.ts";
import orders from "./woocommerce/orders.ts";

type Event = WooCommerceSubscription;

const named = { plan: product, planName: product };
const status = (e: Event) => e.status;
const hasBuyer = (e: Event) => isKnown(buyer(e));
const isEnding = (e: Event) => e.status === "pending-cancel";

// Subscriptions are those of the extension WooCommerce Subscriptions. Its updates do not show the change.
const wooRules = rules(wooCommerce, [
  {
    name: "customer",
    on: ["customer.created", "customer.updated"],
    when: (e) => Boolean(e.email),
    contact: { email: (e) => e.email },
    update: {
      firstName: { guess: (e) => clip(e.first_name) || undefined, from: "account" },
      lastName: { guess: (e) => clip(e.last_name) || undefined, from: "account" },
    },
  },
  {
    // Keeps the contact and its unsubscription.
    name: "customer deleted",
    on: "customer.deleted",
    contact: (e) => customer(customerRef(e.id)),
    event: { name: "customerDeleted", onlyKnown: true },
  },
  {
    name: "subscription state",
    on: ["subscription.created", "subscription.updated"],
    when: hasBuyer,
    contact: buyer,
    subscription: {
      id: (e) => String(e.id),
      customer: (e) => customerRef(e.customer_id),
      status: (e) => (e.status === "pending" ? "incomplete" : e.status),
      startedAt: (e) => gmt(e.date_created_gmt),
      update: {
        plan: product,
        subscriptionStatus: status,
        currentPeriodEnd: (e) => gmt(e.next_payment_date_gmt) ?? gmt(e.end_date_gmt),
        cancelAtPeriodEnd: isEnding,
        trialEndsAt: (e) => gmt(e.trial_end_date_gmt),
      },
    },
  },
  {
    name: "subscription started",
    on: "subscription.created",
    when: (e) => e.status === "active" && hasBuyer(e),
    contact: buyer,
    event: { name: "subscriptionStarted", properties: { ...named, status } },
  },
  {
    name: "subscription canceled",
    on: "subscription.updated",
    when: (e) => (e.status === "cancelled" || e.status === "expired") && hasBuyer(e),
    contact: buyer,
    event: { name: "subscriptionCanceled", properties: { ...named, status } },
  },
]);

const linksOf = (e: WooCommerceEvent): readonly Link[] => {
  switch (e.type) {
    case "customer.created":
    case "customer.updated": {
      const ref = customerRef(e.id);
      return ref && e.email ? [{ ref, email: e.email }] : [];
    }
    case "order.created":
    case "order.updated":
    case "subscription.created":
    case "subscription.updated":
      return buyerLinks(e);
    default:
      return [];
  }
};

export default joined(wooCommerce, [wooRules, orders], linksOf);
