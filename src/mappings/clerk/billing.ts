import { clerk } from "../../handlers/clerk.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";

/** Clerk sends an empty string, or null, for the id that a payer does not have. */
type Payer = { user_id?: string | null; organization_id?: string | null; email?: string | null };
type Paid = { data: { payer?: Payer } };

/**
 * The person who pays. An organization that pays is not a person: without an address in the webhook there is no contact,
 * and an event for the organization's id would create an empty one. The address of a user is not used: the webhook does
 * not say whether it is verified.
 */
const person = ({ data: { payer } }: Paid): Contact =>
  payer?.user_id ? { userId: payer.user_id } : { email: payer?.email || undefined };

const isKnown = ({ data: { payer } }: Paid): boolean => Boolean(payer?.user_id || payer?.email);

type Item = {
  status: string;
  period_end: number | null;
  plan?: { name: string; is_default?: boolean } | null;
  canceled_at?: number | null;
  past_due_at?: number | null;
  is_free_trial?: boolean;
};
type ItemEvent = { data: Item & { payer?: Payer } };

/** False for the free default plan, which every payer without a paid plan has. */
const isOfPaidPlan = ({ plan }: Item): boolean => plan?.is_default !== true;

const time = (ms: number | null | undefined) => seconds(typeof ms === "number" ? ms / 1000 : ms);
const planName = (e: ItemEvent) => clip(e.data.plan?.name);
const named = { plan: planName, planName: planName };
const periodEnd = (e: ItemEvent) => time(e.data.period_end);

/** True for a paid plan of a known person. */
const counts = (e: ItemEvent): boolean => isKnown(e) && isOfPaidPlan(e.data);

/** Statuses with access to the plan, best first. A canceled item keeps its access until the end of the period. */
const WITH_ACCESS = ["active", "canceled", "past_due"];

type Subscription = { data: { items?: readonly Item[]; payer?: Payer } };

/** The best paid item; undefined for a payer with the free plan alone. */
const best = ({ data: { items = [] } }: Subscription): Item | undefined =>
  WITH_ACCESS.flatMap((status) => items.filter((item) => item.status === status)).find(isOfPaidPlan);

/** The free plan that a payer without a paid item has. */
const free = ({ data: { items = [] } }: Subscription): Item | undefined =>
  items.find((item) => item.status === "active");

/** True for a payer who changes to another paid plan at the end of the period: the customer stays. */
const hasUpcoming = ({ data: { items = [] } }: Subscription): boolean =>
  items.some((item) => item.status === "upcoming" && isOfPaidPlan(item));

/** Clerk's status in the words that the other providers use. */
const statusOf = (item: Item): string => {
  if (item.status === "past_due") return item.status;
  return item.is_free_trial ? "trialing" : "active";
};

/** Clerk's billing period in the words that the other providers use. */
const intervalOf = (period: string): string => (period === "annual" ? "year" : period);

type Payment = {
  data: {
    status: string;
    charge_type?: string;
    /** The name of `charge_type` in Clerk's guide. */
    type?: string;
    totals: { grand_total: { amount: number; currency: string } };
    payer?: Payer;
  };
};
const total = ({ data }: Payment) => data.totals.grand_total;
const payment = {
  amount: (e: Payment) => money(total(e).amount, total(e).currency),
  amountValue: (e: Payment) => majorUnits(total(e).amount, total(e).currency),
  currency: (e: Payment) => total(e).currency,
};

const isFor = (charge: "checkout" | "recurring", e: Payment): boolean =>
  isKnown(e) && (e.data.charge_type ?? e.data.type) === charge;
const isPurchase = (e: Payment): boolean => e.data.status === "paid" && total(e).amount > 0;

/**
 * Clerk Billing. A payer has one subscription, with an item for each plan. One change sends webhooks of the subscription
 * and of its items. So the state on the contact comes from `subscription.*`, which shows all items, and the events come
 * from `subscriptionItem.*` and `paymentAttempt.*`. The free default plan makes no events.
 * @see https://clerk.com/docs/guides/development/webhooks/billing
 */
export default rules(clerk, [
  {
    // A payer without a paid item is written only when the items changed. When the account is created, every user gets
    // the free plan.
    name: "subscription state",
    on: ["subscription.created", "subscription.updated", "subscription.active", "subscription.pastDue"],
    when: (e) => isKnown(e) && (best(e) !== undefined || e.type === "subscription.updated"),
    contact: person,
    subscription: {
      id: (e) => e.data.id,
      status: (e) => {
        const item = best(e);
        return item ? statusOf(item) : "canceled";
      },
      update: {
        plan: (e) => clip((best(e) ?? free(e))?.plan?.name),
        // null: no paid plan any more.
        subscriptionStatus: (e) => {
          const item = best(e);
          return item ? statusOf(item) : null;
        },
        currentPeriodEnd: (e) => time(best(e)?.period_end ?? null),
        cancelAtPeriodEnd: (e) => best(e)?.status === "canceled" && !hasUpcoming(e),
        // The date stays after the trial has ended.
        trialEndsAt: (e) => (best(e)?.is_free_trial ? time(best(e)?.period_end) : undefined),
      },
    },
  },
  {
    // Sent when the trial starts or the first payment succeeds; for another plan as well. A renewal sends
    // `subscriptionItem.updated`.
    name: "subscription started",
    on: "subscriptionItem.active",
    when: (e) => counts(e) && !e.data.past_due_at,
    contact: person,
    event: {
      name: "subscriptionStarted",
      properties: { ...named, status: (e) => statusOf(e.data), interval: (e) => intervalOf(e.data.plan_period) },
    },
  },
  {
    // Unconfirmed: that an item which is paid late keeps `past_due_at`. If it does not, the event is
    // "subscriptionStarted".
    name: "recovered",
    on: "subscriptionItem.active",
    when: (e) => counts(e) && Boolean(e.data.past_due_at),
    contact: person,
    event: { name: "recovered", properties: named },
  },
  {
    // Unconfirmed: whether a change to a cheaper plan cancels the item of the present plan too. The contact's
    // `cancelAtPeriodEnd` stays false in that case.
    name: "cancel scheduled",
    on: "subscriptionItem.canceled",
    when: counts,
    contact: person,
    event: { name: "cancelScheduled", properties: { ...named, endsAt: periodEnd } },
  },
  {
    // An item also ends when the payer takes another plan at once. It was neither canceled nor past due then.
    name: "subscription canceled",
    on: "subscriptionItem.ended",
    when: (e) => counts(e) && Boolean(e.data.canceled_at || e.data.past_due_at),
    contact: person,
    event: { name: "subscriptionCanceled", properties: named },
  },
  {
    name: "past due",
    on: "subscriptionItem.pastDue",
    when: counts,
    contact: person,
    event: { name: "pastDue", properties: named },
  },
  {
    // Sent three days before the end, or at once for a shorter trial.
    name: "trial ending",
    on: "subscriptionItem.freeTrialEnding",
    when: counts,
    contact: person,
    event: { name: "trialEnding", properties: { ...named, trialEndsAt: periodEnd } },
  },
  {
    // For renewals only: a person whose first payment fails is at the checkout and sees it.
    name: "payment failed",
    on: "paymentAttempt.updated",
    when: (e) => isFor("recurring", e) && e.data.status === "failed",
    contact: person,
    event: {
      name: "paymentFailed",
      properties: { ...payment, reason: (e) => e.data.failed_reason?.decline_code || e.data.failed_reason?.code },
    },
  },
  {
    name: "purchase",
    on: "paymentAttempt.updated",
    when: (e) => isKnown(e) && isPurchase(e),
    contact: person,
    update: {
      lastPurchaseAt: (e) => time(e.data.paid_at ?? e.data.updated_at),
      lastPurchaseAmount: payment.amountValue,
    },
  },
  {
    name: "checkout completed",
    on: "paymentAttempt.updated",
    when: (e) => isFor("checkout", e) && isPurchase(e),
    contact: person,
    event: { name: "checkoutCompleted", properties: { ...payment, mode: "subscription" } },
  },
  {
    name: "subscription renewed",
    on: "paymentAttempt.updated",
    when: (e) => isFor("recurring", e) && isPurchase(e),
    contact: person,
    event: { name: "subscriptionRenewed", properties: payment },
  },
]);
