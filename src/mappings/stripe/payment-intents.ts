import type Stripe from "stripe";
import { stripe } from "../../handlers/stripe.ts";
import { majorUnits, money } from "../../rules/billing/money.ts";
import { customer, idOf, isKnown } from "../../rules/people/customer.ts";
import { type Contact, rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { payerEmail } from "./payments.ts";

/** API versions before 2025-03-31 name the invoice of a payment and of a charge. */
type OfInvoice = { invoice?: string | Stripe.Invoice | null };
type Intent = { created: number; data: { object: Stripe.PaymentIntent & OfInvoice } };
type Charge = { created: number; data: { object: Stripe.Charge & OfInvoice } };

/** The contact: the customer, or the address for the receipt. */
const person = ({ data: { object } }: Intent): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: object.receipt_email ?? undefined };
const payer = ({ data: { object } }: Charge): Contact =>
  idOf(object.customer) ? customer(object.customer) : { email: payerEmail(object) };

/**
 * The checkout session or invoice that a payment is for. Stripe does not document that it writes one here; it has done so
 * since late in 2025 (payments seen in public repositories).
 */
const ORDER = /^(cs|in)_/;

/** True where a payment is of the team's own code: payments of checkouts and invoices have rules of their own. */
const isOwn = ({ data: { object } }: Intent) =>
  !object.invoice && !ORDER.test(object.payment_details?.order_reference ?? "");
/** The same for a charge. A charge with a payment intent is no payment of its own. */
const isOwnCharge = ({ data: { object } }: Charge) => !object.payment_intent && !object.invoice;

const payment = {
  amount: ({ data: { object } }: Intent | Charge) => money(object.amount, object.currency),
  amountValue: ({ data: { object } }: Intent | Charge) => majorUnits(object.amount, object.currency),
  currency: (e: Intent | Charge) => e.data.object.currency,
  description: (e: Intent | Charge) => clip(e.data.object.description),
};

/** The amount that arrived, in minor units: less than `amount` where only a part was captured. */
const receivedMinor = ({ data: { object } }: Intent | Charge) =>
  (object.object === "payment_intent" ? object.amount_received : object.amount_captured) ?? object.amount;

const received = {
  ...payment,
  amount: (e: Intent | Charge) => money(receivedMinor(e), e.data.object.currency),
  amountValue: (e: Intent | Charge) => majorUnits(receivedMinor(e), e.data.object.currency),
};

const purchase = {
  lastPurchaseAt: (e: Intent | Charge) => seconds(e.created),
  lastPurchaseAmount: received.amountValue,
};

/**
 * Payments without Checkout and without an invoice. Stripe sends these webhooks for the payments of checkouts and invoices
 * too. A one-time payment of Checkout from before late 2025 cannot be told from a payment of your own code: enable these
 * webhooks at the endpoint only if you take payments by your own code. A charge makes an event only where it has no payment
 * intent, as in integrations from before 2019. No rule here sends a receipt; see "checkout receipt" in checkout.ts.
 */
export default rules(stripe, [
  {
    name: "payment succeeded",
    on: "payment_intent.succeeded",
    when: (e) => isOwn(e) && isKnown(person(e)),
    contact: person,
    update: purchase,
    event: { name: "paymentSucceeded", properties: received },
  },
  {
    // A bank debit or transfer: the money arrives days later.
    name: "payment processing",
    on: "payment_intent.processing",
    when: (e) => isOwn(e) && isKnown(person(e)),
    contact: person,
    event: { name: "paymentProcessing", properties: payment },
  },
  {
    name: "payment attempt failed",
    on: "payment_intent.payment_failed",
    when: (e) => isOwn(e) && isKnown(person(e)),
    contact: person,
    event: {
      name: "paymentAttemptFailed",
      properties: {
        ...payment,
        reason: (e) => e.data.object.last_payment_error?.decline_code ?? e.data.object.last_payment_error?.code,
      },
    },
  },
  {
    // A charge that is only authorized takes no money. If the team captures it later, `charge.captured` is sent.
    name: "charge succeeded",
    on: ["charge.succeeded", "charge.captured"],
    when: (e) => e.data.object.captured && isOwnCharge(e) && isKnown(payer(e)),
    contact: payer,
    update: purchase,
    event: { name: "paymentSucceeded", properties: received },
  },
  {
    name: "charge failed",
    on: "charge.failed",
    when: (e) => isOwnCharge(e) && isKnown(payer(e)),
    contact: payer,
    event: {
      name: "paymentAttemptFailed",
      properties: { ...payment, reason: (e) => e.data.object.failure_code },
    },
  },
]);
