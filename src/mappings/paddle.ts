import { type PaddleSubscription, type PaddleTransaction, paddle } from "../handlers/paddle.ts";
import { decimal } from "../rules/billing/decimal.ts";
import { majorUnits, money } from "../rules/billing/money.ts";
import { customer } from "../rules/people/customer.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";

const plan = ({ items: [first] }: PaddleSubscription) =>
  clip(first?.product?.name ?? first?.price.name ?? first?.price.id);

// Amounts are strings in minor units, or in whole units for currencies without minor units, as at Stripe. Only JPY was
// confirmed in Paddle's list (`decimal_places`); for other currencies Stripe's list is used, which is unconfirmed here.
// A transaction has no locale (other webhooks contain the customer's), so amounts are in en-US.
// https://developer.paddle.com/api-reference/currencies
const totalMinor = ({ details }: PaddleTransaction) => decimal(details?.totals.grand_total ?? 0);
type Transaction = { data: PaddleTransaction };
const payment = {
  amount: ({ data }: Transaction) => money(totalMinor(data), data.currency_code),
  amountValue: ({ data }: Transaction) => majorUnits(totalMinor(data), data.currency_code),
  currency: ({ data }: Transaction) => data.currency_code,
};

type Adjustment = { data: { totals: { total: string }; currency_code: string } };
const adjustment = {
  amount: ({ data }: Adjustment) => money(decimal(data.totals.total), data.currency_code),
  amountValue: ({ data }: Adjustment) => majorUnits(decimal(data.totals.total), data.currency_code),
  currency: ({ data }: Adjustment) => data.currency_code,
};

/** True for a checkout; false for a subscription's charge and for an invoice that the team sent. */
const isCheckout = ({ origin, collection_mode }: PaddleTransaction) =>
  (origin === "web" || origin === "api") && collection_mode === "automatic";

/** Why the last payment attempt failed. */
const declined = ({ payments = [] }: PaddleTransaction) =>
  payments.find(({ status, error_code }) => status === "error" && error_code)?.error_code;

// These rules send no mail: Paddle is the merchant of record and sends receipts and reminders itself.
//
// `subscription.updated` does not show what changed, so it makes no event: upgraded, downgraded, cancelScheduled,
// reactivated, recovered and trialEnding look like any other update. The contact gets the current state, for segments.
export default rules(
  paddle,
  [
    {
      name: "customer created",
      on: ["customer.created", "customer.imported"],
      contact: { email: (e) => e.data.email },
      // `marketing_consent` is not used: it would subscribe a person again who has unsubscribed here.
      update: {
        paddleCustomerId: (e) => e.data.id,
        firstName: { guess: (e) => clip(firstName(e.data.name)), from: "purchase" },
        lastName: { guess: (e) => clip(lastName(e.data.name)), from: "purchase" },
      },
    },
    {
      // Also sent when a customer is archived. Paddle does not delete customers.
      name: "customer updated",
      on: "customer.updated",
      contact: { email: (e) => e.data.email },
      // Does not write the name: the person may have entered a better one elsewhere since.
      update: { paddleCustomerId: (e) => e.data.id },
    },
    {
      name: "subscription state",
      on: [
        "subscription.created",
        "subscription.imported",
        "subscription.activated",
        "subscription.updated",
        "subscription.trialing",
        "subscription.past_due",
        "subscription.paused",
        "subscription.resumed",
        "subscription.canceled",
      ],
      contact: (e) => customer(e.data.customer_id),
      subscription: {
        id: (e) => e.data.id,
        status: (e) => e.data.status,
        startedAt: (e) => iso(e.data.created_at),
        update: {
          plan: (e) => plan(e.data),
          subscriptionStatus: (e) => e.data.status,
          // Paddle clears the period when the subscription ends or pauses. The contact keeps the last date.
          currentPeriodEnd: (e) => iso(e.data.current_billing_period?.ends_at),
          cancelAtPeriodEnd: (e) => e.data.scheduled_change?.action === "cancel",
          trialEndsAt: (e) => iso(e.data.items[0]?.trial_dates?.ends_at ?? null),
        },
      },
    },
    {
      // A new subscription always sends this webhook, and then activated or trialing. An imported one is not new.
      name: "subscription started",
      on: "subscription.created",
      contact: (e) => customer(e.data.customer_id),
      event: {
        name: "subscriptionStarted",
        properties: { plan: (e) => plan(e.data), status: (e) => e.data.status },
      },
    },
    {
      name: "past due",
      on: "subscription.past_due",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "pastDue", properties: { plan: (e) => plan(e.data), status: (e) => e.data.status } },
    },
    {
      name: "subscription paused",
      on: "subscription.paused",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionPaused", properties: { plan: (e) => plan(e.data) } },
    },
    {
      name: "subscription resumed",
      on: "subscription.resumed",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionResumed", properties: { plan: (e) => plan(e.data) } },
    },
    {
      name: "subscription canceled",
      on: "subscription.canceled",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionCanceled", properties: { plan: (e) => plan(e.data) } },
    },
    {
      // Not on `transaction.paid`, which comes earlier and lacks what Paddle computes later.
      name: "purchase",
      on: "transaction.completed",
      when: (e) => Boolean(e.data.customer_id) && totalMinor(e.data) > 0,
      contact: (e) => customer(e.data.customer_id),
      update: {
        lastPurchaseAt: (e) => iso(e.data.billed_at ?? e.occurred_at),
        lastPurchaseAmount: payment.amountValue,
      },
    },
    {
      name: "checkout completed",
      on: "transaction.completed",
      when: (e) => Boolean(e.data.customer_id) && isCheckout(e.data),
      contact: (e) => customer(e.data.customer_id),
      event: {
        name: "checkoutCompleted",
        properties: { ...payment, mode: (e) => (e.data.subscription_id ? "subscription" : "payment") },
      },
    },
    {
      name: "subscription renewed",
      on: "transaction.completed",
      when: (e) => Boolean(e.data.customer_id) && e.data.origin === "subscription_recurring",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionRenewed", properties: payment },
    },
    {
      // For subscriptions only: at a checkout the customer sees the failure at once.
      name: "payment failed",
      on: "transaction.payment_failed",
      when: (e) => Boolean(e.data.customer_id && e.data.subscription_id) && e.data.origin.startsWith("subscription_"),
      contact: (e) => customer(e.data.customer_id),
      event: { name: "paymentFailed", properties: { ...payment, reason: (e) => declined(e.data) } },
    },
    {
      // A refund waits for Paddle's approval. A refund that is approved when it is created sends no later update; that
      // is unconfirmed.
      name: "refunded",
      on: ["adjustment.created", "adjustment.updated"],
      when: (e) => e.data.action === "refund" && e.data.status === "approved",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "refunded", properties: { ...adjustment, full: (e) => e.data.type === "full" } },
    },
    {
      name: "dispute created",
      on: "adjustment.created",
      when: (e) => e.data.action === "chargeback",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "disputeCreated", properties: { ...adjustment, reason: (e) => clip(e.data.reason) } },
    },
  ],
  // Only customers have an email address; calls of other webhooks wait for the customer's. Your own user id in
  // `custom_data` is not a link by default: Paddle.js takes it from the page, so anyone could link their address to
  // another person.
  (e) =>
    e.type === "customer.created" || e.type === "customer.updated" || e.type === "customer.imported"
      ? [{ ref: e.data.id, email: e.data.email }]
      : [],
);
