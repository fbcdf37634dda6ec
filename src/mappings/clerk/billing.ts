import { clerk } from "../../handlers/clerk.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { mainItem, type PlanItem } from "../../rules/billing/plan-item.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";

/** Clerk sends an empty string or null for an absent id. */
type Payer = { user_id?: string | null; organization_id?: string | null; email?: string | null };
type Paid = { data: { payer?: Payer } };

/** An organization without an address gives no contact. A user's address is ignored because it may be unverified. */
const person = ({ data: { payer } }: Paid): Contact =>
  payer?.user_id ? { userId: payer.user_id } : { email: payer?.email || undefined };

const isKnown = ({ data: { payer } }: Paid): boolean => Boolean(payer?.user_id || payer?.email);

type Item = {
  status: string;
  period_end: number | null;
  plan?: {
    id?: string;
    name: string;
    is_default?: boolean;
    amount?: number | null;
    annual_monthly_amount?: number | null;
  } | null;
  plan_period?: string;
  created_at?: number;
  canceled_at?: number | null;
  past_due_at?: number | null;
  is_free_trial?: boolean;
};
type ItemEvent = { data: Item & { payer?: Payer } };

const isOfPaidPlan = ({ plan }: Item): boolean => plan?.is_default !== true;

const time = (ms: number | null | undefined) => seconds(typeof ms === "number" ? ms / 1000 : ms);
const planName = (e: ItemEvent) => clip(e.data.plan?.name);
const named = { plan: planName, planName: planName };
const periodEnd = (e: ItemEvent) => time(e.data.period_end);

const counts = (e: ItemEvent): boolean => isKnown(e) && isOfPaidPlan(e.data);

const WITH_ACCESS = ["active", "canceled", "past_due"];

type Subscription = { data: { items?: readonly Item[]; payer?: Payer } };

const planItem = (item: Item): PlanItem & { item: Item } => ({
  ids: item.plan?.id ? [item.plan.id] : [],
  name: item.plan?.name,
  extra: false,
  monthly: (item.plan_period === "annual" ? item.plan?.annual_monthly_amount : item.plan?.amount) ?? undefined,
  quantity: 1,
  addedAt: item.created_at && item.created_at / 1000,
  item,
});

const best = ({ data: { items = [] } }: Subscription): Item | undefined => {
  const paid = items.filter(isOfPaidPlan);
  const [status] = WITH_ACCESS.filter((one) => paid.some((item) => item.status === one));
  return mainItem(paid.filter((item) => item.status === status).map(planItem), {})?.item;
};

const free = ({ data: { items = [] } }: Subscription): Item | undefined =>
  items.find((item) => item.status === "active");

const hasUpcoming = ({ data: { items = [] } }: Subscription): boolean =>
  items.some((item) => item.status === "upcoming" && isOfPaidPlan(item));

const statusOf = (item: Item): string => {
  if (item.status === "past_due") return item.status;
  return item.is_free_trial ? "trialing" : "active";
};

const intervalOf = (period: string): string => (period === "annual" ? "year" : period);

type Payment = {
  data: {
    status: string;
    charge_type?: string;
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
 * State comes from `subscription.*` (all items), events from `subscriptionItem.*` and `paymentAttempt.*`. The free
 * default plan makes no events.
 * @see https://clerk.com/docs/guides/development/webhooks/billing
 */
export default rules(clerk, [
  {
    // A payer without a paid item is written only when items changed: every new user gets the free plan.
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
        subscriptionStatus: (e) => {
          const item = best(e);
          return item ? statusOf(item) : null;
        },
        currentPeriodEnd: (e) => time(best(e)?.period_end ?? null),
        cancelAtPeriodEnd: (e) => best(e)?.status === "canceled" && !hasUpcoming(e),
        trialEndsAt: (e) => (best(e)?.is_free_trial ? time(best(e)?.period_end) : undefined),
      },
    },
  },
  {
    // Sent at a trial start or first payment, also for another plan. A renewal sends `subscriptionItem.updated`.
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
    // Unconfirmed: a late paid item keeps `past_due_at`. Otherwise the event is "subscriptionStarted".
    name: "recovered",
    on: "subscriptionItem.active",
    when: (e) => counts(e) && Boolean(e.data.past_due_at),
    contact: person,
    event: { name: "recovered", properties: named },
  },
  {
    // Unconfirmed: a downgrade may cancel the present item too. `cancelAtPeriodEnd` then stays false.
    name: "cancel scheduled",
    on: "subscriptionItem.canceled",
    when: counts,
    contact: person,
    event: { name: "cancelScheduled", properties: { ...named, endsAt: periodEnd } },
  },
  {
    // A plan change also ends an item, without canceled or past due.
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
    // Renewals only: at the checkout, the person sees the failure.
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
