import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { changedInterval, direction, intervalOf, perMonth } from "../../rules/billing/monthly.ts";
import { formerPlan, formerRecurring, recurringOf } from "../../rules/billing/stripe-items.ts";
import { rules } from "../../rules/types.ts";
import { became, type Change } from "../../rules/values/changed.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { periodEnd, person, plan } from "./subscriptions.ts";

type Subscription = Stripe.Subscription;
type Updated = Stripe.CustomerSubscriptionUpdatedEvent;

const isLate = ({ status }: Subscription) => status === "past_due" || status === "unpaid";
const isRunning = ({ status }: Subscription) => status === "active" || status === "trialing";
const isEnded = ({ status }: Subscription) => status === "canceled" || status === "incomplete_expired";
const isEnding = (subscription: Subscription) =>
  !isEnded(subscription) && (subscription.cancel_at_period_end || Boolean(subscription.cancel_at));

/** Whether an update left the plan and made it, say, yearly. */
const isOtherInterval = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former !== undefined && changedInterval(former, recurringOf(change.object));
};

/** Whether an update made the bill per month dearer (1) or cheaper (-1); 0 or undefined: neither. */
const turn = (change: Change<Subscription>) => {
  const former = formerRecurring(change);
  return former && !isOtherInterval(change) ? direction(former, recurringOf(change.object)) : undefined;
};

/** Minor units a month; what is charged by use beside it is left out. Undefined where the rest has no fixed price. */
const monthly = (items: ReturnType<typeof recurringOf>) => {
  const amount = perMonth(items.filter(({ metered }) => !metered));
  return amount === undefined ? undefined : Math.round(amount);
};

/** Of the first price: endpoints of old API versions send subscriptions without a currency. */
const currency = (subscription: Subscription) => recurringOf(subscription)[0]?.currency || subscription.currency;

const changeOfPlan = {
  plan: plan,
  previousPlan: (e: Updated) => formerPlan(e.data),
  monthlyAmount: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : money(amount, currency(e.data.object));
  },
  monthlyAmountValue: (e: Updated) => {
    const amount = monthly(recurringOf(e.data.object));
    return amount === undefined ? undefined : majorUnits(amount, currency(e.data.object));
  },
  previousMonthlyAmountValue: (e: Updated) => {
    const amount = monthly(formerRecurring(e.data) ?? []);
    return amount === undefined ? undefined : majorUnits(amount, currency(e.data.object));
  },
  currency: (e: Updated) => currency(e.data.object),
  interval: (e: Updated) => intervalOf(recurringOf(e.data.object)),
};

/**
 * What an update of a subscription means, as `previous_attributes` tells it. One update may mean several of these, most
 * mean none; none of them repeats what a type of its own says (created, deleted, paused, resumed, trial_will_end).
 */
export default rules(stripe, [
  {
    name: "upgraded",
    on: "customer.subscription.updated",
    when: (e) => turn(e.data) === 1,
    contact: person,
    event: { name: "upgraded", properties: changeOfPlan },
  },
  {
    name: "downgraded",
    on: "customer.subscription.updated",
    when: (e) => turn(e.data) === -1,
    contact: person,
    event: { name: "downgraded", properties: changeOfPlan },
  },
  {
    // The same product by the month and now by the year, or back. What a month comes to is in it, as in the two above.
    name: "plan changed",
    on: "customer.subscription.updated",
    when: (e) => isOtherInterval(e.data),
    contact: person,
    event: {
      name: "planChanged",
      properties: { ...changeOfPlan, previousInterval: (e) => intervalOf(formerRecurring(e.data) ?? []) },
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
        plan: plan,
        endsAt: (e) => seconds(e.data.object.cancel_at) ?? periodEnd(e.data.object),
        feedback: (e) => e.data.object.cancellation_details?.feedback,
        comment: (e) => clip(e.data.object.cancellation_details?.comment),
      },
    },
  },
  {
    // The customer took the cancellation back in time. A subscription that has ended cannot come back: that is a new one.
    name: "reactivated",
    on: "customer.subscription.updated",
    when: (e) => !isEnded(e.data.object) && became(e.data, (it) => !isEnding(it)),
    contact: person,
    event: {
      name: "reactivated",
      properties: { plan: plan, renewsAt: (e) => periodEnd(e.data.object) },
    },
  },
  {
    // From past_due to unpaid is no second time.
    name: "past due",
    on: "customer.subscription.updated",
    when: (e) => became(e.data, isLate),
    contact: person,
    event: {
      name: "pastDue",
      properties: { plan: plan, status: (e) => e.data.object.status },
    },
  },
  {
    name: "recovered",
    on: "customer.subscription.updated",
    when: (e) => isRunning(e.data.object) && became(e.data, (it) => !isLate(it)),
    contact: person,
    event: { name: "recovered", properties: { plan: plan } },
  },
]);
