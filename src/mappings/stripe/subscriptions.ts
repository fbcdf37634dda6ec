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

/** The plan's name, or its id where no name is known: for segments. A mail uses `planName`. */
export const plan = (e: Event) => planNameOrId(planOf(e.data.object, PLANS));

/** The plan in an event. `planName` is absent where only an id is known: no mail should show an id. */
export const named = { plan, planName: (e: Event) => planName(planOf(e.data.object, PLANS)) };

/** Why a subscription was or will be canceled. Older webhooks have no details. */
export const cancellation = {
  reason: (e: Event) => e.data.object.cancellation_details?.reason,
  feedback: (e: Event) => e.data.object.cancellation_details?.feedback,
  comment: (e: Event) => clip(e.data.object.cancellation_details?.comment),
};

/** The end of the period: on the items since API version 2025-03-31, before on the subscription. */
export const periodEnd = (subscription: Subscription & { current_period_end?: number }) =>
  seconds(periodEndOf(subscription));

export const periodEndOf = (subscription: Subscription & { current_period_end?: number }) =>
  subscription.items?.data?.[0]?.current_period_end ?? subscription.current_period_end;

/**
 * A cancellation may be set by date alone (`cancel_at`, set by flexible billing and newer customer portals; the first
 * API version with it is unconfirmed). The flag then stays false, and the date is the end of the period.
 */
const cancelsAtPeriodEnd = (subscription: Subscription) =>
  subscription.cancel_at && subscription.cancel_at === periodEndOf(subscription)
    ? true
    : subscription.cancel_at_period_end;

const isRunning = ({ status }: Subscription) => status === "active" || status === "trialing";

/** Subscriptions: their state on the contact, and the transitions with an event type of their own. */
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
        // null where there was no trial. The date stays after the trial has ended.
        trialEndsAt: (e) => seconds(e.data.object.trial_end),
      },
    },
  },
  {
    // A subscription whose first payment is not made yet is created "incomplete". It starts when it is paid, or never.
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
    // Sent three days before the end. Stripe also sends it when a trial is ended at once; that makes no event.
    name: "trial ending",
    on: "customer.subscription.trial_will_end",
    when: (e) => e.data.object.status === "trialing" && (e.data.object.trial_end ?? 0) > e.created,
    contact: person,
    event: {
      name: "trialEnding",
      properties: {
        ...named,
        trialEndsAt: (e) => seconds(e.data.object.trial_end),
        // A customer who has cancelled already will not be charged.
        cancelAtPeriodEnd: (e) => cancelsAtPeriodEnd(e.data.object),
        // False too where only the customer has a payment method: the webhook does not show it.
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
    // A change that waited for its payment. `customer.subscription.updated` shows whether it is an upgrade or a
    // downgrade; that Stripe sends both is unconfirmed.
    name: "pending update applied",
    on: "customer.subscription.pending_update_applied",
    contact: person,
    event: { name: "pendingUpdateApplied", properties: named },
  },
  {
    // The change was not paid, so the subscription keeps its former state.
    name: "pending update expired",
    on: "customer.subscription.pending_update_expired",
    contact: person,
    event: { name: "pendingUpdateExpired", properties: named },
  },
]);
