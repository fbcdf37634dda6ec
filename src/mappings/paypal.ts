import { type PayPalEvent, type PayPalSubscription, payPal } from "../handlers/paypal.ts";
import { joined, type ObjectName, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { linksOf, moneyIn, numberIn, subscriber } from "./paypal/payer.ts";
import payments from "./paypal/payments.ts";

type Event = { resource: PayPalSubscription };

const person = ({ resource }: Event) => subscriber(resource);
/** The name comes from BILLING.PLAN.CREATED and BILLING.PLAN.UPDATED. */
const plan = ({ resource }: Event) => ({ nameOf: resource.plan_id, otherwise: resource.plan_id });
const named = { plan, planName: ({ resource }: Event) => ({ nameOf: resource.plan_id }) };
const status = ({ resource }: Event) => resource.status.toLowerCase();
const periodEnd = ({ resource }: Event) => iso(resource.billing_info?.next_billing_time);
const failed = ({ resource }: Event) => resource.billing_info?.last_failed_payment;

/** An activation after a suspension has the merchant's note, or paid cycles. */
const isResumed = ({ resource: { status_change_note: note, billing_info: info } }: Event) =>
  Boolean(note) || (info?.cycle_executions ?? []).reduce((sum, { cycles_completed }) => sum + cycles_completed, 0) > 1;

// PayPal sends mail itself. CREATED comes before the buyer's approval.
const subscriptions = rules(payPal, [
  {
    name: "subscriber",
    on: "BILLING.SUBSCRIPTION.ACTIVATED",
    when: (e) => Boolean(e.resource.subscriber?.email_address),
    contact: person,
    update: {
      payPalPayerId: (e) => e.resource.subscriber?.payer_id,
      firstName: { guess: (e) => clip(e.resource.subscriber?.name?.given_name) || undefined, from: "purchase" },
      lastName: { guess: (e) => clip(e.resource.subscriber?.name?.surname) || undefined, from: "purchase" },
    },
  },
  {
    name: "subscription state",
    on: [
      "BILLING.SUBSCRIPTION.ACTIVATED",
      "BILLING.SUBSCRIPTION.UPDATED",
      "BILLING.SUBSCRIPTION.SUSPENDED",
      "BILLING.SUBSCRIPTION.CANCELLED",
      "BILLING.SUBSCRIPTION.EXPIRED",
      "BILLING.SUBSCRIPTION.PAYMENT.FAILED",
    ],
    contact: person,
    subscription: {
      id: (e) => e.resource.id,
      status,
      startedAt: (e) => iso(e.resource.create_time),
      update: { plan, subscriptionStatus: status, currentPeriodEnd: periodEnd },
    },
  },
  {
    name: "subscription started",
    on: "BILLING.SUBSCRIPTION.ACTIVATED",
    when: (e) => !isResumed(e),
    contact: person,
    event: { name: "subscriptionStarted", properties: { ...named, status } },
  },
  {
    name: "subscription resumed",
    on: "BILLING.SUBSCRIPTION.ACTIVATED",
    when: isResumed,
    contact: person,
    event: { name: "subscriptionResumed", properties: named },
  },
  {
    // By the merchant, the buyer, or after too many failed payments.
    name: "subscription paused",
    on: "BILLING.SUBSCRIPTION.SUSPENDED",
    contact: person,
    event: { name: "subscriptionPaused", properties: named },
  },
  {
    name: "subscription canceled",
    on: ["BILLING.SUBSCRIPTION.CANCELLED", "BILLING.SUBSCRIPTION.EXPIRED"],
    contact: person,
    event: {
      name: "subscriptionCanceled",
      properties: { ...named, status, reason: (e) => clip(e.resource.status_change_note) },
    },
  },
  {
    name: "subscription payment failed",
    on: "BILLING.SUBSCRIPTION.PAYMENT.FAILED",
    contact: person,
    event: {
      name: "paymentFailed",
      properties: {
        ...named,
        amount: (e) => {
          const payment = failed(e);
          return payment && moneyIn(payment.amount);
        },
        amountValue: (e) => {
          const payment = failed(e);
          return payment && numberIn(payment.amount);
        },
        currency: (e) => failed(e)?.amount.currency_code,
        reason: (e) => failed(e)?.reason_code,
        attempt: (e) => e.resource.billing_info?.failed_payments_count,
        nextAttemptAt: (e) => iso(failed(e)?.next_payment_retry_time),
      },
    },
  },
]);

const names = (e: PayPalEvent): readonly ObjectName[] => {
  if (e.type !== "BILLING.PLAN.CREATED" && e.type !== "BILLING.PLAN.UPDATED") return [];
  const name = clip(e.resource.name || undefined);
  return name ? [{ id: e.resource.id, name }] : [];
};

export default { ...joined(payPal, [subscriptions, payments], linksOf), names };
