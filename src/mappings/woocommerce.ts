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
const id = (e: Event) => String(e.id);
const isRunning = (e: Event) => e.status === "active";
const isEnding = (e: Event) => e.status === "pending-cancel";

// Subscriptions are those of the extension WooCommerce Subscriptions. Its updates do not show the change, so the stored
// state does.
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
      id,
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
    // A subscription may be created before its first payment.
    name: "pending subscription started",
    on: "subscription.updated",
    when: (e) => isRunning(e) && hasBuyer(e),
    ifStored: { id, is: { subscriptionStatus: "pending" } },
    contact: buyer,
    event: { name: "subscriptionStarted", properties: { ...named, status } },
  },
  {
    name: "plan changed",
    on: "subscription.updated",
    when: (e) => isRunning(e) && hasBuyer(e),
    ifStored: { id, changed: { plan: product } },
    contact: buyer,
    event: { name: "planChanged", properties: { ...named, previousPlan: { stored: "plan" } } },
  },
  {
    name: "cancel scheduled",
    on: "subscription.updated",
    when: (e) => isEnding(e) && hasBuyer(e),
    ifStored: { id, isNot: { cancelAtPeriodEnd: true } },
    contact: buyer,
    event: { name: "cancelScheduled", properties: { ...named, endsAt: (e) => gmt(e.end_date_gmt) } },
  },
  {
    name: "reactivated",
    on: "subscription.updated",
    when: (e) => isRunning(e) && hasBuyer(e),
    ifStored: { id, is: { cancelAtPeriodEnd: true } },
    contact: buyer,
    event: { name: "reactivated", properties: { ...named, renewsAt: (e) => gmt(e.next_payment_date_gmt) } },
  },
  {
    // A renewal waits for its payment, or the shop has suspended the subscription.
    name: "past due",
    on: "subscription.updated",
    when: (e) => e.status === "on-hold" && hasBuyer(e),
    ifStored: { id, isNot: { subscriptionStatus: "on-hold" } },
    contact: buyer,
    event: { name: "pastDue", properties: { ...named, status } },
  },
  {
    name: "recovered",
    on: "subscription.updated",
    when: (e) => isRunning(e) && hasBuyer(e),
    ifStored: { id, is: { subscriptionStatus: "on-hold" } },
    contact: buyer,
    event: { name: "recovered", properties: named },
  },
  {
    name: "subscription started",
    on: "subscription.created",
    when: (e) => isRunning(e) && hasBuyer(e),
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
