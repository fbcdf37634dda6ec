import { type RazorpayPayment, type RazorpaySubscription, razorpay } from "../handlers/razorpay.ts";
import { customer } from "../rules/people/customer.ts";
import { joined, rules } from "../rules/types.ts";
import { seconds } from "../rules/values/seconds.ts";
import { amountOf, linksOf, subscriber } from "./razorpay/payer.ts";
import payments from "./razorpay/payments.ts";
import { PLANS } from "./razorpay/plans.ts";

type Event = {
  payload: { subscription: { entity: RazorpaySubscription }; payment?: { entity: RazorpayPayment } | null };
};

const of = ({ payload }: Event) => payload.subscription.entity;
const person = (e: Event) => customer(subscriber(of(e)));
const plan = (e: Event) => PLANS[of(e).plan_id] ?? of(e).plan_id;
const named = { plan };
/** The id, because `PLANS` may get another name. */
const offer = (e: Event) => of(e).plan_id;
const status = (e: Event) => of(e).status;

/** Later activations come from `pending` and `halted`. */
const isFirstPeriod = (e: Event) => !of(e).start_at || of(e).current_start === of(e).start_at;

const charged = (e: Event) => e.payload.payment && amountOf(e.payload.payment.entity);

/** The ranks of these words differ by provider. */
const STANDING: Readonly<Partial<Record<RazorpaySubscription["status"], string>>> = {
  pending: "past_due",
  halted: "unpaid",
};

// A test account needs a source of its own with plan only, because its webhooks look live.
const subscriptions = rules(razorpay, [
  {
    name: "subscription state",
    on: [
      "subscription.authenticated",
      "subscription.activated",
      "subscription.charged",
      "subscription.pending",
      "subscription.halted",
      "subscription.updated",
      "subscription.paused",
      "subscription.resumed",
      "subscription.cancelled",
      "subscription.completed",
    ],
    contact: person,
    update: { razorpayCustomerId: (e) => of(e).customer_id ?? undefined },
    subscription: {
      id: (e) => of(e).id,
      customer: (e) => of(e).customer_id ?? undefined,
      status: (e) => STANDING[of(e).status] ?? of(e).status,
      startedAt: (e) => seconds(of(e).created_at),
      update: {
        plan,
        subscriptionStatus: status,
        currentPeriodEnd: (e) => seconds(of(e).current_end),
      },
      state: { offer },
    },
  },
  {
    name: "subscription started",
    on: "subscription.activated",
    when: isFirstPeriod,
    contact: person,
    event: { name: "subscriptionStarted", properties: { ...named, status } },
  },
  {
    name: "recovered",
    on: "subscription.activated",
    when: (e) => !isFirstPeriod(e),
    contact: person,
    event: { name: "recovered", properties: named },
  },
  {
    name: "subscription renewed",
    on: "subscription.charged",
    when: (e) => !isFirstPeriod(e),
    contact: person,
    event: {
      name: "subscriptionRenewed",
      properties: {
        ...named,
        amount: (e) => charged(e)?.text,
        amountValue: (e) => charged(e)?.value,
        currency: (e) => e.payload.payment?.entity.currency,
        renewsAt: (e) => seconds(of(e).charge_at),
      },
    },
  },
  {
    // Razorpay repeats the charge while the status is pending, and stops when it is halted.
    name: "past due",
    on: ["subscription.pending", "subscription.halted"],
    contact: person,
    event: { name: "pastDue", properties: { ...named, status } },
  },
  {
    name: "plan changed",
    on: "subscription.updated",
    ifStored: { id: (e) => of(e).id, changed: { offer } },
    contact: person,
    event: { name: "planChanged", properties: { ...named, previousPlan: { stored: "plan" } } },
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
    // `completed`: all charges of its total count are made.
    name: "subscription canceled",
    on: ["subscription.cancelled", "subscription.completed"],
    contact: person,
    event: { name: "subscriptionCanceled", properties: { ...named, status } },
  },
]);

export default {
  ...joined(razorpay, [subscriptions, payments], linksOf),
  customerId: "razorpayCustomerId",
  // Razorpay sends both. A rule on both would act twice.
  instead: {
    "order.paid": "payment.captured",
    "refund.created": "refund.processed",
    "payment.dispute.closed": "payment.dispute.won",
  },
};
