import { type PaddleSubscription, type PaddleTransaction, paddle } from "../handlers/paddle.ts";
import { customer } from "../rules/people/customer.ts";
import { guessedName } from "../rules/people/name.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { iso } from "../rules/values/iso.ts";
import { adjustment, isManual, isOfSubscription, payment, totalMinor } from "./paddle/payment.ts";
import { choicesOf, named, plan, trialEnd } from "./paddle/plan.ts";
import subscriptionUpdates, { state } from "./paddle/subscription-updates.ts";

type Customer = { data: { id: string; name: string | null } };

const profile = {
  paddleCustomerId: (e: Customer) => e.data.id,
  ...guessedName((e: Customer) => e.data.name, "purchase"),
};

const isCheckout = ({ origin, collection_mode }: PaddleTransaction) =>
  (origin === "web" || origin === "api") && collection_mode === "automatic";

const declined = ({ payments }: PaddleTransaction) =>
  payments?.find(({ status, error_code }) => status === "error" && error_code)?.error_code;

const isRecovered = (transaction: PaddleTransaction) =>
  isOfSubscription(transaction) && !isManual(transaction) && declined(transaction) !== undefined;

// Paddle is the merchant of record and sends mail itself. `subscription.updated` does not show the change, so the
// stored state does (folder `paddle`).
const paddleRules = rules(
  paddle,
  [
    {
      name: "customer created",
      on: ["customer.created", "customer.imported"],
      contact: { email: (e) => e.data.email },
      // `marketing_consent` is not used: it would undo an unsubscription here.
      update: profile,
    },
    {
      // Also sent when a customer is archived. Paddle does not delete customers.
      name: "customer updated",
      on: "customer.updated",
      contact: { email: (e) => e.data.email },
      update: profile,
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
          // Paddle clears the period at an end or pause. The contact keeps the last date.
          currentPeriodEnd: (e) => iso(e.data.current_billing_period?.ends_at),
          cancelAtPeriodEnd: (e) => e.data.scheduled_change?.action === "cancel",
          trialEndsAt: (e) => iso(trialEnd(e.data)),
        },
        state,
      },
    },
    {
      // A new subscription always sends this. An imported one is not new.
      name: "subscription started",
      on: "subscription.created",
      contact: (e) => customer(e.data.customer_id),
      event: {
        name: "subscriptionStarted",
        properties: { ...named, status: (e) => e.data.status },
      },
    },
    {
      name: "past due",
      on: "subscription.past_due",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "pastDue", properties: { ...named, status: (e) => e.data.status } },
    },
    {
      name: "subscription paused",
      on: "subscription.paused",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionPaused", properties: named },
    },
    {
      name: "subscription resumed",
      on: "subscription.resumed",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionResumed", properties: named },
    },
    {
      name: "subscription canceled",
      on: "subscription.canceled",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionCanceled", properties: named },
    },
    {
      // Not on `transaction.paid`, which comes earlier and lacks computed values.
      name: "purchase",
      on: "transaction.completed",
      when: (e) => Boolean(e.data.customer_id) && totalMinor(e.data) > 0,
      contact: (e) => customer(e.data.customer_id),
      update: {
        lastPurchaseAt: (e) => iso((isManual(e.data) ? undefined : e.data.billed_at) ?? e.occurred_at),
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
      when: (e) => Boolean(e.data.customer_id) && e.data.origin === "subscription_recurring" && totalMinor(e.data) > 0,
      contact: (e) => customer(e.data.customer_id),
      event: { name: "subscriptionRenewed", properties: payment },
    },
    {
      name: "recovered",
      on: "transaction.completed",
      when: (e) => Boolean(e.data.customer_id) && isRecovered(e.data),
      contact: (e) => customer(e.data.customer_id),
      event: { name: "recovered", properties: payment },
    },
    {
      name: "invoice paid",
      on: "transaction.completed",
      when: (e) =>
        Boolean(e.data.customer_id) &&
        isManual(e.data) &&
        e.data.origin !== "subscription_recurring" &&
        totalMinor(e.data) > 0,
      contact: (e) => customer(e.data.customer_id),
      event: { name: "invoicePaid", properties: { ...payment, number: (e) => e.data.invoice_number } },
    },
    {
      // For charges collected by Paddle, `subscription.past_due` and `transaction.payment_failed` make the events.
      name: "invoice overdue",
      on: "transaction.past_due",
      when: (e) => Boolean(e.data.customer_id) && isManual(e.data),
      contact: (e) => customer(e.data.customer_id),
      event: { name: "invoiceOverdue", properties: { ...payment, number: (e) => e.data.invoice_number } },
    },
    {
      // Subscriptions only: a checkout shows the failure at once.
      name: "payment failed",
      on: "transaction.payment_failed",
      when: (e) => Boolean(e.data.customer_id && e.data.subscription_id) && isOfSubscription(e.data),
      contact: (e) => customer(e.data.customer_id),
      event: { name: "paymentFailed", properties: { ...payment, reason: (e) => declined(e.data) } },
    },
    {
      // A refund waits for Paddle's approval. Unconfirmed: one approved at creation sends no update.
      name: "refunded",
      on: ["adjustment.created", "adjustment.updated"],
      when: (e) => e.data.action === "refund" && e.data.status === "approved",
      contact: (e) => customer(e.data.customer_id),
      event: {
        name: "refunded",
        properties: { ...adjustment, full: (e) => (e.data.type ? e.data.type === "full" : undefined) },
      },
    },
    {
      name: "dispute created",
      on: "adjustment.created",
      when: (e) => e.data.action === "chargeback",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "disputeCreated", properties: { ...adjustment, reason: (e) => clip(e.data.reason) } },
    },
    {
      // The bank returned the money to the team. Paddle sends no webhook for a lost dispute.
      name: "dispute won",
      on: "adjustment.created",
      when: (e) => e.data.action === "chargeback_reverse",
      contact: (e) => customer(e.data.customer_id),
      event: { name: "disputeClosed", properties: { ...adjustment, status: "won" } },
    },
  ],
  // Only customers have an address; other deliveries wait for it. The user id in `custom_data` is no link: Paddle.js
  // takes it from the page, so it may name another person.
  (e) =>
    e.type === "customer.created" || e.type === "customer.updated" || e.type === "customer.imported"
      ? [{ ref: e.data.id, email: e.data.email }]
      : [],
);

export default {
  ...joined(paddle, [paddleRules, subscriptionUpdates]),
  customerId: "paddleCustomerId",
  choices: (e: { type: string; data: PaddleSubscription }) =>
    e.type.startsWith("subscription.") ? choicesOf(e) : undefined,
  // Paddle sends both. A rule on both would act twice.
  instead: { "transaction.paid": "transaction.completed" },
};
