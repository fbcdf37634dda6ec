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

// Minor units as texts; currencies without any come whole, as with Stripe. Which those are besides JPY is Paddle's list
// (`decimal_places`), of which only JPY was seen: the rest is Stripe's, and unconfirmed here. A transaction has no locale (it
// is the customer's, which other webhooks carry), so amounts are in en-US.
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

/** A checkout, not something a subscription was charged, nor an invoice the team sent. */
const isCheckout = ({ origin, collection_mode }: PaddleTransaction) =>
  (origin === "web" || origin === "api") && collection_mode === "automatic";

/** Why the last of the payments that were tried failed. */
const declined = ({ payments = [] }: PaddleTransaction) =>
  payments.find(({ status, error_code }) => status === "error" && error_code)?.error_code;

// No mail: Paddle is the merchant of record and sends receipts and reminders itself.
//
// `subscription.updated` does not say what changed, so it gives no event: upgraded, downgraded, cancelScheduled, reactivated,
// recovered and trialEnding cannot be told apart from any other update. What its state is now is on the contact, to segment by.
export default rules(
  paddle,
  [
    {
      name: "customer created",
      on: ["customer.created", "customer.imported"],
      contact: { email: (e) => e.data.email },
      // `marketing_consent` is left alone: a person who unsubscribed here would come back by it.
      update: {
        paddleCustomerId: (e) => e.data.id,
        firstName: (e) => clip(firstName(e.data.name)),
        lastName: (e) => clip(lastName(e.data.name)),
      },
    },
    {
      // Also when it is archived, the only end a customer has at Paddle.
      name: "customer updated",
      on: "customer.updated",
      contact: { email: (e) => e.data.email },
      // No name here: by now the person may have written a better one elsewhere.
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
      update: {
        plan: (e) => plan(e.data),
        subscriptionStatus: (e) => e.data.status,
        // Paddle clears the period when the subscription ends or pauses; the date it had is worth keeping.
        currentPeriodEnd: (e) => iso(e.data.current_billing_period?.ends_at),
        cancelAtPeriodEnd: (e) => e.data.scheduled_change?.action === "cancel",
        trialEndsAt: (e) => iso(e.data.items[0]?.trial_dates?.ends_at ?? null),
      },
    },
    {
      // Of the webhooks of a new subscription (created, then activated or trialing) the one there always is. Imported ones
      // are not new.
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
      // `transaction.paid` comes before it and lacks what Paddle works out later: one of the two is enough.
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
      // Of a subscription only: at a checkout it is a mistyped card, and the customer sees it at once.
      name: "payment failed",
      on: "transaction.payment_failed",
      when: (e) => Boolean(e.data.customer_id && e.data.subscription_id) && e.data.origin.startsWith("subscription_"),
      contact: (e) => customer(e.data.customer_id),
      event: { name: "paymentFailed", properties: { ...payment, reason: (e) => declined(e.data) } },
    },
    {
      // A refund waits for Paddle's approval. One that is approved as it is made is not announced as an update again; that
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
  // Customers alone have an address; what names a customer by id waits for one of these. Your own id in `custom_data` is
  // no link by default: Paddle.js takes it from the page, so anyone could tie their address to a person.
  (e) =>
    e.type === "customer.created" || e.type === "customer.updated" || e.type === "customer.imported"
      ? [{ ref: e.data.id, email: e.data.email }]
      : [],
);
