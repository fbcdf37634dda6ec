import { type DodoEvent, type DodoSubscription, dodo } from "../handlers/dodo.ts";
import { joined, type Link, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import payments from "./dodo/payments.ts";
import { PLANS } from "./dodo/plans.ts";

type Event = { timestamp: string; data: DodoSubscription };

const person = { email: (e: Event) => e.data.customer.email };
const plan = ({ data }: Event) => PLANS[data.product_id] ?? data.product_id;
const named = { plan };
const offer = ({ data }: Event) => data.product_id;
const changeOfPlan = { ...named, previousPlan: { stored: "plan" } };
const status = ({ data }: Event) => data.status;
const id = ({ data }: Event) => data.subscription_id;
const isRunning = ({ data }: Event) => data.status === "active";
const isEnded = ({ data }: Event) => ["cancelled", "failed", "expired"].includes(data.status);
const nextBilling = ({ data }: Event) => iso(data.next_billing_date);

const DAY_MS = 86_400_000;
const daysAfter = (later: string, earlier: string) => (Date.parse(later) - Date.parse(earlier)) / DAY_MS;

const trialEnd = ({ data: { created_at, trial_period_days: days } }: Event) =>
  days > 0 ? new Date(Date.parse(created_at) + days * DAY_MS).toISOString() : undefined;

/** A new card makes a subscription on hold active again, with the same webhook. */
const isNew = ({ timestamp, data }: Event) => daysAfter(timestamp, data.created_at) < 1;

/** The ranks of these words differ by provider. */
const STANDING: Readonly<Partial<Record<DodoSubscription["status"], string>>> = {
  pending: "incomplete",
  failed: "incomplete_expired",
};

// Dodo Payments is the merchant of record and sends mail itself. A test account needs a source of its own with plan
// only, because its webhooks look live.
const subscriptions = rules(dodo, [
  {
    name: "subscription state",
    on: [
      "subscription.active",
      "subscription.renewed",
      "subscription.updated",
      "subscription.plan_changed",
      "subscription.on_hold",
      "subscription.past_due",
      "subscription.paused",
      "subscription.unpaused",
      "subscription.cancelled",
      "subscription.failed",
      "subscription.expired",
    ],
    contact: person,
    update: { dodoCustomerId: (e) => e.data.customer.customer_id },
    subscription: {
      id,
      customer: (e) => e.data.customer.customer_id,
      status: (e) => STANDING[e.data.status] ?? e.data.status,
      startedAt: (e) => iso(e.data.created_at),
      update: {
        plan,
        subscriptionStatus: status,
        currentPeriodEnd: nextBilling,
        cancelAtPeriodEnd: (e) => e.data.cancel_at_next_billing_date,
        trialEndsAt: trialEnd,
      },
      state: { offer },
    },
  },
  {
    name: "subscription started",
    on: "subscription.active",
    when: isNew,
    contact: person,
    event: { name: "subscriptionStarted", properties: { ...named, status, trialEndsAt: trialEnd } },
  },
  {
    name: "recovered",
    on: "subscription.active",
    when: (e) => !isNew(e),
    contact: person,
    event: { name: "recovered", properties: named },
  },
  {
    // Also sent for the first period.
    name: "subscription renewed",
    on: "subscription.renewed",
    when: (e) => daysAfter(e.data.previous_billing_date, e.data.created_at) >= 1,
    contact: person,
    event: { name: "subscriptionRenewed", properties: { ...named, renewsAt: nextBilling } },
  },
  {
    name: "plan changed",
    on: "subscription.plan_changed",
    ifStored: { id, isNot: { offer } },
    contact: person,
    event: { name: "planChanged", properties: changeOfPlan },
  },
  {
    // Sent beside `subscription.plan_changed`, in any order, or where that is not enabled.
    name: "plan change seen",
    on: [
      "subscription.updated",
      "subscription.active",
      "subscription.renewed",
      "subscription.on_hold",
      "subscription.past_due",
      "subscription.paused",
      "subscription.unpaused",
      "subscription.cancelled",
    ],
    when: (e) => !isEnded(e),
    ifStored: { id, changed: { offer } },
    contact: person,
    event: { name: "planChanged", properties: changeOfPlan },
  },
  {
    name: "past due",
    on: ["subscription.on_hold", "subscription.past_due"],
    contact: person,
    event: {
      name: "pastDue",
      properties: { ...named, status, graceEndsAt: (e) => iso(e.data.past_due_ends_at) },
    },
  },
  {
    name: "subscription paused",
    on: "subscription.paused",
    contact: person,
    event: { name: "subscriptionPaused", properties: named },
  },
  {
    name: "subscription resumed",
    on: "subscription.unpaused",
    contact: person,
    event: { name: "subscriptionResumed", properties: named },
  },
  {
    name: "reactivated",
    on: "subscription.updated",
    when: (e) => isRunning(e) && !e.data.cancel_at_next_billing_date,
    ifStored: { id, is: { cancelAtPeriodEnd: true } },
    contact: person,
    event: { name: "reactivated", properties: { ...named, renewsAt: nextBilling } },
  },
  {
    name: "cancel scheduled",
    on: ["subscription.cancelled", "subscription.updated"],
    when: (e) => isRunning(e) && e.data.cancel_at_next_billing_date,
    ifStored: { id, isNot: { cancelAtPeriodEnd: true } },
    contact: person,
    event: {
      name: "cancelScheduled",
      properties: {
        ...named,
        endsAt: nextBilling,
        feedback: (e) => e.data.cancellation_feedback,
        comment: (e) => clip(e.data.cancellation_comment),
      },
    },
  },
  {
    name: "subscription canceled",
    on: ["subscription.cancelled", "subscription.expired"],
    when: (e) => e.data.status === "cancelled" || e.data.status === "expired",
    contact: person,
    event: { name: "subscriptionCanceled", properties: { ...named, status } },
  },
]);

const linksOf = ({ data }: DodoEvent): readonly Link[] =>
  "customer" in data ? [{ ref: data.customer.customer_id, email: data.customer.email }] : [];

export default {
  ...joined(dodo, [subscriptions, payments], linksOf),
  // Dodo sends both. A rule on both would act twice.
  instead: { "dunning.recovered": "subscription.active", "dunning.started": "subscription.on_hold" },
};
