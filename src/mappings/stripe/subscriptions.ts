import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { planName, planNameOrId, planOf } from "../../rules/billing/stripe-items.ts";
import { customer, idOf } from "../../rules/people/customer.ts";
import { rules } from "../../rules/types.ts";
import { became } from "../../rules/values/changed.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { PLANS } from "./plans.ts";

type Subscription = Stripe.Subscription;
type Event = { data: { object: Subscription } };

export const person = (e: Event) => customer(e.data.object.customer);

const plan = (e: Event) => planNameOrId(planOf(e.data.object, PLANS));

/** `planName` is absent if only an id is known: no mail should show an id. */
export const named = { plan, planName: (e: Event) => planName(planOf(e.data.object, PLANS)) };

export const cancellation = {
  reason: (e: Event) => e.data.object.cancellation_details?.reason,
  feedback: (e: Event) => e.data.object.cancellation_details?.feedback,
  comment: (e: Event) => clip(e.data.object.cancellation_details?.comment),
};

/** On items since API version 2025-03-31, before on the subscription. */
export const periodEnd = (subscription: Subscription & { current_period_end?: number }) =>
  seconds(periodEndOf(subscription));

export const periodEndOf = (subscription: Subscription & { current_period_end?: number }) =>
  subscription.items?.data?.[0]?.current_period_end ?? subscription.current_period_end;

/**
 * Flexible billing and newer portals cancel by date (`cancel_at`); the flag stays false. The first API version is
 * unconfirmed.
 */
const cancelsAtPeriodEnd = (subscription: Subscription) =>
  subscription.cancel_at && subscription.cancel_at === periodEndOf(subscription)
    ? true
    : subscription.cancel_at_period_end;

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
        currentPeriodEnd: (e) => periodEnd(e.data.object),
        cancelAtPeriodEnd: (e) => cancelsAtPeriodEnd(e.data.object),
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
        cancelAtPeriodEnd: (e) => cancelsAtPeriodEnd(e.data.object),
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
