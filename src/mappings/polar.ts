import { type PolarCustomerState, type PolarSubscription, polar } from "../handlers/polar.ts";
import { EVERY } from "../rules/billing/standing.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { address, buyerProfile, contactOf, person, profile } from "./polar/customer.ts";
import orders from "./polar/orders.ts";
import { best, isNew, named, names, plan, planName, planNameOrId, second } from "./polar/plans.ts";
import seats, { isOfSeat } from "./polar/seats.ts";
import subscriptionUpdates, { state } from "./polar/subscription-updates.ts";

/**
 * `subscription.active` means a recovery or a new subscription. The period after a trial is excluded, because its
 * webhook is unconfirmed.
 */
const isRecovered = ({ started_at, trial_end, current_period_start }: PolarSubscription) =>
  Boolean(started_at && current_period_start) &&
  iso(current_period_start) !== iso(started_at) &&
  iso(current_period_start) !== iso(trial_end);

type Event = { data: PolarSubscription };

const subscription = {
  id: (e: Event) => e.data.id,
  customer: (e: Event) => e.data.customer_id,
  status: (e: Event) => e.data.status,
  startedAt: (e: Event) => iso(e.data.created_at),
  update: {
    plan,
    subscriptionStatus: (e: Event) => e.data.status,
    currentPeriodEnd: (e: Event) => iso(e.data.current_period_end),
    cancelAtPeriodEnd: (e: Event) => e.data.cancel_at_period_end,
    trialEndsAt: (e: Event) => iso(e.data.trial_end),
  },
};

/** Stored by the webhooks that tell a start, and by no other: a late one would take it for told. */
const startTold = { startTold: true };

type Started = { type: string; data: PolarSubscription };
const isStart = ({ type, data: { status } }: Started) =>
  type === "subscription.created" && (status === "active" || status === "trialing");

type State = { type: string; timestamp: string; data: PolarCustomerState };
const isListed = ({ data }: State) => Boolean(address(data)) && !data.deleted_at;
const isListedStart = (e: State) => isListed(e) && isNew(best(e.data), e.timestamp);

/** All active subscriptions. One that is past due is none of them, and keeps what its own webhook says. */
const listed = {
  id: (e: State) => best(e.data)?.id ?? EVERY,
  customer: (e: State) => e.data.id,
  status: (e: State) => best(e.data)?.status,
  startedAt: (e: State) => iso(best(e.data)?.created_at),
  update: {
    plan: (e: State) => planNameOrId(best(e.data)),
    subscriptionStatus: (e: State) => best(e.data)?.status,
    currentPeriodEnd: (e: State) => iso(best(e.data)?.current_period_end),
    cancelAtPeriodEnd: (e: State) => best(e.data)?.cancel_at_period_end,
    trialEndsAt: (e: State) => (best(e.data) ? iso(best(e.data)?.trial_end) : undefined),
  },
  active: {
    ids: (e: State) => e.data.active_subscriptions.map(({ id }) => id).sort(),
    ended: { subscriptionStatus: "canceled" },
  },
};

// Polar is the merchant of record and sends mail itself. `subscription.updated` has no former values, so the stored
// state shows a change (folder `polar`). No webhook comes before the end of a trial.
const polarRules = rules(
  polar,
  [
    {
      name: "customer created",
      on: "customer.created",
      when: (e) => Boolean(address(e.data)),
      contact: { email: (e) => address(e.data) },
      update: profile,
    },
    {
      name: "customer updated",
      on: "customer.updated",
      when: (e) => Boolean(address(e.data)),
      contact: { email: (e) => address(e.data) },
      update: profile,
    },
    {
      name: "customer state",
      on: "customer.state_changed",
      when: (e) => isListed(e) && !isListedStart(e),
      contact: { email: (e) => address(e.data) },
      update: profile,
      subscription: listed,
    },
    {
      name: "new customer state",
      on: "customer.state_changed",
      when: isListedStart,
      contact: { email: (e) => address(e.data) },
      update: profile,
      subscription: { ...listed, state: startTold },
    },
    {
      // For who has this webhook alone. Beside `subscription.created`, the first of the two tells it.
      name: "listed subscription started",
      on: "customer.state_changed",
      when: isListedStart,
      ifStored: { id: (e) => best(e.data)?.id, isNot: startTold },
      contact: { email: (e) => address(e.data) },
      event: {
        name: "subscriptionStarted",
        properties: {
          plan: (e) => planNameOrId(best(e.data)),
          planName: (e) => planName(best(e.data)),
          status: (e) => best(e.data)?.status,
        },
      },
    },
    {
      // Of two that start together. Otherwise it would seem to start when the first one ends.
      name: "second listed subscription started",
      on: "customer.state_changed",
      when: (e) => isListed(e) && isNew(second(e.data), e.timestamp),
      ifStored: { id: (e) => second(e.data)?.id, isNot: startTold },
      remember: { id: (e) => second(e.data)?.id, state: startTold },
      contact: { email: (e) => address(e.data) },
      event: {
        name: "subscriptionStarted",
        properties: {
          plan: (e) => planNameOrId(second(e.data)),
          planName: (e) => planName(second(e.data)),
          status: (e) => second(e.data)?.status,
        },
      },
    },
    {
      // Keeps the contact and its unsubscription. Anonymization sends only `customer.updated`, and may send it again.
      name: "customer deleted",
      on: ["customer.deleted", "customer.updated"],
      when: (e) => e.type === "customer.deleted" || Boolean(e.data.deleted_at),
      ifStored: { id: (e) => e.data.id, isNot: { deleted: true } },
      remember: { id: (e) => e.data.id, state: { deleted: true } },
      contact: (e) => contactOf(e.data, e.data.id),
      event: { name: "customerDeleted", onlyKnown: true },
    },
    {
      name: "new subscription state",
      on: "subscription.created",
      when: isStart,
      contact: person,
      update: buyerProfile,
      subscription: { ...subscription, state: { ...state, ...startTold } },
    },
    {
      name: "subscription state",
      on: [
        "subscription.created",
        "subscription.active",
        "subscription.updated",
        "subscription.canceled",
        "subscription.uncanceled",
        "subscription.past_due",
        "subscription.paused",
        "subscription.resumed",
        "subscription.revoked",
      ],
      when: (e) => !isStart(e),
      contact: person,
      update: buyerProfile,
      subscription: { ...subscription, state },
    },
    {
      // A subscription sends only this webhook exactly once.
      name: "subscription started",
      on: "subscription.created",
      when: isStart,
      ifStored: { id: (e) => e.data.id, isNot: startTold },
      contact: person,
      event: { name: "subscriptionStarted", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "cancel scheduled",
      on: "subscription.canceled",
      when: (e) => e.data.cancel_at_period_end && !e.data.ended_at,
      contact: person,
      event: {
        name: "cancelScheduled",
        properties: {
          ...named,
          endsAt: (e) => iso(e.data.ends_at ?? e.data.current_period_end),
          reason: (e) => e.data.customer_cancellation_reason,
          comment: (e) => clip(e.data.customer_cancellation_comment),
        },
      },
    },
    {
      name: "reactivated",
      on: "subscription.uncanceled",
      contact: person,
      event: {
        name: "reactivated",
        properties: { ...named, renewsAt: (e) => iso(e.data.current_period_end) },
      },
    },
    {
      name: "past due",
      on: "subscription.past_due",
      contact: person,
      event: { name: "pastDue", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "recovered",
      on: "subscription.active",
      when: (e) => isRecovered(e.data),
      contact: person,
      event: { name: "recovered", properties: named },
    },
    {
      name: "subscription paused",
      on: "subscription.paused",
      contact: person,
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "subscription resumed",
      on: "subscription.resumed",
      contact: person,
      event: { name: "subscriptionResumed", properties: named },
    },
    {
      // Access ended: "canceled" or "unpaid". Older Polar documentation includes "past_due", where the payment may
      // still succeed.
      name: "subscription canceled",
      on: "subscription.revoked",
      when: (e) => e.data.status !== "past_due",
      contact: person,
      event: { name: "subscriptionCanceled", properties: { ...named, status: (e) => e.data.status } },
    },
  ],
  // `external_id` is no `userId` by default: checkout adapters take it from the query (`customerExternalId`). If only
  // your server sets it, add it here and in polar/customer.ts.
  (e) => {
    if (e.type === "checkout.expired" || e.type === "customer.deleted" || isOfSeat(e)) return [];
    const who = "customer_id" in e.data ? e.data.customer : e.data;
    const email = who && "email" in who && !who.deleted_at ? address(who) : undefined;
    return who && email ? [{ ref: who.id, email }] : [];
  },
);

export default {
  ...joined(polar, [polarRules, subscriptionUpdates, orders, seats]),
  names,
  customerId: "polarCustomerId",
  // Polar sends both. A rule on both would act twice.
  instead: {
    "refund.created": "order.refunded",
    "refund.updated": "order.refunded",
    "subscription.cycled": "subscription.updated",
  },
};
