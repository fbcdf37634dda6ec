import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { periodEndsOf, planName, planNameOrId, planReader } from "../../rules/billing/stripe-items.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { became, type Change } from "../../rules/values/changed.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { PLANS, planItem } from "./plans.ts";

type Subscription = Stripe.Subscription;
type Event = { data: Change<Subscription> };

export const person = (e: Event) => customer(e.data.object.customer);

export const { planOf, formerPlanOf, choicesOf } = planReader(PLANS, planItem);

const plan = (e: Event) => planNameOrId(planOf(e.data));

/** `planName` is absent if only an id is known: no mail should show an id. */
export const named = { plan, planName: (e: Event) => planName(planOf(e.data)) };

export const cancellation = {
  reason: (e: Event) => e.data.object.cancellation_details?.reason,
  feedback: (e: Event) => e.data.object.cancellation_details?.feedback,
  comment: (e: Event) => clip(e.data.object.cancellation_details?.comment),
};

/** Of the plan: items may have other intervals. */
export const periodEnd = (e: Event) => seconds(planOf(e.data).periodEnd);

/** A cancellation at the end of the period ends the longest period of the items. */
export const endsAt = ({ data: { object } }: Event) => object.cancel_at ?? periodEndsOf(object)[0];

/**
 * Flexible billing and newer portals cancel by date (`cancel_at`), at the end of an item's period; the flag stays
 * false. The first API version is unconfirmed.
 */
const cancelsAtPeriodEnd = ({ data: { object } }: Event) =>
  object.cancel_at && periodEndsOf(object).includes(object.cancel_at) ? true : object.cancel_at_period_end;

const isRunning = ({ status }: Subscription) => status === "active" || status === "trialing";

export default rules(stripe, [
  {
    name: "subscription state",
    on: [
      "customer.subscription.created",
      "customer.subscription.updated",
      "customer.subscription.paused",
      "customer.subscription.resumed",
      "customer.subscription.trial_will_end",
      "customer.subscription.pending_update_applied",
      "customer.subscription.deleted",
    ],
    contact: person,
    subscription: {
      id: (e) => e.data.object.id,
      status: (e) => e.data.object.status,
      startedAt: (e) => seconds(e.data.object.created),
      update: {
        plan,
        subscriptionStatus: (e) => e.data.object.status,
        currentPeriodEnd: periodEnd,
        cancelAtPeriodEnd: cancelsAtPeriodEnd,
        // null without a trial. The date stays after the trial has ended.
        trialEndsAt: (e) => seconds(e.data.object.trial_end),
      },
    },
  },
  {
    // Before its first payment a subscription is "incomplete". It starts when paid, or never.
    name: "subscription started",
    on: "customer.subscription.created",
    when: (e) => isRunning(e.data.object),
    contact: person,
    event: {
      name: "subscriptionStarted",
      properties: { ...named, status: (e) => e.data.object.status },
    },
  },
  {
    name: "trial started",
    on: "customer.subscription.created",
    when: (e) => e.data.object.status === "trialing",
    contact: person,
    event: {
      name: "trialStarted",
      properties: { ...named, trialEndsAt: (e) => seconds(e.data.object.trial_end) },
    },
  },
  {
    name: "subscription started after payment",
    on: "customer.subscription.updated",
    when: (e) => isRunning(e.data.object) && became(e.data, ({ status }) => status !== "incomplete"),
    contact: person,
    event: {
      name: "subscriptionStarted",
      properties: { ...named, status: (e) => e.data.object.status },
    },
  },
  {
    name: "subscription canceled",
    on: "customer.subscription.deleted",
    contact: person,
    event: {
      name: "subscriptionCanceled",
      properties: { ...named, ...cancellation },
    },
  },
  {
    // Sent three days before the end. A trial ended at once makes no event.
    name: "trial ending",
    on: "customer.subscription.trial_will_end",
    when: (e) => e.data.object.status === "trialing" && (e.data.object.trial_end ?? 0) > e.created,
    contact: person,
    event: {
      name: "trialEnding",
      properties: {
        ...named,
        trialEndsAt: (e) => seconds(e.data.object.trial_end),
        cancelAtPeriodEnd: cancelsAtPeriodEnd,
        // Also false if only the customer has a payment method.
        hasPaymentMethod: (e) =>
          Boolean(idOf(e.data.object.default_payment_method) ?? idOf(e.data.object.default_source)),
      },
    },
  },
  {
    name: "subscription paused",
    on: "customer.subscription.paused",
    contact: person,
    event: {
      name: "subscriptionPaused",
      properties: {
        ...named,
        // "first_payment_failure", for example. API versions before 2026-09-30 give no cause.
        cause: (e) => e.data.object.status_details?.paused?.subscription?.type,
      },
    },
  },
  {
    name: "subscription resumed",
    on: "customer.subscription.resumed",
    contact: person,
    event: { name: "subscriptionResumed", properties: named },
  },
  {
    name: "pending update applied",
    on: "customer.subscription.pending_update_applied",
    contact: person,
    event: { name: "pendingUpdateApplied", properties: named },
  },
  {
    name: "pending update expired",
    on: "customer.subscription.pending_update_expired",
    contact: person,
    event: { name: "pendingUpdateExpired", properties: named },
  },
]);
