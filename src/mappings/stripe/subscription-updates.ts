import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { changedInterval, direction, perMonth, type Recurring } from "../../rules/billing/monthly.ts";
import { formerRecurring, isOtherPlan, planName, planNameOrId, recurringOf } from "../../rules/billing/stripe-items.ts";
import { rules } from "../../rules/types.ts";
import { became, type Change } from "../../rules/values/changed.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { cancellation, endsAt, formerPlanOf, named, periodEnd, person, planOf } from "./subscriptions.ts";

type Subscription = Stripe.Subscription;
type Updated = Stripe.CustomerSubscriptionUpdatedEvent;

const isLate = ({ status }: Subscription) => status === "past_due" || status === "unpaid";
const isRunning = ({ status }: Subscription) => status === "active" || status === "trialing";
const isEnded = ({ status }: Subscription) => status === "canceled" || status === "incomplete_expired";
export const isEnding = (subscription: Subscription) =>
  !isEnded(subscription) && (subscription.cancel_at_period_end || Boolean(subscription.cancel_at));

/** `previous_attributes` has only the changed details. The portal may send the comment after the feedback. */
const gaveFeedback = ({ object, previous_attributes: former }: Change<Subscription>) => {
  const [was, is] = [former?.cancellation_details, object.cancellation_details];
  return (["feedback", "comment"] as const).some((name) => was && name in was && is?.[name] && is[name] !== was[name]);
};

const renewsAt = (e: Updated) => (isEnding(e.data.object) ? undefined : periodEnd(e));

const isOtherInterval = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former !== undefined && changedInterval(former, recurringOf(change.object));
};

/** 1: the monthly bill rose, -1: it fell; 0 or undefined: neither. */
const billDirection = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former && !isOtherInterval(change) ? direction(former, recurringOf(change.object)) : undefined;
};

/** Upgrades and downgrades have events of their own. */
const isPlanChange = (change: Change<Subscription>) =>
  isOtherInterval(change) || (!billDirection(change) && isOtherPlan(formerPlanOf(change), planOf(change)));

/** Minor units per month without metered items. Undefined if another item has no fixed price. */
const monthly = (items: readonly Recurring[]) => {
  const amount = perMonth(items.filter(({ metered }) => !metered));
  return amount === undefined ? undefined : Math.round(amount);
};

/** Old API versions send items without a currency. */
const currency = (e: Updated) => planOf(e.data).currency ?? e.data.object.currency;
const formerCurrency = (e: Updated) => formerPlanOf(e.data).currency ?? currency(e);

const changeOfPlan = {
  ...named,
  previousPlan: (e: Updated) => planNameOrId(formerPlanOf(e.data)),
  previousPlanName: (e: Updated) => planName(formerPlanOf(e.data)),
  monthlyAmount: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : money(amount, currency(e));
  },
  monthlyAmountValue: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : majorUnits(amount, currency(e));
  },
  previousMonthlyAmountValue: (e: Updated) => {
    const amount = monthly(formerRecurring(e.data) ?? []);
    return amount === undefined ? undefined : majorUnits(amount, formerCurrency(e));
  },
  currency,
  interval: (e: Updated) => planOf(e.data).interval,
};

/**
 * Transitions derived from `previous_attributes`, except ones with a separate event type (created, deleted, paused,
 * resumed, trial_will_end).
 */
export default rules(stripe, [
  {
    name: "upgraded",
    on: "customer.subscription.updated",
    when: (e) => billDirection(e.data) === 1,
    contact: person,
    event: { name: "upgraded", properties: changeOfPlan },
  },
  {
    name: "downgraded",
    on: "customer.subscription.updated",
    when: (e) => billDirection(e.data) === -1,
    contact: person,
    event: { name: "downgraded", properties: changeOfPlan },
  },
  {
    name: "plan changed",
    on: "customer.subscription.updated",
    when: (e) => isPlanChange(e.data),
    contact: person,
    event: {
      name: "planChanged",
      properties: {
        ...changeOfPlan,
        previousCurrency: formerCurrency,
        previousInterval: (e) => formerPlanOf(e.data).interval,
      },
    },
  },
  {
    name: "trial converted",
    on: "customer.subscription.updated",
    when: (e) => e.data.object.status === "active" && became(e.data, ({ status }) => status !== "trialing"),
    contact: person,
    event: {
      name: "trialConverted",
      properties: { ...named, renewsAt },
    },
  },
  {
    name: "cancel scheduled",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, isEnding),
    contact: person,
    event: {
      name: "cancelScheduled",
      properties: {
        ...named,
        endsAt: (e) => seconds(endsAt(e)),
        feedback: cancellation.feedback,
        comment: cancellation.comment,
      },
    },
  },
  {
    // The portal sends the customer's words after the cancellation.
    name: "cancellation feedback",
    on: "customer.subscription.updated",
    when: (e) => gaveFeedback(e.data) && isEnding(e.data.object) && !became(e.data, isEnding),
    contact: person,
    event: { name: "cancellationFeedback", properties: { ...named, ...cancellation } },
  },
  {
    // After the end there can only be a new subscription.
    name: "reactivated",
    on: "customer.subscription.updated",
    when: (e) => !isEnded(e.data.object) && became(e.data, (it) => !isEnding(it)),
    contact: person,
    event: {
      name: "reactivated",
      properties: { ...named, renewsAt },
    },
  },
  {
    // Invoices continue without charges. `customer.subscription.paused` is sent for the status "paused" instead.
    name: "collection paused",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, ({ pause_collection }) => Boolean(pause_collection)),
    contact: person,
    event: {
      name: "collectionPaused",
      properties: {
        ...named,
        // "void", "keep_as_draft" or "mark_uncollectible": handling of the invoices.
        behavior: (e) => e.data.object.pause_collection?.behavior,
        resumesAt: (e) => seconds(e.data.object.pause_collection?.resumes_at),
      },
    },
  },
  {
    name: "collection resumed",
    on: "customer.subscription.updated",
    when: (e) => !isEnded(e.data.object) && became(e.data, ({ pause_collection }) => !pause_collection),
    contact: person,
    event: { name: "collectionResumed", properties: { ...named, renewsAt } },
  },
  {
    // A change from past_due to unpaid makes no second event.
    name: "past due",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, isLate),
    contact: person,
    event: {
      name: "pastDue",
      properties: { ...named, status: (e) => e.data.object.status },
    },
  },
  {
    name: "recovered",
    on: "customer.subscription.updated",
    when: (e) => isRunning(e.data.object) && became(e.data, (it) => !isLate(it)),
    contact: person,
    event: { name: "recovered", properties: named },
  },
]);
